"""Accounts: who may sign in, with what role. Each change is reported in the log, and none of it holds a secret."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from re2nn_core.errors import ConflictError, InputError, NotFoundError
from re2nn_core.store.assignments import free_seats_of
from re2nn_core.store.checks import check_line, check_person, now, unstorable
from re2nn_core.store.engine.database import Store
from re2nn_core.store.log.events import Event, append_event
from re2nn_core.store.schema import EMAIL_LENGTH, AccountRow, EventRow, SignInRow

OWNER = "owner"
ACCOUNT_COLUMNS = (
    AccountRow.id,
    AccountRow.name,
    AccountRow.role,
    AccountRow.email,
    AccountRow.active,
    AccountRow.password_hash.is_not(None).label("has_password"),
    AccountRow.created_at,
)


@dataclass(frozen=True)
class Account:
    """Who may sign in. Without a password it is by `email` alone, which a provider has verified."""

    id: int
    name: str
    role: str
    email: str | None
    active: bool
    has_password: bool
    created_at: datetime


def name_key(name: str) -> str:
    """What two names that count as the same have in common."""
    return unicodedata.normalize("NFKC", name.strip()).casefold()


def check_email(email: str) -> str:
    """An address as it is kept: in small letters. InputError for what cannot be one."""
    line = check_line(email, "the email address", EMAIL_LENGTH).lower()
    before, at, behind = line.partition("@")
    if not (before and at and "." in behind.strip(".")) or any(sign.isspace() for sign in line) or "@" in behind:
        raise InputError(f"{email!r} is no email address. Write it as name@example.org.")
    return line


def has_accounts(store: Store) -> bool:
    """Whether anybody has an account; as long as nobody has, a typed name is enough on this machine."""
    with store.reading() as connection:
        return connection.execute(select(AccountRow.id).limit(1)).first() is not None


def list_accounts(store: Store) -> tuple[Account, ...]:
    """All accounts by name, those that are shut too."""
    with store.reading() as connection:
        return tuple(
            account_from_row(row) for row in connection.execute(select(*ACCOUNT_COLUMNS).order_by(AccountRow.name_key))
        )


def find_account(store: Store, name: str) -> Account | None:
    """The account of a name in any case of letters, shut or not."""
    if unstorable(name):
        return None
    with store.reading() as connection:
        return _found(connection, AccountRow.name_key == name_key(name))


def account_of_email(store: Store, email: str) -> Account | None:
    """The account that an address stands in, shut or not."""
    if unstorable(email):
        return None
    with store.reading() as connection:
        return _found(connection, AccountRow.email == email.strip().lower())


def password_hash_of(store: Store, account_id: int) -> str | None:
    """What a password is compared with; it goes nowhere else."""
    with store.reading() as connection:
        return connection.execute(select(AccountRow.password_hash).where(AccountRow.id == account_id)).scalar()


def add_account(
    store: Store, *, name: str, role: str, password_hash: str | None, email: str | None = None, person: str
) -> Account:
    """A new account, or one that was shut opened again under the same name. ConflictError where the name or the address
    is taken, and where the first account is no owner's."""
    name, email = check_person(name, "the name"), None if email is None else check_email(email)
    values = {"name": name, "role": role, "email": email, "password_hash": password_hash, "active": True}
    with store.writing() as connection:
        former = _found(connection, AccountRow.name_key == name_key(name))
        if former is not None and former.active:
            raise ConflictError(f"There is already an account named {former.name!r}. Choose another name.")
        if role != OWNER and not _owners(connection):
            raise ConflictError(
                f"The first account must be an owner's, and {name!r} would be {_a(role)}. Make an owner first: "
                "re2nn users add NAME --role owner"
            )
        _refuse_taken(connection, email, None if former is None else former.id)
        if former is None:
            row = {**values, "name_key": name_key(name), "created_at": now()}
            account_id = connection.execute(insert(AccountRow).values(row).returning(AccountRow.id)).scalar_one()
        else:
            account_id = former.id
            connection.execute(update(AccountRow).where(AccountRow.id == account_id).values(values))
        _report(connection, person, name, "added", role=role, email=email)
        return _read(connection, account_id)


def set_role(store: Store, name: str, role: str, *, person: str) -> Account:
    """Give somebody another role. ConflictError where nobody would be an owner any more."""
    with store.writing() as connection:
        account = _named(connection, name)
        if role != OWNER:
            _keep_an_owner(connection, account, f"made {_a(role)}")
        connection.execute(update(AccountRow).where(AccountRow.id == account.id).values(role=role))
        _report(connection, person, account.name, "role", role=role, before=account.role)
        return _read(connection, account.id)


