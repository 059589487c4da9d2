"""The field for a sentence: the example at first; what somebody types stays when another rule is chosen, and is in the
other field of the kind too when the page is drawn next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages._shared.session import state

_HELP = "Your sentence is kept when you choose another rule. Clear the field to return to the examples."


@dataclass(frozen=True)
class _Own:
    """What was typed. `keys`: the fields that show it under the key that they had when it was typed."""

    text: str
    keys: Mapping[str, str]
    number: int


def sentence_field(place: Any, title: str, example: str, *, field: str, placeholder: str | None = None) -> str:
    """Draw the field at a place of the page and return its value; `field` is its own name."""
    kept = f"_own_sentence_{state.project_id()}"
    own: _Own | None = st.session_state.get(kept)
    key, shown = f"{field}_{hash(example)}", example
    if own is not None:
        key, shown = own.keys.get(field, f"{field}_own_{own.number}"), own.text
    text = place.text_input(
        title,
        shown,
        key=key,
        max_chars=2_000,
        placeholder=placeholder,
        help=_HELP,
        on_change=_keep,
        args=(kept, field, key),
    )
    return text or ""


def _keep(kept: str, field: str, key: str) -> None:
    text = st.session_state.get(key) or ""
    if not text.strip():
        st.session_state.pop(kept, None)
        return
    before: _Own | None = st.session_state.get(kept)
    number = 0 if before is None else before.number
    st.session_state[kept] = _Own(text, {field: key}, number + 1)
