"""The rules grouped by label with their figures; each figure leads to the texts behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages._rules.draft import keep
from pages._shared.catalog import ASSETS
from pages._shared.components.editor import plain
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.tables import choose_row, figures_of, label_column
from re2nn_core.guide.glossary import definition
from re2nn_core.services.prediction.precision import Precision, precision_of
from re2nn_core.services.rule_systems.rule_switches import switched_off
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, LabelFigures, RuleFigures
from re2nn_core.services.rule_writing.draft import Draft, View, focus

_NO_FIGURES = {"line": None, "matches": 0, "precision": None, "wrong": 0, "missed": 0, "conflicts": 0}
PRECISION = f"{definition('Precision')} With its 95% interval."
_TITLES = {"Rule": ("before label logic", f"Rules by label. {definition('Label logic')}")}
NOT_IN_FORMULA = "changes nothing: not in the formula"
VIEWS: tuple[View, ...] = ("matches", "missed", "wrong", "conflicts")


@dataclass(frozen=True)
class Picked:
    """What was asked for in the list: texts to show, or a rule to switch off or on."""

    rule: str | None = None
    label: str | None = None
    line: int | None = None
    view: View = "matches"
    switch: bool | None = None


def picked(draft: Draft) -> Picked | None:
    """What was picked since the last run; known before the list is drawn."""
    sent = st.session_state.get(list_key(draft))
    if not sent or plain():
        return None
    if isinstance(toggled := sent.get("toggle"), Mapping):
        return Picked(line=int(toggled["line"]), switch=bool(toggled["on"]))
    if isinstance(asked := sent.get("pick"), Mapping):
        view: View = next((view for view in VIEWS if view == asked["view"]), "matches")
        return Picked(asked["rule"], asked["label"], asked.get("line"), view)
    return None


def draw_rule_list(analysis: Analysis, draft: Draft, palette: Palette, *, height: int, stale: bool = False) -> Draft:
    """The list; in plain mode a table whose chosen row is the focus. `stale`: figures of an earlier text."""
    if plain():
        return _plain_list(analysis, draft, palette, height)
    draw_list(draft, _groups(analysis, draft, palette), height=height, stale=stale, titles=_TITLES)
    return draft


def draw_list(
    draft: Draft,
    groups: Sequence[Mapping[str, Any]],
    *,
    height: int,
    stale: bool,
    titles: Mapping[str, Sequence[str]] | None = None,
    search: str = "",
) -> None:
    """The list in the browser; `titles` has other names for some columns, each with what it means, and `search` other
    words for the search field."""
    _component()(
        key=list_key(draft),
        data={"groups": groups, "height": height, "stale": stale, "titles": dict(titles or {}), "search": search},
        on_pick_change=_nothing,
        on_toggle_change=_nothing,
    )


def list_key(draft: Draft) -> str:
    return f"_rule_list_{draft.project_id}"


def _groups(analysis: Analysis, draft: Draft, palette: Palette) -> list[dict[str, Any]]:
    """One group a label; rules that are off stand among the others, also where all rules of their label are off."""
    off = switched_off(draft.rules_text)
    lines_off = {rule.line for rule in off}
    unused = {rule.name for rule in analysis.unused}
    totals = {figures.label: _total(analysis, figures, draft) for figures in analysis.label_figures}
    rows: dict[str, list[dict[str, Any]]] = {label: [] for label in totals}
    for figures in analysis.rule_figures:
        if figures.line not in lines_off:
            rows.setdefault(figures.label, []).append(_rule(figures, draft, unused=figures.name in unused))
    for rule in off:
        rows.setdefault(rule.label, []).append({"rule": rule.name, "line": rule.line, "on": False})
    return grouped(totals, rows, palette)


def grouped(
    totals: Mapping[str, Mapping[str, Any]], rows: Mapping[str, Sequence[dict[str, Any]]], palette: Palette
) -> list[dict[str, Any]]:
    """Groups with the figures of all and those of each rule, rules in the order of their lines."""
    return [
        {
            "label": name,
            "colour": palette.colour(name),
            "total": totals.get(name, _NO_FIGURES),
            "rules": sorted(rules, key=lambda row: int(row["line"])),
        }
        for name, rules in rows.items()
    ]


def share_of(precision: Precision | None) -> dict[str, Any]:
    """The precision of a row, and what is said of it where the pointer rests on it."""
    if precision is None:
        return {"precision": None}
    return {"precision": precision.share, "measured": f"{precision.in_words[0].upper()}{precision.in_words[1:]}"}


def _rule(row: RuleFigures, draft: Draft, *, unused: bool) -> dict[str, Any]:
    return {
        **({"note": NOT_IN_FORMULA} if unused else {}),
        "rule": row.name,
        "line": row.line,
        "matches": row.matches,
        **share_of(precision_of(row.correct, row.labelled)),
        "wrong": row.wrong,
        "conflicts": row.conflicts,
        "chosen": draft.rule == row.name,
    }


def _total(analysis: Analysis, figures: LabelFigures, draft: Draft) -> dict[str, Any]:
    matches = analysis.matches(label=figures.label)
    known = int((analysis.gold[matches] >= 0).sum())
    wrong = len(analysis.wrong(label=figures.label))
    return {
        "line": None,
        "matches": len(matches),
        **share_of(precision_of(known - wrong, known)),
        "wrong": wrong,
        "missed": figures.missed,
        "conflicts": len(analysis.conflicts(label=figures.label)),
        "chosen": draft.rule is None and draft.label == figures.label,
    }


def _plain_list(analysis: Analysis, draft: Draft, palette: Palette, height: int) -> Draft:
    rows = analysis.rule_figures
    columns: dict[str, list[Any]] = {
        "Rule": [row.name for row in rows],
        "Label": [[row.label] for row in rows],
        "Matches": [row.matches for row in rows],
        "Precision": [figures_of(precision_of(row.correct, row.labelled)) for row in rows],
        "Incorrect": [row.wrong for row in rows],
        "Conflicts": [row.conflicts for row in rows],
    }
    config = {
        "Label": label_column("Label", palette, analysis.labels),
        "Precision": st.column_config.TextColumn("Precision", help=PRECISION),
    }
    return choose_in_table(draft, columns, config, [(row.name, None) for row in rows], height)


def choose_in_table(
    draft: Draft,
    columns: Mapping[str, Sequence[Any]],
    config: Mapping[str, Any],
    targets: Sequence[tuple[str, str | None]],
    height: int,
) -> Draft:
    """The list as a table, whose chosen row is the focus; `targets` are the rule of each row, and its slot."""
    chosen = choose_row(columns, key=f"{list_key(draft)}_plain", config=config, height=height)
    if chosen == st.session_state.get(_row_key(draft)):
        return draft  # a link, or a button, may have chosen another rule since
    st.session_state[_row_key(draft)] = chosen
    if chosen is None or chosen >= len(targets):
        return keep(focus(draft))
    rule, label = targets[chosen]
    return keep(focus(draft, rule=rule, label=label))


def forget_row(draft: Draft) -> None:
    """The table of a page that is drawn anew has no chosen row: what is looked at stays."""
    st.session_state.pop(_row_key(draft), None)


def _row_key(draft: Draft) -> str:
    return f"{list_key(draft)}_row"


def _nothing() -> None:
    """Makes the key known to the component; the page reads the value itself."""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    html, css, js = ((ASSETS / f"rule_list.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js"))
    return st.components.v2.component("re2nn_rule_list", html=html, css=css, js=js)
