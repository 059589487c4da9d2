"""The body of the page: what there is to learn from and the start, the chosen run, all runs, and views of the run.

What differs between labels and slots is a Subject (classification.py, slot_filling/subject.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import streamlit as st

from pages._shared.cached.models import material_of_project
from pages._shared.catalog import LABEL
from pages._shared.components.guide import learn_more
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.drawing.markup import draw_points, escape, html
from pages._shared.drawing.measures import Measure
from pages._shared.resources import store
from pages._shared.session import state
from pages._train.edited import draw_edited
from pages._train.live import draw_run
from pages._train.material import STYLE, draw_waiting
from pages._train.runs_table import better_in_words, draw_runs, time_taken
from pages._train.settings import begin_objective, chosen_objective
from pages._train.start import choose_view, chosen_run, draw_button, start_run
from re2nn_core.services.fine_tuning.classification.examples import LabelledExamples
from re2nn_core.services.fine_tuning.manual_overrides import ChosenSettings
from re2nn_core.services.fine_tuning.run_edits import edit_of
from re2nn_core.services.fine_tuning.runs import RunSummary, run_rows
from re2nn_core.services.fine_tuning.slot_filling.examples import SlotExamples
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord
from re2nn_core.text.counting import counted

Found = TypeVar("Found", LabelledExamples, SlotExamples)


@dataclass(frozen=True)
class Subject(Generic[Found]):
    """What a network learns.

    examples       what there is to learn from, and the labels or slots of the rules
    usual          the settings before any are drawn
    warnings       what may spoil the training
    plan           what is trained on how many texts, in a sentence
    recipe         the plan with every setting, and why
    label_more     what is advised where there are too few examples
    draw_instead   what can be learned with too few; told whether another run is at work
    draw_more      what follows the start; told the settings, None where they do not go together
    """

    examples: Callable[[ProjectRecord, RuleVersion], tuple[Found, Sequence[str]]]
    usual: Callable[[Found], ChosenSettings]
    draw_settings: Callable[[Found], ChosenSettings]
    draw_counts: Callable[[Found, ChosenSettings], None]
    draw_table: Callable[[Found, Palette], None]
    warnings: Callable[[Found, ChosenSettings], Sequence[str]]
    plan: Callable[[Found, ChosenSettings], str]
    recipe: Callable[[Found, ChosenSettings], str]
    label_more: str
    measure: Measure
    views: Mapping[str, Callable[[ProjectRecord, RunRecord], None]]
    views_key: str
    style: str = ""
    draw_instead: Callable[[ProjectRecord, RuleVersion, Found, bool], None] = lambda *_: None
    draw_more: Callable[[ProjectRecord, RuleVersion, ChosenSettings | None], None] = lambda *_: None


def draw_subject(subject: Subject[Found], project: ProjectRecord) -> None:
    """Everything below the bar."""
    st.html(STYLE + subject.style)
    version = state.current_version(project)
    with messages.guard("Loading the runs"):
        rows = run_rows(store(), project.id)
        left, right = st.columns([10, 13], gap="medium")
        chosen = None
        with left, messages.guard("Loading the training data"):
            chosen = _draw_start(subject, project, version, rows)
        if not rows:
            with right:
                shown = f"the plot shows the {subject.measure.name or 'accuracy'} of the network and of the rules."
                start = f"Start training on the left. Your rules are not changed; {shown}"
                messages.empty("No training run yet.", "" if chosen is None else start)
            subject.draw_more(project, version, chosen)
            st.stop()
        run = chosen_run([row.id for row in rows])
        row = next(row for row in rows if row.id == run.id)
        edit = edit_of(run)
        with right:
            if edit is None:
                draw_run(run, row.state, better_in_words(row, rows, subject.measure))
            else:
                draw_edited(run, edit)
        subject.draw_more(project, version, chosen)
        st.subheader("Runs", anchor=False)
        draw_runs(rows, run.id, measure=subject.measure)
        if run.state == "done":
            subject.views[choose_view(row.number, list(subject.views), subject.views_key)](project, run)


def training_in_words(texts: int, epochs: int, then: str = "", *, held: int = 0) -> str:
    """The network of the rules that is trained, for so many epochs at most; `then`: what follows it. `held`: how many
    texts, every fifth, are held out."""
    most = f"{'at most ' if epochs > 1 else ''}{counted(epochs, 'epoch')}"
    passes = "pass" if epochs == 1 else "passes"
    apart = f" ({held:,} more, every fifth, are held-out)" if held else ""
    return (
        f"The network of your rules is trained on {counted(texts, 'text')}{apart} for {most} ({passes} over all texts)"
        f"{then}."
    )


def _draw_start(
    subject: Subject[Found], project: ProjectRecord, version: RuleVersion, rows: Sequence[RunSummary]
) -> ChosenSettings | None:
    """How many examples, the button that starts, then the examples by label or slot and the settings; the settings, if
    one could start with them."""
    busy = any(row.state in ("queued", "running") for row in rows)
    seconds = next((row.seconds for row in rows if row.seconds and row.state == "done"), None)
    took = "" if seconds is None else f" The last run took {time_taken(seconds)}."
    st.subheader("Training data", anchor=False)
    examples, names = subject.examples(project, version)
    counts = st.container()
    draw_waiting(material_of_project(project))
    start = st.container()
    subject.draw_table(examples, palette_of(project.id, names))
    warnings, chosen, readable = st.container(), subject.usual(examples), False
    if examples.missing is None:
        begin_objective(project.id)
        with messages.guard("Checking the settings"):
            chosen, readable = subject.draw_settings(examples), True
    with counts:
        subject.draw_counts(examples, chosen)
    with warnings:
        for warning in subject.warnings(examples, chosen):
            html(f'<div class="re2-warn">{escape(warning)}</div>')
    with start:
        if examples.missing is not None:
            st.warning(messages.plain(examples.missing), icon=":material/warning:")
            st.page_link(LABEL.file, label=subject.label_more, icon=LABEL.icon)
            subject.draw_instead(project, version, examples, busy)
            return None
        device, asked = draw_button(version, busy)
        if not readable:
            return None
        html(f"<div>{escape(subject.plan(examples, chosen))} Your rules are not changed.{took}</div>")
        draw_points("Training plan", subject.recipe(examples, chosen))
        learn_more("training", "How training is done")
    chosen = replace(chosen, train=replace(chosen.train, device=device))
    if asked:
        start_run(
            project,
            version,
            chosen.network,
            chosen.train,
            objective=chosen_objective(),
            manual_overrides=chosen.manual_overrides,
        )
    return chosen
