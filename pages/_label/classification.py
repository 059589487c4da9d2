"""The parts of the page Label in a project with labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import numpy as np
import streamlit as st

from pages._label.one_text import draw_annotating, draw_text
from pages._label.parts import LabelParts, Table
from pages._label.session_states import queue_state_of
from pages._label.team.keys import flagged_actions, leased_actions
from pages._label.wording import LABELS
from pages._shared.cached.models import predictions_for_project
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import html
from pages._shared.drawing.tables import MarkedText, figures_of, label_column, text_list, worth_columns
from pages._shared.session import state
from pages._shared.session.acting import acting
from re2nn_core.services.annotation.annotation_queue import undo_last_label
from re2nn_core.services.annotation.bulk_accept import label_matches
from re2nn_core.services.annotation.classification import Order, proposed, why_in_queue, why_shown
from re2nn_core.services.annotation.team_annotation import (
    TeamQueueState,
    resolve_flagged_text,
    save_leased_text,
    undo_team_action,
)
from re2nn_core.services.explanation.classification.reasons import reasons_for
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.rule_writing.classification.rule_coverage import matched_words
from re2nn_core.services.values.stored import TextRecord

_LEAST = 0.9


def _proposed(record: TextRecord, predicted: Predictions) -> str | None:
    return proposed(record, predicted, record.position, state.person())


def _draw_leased(
    team: TeamQueueState, record: TextRecord, predicted: Predictions, palette: Palette, why: str, copies: int
) -> None:
    give, actions = partial(acting(save_leased_text), team, record), leased_actions(team, record, copies)
    offer = _proposed(record, predicted)
    draw_annotating(team.queue, record, predicted, palette, why, offer, give, actions, hidden=team.blind)


def _draw_flagged(
    team: TeamQueueState,
    record: TextRecord,
    predicted: Predictions,
    palette: Palette,
    why: str,
    others: tuple[int, ...],
) -> None:
    give, actions = partial(acting(resolve_flagged_text), team, record), flagged_actions(team, record, others)
    draw_annotating(team.queue, record, predicted, palette, why, _proposed(record, predicted), give, actions)


def _draw_sample(predicted: Predictions, places: Sequence[int], rule: str | None, palette: Palette) -> None:
    text_list([_row(predicted, place, rule, palette) for place in places])


def _row(predicted: Predictions, place: int, rule: str | None, palette: Palette) -> MarkedText:
    prediction = predicted.prediction(place)
    if rule is None:
        marks = reasons_for(predicted, place).marks
    else:
        tree = next(one.expanded for one in predicted.system.ruleset.rules if one.name == rule)
        marks = matched_words(tree, [predicted.texts[place]], predicted.system.tokenization)[0]
    return MarkedText(predicted.texts[place], marks, palette.chip(prediction), palette.colour(prediction or ""))


def _choose_rows(predicted: Predictions, places: list[int]) -> list[int]:
    """The places with the chosen prediction that is worth enough, the best first; at 0 those too that nobody
    measured."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        label = st.selectbox(
            "Prediction",
            [None, *predicted.labels],
            format_func=lambda name: name or "any prediction",
            key="label_list_answer",
            label_visibility="collapsed",
            width=220,
        )
        least = _choose_least(trained=predicted.trained)
        html('<span class="re2-muted">Tick the rows that are correct, or all at once in the header.</span>')
    wanted = None if label is None else predicted.labels.index(label)
    kept = [
        p
        for p in places
        if predicted.predictions[p] >= 0
        and (not least or round(float(predicted.certainty[p]), 2) >= least)  # NaN is not
        and wanted in (None, int(predicted.predictions[p]))
    ]
    return sorted(kept, key=lambda p: -float(np.nan_to_num(predicted.certainty[p])))


def _choose_least(*, trained: bool) -> float:
    """The least confidence of a network, or precision of rules, which is written in per cent."""
    if trained:
        return st.slider(
            "Minimum confidence", 0.0, 1.0, _LEAST, 0.01,
            key="label_list_least", format="confidence ≥ %.2f", label_visibility="collapsed", width=240,
        )  # fmt: skip
    percent = st.slider(
        "Minimum precision", 0, 100, round(100 * _LEAST),
        key="label_list_precise", format="precision ≥ %d%%", label_visibility="collapsed", width=240,
    )  # fmt: skip
    return percent / 100


def _table(predicted: Predictions, places: list[int], records: Sequence[TextRecord], palette: Palette) -> Table:
    columns: dict[str, list[Any]] = {
        "text": [predicted.texts[p] for p in places],
        "prediction": [[predicted.prediction(p)] for p in places],
        "confidence": [predicted.confidence_of(p) for p in places],
        "precision": [figures_of(predicted.precision_of(p)) for p in places],
        "why": [predicted.ground_in_words(p) for p in places],
    }
    if predicted.trained or not any(columns["precision"]):
        del columns["precision"]
    if not predicted.trained:
        del columns["confidence"]
    if any(records[p].label is not None for p in places):
        columns["label"] = [[] if records[p].label is None else [records[p].label] for p in places]
    config = {
        "text": st.column_config.TextColumn("Text", width="large"),
        "prediction": label_column("Prediction", palette, predicted.labels, width=190),
        **worth_columns(),
        "why": st.column_config.TextColumn("Rules", width="small"),
        "label": label_column("Imported label", palette, palette.labels, width="small"),
    }
    return columns, config


LABELLING: LabelParts[Predictions] = LabelParts(
    title="Labelling",
    wording=LABELS,
    predictions=predictions_for_project,
    names=lambda predicted: predicted.labels,
    rule_names=lambda predicted: predicted.system.rule_names,
    again=lambda _: (),
    note=lambda _: "",
    undo=lambda project_id: acting(undo_last_label)(queue_state_of(project_id)),
    undo_team=acting(undo_team_action),
    why=lambda predicted, record, order: why_shown(predicted, record.position, record, cast(Order, order)),
    why_in_queue=lambda predicted, record, person: why_in_queue(predicted, record.position, record, person),
    draw_text=draw_text,
    choose_rows=_choose_rows,
    no_rows=lambda predicted: (
        f"No prediction has that {'confidence' if predicted.trained else 'precision'}. Move the slider to the left."
    ),
    table=_table,
    draw_leased=_draw_leased,
    draw_flagged=_draw_flagged,
    matches=label_matches,
    draw_sample=_draw_sample,
    draw_scripts=lambda: None,
)
