"""Accounts as the log tells them, and how those in the table differ: a role that nobody gave is found here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select, update

from re2nn_core.store.accounts import name_key
from re2nn_core.store.schema import AccountRow, EventRow

_SHUT, _OPEN = "is removed", "is active"
# Name, role, whether it is open.
LoggedAccount = tuple[str, str, bool]


def logged_accounts(connection: Connection) -> dict[str, LoggedAccount]:
    """By the key of its name, each account that was ever made."""
    query = select(EventRow.value, EventRow.data).where(EventRow.kind == "person", EventRow.project_id.is_(None))
    logged: dict[str, LoggedAccount] = {}
    for event in connection.execute(query.order_by(EventRow.id)):
        key, data = name_key(event.value), event.data
        if data["did"] == "added":
            logged[key] = (event.value, data["role"], True)
        elif data["did"] in ("role", "removed"):
            name, role, is_open = logged[key]
            logged[key] = (name, data.get("role", role), is_open and data["did"] != "removed")
    return logged


def account_differences(connection: Connection) -> Iterator[str]:
    """In what the table of accounts differs from the log, in sentences."""
    logged, there = logged_accounts(connection), _there(connection)
    for key in sorted(logged.keys() | there.keys()):
        name, role, is_open = there.get(key) or logged[key]
        if key not in logged or key not in there:
            where = "is not in the log" if key in there else "is in the log but not in its table"
            yield f"The account {name!r} {where}."
            continue
        if role != logged[key][1]:
            yield f"The account {name!r} has the role {role}, the log says {logged[key][1]}."
        if is_open != logged[key][2]:
            yield f"The account {name!r} {_OPEN if is_open else _SHUT}, the log says it {_SHUT if is_open else _OPEN}."


def repair_accounts(connection: Connection) -> int:
    """Give accounts their role in the log, and remove those that it removes; how many had to be corrected. One that is
    not in the log is removed."""
    logged, repaired = logged_accounts(connection), 0
    for key, (_, role, is_open) in _there(connection).items():
        right = logged[key][1:] if key in logged else (role, False)
        if (role, is_open) != right:
            this = update(AccountRow).where(AccountRow.name_key == key)
            connection.execute(this.values(role=right[0], active=right[1]))
            repaired += 1
    return repaired


def _there(connection: Connection) -> dict[str, LoggedAccount]:
    rows: Any = connection.execute(select(AccountRow.name_key, AccountRow.name, AccountRow.role, AccountRow.active))
    return {row.name_key: (row.name, row.role, row.active) for row in rows}
