"""Every two raters, people, rule set, rules and network, in one matrix; a click on a cell lists the texts where they
differ."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages._shared.components.downloads import download
from pages._shared.drawing import messages
from pages._shared.drawing.labels import palette_of
from pages._shared.drawing.markup import html
from pages._shared.resources import store
from pages._shared.session.state import ModelChoice
from pages._team.data import Team, matrix_of
from pages._team.review_state import ask_for
from pages._team.task_parts import parts_of
from re2nn_core.exchange.tables.write import render_table
from re2nn_core.services.projects.stored_projects import texts_by_id
from re2nn_core.services.team.raters import AgreementCell, Matrix
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion

_SHOWN = 40
_MOST_RULES = 60
_ROW, _MOST = 36, 15


def draw_matrix(project: ProjectRecord, team: Team, version: RuleVersion, model: ModelChoice) -> None:
    """The matrix, and behind it the texts of the clicked cell."""
    words = parts_of(project).words
    same = words.same
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.subheader("Pairwise agreement", anchor=False, width="content")
        measure = st.segmented_control(
            "Measure", [same, words.beyond, "Texts"], default=same, required=True, key="team_measure",
            label_visibility="collapsed",
        )  # fmt: skip
        rules = st.toggle("each rule", key="team_rules", help="A rule predicts its label for the texts that it matches")
    with messages.guard("Evaluating the rules") as outcome:
        matrix = matrix_of(project, team, version, model)
    if not outcome.ok:
        return
    shown = [number for number, rater in enumerate(matrix.raters) if rules or rater.kind != "rule"]
    shown = [n for n in shown if matrix.by_rater[matrix.raters[n]] or matrix.raters[n].kind != "rule"]
    left_out = len(shown) - _MOST_RULES
    shown = shown[:_MOST_RULES]
    if len(shown) < 2:
        html(
            '<div class="re2-muted">Nobody has annotated a text in this application yet. '
            "Switch on “each rule” to compare rules with "
            "each other.</div>"
        )
        return
    _draw_cells(matrix, shown, measure or same, same)
    if left_out > 0:
        html(f'<div class="re2-muted">{left_out:,} more rules are in the file below.</div>')
    if model.run is None:
        st.caption(
            "Click a cell for the texts on which the two differ. To compare a trained network, select it in "
            "the bar above."
        )
    else:
        st.caption("Click a cell for the texts on which the two differ.")
    download("Export all pairs as CSV", lambda: _csv(matrix), "raters.csv", "text/csv", key="team_matrix_csv")
    _draw_texts(project, matrix, shown)


def _draw_cells(matrix: Matrix, shown: Sequence[int], measure: str, same: str) -> None:
    titles = _distinct([matrix.raters[number].title for number in shown])
    # Another one for other columns, since a clicked cell and widths are kept under it.
    key = f"team_matrix_{measure}_{len(titles)}"
    values = [[_value(matrix.cell(row, column), measure, same) for column in shown] for row in shown]
    table = pd.DataFrame(values, index=pd.Index(titles, name="rater"), columns=titles, dtype="float64")
    if measure == "Texts":
        styled = table.style.format("{:,.0f}", na_rep="·")
    else:
        styled = table.style.format("{:.0%}" if measure == same else "{:.2f}", na_rep="·").map(_shade)
    st.dataframe(
        styled,
        width="content",
        placeholder="·",
        key=key,
        on_select="rerun",
        selection_mode="single-cell",
        height="content" if len(shown) <= _MOST else _ROW * (_MOST + 1),
        column_config={
            "_index": st.column_config.Column(width=max(map(_width, titles))),
            **{title: st.column_config.Column(title, width=_width(title)) for title in titles},
        },
    )  # fmt: skip
    cells = st.session_state[key]["selection"]["cells"]
    st.session_state["_team_cell"] = None
    if cells:
        row, column = cells[0]
        if column in titles:
            st.session_state["_team_cell"] = (shown[int(row)], shown[titles.index(column)])


def _width(title: str) -> int:
    """Pixels."""
    return max(76, min(150, 11 * len(title)))


def _distinct(titles: Sequence[str]) -> list[str]:
    """Titles as column names, which must differ: a person may be called as a rule is."""
    found: list[str] = []
    for title in titles:
        name, number = title, 1
        while name in found:
            number += 1
            name = f"{title} ({number})"
        found.append(name)
    return found


def _value(cell: AgreementCell | None, measure: str, same: str) -> float | None:
    if cell is None:
        return None
    if measure == "Texts":
        return float(cell.texts)
    return cell.percent.value if measure == same else cell.beyond.value


def _shade(value: float) -> str:
    """The more they agree the fuller; the number says the same."""
    if pd.isna(value):
        return ""
    return f"background-color: rgba(31, 136, 170, {max(0.0, min(1.0, value)) ** 2 * 0.42:.2f})"


def _csv(matrix: Matrix) -> bytes:
    rows = []
    for (one, other), cell in matrix.cells.items():
        figures = [part for figure in (cell.percent, cell.beyond) for part in (_number(figure.value), figure.why)]
        rows.append((matrix.raters[one].title, matrix.raters[other].title, str(cell.texts), *figures))
    columns = ("one", "other", "texts", "same", "same_undefined_because", "beyond", "beyond_undefined_because")
    return render_table(columns, rows, "csv", byte_order_mark=True)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"


def _draw_texts(project: ProjectRecord, matrix: Matrix, shown: Sequence[int]) -> None:
    chosen = st.session_state.get("_team_cell")
    if chosen is None or not set(chosen) <= set(shown) or chosen[0] == chosen[1]:
        return
    one, other = (matrix.raters[number] for number in chosen)
    ids = matrix.differing(one, other)
    cell = matrix.cell(*chosen)
    both = 0 if cell is None else cell.texts
    with st.container(border=True, key="team_differ"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"**{messages.plain(one.title)}** and **{messages.plain(other.title)}** differ on {len(ids):,} of "
                f"{both:,} texts"
            )
            if ids:
                st.button(
                    'Adjudicate these texts', key="team_differ_review", icon=":material/gavel:",
                    on_click=ask_for, args=(project.id, ids),
                )  # fmt: skip
        texts = texts_by_id(store(), ids[:_SHOWN])
        records = [texts[text_id] for text_id in ids[:_SHOWN] if text_id in texts]
        parts_of(project).draw_differing(records, matrix, one, other, palette_of(project.id))
        if len(ids) > _SHOWN:
            html(f'<div class="re2-muted">and {len(ids) - _SHOWN:,} more</div>')
