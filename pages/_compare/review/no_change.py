"""What stands in the place of the review where a network, read back, changes no rule: what helps, and the texts that
the network predicts correctly and the rules do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import streamlit as st

from pages._shared.cached.models import predictions_for_project, records_of
from pages._shared.cached.taggers import slot_predictions_for_project
from pages._shared.catalog import LABEL, PROJECTS, RULES, TRAIN
from pages._shared.drawing.labels import NO_PREDICTION, palette_of
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import MarkedText, text_list
from pages._shared.resources import store
from re2nn_core.services.fine_tuning.stored_runs import version_of_run
from re2nn_core.services.rule_reconstruction.not_reconstructed import NO_CHANGE
from re2nn_core.services.values.stored import ProjectRecord, RunRecord, TextRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import write_spans

_SHOWN = 8
_NO_CHANGE = f"<div><b>{escape(NO_CHANGE)}</b> What helps:</div>"
_TELLING = {"test": 0, "dev": 1}  # texts of other splits, from which the network has learned, stand behind them


@dataclass(frozen=True)
class NetworkText:
    """A text that the network alone predicts correctly; `unseen`: no training had to do with it."""

    shown: MarkedText
    unseen: bool


def draw_no_change(texts: Sequence[NetworkText], records: Sequence[TextRecord]) -> None:
    """The empty review. `texts`: those that the network alone predicts correctly."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        html(_NO_CHANGE)
        draw_what_helps(records)
    if not texts:
        return
    html(
        f'<div class="re2-lead">The network predicts {_counted(texts)} correctly that your rules do not. '
        "It weighs many words together for that; a rule for them is yours to write.</div>"
    )
    text_list([text.shown for text in texts[:_SHOWN]])
    if len(texts) > _SHOWN:
        html(f'<div class="re2-muted">and {len(texts) - _SHOWN:,} more</div>')


def _counted(texts: Sequence[NetworkText]) -> str:
    """How many texts, those apart from which the network was trained."""
    unseen = sum(text.unseen for text in texts)
    known = len(texts) - unseen
    if not known:
        return counted(unseen, "test text")
    trained = f"{counted(known, 'text')} that it was trained with"
    return f"{counted(unseen, 'test text')} and {trained}" if unseen else trained


def draw_what_helps(records: Sequence[TextRecord]) -> None:
    """Links to what leads further where nothing is gained."""
    if any(record.label is None for record in records):
        st.page_link(LABEL.file, label="label more texts", icon=LABEL.icon)
    else:
        st.page_link(PROJECTS.file, label="add texts", icon=PROJECTS.icon)
    st.page_link(RULES.file, label="write rules", icon=RULES.icon)
    st.page_link(TRAIN.file, label="train again", icon=TRAIN.icon)


def labels_of_network_alone(project: ProjectRecord, run: RunRecord) -> list[NetworkText]:
    """The texts whose label the network predicts and the rules do not, those of test first."""
    predicted, records = predictions_for_project(project, version_of_run(store(), run), run), records_of(project)
    palette = palette_of(project.id, predicted.labels)
    found = []
    for place in _annotated(records):
        label, by_rules = records[place].label, predicted.rules_prediction(place)
        if predicted.prediction(place) == label != by_rules:
            meta = (
                f'<span class="re2-muted">rules</span> {palette.chip(by_rules, missing=NO_PREDICTION)} '
                f'<span class="re2-muted">network</span> {palette.chip(label)} {_split(records[place])}'
            )
            found.append(NetworkText(MarkedText(records[place].text, meta=meta), _unseen(records[place])))
    return found


def spans_of_network_alone(project: ProjectRecord, run: RunRecord) -> list[NetworkText]:
    """The texts whose spans the network predicts and the rules do not, with these spans, those of test first."""
    predicted, records = slot_predictions_for_project(project, version_of_run(store(), run), run), records_of(project)
    found = []
    for place in _annotated(records):
        if predicted.prediction(place) == records[place].label != write_spans(predicted.by_rules[place]):
            marks = tuple((span.start, span.end, "hit") for span in predicted.spans[place])
            shown = MarkedText(records[place].text, marks, _split(records[place]))
            found.append(NetworkText(shown, _unseen(records[place])))
    return found


def _annotated(records: Sequence[TextRecord]) -> Iterator[int]:
    """Where annotated texts stand, those first from which nothing was learned."""
    places = (place for place, record in enumerate(records) if record.label is not None)
    return iter(sorted(places, key=lambda place: _TELLING.get(records[place].split or "", len(_TELLING))))


def _unseen(record: TextRecord) -> bool:
    return record.split == "test"


def _split(record: TextRecord) -> str:
    return f'<span class="re2-muted">{escape(record.split or "train")}</span>'
