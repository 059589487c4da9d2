"""The people of a team: added, given other roles and passwords, let in no more. Only owners do this, and everybody to
their own password."""

from __future__ import annotations

from dataclasses import dataclass, field

from re2nn_core.errors import InputError, NotAllowedError, SignInError
from re2nn_core.services.team.passwords import check_password, fits, hashed, random_password
from re2nn_core.services.team.people import AT_THE_MACHINE, check_role, require_role
from re2nn_core.store import (
    Account,
    Store,
    add_account,
    find_account,
    password_hash_of,
    set_password,
    set_role,
    shut_account,
)

_DOING = "manage people"


@dataclass(frozen=True)
class NewPassword:
    """An account and the password that was made for it, to be shown once; None for who signs in elsewhere."""

    account: Account
    password: str | None = field(repr=False)


def add_person(
    store: Store, name: str, role: str, *, email: str | None = None, oidc: bool = False, person: str
) -> NewPassword:
    """An account with a password made at random, or with `oidc` one without, for a verified address alone.

    NotAllowedError, InputError for a name, a role or an address that cannot be, ConflictError where one is taken.
    """
    require_role(store, person, "owner", _DOING)
    checked = check_role(role)
    if name.strip().casefold() == AT_THE_MACHINE:
        raise InputError(
            f"{AT_THE_MACHINE!r} is reserved: it stands for the command line in the log. Choose another name."
        )
    if oidc and not email:
        raise InputError("Who signs in by OpenID Connect is known by an address. Give it: --email name@example.org")
    password = None if oidc else random_password()
    kept = None if password is None else hashed(password)
    account = add_account(store, name=name, role=checked, password_hash=kept, email=email or None, person=person)
    return NewPassword(account, password)


def change_role(store: Store, name: str, role: str, *, person: str) -> Account:
    """Give somebody another role; ConflictError where nobody would be an owner any more."""
    require_role(store, person, "owner", _DOING)
    return set_role(store, name, check_role(role), person=person)


def new_password(store: Store, name: str, *, person: str) -> NewPassword:
    """Give somebody a new password made at random; wherever they are signed in they have to sign in again."""
    require_role(store, person, "owner", _DOING)
    password = random_password()
    return NewPassword(set_password(store, name, hashed(password), person=person), password)


def remove_person(store: Store, name: str, *, person: str) -> Account:
    """Let somebody in no more. Their name stays in the log and at all they did; ConflictError for the last owner."""
    require_role(store, person, "owner", _DOING)
    return shut_account(store, name, person=person)


def change_own_password(store: Store, former: str, new: str, *, person: str, keep: int | None = None) -> None:
    """Another password of one's own choice; all sign-ins but `keep` end. SignInError where `former` is not right,
    InputError for a new one that is too weak. NotAllowedError where nobody has an account."""
    require_role(store, person, "annotator", "change a password")
    account = find_account(store, person)
    if account is None:
        raise NotAllowedError("Nobody has an account here, so there is no password to change.")
    if not account.has_password:
        raise InputError(f"{account.name} signs in by {account.email}, without a password. There is none to change.")
    if not fits(former, password_hash_of(store, account.id)):
        raise SignInError("The password you have now is another one. Nothing was changed.")
    check_password(new, account.name, former)
    set_password(store, account.name, hashed(new), person=account.name, keep=keep)
