"""The editor of rules and the one of their label logic, side by side in tabs: what they sent, and both drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import streamlit as st

from pages._shared.components.editor import Edited, Kept, Marks, Shown, draw_editor, kept_by, latest, plain
from re2nn_core.services.rule_writing.editor_texts import EditorTexts, in_editors, received


@dataclass(frozen=True)
class Keys:
    """The keys of the two editors."""

    rules: str
    logic: str


@dataclass(frozen=True)
class Sent:
    """What both editors have sent: the texts with it, what that of the rules sent, whether one asked to save, and what
    each has kept of an edit of another version."""

    texts: EditorTexts
    rules: Edited | None
    save: bool
    kept: tuple[Kept | None, Kept | None] = (None, None)


def take_sent(texts: EditorTexts, keys: Keys) -> Sent:
    """What the editors have sent since they were given these texts."""
    rules, logic = (latest(key, texts.revision) for key in (keys.rules, keys.logic))
    save = any(sent is not None and sent.save for sent in (rules, logic))
    return Sent(received(texts, rules, logic), rules, save, (kept_by(keys.rules), kept_by(keys.logic)))


def take_edits(texts: EditorTexts, keys: Keys) -> Sent:
    """The same at the top of a run, where the kind of editor may have changed."""
    return take_sent(in_editors(texts, plain=plain()), keys)


@dataclass(frozen=True)
class LogicHelp:
    """What stands above the editor of the logic, while its tab is open: it is drawn, and says how high it is, in
    pixels; and what the editor shows while it is empty."""

    draw: Callable[[], int] = lambda: 0
    example: str = ""


def draw_two_editors(  # noqa: PLR0913 - two editors, each with its own texts, tab and marks
    texts: EditorTexts,
    keys: Keys,
    tabs: tuple[str, str],
    marks: tuple[Marks, Marks],
    *,
    shown: Shown,
    below: int,
    on_change: Callable[[], None],
    colours: Mapping[str, str],
    logic_help: LogicHelp | None = None,
) -> None:
    """Both editors, named as their tabs. `shown`: what both show besides their texts; only that of the rules brings a
    line into sight."""
    # The titles never change: a tab with another title is another tab to the browser, and would be left.
    rules, logic = st.tabs(tabs, key=f"{keys.logic}_tab", on_change="ignore" if logic_help is None else "rerun")
    with rules:
        draw_editor(
            tabs[0],
            replace(
                shown, text=texts.shown_rules, revision=texts.revision, sequence=texts.rules_sequence, marks=marks[0]
            ),
            key=keys.rules,
            below=below,
            on_change=on_change,
            colours=colours,
        )
    with logic:
        above = logic_help.draw() if logic_help is not None and logic.open else 0
        draw_editor(
            tabs[1],
            replace(
                shown,
                text=texts.logic,
                revision=texts.revision,
                sequence=texts.logic_sequence,
                marks=marks[1],
                reveal_line=1,
                reveal_nonce=0,
                example="" if logic_help is None else logic_help.example,
            ),
            key=keys.logic,
            below=below + above,
            on_change=on_change,
            language="toml",
        )
