"""The parts of the page Team in a project with labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages._shared.cached.models import predictions_for_project
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape
from pages._shared.drawing.tables import MarkedText, text_list
from pages._team.parts import Machines, ReviewParts, ShownCase, TeamParts, Words
from re2nn_core.services.annotation.classification import DIGITS, choices
from re2nn_core.services.explanation.classification.reasons import reasons_for
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.team.annotations import TeamAnnotations
from re2nn_core.services.team.raters import Matrix, Rater, label_machines, label_matrix, people_of
from re2nn_core.services.team.team_agreement import label_agreement_figures
from re2nn_core.services.team.team_progress import team_progress
from re2nn_core.services.values.stored import TextRecord

_WORDS = Words(
    noun="Label",
    nouns="Labels",
    having="have a label",
    same='Observed agreement',
    beyond="Cohen's kappa",
    measures=(
        ("percent", 'Observed agreement'), ("cohen", "Cohen"), ("fleiss", "Fleiss"), ("alpha", "Alpha"), ("ac1", "AC1"),
    ),
    reading='Observed agreement: share of pairs of annotations that agree. The others subtract agreement by chance: 1 '
        'is full agreement, 0 is chance. Cohen: two annotators; Fleiss: equally many per text; alpha '
        '(Krippendorff) and AC1 (Gwet) allow gaps. Usual minimum: alpha 0.8.',
)  # fmt: skip


def _matrix(team_annotations: TeamAnnotations, ids: Sequence[int], annotated: Predictions, title: str) -> Matrix:
    places = range(len(ids))
    network = (title, list(map(annotated.prediction, places))) if annotated.trained else None
    by_rules = list(map(annotated.rules_prediction, places))
    return label_matrix(
        people_of(team_annotations) | label_machines(annotated.system, ids, annotated.matched, by_rules, network)
    )


def _draw_differing(records: Sequence[TextRecord], matrix: Matrix, one: Rater, other: Rater, palette: Palette) -> None:
    def message(record: TextRecord, rater: Rater) -> str:
        annotation = palette.chip(matrix.by_rater[rater][record.id])
        return f'<span class="re2-muted">{escape(rater.title)}</span> {annotation}'

    text_list([MarkedText(record.text, meta=f"{message(record, one)} {message(record, other)}") for record in records])


def _machines(annotated: Predictions, title: str, place: int) -> Machines:
    matched = [
        name for name, matches in zip(annotated.system.rule_names, annotated.matched[place], strict=True) if matches
    ]
    by_rules = annotated.rules_prediction(place)
    found = [("Rules", by_rules, ", ".join(matched) or ("default label" if by_rules else "no rule matches"))]
    if annotated.trained:
        found.append((title, annotated.prediction(place), reasons_for(annotated, place).certainty))
    return Machines(tuple(found), tuple(annotated.system.logic.labels))


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
            'Other label', others, index=None, key=key, placeholder=f'{len(others):,} more labels: type to search',
            on_change=lambda: shown.decide(st.session_state[key]) if st.session_state.get(key) else None,
            label_visibility="collapsed", disabled=not shown.may,
        )  # fmt: skip


LABELS: TeamParts[Predictions] = TeamParts(
    words=_WORDS,
    predictions=predictions_for_project,
    progress=partial(team_progress, slots=False),
    figures=lambda _, team_annotations: label_agreement_figures(team_annotations),
    matrix=_matrix,
    draw_differing=_draw_differing,
    review=ReviewParts(
        machines=_machines,
        in_words=lambda annotation: annotation,
        html=lambda annotation, _, palette: palette.chip(annotation),
        buttons=lambda machines, palette: choices(_labels(machines, palette), ()),
        confirm=lambda annotation: f"Confirm {messages.plain(annotation)}",
        take=lambda _, annotation: f"Choose {messages.plain(annotation)}",
        other_way="a digit chooses a label",
        under="Other label",
        draw_own=_draw_labels,
    ),
)
