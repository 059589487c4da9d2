"""Who may see which page and do what: typed names, sign-in, roles, and nothing of a project before it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from support.app.app_studio import ROOT, Studio

from pages._shared.session import access
from pages._shared.session.reachable import reachable
from re2nn_core.services.team import accounts
from re2nn_core.services.team.people import AT_THE_MACHINE
from re2nn_core.store import (
    ProjectRecord,
    Store,
    lease_next,
    list_accounts,
    list_events,
    list_projects,
    open_queue,
    people_events,
    record_label,
    set_role,
    texts_of,
)

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
Add = Callable[..., str]


@pytest.fixture
def add(store: Store, monkeypatch: pytest.MonkeyPatch) -> Add:
    """Makes an account; its password."""

    def add_person(name: str, role: str) -> str:
        password = accounts.add_person(store, name, role, person=AT_THE_MACHINE).password
        assert password is not None
        return password

    # A test is quicker than a person.
    monkeypatch.setattr(access, "HOLDS_SECONDS", 0.0)
    return add_person


@pytest.fixture
def ann(add: Add) -> str:
    """The password of Ann, an owner."""
    return add("Ann", "owner")


def sign_in(studio: Studio, name: str, password: str) -> AppTest:
    test = studio.test
    if not test.text_input:
        test.run()
        # Which page it is, AppTest knows from the second run on, and widgets belong to a page.
        test.switch_page("pages/projects.py").run()
    test.text_input(key="sign_in_name").input(name)
    test.text_input(key="sign_in_password").input(password)
    next(button for button in test.button if button.label == "Sign in").click().run()
    return studio.checked()


def labels(test: AppTest) -> list[str]:
    return [button.label for button in test.button]


def test_without_accounts_a_typed_name_is_enough(studio: Studio, project: ProjectRecord) -> None:
    test = studio.open("projects", project=project.id)
    assert "Sign in" not in labels(test)
    test.text_input(key="_bar_person").input("Zoe").run()
    assert not test.button(key=f"rename_{project.id}").disabled or not test.button(key=f"open_{project.id}").disabled


@pytest.mark.parametrize("page", PAGES)
def test_where_accounts_are_no_page_shows_anything_before_the_sign_in(
    studio: Studio, project: ProjectRecord, ann: str, page: str
) -> None:
    studio.test.query_params["person"] = "Ann"
    test = studio.open(page, project=project.id)
    assert labels(test) == ["Sign in"]
    assert project.name not in studio.html
    assert "For accounts and forgotten passwords, ask an owner of this server." in studio.html


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_is_run_past_the_router_is_shut_too(project: ProjectRecord, ann: str, page: str) -> None:
    test = AppTest.from_file(str(ROOT / "pages" / f"{page}.py"), default_timeout=60)
    test.query_params["project"] = str(project.id)
    test.session_state["_routed"] = True
    test.run()
    assert not test.exception
    assert labels(test) == ["Sign in"]


def test_who_signs_in_works_under_that_name_whatever_the_address_says(
    studio: Studio, store: Store, project: ProjectRecord, ann: str
) -> None:
    studio.test.query_params.update({"project": str(project.id), "person": "Mallory"})
    test = sign_in(studio, "ann", ann)
    assert "person" not in test.query_params
    assert "<b>Ann</b>" in studio.html
    test.query_params["person"] = "Mallory"
    test.text_input(key=f"name_{project.id}").input("Journeys").run()
    test.button(key=f"rename_{project.id}").click().run()
    assert [(event.kind, event.person) for event in list_events(store, project.id, kinds=("rename",))] == [
        ("rename", "Ann")
    ]


def test_a_wrong_password_is_told_and_nothing_more(studio: Studio, ann: str) -> None:
    for name in ("Ann", "Nobody"):
        sign_in(studio, name, "wrong")
        assert studio.messages == "The name or the password is not right."
    sign_in(studio, " ", "")
    assert studio.messages == "Enter your name and your password."


def test_attempts_wait(studio: Studio, ann: str) -> None:
    for _ in range(5):
        sign_in(studio, "Ann", "wrong")
    assert "The next attempt is possible in" in studio.messages
    sign_in(studio, "Ann", ann)
    assert "Too many attempts" in studio.messages or "<b>Ann</b>" in studio.html  # a slow machine has waited already


def test_sign_out(studio: Studio, project: ProjectRecord, ann: str) -> None:
    test = sign_in(studio, "Ann", ann)
    test.button(key="account_leave").click().run()
    assert labels(studio.checked()) == ["Sign in"]
    assert project.name not in studio.html


def test_a_removed_person_is_out_at_the_next_click(
    studio: Studio, store: Store, project: ProjectRecord, ann: str, add: Add
) -> None:
    test = sign_in(studio, "Bob", add("Bob", "owner"))
    accounts.remove_person(store, "Bob", person="Ann")
    test.text_input(key=f"name_{project.id}").input("Stolen").run()
    assert labels(studio.checked()) == ["Sign in"]
    assert list_projects(store)[0].project.name == project.name


def test_a_click_of_somebody_who_was_removed_changes_nothing(
    studio: Studio, store: Store, project: ProjectRecord, ann: str, add: Add
) -> None:
    test = sign_in(studio, "Bob", add("Bob", "annotator"))
    test.query_params["project"] = str(project.id)
    test.switch_page("pages/label.py").run()
    next(button for button in studio.checked().button if button.label == "baggage").click().run()
    accounts.remove_person(store, "Bob", person="Ann")
    next(button for button in studio.checked().button if (button.key or "").startswith("label_accept")).click().run()
    assert list_events(store, project.id, kinds=("label",)) == ()
    assert labels(studio.checked()) == ["Sign in"]


def test_an_annotator_sees_why_an_owners_things_are_off(
    studio: Studio, store: Store, project: ProjectRecord, ann: str, add: Add
) -> None:
    test = sign_in(studio, "Bob", add("Bob", "annotator"))
    why = "No permission: it takes an owner, and the role here is annotator."
    for key in (f"rename_{project.id}", f"delete_{project.id}", "sample_flight_intents"):
        assert test.button(key=key).disabled, key
    assert test.button(key="sample_flight_intents").help == why
    assert test.text_input(key=f"name_{project.id}").help == why
    assert f"Rename, add texts, change or delete. {why}" in studio.html
    assert not test.file_uploader


@pytest.mark.parametrize(("page", "key"), [("rules", "rules_save"), ("train", "train_start")])
def test_an_annotator_sees_why_a_reviewers_things_are_off(
    studio: Studio, store: Store, sample: ProjectRecord, ann: str, add: Add, page: str, key: str
) -> None:
    studio.test.query_params["project"] = str(sample.id)
    sign_in(studio, "Bob", add("Bob", "annotator"))
    test = studio.open(page, project=sample.id)
    assert test.button(key=key).disabled
    assert (
        test.button(key=key).help == "No permission: it takes a reviewer or an owner, and the role here is annotator."
    )
    set_role(store, "Bob", "reviewer", person="Ann")
    test.run()
    assert "No permission" not in (test.button(key=key).help or "")


def test_ones_own_password(studio: Studio, ann: str) -> None:
    test = sign_in(studio, "Ann", ann)

    def change(former: str, new: str) -> None:
        test.text_input(key="account_former").input(former)
        test.text_input(key="account_new").input(new)
        next(button for button in test.button if button.label == "Change password").click().run()

    change(ann, "short")
    assert "at least 12 are needed" in studio.messages
    change("wrong", "a long new password")
    assert "The password you have now is another one" in studio.messages
    change(ann, "a long new password")
    assert [box.value for box in studio.checked().success] == ["Your password was changed."]
    test.button(key="account_leave").click().run()
    test.run()
    sign_in(studio, "Ann", "a long new password")
    assert "<b>Ann</b>" in studio.html


def test_a_server_that_others_reach_shows_nothing_where_nobody_can_sign_in(
    studio: Studio, project: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "reachable", lambda headers: True)
    test = studio.open("projects", project=project.id)
    assert "there is no account yet" in studio.messages
    assert [block.value for block in test.code] == ["re2nn users add NAME --role owner"]
    assert project.name not in studio.html
    assert labels(test) == []


@pytest.mark.parametrize(
    ("address", "headers", "reported"),
    [
        ("127.0.0.1", {"Host": "localhost:8501"}, False),
        ("localhost", {"Host": "127.0.0.1:8501"}, False),
        ("::1", {"Host": "[::1]:8501"}, False),
        ("127.0.0.1", {}, False),
        ("0.0.0.0", {"Host": "localhost:8501"}, True),  # noqa: S104 - what is asked about
        (None, {"Host": "localhost:8501"}, True),
        ("", {"Host": "localhost:8501"}, True),
        ("192.0.2.7", {"Host": "localhost"}, True),
        ("127.0.0.1", {"Host": "rules.example"}, True),
        ("127.0.0.1", {"Host": "127.0.0.1.evil.example"}, True),
        ("127.0.0.1", {"Host": "localhost:8501", "X-Forwarded-For": "192.0.2.9"}, True),
        ("127.0.0.1", {"Host": "localhost:8501", "Forwarded": "for=192.0.2.9"}, True),
    ],
)
def test_what_others_can_reach(
    monkeypatch: pytest.MonkeyPatch, address: str | None, headers: dict[str, str], reported: bool
) -> None:
    monkeypatch.setattr(st, "get_option", lambda name: address)
    assert reachable(headers) is reported


def provider(monkeypatch: pytest.MonkeyPatch, claims: dict[str, object]) -> None:
    monkeypatch.setattr(access, "has_provider", lambda: True)
    monkeypatch.setattr(access, "provider_claims", lambda: claims or None)


def test_a_provider_is_offered_beside_the_form(studio: Studio, ann: str, monkeypatch: pytest.MonkeyPatch) -> None:
    provider(monkeypatch, {})
    studio.test.run()
    assert labels(studio.checked()) == ["Sign in with your organization", "Sign in"]
    monkeypatch.setattr(access, "provider_is_installed", lambda: False)
    studio.test.run()
    assert "pip install 're2nn-studio[oidc]'" in studio.messages


def test_a_verified_address_is_let_in_and_another_is_told_why_not(
    studio: Studio, store: Store, ann: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts.add_person(store, "Otto", "annotator", email="o@example.org", oidc=True, person="Ann")
    provider(monkeypatch, {"email": "o@example.org", "email_verified": True})
    studio.test.run()
    assert "<b>Otto</b>" in studio.html
    assert "Change password" not in labels(studio.checked())
    provider(monkeypatch, {"email": "eve@example.org", "email_verified": True})
    studio.test.run()
    assert "Nobody has an account with the address" in studio.messages
    assert labels(studio.checked()) == ["Sign out"]


PEOPLE = """\
from pages._shared.session import gate, state
from pages._team.people import draw_people
gate.stop_unless_passed()
state.sync()
draw_people()
"""


def people_page(name: str, store: Store, script: str = PEOPLE) -> AppTest:
    """The section alone, for somebody who is signed in."""
    from datetime import UTC, datetime, timedelta

    from re2nn_core.store import find_account, open_sign_in

    account, now = find_account(store, name), datetime.now(UTC)
    assert account is not None
    opened = open_sign_in(
        store, account.id, f"ticket {token_hex(4)} of {name}", moment=now, expires_at=now + timedelta(days=1)
    )
    test = AppTest.from_string(script, default_timeout=60)
    test.session_state[access.SIGN_IN] = opened.id
    test.run()
    assert not test.exception
    return test


def test_owners_manage_people(store: Store, ann: str, add: Add) -> None:
    add("Bob", "annotator")
    test = people_page("Ann", store)
    bob = next(account for account in list_accounts(store) if account.name == "Bob")
    test.selectbox(key=f"people_role_{bob.id}_annotator").select("reviewer").run()
    test.button(key=f"people_password_{bob.id}").click().run()
    shown = [block.value for block in test.code]
    assert len(shown) == 1
    assert re.fullmatch(r"(\w{5}-){3}\w{5}", shown[0])
    test.button(key="people_copied").click().run()
    assert not test.code
    test.text_input(key="people_name").input("Cleo")
    test.selectbox(key="people_role").select("reviewer")
    next(button for button in test.button if button.label == "Add member").click().run()
    assert len(test.code) == 1
    test.button(key=f"people_remove_{bob.id}").click().run()
    assert not test.exception
    assert [(account.name, account.role, account.active) for account in list_accounts(store)] == [
        ("Ann", "owner", True),
        ("Bob", "reviewer", False),
        ("Cleo", "reviewer", True),
    ]
    assert [(event.person, event.value) for event in people_events(store)][:4] == [
        ("Ann", "Bob"),
        ("Ann", "Cleo"),
        ("Ann", "Bob"),
        ("Ann", "Bob"),
    ]
    said = "".join(element.proto.body for element in test.get("html"))
    assert "Removed: Bob." in said
    assert "changed the role of Bob from annotator to reviewer" in said


def test_the_last_owner_is_told_so(store: Store, ann: str) -> None:
    test = people_page("Ann", store)
    [account] = list_accounts(store)
    test.selectbox(key=f"people_role_{account.id}_owner").select("reviewer").run()
    assert "Ann is the last owner and cannot be made a reviewer" in test.warning[0].value
    assert list_accounts(store) == (account,)


def test_nobody_else_sees_the_people(store: Store, ann: str, add: Add) -> None:
    add("Rae", "reviewer")
    test = people_page("Rae", store)
    assert not test.subheader
    assert not test.button


def test_markup_in_a_name_stays_text(store: Store, ann: str, add: Add, home: Path) -> None:
    add("<img src=x onerror=alert(1)>", "annotator")
    test = people_page("Ann", store)
    said = "".join(element.proto.body for element in test.get("html"))
    assert "<img" not in said
    assert "&lt;img" in said


def test_what_waits_for_somebody_who_is_removed_is_told(
    store: Store, project: ProjectRecord, ann: str, add: Add
) -> None:
    """Before the removal and after it, on People and on Progress, with what to do."""
    add("Cid", "annotator")
    ids = [text.id for text in texts_of(store, project.id)]
    record_label(store, ids[0], "flight", "Ann")
    open_queue(store, project.id, ids, share_with=["Cid"])
    assert lease_next(store, project.id, "Cid") is not None
    cid = next(account for account in list_accounts(store) if account.name == "Cid")

    def said(test: AppTest) -> str:
        return "".join(element.proto.body for element in test.get("html"))

    progress = PEOPLE.replace("draw_people()", f"draw_progress(get_project(store(), {project.id}))").replace(
        "from pages._team.people import draw_people",
        "from pages._shared.resources import store\nfrom pages._team.progress import draw_progress\n"
        "from re2nn_core.store import get_project",
    )
    left = "7 texts of Small are assigned to Cid: nobody else gets them. On Label, Team queue, name other annotators"
    removed = (
        "7 annotations are assigned to Cid, who has no account: nobody else gets these texts. On Label, Team queue"
    )
    assert "1 in progress" in said(people_page("Ann", store, progress))
    test = people_page("Ann", store)
    assert left in said(test)
    test.button(key=f"people_remove_{cid.id}").click().run()
    assert left in said(test)
    shown = said(people_page("Ann", store, progress))
    assert removed in shown
    assert "0 in progress" in shown
