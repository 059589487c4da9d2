"""The switch that accepts a change, what the session knows of it, and the one for weights of the network."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.drawing.markup import html
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance


def is_accepted(key: str, *, against: bool) -> bool:
    """Whether a change is accepted: yes at first, unless something speaks `against` it. The session knows under `key`
    what was chosen by hand."""
    return bool(st.session_state.get(key, not against))


def draw_accept_switch(title: str, key: str, *, refused: bool = False, against: bool = False) -> None:
    """The switch of `is_accepted`. `refused`: the change cannot be accepted."""
    if refused:
        why = (
            "This rule was edited after training, and the whole change would undo that edit. Accept what "
            "still fits edit by edit below."
        )
        st.toggle(title, value=False, key=f"{key}_refused", disabled=True, help=why)
        return
    # The switch is drawn for the chosen rule alone, and would be forgotten with it; so its value is kept apart.
    switch = _switches(key)[against]  # one each, lest what the one remembers decide about the other
    st.toggle(title, value=is_accepted(key, against=against), key=switch, on_change=_keep, args=(key, switch))


def left_alone(accepted: Acceptance | None) -> frozenset[str]:
    """The rules that cannot be accepted."""
    return frozenset() if accepted is None else frozenset(name for name, _ in accepted.refused)


def _keep(key: str, switch: str) -> None:
    st.session_state[key] = st.session_state.get(switch, True)


def leave_out(keys: Sequence[str]) -> None:
    """Accept none of these changes."""
    for key in keys:
        st.session_state[key] = False
        for switch in _switches(key):
            if switch in st.session_state:
                st.session_state[switch] = False


def _switches(key: str) -> tuple[str, str]:
    """The switch of a change, and that of one that something speaks against."""
    return f"{key}_switch", f"{key}_although_switch"


def wants_weights(*, trained: bool) -> bool:
    """The switch for weights in a drawing; off, and it says why, where the network was trained from another form of the
    rule."""
    title = "Line width shows the change of weight"
    if trained:
        return st.toggle(title, key="compare_weights", persist_state="session")
    st.toggle(title, value=False, disabled=True, key="compare_no_weights")
    html(
        '<div class="re2-muted">This rule was edited after training, so the network has no weights for it. To '
        "see them, choose the version trained from at “Compare with”.</div>"
    )
    return False
