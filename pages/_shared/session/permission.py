"""What the person in front of the page was allowed when it was drawn, and whether that still holds.

A full run passes the gate. What comes after it without one, a fragment, a dialog, a file that is made on a click,
asks here first.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages._shared.resources import store
from pages._shared.session import access
from re2nn_core.errors import NotAllowedError
from re2nn_core.services.team import sign_in as signing
from re2nn_core.services.team.annotations import may_see_annotations
from re2nn_core.services.team.people import Role, reaches, role_of_person
from re2nn_core.services.team.stored_people import has_accounts
from re2nn_core.services.values.stored import ProjectRecord

_PERMISSION = "_permission"


@dataclass(frozen=True)
class Permission:
    """`person` is None where a typed name is enough, `sign_in` where a provider vouches for somebody; `sees`: whether
    the labels of others are shown in the project."""

    person: str | None = None
    sign_in: int | None = None
    role: Role = "owner"
    project_id: int | None = None
    sees: bool = True


def begin(project: ProjectRecord | None) -> None:
    """Keep what the page that is being drawn may show; the bar calls this."""
    found = access.visitor()
    if found is None:
        st.session_state[_PERMISSION] = Permission()
        return
    person, project_id = found.account.name, None if project is None else project.id
    role = role_of_person(store(), person)
    sign_in = None if found.sign_in is None else found.sign_in.id
    st.session_state[_PERMISSION] = Permission(person, sign_in, role, project_id, _sees(role, project_id, person))


def now() -> Permission:
    """What the page was drawn for; for a page without the bar, what holds where a typed name is enough."""
    permission: Permission = st.session_state.get(_PERMISSION, Permission())
    return permission


def holds(was: Permission) -> bool:
    """Whether nothing of it has changed: signed in, not removed, the same role, blind as before. Asks the database
    alone, so that it can be called without a page."""
    if was.person is None:
        return not has_accounts(store())
    if was.sign_in is not None and signing.still_in(store(), was.sign_in) is None:
        return False
    try:
        role = role_of_person(store(), was.person)
    except NotAllowedError:
        return False
    return role == was.role and _sees(role, was.project_id, was.person) == was.sees


def _sees(role: Role, project_id: int | None, person: str) -> bool:
    if project_id is None or reaches(role, "reviewer"):
        return True
    return may_see_annotations(store(), project_id, person)
