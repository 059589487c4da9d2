"""The keys of a page, listed behind the "?" of the bar. Streamlit takes c, r and Escape for itself."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.drawing.markup import escape, html

Key = tuple[str, str]  # what to press, what it does

EVERYWHERE: tuple[Key, ...] = (("Tab", "next control"), ("Shift+Tab", "control before"))


def help_popover(keys: Sequence[Key] = ()) -> None:
    """A "?" that lists the page's keys, then those that work on every page."""
    with st.popover("?", help="Keys of this page"):
        rows = "".join(
            f'<tr><td><span class="re2-key">{escape(key)}</span></td><td>{escape(does)}</td></tr>'
            for key, does in (*keys, *EVERYWHERE)
        )
        html(f'<table class="re2-table">{rows}</table>')
