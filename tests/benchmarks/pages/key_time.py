"""The time from a key to what it changes on a page, taken inside the page."""

from __future__ import annotations

from support.app.served import sync_api

_REST_MILLISECONDS = 600  # until the page rests, before the next key


def key_time(page: sync_api.Page, watch: str, key: str) -> float:
    """Seconds from a key to the change that the script `watch` waits for; it leaves a promise of milliseconds in
    `window.taken`."""
    page.evaluate(watch)
    page.keyboard.press(key)
    taken = page.evaluate("() => window.taken")
    page.wait_for_timeout(_REST_MILLISECONDS)
    return float(taken) / 1000
