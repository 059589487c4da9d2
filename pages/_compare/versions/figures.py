"""How two versions of the rules do on the project's labelled texts, and what is right in a text."""

from __future__ import annotations

from collections.abc import Callable

from pages._compare.accepting.evaluation import EVALUATIONS
from pages._compare.accepting.measured import draw_moves
from pages._compare.accepting.training_analysis import report_waiting
from pages._compare.split_names import ALL
from pages._shared.cached.models import all_records_of, records_of
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from re2nn_core.services.rule_difference.moved_texts import MovedText
from re2nn_core.services.task_services import services_for
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion


def draw_version_figures(
    project: ProjectRecord, before: RuleVersion, after: RuleVersion, titles: tuple[str, str]
) -> None:
    """The figures of the second version and how far they are from the first's: on dev and test, else on all texts that
    are labelled."""
    with messages.guard("Measuring the versions"):
        if not any(record.label is not None for record in all_records_of(project)):
            html('<div class="re2-muted">No text is labelled, so the versions cannot be compared in accuracy.</div>')
            return
        evaluation, records = EVALUATIONS[project.task], all_records_of(project)
        old, new = (evaluation.of(project, side) for side in (before, after))
        change = evaluation.effect(new, old)
        was, now = evaluation.shares(change)
        measured = evaluation.measured(old, new, records) or [(ALL, was or 0.0, now or 0.0)]
        html(f'<div class="re2-head">{escape(titles[1])} on labelled texts, compared with {titles[0]}</div>')
        draw_moves(measured, change, evaluation.measure, "dev")
        report_waiting(project)


def right_of(project: ProjectRecord) -> Callable[[MovedText], str]:
    """What the label of a text says, as predictions are reported; empty where it has none that the person may see."""
    records = records_of(project)

    def right(moved: MovedText) -> str:
        return services_for(project.task).in_words(records[moved.place])

    return right
