"""A text of the project to begin with."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages._shared.resources import store
from re2nn_core.services.projects.stored_projects import list_texts
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.tokenization import Tokenization, words

_LOOKED_AT = 2_000
_LONGEST = 110  # signs: the words are shown in one line
Accepts = Callable[[tuple[str, ...]], bool]


def example_for(
    project: ProjectRecord, rules_text: str, name: str, accepts: Accepts | None, tokenization: Tokenization
) -> str:
    """The first short text that the machine of this name accepts, else the project's first short one; `accepts` None
    where there is no machine."""
    key = f"_example_{name}_{project.id}_{hash(rules_text)}"
    if key not in st.session_state:
        st.session_state[key] = _find(project, accepts, tokenization)
    return str(st.session_state[key])


def _find(project: ProjectRecord, accepts: Accepts | None, tokenization: Tokenization) -> str:
    texts = [record.text for record in list_texts(store(), project.id, limit=_LOOKED_AT)]
    short = [text for text in texts if len(text) <= _LONGEST]
    if accepts is not None:
        for text in short:
            if accepts(words(text, tokenization)):
                return text
    return short[0] if short else ""
