"""The store and what is kept beside it for all sessions of the server."""

from __future__ import annotations

import streamlit as st

from re2nn_core.jobs import recover
from re2nn_core.store import Store, default_database, open_store


def store() -> Store:
    """The open store, one a server. Runs whose process is gone are marked as lost when it is opened."""
    return _open(default_database())


@st.cache_resource(show_spinner=False, on_release=Store.close)
def _open(database: str) -> Store:
    opened = open_store(database)
    recover(opened)
    return opened
