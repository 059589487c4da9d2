"""Signing in: what is said, how long attempts wait, and that nothing tells whether a name exists."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from re2nn_core.errors import ConflictError, InputError, NotAllowedError, NotFoundError, SignInError
from re2nn_core.services.team import accounts, passwords, sign_in
from re2nn_core.services.team.people import AT_THE_MACHINE
from re2nn_core.store import (
    Store,
    find_account,
    list_accounts,
    open_store,
    password_hash_of,
    people_events,
    set_password,
    write_backup,
)

QUICK = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)


class Clock:
    """The moment that signing in believes it is."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def wait(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that are made in no time."""
    monkeypatch.setattr(passwords, "_HASHER", QUICK)
    monkeypatch.setattr(passwords, "_NOBODY", QUICK.hash("nobody"))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(sign_in, "_now", made)
    return made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "a.db") as opened:
        yield opened


@pytest.fixture
def password(store: Store) -> str:
    """That of Ann, an owner."""
    made = accounts.add_person(store, "Ann", "owner", person=AT_THE_MACHINE).password
    assert made is not None
    return made


def by_text(store: Store, name: str, password: str, address: str | None = None) -> str:
    with pytest.raises(SignInError) as refusal:
        sign_in.sign_in(store, name, password, address=address)
    return str(refusal.value)


def test_name_and_password_let_in(store: Store, password: str) -> None:
    done = sign_in.sign_in(store, " ANN ", password)
    assert done.sign_in.account.name == "Ann"
    found = sign_in.still_in(store, done.sign_in.id)
    assert found is not None
    assert not found.kept
    token = sign_in.token_for(store, done.ticket)
    assert token is not None
    assert sign_in.token_for(store, done.ticket) is None
    known = sign_in.known_by_token(store, token)
    assert known is not None
    assert known.kept
    assert sign_in.known_by_token(store, done.ticket) is None
    sign_in.sign_out(store, known.id)
    assert sign_in.known_by_token(store, token) is None
    assert sign_in.still_in(store, known.id) is None


def test_it_ends_by_itself(store: Store, password: str, clock: Clock) -> None:
    done = sign_in.sign_in(store, "Ann", password)
    clock.wait(61)
    assert sign_in.token_for(store, done.ticket) is None
    clock.wait(sign_in.LASTS.total_seconds())
    assert sign_in.still_in(store, done.sign_in.id) is None


@pytest.mark.parametrize("name", ["Ann", "Nobody", "Bob", "Otto", "A\x00nn", "\ud800", "x" * 5000])
def test_what_is_said_is_the_same_for_every_name(store: Store, password: str, clock: Clock, name: str) -> None:
    """Ann has an account, Bob's was shut, Otto has none but at a provider, the others none at all."""
    accounts.add_person(store, "Bob", "annotator", person="Ann")
    accounts.remove_person(store, "Bob", person="Ann")
    accounts.add_person(store, "Otto", "annotator", email="o@example.org", oidc=True, person="Ann")
    heard = []
    for _ in range(7):
        heard.append(by_text(store, name, "wrong"))
        if "next attempt" in heard[-1]:
            heard.append(by_text(store, name, password))
            clock.wait(1000)
    wrong = "The name or the password is not right."
    assert heard == [
        *([wrong] * 4),
        f"{wrong} The next attempt is possible in 2 seconds.",
        "Too many attempts. Try again in 2 seconds.",
        f"{wrong} The next attempt is possible in 4 seconds.",
        "Too many attempts. Try again in 4 seconds.",
        f"{wrong} The next attempt is possible in 8 seconds.",
        "Too many attempts. Try again in 8 seconds.",
    ]


@pytest.mark.parametrize("name", ["Ann", "Nobody", "Otto"])
@pytest.mark.parametrize("password", ["wrong", "", "x" * 2000])
def test_the_same_work_is_done_for_every_name(
    store: Store, monkeypatch: pytest.MonkeyPatch, name: str, password: str
) -> None:
    accounts.add_person(store, "Ann", "owner", person=AT_THE_MACHINE)
    accounts.add_person(store, "Otto", "annotator", email="o@example.org", oidc=True, person="Ann")
    verified = []

    class Counting:
        def verify(self, kept: str, given: bytes) -> bool:
            verified.append(kept)
            return QUICK.verify(kept, given)

    monkeypatch.setattr(passwords, "_HASHER", Counting())
    by_text(store, name, password)
    assert [kept.startswith("$argon2id$") for kept in verified] == [True]


