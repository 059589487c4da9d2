"""What two runs for slots say of the project's texts: the figures of each slot, and texts with both sets of spans."""

from __future__ import annotations

from collections.abc import Sequence

from pages._shared.cached.systems import known_slots
from pages._shared.cached.taggers import slot_predictions_for_project
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.measures import F1
from pages._shared.session.fragments import fragment
from pages._train.known_settings import DEVICE
from pages._train.run_comparison import Compared, Numbers, Words, draw_two_runs
from pages._train.run_pair import pair_row, setting_titles
from pages._train.slot_filling.lines import Line, draw_lines, prediction_lines
from pages._train.slot_filling.settings import NETWORK, TRAIN, VARIANTS
from pages._train.splits import caution_of_pair, choose_split
from re2nn_core.services.fine_tuning.slot_filling.run_comparison import (
    OtherSpans,
    SlotPair,
    SlotRunComparison,
    compare_slot_runs,
)
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.services.values.stored import ProjectRecord, RunRecord, TextRecord


@fragment()
def draw_slot_run_comparison(project: ProjectRecord, run: RunRecord) -> None:
    """The run beside another one."""
    draw_two_runs(_COMPARED, project, run)


def _choose_places(
    records: Sequence[TextRecord], runs: Sequence[tuple[str, RunRecord]], seen: Sequence[str]
) -> Sequence[int]:
    return choose_split(records, "train_slots_pair_split", runs=runs, caution=caution_of_pair(seen))


def _compare(
    project: ProjectRecord,
    first: SpanPredictions,
    second: SpanPredictions,
    records: Sequence[TextRecord],
    places: Sequence[int],
) -> SlotRunComparison:
    marked = [example.spans for example in span_examples_of(records, known_slots(project))]
    return compare_slot_runs(first, second, marked, places)


def _row(pair: SlotPair, palette: Palette) -> str:
    both = (pair.first, pair.second)
    shares = [getattr(counts, name) for name in ("precision", "recall", "f1") for counts in both]
    return pair_row(palette.chip(pair.slot), pair.first.marked, shares, pair.change)


def _lines(other: OtherSpans, text: str, numbers: Numbers, palette: Palette, one_set: bool) -> list[Line]:
    rules = [("rules" if one_set else f"rules of run {numbers[0]}", other.first_rules)]
    if not one_set:
        rules.append((f"rules of run {numbers[1]}", other.second_rules))
    runs = [(f"run {numbers[0]}", other.first), (f"run {numbers[1]}", other.second)]
    return prediction_lines(text, other.gold, [*runs, *rules], palette)


_COMPARED: Compared[SpanPredictions, SlotRunComparison, OtherSpans] = Compared(
    Words(
        name="Slot",
        counted="spans",
        texts="annotated texts",
        no_text="No text of this split is annotated.",
        alike="Both runs predict the same spans for each of these texts.",
        name_help="Texts in which the two runs differ on this slot.",
        who="Better run",
        better="has fewer errors",
        neither="Equal",
        who_key="train_pair_better",
    ),
    F1,
    setting_titles((*NETWORK, *VARIANTS), (*TRAIN, DEVICE)),
    predictions=slot_predictions_for_project,
    names=lambda predicted: predicted.slots,
    choose_places=_choose_places,
    compare=_compare,
    reached=lambda found: (found.first.f1 or 0.0, found.second.f1 or 0.0),
    rows=lambda found, palette: [_row(pair, palette) for pair in found.slots],
    about=lambda text: text.slots,
    draw_texts=lambda texts, records, numbers, palette, one_set: draw_lines(
        [_lines(other, records[other.place].text, numbers, palette, one_set) for other in texts]
    ),
    most=100,
)
