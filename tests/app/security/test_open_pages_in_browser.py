"""Pages that are open while something changes: removed, signed out elsewhere, blind now; and what is no page."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app.accounts import new_person, sign_in, signed_in
from support.app.app_studio import small_project
from support.app.doors import ways
from support.app.served import in_chromium, picture, served, sync_api, window

from re2nn_core.services.team import accounts
from re2nn_core.store import ProjectRecord, Store, close_queue, open_queue, open_store, record_label, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def store(home: Path) -> Iterator[Store]:
    with open_store(home / DATABASE_NAME) as opened:
        yield opened


@pytest.fixture(scope="module")
def people(store: Store) -> dict[str, str]:
    """Their passwords."""
    roles = {"Ann": "owner", "Gus": "reviewer", "Cem": "annotator", "Dee": "annotator"}
    return {name: new_person(store, name, role) for name, role in roles.items()}


@pytest.fixture(scope="module")
def project(store: Store, people: dict[str, str]) -> ProjectRecord:
    """Two people have said different things of its first text."""
    made = small_project(store)
    text = texts_of(store, made.id)[0]
    for name, label in (("Ann", "lost"), ("Gus", "baggage")):
        record_label(store, text.id, label, name)
    return made


@pytest.fixture(scope="module")
def address(home: Path, project: ProjectRecord) -> Iterator[str]:
    with served(home, "--server.maxUploadSize=1") as opened:
        yield opened


def come(page: sync_api.Page, address: str, path: str, name: str, password: str) -> None:
    page.goto(f"{address}/{path}")
    sign_in(page, name, password)
    signed_in(page, name).wait_for()


def form(page: sync_api.Page, reported: str) -> None:
    page.get_by_role("button", name="Sign in").wait_for()
    page.get_by_test_id("stAlert").filter(has_text=reported).wait_for()
    assert page.get_by_text("where is my suitcase").count() == 0


def kept(page: sync_api.Page) -> list[str]:
    return [cookie["name"] for cookie in page.context.cookies() if cookie["name"].startswith("re2nn_")]


@pytest.mark.long
def test_a_removed_person_is_out_with_the_next_click_in_a_part(
    address: str, store: Store, people: dict[str, str], browser: sync_api.Browser
) -> None:
    password = new_person(store, "Eve", "reviewer")
    with window(browser) as page:
        come(page, address, "predict?project=1", "Eve", password)
        page.get_by_text("Texts of this project").click()
        page.locator(".st-key-predict_download button").wait_for()
        accounts.remove_person(store, "Eve", person="Ann")
        page.locator(".st-key-predict_search input").fill("bag")
        page.keyboard.press("Enter")
        form(page, "An owner removed this account. Your last action was not executed.")
        picture(page, "removed")
        page.reload()
        page.get_by_role("button", name="Sign in").wait_for()
        assert kept(page) == []


def test_who_signs_out_in_one_tab_is_out_in_the_other(
    address: str, people: dict[str, str], browser: sync_api.Browser
) -> None:
    with window(browser) as page:
        come(page, address, "predict?project=1", "Gus", people["Gus"])
        page.get_by_text("Texts of this project").click()
        page.locator(".st-key-predict_download button").wait_for()
        with page.context.expect_page() as other:
            page.evaluate("address => window.open(address)", f"{address}/")
        signed_in(other.value, "Gus").click()
        other.value.get_by_role("button", name="Sign out").click()
        form(other.value, "You signed out.")
        page.locator(".st-key-predict_search input").fill("bag")
        page.keyboard.press("Enter")
        form(page, "You signed out in another tab or window. Your last action was not executed.")


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "before", "click"),
    [
        ("predict?project=1", "Texts of this project", "search"),
        ("team?project=1&view=review", "Annotators disagree.", "Postpone"),
    ],
)
def test_who_labels_blind_sees_no_labels_with_the_next_click(
    address: str, store: Store, project: ProjectRecord, people: dict[str, str], browser: sync_api.Browser,
    path: str, before: str, click: str,
) -> None:  # fmt: skip
    with window(browser) as page:
        come(page, address, path, "Cem", people["Cem"])
        page.get_by_text(before).first.wait_for()
        if click == "search":
            page.get_by_text(before).click()
            page.locator(".st-key-predict_download button").wait_for()
        open_queue(
            store, project.id, [one.id for one in texts_of(store, project.id)], overlap=2, blind=True, person="Ann"
        )
        try:
            if click == "search":
                page.locator(".st-key-predict_search input").fill("bag")
                page.keyboard.press("Enter")
            else:
                page.get_by_role("button", name=click).click()
            page.get_by_text("The queue is blind").wait_for()
            assert page.get_by_text("Gus").count() == 0
            picture(page, f"blind_{click}")
        finally:
            close_queue(store, project.id, person="Ann")


@pytest.mark.long
def test_who_signs_in_can_leave_the_page_at_once(
    address: str, people: dict[str, str], browser: sync_api.Browser
) -> None:
    """The cookie comes before the page is drawn."""
    with window(browser) as page:
        page.goto(f"{address}/train?project=1")
        with page.expect_response(lambda response: response.url.endswith("/re2nn/session")):
            sign_in(page, "Dee", people["Dee"])
        page.goto(f"{address}/rules?project=1")
        signed_in(page, "Dee").wait_for()


def test_downloads_and_uploads_need_a_sign_in(address: str, people: dict[str, str], browser: sync_api.Browser) -> None:
    asked: list[str] = []
    with window(browser) as page:
        page.on("request", lambda request: asked.append(request.url))
        come(page, address, "?project=1", "Ann", people["Ann"])
        page.get_by_role("button", name="More").first.click()
        with page.expect_download() as taken:
            page.get_by_role("button", name="Export as archive").click()
        assert Path(taken.value.path()).read_bytes()[:2] == b"PK"
        url = [one for one in asked if "/media/" in one][-1]
        assert page.request.get(url).status == 200
        assert _status(url) == 401
        signed_in(page, "Ann").click()
        page.get_by_role("button", name="Sign out").click()
        form(page, "You signed out.")
        assert page.request.get(url).status == 401


def test_no_route_of_the_server_answers_without_its_check(address: str) -> None:
    expected = {"sign-in": {401}, "closed": {403}}
    for way in ways():
        path = re.sub(r"\{\w+\}", "x", way.path)
        for method in way.methods:
            status = _status(address + path, method)
            assert status in expected.get(way.door.asks, {200, 204, 302, 307, 400, 403, 404, 405, 426}), (method, path)
            assert status not in (401,) or way.door.asks == "sign-in"


def _status(url: str, method: str = "GET") -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=30) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code
