"""A table that is walked through: a click anywhere in a row chooses it, and so do the arrow keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st

_ROW_PIXELS = 38


def walk_rows(
    columns: Mapping[str, Sequence[Any]],
    *,
    key: str,
    config: Mapping[str, Any],
    height: int | str = "auto",
) -> int | None:
    """The number of the row whose cell is chosen, or None. `columns` all have the same length."""
    shown = st.dataframe(
        pd.DataFrame({name: list(values) for name, values in columns.items()}),
        key=key,
        height=height,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        column_config=dict(config),
    )
    cells = shown["selection"]["cells"]
    count = len(next(iter(columns.values()), ()))
    row = int(cells[0][0]) if cells else None
    return row if row is not None and row < count else None


def table_height(rows: int, most: int) -> int | Literal["content"]:
    """As high as its rows, where these are few; else `most` pixels, in which it is scrolled."""
    return "content" if rows * _ROW_PIXELS < most else most


def percent_column(title: str, **options: Any) -> Any:
    """Shares from 0 to 100 as a bar with a whole number."""
    return st.column_config.ProgressColumn(title, format="%d%%", min_value=0, max_value=100, **options)
