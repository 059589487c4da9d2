"""Signing in, in Chromium: what only a browser with its cookies shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.app.accounts import new_person, sign_in, signed_in
from support.app.app_studio import small_project
from support.app.served import go, in_chromium, picture, put_caret_behind, served, sync_api, window

from re2nn_core.errors import SignInError
from re2nn_core.services.team import sign_in as signing
from re2nn_core.store import open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def passwords(home: Path) -> dict[str, str]:
    """An owner and an annotator, and a project."""
    with open_store(home / DATABASE_NAME) as store:
        made = {name: new_person(store, name, role) for name, role in (("Ann", "owner"), ("Bob", "annotator"))}
        small_project(store)
    return made


@pytest.fixture(scope="module")
def address(home: Path, passwords: dict[str, str]) -> Iterator[str]:
    with served(home) as opened:
        yield opened


def kept(page: sync_api.Page) -> list[sync_api.Cookie]:
    return [cookie for cookie in page.context.cookies() if cookie["name"].startswith("re2nn_")]


def test_a_sign_in_outlasts_a_reload_and_ends_by_sign_out(
    address: str, passwords: dict[str, str], browser: sync_api.Browser
) -> None:
    with window(browser) as page:
        page.goto(f"{address}/rules?project=1&person=Mallory")
        page.get_by_role("button", name="Sign in").wait_for()
        picture(page, "sign_in")
        assert page.get_by_text("Small").count() == 0
        assert page.get_by_test_id("stTopNavLinkContainer").count() == 0
        with page.expect_response(lambda response: response.url.endswith("/re2nn/session")) as prediction:
            sign_in(page, "ann", passwords["Ann"])
        assert prediction.value.status == 204
        signed_in(page, "Ann").wait_for()
        assert "person=" not in page.url
        [cookie] = kept(page)
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")
        assert cookie["value"] not in page.evaluate("document.cookie")
        page.reload()
        signed_in(page, "Ann").wait_for()
        go(page, "Projects")
        signed_in(page, "Ann").wait_for()
        with page.context.expect_page() as other:
            page.evaluate("address => window.open(address)", f"{address}/predict?project=1")
        signed_in(other.value, "Ann").wait_for()
        signed_in(page, "Ann").click()
        picture(page, "account")
        page.get_by_role("button", name="Sign out").click()
        sign_in(page, "Ann", passwords["Ann"])
        signed_in(page, "Ann").click()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("button", name="Sign in").wait_for()
        page.reload()
        page.get_by_role("button", name="Sign in").wait_for()
        other.value.reload()
        other.value.get_by_role("button", name="Sign in").wait_for()


@pytest.mark.long
def test_an_annotator_is_refused_what_is_an_owners(
    address: str, passwords: dict[str, str], browser: sync_api.Browser
) -> None:
    with window(browser) as page:
        page.goto(f"{address}/?person=Ann")
        sign_in(page, "Bob", passwords["Bob"])
        signed_in(page, "Bob").wait_for()
        page.get_by_text("it takes an owner, and the role here is annotator.").wait_for()
        page.get_by_role("button", name="More").first.click()
        page.get_by_role("button", name="Export as archive").wait_for()
        assert page.get_by_role("button", name="Delete project", exact=True).is_disabled()
        assert page.get_by_role("button", name="Rename", exact=True).is_disabled()
        picture(page, "annotator")
        page.goto(f"{address}/rules?project=1&person=Ann")
        put_caret_behind(page, "lost := $* ( lost"[:11])
        page.keyboard.type("lost ")
        page.locator("[class*=st-key-_rules_view]").get_by_text("Effect").wait_for()
        page.keyboard.press("Control+s")
        page.get_by_text("Not saved.").wait_for()
        page.get_by_text("it takes a reviewer or an owner, and the role here is annotator.").first.wait_for()


@pytest.mark.long
def test_attempts_are_throttled(address: str, home: Path, browser: sync_api.Browser) -> None:
    """By a name that nobody has, too; the waits are minutes, so that a slow machine does not outlast them."""
    with open_store(home / DATABASE_NAME) as store:
        for _ in range(9):
            with suppress(SignInError):
                signing.sign_in(store, "Zoe", "wrong")
        with store.writing() as connection:
            connection.exec_driver_sql("UPDATE attempt SET waits_until = datetime(last_at, '+10 minutes')")
    with window(browser, 1024, 700) as page:
        page.goto(address)
        sign_in(page, "Nobody", "wrong")
        page.get_by_text("The name or the password is not right.").wait_for()
        sign_in(page, "zoe", "wrong")
        page.get_by_text(re.compile("Too many attempts. Try again in [0-9]+ minutes.")).wait_for()
        picture(page, "throttled")


def test_a_server_that_others_reach_shows_nothing_where_nobody_can_sign_in(
    browser: sync_api.Browser, tmp_path: Path
) -> None:
    """Whoever starts Streamlit past `re2nn app`, and whoever asks for the pages under another name."""
    with open_store(tmp_path / DATABASE_NAME) as store:
        small_project(store)
    with served(tmp_path, "--server.address=0.0.0.0") as address, window(browser) as page:
        page.goto(f"{address}/rules?project=1")
        page.get_by_text("there is no account yet").wait_for()
        page.get_by_text("re2nn users add NAME --role owner").wait_for()
        assert page.get_by_text("Small").count() == 0
        picture(page, "no_way_in")


def test_a_ticket_that_nobody_was_given_sets_no_cookie(address: str, browser: sync_api.Browser) -> None:
    with window(browser) as page:
        page.goto(address)
        prediction = page.request.post(f"{address}/re2nn/session", headers={"X-Re2nn-Ticket": "guessed"})
        assert prediction.status == 403
        assert kept(page) == []
