"""The live editor and the list of rules in Chromium: what AppTest cannot drive."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from app_studio import ROOT, small_project

from re2nn_core.store import HOME_VARIABLE, ProjectRecord, Store, latest_version, open_store
from re2nn_core.store.database import DATABASE_NAME

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
STARTED_SECONDS = 60


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The application on a port of its own: its address, and the folder of its store."""
    port, home = free_port(), tmp_path_factory.mktemp("served")
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    environment = {**os.environ, HOME_VARIABLE: str(home), "RE2NN_PLAIN_EDITOR": "0"}
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/_stcore/health")
            yield f"http://127.0.0.1:{port}", home
        finally:
            process.terminate()
            process.wait(timeout=20)


@pytest.fixture
def store(server: tuple[str, Path]) -> Iterator[Store]:
    with open_store(server[1] / DATABASE_NAME) as opened:
        yield opened


@pytest.fixture
def project(store: Store, request: pytest.FixtureRequest) -> ProjectRecord:
    return small_project(store, request.node.name)


def wait_for(address: str) -> None:
    end = time.monotonic() + STARTED_SECONDS
    while True:
        try:
            with urllib.request.urlopen(address, timeout=2):  # noqa: S310 - our own server
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


@pytest.fixture
def page(server: tuple[str, Path], project: ProjectRecord) -> Iterator[sync_api.Page]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        opened = browser.new_page(viewport={"width": 1440, "height": 900})
        opened.set_default_timeout(30_000)
        opened.goto(f"{server[0]}/rules?project={project.id}")
        opened.locator("textarea[aria-label=Rules]").wait_for()
        yield opened
        browser.close()


def put_caret_behind(page: sync_api.Page, text: str) -> None:
    page.locator("textarea[aria-label=Rules]").evaluate(
        "(area, text) => { const at = area.value.indexOf(text) + text.length;"
        " area.focus(); area.setSelectionRange(at, at); }",
        text,
    )


def test_typing_is_live_and_can_be_saved(page: sync_api.Page, store: Store, project: ProjectRecord) -> None:
    """From a keystroke to new figures, to a fault, and to a new version, with the caret never moved."""
    page.locator(".row.rule", has_text="lost").locator(".number").first.wait_for()
    put_caret_behind(page, "lost := $* ( lost"[:11])
    page.keyboard.type("( suitcase | ")
    page.locator(".status.bad", has_text="is never closed").wait_for()
    put_caret_behind(page, "( suitcase | lost")
    page.keyboard.type(" )")
    page.locator(".line", has_text="suitcase").locator(".note", has_text="3").wait_for()
    page.get_by_text("Effect of this edit").wait_for()
    page.keyboard.press("Control+s")
    page.get_by_text("Saved as version 2.").wait_for()
    assert "( suitcase | lost )" in latest_version(store, project.id).rules_text
    area = page.locator("textarea[aria-label=Rules]")
    assert area.evaluate("area => area.getRootNode().activeElement === area")
    assert area.evaluate("area => area.value.slice(0, area.selectionStart)").endswith("( suitcase | lost )")


def test_letters_are_text_and_a_reload_loses_nothing(page: sync_api.Page) -> None:
    """c and r are shortcuts of the page around the editor, and the browser's reload ends the session."""
    put_caret_behind(page, "[flight]\n")
    page.keyboard.type("car := c r c r\n")
    page.locator(".row.rule", has_text="car").wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.locator(".row.rule", has_text="car").wait_for()


def test_a_rule_is_switched_off_in_the_list(page: sync_api.Page) -> None:
    """The box before a rule comments its lines out; a figure shows the texts behind it."""
    page.locator(".row.rule", has_text="to_place").locator("button.number").first.click()
    page.locator("mark.re2-hit", has_text="rome").first.wait_for()
    page.locator(".row.rule", has_text="to_place").locator("input[type=checkbox]").click()
    page.locator(".row.rule.off", has_text="to_place").wait_for()
    page.locator(".line", has_text="//- to_place").wait_for()
