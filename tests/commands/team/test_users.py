"""re2nn users: accounts made, told, changed and shut at the command line; a password is printed once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from support.command_line import Call, Outcome

from re2nn_core.commands.team import users as people
from re2nn_core.services.team.people import Role
from re2nn_core.services.team.sign_in import sign_in
from re2nn_core.store import (
    count_queue,
    create_project,
    lease_next,
    open_queue,
    open_store,
    people_events,
    texts_of,
)
from re2nn_core.store.engine.addresses import DATABASE_NAME
from re2nn_core.text.corpus import Corpus, Example

Users = Callable[..., Outcome]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def users(re2nn: Call, home: Path) -> Users:
    return lambda *arguments: re2nn("users", *arguments, "--home", home)


def test_the_roles_are_those_of_the_services() -> None:
    assert get_args(Role) == people._ROLES


def test_an_account_and_its_password(users: Users, home: Path) -> None:
    made = users("add", "Ann", "--role", "owner")
    assert made.code == 0
    lines = made.out.splitlines()
    assert lines[0] == "Ann has an account as owner."
    password = lines[2].removeprefix("Password: ")
    assert lines[4] == "It is shown only once. Send it over a safe channel."
    with open_store(home / DATABASE_NAME) as store:
        assert sign_in(store, "Ann", password).sign_in.account.role == "owner"
        assert [event.person for event in people_events(store)] == ["command line"]
    assert password not in users("list").out + users("list", "--json").out


def test_everything_as_json(users: Users) -> None:
    made = users("add", "Ann", "--role", "owner", "--json").data
    assert made.pop("password").count("-") == 3
    ann = {"name": "Ann", "role": "owner", "email": None, "active": True, "signs_in_by": "password"}
    assert made == ann
    bob = users("add", "Bob", "--role", "annotator", "--email", "B@example.org", "--oidc", "--json").data
    assert bob == {
        "name": "Bob",
        "role": "annotator",
        "email": "b@example.org",
        "active": True,
        "signs_in_by": "b@example.org",
    }
    assert users("list", "--json").data == {"users": [ann, bob]}
    assert users("role", "bob", "reviewer", "--json").data == bob | {"role": "reviewer"}
    assert set(users("password", "Ann", "--json").data) == {*ann, "password"}
    removed = {"role": "reviewer", "email": None, "active": False, "signs_in_by": "-"}
    assert users("remove", "Bob", "--json").data == bob | removed | {"waiting": []}


def test_everything_in_words(users: Users) -> None:
    assert users("list").out == "Nobody has an account: on this machine a typed name is enough.\n"
    users("add", "Ann", "--role", "owner")
    assert users("add", "Bob", "--role", "annotator", "--email", "b@example.org", "--oidc").out == (
        "Bob has an account as annotator. Signs in by b@example.org, without a password.\n"
    )
    assert users("role", "BOB", "reviewer").out == "Bob is reviewer now.\n"
    assert users("password", "Ann").out.startswith("Ann has a new password.\n\nPassword: ")
    assert users("remove", "Bob").out == "Bob can no longer sign in. The name stays in the log.\n"
    rows = [line.split()[:4] for line in users("list").out.splitlines()]
    assert rows[1:] == [["Ann", "owner", "yes", "password"], ["Bob", "reviewer", "no", "-"]]


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (
            ("add", "Bob", "--role", "annotator"),
            "The first account must be an owner's, and 'Bob' would be an annotator.",
        ),
        (("role", "Bob", "owner"), "Nobody named 'Bob' has an account. There are: none."),
        (("password", "Bob"), "Nobody named 'Bob' has an account. There are: none."),
        (("remove", "Bob"), "Nobody named 'Bob' has an account. There are: none."),
        (("add", "Bob", "--role", "boss"), "'boss' is not one of 'annotator', 'reviewer', 'owner'."),
        (("add", " ", "--role", "owner"), "the name is empty."),
        (("add", "Bob", "--role", "owner", "--oidc"), "Give it: --email name@example.org"),
        (("add", "Bob", "--role", "owner", "--email", "bob"), "'bob' is no email address."),
    ],
)
def test_what_cannot_be_done_is_told(users: Users, arguments: tuple[str, ...], reported: str) -> None:
    refused = users(*arguments)
    assert (refused.code, refused.out) == (2, "")
    assert reported in refused.err
    assert reported in users(*arguments, "--json").data["error"]
    assert users("list", "--json").data == {"users": []}


def test_the_last_owner_stays(users: Users) -> None:
    users("add", "Ann", "--role", "owner")
    for arguments in (("remove", "Ann"), ("role", "Ann", "reviewer")):
        refused = users(*arguments)
        assert refused.code == 2
        assert "Ann is the last owner and cannot be" in refused.err


def test_an_import_is_an_owners(users: Users, re2nn: Call, home: Path, tmp_path: Path) -> None:
    """At the command line nobody asks for a password, but the log should tell the truth."""
    texts = tmp_path / "texts.csv"
    texts.write_text("text,label\nfly to rome,flight\n", encoding="utf-8")
    users("add", "Ann", "--role", "owner")
    users("add", "Bob", "--role", "annotator")
    refused = re2nn("import", texts, "--project", "A", "--person", "Bob", "--home", home)
    assert refused.code == 2
    assert (
        "Bob may not import texts: it takes an owner, and the role here is annotator. Ask an owner: Ann." in refused.err
    )
    assert re2nn("import", texts, "--project", "A", "--person", "Ann", "--home", home).code == 0
    assert re2nn("import", texts, "--project", "A", "--add", "--home", home).code == 0


def test_what_waits_for_somebody_who_is_removed_is_told(users: Users, home: Path) -> None:
    """By name, in every project; and what they held is free."""
    for name, role in (("Ann", "owner"), ("Cid", "annotator"), ("Dan", "annotator")):
        users("add", name, "--role", role)
    with open_store(home / DATABASE_NAME) as store:
        for name, count in (("Flights", 3), ("Trips", 1)):
            examples = Corpus(tuple(Example(f"text {number}") for number in range(2 * count)))
            made = create_project(store, name=name, examples=examples, rules_text="", logic_text="", author="Ann")
            ids = [text.id for text in texts_of(store, made.id)]
            open_queue(store, made.id, ids, share_with=("Cid", "Dan"))
        assert lease_next(store, made.id, "Cid") is not None
    reported = users("remove", "cid")
    assert reported.out == (
        "Cid can no longer sign in. The name stays in the log.\n"
        "3 texts of Flights and 1 text of Trips are assigned to Cid: nobody else gets them. On Label, Team queue, "
        "name other annotators under “Assign to” and open the queue again.\n"
    )
    waiting = [{"project": "Flights", "texts": 3}, {"project": "Trips", "texts": 1}]
    assert users("remove", "Dan", "--json").data["waiting"] == waiting
    with open_store(home / DATABASE_NAME) as store:
        assert count_queue(store, made.id).held == 0
