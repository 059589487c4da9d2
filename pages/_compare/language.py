"""What two rule sets accept: verdicts, witnesses, sentences that two labels claim, rules that do nothing, texts that
change their answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages._shared import messages
from pages._shared.markup import escape, html
from re2nn_core.services.idle_rules import Findings
from re2nn_core.services.language_difference import LanguageVerdict, RuleSide, Verdict, Witness
from re2nn_core.services.moved_texts import MovedTexts
from re2nn_core.services.rule_set_difference import RuleSetDifference, rule_set_difference

_HEIGHT = 360
_SHOWN = 200  # texts of a table
_SAID = {
    Verdict.SAME: "= the same",
    Verdict.MORE: "+ accepts more",
    Verdict.LESS: "- accepts less",
    Verdict.OTHER: "± accepts others",
    Verdict.UNKNOWN: "? too large to say",
}


def draw_language(
    left: RuleSide,
    right: RuleSide,
    *,
    stamp: str,
    key: str,
    titles: tuple[str, str],
    at_once: bool = False,
) -> None:
    """The panel; `titles` are what the sides are called. Without `at_once` it is worked out when asked for."""
    asked = at_once or st.toggle(
        "All rules as languages: what they accept, where two labels meet, which rules do nothing",
        key=f"_language_{key}",
        persist_state="session",
    )
    if not asked:
        return
    with messages.guard("Comparing the rules as languages") as outcome, st.spinner("Comparing the rules"):
        found = compared_languages(stamp, left, right)
    if not outcome.ok:
        return
    _draw_verdicts(found.groups, left.kind.capitalize(), titles)
    _draw_verdicts(found.rules, "Rule", titles)
    alike = found.findings[0] == found.findings[1]
    for title, findings in zip(titles, found.findings, strict=True):
        _draw_findings(findings, left, "on both sides" if alike else title)
        if alike:
            break


@st.cache_resource(show_spinner=False, max_entries=16)
def compared_languages(stamp: str, _left: RuleSide, _right: RuleSide) -> RuleSetDifference:
    """The whole comparison, kept under a stamp of both sides. InputError for sides of different kinds."""
    return rule_set_difference(_left, _right)


def _draw_verdicts(verdicts: Sequence[LanguageVerdict], kind: str, titles: tuple[str, str]) -> None:
    ordered = sorted(verdicts, key=lambda found: found.verdict is Verdict.SAME)
    same = sum(found.verdict is Verdict.SAME for found in verdicts)
    html(
        f'<div class="re2-head">{escape(kind)}s: {same:,} of {len(verdicts):,} accept the same on both sides. '
        f"Beside each of the others a shortest sentence that only one side accepts</div>"
    )
    _table(
        {
            kind: [found.name for found in ordered],
            "Verdict": [said(found) for found in ordered],
            f"Only {titles[0]}": [_witness(found.only_left) for found in ordered],
            f"Only {titles[1]}": [_witness(found.only_right) for found in ordered],
        }
    )
    for found in ordered:
        if found.refusal:
            st.caption(messages.plain(f"{found.name}: {found.refusal}"))


def said(found: LanguageVerdict) -> str:
    """The verdict in a few words, with its sign."""
    if not found.left:
        return "+ new"
    return "- gone" if not found.right else _SAID[found.verdict]


def _witness(witness: Witness | None) -> str:
    return "" if witness is None else witness.text


def _draw_findings(findings: Findings, side: RuleSide, title: str) -> None:
    left, right = st.columns([13, 9], gap="medium")
    with left:
        what = "Words that two slots claim" if side.tagging else "Sentences that two labels claim"
        html(f'<div class="re2-head">{what}, whether or not a text has them: {escape(title)}</div>')
        if findings.overlaps:
            _table(
                {
                    f"{side.kind.capitalize()}s": [" and ".join(found.groups) for found in findings.overlaps],
                    "Shortest sentence": [" ".join(found.sentence) for found in findings.overlaps],
                    "Rules": [" / ".join(", ".join(names) for names in found.rules) for found in findings.overlaps],
                }
            )
        else:
            html('<div class="re2-muted">None: this is proved for every sentence there is.</div>')
    with right:
        html(f'<div class="re2-head">Rules that do nothing: {escape(title)}</div>')
        items = "".join(f"<li><b>{escape(idle.name)}</b> {escape(idle.in_words)}</li>" for idle in findings.idle)
        html(f"<ul>{items}</ul>" if items else '<div class="re2-muted">None.</div>')
    for skipped in findings.skipped:
        st.caption(messages.plain(skipped))


def draw_moved_texts(moved: MovedTexts, titles: tuple[str, str]) -> None:
    """The project's texts that change their answer."""
    html(
        f'<div class="re2-head">{moved.count:,} of {moved.texts:,} texts change their answer, the most frequent first'
        "</div>"
    )
    if moved.moved:
        shown = moved.moved[:_SHOWN]
        _table(
            {
                "Times": [text.count for text in shown],
                titles[0].capitalize(): [text.before for text in shown],
                titles[1].capitalize(): [text.after for text in shown],
                "Text": [text.text for text in shown],
            }
        )
        if len(moved.moved) > _SHOWN:
            st.caption(f"and {len(moved.moved) - _SHOWN:,} more texts")


def _table(columns: dict[str, list[Any]]) -> None:
    rows = len(next(iter(columns.values())))
    st.dataframe(pd.DataFrame(columns), hide_index=True, height=min(_HEIGHT, 35 * (rows + 1) + 3))
