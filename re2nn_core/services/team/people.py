"""Who may do what: roles, and the check that every service makes before it changes something."""

from __future__ import annotations

from typing import Literal, get_args

from re2nn_core.errors import InputError, NotAllowedError
from re2nn_core.store import Store, find_account, has_accounts, list_accounts

Role = Literal["annotator", "reviewer", "owner"]
# From the least to the most; each may do what those before it may.
ROLES: tuple[Role, ...] = get_args(Role)
# Who works at the command line without saying a name. Whoever does reaches the database itself, so there is nothing to
# check; no account may have this name, and where there are accounts nobody comes to a page under another one.
AT_THE_MACHINE = "command line"


def check_role(role: str) -> Role:
    """The role of a word; InputError names the ones that there are."""
    if role not in ROLES:
        raise InputError(f"There is no role {role!r}. The roles are: {', '.join(ROLES)}.")
    return role


def role_of_person(store: Store, person: str) -> Role:
    """The role of a person. Where nobody has an account, a typed name is enough and everybody is an owner.

    NotAllowedError where others have accounts and this person has none.
    """
    if person == AT_THE_MACHINE or not has_accounts(store):
        return "owner"
    account = find_account(store, person)
    if account is None or not account.active:
        who = repr(person) if person else "who gives no name"
        raise NotAllowedError(f"Nobody {'named ' if person else ''}{who} has an account. {_owners(store)}")
    return check_role(account.role)


def require_role(store: Store, person: str, role: Role, doing: str) -> None:
    """Raise NotAllowedError where the person's role is below `role`. `doing` completes "… may not": "open a queue"."""
    has = role_of_person(store, person)
    if not reaches(has, role):
        raise NotAllowedError(f"{person} may not {doing}: {role_refusal(has, role)} {_owners(store)}")


def reaches(has: Role, role: Role) -> bool:
    """Whether who has one role may do what takes another."""
    return ROLES.index(has) >= ROLES.index(role)


def role_refusal(has: Role, role: Role) -> str:
    """Why a role is not enough, as the end of a sentence."""
    needed = "an owner" if role == "owner" else f"{'an' if role == 'annotator' else 'a'} {role} or an owner"
    return f"it takes {needed}, and the role here is {has}."


def _owners(store: Store) -> str:
    names = [account.name for account in list_accounts(store) if account.active and account.role == "owner"]
    return f"Ask an owner: {', '.join(names)}."
