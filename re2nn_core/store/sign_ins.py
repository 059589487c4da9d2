"""Who is signed in, in which browser, until when; and how long the next attempt has to wait.

Tickets and tokens are known here by their digests alone, names and addresses of attempts too: people type passwords
into the wrong field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from re2nn_core.errors import ConflictError
from re2nn_core.store.accounts import ACCOUNT_COLUMNS, Account, account_from_row
from re2nn_core.store.engine.database import Store
from re2nn_core.store.schema import AccountRow, AttemptRow, SignInRow

# After so long a time without an attempt, earlier ones are forgotten.
FORGOTTEN = timedelta(days=1)


@dataclass(frozen=True)
class SignIn:
    """One browser in which somebody is signed in; `kept` where the browser has taken its token."""

    id: int
    account: Account
    kept: bool
    expires_at: datetime


def open_sign_in(store: Store, account_id: int, ticket: str, *, moment: datetime, expires_at: datetime) -> SignIn:
    """Somebody is in. `ticket` is a digest; those whose time is over are swept out.
    ConflictError where the account was shut."""
    row = {"account_id": account_id, "ticket": ticket, "created_at": moment, "expires_at": expires_at}
    with store.writing() as connection:
        connection.execute(delete(SignInRow).where(SignInRow.expires_at <= moment))
        sign_in_id = connection.execute(insert(SignInRow).values(row).returning(SignInRow.id)).scalar_one()
        found = _read(connection, SignInRow.id == sign_in_id, moment)
    if found is None:
        raise ConflictError("The account was shut at this moment. Ask an owner.")
    return found


def redeem(store: Store, ticket: str, token: str, *, moment: datetime, since: datetime) -> SignIn | None:
    """Take a ticket that was given after `since`, once: the browser is known by `token` from now on (both digests)."""
    with store.writing() as connection:
        this = update(SignInRow).where(SignInRow.ticket == ticket, SignInRow.created_at >= since)
        taken = connection.execute(this.values(ticket=None, token=token).returning(SignInRow.id)).scalar()
        return None if taken is None else _read(connection, SignInRow.id == taken, moment)


def sign_in_by_id(store: Store, sign_in_id: int, moment: datetime) -> SignIn | None:
    """A sign-in that still stands: not expired, not ended, its account not shut."""
    with store.reading() as connection:
        return _read(connection, SignInRow.id == sign_in_id, moment)


def sign_in_by_token(store: Store, token: str, moment: datetime) -> SignIn | None:
    """The same by the digest of what the browser keeps."""
    with store.reading() as connection:
        return _read(connection, SignInRow.token == token, moment)


def end_sign_in(store: Store, sign_in_id: int) -> None:
    """Nobody is signed in by it any more."""
    with store.writing() as connection:
        connection.execute(delete(SignInRow).where(SignInRow.id == sign_in_id))


def take_attempt(store: Store, waits: Mapping[str, Callable[[int], float]], moment: datetime) -> float:
    """Count one attempt under each key, or nothing at all where one of them has to wait: the seconds it has to, 0 where
    the attempt may be made. `waits` tells for each key the wait after so many attempts.

    Attempts are counted before they are made and given back by `give_back`, so that many at once win nothing.
    """
    with store.writing() as connection:
        connection.execute(delete(AttemptRow).where(AttemptRow.last_at < moment - FORGOTTEN))
        held = {key: _held(connection, key) for key in sorted(waits)}
        waiting = max(((row.waits_until - moment).total_seconds() for row in held.values() if row), default=0.0)
        if waiting > 0:
            return waiting
        for key, row in held.items():
            failures = 1 if row is None else row.failures + 1
            until = moment + timedelta(seconds=waits[key](failures))
            values = {"failures": failures, "last_at": moment, "waits_until": until}
            this = update(AttemptRow).where(AttemptRow.key == key) if row else insert(AttemptRow)
            connection.execute(this.values(values if row else {"key": key, **values}))
    return 0.0


def seconds_to_wait(store: Store, keys: Iterable[str], moment: datetime) -> float:
    """How long the next attempt under these keys has to wait."""
    query = select(AttemptRow.waits_until).where(AttemptRow.key.in_(list(keys)))
    with store.reading() as connection:
        until = connection.execute(query).scalars().all()
    return max((max(0.0, (one - moment).total_seconds()) for one in until), default=0.0)


def give_back(store: Store, *, forget: str, less: Iterable[str] = ()) -> None:
    """After an attempt that was right: forget those under one key, and take one off the others."""
    with store.writing() as connection:
        connection.execute(delete(AttemptRow).where(AttemptRow.key == forget))
        for key in less:
            this = update(AttemptRow).where(AttemptRow.key == key, AttemptRow.failures > 0)
            connection.execute(this.values(failures=AttemptRow.failures - 1, waits_until=AttemptRow.last_at))


def _held(connection: Connection, key: str) -> Any:
    """The row of a key, which no other transaction changes until this one is over."""
    return connection.execute(select(AttemptRow.__table__).where(AttemptRow.key == key).with_for_update()).one_or_none()


def _read(connection: Connection, where: Any, moment: datetime) -> SignIn | None:
    own = (SignInRow.id.label("sign_in_id"), SignInRow.expires_at, SignInRow.token.is_not(None).label("kept"))
    query = select(*own, *ACCOUNT_COLUMNS).join(AccountRow, AccountRow.id == SignInRow.account_id)
    row = connection.execute(query.where(where, AccountRow.active, SignInRow.expires_at > moment)).one_or_none()
    return None if row is None else SignIn(row.sign_in_id, account_from_row(row), row.kept, row.expires_at)
