"""A table that is walked through: a click anywhere in a row chooses it, and so do the arrow keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

_ROW = 33  # pixels of a row of `st.dataframe` at the font size of the application


def height_of(rows: int, most: float = 10) -> int:
    """The height of a table in pixels: of all its rows, or of so many and a half, which shows that there are more."""
    return round(_ROW * (1 + (rows if rows <= most else most + 0.5))) + 2


def walk_rows(
    columns: Mapping[str, Sequence[Any]],
    *,
    key: str,
    config: Mapping[str, Any],
    height: int | str = "auto",
    first: bool = False,
) -> int | None:
    """The number of the row whose cell is chosen, or None; with `first` the first one is chosen and marked before any
    other is. `columns` all have the same length."""
    count = len(next(iter(columns.values()), ()))
    default: Any = {"selection": {"cells": [(0, next(iter(columns)))]}} if first and count else None
    shown = st.dataframe(
        pd.DataFrame({name: list(values) for name, values in columns.items()}),
        key=key,
        height=height,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        selection_default=default,
        column_config=dict(config),
    )
    cells = shown["selection"]["cells"]
    row = int(cells[0][0]) if cells else None
    return row if row is not None and row < count else None
