"""Tables as files."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st


def csv_button(title: str, name: str, key: str, data: Callable[[], bytes]) -> None:
    """A button that hands a CSV file over, made when it is asked for."""
    st.download_button(
        title, data, file_name=f"{name}.csv", mime="text/csv", key=key, icon=":material/download:", on_click="ignore"
    )
