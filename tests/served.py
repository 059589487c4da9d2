"""The application in a server of its own, and Chromium to drive it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from app_studio import ROOT

from re2nn_core.store import HOME_VARIABLE

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
STARTED_SECONDS = 60
PATIENCE_SECONDS = 1
in_chromium = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]


@contextmanager
def served(home: Path, *options: str, port: int | None = None) -> Iterator[str]:
    """The address of the application on a port of its own, with its store in `home`. More `options` go to Streamlit."""
    with served_process(home, *options, port=port) as (address, _):
        yield address


@contextmanager
def served_process(home: Path, *options: str, port: int | None = None) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The same, with the server's process."""
    port = port or free_port()
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "app.py",
        "--server.headless=true",
        f"--server.port={port}",
        *options,
    ]
    environment = {**os.environ, HOME_VARIABLE: str(home), "RE2NN_PLAIN_EDITOR": "0"}
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
            yield f"http://127.0.0.1:{port}", process
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a server. It takes seconds to say good-bye to windows that are closed, which no test waits for."""
    process.terminate()
    try:
        process.wait(timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(timeout=STARTED_SECONDS)


@contextmanager
def chromium() -> Iterator[sync_api.Browser]:
    """A headless Chromium: several tests may share one, each with a window of its own."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def window(browser: sync_api.Browser, width: int = 1440, height: int = 900) -> Iterator[sync_api.Page]:
    """An empty page that knows nothing of the pages before."""
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.set_default_timeout(30_000)
    yield page
    context.close()


@contextmanager
def opened_page(width: int = 1440, height: int = 900) -> Iterator[sync_api.Page]:
    """An empty page of a Chromium of its own."""
    with chromium() as browser, window(browser, width, height) as page:
        yield page


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _wait_for(address: str) -> None:
    end = time.monotonic() + STARTED_SECONDS
    while True:
        try:
            with urllib.request.urlopen(address, timeout=2):  # noqa: S310 - our own server
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def put_caret_behind(page: sync_api.Page, text: str) -> None:
    """The caret of the rule editor behind the first place of a text."""
    page.locator("textarea[aria-label=Rules]").evaluate(
        "(area, text) => { const at = area.value.indexOf(text) + text.length;"
        " area.focus(); area.setSelectionRange(at, at); }",
        text,
    )


def go(page: sync_api.Page, title: str) -> None:
    """Another page, by the links at the top."""
    page.get_by_test_id("stTopNavLinkContainer").filter(has_text=title).click()
    page.locator(".st-key-re2_bar", has_text=title).wait_for()


def picture(page: sync_api.Page, name: str) -> None:
    """A picture of the page in the folder that RE2NN_SCREENSHOTS names, if it names one."""
    folder = os.environ.get("RE2NN_SCREENSHOTS")
    if folder:
        page.wait_for_timeout(1500)
        page.screenshot(path=str(Path(folder) / f"{name}.png"))
