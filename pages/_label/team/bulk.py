"""Many at once: what a rule or a label decides among the open texts, a sample of it, and all of it accepted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

import streamlit as st

from pages._label.one_text import draw_said
from pages._label.team.desk import TeamDesk
from pages._label.team.keys import draw_undo
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import MarkedText, text_list
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.errors import Re2nnError
from re2nn_core.services.annotation.bulk_accept import BulkHits, accept_hits, label_hits, terms_of
from re2nn_core.services.annotation.classification import Answers
from re2nn_core.services.explanation.classification.reasons import reasons_for
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.rule_writing.classification.rule_coverage import matched_words
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted

_RULE, _LABEL = "by a rule", "by a label"


def draw_bulk(team: TeamDesk, project: ProjectRecord, answered: Predictions, palette: Palette) -> None:
    """All of it."""

    def find(rule: str | None, label: str | None) -> BulkHits:
        return label_hits(store(), project.id, state.person(), answered, rule=rule, label=label)

    def sample(places: Sequence[int], rule: str | None) -> None:
        text_list([_row(answered, place, rule, palette) for place in places])

    draw_choice(team, answered, answered.system.rule_names, answered.labels, "label", palette, find, sample)


def draw_choice(
    team: TeamDesk,
    answered: Answers,
    rules: Sequence[str],
    labels: Sequence[str],
    what: str,
    palette: Palette,
    find: Callable[[str | None, str | None], BulkHits],
    sample: Callable[[Sequence[int], str | None], None],
) -> None:
    """Choose a rule or a label (`what`: how that is called), look at what it hits, accept."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        kinds = [_RULE, _LABEL.replace("label", what)]
        kind = st.segmented_control(
            "Choose", kinds, default=_RULE, required=True, key="bulk_kind", label_visibility="collapsed",
            persist_state="session",
        )  # fmt: skip
        by_rule = kind == _RULE
        name = st.selectbox(
            "Rule" if by_rule else what.capitalize(), list(rules if by_rule else labels),
            key=f"bulk_name_{by_rule}", label_visibility="collapsed", width=320,
        )  # fmt: skip
    if name is None:
        html('<div class="re2-empty re2-muted">There is nothing to choose from: the rules are empty.</div>')
        return
    with messages.guard("Looking for the texts") as outcome:
        hits = find(name if by_rule else None, None if by_rule else name)
    if not outcome.ok:
        return
    drawn = st.session_state.setdefault("_bulk_seed", 0)
    _head(hits, palette, what)
    if hits.places:
        sample(hits.sample(drawn), name if by_rule else None)
    terms = terms_of(store(), team.project_id, state.person(), hits)
    if hits and terms.told:
        html(f'<div class="re2-warn">{escape(" ".join(terms.told))}</div>')
    # Another choice, or other texts of it, is asked for anew.
    sure = not terms.bold or st.checkbox(terms.bold, key=f"bulk_sure_{by_rule}_{name}_{len(hits)}")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(
            f"Accept {'this answer' if len(hits) == 1 else f'all {len(hits):,} answers'}" if hits else "Accept",
            key="bulk_accept", type="primary", disabled=not (hits and sure), on_click=_accept,
            args=(team, hits, answered),
        )  # fmt: skip
        st.button("Another sample", key="bulk_again", on_click=_again, disabled=len(hits) <= len(hits.sample()))
        draw_undo(team)
        draw_said(team.desk)


def _head(hits: BulkHits, palette: Palette, what: str) -> None:
    """How many there are, and what they get."""
    rest = ""
    if hits.others:
        stay = "stays" if hits.others == 1 else "stay"
        rest = f" {hits.others:,} more with another answer, or another label in the data, {stay} in the queue."
    if not hits.places:
        html(
            '<div class="re2-empty re2-muted">No open text of the queue gets its answer from this. Choose another '
            f"one.{rest}</div>"
        )
        return
    several = len(hits.answers) > 1 or what == "slot"
    answers = " ".join(f"{palette.chip(label)} {f'{count:,}' if several else ''}" for label, count in hits.answers)
    many = f"{len(hits):,} open text{'' if len(hits) == 1 else 's'}"
    shown = len(hits.sample())
    some = "all of them" if shown == len(hits) else f"{shown} of them, drawn at random"
    html(
        f'<div style="margin:.2rem 0"><b>{many}</b> {answers}<span class="re2-muted">Below: {some}.{rest}</span></div>'
    )


def _row(answered: Predictions, place: int, rule: str | None, palette: Palette) -> MarkedText:
    answer = answered.answer(place)
    if rule is None:
        marks = reasons_for(answered, place).marks
    else:
        tree = next(one.expanded for one in answered.system.ruleset.rules if one.name == rule)
        marks = matched_words(tree, [answered.texts[place]], answered.system.tokenization)[0]
    return MarkedText(answered.texts[place], marks, palette.chip(answer), palette.colour(answer or ""))


def _again() -> None:
    st.session_state["_bulk_seed"] = st.session_state.get("_bulk_seed", 0) + 1


def _accept(team: TeamDesk, hits: BulkHits, answered: Answers) -> None:
    desk = team.desk
    try:
        count = accept_hits(store(), state.person(), hits, answered)
    except Re2nnError as fault:
        desk.fault = fault
        return
    team.given.append((monotonic(), count))
    team.changed = monotonic()
    left = len(hits) - count
    rest = f" {counted(left, 'text was', 'texts were')} judged or taken by others meanwhile." if left else ""
    again = "it" if count == 1 else "all of them"
    desk.said = f"{counted(count, 'answer was', 'answers were')} saved; U takes {again} back.{rest}"
