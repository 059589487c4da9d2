"""The rules grouped by slot with their figures. A rule of several slots stands below each, with the figures of that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages._rules.rule_list import PRECISION, choose_in_table, draw_list, grouped, share_of
from pages._shared.components.editor import plain
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.tables import figures_of, label_column
from re2nn_core.services.prediction.precision import Precision, precision_of
from re2nn_core.services.rule_systems.rule_switches import OffRule, switched_off
from re2nn_core.services.rule_systems.slot_filling.systems import spelt_slot
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import RuleSlotFigures, SlotAnalysis, SlotCoverage
from re2nn_core.services.values.rules import split_lines

_TITLES = {
    "Rule": ("each rule by itself", "Rules by slot; the line of a slot counts predicted spans"),
    "matches": ("spans", "Spans that the rule predicts alone; for a slot: predicted spans"),
    "right": ("precision", "Share of predicted spans in annotated texts that are annotated exactly so"),
    "wrong": ("incorrect", "Predicted spans that are not annotated: other boundaries, another slot, or no span there"),
    "missed": ("missed", "Annotated spans of the slot that are not predicted"),
    "conflicts": ("conflicts", "Words that another rule captures for another slot"),
}
_CAPTURED = re.compile(r"\]<([^<>]+)>|<:>(?:[BIbi]-)?([\w.:/'\-]+)")
_NO_SLOT = "no slot"


def draw_slot_list(
    analysis: SlotAnalysis, draft: Draft, palette: Palette, *, height: int, stale: bool = False
) -> Draft:
    """The list; in plain mode a table whose chosen row is the focus. `stale`: figures of an earlier text."""
    if plain():
        return _plain_list(analysis, draft, palette, height)
    groups = _groups(analysis, draft, palette)
    draw_list(draft, groups, height=height, stale=stale, titles=_TITLES, search="Find a rule or a slot")
    return draft


def _groups(analysis: SlotAnalysis, draft: Draft, palette: Palette) -> list[dict[str, Any]]:
    """One group a slot; rules that are off stand among the others, also where all rules of their slot are off."""
    off = switched_off(draft.rules_text)
    lines_off = {rule.line for rule in off}
    totals = {figures.slot: _total(figures, draft) for figures in analysis.slot_figures}
    rows: dict[str, list[dict[str, Any]]] = {slot: [] for slot in totals}
    for figures in analysis.rule_figures:
        if figures.line not in lines_off:
            rows[figures.slot].append(_rule(figures, draft))
    for rule in analysis.system.ruleset.rules:
        if not analysis.slots_of_rule[rule.name] and rule.line not in lines_off:
            rows.setdefault(_NO_SLOT, []).append({"rule": rule.name, "line": rule.line} | _NOTHING)
    for one in off:
        for written in _slots_of_off(draft.rules_text, one):
            slot = spelt_slot(written, analysis.system.known_slots)
            rows.setdefault(slot, []).append({"rule": one.name, "line": one.line, "on": False})
    return grouped(totals, rows, palette)


_NOTHING = {"matches": 0, "precision": None, "wrong": 0, "conflicts": 0}


def _slots_of_off(rules_text: str, rule: OffRule) -> Sequence[str]:
    """The slots that the lines of a switched-off rule name."""
    lines = split_lines(rules_text)[rule.line - 1 :]
    last = next((place for place, line in enumerate(lines) if not line.endswith("\\")), 0)
    found = _CAPTURED.findall("\n".join(lines[: last + 1]))
    return list(dict.fromkeys((capture or tag).strip() for capture, tag in found)) or [_NO_SLOT]


def _rule(row: RuleSlotFigures, draft: Draft) -> dict[str, Any]:
    return {
        "rule": row.name,
        "line": row.line,
        "matches": row.spans,
        **share_of(_precision(row)),
        "wrong": row.wrong,
        "conflicts": row.conflicts,
        "chosen": draft.rule == row.name and draft.label in (None, row.slot),
    }


def _total(row: SlotCoverage, draft: Draft) -> dict[str, Any]:
    return {
        "line": None,
        "matches": row.spans,
        **share_of(_precision(row)),
        "wrong": row.wrong,
        "missed": row.missed,
        "conflicts": row.conflicts,
        "chosen": draft.rule is None and draft.label == row.slot,
        "note": _note(row),
    }


def _precision(row: RuleSlotFigures | SlotCoverage) -> Precision | None:
    return precision_of(row.counts.right, row.counts.given, "span")


def _note(row: SlotCoverage) -> str:
    """Recall and F1 of a slot, beside its name."""
    if row.counts.recall is None:
        return "not annotated anywhere"
    return f"recall {row.counts.recall:.0%} · F1 {100 * (row.counts.f1 or 0):.0f}"


def _plain_list(analysis: SlotAnalysis, draft: Draft, palette: Palette, height: int) -> Draft:
    rows = analysis.rule_figures
    recall = {figures.slot: figures.counts.recall for figures in analysis.slot_figures}
    columns: dict[str, list[Any]] = {
        "Rule": [row.name for row in rows],
        "Slot": [[row.slot] for row in rows],
        "Spans": [row.spans for row in rows],
        "Precision": [figures_of(_precision(row)) for row in rows],
        "Incorrect": [row.wrong for row in rows],
        "Recall": [recall[row.slot] for row in rows],
        "Conflicts": [row.conflicts for row in rows],
    }
    config = {
        "Slot": label_column("Slot", palette, analysis.slots),
        "Precision": st.column_config.TextColumn("Precision", help=PRECISION),
        "Recall": st.column_config.NumberColumn("Recall of the slot", format="percent"),
    }
    return choose_in_table(draft, columns, config, [(row.name, row.slot) for row in rows], height)
