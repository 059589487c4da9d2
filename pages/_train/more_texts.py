"""What more texts would bring: the same training from a part of the texts and from all, folded away until somebody
asks; beside it what beta does, and how large the networks of the family are. Looked at anew while at work."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.cached.models import material_of_project
from pages._shared.cached.systems import system_of
from pages._shared.components.cancelling import draw_cancel
from pages._shared.components.more_texts import more_texts_page
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from pages._shared.resources import store
from pages._shared.session import access, state
from pages._shared.session.fragments import fragment
from pages._train.series_figures import draw_findings
from pages._train.settings import OBJECTIVE_KEY, OBJECTIVE_NAMES
from re2nn_core.experiments.project.data import too_few
from re2nn_core.experiments.project.runs import (
    Series,
    at_work,
    can_continue_experiment,
    continue_experiment,
    estimate,
    is_current,
    newest,
    series_in_words,
    start_series,
    trainings_worth,
    watch_series,
)
from re2nn_core.experiments.project.series import BETA, CURVE, SeriesSettings, settings_beyond
from re2nn_core.experiments.project.sizes import ParameterCount, parameter_counts
from re2nn_core.services.fine_tuning.manual_overrides import ChosenSettings, run_settings
from re2nn_core.services.fine_tuning.objective import objective_of
from re2nn_core.services.fine_tuning.training_plan import split_examples
from re2nn_core.services.projects.stored_projects import get_version
from re2nn_core.services.values.networks import NetworkConfig, setting_in_words
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.remaining_time import duration_in_words
from re2nn_core.text.tokenization import Tokenization

KEY = "train_more"
_LOOK_SECONDS = 1.0
_VIEWS = {CURVE: "Number of texts", BETA: "Rule weight", "sizes": "Network size"}
_BUTTONS = {CURVE: "Train on 10%, 30% and all texts", BETA: "Train with four rule weights and without"}
_ABOUT = {
    CURVE: "Two trainings per number of texts, on different random samples, evaluated on the same texts.",
    BETA: "The rule weight (beta) mixes words of the rules (1) with word vectors (less than 1) before training. "
    "Without it, the default, the untrained network equals the rules.",
}


def draw_more_texts(project: ProjectRecord, version: RuleVersion, chosen: ChosenSettings | None) -> None:
    """The section. `chosen` are the settings on the page; None where they do not go together."""
    # Its name stays as it is: another one would be another section, and folded.
    section = st.expander("Learning curve", key=KEY, on_change="rerun")
    if not section.open:
        if at_work(store(), project.id):
            html('<div class="re2-muted">Training is running. Open this section to see the progress.</div>')
        return
    with section, messages.guard("Loading the learning curve"):
        view = st.segmented_control(
            "Show",
            list(_VIEWS),
            default=CURVE,
            required=True,
            format_func=lambda name: _VIEWS[name],
            key="train_more_view",
            label_visibility="collapsed",
        )
        corpus = Corpus(tuple(Example(r.text, r.label, r.split) for r in material_of_project(project).records))
        if view == "sizes":
            _draw_sizes(project, version, corpus, chosen)
        elif (missing := too_few(corpus)) is not None:
            messages.empty("Too few labelled texts for a learning curve.", missing, link=more_texts_page(project.id))
        else:
            _draw_series(project, version, view or CURVE, _settings(corpus, chosen))


def _settings(corpus: Corpus, chosen: ChosenSettings | None) -> SeriesSettings | None:
    if chosen is None:
        return None
    return settings_beyond(
        st.session_state.get(OBJECTIVE_KEY, "interpretable"), len(split_examples(corpus).train), chosen
    )


def _draw_series(project: ProjectRecord, version: RuleVersion, kind: str, settings: SeriesSettings | None) -> None:
    run = newest(store(), project.id, kind)
    if run is None:
        _draw_start(project, version, kind, settings)
        return
    every = None if run.is_over else _LOOK_SECONDS
    fragment(run_every=every)(_panel)(project, version, run, settings)


def _panel(project: ProjectRecord, version: RuleVersion, run: RunRecord, settings: SeriesSettings | None) -> None:
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Loading the training runs"):
        found = watch_series(store(), run.id)
        if found.run.state != run.state:
            st.rerun()
        if found.run.is_over:
            goes_on = can_continue_experiment(store(), found.run)
            _draw_end(found, goes_on=goes_on)
            _draw_start(project, version, run.kind, settings, goes_on=found.run if goes_on else None)
        else:
            _draw_work(found)
        draw_findings(found)
        if len(found.outcomes) > 1:
            _draw_about(found.run, version)


def _draw_start(
    project: ProjectRecord,
    version: RuleVersion,
    kind: str,
    settings: SeriesSettings | None,
    goes_on: RunRecord | None = None,
) -> None:
    """The buttons, and how long it takes."""
    busy, why = at_work(store(), project.id), access.why_not("reviewer")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        again = {"key": f"train_{kind}_go_on", "icon": ":material/resume:", "disabled": why is not None, "help": why}
        if goes_on is not None and st.button("Resume training", **again):
            _take_up(goes_on)
        asked = st.button(
            _BUTTONS[kind],
            key=f"train_{kind}_start",
            icon=":material/play_arrow:",
            disabled=busy or settings is None or why is not None,
            help=why or ("Another series is running." if busy else None),
        )
        html(f'<span class="re2-muted">{escape(_takes(project, kind))}</span>')
    html(f'<div class="re2-muted">{escape(_ABOUT[kind])}</div>')
    if asked and settings is not None:
        with messages.guard("Starting the training runs") as outcome:
            start_series(store(), project.id, version.id, kind, settings, person=state.person())
        if outcome.ok:
            st.rerun()


def _take_up(run: RunRecord) -> None:
    with messages.guard("Resuming the training runs") as outcome:
        continue_experiment(store(), run, person=state.person())
    if outcome.ok:
        st.rerun()


def _takes(project: ProjectRecord, kind: str) -> str:
    found = estimate(store(), project.id, kind)
    if found is None:
        return f"Takes as long as {trainings_worth(kind):.0f} training runs. Train once to get an estimate."
    return f"About {duration_in_words(found.seconds)}, estimated from run {found.number}. You can leave this page."


def _draw_work(found: Series) -> None:
    """How far it is, and the button that stops it."""
    run = found.run
    html(f'<div class="re2-state">{escape(series_in_words(run))}</div>')
    if run.state == "running":
        left = "" if found.remaining is None else f" · {found.remaining.in_words()}"
        share = min(1.0, run.step / run.total) if run.total else 0.0
        st.progress(share, text=f"{run.step} of {run.total or '…'} training runs done{left}")
    if not run.cancel_requested:
        draw_cancel("Cancel training", f"train_{run.kind}_cancel", run)


def _draw_end(found: Series, *, goes_on: bool) -> None:
    words = series_in_words(found.run, goes_on=goes_on)
    if found.run.state == "failed":
        st.error(messages.plain(words).replace("\n", "  \n"), icon=":material/error:")
    elif words:
        html(f'<div class="re2-state">{escape(words)}</div>')


def _draw_about(run: RunRecord, version: RuleVersion) -> None:
    """What the figures were measured on, with which settings, and what has changed since."""
    changed = {**run_settings(run, "network"), **run_settings(run, "train")}
    used = version if run.rule_version_id is None else get_version(store(), run.rule_version_id)
    reported = [
        str(run.config.get("measured", "")),
        f"Rules v{used.number}, objective: {OBJECTIVE_NAMES[objective_of(run.config) or 'interpretable']}"
        + "".join(f", {setting_in_words(name, value)}" for name, value in changed.items())
        + ". Unlabelled texts are not used.",
    ]
    if run.is_over and not is_current(store(), run):
        reported.append("Texts or labels have changed since then. Start again for new figures.")
    elif used.id != version.id:
        reported.append(f"The newest rules are v{version.number}. Start again for new figures.")
    html(f'<div class="re2-muted">{escape(" ".join(reported))}</div>')


def _draw_sizes(
    project: ProjectRecord,
    version: RuleVersion,
    corpus: Corpus,
    chosen: ChosenSettings | None,
) -> None:
    """How many numbers training may set, for each network of the family."""
    network = NetworkConfig() if chosen is None else chosen.network
    found = _sizes(version, project.tokenization, corpus.texts, corpus.labels, network)
    html(
        '<div class="re2-series re2-sizes">'
        + html_table(
            ["Network", "parameters", "trainable"],
            [[escape(size.name), f"{size.parameters:,}", f"{size.free:,}"] for size in found],
            numbers=(1, 2),
        )
        + "</div>"
    )
    html(
        '<div class="re2-muted">Parameters of each network for these rules and settings; nothing is trained. '
        "Block-diagonal networks keep weights between different rules at zero. Choose a network under All "
        "settings, Variants.</div>"
    )


@st.cache_data(show_spinner="Counting parameters", max_entries=8)
def _sizes(
    version: RuleVersion,
    tokenization: Tokenization,
    texts: Sequence[str],
    labels: Sequence[str],
    network: NetworkConfig,
) -> tuple[ParameterCount, ...]:
    return parameter_counts(system_of(version, tokenization), texts, labels, network)
