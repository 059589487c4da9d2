"""Letters that lead to a place of the page, so that nobody walks there by Tab, and where the focus goes on when what
had it is done with and gone: to the next thing to do, or to what says what was done.

A place is the key of a widget or container. In it the first is taken of: a table, a message that may have the focus
(`landing`), a button. A letter moves the focus and does nothing else; a button's own shortcut, which shows the letter,
is heard when the button has the focus already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages._shared.catalog import ASSETS

LAND = "_land"  # where the session keeps the number of landings, and the place of the last


def draw_jumps(letters: Mapping[str, Sequence[str]]) -> None:
    """What hears the letters (small ones): each leads to the first of its places that is on the page. Drawn outside of
    fragments, once a page."""
    number, place = st.session_state.get(LAND, (0, ""))
    data = {"letters": {letter: list(places) for letter, places in letters.items()}, "number": number, "place": place}
    _component()(key="_jumps", data=data, height=0)


def land(place: str) -> None:
    """After the rerun that is about to come the focus goes to this place, where it was moved by keys."""
    number, _ = st.session_state.get(LAND, (0, ""))
    st.session_state[LAND] = number + 1, place


def landing(body: str, kind: str = "") -> str:
    """A message as HTML that a jump may give the focus to; `body` is HTML already."""
    return f'<div class="re2-landing {kind}" tabindex="-1">{body}</div>'


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    return st.components.v2.component("re2nn_jumps", js=(ASSETS / "jumps.js").read_text(encoding="utf-8"))
