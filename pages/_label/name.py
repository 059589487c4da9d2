"""Who is labelling: asked once, where nobody has said it."""

from __future__ import annotations

import streamlit as st

from pages._shared.drawing.markup import escape, html
from pages._shared.session import access, state

_ASKED = "_label_name_asked"
_FIELD = "label_name"


def ask_name() -> None:
    """One line that asks for a name; gone once there is one, or once it is declined."""
    if is_named():
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="label_name_line"):
        html(
            f'<span class="re2-muted">Who is labelling? All who use the name “{escape(state.DEFAULT_PERSON)}” '
            "share one undo history.</span>",
            width="content",
        )
        st.text_input(
            'Your name', max_chars=80, key=_FIELD, placeholder='your name', on_change=_take, width=200,
            label_visibility="collapsed",
        )  # fmt: skip
        st.button(f"Continue as {state.DEFAULT_PERSON}", key="label_name_no", type="tertiary", on_click=_decline)


def is_named() -> bool:
    """Whether the person has signed in, has said who they are, or has declined to."""
    return access.person() is not None or state.person() != state.DEFAULT_PERSON or bool(st.session_state.get(_ASKED))


def _take() -> None:
    name = (st.session_state.get(_FIELD) or "").strip()
    if name:
        state.choose_person(name)


def _decline() -> None:
    st.session_state[_ASKED] = True
