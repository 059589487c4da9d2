"""Accounts in the store: names, the last owner, what the log tells; who is signed in; how long attempts wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text as sql

from re2nn_core.errors import ConflictError, InputError, NotFoundError
from re2nn_core.store import (
    Account,
    ProjectRecord,
    Store,
    account_of_email,
    add_account,
    count_queue,
    end_sign_in,
    find_account,
    flag,
    give_back,
    has_accounts,
    lease_next,
    leases_of,
    list_accounts,
    list_events,
    open_queue,
    open_sign_in,
    open_store,
    password_hash_of,
    people_events,
    read_backup,
    rebuild_store,
    redeem,
    renew_hash,
    resolve_flag,
    save,
    seconds_to_wait,
    set_password,
    set_role,
    shut_account,
    sign_in_by_id,
    sign_in_by_token,
    take_attempt,
    texts_of,
    verify_store,
    waiting_everywhere,
    write_backup,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=7)


def made(store: Store, name: str = "Ann", role: str = "owner", email: str | None = None) -> Account:
    return add_account(
        store, name=name, role=role, password_hash=f"hash of {name.strip()}", email=email, person="setup"
    )


def test_an_account_is_found_by_its_name_in_any_case(store: Store) -> None:
    assert not has_accounts(store)
    ann = made(store, " Ann ", email="Ann@Example.org")
    assert has_accounts(store)
    assert (
        find_account(store, "ANN") == find_account(store, "ａｎｎ") == ann == account_of_email(store, "ANN@example.org")
    )
    assert (ann.name, ann.role, ann.email, ann.active, ann.has_password) == (
        "Ann",
        "owner",
        "ann@example.org",
        True,
        True,
    )
    assert find_account(store, "Bob") is None
    assert find_account(store, "A\x00nn") is None
    assert find_account(store, "A\ud800nn") is None
    assert password_hash_of(store, ann.id) == "hash of Ann"
    assert "hash of Ann" not in repr(ann)


@pytest.mark.parametrize(
    ("name", "role", "email", "reported"),
    [
        ("ANN", "annotator", None, "There is already an account named 'Ann'. Choose another name."),
        ("Bob", "annotator", "ann@EXAMPLE.org", "The address ann@example.org is already used by the account of 'Ann'."),
        ("", "annotator", None, "the name is empty. Give it at least one character."),
        ("x" * 101, "annotator", None, "the name has 101 characters; at most 100 can be stored."),
        ("Bob", "annotator", "bob", "'bob' is no email address. Write it as name@example.org."),
        ("Bob", "annotator", "b ob@example.org", "is no email address."),
    ],
)
def test_what_cannot_be_an_account_is_refused(
    store: Store, name: str, role: str, email: str | None, reported: str
) -> None:
    made(store, email="ann@example.org")
    with pytest.raises((ConflictError, InputError)) as refusal:
        made(store, name, role, email)
    assert reported in str(refusal.value)
    assert len(list_accounts(store)) == 1


def test_there_is_always_an_owner(store: Store) -> None:
    with pytest.raises(ConflictError, match="The first account must be an owner's, and 'Bob' would be an annotator."):
        made(store, "Bob", "annotator")
    made(store)
    made(store, "Bob", "reviewer")
    with pytest.raises(ConflictError, match="Ann is the last owner and cannot be made a reviewer. Make somebody"):
        set_role(store, "ann", "reviewer", person="Ann")
    with pytest.raises(ConflictError, match="Ann is the last owner and cannot be removed."):
        shut_account(store, "ann", person="Ann")
    set_role(store, "bob", "owner", person="Ann")
    assert set_role(store, "ann", "annotator", person="Bob").role == "annotator"
    with pytest.raises(ConflictError, match="Bob is the last owner"):
        shut_account(store, "Bob", person="Bob")


def test_a_shut_account_stays_under_its_name_and_can_be_opened_again(store: Store) -> None:
    made(store)
    bob = made(store, "Bob", "reviewer", "bob@example.org")
    shut = shut_account(store, "bob", person="Ann")
    assert (shut.id, shut.active, shut.email, shut.has_password) == (bob.id, False, None, False)
    with pytest.raises(NotFoundError, match="Nobody named 'bob' has an account. There are: Ann."):
        set_role(store, "bob", "owner", person="Ann")
    again = made(store, "Bob", "annotator")
    assert (again.id, again.active, again.role) == (bob.id, True, "annotator")


def test_the_log_tells_who_did_what_and_no_secret(store: Store) -> None:
    made(store)
    made(store, "Bob", "annotator", "b@example.org")
    set_role(store, "Bob", "reviewer", person="Ann")
    set_password(store, "Bob", "another hash", person="Ann")
    shut_account(store, "Bob", person="Ann")
    reported = [(event.person, event.value, event.data) for event in reversed(people_events(store))]
    assert reported == [
        ("setup", "Ann", {"did": "added", "role": "owner"}),
        ("setup", "Bob", {"did": "added", "role": "annotator", "email": "b@example.org"}),
        ("Ann", "Bob", {"did": "role", "role": "reviewer", "before": "annotator"}),
        ("Ann", "Bob", {"did": "password"}),
        ("Ann", "Bob", {"did": "removed"}),
    ]
    assert "hash" not in str(reported)


def test_the_log_of_a_project_knows_nothing_of_accounts(store: Store, project: ProjectRecord) -> None:
    before = list_events(store, project.id)
    made(store)
    assert list_events(store, project.id) == before
    assert verify_store(store) == ()


def test_a_hash_is_renewed_only_where_it_is_still_the_same(store: Store) -> None:
    ann = made(store)
    renew_hash(store, ann.id, "hash of Ann", "stronger")
    renew_hash(store, ann.id, "hash of Ann", "older")
    assert password_hash_of(store, ann.id) == "stronger"
    assert len(people_events(store)) == 1


def test_a_ticket_is_taken_once_and_in_time(store: Store) -> None:
    ann = made(store)
    opened = open_sign_in(store, ann.id, "ticket", moment=NOW, expires_at=LATER)
    assert not opened.kept
    since = NOW - timedelta(minutes=1)
    assert redeem(store, "other", "token", moment=NOW, since=since) is None
    assert redeem(store, "ticket", "token", moment=NOW, since=NOW + timedelta(seconds=1)) is None
    taken = redeem(store, "ticket", "token", moment=NOW, since=since)
    assert taken is not None
    assert (taken.id, taken.kept, taken.account) == (opened.id, True, ann)
    assert redeem(store, "ticket", "stolen", moment=NOW, since=since) is None
    assert sign_in_by_token(store, "token", NOW) == taken == sign_in_by_id(store, taken.id, NOW)
    assert sign_in_by_token(store, "stolen", NOW) is None


def test_a_sign_in_ends_by_itself_by_sign_out_and_with_the_account(store: Store) -> None:
    ann, bob = made(store), made(store, "Bob", "reviewer")
    first, second, third = (
        open_sign_in(store, who.id, ticket, moment=NOW, expires_at=LATER)
        for who, ticket in ((ann, "1"), (ann, "2"), (bob, "3"))
    )
    assert sign_in_by_id(store, first.id, LATER) is None
    end_sign_in(store, first.id)
    assert sign_in_by_id(store, first.id, NOW) is None
    fourth = open_sign_in(store, ann.id, "4", moment=NOW, expires_at=LATER)
    set_password(store, "Ann", "new", person="Ann", keep=fourth.id)
    assert sign_in_by_id(store, second.id, NOW) is None
    assert sign_in_by_id(store, fourth.id, NOW) is not None
    shut_account(store, "Bob", person="Ann")
    assert sign_in_by_id(store, third.id, NOW) is None


def doubling(attempts: int) -> float:
    return 0.0 if attempts < 3 else 2.0 ** (attempts - 2)


def test_attempts_wait_longer_and_longer(store: Store) -> None:
    moment, waited = NOW, []
    for _ in range(6):
        assert take_attempt(store, {"ann": doubling}, moment) == 0
        waited.append(seconds_to_wait(store, ["ann", "bob"], moment))
        if waited[-1]:
            assert take_attempt(store, {"ann": doubling}, moment + timedelta(seconds=waited[-1] - 0.5)) == 0.5
        moment += timedelta(seconds=waited[-1])
    assert waited == [0, 0, 2, 4, 8, 16]
    assert take_attempt(store, {"bob": doubling}, moment) == 0


def test_an_attempt_that_waits_under_one_key_is_counted_under_none(store: Store) -> None:
    for _ in range(3):
        take_attempt(store, {"address": doubling}, NOW)
    assert take_attempt(store, {"address": doubling, "ann": doubling}, NOW) == 2
    with store.reading() as connection:
        assert connection.execute(sql("SELECT key, failures FROM attempt")).all() == [("address", 3)]


def test_what_was_right_is_given_back_and_old_attempts_are_forgotten(store: Store) -> None:
    for _ in range(2):
        take_attempt(store, {"address": doubling, "ann": doubling}, NOW)
    give_back(store, forget="ann", less=["address"])
    with store.reading() as connection:
        assert connection.execute(sql("SELECT key, failures FROM attempt")).all() == [("address", 1)]
    take_attempt(store, {"bob": doubling}, NOW + timedelta(days=2))
    with store.reading() as connection:
        assert connection.execute(sql("SELECT key, failures FROM attempt")).all() == [("bob", 1)]


@pytest.mark.parametrize(
    ("fault", "reported"),
    [
        ("UPDATE account SET role = 'owner' WHERE name = 'Bob'", "'Bob' has the role owner, the log says reviewer."),
        (
            "UPDATE account SET active = true WHERE name = 'Cleo'",
            "'Cleo' is active, the log says it is removed.",
        ),
        (
            "INSERT INTO account (name, name_key, role, created_at) VALUES ('Eve', 'eve', 'owner', '2026-01-01')",
            "'Eve' is not in the log.",
        ),
    ],
)
def test_an_account_that_nobody_made_so_is_found_and_mended(store: Store, fault: str, reported: str) -> None:
    made(store)
    for name in ("Bob", "Cleo"):
        made(store, name, "annotator")
    set_role(store, "Bob", "reviewer", person="Ann")
    shut_account(store, "Cleo", person="Ann")
    assert (verify_store(store), rebuild_store(store)) == ((), 0)
    with store.writing() as connection:
        connection.execute(sql(fault))
    assert verify_store(store) == (f"The account {reported}",)
    assert rebuild_store(store) == 1
    accounts = {account.name: (account.role, account.active) for account in list_accounts(store)}
    assert accounts.pop("Eve", ("owner", False)) == ("owner", False)
    assert accounts == {"Ann": ("owner", True), "Bob": ("reviewer", True), "Cleo": ("annotator", False)}


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_a_backup_carries_accounts_and_nobody_who_is_signed_in(
    store: Store, other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    ann = made(store, email="ann@example.org")
    made(store, "Bob", "annotator")
    open_sign_in(store, ann.id, "ticket", moment=NOW, expires_at=LATER)
    take_attempt(store, {"ann": doubling}, NOW)
    write_backup(store, tmp_path / "kept.zip")
    monkeypatch.setenv("RE2NN_HOME", str(tmp_path / "elsewhere"))
    address = None if other == "sqlite" else request.getfixturevalue("postgres").database()
    with open_store(address) as again:
        read_backup(again, tmp_path / "kept.zip")
        assert list_accounts(again) == list_accounts(store)
        assert people_events(again) == people_events(store)
        assert password_hash_of(again, ann.id) == "hash of Ann"
        with again.reading() as connection:
            for table in ("sign_in", "attempt"):
                assert connection.execute(sql(f"SELECT count(*) FROM {table}")).scalar() == 0
        made(again, "Cleo", "annotator")
        with pytest.raises(ConflictError, match="holds 3 accounts, and a backup goes only into an empty one."):
            read_backup(again, tmp_path / "kept.zip")


def test_what_somebody_holds_is_free_once_they_are_removed(store: Store, project: ProjectRecord) -> None:
    made(store)
    made(store, "Bob", "annotator")
    ids = [text.id for text in texts_of(store, project.id)]
    open_queue(store, project.id, ids[:2], share_with=("Bob",))
    lease = lease_next(store, project.id, "Bob")
    assert lease is not None
    save(store, lease.text.id, "flight", "Bob")
    assert [held.text.id for held in leases_of(store, project.id, "Bob")] == [ids[1]]
    assert waiting_everywhere(store, "Bob") == ((project.name, 1),)
    shut_account(store, "bob", person="Ann")
    counts = count_queue(store, project.id)
    # The annotation stays, the place is still Bob's by name, and nobody has the text in hand.
    assert (counts.done, counts.held, counts.waiting) == (1, 0, 1)
    assert (leases_of(store, project.id, "Bob"), waiting_everywhere(store, "Bob")) == ((), ((project.name, 1),))
    open_queue(store, project.id, ids[:2], share_with=("Ann",))
    assert waiting_everywhere(store, "Bob") == ()
    given = lease_next(store, project.id, "Ann")
    assert given is not None
    assert given.text.id == ids[1]
    flag(store, ids[1], "Ann")
    assert waiting_everywhere(store, "Ann") == ()  # what is flagged waits for a reviewer
    resolve_flag(store, ids[1], "Ann")
    assert waiting_everywhere(store, "Ann") == ((project.name, 1),)
    assert verify_store(store) == ()


def test_others_get_at_once_what_a_removed_person_held(store: Store, project: ProjectRecord) -> None:
    made(store)
    made(store, "Bob", "annotator")
    ids = [text.id for text in texts_of(store, project.id)]
    open_queue(store, project.id, ids[:1])
    assert lease_next(store, project.id, "Bob") is not None
    assert lease_next(store, project.id, "Ann") is None
    shut_account(store, "Bob", person="Ann")
    given = lease_next(store, project.id, "Ann")
    assert given is not None
    assert given.text.id == ids[0]
