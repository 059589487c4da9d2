"""The run at work or ended: its curve, how long it takes, and what can be done about it. Asked anew each
second."""

from __future__ import annotations

import streamlit as st

from pages._shared.catalog import COMPARE, LABEL, RULES, TEAM
from pages._shared.components.cancelling import draw_cancel
from pages._shared.components.model_files import draw_model_files
from pages._shared.components.more_texts import more_texts_page
from pages._shared.drawing import messages
from pages._shared.drawing.appearance import dark
from pages._shared.drawing.markup import draw_details, draw_points, escape, figures, html
from pages._shared.drawing.measures import measure_of
from pages._shared.resources import store
from pages._shared.session import access, state
from pages._shared.session.fragments import fragment
from pages._train.settings import OBJECTIVE_KEY
from re2nn_core.plots.curves import training_curve
from re2nn_core.services.fine_tuning.classification.linear_layer import fits_layer
from re2nn_core.services.fine_tuning.classification.word_weights import LARGEST_WEIGHTS, words_by_label
from re2nn_core.services.fine_tuning.dev_figures import IN_WORDS, PROVE_LITTLE, dev_of, rules_miss_nothing
from re2nn_core.services.fine_tuning.objective import OBJECTIVES
from re2nn_core.services.fine_tuning.reports import learns_spans
from re2nn_core.services.fine_tuning.run_figures import chosen_behind, interval_count, measured_texts
from re2nn_core.services.fine_tuning.run_material import policy_sentence
from re2nn_core.services.fine_tuning.runs import (
    Watched,
    can_resume_run,
    changed_nothing,
    changed_run_settings,
    keeps_rules_and_layer,
    number_of,
    resume_run,
    run_state_in_words,
    settings_of_run,
    watch,
)
from re2nn_core.services.fine_tuning.slot_filling.runs import can_learn_separately
from re2nn_core.services.fine_tuning.slot_filling.split import may_have_layer
from re2nn_core.services.prediction.precision import share_interval
from re2nn_core.services.projects.stored_projects import get_project, get_version
from re2nn_core.services.team.review import count_disagreements
from re2nn_core.services.values.networks import TaggerConfig
from re2nn_core.services.values.stored import RunRecord, RunState
from re2nn_core.text.counting import counted

_ICONS = {
    "queued": "⏳",
    "running": "▶",
    "done": "✓",
    "failed": "✗",
    "cancelled": "■",
    "lost": "?",
}
CHOSEN = "train_run"
_INTERVAL = "95% interval: where the figure lies on other texts of this kind, by these texts"
_ALIKE = 0.0005  # figures nearer to each other count as one


def draw_run(run: RunRecord, drawn_as: RunState, better: str = "") -> None:
    """The run's panel. While it is at work the panel looks again each second. `drawn_as`: the state that the rest of
    the page was drawn for; where the run is in another one by now, the whole page is drawn anew. `better`: which other
    run is better, in words."""
    every = None if run.is_over else 1.0
    fragment(run_every=every)(_panel)(run.id, drawn_as, better)


def _panel(run_id: int, drawn_as: RunState, better: str) -> None:
    with messages.guard("Loading the training run"):
        found = watch(store(), run_id)
        if found.run.state != drawn_as:
            st.rerun()
        _head(found, better)
        if len(found.epochs) > 1 or (found.epochs and not found.run.is_over):
            _curve(found)
            if reported := _difference_in_words(found):
                st.caption(reported)
        elif found.run.state == "running":
            own = measure_of(found.run).name or "accuracy"
            st.caption(f"Preparing texts and word vectors. The curve begins with the {own} of the rules.")
        _buttons(found)
        if found.run.state == "done":
            draw_files(found.run)


def _head(found: Watched, better: str) -> None:
    run = found.run
    words = run_state_in_words(run, goes_on=_goes_on(run))
    html(
        f'<div class="re2-state"><b>{_ICONS[run.state]} Run {number_of(store(), run)}</b> {escape(words)} '
        f'<span class="re2-muted">{escape(_settings_in_words(run))}</span></div>'
    )
    if run.state == "done":
        draw_next(run)
    if run.state == "running" and run.total:
        most = None if found.remaining is None else found.remaining.in_words("at most")  # it may end early
        left = "" if most is None else f" · {most}{_then(run)}"
        shown = f"epoch {run.step} of at most {run.total}" if found.counts_epochs else run.message
        st.progress(min(1.0, run.step / run.total), text=f"{shown}{left}")
    if run.state == "failed":
        st.error(messages.plain(words).replace("\n", "  \n"), icon=":material/error:")
    if found.epochs and found.best is not None:
        shown = _figures(found)
        html(figures(shown, {name: _INTERVAL for _, name, _ in shown if name.startswith("(")}))
        if better:
            html(f"<div>{escape(better)}</div>")
        if (name := found.dev_name) in IN_WORDS:
            html(f'<div class="re2-muted">{name}: {IN_WORDS[name]}.</div>')
    plan = (run.result or {}).get("recipe")
    if plan:
        draw_points("Training plan", f"{plan} {policy_sentence(run)}")
    if strongest := (run.result or {}).get("strongest_words"):
        draw_details(LARGEST_WEIGHTS, words_by_label(strongest))
    for reported in (run.result or {}).get("notes", ()):
        st.caption(f":material/info: {messages.plain(reported)}")


