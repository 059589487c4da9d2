"""Where the session keeps the edit in hand of each project, so that it survives a look at another page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from pages._shared.components.editor import plain
from pages._shared.components.two_editors import Kept, Keys, Sent, take_edits, take_sent
from pages._shared.resources import store
from pages._shared.session.state import draft_key
from re2nn_core.errors import NotFoundError
from re2nn_core.services.projects.stored_projects import version_by_number
from re2nn_core.services.rule_writing.draft import Draft, begin_draft, follow, resume
from re2nn_core.services.values.stored import RuleVersion


def editor_keys(project_id: int) -> Keys:
    """The keys of the project's editors."""
    return Keys(f"_rules_editor_{project_id}", f"_logic_editor_{project_id}")


@dataclass(frozen=True)
class Saving:
    """What a version is to say of itself, and the reason to save it although these sentences fail."""

    message: str = ""
    although: str = ""
    failures: frozenset[str] = frozenset()


def conflict_key(project_id: int) -> str:
    """Where the session keeps the Saving of the version that was to be saved, while a newer one stands against the
    draft."""
    return f"_conflict_{project_id}"


def draft_of(project_id: int) -> Draft:
    """The project's draft, which has begun."""
    draft: Draft = st.session_state[draft_key(project_id)]
    return draft


def keep(draft: Draft) -> Draft:
    """Keep the draft in the session."""
    st.session_state[draft_key(draft.project_id)] = draft
    return draft


def change_draft(project_id: int, change: Callable[[Draft], Draft]) -> None:
    """Change the project's draft: for the callbacks of buttons and editors."""
    keep(change(draft_of(project_id)))


def keep_edits(project_id: int) -> None:
    """Accept what the editors sent; called by them, also at a change of page."""
    change_draft(
        project_id, lambda draft: replace(draft, editors=take_sent(draft.editors, editor_keys(project_id)).texts)
    )


def take_draft(version: RuleVersion, newest: int) -> tuple[Draft, Sent]:
    """The draft of a version's project at the top of a run, and what its editors have sent. A draft without
    edits follows the version chosen in the bar."""
    project_id = version.project_id
    if draft_key(project_id) not in st.session_state:
        keep(begin_draft(version, newest, plain=plain()))
    draft = follow(draft_of(project_id), version, newest)
    sent = take_edits(draft.editors, editor_keys(project_id))
    return keep(_resumed(replace(draft, editors=sent.texts), sent.kept)), sent


def _resumed(draft: Draft, kept: tuple[Kept | None, Kept | None]) -> Draft:
    """The draft with what the browser kept of an edit that a newer version, or a new session, has cut off."""
    base = next((one.base for one in kept if one is not None), None)
    if base is None:
        return draft
    try:
        version = version_by_number(store(), draft.project_id, base)
    except NotFoundError:  # of another project that had this number before
        return draft
    texts = (None if one is None or one.base != base else one.text for one in kept)
    resumed = resume(draft, version, *texts)
    if resumed is None:
        return draft
    st.session_state[conflict_key(draft.project_id)] = Saving()
    st.toast(f"Your unsaved edits of rules v{base} were restored.", icon=":material/restore:")
    return resumed
