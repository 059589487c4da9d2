"""Parts of a page that run alone: fragments and dialogs. Each of them asks first whether what the page was drawn for
still holds; where it does not, the whole page is drawn anew, and the gate stands before it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, TypeVar, cast

import streamlit as st

from pages._shared.drawing import messages
from pages._shared.session import permission

Part = TypeVar("Part", bound=Callable[..., Any])


def fragment(*, run_every: float | None = None) -> Callable[[Part], Part]:
    """In place of `st.fragment`: a part of a page that clicks in it run alone. `run_every`: seconds."""

    def part(work: Part) -> Part:
        return st.fragment(_asking(work), run_every=run_every)

    return part


def wait_until(ready: Callable[[], bool], *, every_seconds: float) -> None:
    """Look again every so many seconds, and draw the whole page anew when it is ready. It shows nothing, so it asks for
    nobody."""

    def look() -> None:
        if ready():
            st.rerun()

    st.fragment(look, run_every=every_seconds)()


def dialog(title: str, *, width: Literal["small", "large", "medium"] = "small") -> Callable[[Part], Part]:
    """In place of `st.dialog`."""

    def part(work: Part) -> Part:
        return cast("Part", st.dialog(title, width=width)(_asking(work)))

    return part


def _asking(work: Part) -> Part:
    @wraps(work)
    def asked(*args: Any, **kwargs: Any) -> Any:
        with messages.guard():
            if not permission.holds(permission.now()):
                st.rerun()
            return work(*args, **kwargs)
        return None

    return cast("Part", asked)
