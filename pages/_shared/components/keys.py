"""The keys of a page, as the help lists them. Streamlit takes c, r and Escape for itself."""

from __future__ import annotations

from collections.abc import Sequence

from pages._shared.drawing.markup import escape, html

Key = tuple[str, str]  # what to press, what it does

EVERYWHERE: tuple[Key, ...] = (("?", "help"), ("Tab", "next control"), ("Shift+Tab", "previous control"))


def show_keys(keys: Sequence[Key] = ()) -> None:
    """The page's keys, then those that work on every page."""
    rows = "".join(
        f'<tr><td><span class="re2-key">{escape(key)}</span></td><td>{escape(does)}</td></tr>'
        for key, does in (*keys, *EVERYWHERE)
    )
    html(f'<table class="re2-table">{rows}</table>')
