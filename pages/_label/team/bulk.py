"""Many at once: what a rule or a label decides among the open texts, a sample of it, and all of it accepted."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages._label.actions import draw_message
from pages._label.parts import LabelParts
from pages._label.team.keys import undo_team
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import state
from pages._shared.session.acting import acting
from re2nn_core.services.annotation.bulk_accept import BulkMatches, terms_of
from re2nn_core.services.annotation.team_annotation import TeamQueueState, accept_bulk_matches
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted

_RULE, _LABEL = "by a rule", "by a label"


def draw_bulk(
    parts: LabelParts[Any], team: TeamQueueState, project: ProjectRecord, predicted: Any, palette: Palette
) -> None:
    """Choose a rule or a label, look at what it decides, accept."""
    what = parts.wording.noun
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        kinds = [_RULE, _LABEL.replace("label", what)]
        kind = st.segmented_control(
            'Choose', kinds, default=_RULE, required=True, key="bulk_kind", label_visibility="collapsed",
            persist_state="session",
        )  # fmt: skip
        by_rule = kind == _RULE
        name = st.selectbox(
            "Rule" if by_rule else what.capitalize(), list((parts.rule_names if by_rule else parts.names)(predicted)),
            key=f"bulk_name_{by_rule}", label_visibility="collapsed", width=320,
        )  # fmt: skip
    if name is None:
        html('<div class="re2-empty re2-muted">There are no rules to choose from.</div>')
        return
    with messages.guard("Searching for texts") as outcome:
        rule, label = (name, None) if by_rule else (None, name)
        matches = parts.matches(store(), project.id, state.person(), predicted, rule=rule, label=label)
    if not outcome.ok:
        return
    drawn = st.session_state.setdefault("_bulk_seed", 0)
    _head(matches, palette, what)
    if matches.places:
        parts.draw_sample(predicted, matches.sample(drawn), rule, palette)
    terms = terms_of(store(), team.project_id, state.person(), matches)
    if matches and terms.sentences:
        html(f'<div class="re2-warn">{escape(" ".join(terms.sentences))}</div>')
    # Another choice, or other texts of it, is asked for anew.
    sure = not terms.bold or st.checkbox(terms.bold, key=f"bulk_sure_{by_rule}_{name}_{len(matches)}")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(
            f"Accept {counted(len(matches), 'prediction')}" if matches else "Accept predictions",
            key="bulk_accept", type="primary", disabled=not (matches and sure), on_click=acting(accept_bulk_matches),
            args=(team, matches, predicted),
        )  # fmt: skip
        st.button(
            "Show another sample", key="bulk_again", on_click=_again, disabled=len(matches) <= len(matches.sample())
        )
        undo_team(team).draw()
        draw_message(team.queue)


def _head(matches: BulkMatches, palette: Palette, what: str) -> None:
    """How many there are, and what they get."""
    rest = ""
    if matches.others:
        stay = "stays" if matches.others == 1 else "stay"
        rest = f" {matches.others:,} more with another prediction or another imported label {stay} in the queue."
    if not matches.places:
        html(
            '<div class="re2-empty re2-muted">No open text of the queue has this prediction. Choose another '
            f"one.{rest}</div>"
        )
        return
    several = len(matches.predictions) > 1 or what == "slot"
    predictions = " ".join(
        f"{palette.chip(label)} {f'{count:,}' if several else ''}" for label, count in matches.predictions
    )
    many = f"{len(matches):,} open text{'' if len(matches) == 1 else 's'}"
    shown = len(matches.sample())
    some = "all of them" if shown == len(matches) else f"{shown} of them, at random"
    html(
        f'<div style="margin:.2rem 0"><b>{many}</b> {predictions}<span '
        f'class="re2-muted">Below: {some}.{rest}</span></div>'
    )


def _again() -> None:
    st.session_state["_bulk_seed"] = st.session_state.get("_bulk_seed", 0) + 1
