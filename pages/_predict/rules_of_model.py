"""The rules that stand beside predictions: the chosen ones, for a network those that it was trained from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pages._shared.drawing.markup import html
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.services.fine_tuning.stored_runs import version_of_run
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord

Written = Callable[[RunRecord], tuple[str, str]]  # rules and label logic, or priorities, as texts


def rules_of_model(project: ProjectRecord, run: RunRecord | None, written: Written) -> RuleVersion:
    """The version that the network of a run was trained from, with the texts `written` as the network has them; the
    chosen version without a network. Rules that are newer took no part in its predictions. ModelError."""
    if run is None:
        return state.current_version(project)
    rules_text, logic_text = written(run)
    return replace(version_of_run(store(), run), rules_text=rules_text, logic_text=logic_text)


def draw_which_rules(project: ProjectRecord, run: RunRecord | None, used: RuleVersion) -> None:
    """Where a network was trained from other rules than the newest, which ones are named below."""
    newest = latest_version(store(), project.id)
    if run is None or (newest.rules_text, newest.logic_text) == (used.rules_text, used.logic_text):
        return
    trained = f"rules v{used.number}" if used.number != newest.number else "rules that were edited since"
    html(
        f'<div class="re2-muted">The network was trained from {trained}: the rules below are these, not the newest '
        f"ones (v{newest.number}).</div>"
    )
