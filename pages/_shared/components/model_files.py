"""The model of a finished training run as files to take along: the folder as ZIP, its card, and how to serve it."""

from __future__ import annotations

import streamlit as st

from pages._shared.components.downloads import download
from pages._shared.components.guide import learn_more
from pages._shared.resources import store
from re2nn_core.services.fine_tuning.model_archive import card_of, zip_model
from re2nn_core.services.fine_tuning.runs import number_of
from re2nn_core.services.values.stored import RunRecord


def draw_model_files(run: RunRecord) -> None:
    """A button for each file, and the commands that serve the downloaded model."""
    number = number_of(store(), run)
    name = f"run_{number}_model"  # not that of its folder here, which says nothing elsewhere
    card = card_of(run.folder, name)
    download(
        "Download model",
        lambda: zip_model(run.folder, name),
        f"{name}.zip",
        "application/zip",
        key=f"model_folder_{run.id}",
    )
    download(
        "Model card",
        card,
        f"run_{number}_README.md",
        "text/markdown",
        key=f"model_card_{run.id}",
        why_not=None if card else "A former version trained this run and wrote no card. Train again to get one.",
    )
    with st.popover("Serve this model", type="tertiary"):
        st.caption("Download the model, then run where it lies:")
        st.code(serve_commands(name), language="bash")
        learn_more("serve", "How to serve models")


def serve_commands(name: str) -> str:
    """What serves the model in the ZIP file of this name, and a request."""
    request = 'curl localhost:8600/v1/predict -d \'{"text": "..."}\''
    return f"unzip {name}.zip -d {name}\nre2nn serve --model {name}\n# in another terminal:\n{request}"
