"""What became of the sentences that two versions hold their rules to."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages._compare.drawing.long_texts import in_full, shortened_cells
from pages._shared.components.grid import height_of
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from re2nn_core.services.rule_difference.sentence_changes import (
    SentenceChange,
    SentenceMark,
    counted_changes,
    sentence_changes,
)
from re2nn_core.services.rule_writing.rule_sentences import System
from re2nn_core.services.values.rules import read_sentences
from re2nn_core.services.values.stored import RuleVersion

_MOST_ROWS = 8


def draw_sentence_changes(
    before: tuple[RuleVersion, System], after: tuple[RuleVersion, System], titles: tuple[str, str], *, stamp: str
) -> None:
    """Which sentences came, went or changed their outcome; all of them when they are asked for."""
    texts = before[0].sentences_text, after[0].sentences_text
    if not any(texts):
        html(
            '<div class="re2-head">Test sentences of the rules</div><div class="re2-muted">Neither version '
            "has any. Add some on Write rules, under Sentences.</div>"
        )
        return
    with messages.guard("Checking the sentences of both versions") as outcome:
        changes = _changes(stamp, *texts, before[1], after[1])
    if outcome.ok:
        _draw(changes, titles, stamp)


def _draw(changes: tuple[SentenceChange, ...], titles: tuple[str, str], stamp: str) -> None:
    html(
        f'<div class="re2-head">Test sentences of the rules, {titles[0]} → {titles[1]}: '
        f"{escape(counted_changes(changes))}</div>"
    )
    moved = [change for change in changes if change.mark is not SentenceMark.SAME]
    every = len(moved) < len(changes) and st.toggle(
        f"Show all {len(changes):,} sentences, including unchanged ones", key=f"_sentences_{stamp}"
    )
    shown = changes if every else moved
    if not shown:
        html('<div class="re2-muted">No sentence was added or removed, and all results are the same as before.</div>')
        return
    columns: dict[str, list[str]] = {
        "": [change.mark.value for change in shown],
        "Rule": [change.rule for change in shown],
        "Sentence": [change.sentence for change in shown],
        titles[0]: [change.before.in_words if change.before else "" for change in shown],
        titles[1]: [change.after.in_words if change.after else "" for change in shown],
    }
    height = height_of(len(shown), _MOST_ROWS)
    st.dataframe(pd.DataFrame(shortened_cells(columns)), hide_index=True, height=height)
    html(in_full({name: cells for name, cells in columns.items() if name}))


@st.cache_resource(show_spinner=False, max_entries=16)
def _changes(
    stamp: str, sentences_before: str, sentences_after: str, _before: System, _after: System
) -> tuple[SentenceChange, ...]:
    return sentence_changes((_before, read_sentences(sentences_before)), (_after, read_sentences(sentences_after)))
