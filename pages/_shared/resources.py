"""The store and what is kept beside it for all sessions of the server."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from re2nn_core.jobs import recover
from re2nn_core.store import Store, default_store_path, open_store


def store() -> Store:
    """The open store, one a server. Runs whose process is gone are marked as lost when it is opened."""
    return _open(default_store_path())


@st.cache_resource(show_spinner=False, on_release=Store.close)
def _open(path: Path) -> Store:
    opened = open_store(path)
    recover(opened)
    return opened