def _then(run: RunRecord) -> str:
    """What comes behind the epochs, whose time alone is known."""
    network, train = settings_of_run(run)
    if isinstance(network, TaggerConfig):
        layer = may_have_layer(network)
    else:
        layer = fits_layer(network, train)
    return ", then a linear layer" if layer else ""


def _settings_in_words(run: RunRecord) -> str:
    """What tells a run from others: its rules, word vectors, and what is set otherwise than by default."""
    changed = changed_run_settings(run)
    vectors = (run.result or {}).get("vectors")
    named = (
        [] if not vectors or any(one.startswith("Word vectors:") for one in changed) else [f"Word vectors: {vectors}"]
    )
    rules = [] if run.rule_version_id is None else [f"Rules v{get_version(store(), run.rule_version_id).number}"]
    return " · ".join([*rules, *named, *changed])


def draw_next(run: RunRecord) -> None:
    """What to do with a trained network: read it back as rules, let it predict, or label more texts."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if changed_nothing(run):
            _draw_next_after_nothing(run)
            return
        st.page_link(COMPARE.file, label="Compare with the rules", icon=COMPARE.icon)
        key = f"run:{run.id}"
        model = state.current_model(get_project(store(), run.project_id))
        if model.key == key:
            html('<span class="re2-muted">Predict and Label use this model.</span>')
        elif st.button(
            f"Use this model (now: {_short(model)})",
            key="train_answers",
            icon=":material/play_circle:",
            help="Predict and Label then show the predictions of this network.",
        ):
            state.choose_model(key)
            st.rerun()


def _short(model: state.ModelChoice) -> str:
    return model.title if model.run is None else f"run {number_of(store(), model.run)}"


def draw_files(run: RunRecord) -> None:
    """The model as files; nothing of a training that changed nothing."""
    if not changed_nothing(run):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            draw_model_files(run)


def _draw_next_after_nothing(run: RunRecord) -> None:
    if access.why_not("reviewer") is None and (differ := count_disagreements(store(), run.project_id)):
        texts = counted(differ, "text")
        st.page_link(TEAM.file, label=f"Annotators disagree on {texts}: review them", icon=TEAM.icon)
    if not learns_spans(run):
        _draw_more_texts(run, "Label more texts")
        return
    if can_learn_separately(run):
        st.button(
            "Train for highest accuracy",
            key="train_beside",
            icon=":material/trending_up:",
            help="Selects this objective on the left. Then start training.",
            on_click=_choose_accuracy,
        )
    else:
        _draw_more_texts(run, "Annotate more texts")
    # Marked texts may tell better rules all the same.
    st.page_link(COMPARE.file, label="Search for better rules anyway", icon=COMPARE.icon)


def _draw_more_texts(run: RunRecord, label: str) -> None:
    """The way to texts without a label or spans; where none are left, to the rules that miss texts, or to new texts."""
    page, title = more_texts_page(run.project_id), label
    if page is not LABEL:
        missed = not rules_miss_nothing(run.result or {})
        page, title = (RULES, "Write rules for missed texts") if missed else (page, "Add texts")
    st.page_link(page.file, label=title, icon=page.icon)


def _choose_accuracy() -> None:
    st.session_state[OBJECTIVE_KEY] = OBJECTIVES[1]
    messages.remember("Highest accuracy is selected. Start training on the left.")


def _goes_on(run: RunRecord) -> bool:
    return run.is_over and run.state != "done" and can_resume_run(store(), run)


def _figures(found: Watched) -> list[tuple[str, str, str]]:
    best, measure = found.best, measure_of(found.run)
    dev, last = found.epoch_dev, found.dev_name
    with_layer = keeps_rules_and_layer(found.run)
    begun, _ = dev_of(found.run.result or {}) if with_layer or last != dev else (None, None)
    if with_layer and begun is not None:
        dev = last  # a layer may be measured on other texts than the curve
    zero = begun if begun is not None and last == dev else found.epochs[0].dev
    measured = _of_texts(found.run, dev)
    rules = _within(found.run, dev, zero, f"{measured}, rules", untrained=True)
    shown = [(measure.shown(zero), rules, "")] if found.has_dev else []
    result = found.run.result or {}
    if found.has_dev and best is not None and (best.epoch > 0 or with_layer):
        which = "best" if best.dev >= max(epoch.dev for epoch in found.epochs) else "kept"
        other = _kept_otherwise(found)
        kept = _kept(found.run) if with_layer else f"{_kept(found.run) if other else which} (epoch {best.epoch})"
        # Of other texts than the curve, the figure is that of no epoch.
        name = f"{dev}, {kept}" if last == dev else _of_texts(found.run, last)
        reported = result.get("dev")
        reached = reported if isinstance(reported, float) else best.dev
        begun = zero if last == dev else begun
        name = _within(found.run, last, reached, name)
        shown.append((measure.shown(reached), name, "" if begun is None else measure.gain(reached - begun)))
    test, before = result.get("test"), (result.get("zero_shot") or {}).get("test")
    tested = _of_texts(found.run, "test")
    if isinstance(test, float) and changed_nothing(found.run):
        shown.append((measure.shown(test), _within(found.run, "test", test, f"{tested}, rules"), ""))
    elif isinstance(test, float):
        gain = measure.gain(test - before) if isinstance(before, float) else ""
        shown.append((measure.shown(test), _within(found.run, "test", test, tested), gain))
    return shown


def _within(run: RunRecord, name: str, share: float, where: str, *, untrained: bool = False) -> str:
    """The name of a figure, behind the interval in which it lies on other texts, where it is of texts that were not
    learned from."""
    measure, count = measure_of(run), interval_count(run, name, untrained=untrained)
    if not count or name in PROVE_LITTLE:
        return measure.on(where)
    return f"({measure.interval(*share_interval(share * count, count))}) {measure.on(where)}"


def _of_texts(run: RunRecord, name: str) -> str:
    """The name of a figure with how many texts it is measured on, where the run noted that."""
    texts = measured_texts(run, name)
    return f"{name}, {counted(texts, 'text')}" if texts else name


def _kept_otherwise(found: Watched) -> float | None:
    """The kept network's dev figure, where it is another than its epoch's in the curve."""
    reported, best = (found.run.result or {}).get("dev"), found.best
    other = isinstance(reported, float) and best is not None and not changed_nothing(found.run)
    return reported if other and abs(reported - best.dev) > _ALIKE else None


def _kept(run: RunRecord) -> str:
    """What is kept where that is not the network of an epoch alone."""
    result = run.result or {}
    return "with the linear layer" if result.get("linear_weight") and result.get("epochs", 1) else "trained network"


def _difference_in_words(found: Watched) -> str:
    """Why the kept network's dev figure is another than its epoch's in the curve; empty where it is not."""
    reported = _kept_otherwise(found)
    return "" if reported is None else f"{measure_of(found.run).shown(reported)} {chosen_behind(found.run)}"


def _curve(found: Watched) -> None:
    reported = _kept_otherwise(found)
    # A line across, where it is measured on the texts of the curve.
    level = None if reported is None or found.epoch_dev != found.dev_name else (_kept(found.run), reported)
    best = None if found.best is None else found.epochs.index(found.best)
    if changed_nothing(found.run):
        best = 0
    if keeps_rules_and_layer(found.run):
        best = None  # the curve is of the network without the layer
    measured, dev = measure_of(found.run).name, found.epoch_dev
    total = found.run.total if found.counts_epochs else 0
    names = {"measured": measured, "dev": dev}
    st.plotly_chart(
        training_curve(found.epochs, best=best, total=total, dark=dark(), height=380, kept=level, **names),
        key=f"train_curve_{found.run.id}",
        config={"displayModeBar": False},
        alt=f"{measured or 'Accuracy'} by epoch, train and {dev}, with the figure of the rules as a line",
    )


def _buttons(found: Watched) -> None:
    run, why = found.run, access.why_not("reviewer")
    if not run.is_over and not run.cancel_requested:
        draw_cancel("Cancel training", "train_cancel", run)
    elif _goes_on(run):
        epoch = max((epoch.epoch for epoch in found.epochs), default=0)
        message = f"Resume from epoch {epoch}" if found.counts_epochs else "Resume training"
        if st.button(message, key="train_go_on", icon=":material/resume:", disabled=why is not None, help=why):
            with messages.guard("Resuming the training") as outcome:
                new = resume_run(store(), run, person=state.person())
            if outcome.ok:
                st.session_state[CHOSEN] = new.id
                st.rerun()
