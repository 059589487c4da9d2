"""The parts of the page Team in a project with labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages._shared.cached.models import answers_for_project
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape
from pages._shared.drawing.tables import MarkedText, text_list
from pages._team.parts import Machines, ReviewParts, ShownCase, TeamParts, Words
from re2nn_core.services.annotation.classification import DIGITS, choices
from re2nn_core.services.explanation.classification.reasons import reasons_for
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.team.annotations import Judged
from re2nn_core.services.team.raters import Matrix, Rater, label_machines, label_matrix, people_of
from re2nn_core.services.team.team_agreement import label_agreement_figures
from re2nn_core.services.team.team_progress import team_progress
from re2nn_core.services.values.stored import TextRecord

_WORDS = Words(
    noun="Label",
    nouns="Labels",
    same="Same answer",
    beyond="Cohen's kappa",
    measures=(
        ("percent", "Same answer"), ("cohen", "Cohen"), ("fleiss", "Fleiss"), ("alpha", "Alpha"), ("ac1", "AC1"),
    ),
    reading="Same answer: the share of pairs of people that say the same. The others take off what chance would give: "
    "1 is full agreement, 0 is chance. Cohen is for two people, Fleiss for equally many of each text; alpha "
    "(Krippendorff) and AC1 (Gwet) take gaps, and AC1 stays steady where one label is rare. Many trust labels "
    "from an alpha of 0.8 on, and from 0.67 on for tentative conclusions.",
)  # fmt: skip


def _matrix(judged: Judged, ids: Sequence[int], answered: Predictions, title: str) -> Matrix:
    places = range(len(ids))
    network = (title, list(map(answered.answer, places))) if answered.trained else None
    by_rules = list(map(answered.rules_answer, places))
    return label_matrix(people_of(judged) | label_machines(answered.system, ids, answered.fired, by_rules, network))


def _draw_differing(records: Sequence[TextRecord], matrix: Matrix, one: Rater, other: Rater, palette: Palette) -> None:
    def said(record: TextRecord, rater: Rater) -> str:
        answer = palette.chip(matrix.said[rater][record.id])
        return f'<span class="re2-muted">{escape(rater.title)}</span> {answer}'

    text_list([MarkedText(record.text, meta=f"{said(record, one)} {said(record, other)}") for record in records])


def _machines(answered: Predictions, title: str, place: int) -> Machines:
    fired = [name for name, told in zip(answered.system.rule_names, answered.fired[place], strict=True) if told]
    by_rules = answered.rules_answer(place)
    found = [("Rules", by_rules, ", ".join(fired) or ("default label" if by_rules else "no rule accepts it"))]
    if answered.trained:
        found.append((title, answered.answer(place), reasons_for(answered, place).certainty))
    return Machines(tuple(found), tuple(answered.system.logic.labels))


def _labels(machines: Machines, palette: Palette) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*machines.labels, *palette.labels]))


def _draw_labels(shown: ShownCase) -> None:
    text_id = shown.case.record.id
    with st.container(key="re2_grid"):  # as on the page Label, so that a label has one place on both
        for number, label in enumerate(shown.buttons, start=1):
            st.button(
                messages.plain(label),
                key=f"review_label_{number}_{text_id}",
                shortcut=str(number % DIGITS),
                on_click=shown.decide,
                args=(label,),
                disabled=not shown.may,
                width="stretch",
            )
    others = [label for label in _labels(shown.machines, shown.palette) if label not in shown.buttons]
    key = f"review_other_{text_id}"
    if others:
        st.selectbox(
            "Another label", others, index=None, key=key, placeholder=f"{len(others):,} more labels: type to find one",
            on_change=lambda: shown.decide(st.session_state[key]) if st.session_state.get(key) else None,
            label_visibility="collapsed", disabled=not shown.may,
        )  # fmt: skip


LABELS: TeamParts[Predictions] = TeamParts(
    words=_WORDS,
    predictions=answers_for_project,
    progress=partial(team_progress, slots=False),
    figures=lambda _, judged: label_agreement_figures(judged),
    matrix=_matrix,
    draw_differing=_draw_differing,
    review=ReviewParts(
        machines=_machines,
        said=lambda answer: answer,
        html=lambda answer, _, palette: palette.chip(answer),
        buttons=lambda machines, palette: choices(_labels(machines, palette), ()),
        confirm=lambda answer: f"Confirm {messages.plain(answer)}",
        take=lambda _, answer: f"Take {messages.plain(answer)}",
        other_way="a digit gives a label",
        under="Or another label",
        draw_own=_draw_labels,
    ),
)
