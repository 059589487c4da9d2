"""users: who may sign in to the application, and with what role."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands._common.options import json_option
from re2nn_core.commands._common.store_options import Database, database_options, opened

if TYPE_CHECKING:
    from re2nn_core.services.team.accounts import NewPassword
    from re2nn_core.store import Account

# As in services.people, which loads the database; a test holds that they are the same.
_ROLES = ("annotator", "reviewer", "owner")
_role = click.Choice(_ROLES)


@click.group("users")
def users_command() -> None:
    """Manage accounts and roles.

    \b
    annotator  labels texts, and can view everything
    reviewer   also reviews, edits rules, trains and opens queues
    owner      also creates, imports and deletes projects, and manages members

    All of them take --json.

    \b
    Example: re2nn users add Ann --role owner
             re2nn users add Bob --role annotator
    """


@users_command.command("add")
@click.argument("name")
@click.option("--role", type=_role, required=True, help="What the user may do. The first user is an owner.")
@click.option("--email", metavar="ADDRESS", help="Email address of the user at the OpenID Connect provider.")
@click.option("--oidc", is_flag=True, help="No password: the user signs in only at the provider.")
@database_options
@json_option
def add_command(name: str, role: str, email: str | None, oidc: bool, database: Database) -> CommandResult:
    """Make an account for NAME, with a password made at random that is printed once.

    \b
    Example: re2nn users add Ann --role owner
             re2nn users add Bob --role annotator --email bob@example.org --oidc
    """
    from re2nn_core.services.team.accounts import add_person
    from re2nn_core.services.team.people import AT_THE_MACHINE

    with opened(database) as store:
        made = add_person(store, name, role, email=email, oidc=oidc, person=AT_THE_MACHINE)
    return _with_password(made, f"{made.account.name} has an account as {made.account.role}.")


@users_command.command("list")
@database_options
@json_option
def list_command(database: Database) -> CommandResult:
    """List all accounts, including removed ones."""
    from re2nn_core.store import list_accounts

    with opened(database) as store:
        accounts = list_accounts(store)
    if not accounts:
        return CommandResult({"users": []}, "Nobody has an account: on this machine a typed name is enough.")
    rows = [
        (one.name, one.role, "yes" if one.active else "no", _way(one), f"{one.created_at:%Y-%m-%d}") for one in accounts
    ]
    reported = table(("name", "role", "active", "signs in by", "since"), rows)
    return CommandResult({"users": [_data(account) for account in accounts]}, reported)


@users_command.command("role")
@click.argument("name")
@click.argument("role", type=_role)
@database_options
@json_option
def role_command(name: str, role: str, database: Database) -> CommandResult:
    """Give NAME another role, with immediate effect.

    \b
    Example: re2nn users role Bob reviewer
    """
    from re2nn_core.services.team.accounts import change_role
    from re2nn_core.services.team.people import AT_THE_MACHINE

    with opened(database) as store:
        account = change_role(store, name, role, person=AT_THE_MACHINE)
    return CommandResult(_data(account), f"{account.name} is {account.role} now.")


@users_command.command("password")
@click.argument("name")
@database_options
@json_option
def password_command(name: str, database: Database) -> CommandResult:
    """Give NAME a new password, made at random and printed once; wherever they are signed in, that ends.

    \b
    Example: re2nn users password Bob
    """
    from re2nn_core.services.team.accounts import new_password
    from re2nn_core.services.team.people import AT_THE_MACHINE

    with opened(database) as store:
        made = new_password(store, name, person=AT_THE_MACHINE)
    return _with_password(made, f"{made.account.name} has a new password.")


@users_command.command("remove")
@click.argument("name")
@database_options
@json_option
def remove_command(name: str, database: Database) -> CommandResult:
    """Remove NAME, who can no longer sign in. The name stays in the log; `users add` restores the account. A text
    assigned to them returns to the queue; texts reserved for them by name wait, and are listed.

    \b
    Example: re2nn users remove Bob
    """
    from re2nn_core.services.annotation.removed_members import waiting_texts_message, waits_for
    from re2nn_core.services.team.accounts import remove_person
    from re2nn_core.services.team.people import AT_THE_MACHINE

    with opened(database) as store:
        account = remove_person(store, name, person=AT_THE_MACHINE)
        left = waits_for(store, account.name)
    data = _data(account) | {"waiting": [{"project": project, "texts": count} for project, count in left]}
    reported = f"{account.name} can no longer sign in. The name stays in the log."
    return CommandResult(data, "\n".join([reported, *([waiting_texts_message(account.name, left)] if left else [])]))


def _with_password(made: NewPassword, done: str) -> CommandResult:
    if made.password is None:
        return CommandResult(_data(made.account), f"{done} Signs in by {made.account.email}, without a password.")
    reported = f"{done}\n\nPassword: {made.password}\n\nIt is shown only once. Send it over a safe channel."
    return CommandResult({**_data(made.account), "password": made.password}, reported)


def _data(account: Account) -> dict[str, Any]:
    return {
        "name": account.name,
        "role": account.role,
        "email": account.email,
        "active": account.active,
        "signs_in_by": _way(account),
    }


def _way(account: Account) -> str:
    ways = ("password" if account.has_password else "", account.email or "")
    return ", ".join(way for way in ways if way) or "-"
