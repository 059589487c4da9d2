"""From the texts that were chosen to the answers for them, in projects with labels and with slots."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from pages._predict.sources import Given, Gold
from pages._shared.cached.models import model_title
from pages._shared.drawing import messages
from pages._shared.session import state
from re2nn_core.services.values.stored import ProjectRecord

A = TypeVar("A")


def answer_texts(
    project: ProjectRecord,
    choose: Callable[[ProjectRecord], Given[Gold] | None],
    for_project: Callable[..., A],
    for_texts: Callable[..., A],
    *,
    files: str = "",
) -> tuple[A, Given[Gold]] | None:
    """The answers of the rules and the model that stand in the bar, and the texts; None where something went wrong,
    which is then shown. While no texts are chosen the page ends here; `files` tells what else files may hold."""
    version, model = state.current_version(project), state.current_model(project)
    with messages.guard("Opening the texts"):
        given = choose(project)
        if given is None:
            st.caption(
                f"Answered by {messages.plain(model_title(model))}: choose rule version and model in the bar above. "
                f"{files}Rows that cannot be read are named, with their line and the reason; all others are answered."
            )
            st.stop()
        with messages.guard("Answering the texts"):
            if given.of_project:
                return for_project(project, version, model.run), given
            return for_texts(given.texts, project, version, model.run), given
    return None
