"""Rules and logic as files: taken along as the editors show them, and opened in the editors."""

from __future__ import annotations

import streamlit as st

from pages._rules.draft import change_draft
from pages._shared.components.downloads import download
from pages._shared.drawing import messages
from re2nn_core.services.rule_writing.draft import Draft, put_file
from re2nn_core.services.values.stored import ProjectRecord


def draw_rule_files(project: ProjectRecord, draft: Draft) -> None:
    """The button that opens them."""
    with st.popover("Files", icon=":material/folder_open:"):
        download("Download rules", draft.rules_text, "rules.txt", "text/plain", key="rules_download_rules")
        download("Download logic", draft.logic_text, "logic.toml", "application/toml", key="rules_download_logic")
        given = st.file_uploader(
            "Open a file",
            type=["txt", "toml"],
            key="rules_open",
            help="Rules (.txt) or logic (.toml) replace those in the editor. Nothing is saved before you save.",
        )
        if given is None:
            return
        content = given.getvalue()
        with messages.guard("Reading the file"):
            put_file(draft, content, given.name)  # what cannot be read is reported here, not on the click
            st.button(
                f"Open {given.name} in the editor",
                key="rules_open_use",
                type="primary",
                on_click=_put,
                args=(project.id, content, given.name),
            )


def _put(project_id: int, content: bytes, name: str) -> None:
    change_draft(project_id, lambda draft: put_file(draft, content, name))
