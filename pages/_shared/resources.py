"""The store and what is kept beside it for all sessions of the server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

import streamlit as st

from re2nn_core.errors import UnavailableError
from re2nn_core.services.fine_tuning.stored_runs import recover
from re2nn_core.services.projects.stored_projects import default_database, open_store
from re2nn_core.services.team.stored_people import has_accounts
from re2nn_core.services.values.stored import DATABASE_VARIABLE, HOME_VARIABLE, Store

Named = tuple[str | None, str | None]
LOOK_AGAIN_SECONDS = 2.0  # all sessions together ask a database that is away no more often


@dataclass
class _Stores:
    """The open stores, each under what the environment said. `away_at`: the moment of the clock when the database was
    last found away."""

    opened: dict[Named, Store] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)
    looking: Lock = field(default_factory=Lock)
    away_at: float | None = None

    def open(self, named: Named) -> Store:
        with self.lock:
            if named not in self.opened:
                opened = open_store(default_database())
                recover(opened)
                self.opened[named] = opened
            return self.opened[named]

    def close(self) -> None:
        for opened in self.opened.values():
            opened.close()


def database_is_a_server() -> bool:
    """Whether the store is on a server, and no file of this machine."""
    name, mark, _ = default_database().partition("://")
    return bool(mark) and not name.startswith("sqlite")


def database_predictions() -> bool:
    """Whether the database answers, as of a moment ago."""
    stores = _stores()
    with stores.looking:
        if stores.away_at is None or monotonic() - stores.away_at >= LOOK_AGAIN_SECONDS:
            try:
                has_accounts(store())
                stores.away_at = None
            except UnavailableError:
                stores.away_at = monotonic()
        return stores.away_at is None


def store() -> Store:
    """The open store, one a server. Runs whose process has ended are marked as lost when it is opened."""
    # Asked for many times a run: what the environment says is compared, and not looked up in the file system each time.
    named = os.environ.get(DATABASE_VARIABLE), os.environ.get(HOME_VARIABLE)
    stores = _stores()
    return stores.opened.get(named) or stores.open(named)


@st.cache_resource(show_spinner=False, on_release=_Stores.close)
def _stores() -> _Stores:
    return _Stores()
