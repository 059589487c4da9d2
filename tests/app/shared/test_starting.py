"""A page of a fresh server says that it starts, while what it imports is loaded."""

from __future__ import annotations

import gc
import importlib
import sys

import pytest
import streamlit as st

from pages._shared.catalog import ENTRIES, PROJECTS
from pages._shared.session import warming
from pages._shared.session.lazy_body import load_page


class Place:
    """Stands for a place on the page, and keeps what is shown in it."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def caption(self, text: str) -> None:
        self.shown.append(text)

    def empty(self) -> None:
        self.shown.append("")


def test_the_first_page_of_a_server_says_that_it_starts_while_it_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place()
    for entry in ENTRIES:
        load_page(entry)
    monkeypatch.setattr(st, "empty", lambda: place)
    load_page(PROJECTS)
    assert place.shown == [], "nothing is left to be loaded"
    monkeypatch.delitem(sys.modules, "pages._projects.cards")
    monkeypatch.setattr(importlib, "import_module", lambda name: place.shown.append(name))
    load_page(PROJECTS)
    assert (place.shown[0], place.shown[-1]) == ("Starting …", "")
    assert "pages._projects.cards" in place.shown


def test_what_is_loaded_for_good_is_not_looked_through_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(warming, "import_module", done.append)
    monkeypatch.setattr(gc, "freeze", lambda: done.append("frozen"))
    warming._load()
    assert done == [*warming.MODULES, "frozen"]
