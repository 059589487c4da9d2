"""Keys that the browser hears itself, so that nobody types faster than the page: a key belongs to the text that is on
the screen, a digit and its Enter come as one message, and keys typed meanwhile wait for the next text.

The buttons keep their shortcuts, which show the keys; what is heard here does not reach them.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages._shared.catalog import ASSETS
from pages._shared.components.scripts import attached, draw_script

CHOOSE = "choose"


@dataclass(frozen=True)
class KeyPress:
    """A key, as the browser names it, and what it `does`, with which `value`. `gives`: it sends the chosen label.
    `sight`: it means nothing for a text that was not on the screen when it was typed."""

    key: str
    does: str
    value: str = ""
    gives: bool = False
    sight: bool = False


@dataclass(frozen=True)
class Typed:
    """What was typed, and on which text; None where none was shown. `number` is the message's own."""

    number: int
    text_id: int | None
    does: str
    value: str


def read_typed(sent: object) -> Typed | None:
    """The message; None for anything that the script cannot have sent."""
    if not isinstance(sent, Mapping) or not isinstance(sent.get("does"), str):
        return None
    number, text_id, value = sent.get("number"), sent.get("text_id"), sent.get("value", "")
    if not isinstance(number, int) or not isinstance(text_id, int | None) or not isinstance(value, str):
        return None
    return Typed(number, text_id, sent["does"], value)


@dataclass
class Heard:
    """The number of the last message that was dealt with, which the browser waits for. `session` shows it that the
    server was started anew, and knows of no message."""

    number: int = 0
    session: str = field(default_factory=lambda: secrets.token_hex(4))


def draw_ears() -> None:
    """What hears keys in the browser: drawn once a page, outside of the fragment that calls `hear`."""
    draw_script("strokes", ASSETS / "strokes.js")


def hear(
    place: str,
    text_id: int | None,
    key_presses: Sequence[KeyPress],
    do: Callable[[Typed], None],
    chosen: str | None = None,
) -> None:
    """Hear these keys for this text; `do` is called with what was typed before anything is drawn again. `place`: whose
    texts these are; `chosen`: the label that Enter would give."""
    key = f"_strokes_{place}"
    heard: Heard = st.session_state.setdefault(f"_heard_{place}", Heard())

    def on_typed() -> None:
        typed = read_typed((st.session_state.get(key) or {}).get("typed"))
        take(typed, heard, do)

    data = {
        "place": place,
        "text_id": text_id,
        "strokes": {
            one.key: {
                "does": one.does,
                "value": one.value,
                "chooses": one.does == CHOOSE,
                "gives": one.gives,
                "sight": one.sight,
            }
            for one in key_presses
        },
        "chosen": chosen,
        "seen": heard.number,
        "session": heard.session,
    }
    _component()(key=key, data=data, on_typed_change=on_typed)


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return attached("strokes", ASSETS / "strokes.html", ASSETS / "strokes.css")


def take(typed: Typed | None, heard: Heard, do: Callable[[Typed], None]) -> None:
    """Do what was typed, once: a message without an answer is sent again. Its number is kept only when it was done,
    because a key that comes meanwhile may break off what runs."""
    if typed is None or typed.number <= heard.number:
        return
    do(typed)
    heard.number = typed.number
