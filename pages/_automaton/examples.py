"""A text of the project that the machine accepts, to begin with."""

from __future__ import annotations

import streamlit as st

from pages._automaton.choose import Chosen
from pages._shared.resources import store
from re2nn_core.services.systems import RuleSystem
from re2nn_core.store import ProjectRecord, list_texts
from re2nn_core.text.tokenization import words

_LOOKED_AT = 2_000
_LONGEST = 140


def example_for(project: ProjectRecord, system: RuleSystem, chosen: Chosen) -> str:
    """The first short text that the machine accepts, else the project's first text."""
    key = f"_example_{chosen.view.name}_{project.id}_{hash(system.rules_text)}"
    if key not in st.session_state:
        st.session_state[key] = _find(project, chosen)
    return str(st.session_state[key])


def _find(project: ProjectRecord, chosen: Chosen) -> str:
    texts = [record.text for record in list_texts(store(), project.id, limit=_LOOKED_AT)]
    short = [text for text in texts if len(text) <= _LONGEST]
    machine = chosen.view.exact or chosen.view.pseudo
    if machine is not None:
        for text in short:
            if machine.accepts(words(text, project.tokenization)):
                return text
    return short[0] if short else ""
