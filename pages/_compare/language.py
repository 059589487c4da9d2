"""What two rule sets accept: verdicts, witnesses, sentences that two labels claim, rules that do nothing, texts that
change their prediction."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import pandas as pd
import streamlit as st

from pages._compare.drawing.long_texts import MOST, NARROW, in_full, shortened_cells
from pages._shared.cached.models import all_records_of
from pages._shared.components.grid import height_of
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from re2nn_core.services.rule_difference.dead_and_subsumed_rules import Findings
from re2nn_core.services.rule_difference.known_texts import recognized_difference
from re2nn_core.services.rule_difference.language_difference import LanguageVerdict, RuleSide, Verdict
from re2nn_core.services.rule_difference.moved_texts import MovedText, MovedTexts
from re2nn_core.services.rule_difference.overlap_changes import Came, Decides, OverlapChange, overlap_changes
from re2nn_core.services.rule_difference.rule_set_difference import RuleSetDifference, rule_set_difference
from re2nn_core.services.rule_difference.witnesses import Witness, both_sides
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted

SHORTEST_HELP = (
    "Shortest sentences show the difference alone. Otherwise examples are texts of the project, or likely words."
)
_SHOWN = 200  # texts of a table
_MARKS = re.compile(r", (?=\S+: )")  # between two marks of a prediction
_IN_WORDS = {
    Verdict.SAME: "= the same",
    Verdict.MORE: "+ matches more",
    Verdict.LESS: "− matches less",
    Verdict.OTHER: "± matches different sentences",
    Verdict.UNKNOWN: "? too large to compare",
}


def draw_language(
    left: RuleSide,
    right: RuleSide,
    *,
    stamp: str,
    key: str,
    titles: tuple[str, str],
    decides: tuple[Decides | None, Decides | None] = (None, None),
    at_once: bool = False,
    project: ProjectRecord | None = None,
) -> None:
    """The panel; `titles` are what the sides are called, `decides` what their label logic says of overlaps. Without
    `at_once` it is worked out when asked for. Examples are texts of `project` where one shows
    the difference."""
    asked = at_once or st.toggle(
        f"Compare all rules: matches, overlaps of {left.kind}s, dead and subsumed rules",
        key=f"_language_{key}",
        persist_state="session",
    )
    if not asked:
        return
    shortest = project is not None and st.toggle("Show shortest sentences", key=f"_shortest_{key}", help=SHORTEST_HELP)
    with messages.guard("Comparing all rules") as outcome, st.spinner("Comparing the rules"):
        found = compared_languages(stamp, left, right)
        if project is not None and not shortest:
            found = _recognized(stamp, project.updated_at, left, right, found, project)
    if not outcome.ok:
        return
    _draw_verdicts(found.groups, left.kind.capitalize(), titles, tagging=left.tagging)
    _draw_verdicts(found.rules, "Rule", titles, tagging=left.tagging)
    overlaps, dead_or_subsumed = st.columns([13, 9], gap="medium")
    with overlaps:
        _draw_overlaps(overlap_changes(*found.findings, decides), left, titles, key)
    with dead_or_subsumed:
        _draw_dead_and_subsumed(found.findings, titles)
    for findings in dict.fromkeys(found.findings):
        for skipped in findings.skipped:
            st.caption(messages.plain(skipped))


@st.cache_resource(show_spinner=False, max_entries=16)
def compared_languages(stamp: str, _left: RuleSide, _right: RuleSide) -> RuleSetDifference:
    """The whole comparison, kept under a stamp of both sides. InputError for sides of different kinds."""
    return rule_set_difference(_left, _right)


@st.cache_resource(show_spinner=False, max_entries=16)
def _recognized(
    stamp: str, changed: datetime, _left: RuleSide, _right: RuleSide, _found: RuleSetDifference, _project: ProjectRecord
) -> RuleSetDifference:
    """The comparison with examples of the project's texts, or of their words."""
    texts = [record.text for record in all_records_of(_project)]
    return recognized_difference(_found, _left, _right, texts, _project.tokenization)


def _draw_verdicts(verdicts: Sequence[LanguageVerdict], kind: str, titles: tuple[str, str], *, tagging: bool) -> None:
    ordered = sorted(verdicts, key=lambda found: found.verdict is Verdict.SAME)
    same = sum(found.verdict is Verdict.SAME for found in verdicts)
    what = (
        "Examples: a sentence in which the two sides capture different words"
        if tagging
        else "Examples: a sentence that only one side matches"
    )
    says = "capture" if tagging and kind == "Slot" else "match"
    html(f'<div class="re2-head">{kind}s: {same:,} of {len(verdicts):,} {says} the same on both sides. {what}</div>')
    only = "In" if tagging else "Only"
    rows = [row for found in ordered for row in _rows(found, tagging=tagging)]
    head = [kind, "Verdict", *(f"{only} {title}" for title in titles)]
    _table(dict(zip(head, zip(*rows, strict=True), strict=True)), NARROW)
    for found in ordered:
        if found.refusal:
            st.caption(messages.plain(f"{found.name}: {found.refusal}"))


