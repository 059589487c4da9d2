"""The live editor for rules and label logic, and a plain text area in its place for whoever prefers or
needs one.

The browser owns the text while somebody types. Python sends a text only under a new revision, and marks
together with the sequence number of the text they were made for, so a slow answer never moves the caret or
marks the wrong place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages._shared.catalog import ASSETS
from re2nn_core.errors import Fault

PLAIN = "plain_editor"
PLAIN_VARIABLE = "RE2NN_PLAIN_EDITOR"
_PLAIN_HEIGHT = 480


@dataclass(frozen=True)
class Note:
    """A number beside a line; a click on it gives `rule` back."""

    line: int
    text: str
    title: str
    rule: str
    bad: bool = False


@dataclass(frozen=True)
class Marks:
    """What the editor shows besides the text."""

    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Shown:
    """The text to show. A new revision puts `text` into the editor; `sequence` names the text marks belong
    to.

    The browser keeps what was typed for `base`, the version being edited, so that the last letters before a
    change of page or a reload are not lost. `token` tells this session from others, `dirty` whether it has
    edits already, `slots` whether rules capture slots. `example` is shown while the text is empty.
    """

    text: str
    revision: int
    sequence: int = 0
    marks: Marks = field(default_factory=Marks)
    reveal_line: int = 1
    reveal_nonce: int = 0
    base: int = 0
    token: str = ""
    dirty: bool = False
    slots: bool = False
    example: str = ""


@dataclass(frozen=True)
class Edited:
    """What came back: the text, the caret's line, and what was asked for by key or click."""

    text: str
    line: int
    sequence: int
    save: bool = False
    pick: str | None = None


@dataclass(frozen=True)
class Kept:
    """What the browser kept of an edit of version `base`, where another version is shown now."""

    text: str
    base: int


def plain() -> bool:
    """Whether the plain text area is wanted: by the switch on the page, or by the environment."""
    return bool(st.session_state.get(PLAIN, os.environ.get(PLAIN_VARIABLE, "") not in ("", "0")))


def latest(key: str, revision: int) -> Edited | None:
    """What the editor sent last, if it belongs to this revision. Known before the editor is drawn."""
    if plain():
        text = st.session_state.get(_plain_key(key, revision))
        return None if text is None else Edited(text, 0, 0)
    sent = st.session_state.get(key)
    if not sent:
        return None
    draft = sent.get("draft")
    if not isinstance(draft, Mapping) or draft.get("revision") != revision:
        return None
    return Edited(
        str(draft["text"]),
        int(draft["line"]),
        int(draft["sequence"]),
        bool(sent.get("save")),
        sent.get("pick"),
    )


def kept_by(key: str) -> Kept | None:
    """What the editor found when it was opened; told once."""
    sent = None if plain() else st.session_state.get(key)
    kept = sent.get("kept") if sent else None
    return Kept(str(kept["text"]), int(kept["base"])) if isinstance(kept, Mapping) else None


def draw_editor(
    label: str,
    shown: Shown,
    *,
    key: str,
    below: int,
    on_change: Callable[[], None],
    language: str = "rules",
    colours: Mapping[str, str] | None = None,
) -> None:
    """The editor. What it sends is read with `latest` at the top of the next run.

    It is as high as the window less `below` pixels.
    """
    if plain():
        name = _plain_key(key, shown.revision)
        st.session_state.setdefault(name, shown.text)
        st.text_area(
            label,
            key=name,
            height=_PLAIN_HEIGHT,
            label_visibility="collapsed",
            on_change=on_change,
            placeholder=shown.example or None,
        )
        return
    _component()(
        key=key,
        data={
            "label": label,
            "text": shown.text,
            "revision": shown.revision,
            "sequence": shown.sequence,
            "faults": [*_places(shown.marks.faults, "fault"), *_places(shown.marks.warnings, "warning")],
            "notes": [vars(note) for note in shown.marks.notes],
            "reveal": {"line": shown.reveal_line, "nonce": shown.reveal_nonce},
            "colours": dict(colours or {}),
            "language": language,
            "below": below,
            "dirty": shown.dirty,
            "slots": shown.slots,
            "example": shown.example,
            "base": shown.base,
            "token": shown.token,
            "storage": f"re2nn{key}",
        },
        on_draft_change=on_change,
        on_save_change=_nothing,
        on_pick_change=_nothing,
        on_kept_change=_nothing,
    )


def _plain_key(key: str, revision: int) -> str:
    return f"{key}_plain_{revision}"


def _places(faults: Sequence[Fault], kind: str) -> list[dict[str, Any]]:
    return [
        {
            "line": fault.line,
            "column": fault.column,
            "width": fault.width,
            "message": (f"{fault.where}: " if fault.where else "") + fault.message,
            "advice": fault.advice.partition("\n")[0],
            "kind": kind,
        }
        for fault in faults
    ]


def _nothing() -> None:
    """Callbacks make the keys known to the component; the page reads the values itself."""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    names = ("editor.html", "editor.css", "completion.js", "editor.js")
    html, css, completion, js = ((ASSETS / name).read_text(encoding="utf-8") for name in names)
    return st.components.v2.component("re2nn_editor", html=html, css=css, js=completion + js)