def test_the_wait_grows_to_a_quarter_of_an_hour_and_no_further(store: Store, password: str, clock: Clock) -> None:
    waits = []
    for _ in range(20):
        with pytest.raises(SignInError) as refusal:
            sign_in.sign_in(store, "Ann", "wrong")
        waits.append(refusal.value.seconds)
        clock.wait(refusal.value.seconds)
    assert waits[:8] == [0, 0, 0, 0, 2, 4, 8, 16]
    assert waits[-1] == 900
    assert sign_in.sign_in(store, "Ann", password).sign_in.account.name == "Ann"
    assert by_text(store, "Ann", "wrong") == "The name or the password is not right."


def test_many_names_from_one_address_wait_too(store: Store, password: str, clock: Clock) -> None:
    for number in range(30):
        last = by_text(store, f"name {number}", "wrong", "192.0.2.7")
    assert last.endswith("The next attempt is possible in 2 seconds.")
    assert by_text(store, "Ann", password, "192.0.2.7") == "Too many attempts. Try again in 2 seconds."
    assert sign_in.sign_in(store, "Ann", password, address="192.0.2.8").sign_in.account.name == "Ann"


def test_attempts_outlast_the_program(store: Store, password: str, clock: Clock, tmp_path: Path) -> None:
    for _ in range(5):
        by_text(store, "Ann", "wrong")
    with open_store(tmp_path / "a.db") as again:
        assert by_text(again, "Ann", password) == "Too many attempts. Try again in 2 seconds."


def test_nothing_secret_is_kept_or_told(store: Store, password: str, tmp_path: Path) -> None:
    done = sign_in.sign_in(store, "Ann", password)
    token = sign_in.token_for(store, done.ticket)
    assert token is not None
    by_text(store, "a password in the wrong field", "wrong")
    with store.reading() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("a.db*"))
    for secret in (password, done.ticket, token, "a password in the wrong field"):
        assert secret.encode() not in kept
        assert secret not in repr(done)
    assert password not in repr(people_events(store)) + repr(list_accounts(store))
    assert b"$argon2id$" in kept
    write_backup(store, tmp_path / "kept.zip")
    assert "argon2" not in repr(people_events(store)) + repr(list_accounts(store)) + repr(done)


def test_an_old_hash_is_renewed_at_sign_in(store: Store, password: str) -> None:
    ann = find_account(store, "Ann")
    assert ann is not None
    old = PasswordHasher(time_cost=1, memory_cost=32, parallelism=1).hash("correct horse battery")
    set_password(store, "Ann", old, person="Ann")
    sign_in.sign_in(store, "Ann", "correct horse battery")
    new = password_hash_of(store, ann.id)
    assert new is not None
    assert new != old
    assert not QUICK.check_needs_rehash(new)
    sign_in.sign_in(store, "Ann", "correct horse battery")
    assert password_hash_of(store, ann.id) == new


def test_a_damaged_hash_lets_nobody_in(store: Store, password: str) -> None:
    set_password(store, "Ann", "$argon2id$nonsense", person="Ann")
    assert by_text(store, "Ann", password) == sign_in.WRONG


def test_letters_that_look_the_same_are_the_same_password(store: Store, password: str) -> None:
    accounts.change_own_password(store, password, "crème brûlée à la carte", person="Ann")
    sign_in.sign_in(store, "Ann", "cre\u0300me bru\u0302le\u0301e a\u0300 la carte")


def test_a_password_of_ones_own(store: Store, password: str) -> None:
    first, second = (sign_in.sign_in(store, "Ann", password).sign_in for _ in range(2))
    accounts.change_own_password(store, password, "four words put together", person="Ann", keep=second.id)
    assert sign_in.still_in(store, first.id) is None
    assert sign_in.still_in(store, second.id) is not None
    assert by_text(store, "Ann", password) == sign_in.WRONG
    assert sign_in.sign_in(store, "Ann", "four words put together").sign_in.account.name == "Ann"