def set_password(store: Store, name: str, password_hash: str, *, person: str, keep: int | None = None) -> Account:
    """Give somebody another password, and end all their sign-ins but `keep`."""
    with store.writing() as connection:
        account = _named(connection, name)
        connection.execute(update(AccountRow).where(AccountRow.id == account.id).values(password_hash=password_hash))
        others = delete(SignInRow).where(SignInRow.account_id == account.id)
        connection.execute(others if keep is None else others.where(SignInRow.id != keep))
        _report(connection, person, account.name, "password")
        return _read(connection, account.id)


def renew_hash(store: Store, account_id: int, former: str, password_hash: str) -> None:
    """Keep the same password under a stronger hash; the log does not speak of it. Nothing is done where the password
    was changed meanwhile."""
    this = (AccountRow.id == account_id, AccountRow.password_hash == former)
    with store.writing() as connection:
        connection.execute(update(AccountRow).where(*this).values(password_hash=password_hash))


def shut_account(store: Store, name: str, *, person: str) -> Account:
    """Let somebody in no more, from now on; the name stays, since the log has it. The texts in their hands, in whatever
    project, go to others at once. ConflictError for the last owner."""
    with store.writing() as connection:
        account = _named(connection, name)
        _keep_an_owner(connection, account, "removed")
        this = update(AccountRow).where(AccountRow.id == account.id)
        connection.execute(this.values(active=False, password_hash=None, email=None))
        connection.execute(delete(SignInRow).where(SignInRow.account_id == account.id))
        free_seats_of(connection, account.name)
        _report(connection, person, account.name, "removed")
        return _read(connection, account.id)


def people_events(store: Store, *, limit: int = 50) -> tuple[Event, ...]:
    """What was done to accounts, the newest in front; `value` is whose, `data["did"]` what."""
    query = select(EventRow.__table__).where(EventRow.kind == "person", EventRow.project_id.is_(None))
    with store.reading() as connection:
        rows = connection.execute(query.order_by(EventRow.id.desc()).limit(limit)).all()
    return tuple(Event(row.id, row.kind, row.person, row.created_at, None, row.value, row.data) for row in rows)


def _report(connection: Connection, person: str, name: str, did: str, **more: Any) -> None:
    logged = {"did": did, **{key: value for key, value in more.items() if value is not None}}
    append_event(connection, None, "person", person=person, value=name, data=logged)


def _found(connection: Connection, where: Any) -> Account | None:
    row = connection.execute(select(*ACCOUNT_COLUMNS).where(where)).one_or_none()
    return None if row is None else account_from_row(row)


def _read(connection: Connection, account_id: int) -> Account:
    return account_from_row(connection.execute(select(*ACCOUNT_COLUMNS).where(AccountRow.id == account_id)).one())


def _named(connection: Connection, name: str) -> Account:
    account = _found(connection, AccountRow.name_key == name_key(name))
    if account is None or not account.active:
        known = connection.execute(select(AccountRow.name).where(AccountRow.active).order_by(AccountRow.name_key))
        there = ", ".join(known.scalars().all()) or "none"
        raise NotFoundError(f"Nobody named {name!r} has an account. There are: {there}.")
    return account


def _owners(connection: Connection) -> list[int]:
    """The ids of those who are owners; held until the transaction is over, so that two do not lower one another."""
    query = select(AccountRow.id).where(AccountRow.role == OWNER, AccountRow.active).with_for_update()
    return list(connection.execute(query).scalars())


def _keep_an_owner(connection: Connection, account: Account, done: str) -> None:
    if account.role == OWNER and not set(_owners(connection)) - {account.id}:
        raise ConflictError(
            f"{account.name} is the last owner and cannot be {done}. Make somebody else an owner first: "
            "re2nn users role NAME owner"
        )


def _refuse_taken(connection: Connection, email: str | None, besides: int | None) -> None:
    if email is None:
        return
    other = _found(connection, AccountRow.email == email)
    if other is not None and other.id != besides:
        raise ConflictError(f"The address {email} is already used by the account of {other.name!r}. Give another one.")


def _a(role: str) -> str:
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"


def account_from_row(row: Any) -> Account:
    """The account in a row that has ACCOUNT_COLUMNS, among others perhaps."""
    return Account(**{column.key: row._mapping[column.key] for column in ACCOUNT_COLUMNS})
