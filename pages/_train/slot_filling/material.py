"""What a training for slots learns from: texts, spans by slot and source, and what may spoil it."""

from __future__ import annotations

from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, figures, html
from pages._shared.drawing.tables import html_table
from re2nn_core.services.fine_tuning.slot_filling.examples import FEW_OF_A_SLOT, SlotExamples, SlotSpans
from re2nn_core.services.values.networks import TaggerConfig
from re2nn_core.text.counting import counted
from re2nn_core.training.config import TrainConfig


def draw_counts(examples: SlotExamples, network: TaggerConfig, train: TrainConfig) -> None:
    """How many texts there are for such a network, and how many spans stand in them."""
    html(figures(_counts(examples, network, train)))


def _counts(examples: SlotExamples, network: TaggerConfig, train: TrainConfig) -> list[tuple[str, str, str]]:
    split = examples.learned(network, train)
    dev = "of these held out to know when to stop" if split.held_out else "dev, to know when to stop"
    texts, spans = examples.train, examples.spans
    if split.turns:
        texts, spans = len(split.train), sum(len(example.spans or ()) for example in split.train)
    learned = "texts to learn from, in turns" if split.turns else "texts to learn from"
    shown = [(f"{texts:,}", learned, ""), (f"{spans:,}", "spans in them", "")]
    if split.dev:
        shown.append((f"{len(split.dev):,}", dev if examples.decides(network) else "dev, to measure it by", ""))
    if split.test:
        shown.append((f"{len(split.test):,}", "test", ""))
    if examples.empty:
        shown.append((f"{examples.empty:,}", "without a span", ""))
    if examples.unmarked:
        shown.append((f"{examples.unmarked:,}", "not marked yet", ""))
    return shown


def draw_slots(examples: SlotExamples, palette: Palette) -> None:
    """The spans slot by slot."""
    most = max((entry.train for entry in examples.slots), default=1) or 1
    html(
        '<div class="re2-scroll">'
        + html_table(
            ["Slot", "Spans to learn from", "by people", "in the data", "dev", "test", "rules"],
            [_row(entry, palette, most) for entry in examples.slots],
            numbers=(2, 3, 4, 5, 6),
        )
        + "</div>"
    )


def draw_warnings(examples: SlotExamples, network: TaggerConfig, train: TrainConfig) -> None:
    """What may spoil the training of such a network."""
    for warning in filter(None, (*examples.warnings, examples.rough(network, train))):
        html(f'<div class="re2-warn">{escape(warning)}</div>')


def _row(entry: SlotSpans, palette: Palette, most: int) -> list[str]:
    few = entry.train < FEW_OF_A_SLOT
    texts = counted(entry.texts, "text")
    bar = (
        f'<span class="re2-amount" style="--chip:{palette.colour(entry.slot)}" title="in {texts}">'
        f'<i style="width:{100 * entry.train / most:.0f}%"></i></span> '
        f"{entry.train:,}{' <b title=few>⚠</b>' if few else ''}"
    )
    counts = (entry.by_people, entry.with_data, entry.dev, entry.test)
    rules = f'<span title="{escape(", ".join(entry.rules))}">{len(entry.rules)}</span>' if entry.rules else "·"
    return [palette.chip(entry.slot), bar, *(f"{count:,}" if count else "·" for count in counts), rules]
