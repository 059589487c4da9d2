"""Compare models: chosen systems trained on the project's own texts at several amounts, in the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages._results.model_figures import draw_comparison_figures
from pages._shared import access, messages, state
from pages._shared.catalog import LABEL
from pages._shared.markup import escape, html
from pages._shared.resources import store
from re2nn_core.errors import InputError
from re2nn_core.experiments.project_model_runs import (
    Comparison,
    Wish,
    comparisons,
    expected_seconds,
    start_comparison,
    watch_comparison,
)
from re2nn_core.experiments.project_models import (
    AMOUNTS,
    MOST_SEEDS,
    OURS,
    Material,
    amounts_for,
    check_wanted,
    material_of,
    system_name,
    systems_for,
    trainings_of,
    usual_amounts,
)
from re2nn_core.experiments.project_runs import can_go_on, go_on, is_current, series_in_words
from re2nn_core.experiments.reproduce.plan import in_words
from re2nn_core.services.changes import request_cancel
from re2nn_core.store import ProjectRecord, RuleVersion, RunRecord, get_version
from re2nn_core.text.counting import counted

_LOOK_SECONDS = 1.0
_SYSTEMS = (
    "Our network is the rules as a network, trained so that rules can be read back from it (reading), or to be right "
    "as often as it can (accuracy). The others are ordinary networks; +i reads the rules' answers as one more input, "
    "+o adds them to its own, +kd and +pr learn from them while training."
)
_ABOUT = (
    "Each system learns from so many of the project's texts, drawn anew for each seed, and is measured on the same "
    "texts as all others. Ordinary networks hold out every fifth drawn text to know when to stop. The rules alone are "
    "measured beside. Nothing that you wrote is changed, and no model is kept."
)


def draw_page() -> None:
    """The whole view, for the project that is open."""
    project = state.require_project()
    version = state.current_version(project)
    every = comparisons(store(), project.id)
    newest = every[0] if every else None
    if newest is None or newest.is_over:
        _draw_wish(project, version, newest)
    if newest is not None:
        run = _one_of(every)
        st.fragment(_panel, run_every=None if run.is_over else _LOOK_SECONDS)(project, version, run)


def _one_of(every: Sequence[RunRecord]) -> RunRecord:
    """The comparison that is looked at: the newest one, unless an older one is chosen."""
    if len(every) == 1:
        return every[0]
    by_id = {run.id: run for run in every}
    chosen = st.selectbox("Comparison", list(by_id), format_func=lambda run: _dated(by_id[run]), key="models_which")
    return by_id.get(chosen, every[0])


def _dated(run: RunRecord) -> str:
    trainings = f"{run.step} of {len(trainings_of(run.config))} trainings"
    return f"{run.created_at:%Y-%m-%d %H:%M} UTC, {trainings}, {run.state}"


def _draw_wish(project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> None:
    """What to compare, and the button that starts it."""
    try:
        found = material_of(store(), project.id, version.id)
    except InputError as error:
        messages.empty("Nothing can be compared yet.", str(error), link=LABEL)
        return
    wish, fault = _choose(found, run)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        barred = access.why_not("reviewer")
        why = barred or fault or None
        asked = st.button(
            "Compare",
            key="models_start",
            icon=":material/play_arrow:",
            type="primary",
            disabled=why is not None,
            help=why,
        )
        if (
            run is not None
            and can_go_on(store(), run)
            and st.button("Go on", key="models_go_on", icon=":material/resume:", disabled=bool(barred), help=barred)
        ):
            _started(lambda: go_on(store(), run, person=state.person()), "Going on")
        told = fault or f"{counted(wish.trainings, 'training')}{_how_long(project, wish)}. {found.in_words}"
        html(f'<span class="re2-muted">{escape(told)}</span>')
    html(f'<div class="re2-muted">{escape(_ABOUT)}{escape(_no_others(found))}</div>')
    if asked:
        _started(
            lambda: start_comparison(store(), project.id, version.id, wish, person=state.person()),
            "Starting the comparison",
        )


def _how_long(project: ProjectRecord, wish: Wish) -> str:
    seconds = expected_seconds(store(), project.id, wish)
    return "; how long they take is told after the first one" if seconds is None else f", about {in_words(seconds)}"


def _choose(found: Material, run: RunRecord | None) -> tuple[Wish, str]:
    """What is to be compared, and what is wrong with it; empty where nothing is."""
    texts = len(found.data.train)
    before = {} if run is None else run.config
    systems, amounts = systems_for(found.task), amounts_for(texts)
    left, middle, right = st.columns([12, 10, 5], gap="small")
    with left:
        chosen = st.multiselect(
            "Systems",
            systems,
            default=[one for one in before.get("systems", _usual(systems)) if one in systems],
            format_func=system_name,
            key="models_systems",
            help=_SYSTEMS,
        )
    with middle:
        usual = [one for one in before.get("amounts", usual_amounts(texts)) if AMOUNTS[0] <= one <= texts]
        counts = st.multiselect(
            "Amounts of texts",
            sorted({*amounts, *usual}),
            default=usual,
            format_func=lambda amount: f"{amount:,}" + (" (all)" if amount == texts else ""),
            key="models_amounts",
            accept_new_options=True,
            help=f"Choose, or type a number from {AMOUNTS[0]} to {texts:,}.",
        )
    with right:
        seeds = st.number_input(
            "Seeds",
            1,
            MOST_SEEDS,
            before.get("seeds", 2),
            key="models_seeds",
            help=f"From 1 to {MOST_SEEDS}. Each draws other texts.",
        )
    typed = [str(count) for count in counts if not str(count).isdecimal()]
    wish = Wish(tuple(chosen), tuple(sorted({int(count) for count in counts if str(count) not in typed})), int(seeds))
    if typed:
        return wish, f"'{typed[0]}' is no amount: a whole number from {AMOUNTS[0]} to {texts:,} is expected."
    try:
        check_wanted(wish.systems, wish.amounts, wish.seeds, found)
    except InputError as error:
        return wish, str(error)
    return wish, ""


def _usual(systems: Sequence[str]) -> list[str]:
    """Both of ours where there is nothing else, otherwise the more accurate one beside two ordinary networks."""
    others = [system for system in systems if system not in OURS]
    return ["accuracy", *others[:2]] if others else list(OURS)


def _no_others(found: Material) -> str:
    there = any(system not in OURS for system in systems_for(found.task))
    return "" if there else " Ordinary networks (BiGRU, CNN and others) are not in this version."


def _started(start: Callable[[], RunRecord], doing: str) -> None:
    with messages.guard(doing) as outcome:
        start()
    if outcome.ok:
        st.rerun()


def _panel(project: ProjectRecord, version: RuleVersion, run: RunRecord) -> None:
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Looking at the comparison"):
        found = watch_comparison(store(), run.id)
        if found.run.state != run.state:
            st.rerun()
        _draw_state(found)
        draw_comparison_figures(found)
        _draw_about(found, version)


def _draw_state(found: Comparison) -> None:
    run = found.run
    words = series_in_words(run, goes_on=can_go_on(store(), run))
    if run.state == "failed":
        st.error(messages.plain(words).replace("\n", "  \n"), icon=":material/error:")
    elif words:
        html(f'<div class="re2-state" role="status">{escape(words)}</div>')
    if run.is_over:
        return
    html(f'<div class="re2-muted">{escape(_wish_in_words(run))}</div>')
    if run.state == "running":
        left = "" if found.seconds_left is None else f", about {in_words(found.seconds_left)} left"
        share = min(1.0, run.step / run.total) if run.total else 0.0
        st.progress(share, text=f"{run.step} of {run.total or '…'} trainings done{left}")
    why = access.why_not("reviewer")
    if not run.cancel_requested and st.button(
        "Cancel", key="models_cancel", icon=":material/stop_circle:", disabled=why is not None, help=why
    ):
        with messages.guard("Cancelling"):
            request_cancel(store(), run.id, person=state.person())
        st.rerun()


def _wish_in_words(run: RunRecord) -> str:
    config = run.config
    systems = ", ".join(system_name(system) for system in config["systems"])
    amounts = ", ".join(f"{amount:,}" for amount in config["amounts"])
    return f"Compared are {systems}; with {amounts} texts; seeds: {config['seeds']}. {config['measured']}"


def _draw_about(found: Comparison, version: RuleVersion) -> None:
    run = found.run
    if not found.trained:
        return
    used = version if run.rule_version_id is None else get_version(store(), run.rule_version_id)
    told = [str(run.config["measured"]), f"Rules v{used.number}, {run.created_at:%Y-%m-%d %H:%M} UTC."]
    if run.is_over and not is_current(store(), run):
        told.append("Texts or labels have changed since; compare again for new figures.")
    elif used.id != version.id:
        told.append(f"The rules are at v{version.number} now; compare again for new figures.")
    html(f'<div class="re2-muted">{escape(" ".join(told))}</div>')
