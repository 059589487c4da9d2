"""The application in a server of its own, and Chromium to drive it."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import pytest
from support.app.app_studio import ROOT

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
    """The address of the application on a port of its own, with its store in `home`. More `options` go to Streamlit.

    The server is forked from a process that has loaded the libraries, where the system can do that.
    """
    if not hasattr(os, "fork"):
        with served_process(home, *options, port=port) as (address, _):
            yield address
        return
    port = port or free_port()
    asked = {
        "arguments": _arguments(port, options),
        "environment": _environment(home),
        "log": str(home / "server.log"),
    }
    process = _forked(json.dumps(asked))
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        _kill(process)


def _arguments(port: int, options: tuple[str, ...]) -> list[str]:
    return ["app.py", "--server.headless=true", f"--server.port={port}", *options]


def _environment(home: Path) -> dict[str, str]:
    return {**os.environ, HOME_VARIABLE: str(home), "RE2NN_PLAIN_EDITOR": "0"}


@cache
def _warm() -> subprocess.Popen[str]:
    """The process that becomes servers; it ends with this one."""
    command = [sys.executable, str(Path(__file__).with_name("warm_server.py"))]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(process.communicate)
    return process


def _forked(asked: str) -> int:
    """The process of a new server."""
    warm = _warm()
    assert warm.stdin is not None
    assert warm.stdout is not None
    warm.stdin.write(f"{asked}\n")
    warm.stdin.flush()
    return int(warm.stdout.readline())


def _kill(process: int) -> None:
    """End a server that is no child of this process, and wait until it is gone."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
        while True:
            os.kill(process, 0)
            time.sleep(0.01)


@contextmanager
def served_process(home: Path, *options: str, port: int | None = None) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The same by `streamlit run`, with the server's process."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", *_arguments(port, options)]
    environment = _environment(home)
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
    # Without moving pictures, whose drawing takes the processor more than the page does.
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(90_000)  # a machine that does other work beside may take as long
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
            time.sleep(0.05)


def put_caret_behind(page: sync_api.Page, text: str) -> None:
    """The caret of the rule editor behind the first place of a text."""
    page.locator("textarea[aria-label=Rules]").evaluate(
        "(area, text) => { const at = area.value.indexOf(text) + text.length;"
        " area.focus(); area.setSelectionRange(at, at); }",
        text,
    )


def go(page: sync_api.Page, title: str) -> None:
    """Another page, by the links at the top; a click that a page which is being drawn has swallowed is made again."""
    shown = page.locator(".st-key-re2_bar", has_text=title)
    for _ in range(3):
        page.get_by_test_id("stTopNavLinkContainer").filter(has_text=title).click()
        with suppress(sync_api.TimeoutError):
            shown.wait_for(timeout=20_000)
            return
    shown.wait_for()


def adjudicated(page: sync_api.Page) -> None:
    """Wait until the page is drawn and hears keys: its script is over, and the browser has nothing left to do.

    A button listens to its key once the frame that shows it was painted.
    """
    page.locator("[data-test-script-state=notRunning]").wait_for()
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestIdleCallback(() => done(), {timeout: 5000})))"
    )


def picture(page: sync_api.Page, name: str) -> None:
    """A picture of the page in the folder that RE2NN_SCREENSHOTS names, if it names one."""
    folder = os.environ.get("RE2NN_SCREENSHOTS")
    if folder:
        page.wait_for_timeout(1500)
        page.screenshot(path=str(Path(folder) / f"{name}.png"))
