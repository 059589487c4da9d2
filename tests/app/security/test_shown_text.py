"""What people and files bring is shown as it is: no sign turns the sentence round it, no name passes for another."""

from __future__ import annotations

import pytest

from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape
from pages._shared.resources import database_is_a_server
from re2nn_core.errors import InputError
from re2nn_core.services.team.accounts import add_person
from re2nn_core.services.team.people import AT_THE_MACHINE
from re2nn_core.store import DATABASE_VARIABLE, Store, list_accounts
from re2nn_core.store.engine.addresses import read_address

TURNING = ["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"]


@pytest.mark.parametrize("sign", [*TURNING, "\x1b", "\x07"])
def test_signs_that_turn_or_steer_are_written_out(sign: str) -> None:
    for shown in (escape(f"evil{sign}label"), messages.plain(f"evil{sign}label")):
        assert sign not in shown
        assert sign.encode("unicode_escape").decode().strip("\\") in shown


def test_other_signs_stay() -> None:
    assert escape("שלום\u200f، a\tb\n<b>") == "שלום\u200f، a\tb\n&lt;b&gt;"


@pytest.mark.parametrize("sign", [*TURNING, "\u200b", "\u2060", "\ufeff", "\u00ad", "\u200d"])
def test_no_owner_adds_a_name_in_which_something_cannot_be_seen(store: Store, sign: str) -> None:
    with pytest.raises(InputError, match=f"holds U.{ord(sign):04X}, which cannot be seen") as refused:
        add_person(store, f"An{sign}n", "owner", person=AT_THE_MACHINE)
    assert sign not in str(refused.value) or sign not in TURNING
    assert list_accounts(store) == ()


ADDRESSES = [
    "postgresql://u:hunter2@h/db",
    "postgresql://h/db?user=u&password=hunter2",
    "postgresql://h/db?PASSWORD=hunter2&user=u",
    "postgresql://u:hunter2@h/db?sslpassword=hunter2&sslmode=require",
    "postgresql://h/db?passfile=/home/hunter2",
    "postgresql://h/db?oauth_client_secret=hunter2",
    "postgresql+psycopg://u:hunter2@h:5432/db?password=hunter2",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_message_names_a_password(address: str) -> None:
    name = read_address(address).name
    assert "hunter2" not in name
    assert "***" in name


@pytest.mark.parametrize(
    "address",
    [
        "mysql://u:hunter2@h/db",
        "mysql://h/db?password=hunter2",
        "postgresql://u:hunter2@h",
        "postgresql://h?user=u&password=hunter2",
        "postgresql://u:hunter2@h:port/db",
        "postgresql://h:port/db?password=hunter2",
    ],
)
def test_no_refusal_of_an_address_names_its_password(address: str) -> None:
    with pytest.raises(InputError) as refused:
        read_address(address)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "reported"),
    [("postgresql://u@h/db", True), ("sqlite:///a.sqlite3", False), ("a.sqlite3", False), ("", False)],
)
def test_where_the_store_is(monkeypatch: pytest.MonkeyPatch, address: str, reported: bool) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, address)
    assert database_is_a_server() == reported
