"""The review in the browser: what it is sent, and what comes back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages._compare.drawing.canvas import asset_text
from pages._compare.drawing.style import STYLE as COMPARE
from pages._shared.catalog import ASSETS
from pages._shared.drawing.markup import STYLE as SHARED

KEYS = "J K: next and previous change. A: accept. R: reject. E: edit. U: undo, Shift+U: redo. Ctrl+S: save."
READING_KEYS = "J K: next and previous change."
# What is in the rule, or marked in the rule or the texts, and what it means.
LEGEND = (
    ("$*", "$* any words"),
    ("$+", "$+ one or more"),
    ("$?", "$? one word or none"),
    ("%", "% a number"),
    ("&", "& a sign"),
    ("BOS", "BOS start of a text"),
    ("EOS", "EOS end of a text"),
    ("<:>I-", "<:>I- continues the slot, alone it begins one"),
    (".rule .re2-new", "green: learned"),
    (".rule .re2-gone", "red: removed"),
    (".rule .re2-refused", "amber: refused there"),
    (".evidence .re2-hit", "underlined: matched"),
    (".evidence .re2-any", "dotted: any one word"),
    (".evidence .re2-span:not(.re2-wrong)", "box: new span"),
    (".evidence .re2-span.re2-wrong", "red dashes: incorrect span"),
)
# Where versions that people wrote are read, nothing was learned.
READING_LEGEND = tuple((mark, "green: added" if mark == ".rule .re2-new" else meaning) for mark, meaning in LEGEND)
COUNTED = "; fixed: fewer errors in the text, broken: more errors"  # where spans are counted
_TAGS = re.compile(r"</?style>")


def draw_review(
    data: Mapping[str, Any],
    *,
    key: str,
    on_act: Callable[[], None] | None = None,
    on_chosen: Callable[[], None] | None = None,
) -> str | None:
    """Draw the review; the rule that was chosen in it, None where none was yet. `on_act` is called when somebody
    decides, before the page is drawn; without it there is nothing to decide. `on_chosen`: when another is chosen."""
    sent = _component()(
        key=key,
        data={
            **data,
            "keys": READING_KEYS if on_act is None else KEYS,
            "legend": READING_LEGEND if on_act is None else LEGEND,
            "reading": on_act is None,
            "template": (ASSETS / "difference.html").read_text(encoding="utf-8"),
        },
        on_chosen_change=on_chosen or _nothing,
        on_acts_change=on_act or _nothing,
    )
    return getattr(sent, "chosen", None)


def _nothing() -> None:
    """Makes the key known to the component."""


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    css = _TAGS.sub("", SHARED + COMPARE) + asset_text("css", "viewport", "difference", "review")
    js = asset_text("js", "viewport", "difference", "review")
    html = (ASSETS / "review.html").read_text(encoding="utf-8")
    return st.components.v2.component("re2nn_review", html=html, css=css, js=js)