@pytest.mark.parametrize(
    ("former", "new", "reported"),
    [
        ("wrong", "long enough words", "The password you have now is another one. Nothing was changed."),
        ("right", "short", "The new password has 5 characters; at least 12 are needed."),
        ("right", "x" * 1001, "The new password has 1,001 characters; at most 1,000 can be used."),
        ("right", "right", "The new password is your name or your old password. Choose another one."),
    ],
)
def test_a_password_that_cannot_be_ones_own(store: Store, password: str, former: str, new: str, reported: str) -> None:
    words = {"right": password}
    with pytest.raises((SignInError, InputError)) as refusal:
        accounts.change_own_password(store, words.get(former, former), words.get(new, new), person="Ann")
    assert str(refusal.value).startswith(reported)
    assert sign_in.sign_in(store, "Ann", password).sign_in.account.name == "Ann"


def test_a_new_password_ends_what_was_signed_in(store: Store, password: str) -> None:
    before = sign_in.sign_in(store, "Ann", password).sign_in
    made = accounts.new_password(store, "ann", person="Ann")
    assert made.password is not None
    assert made.password not in repr(made)
    assert sign_in.still_in(store, before.id) is None
    assert by_text(store, "Ann", password) == sign_in.WRONG
    assert sign_in.sign_in(store, "Ann", made.password).sign_in.account.name == "Ann"


def test_people_who_cannot_be_added_or_found(store: Store, password: str) -> None:
    with pytest.raises(
        InputError, match="'command line' is reserved: it stands for the command line in the log. Choose another name."
    ):
        accounts.add_person(store, "Command Line", "owner", person="Ann")
    with pytest.raises(InputError, match="Who signs in by OpenID Connect is known by an address. Give it: --email"):
        accounts.add_person(store, "Otto", "owner", oidc=True, person="Ann")
    with pytest.raises(NotFoundError, match="Nobody named 'Otto' has an account. There are: Ann."):
        accounts.new_password(store, "Otto", person="Ann")
    with pytest.raises(ConflictError, match="Ann is the last owner and cannot be removed."):
        accounts.remove_person(store, "Ann", person="Ann")


def test_who_signs_in_elsewhere_has_no_password_to_change(store: Store, password: str) -> None:
    accounts.add_person(store, "Otto", "annotator", email="o@example.org", oidc=True, person="Ann")
    with pytest.raises(InputError, match="Otto signs in by o@example.org, without a password."):
        accounts.change_own_password(store, "", "long enough words", person="Otto")


def test_a_verified_address_is_an_account(store: Store, password: str) -> None:
    accounts.add_person(store, "Otto", "annotator", email="O@Example.org", oidc=True, person="Ann")
    assert sign_in.known_by_claims(store, {"email": "o@EXAMPLE.org", "email_verified": True}).name == "Otto"


@pytest.mark.parametrize(
    ("claims", "reported"),
    [
        ({}, "The provider names no email address, by which accounts are found."),
        ({"email": 7, "email_verified": True}, "The provider names no email address"),
        ({"email": "o@example.org"}, "The provider does not confirm that o@example.org is verified"),
        ({"email": "o@example.org", "email_verified": "true"}, "does not confirm that o@example.org is verified"),
        ({"email": "E@example.org", "email_verified": True}, "Nobody has an account with the address e@example.org."),
        ({"email": "b@example.org", "email_verified": True}, "Nobody has an account with the address b@example.org."),
        ({"email": "\x00", "email_verified": True}, "Nobody has an account"),
    ],
)
def test_what_a_provider_says_is_not_enough(
    store: Store, password: str, claims: dict[str, object], reported: str
) -> None:
    for name, email in (("Otto", "o@example.org"), ("Bob", "b@example.org")):
        accounts.add_person(store, name, "annotator", email=email, oidc=True, person="Ann")
    accounts.remove_person(store, "Bob", person="Ann")
    with pytest.raises(NotAllowedError) as refusal:
        sign_in.known_by_claims(store, claims)
    assert reported in str(refusal.value)


def test_random_passwords_differ_and_can_be_copied() -> None:
    made = {passwords.random_password() for _ in range(200)}
    assert len(made) == 200
    for password in made:
        assert len(password.replace("-", "")) == 20
        assert not set(password) & set("01iloO")


@pytest.mark.parametrize(
    ("seconds", "reported"),
    [(0.2, "1 second"), (1.1, "2 seconds"), (89, "89 seconds"), (90, "2 minutes"), (900, "15 minutes")],
)
def test_waits_are_told_rounded_up(seconds: float, reported: str) -> None:
    assert sign_in.wait_in_words(seconds) == reported