def _rows(found: LanguageVerdict, *, tagging: bool) -> list[tuple[str, str, str, str]]:
    """Name, verdict and witnesses; of rules that mark words a row for each witness."""
    if not tagging:
        return [(found.name, verdict_in_words(found), _witness(found.only_left), _witness(found.only_right))]
    sides = both_sides(found.only_left, found.only_right) or (("", ""),)
    return [(found.name, verdict_in_words(found), left, right) for left, right in sides]


def verdict_in_words(found: LanguageVerdict) -> str:
    """The verdict in a few words, with its sign."""
    if not found.left:
        return "+ added"
    return "− removed" if not found.right else _IN_WORDS[found.verdict]


def _witness(witness: Witness | None) -> str:
    return "" if witness is None else witness.shown


def _draw_overlaps(changes: Sequence[OverlapChange], side: RuleSide, titles: tuple[str, str], key: str) -> None:
    """What came, went or is decided by nothing; the others when they are asked for."""
    what = "Words that two rules give different tags" if side.tagging else "Sentences that rules of two labels match"
    notable = [change for change in changes if change.tells]
    html(
        f'<div class="re2-head">{what}: {len(notable):,} added, removed or undecided, '
        f"{counted(len(changes) - len(notable), 'other')}</div>"
    )
    every = len(notable) < len(changes) and st.toggle(
        f"Show all {len(changes):,}, including those that are the same on both sides",
        key=f"_overlaps_{key}",
        persist_state="session",
    )
    shown = changes if every else notable
    if not changes:
        html('<div class="re2-muted">None (proved for every sentence).</div>')
    elif not shown:
        html('<div class="re2-muted">None was added or removed.</div>')
    else:
        _table(_overlap_columns(shown, side, titles), NARROW)


def _overlap_columns(
    shown: Sequence[OverlapChange], side: RuleSide, titles: tuple[str, str]
) -> dict[str, Sequence[Any]]:
    columns: dict[str, Sequence[Any]] = {
        "Where": [_came(change, titles) for change in shown],
        "Slots or tags" if side.tagging else "Labels": [change.groups_in_words for change in shown],
        "Shortest sentence": [change.sentence_in_words(titles) for change in shown],
        "Rules": [change.rules_in_words(titles) for change in shown],
    }
    if any(by is not None for change in shown for by in change.decided):
        columns["Decided by"] = [change.decision_in_words(titles) for change in shown]
    return columns


def _came(change: OverlapChange, titles: tuple[str, str]) -> str:
    alone = {Came.PERHAPS_NEW: (1, 0), Came.PERHAPS_REMOVED: (0, 1)}.get(change.came)
    if alone is None:
        return change.came.value
    return f"? only {titles[alone[0]]}, or not checked in {titles[alone[1]]}"


def _draw_dead_and_subsumed(findings: Sequence[Findings], titles: tuple[str, str]) -> None:
    left, right = (side.dead_or_subsumed for side in findings)
    for title, dead_or_subsumed in (
        [("on both sides", left)] if left == right else zip(titles, (left, right), strict=True)
    ):
        html(f'<div class="re2-head">Dead and subsumed rules: {escape(title)}</div>')
        items = "".join(f"<li><b>{escape(one.name)}</b> {escape(one.in_words)}</li>" for one in dead_or_subsumed)
        html(f"<ul>{items}</ul>" if items else '<div class="re2-muted">None.</div>')


def draw_moved_texts(moved: MovedTexts, titles: tuple[str, str], right_of: Callable[[MovedText], str]) -> None:
    """The project's texts that change their prediction, with what is right, where that is known."""
    head = (
        f"{moved.count:,} of {counted(moved.texts, 'text')} "
        f"change{'s its' if moved.count == 1 else ' their'} prediction, the most frequent first"
        if moved.moved
        else f"None of {counted(moved.texts, 'text')} changes its prediction"
    )
    shown = moved.moved[:_SHOWN]
    sides = [apart(text.before, text.after) for text in shown]
    shorter = any(pair != (text.before, text.after) for pair, text in zip(sides, shown, strict=True))
    html(f'<div class="re2-head">{head}{"; spans on both sides are hidden" if shorter else ""}</div>')
    if moved.moved:
        right = [right_of(text) for text in shown]
        _table(
            {
                "Count": [text.count for text in shown],
                titles[0]: [before for before, _ in sides],
                titles[1]: [after for _, after in sides],
                **({"Correct": right} if any(right) else {}),
                "Text": [text.text for text in shown],
            }
        )
        if len(moved.moved) > _SHOWN:
            st.caption(f"and {counted(len(moved.moved) - _SHOWN, 'text')} more")


def apart(before: str, after: str) -> tuple[str, str]:
    """Two predictions without the marks that both have (`day: friday, to_city: rome`); a dash where nothing else is."""
    sides = [_MARKS.split(prediction) for prediction in (before, after)]
    first, second = (
        ", ".join(mark for mark in own if mark not in other) or "–" for own, other in (sides, reversed(sides))
    )
    return first, second


def _table(columns: Mapping[str, Sequence[Any]], most: int = MOST) -> None:
    """A table; sentences of more than `most` signs are shortened, and stand whole below it."""
    rows = len(next(iter(columns.values())))
    st.dataframe(pd.DataFrame(shortened_cells(columns, most)), hide_index=True, height=height_of(rows))
    html(in_full(columns, most))
