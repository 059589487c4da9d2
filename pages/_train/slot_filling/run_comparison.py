"""Two finished runs for slots side by side: both curves, what they were trained with, the figures of each slot, and the
texts that they answer differently."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.cached.models import records_of
from pages._shared.cached.systems import known_slots
from pages._shared.cached.taggers import slot_answers_for_project
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.drawing.markup import escape, figures, html
from pages._shared.drawing.measures import F1
from pages._train.known_settings import DEVICE
from pages._train.run_comparison import (
    ADVICE,
    Numbers,
    Pair,
    Sides,
    draw_pair_curves,
    draw_recipes,
    draw_two_runs,
    texts_of_winner,
)
from pages._train.run_pair import facts_table, pair_row, pair_table
from pages._train.slot_filling.figures import rules_of
from pages._train.slot_filling.lines import Line, answer_lines, draw_lines
from pages._train.slot_filling.settings import NETWORK, TRAIN, VARIANTS
from pages._train.splits import choose_split
from re2nn_core.errors import ModelError
from re2nn_core.services.fine_tuning.reports import damaged_network
from re2nn_core.services.fine_tuning.run_comparison import differing_settings, learned_from_dev
from re2nn_core.services.fine_tuning.slot_filling.run_comparison import (
    OtherSpans,
    SlotPair,
    SlotRunComparison,
    compare_slot_runs,
)
from re2nn_core.services.prediction.slot_filling.predictions import SlotAnswered
from re2nn_core.services.rule_systems.slot_filling.stored_spans import examples_of
from re2nn_core.services.values.stored import ProjectRecord, RunRecord, TextRecord
from re2nn_core.text.corpus import Corpus

_SHOWN = 100
_TITLES = {
    **{("network", setting.name): setting.title for setting in (*NETWORK, *VARIANTS)},
    **{("train", setting.name): setting.title for setting in (*TRAIN, DEVICE)},
}


@st.fragment
def draw_slot_run_comparison(project: ProjectRecord, run: RunRecord) -> None:
    """The run beside the newest other one, until somebody chooses two."""
    draw_two_runs(project, run, _draw_pair)


def _draw_pair(project: ProjectRecord, pair: Pair, sides: Sides) -> None:
    left, right = st.columns([12, 11], gap="medium")
    with left:
        draw_pair_curves(pair, sides)
        draw_recipes(sides)
    with right:
        settings = differing_settings(*pair)
        html(facts_table(*sides, settings, turns=_learned_from_dev(pair), measure=F1, titles=_TITLES))
        if not settings:
            html('<div class="re2-muted">Both have the same settings.</div>')
    with messages.guard("Comparing their answers"):
        _draw_answers(project, pair, sides)


def _draw_answers(project: ProjectRecord, pair: Pair, sides: Sides) -> None:
    """What both say of the project's texts: by slot, and text by text."""
    numbers = sides[0].number, sides[1].number
    first, second = (_answers(project, run, number) for run, number in zip(pair, numbers, strict=True))
    records = records_of(project)
    with st.container(horizontal=True, vertical_alignment="center"):
        seen = [f"run {number}" for number, dev in zip(numbers, _learned_from_dev(pair), strict=True) if dev]
        caution = f"{' and '.join(seen).capitalize()} learned from dev and train texts." if seen else ""
        named = [(f"Run {number}", run) for number, run in zip(numbers, pair, strict=True)]
        places = choose_split(records, "train_slots_pair_split", runs=named, caution=caution)
    if not places:
        html('<div class="re2-empty re2-muted">No text of this split is marked.</div>')
        return
    palette = palette_of(project.id, (*first.slots, *second.slots))
    marked = [example.spans for example in examples_of(records, known_slots(project))]
    found = compare_slot_runs(first, second, marked, places)
    html(figures(_head(found, numbers)))
    one_set = _rule_texts(first) == _rule_texts(second)
    if not one_set:
        said = " and ".join(f"run {side.number} from v{side.version or '?'}" for side in sides)
        html(f'<div class="re2-muted">{escape(f"The two have different rules, {said}.")}</div>')
    html(pair_table("Slot", "spans", numbers, [_slot_row(pair, palette) for pair in found.slots]))
    _draw_texts(found, numbers, records, palette, one_set=one_set)


