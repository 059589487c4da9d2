"""The application under test: its own store in a temporary folder, and the plain editor, which AppTest can drive."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from app_studio import ROOT, Studio

from re2nn_core.services.projects import open_sample
from re2nn_core.store import (
    HOME_VARIABLE,
    ProjectRecord,
    Store,
    create_project,
    default_store_path,
    open_store,
)
from re2nn_core.text.corpus import Corpus, Example

if str(ROOT) not in sys.path:
    # `streamlit run` puts the folder of app.py there; pages import their shared parts from it.
    sys.path.insert(0, str(ROOT))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty store that nobody else sees; what the application has opened is closed at the end."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    monkeypatch.setenv("RE2NN_PLAIN_EDITOR", "1")
    yield tmp_path
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with open_store(default_store_path()) as opened:
        yield opened


@pytest.fixture
def sample(store: Store) -> ProjectRecord:
    return open_sample(store, "flight_intents", "tester")


RULES = """\
@place@=( rome | paris | new york )

[flight]
fly := $* ( fly | flight ) $*
to_place := $* to @place@ $*     // too broad

[baggage]
bag := $* ( bag | bags ) $*
lost := $* lost $*
"""
LOGIC = 'priorities = ["baggage > flight"]\n'
TEXTS = (
    ("book a flight to rome", "flight"),
    ("fly me to paris", "flight"),
    ("to new york please", "flight"),
    ("my bag is lost", "baggage"),
    ("bags to rome", "baggage"),
    ("where is my suitcase", "baggage"),
    ("lost in paris", "flight"),
    ("good morning", None),
)


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    """A small project whose figures can be counted by hand."""
    return create_project(
        store,
        name="Small",
        examples=Corpus(tuple(Example(text, label) for text, label in TEXTS)),
        rules_text=RULES,
        logic_text=LOGIC,
        author="tester",
    )


@pytest.fixture
def studio() -> Studio:
    return Studio()
