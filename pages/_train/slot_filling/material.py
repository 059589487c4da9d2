"""What a training for slots learns from: texts, spans by slot and source, and what may spoil it."""

from __future__ import annotations

from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import count_figure, escape, figures, html
from pages._train.material import CROSS_VALIDATED, MEANINGS, amount_html, draw_examples
from re2nn_core.services.fine_tuning.slot_filling.examples import FEW_OF_A_SLOT, SlotExamples, SlotSpans
from re2nn_core.services.values.networks import TaggerConfig
from re2nn_core.text.counting import counted
from re2nn_core.training.config import TrainConfig


def draw_slot_counts(examples: SlotExamples, network: TaggerConfig, train: TrainConfig) -> None:
    """How many texts there are for such a network, and how many spans stand in them."""
    html(figures(_counts(examples, network, train), MEANINGS))


def _counts(examples: SlotExamples, network: TaggerConfig, train: TrainConfig) -> list[tuple[str, str, str]]:
    split = examples.learned(network, train)
    dev = "held-out texts to choose the epoch" if split.held_out else "dev, to choose the epoch"
    texts, spans = examples.train, examples.spans
    if split.turns:
        texts, spans = len(split.train), sum(len(example.spans or ()) for example in split.train)
    learned = CROSS_VALIDATED if split.turns else "training texts"
    shown = [(f"{texts:,}", learned, ""), count_figure(spans, "span")]
    if split.dev:
        shown.append((f"{len(split.dev):,}", dev if examples.decides(network) else "dev, for evaluation", ""))
    if split.test:
        shown.append((f"{len(split.test):,}", "test", ""))
    if examples.empty:
        shown.append((f"{examples.empty:,}", "without a span", ""))
    if examples.unannotated:
        shown.append((f"{examples.unannotated:,}", "not annotated", ""))
    return shown


def draw_slots(examples: SlotExamples, palette: Palette) -> None:
    """The spans slot by slot."""
    draw_examples(
        "Slot", "spans: train", [_row(entry, palette, examples) for entry in examples.slots], examples.dev_title
    )


def _row(entry: SlotSpans, palette: Palette, examples: SlotExamples) -> list[str]:
    title, colour = f' title="in {counted(entry.texts, "text")}"', palette.colour(entry.slot)
    bar = amount_html(entry.train, examples.slots, colour, few=FEW_OF_A_SLOT, title=title)
    counts = (entry.by_people, entry.with_data, entry.dev, entry.test)
    rules = f'<span title="{escape(", ".join(entry.rules))}">{len(entry.rules)}</span>' if entry.rules else "0"
    return [palette.chip(entry.slot), bar, *(f"{count:,}" for count in counts), rules]
