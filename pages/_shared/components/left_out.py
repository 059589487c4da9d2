"""Rows of a file that were left out: why, kind by kind, and every one of them for whoever mends the file."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.components.downloads import download
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.option_names import in_page_words
from re2nn_core.exchange.tables.table import BadRow
from re2nn_core.services.projects.left_out import LeftOutKind, kinds_left_out, render_left_out
from re2nn_core.text.counting import counted

_KINDS = 8
_LINES = 6
_LISTED = 500
_HEIGHT = 260


def draw_left_out(bad_rows: Sequence[BadRow], name: str, key: str, *, folded: bool = True) -> None:
    """A box with the reasons; where it cannot hold all rows a list and a file that do, the list folded away. `name` is
    that of the file."""
    if not bad_rows:
        return
    kinds = kinds_left_out(bad_rows)
    rows = "1 row is" if len(bad_rows) == 1 else f"{len(bad_rows):,} rows are"
    lines = "".join(f"<li>{_kind(kind)}</li>" for kind in kinds[:_KINDS])
    more = f"<li>and {counted(len(kinds) - _KINDS, 'other reason')}</li>" if len(kinds) > _KINDS else ""
    html(f'<div class="re2-warn">{rows} left out:<ul>{lines}{more}</ul></div>')
    if len(bad_rows) > len(kinds) or len(kinds) > _KINDS:
        title = f"All {len(bad_rows):,} rows that are left out"
        with st.expander(title) if folded else st.container():
            _draw_all(bad_rows, name, key)


def _kind(kind: LeftOutKind) -> str:
    first, *others = kind.lines
    message = f"line {first:,}: {escape(in_page_words(kind.reason))}"
    if not others:
        return message
    named = ", ".join(f"{line:,}" for line in others[:_LINES]) + (" …" if len(others) > _LINES else "")
    return f"{message} <b>The same for {len(others):,} more</b>, on line{'' if len(others) == 1 else 's'} {named}"


def _draw_all(bad_rows: Sequence[BadRow], name: str, key: str) -> None:
    with st.container(height=_HEIGHT, border=False):
        lines = "".join(f"<li>{escape(in_page_words(str(bad)))}</li>" for bad in bad_rows[:_LISTED])
        rest = len(bad_rows) - _LISTED
        html(f"<ul>{lines}</ul>" + (f'<div class="re2-muted">and {rest:,} more, in the file</div>' if rest > 0 else ""))
    download(
        "Lines and reasons as a file",
        lambda: render_left_out(bad_rows),
        f"{name}_left_out.csv",
        "text/csv",
        key=f"left_out_{key}",
    )