def _learned_from_dev(pair: Pair) -> list[bool]:
    return [learned_from_dev(run, Corpus(())) for run in pair]


def _rule_texts(answered: SlotAnswered) -> tuple[str, str]:
    return answered.system.rules_text, answered.system.logic_text


def _answers(project: ProjectRecord, run: RunRecord, number: int) -> SlotAnswered:
    try:
        return slot_answers_for_project(project, rules_of(project, run), run)
    except ModelError as fault:
        raise damaged_network(number, ADVICE) from fault


def _head(found: SlotRunComparison, numbers: Numbers) -> list[tuple[str, str, str]]:
    before, after = found.first.f1 or 0.0, found.second.f1 or 0.0
    return [
        (f"{found.texts:,}", "marked texts", ""),
        (F1.shown(before), f"F1 of run {numbers[0]}", ""),
        (F1.shown(after), f"F1 of run {numbers[1]}", F1.gain(after - before)),
        (f"{len(found.differing):,}", "texts answered differently", ""),
    ]


def _slot_row(pair: SlotPair, palette: Palette) -> str:
    both = (pair.first, pair.second)
    shares = [
        *(counts.precision for counts in both),
        *(counts.recall for counts in both),
        *(counts.f1 for counts in both),
    ]
    return pair_row(palette.chip(pair.slot), pair.first.marked, shares, pair.change, F1)


def _draw_texts(
    found: SlotRunComparison, numbers: Numbers, records: Sequence[TextRecord], palette: Palette, *, one_set: bool
) -> None:
    """The texts with different answers, by slot and by who does better."""
    if not found.differing:
        html('<div class="re2-empty re2-muted">Both give the same spans for each of these texts.</div>')
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        texts = _of_slot(found.differing, palette, numbers)
        texts = _of_winner(texts, numbers)
    if not texts:
        html('<div class="re2-empty re2-muted">There is no such text on this split.</div>')
        return
    draw_lines([_lines(other, records[other.place].text, numbers, palette, one_set) for other in texts[:_SHOWN]])
    if len(texts) > _SHOWN:
        html(f'<div class="re2-muted">The first {_SHOWN:,} of {len(texts):,} texts are shown.</div>')


def _lines(other: OtherSpans, text: str, numbers: Numbers, palette: Palette, one_set: bool) -> list[Line]:
    rules = [("rules" if one_set else f"rules of run {numbers[0]}", other.first_rules)]
    if not one_set:
        rules.append((f"rules of run {numbers[1]}", other.second_rules))
    runs = [(f"run {numbers[0]}", other.first), (f"run {numbers[1]}", other.second)]
    return answer_lines(text, other.gold, [*runs, *rules], palette)


def _of_slot(texts: Sequence[OtherSpans], palette: Palette, numbers: Numbers) -> list[OtherSpans]:
    counts = {slot: sum(slot in text.slots for text in texts) for slot in palette.labels}
    slot = st.selectbox(
        "Slot",
        [None, *palette.labels],
        format_func=lambda slot: f"any slot, {len(texts):,}" if slot is None else f"{slot}, {counts[slot]:,}",
        key=f"train_pair_slot_{numbers[0]}_{numbers[1]}",
        label_visibility="collapsed",
        help="Texts in which the two differ on this slot.",
        width=230,
    )
    return [text for text in texts if slot is None or slot in text.slots]


def _of_winner(texts: Sequence[OtherSpans], numbers: Numbers) -> list[OtherSpans]:
    titles = {
        "second": f"Run {numbers[1]} has fewer mistakes",
        "first": f"Run {numbers[0]} has fewer mistakes",
        "neither": "As many",
    }
    return texts_of_winner(texts, "Who does better", titles, f"train_pair_better_{numbers[0]}_{numbers[1]}")
