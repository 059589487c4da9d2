"""Who may do what: roles, and the check that every service makes before it changes something."""

from __future__ import annotations

from typing import Literal

from re2nn_core.store import Store

Role = Literal["annotator", "reviewer", "owner"]
# From the least to the most; each may do what those before it may.
ROLES: tuple[Role, ...] = ("annotator", "reviewer", "owner")


def role_of(store: Store, person: str) -> Role:
    """The role of a person. Where nobody has an account, a typed name is enough and everybody is an owner."""
    return "owner"


def require_role(store: Store, person: str, role: Role, doing: str) -> None:
    """Raise NotAllowedError where the person's role is below `role`. `doing` completes "… may not": "open a queue"."""
