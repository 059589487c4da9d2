"""Labelling in Chromium by keys: which text is shown, and a key that leads on to another one."""

from __future__ import annotations

from support.app.served import adjudicated, sync_api

PATIENCE_MS, TRIES = 90_000, 3


def shown(page: sync_api.Page) -> int:
    """The id of the text that is shown, as its button has it."""
    found = page.locator("[class*=st-key-label_accept_]").first
    found.wait_for()
    [name] = [one for one in (found.get_attribute("class") or "").split() if one.startswith("st-key-label_accept_")]
    return int(name.rsplit("_", 1)[1])


def press(page: sync_api.Page, key: str) -> int:
    """Press a key, and wait until another text, or none, is there; the id of the one that was."""
    text_id = shown(page)
    removed = page.locator(f".st-key-label_accept_{text_id}")
    for _ in range(TRIES):
        adjudicated(page)
        page.keyboard.press(key)
        try:
            removed.wait_for(state="detached", timeout=PATIENCE_MS / TRIES)
            return text_id
        except sync_api.TimeoutError:
            continue
    raise AssertionError(f"The key {key} did nothing to text {text_id}.")


def is_shown(page: sync_api.Page, text_id: int) -> None:
    """Wait until a text is there, and keys are meant for it: on a busy machine its buttons come seconds before."""
    page.locator(f".st-key-label_accept_{text_id}").wait_for()
    hears(page, text_id)


def hears(page: sync_api.Page, text_id: int) -> None:
    """Wait until keys are meant for a text."""
    page.wait_for_function("id => window.re2nnStrokes?.data?.text_id === id", arg=text_id)
