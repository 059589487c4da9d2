"""How two versions of the rules do on the project's labelled texts, and what is right in a text."""

from __future__ import annotations

from collections.abc import Callable

from pages._compare.accepting.measured import Measured, draw_moves
from pages._compare.accepting.taking import accuracies
from pages._compare.accepting.training_analysis import analysis, slot_analysis, tell_waiting
from pages._compare.slot_filling.taking import f1_of_splits
from pages._compare.split_names import ALL
from pages._shared.cached.models import all_records_of, records_of
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.measures import ACCURACY, F1, Measure
from re2nn_core.services.rule_difference.moved_texts import MovedText
from re2nn_core.services.rule_writing.classification.rule_coverage import Effect, effect
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotEffect, slot_effect
from re2nn_core.services.task_services import services_for
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.task import Task


def draw_version_figures(
    project: ProjectRecord, before: RuleVersion, after: RuleVersion, titles: tuple[str, str]
) -> None:
    """The figures of the second version and how far they are from the first's: on dev and test, else on all texts that
    are labelled."""
    with messages.guard("Measuring the versions"):
        if not any(record.label is not None for record in all_records_of(project)):
            html('<div class="re2-muted">No text is labelled, so nothing says which version is right more often.</div>')
            return
        measure, measured, change = _measured(project, before, after)
        html(f'<div class="re2-head">{escape(titles[1])} on labelled texts, and how far that is from {titles[0]}</div>')
        draw_moves(measured, change, measure, "dev")
        tell_waiting(project)


def _measured(
    project: ProjectRecord, before: RuleVersion, after: RuleVersion
) -> tuple[Measure, Measured, Effect | SlotEffect]:
    records = all_records_of(project)
    if project.task == Task.SLOT_FILLING:
        was, now = (slot_analysis(project, side.rules_text, side.logic_text) for side in (before, after))
        marks = slot_effect(now, was)
        return F1, f1_of_splits(was, now, records) or [(ALL, marks.before.f1 or 0.0, marks.now.f1 or 0.0)], marks
    old, new = (analysis(project, side.rules_text, side.logic_text) for side in (before, after))
    change = effect(new, old)
    every = (ALL, change.accuracy_before or 0.0, change.accuracy_now or 0.0)
    return ACCURACY, accuracies(old, new, records) or [every], change


def right_of(project: ProjectRecord) -> Callable[[MovedText], str]:
    """What the label of a text says, as answers are told; empty where it has none that the person may see."""
    records = records_of(project)

    def right(moved: MovedText) -> str:
        return services_for(project.task).in_words(records[moved.place])

    return right
