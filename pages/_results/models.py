"""Compare models: chosen systems trained on the project's own texts at several amounts, in the background."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._results.comparison_form import WHICH, draw_request
from pages._results.model_figures import draw_comparison_figures
from pages._shared.components.cancelling import draw_cancel
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from pages._shared.session.fragments import fragment
from re2nn_core.experiments.project.model_runs import (
    ModelComparison,
    comparisons,
    watch_comparison,
)
from re2nn_core.experiments.project.models import (
    system_name,
    trainings_of,
)
from re2nn_core.experiments.project.runs import can_continue_experiment, is_current, series_in_words
from re2nn_core.services.fine_tuning.objective import objective_today
from re2nn_core.services.projects.stored_projects import get_version
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord

_LOOK_SECONDS = 1.0
_EMPTY = "Choose systems above and compare them. You then see which is best on your texts, and with how many of them."


def draw_page() -> None:
    """The whole view, for the project that is open."""
    project = state.require_project()
    version = state.current_version(project)
    every = comparisons(store(), project.id)
    newest = every[0] if every else None
    if newest is None:
        if draw_request(project, version, newest):
            messages.empty("No comparison yet.", _EMPTY)
        return
    if newest.is_over:
        draw_request(project, version, newest)
    run = _one_of(every)
    fragment(run_every=None if run.is_over else _LOOK_SECONDS)(_panel)(project, version, run)


def _one_of(every: Sequence[RunRecord]) -> RunRecord:
    """The comparison that is looked at: the newest one, unless an older one is chosen."""
    if len(every) == 1:
        return every[0]
    by_id = {run.id: run for run in every}
    chosen = st.selectbox("Comparison", list(by_id), format_func=lambda run: _dated(by_id[run]), key=WHICH)
    return by_id.get(chosen, every[0])


def _dated(run: RunRecord) -> str:
    trainings = f"{run.step} of {len(trainings_of(run.config))} training runs"
    return f"{run.created_at:%Y-%m-%d %H:%M} UTC, {trainings}, {run.state}"


def _panel(project: ProjectRecord, version: RuleVersion, run: RunRecord) -> None:
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Loading the comparison"):
        found = watch_comparison(store(), run.id)
        if found.run.state != run.state:
            st.rerun()
        _draw_state(found)
        draw_comparison_figures(found)
        _draw_about(found, version)


def _draw_state(found: ModelComparison) -> None:
    run = found.run
    words = series_in_words(run, goes_on=can_continue_experiment(store(), run))
    if run.state == "failed":
        st.error(messages.plain(words).replace("\n", "  \n"), icon=":material/error:")
    elif words:
        html(f'<div class="re2-state" role="status">{escape(words)}</div>')
    if run.is_over:
        return
    html(f'<div class="re2-muted">{escape(_wish_in_words(run))}</div>')
    if run.state == "running":
        left = "" if found.remaining is None else f", {found.remaining.in_words()}"
        share = min(1.0, run.step / run.total) if run.total else 0.0
        st.progress(share, text=f"{run.step} of {run.total or '…'} training runs done{left}")
    if not run.cancel_requested:
        draw_cancel("Cancel comparison", "models_cancel", run)


def _wish_in_words(run: RunRecord) -> str:
    config = run.config
    systems = ", ".join(system_name(system) for system in map(objective_today, config["systems"]))
    amounts = ", ".join(f"{amount:,}" for amount in config["amounts"])
    return f"Compared are {systems}; with {amounts} texts; seeds: {config['seeds']}. {config['measured']}"


def _draw_about(found: ModelComparison, version: RuleVersion) -> None:
    run = found.run
    if not found.trained:
        return
    used = version if run.rule_version_id is None else get_version(store(), run.rule_version_id)
    reported = [str(run.config["measured"]), f"Rules v{used.number}, {run.created_at:%Y-%m-%d %H:%M} UTC."]
    if run.is_over and not is_current(store(), run):
        reported.append("Texts or labels have changed since then. Compare again for new figures.")
    elif used.id != version.id:
        reported.append(f"The newest rules are v{version.number}. Compare again for new figures.")
    html(f'<div class="re2-muted">{escape(" ".join(reported))}</div>')
