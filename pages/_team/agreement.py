"""How far people agree: together, label by label, and every two raters, with the texts where two differ."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.catalog import LABEL
from pages._shared.components.downloads import download
from pages._shared.components.guide import learn_more
from pages._shared.drawing import messages
from pages._shared.drawing.labels import palette_of
from pages._shared.drawing.markup import count_figure, escape, figures, html
from pages._shared.drawing.tables import html_table
from pages._shared.session import state
from pages._team.data import figures_of, team_of
from pages._team.matrix import draw_matrix
from pages._team.parts import Words
from pages._team.task_parts import parts_of
from re2nn_core.exchange.tables.write import render_table
from re2nn_core.services.team.agreement import Agreement, Coefficient
from re2nn_core.services.team.span_agreement import SpanAgreement
from re2nn_core.services.team.team_agreement import AgreementFigures
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted

_TOGETHER = "all"


def draw_agreement(project: ProjectRecord) -> None:
    """The whole part."""
    with messages.guard("Loading the annotations") as outcome:
        team = team_of(project)
        found = figures_of(project, team)
    if not outcome.ok:
        return
    if not found.together.texts:
        messages.empty(
            "No text has annotations of two annotators yet.",
            "Open a queue on Label with two or more annotations per text, or annotate texts that others have "
            "annotated.",
            link=LABEL,
        )
    else:
        _draw_head(found)
        left, right = st.columns([11, 9], gap="medium")
        with left:
            _draw_table(found, project)
        with right:
            _draw_reasons(found, parts_of(project).words)
    draw_matrix(project, team, state.current_version(project), state.current_model(project))


def _draw_head(found: AgreementFigures) -> None:
    several = sum(texts for people, texts in found.annotated_by.items() if people > 1)
    by_number = [
        (f"{texts:,}", f"by {counted(people, 'annotator', 'annotators')}", "")
        for people, texts in found.annotated_by.items()
    ]
    html(
        figures(
            [
                count_figure(several, "text with two or more annotations", "texts with two or more annotations"),
                *by_number,
            ]
        )
    )


def _draw_table(found: AgreementFigures, project: ProjectRecord) -> None:
    words, palette = parts_of(project).words, palette_of(project.id)
    measures = words.measures
    head = [words.noun, "Texts", *(title for _, title in measures)]
    rows = [_row("<b>all</b>", found.together, measures)]
    rows += [_row(palette.chip(label), one, measures) for label, one in found.labels.items()]
    html(f'<div class="re2-tall re2-right re2-team-table">{html_table(head, rows, numbers=range(1, len(head)))}</div>')
    download(
        "Export table as CSV", lambda: _csv(found, measures), "agreement.csv", "text/csv", key="team_agreement_csv"
    )


def _row(name: str, one: Agreement | SpanAgreement, measures: Sequence[tuple[str, str]]) -> list[str]:
    return [name, f"{one.texts:,}", *(_cell(key, getattr(one, key)) for key, _ in measures)]


def _cell(key: str, coefficient: Coefficient) -> str:
    if coefficient.value is None:
        return f'<span class="re2-undefined" title="{escape(coefficient.why)}">undefined</span>'
    return f"{coefficient.value:.0%}" if key in ("percent", "f1") else f"{coefficient.value:.2f}"


def _draw_reasons(found: AgreementFigures, words: Words) -> None:
    """What is not defined and why, and how to read the rest."""
    reasons: dict[str, list[str]] = {}
    for key, title in words.measures:
        why = getattr(found.together, key).why
        if why:
            reasons.setdefault(why, []).append(title)
    for why, titles in reasons.items():
        html(f"""<div class="re2-notes"><b>{escape(" and ".join(titles))}</b> undefined: {escape(why)}.</div>""")
    one_label = [
        label
        for label, one in found.labels.items()
        if any(getattr(one, key).value is None for key, _ in words.measures)
    ]
    if one_label and len(one_label) < len(found.labels):
        of = counted(len(one_label), words.noun.lower())
        html(f'<div class="re2-notes">{of}: some figure is undefined; point at it for the reason.</div>')
    st.caption(words.reading)
    learn_more("team#agreement", "How to read these figures")


def _csv(found: AgreementFigures, measures: Sequence[tuple[str, str]]) -> bytes:
    columns = ["label", "texts", *(name for key, _ in measures for name in (key, f"{key}_undefined_because"))]
    rows = [
        (name, str(one.texts), *_values(one, measures))
        for name, one in [(_TOGETHER, found.together), *found.labels.items()]
    ]
    return render_table(columns, rows, "csv", byte_order_mark=True)


def _values(one: Agreement | SpanAgreement, measures: Sequence[tuple[str, str]]) -> list[str]:
    cells = []
    for key, _ in measures:
        coefficient: Coefficient = getattr(one, key)
        cells += ["" if coefficient.value is None else f"{coefficient.value:.6f}", coefficient.why]
    return cells
