"""The body of the page: the texts that were chosen, their predictions, and what can be done with these.

What differs between labels and slots is a Subject (classification.py, slot_filling/subject.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

import streamlit as st

from pages._predict.actions import Exporting, draw_actions
from pages._predict.explained import wants_explanation
from pages._predict.filters import Integers
from pages._predict.rules_of_model import Written, draw_which_rules, rules_of_model
from pages._predict.sources import Given, Gold, Reading, choose_texts
from pages._shared.cached.models import all_records_of
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.session import state
from pages._shared.session.fragments import fragment
from re2nn_core.services.fine_tuning.run_comparison import Learned, learned_texts
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord

Found = TypeVar("Found", Predictions, SpanPredictions)


@dataclass(frozen=True)
class Subject(Generic[Found, Gold]):
    """What texts are asked for.

    written         the rules and logic that the network of a run was trained from
    names           the labels or slots that have a colour
    draw_figures    told what the network has learned from
    draw_rows       gives the place of the chosen text, None where there are none
    explain         one text, by rules and the model that is chosen
    widths          of the texts, and of the reasons beside them
    """

    reading: Reading[Gold]
    for_project: Callable[[ProjectRecord, RuleVersion, RunRecord | None], Found]
    for_texts: Callable[[Sequence[str], ProjectRecord, RuleVersion, RunRecord | None], Found]
    written: Written
    names: Callable[[Found], Sequence[str]]
    draw_figures: Callable[[Found, Given[Gold], Learned], None]
    choose_rows: Callable[[Found, Given[Gold]], Integers]
    draw_rows: Callable[[Found, Given[Gold], Integers, Palette], int | None]
    draw_reason: Callable[[Found, Given[Gold], int | None, Palette], None]
    explain: Callable[[ProjectRecord, RuleVersion, RunRecord | None, str, Palette], None]
    exporting: Exporting[Found, Gold]
    widths: tuple[int, int]


def draw_subject(subject: Subject[Found, Gold], project: ProjectRecord) -> None:
    """Everything below the bar."""
    found = _predictions(subject, project)
    if found is not None:
        _draw_predictions(subject, project, *found)


def _predictions(subject: Subject[Found, Gold], project: ProjectRecord) -> tuple[Found, Given[Gold]] | None:
    """The predictions of the model that stands in the bar and of its rules, and the texts; None where something went
    wrong, which is then shown. While no texts are chosen the page ends here."""
    model = state.current_model(project)
    with messages.guard("Loading the texts"):
        given = choose_texts(project, subject.reading)
        if given is None:
            st.caption(f"The model is chosen in the bar above. {subject.reading.files}")
            st.stop()
        with messages.guard("Predicting the texts"):
            version = rules_of_model(project, model.run, subject.written)
            if given.of_project:
                return subject.for_project(project, version, model.run), given
            return subject.for_texts(given.texts, project, version, model.run), given
    return None


@fragment()
def _draw_predictions(
    subject: Subject[Found, Gold], project: ProjectRecord, predicted: Found, given: Given[Gold]
) -> None:
    """Everything below the source; filters and clicks run this part alone."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Showing the predictions"):
        run, palette = state.current_model(project).run, palette_of(project.id, subject.names(predicted))
        version = rules_of_model(project, run, subject.written)
        subject.draw_figures(predicted, given, Learned() if run is None else _learned(project, run))
        draw_which_rules(project, run, version)
        places = subject.choose_rows(predicted, given)
        left, right = st.columns(subject.widths, gap="small")
        with left:
            chosen = subject.draw_rows(predicted, given, places, palette)
        with right:
            subject.draw_reason(predicted, given, chosen, palette)
        if wants_explanation() and chosen is not None:
            with st.container(border=True, key="predict_explanation"), messages.guard("Explaining the text"):
                subject.explain(project, version, run, predicted.texts[chosen], palette)
        draw_actions(project, predicted, given, places, subject.exporting)


def _learned(project: ProjectRecord, run: RunRecord) -> Learned:
    return _learned_of(str(run.folder), project.updated_at, project, run)


@st.cache_resource(show_spinner=False, max_entries=4)
def _learned_of(folder: str, changed: datetime, _project: ProjectRecord, _run: RunRecord) -> Learned:
    return learned_texts(_run, all_records_of(_project))
