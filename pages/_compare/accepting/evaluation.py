"""How versions of the rules are evaluated on the project's texts, by task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pages._compare.accepting.measured import Measured, advice, draw_moves, labelled_splits, moves_of
from pages._compare.accepting.training_analysis import analysis, slot_analysis
from pages._compare.split_names import dev_name, held_out_split
from pages._rules.effect import draw_effect
from pages._rules.slot_filling.effect import draw_slot_effect
from pages._shared.cached.systems import known_slots
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from pages._shared.drawing.measures import ACCURACY, F1, Measure
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_review.change_repairs import (
    label_errors,
    label_readings,
    slot_readings,
    span_errors,
)
from re2nn_core.services.rule_review.evidence.enough_texts import f1_gain_interval, gain_interval
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, Effect, analyse, effect
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import (
    SlotAnalysis,
    SlotEffect,
    analyse_slots,
    slot_effect,
)
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord, TextRecord
from re2nn_core.task import Task

Analysed = TypeVar("Analysed", Analysis, SlotAnalysis)
Moved = TypeVar("Moved", Effect, SlotEffect)
Records = Sequence[TextRecord]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Evaluation(Generic[Analysed, Moved]):
    """How rules of one task are evaluated.

    effect      what changes, of the analysis now and the one before
    share       the figure of the texts at these places, as a share of 1
    shares      the figures of all labelled texts, before and now
    draw_texts  the texts whose predictions change
    reads       what a rule says of each of the texts at some places, in the same words for the same
    analyse_few  analyses rules on some texts alone, by their places among those of an analysis
    errors      those of each text, in the same words for the same
    interval    where the gain lies on new texts, by labelled texts at some places; of the analysis before and now, None
                where that cannot be said
    """

    measure: Measure
    analyse: Callable[[ProjectRecord, str, str], Analysed]
    effect: Callable[[Analysed, Analysed], Moved]
    share: Callable[[Analysed, Sequence[int]], float]
    shares: Callable[[Moved], tuple[float | None, float | None]]
    draw_texts: Callable[[Analysed, Analysed, Records, Palette, int, str], None]
    reads: Callable[[Analysed, str, Sequence[int]], Sequence[object]]
    analyse_few: Callable[
        [ProjectRecord, Records, Sequence[int], Analysed], Callable[[RuleVersion | Acceptance], Analysed]
    ]
    errors: Callable[[Analysed], Sequence[frozenset[object]]]
    interval: Callable[[Analysed, Analysed, Sequence[int]], Interval | None]

    @property
    def of_spans(self) -> bool:
        """Whether spans are counted, and not whole texts."""
        return self.measure == F1

    def of(self, project: ProjectRecord, rules: RuleVersion | Acceptance) -> Analysed:
        """The analysis of a version. Errors where it cannot be read, see training_analysis.py."""
        return self.analyse(project, rules.rules_text, rules.logic_text)

    def measured(self, before: Analysed, now: Analysed, records: Records) -> Measured:
        """The figures of dev and test where they have labelled texts."""
        return [
            (split, self.share(before, places), self.share(now, places)) for split, places in labelled_splits(records)
        ]

    def draw_moves(self, before: Analysed, now: Analysed, run: RunRecord, records: Records) -> Moved:
        """What a version would do to the predictions, in figures; and what changes."""
        change = self.effect(now, before)
        draw_moves(self.measured(before, now, records), change, self.measure, dev_name(run, records))
        return change

    def draw_figures(
        self, before: Analysed, now: Analysed, run: RunRecord, records: Records, *, where_test_alone: bool = False
    ) -> None:
        """The same, and what test texts say of that. `where_test_alone`: for what is tried out, of which no texts are
        listed; nothing is said where there are none."""
        moves = moves_of(self.draw_moves(before, now, run, records), records)
        gains = {split: will - was for split, was, will in self.measured(before, now, records)}
        if "test" in gains or not where_test_alone:
            chose = held_out_split(run, records) == "test"
            html(advice(gains, moves, self.measure, listed=not where_test_alone, test_chose=chose))


def _few_labels(
    project: ProjectRecord, records: Records, places: Sequence[int], _: Analysis
) -> Callable[[RuleVersion | Acceptance], Analysis]:
    bench = TextBench([records[place].text for place in places], project.tokenization)
    gold = [records[place].label for place in places]
    return lambda rules: analyse(bench, gold, rules.rules_text, rules.logic_text)


def _few_slots(
    project: ProjectRecord, records: Records, places: Sequence[int], whole: SlotAnalysis
) -> Callable[[RuleVersion | Acceptance], SlotAnalysis]:
    bench, known = whole.bench.part(places), known_slots(project)
    gold = [example.spans for example in span_examples_of([records[place] for place in places], known)]
    return lambda rules: analyse_slots(bench, gold, rules.rules_text, rules.logic_text, known)


def _label_interval(before: Analysis, now: Analysis, places: Sequence[int]) -> Interval | None:
    was, will = before.correct[places], now.correct[places]
    moves = SplitMoves(len(places), int((will & ~was).sum()), int((was & ~will).sum()))
    return gain_interval(moves) if moves.fixed or moves.broken else None


def _span_interval(before: SlotAnalysis, now: SlotAnalysis, places: Sequence[int]) -> Interval | None:
    was, will = ([side.counts_on([place]) for place in places] for side in (before, now))
    return f1_gain_interval(was, will) if was != will else None


LABELS = Evaluation(
    ACCURACY,
    analysis,
    effect,
    lambda side, places: int(side.correct[places].sum()) / len(places),
    lambda change: (change.accuracy_before, change.accuracy_now),
    draw_effect,
    label_readings,
    _few_labels,
    label_errors,
    _label_interval,
)
SLOTS = Evaluation(
    F1,
    slot_analysis,
    slot_effect,
    lambda side, places: side.counts_on(places).f1 or 0.0,
    lambda change: (change.before.f1, change.now.f1),
    draw_slot_effect,
    slot_readings,
    _few_slots,
    span_errors,
    _span_interval,
)
EVALUATIONS: Mapping[Task, Evaluation[Any, Any]] = {Task.CLASSIFICATION: LABELS, Task.SLOT_FILLING: SLOTS}
