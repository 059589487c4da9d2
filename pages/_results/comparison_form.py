"""Compare models: what is to be compared, and the button that starts it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages._shared.components.more_texts import more_texts_page
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import access, state
from re2nn_core.errors import InputError
from re2nn_core.experiments.project.model_runs import (
    ComparisonRequest,
    expected_comparison_seconds,
    known_cluster,
    start_comparison,
)
from re2nn_core.experiments.project.models import (
    AMOUNTS,
    MOST_SEEDS,
    OURS,
    RAY,
    ComparisonTexts,
    amounts_for,
    check_wanted,
    comparison_texts,
    system_name,
    systems_for,
    usual_amounts,
)
from re2nn_core.experiments.project.runs import can_continue_experiment, continue_experiment
from re2nn_core.guide.glossary import definition
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.remaining_time import duration_in_words

WHICH = "models_which"  # the key of the choice among comparisons
_SYSTEMS = (
    "Our network is the rules as a network, with the objective interpretable or accuracy. The others are "
    "ordinary networks; +i takes predictions of the rules as input, +o adds them to the output, +kd and +pr "
    "train on them. The sentence encoder + linear layer is a logistic regression over its vectors of whole texts, for "
    "labels, where the encoder is installed."
)
_ABOUT = (
    "Each system is trained on this number of texts, drawn at random per seed, and evaluated on the same "
    "texts. The rules are evaluated, too. Your project is not changed, and no model is kept."
)
_ON_RAY = "All training runs at once, a core each, instead of one after the other on this computer."
_SEVERAL = (
    "Our network (accuracy) can be an ensemble with an auxiliary encoder, so a gain over an ordinary network "
    "is not due to the rules only."
)
_ALONE = f"{_SEVERAL} To see the effect of the rules, choose our network (interpretable), which is"
_OURS = {
    Task.CLASSIFICATION: f"{_ALONE} FA-RNN: one network without an auxiliary encoder.",
    Task.SLOT_FILLING: f"{_ALONE} FSTRNN: one network without an auxiliary encoder and without a CRF.",
}


def draw_request(project: ProjectRecord, version: RuleVersion, run: RunRecord | None) -> bool:
    """What to compare, and the button that starts it. Whether there are texts to compare on."""
    try:
        found = comparison_texts(store(), project.id, version.id)
    except InputError as error:
        messages.empty("No comparison is possible yet.", str(error), link=more_texts_page(project.id))
        return False
    request, fault = _choose(found, run)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        barred = access.why_not("reviewer")
        why = barred or fault or None
        asked = st.button(
            "Compare systems",
            key="models_start",
            icon=":material/play_arrow:",
            type="primary",
            disabled=why is not None,
            help=why,
        )
        if (
            run is not None
            and can_continue_experiment(store(), run)
            and st.button(
                "Resume comparison", key="models_go_on", icon=":material/resume:", disabled=bool(barred), help=barred
            )
        ):
            _started(lambda: continue_experiment(store(), run, person=state.person()), "Resuming the comparison")
        reported = fault or f"{counted(request.trainings, 'training')}{_how_long(project, request)}. {found.in_words}"
        html(f'<span class="re2-muted">{escape(reported)}</span>')
    html(f'<div class="re2-muted">{escape(_ABOUT)} {escape(_OURS[found.task])}{escape(_no_others(found))}</div>')
    if asked:
        _started(
            lambda: start_comparison(store(), project.id, version.id, request, person=state.person()),
            "Starting the comparison",
        )
    return True


def _how_long(project: ProjectRecord, request: ComparisonRequest) -> str:
    if request.cluster is not None:
        return f" on the Ray cluster at {request.cluster.address}"
    seconds = expected_comparison_seconds(store(), project.id, request)
    return (
        "; the duration is estimated after the first one"
        if seconds is None
        else f", about {duration_in_words(seconds)}"
    )


def _choose(found: ComparisonTexts, run: RunRecord | None) -> tuple[ComparisonRequest, str]:
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
            "Numbers of texts",
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
            help=f"From 1 to {MOST_SEEDS}. Each seed draws other texts. {definition('Seed')}",
        )
    typed = [str(count) for count in counts if not str(count).isdecimal()]
    request = ComparisonRequest(
        tuple(chosen),
        tuple(sorted({int(count) for count in counts if str(count) not in typed})),
        int(seeds),
        known_cluster() if _on_ray(before.get("engine") == RAY) else None,
    )
    if typed:
        return (
            request,
            f"'{typed[0]}' is not a number of texts: expected a whole number from {AMOUNTS[0]} to {texts:,}.",
        )
    try:
        check_wanted(request.systems, request.amounts, request.seeds, found)
    except InputError as error:
        return request, str(error)
    return request, ""


def _on_ray(before: bool) -> bool:
    """Whether the cluster that this server names shall train. An address is typed by nobody: what it leads to runs
    code."""
    cluster = known_cluster()
    label = "" if cluster is None else f"Train on the Ray cluster at {cluster.address}"
    return cluster is not None and st.toggle(label, value=before, key="models_ray", help=_ON_RAY)


def _usual(systems: Sequence[str]) -> list[str]:
    """Both of ours where there is nothing else, otherwise the more accurate one and two others."""
    others = [system for system in systems if system not in OURS]
    return ["accuracy", *others[:2]] if others else list(OURS)


def _no_others(found: ComparisonTexts) -> str:
    there = any(system not in OURS for system in systems_for(found.task))
    return "" if there else " Ordinary networks (BiGRU, CNN and others) are not in this version."


def _started(start: Callable[[], RunRecord], doing: str) -> None:
    with messages.guard(doing) as outcome:
        start()
    if outcome.ok:
        st.session_state.pop(WHICH, None)  # the new one is what is looked at
        st.rerun()
