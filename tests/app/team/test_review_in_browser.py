"""Review in Chromium: a conflict is decided by one key, and the decision is undone after a reload."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.app.label_keys import hears
from support.app.served import adjudicated, chromium, in_chromium, picture, served, sync_api, window
from support.projects.conflicts import conflict_project

from re2nn_core.store import Store, get_text, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium


def stands(store: Store, text_id: int) -> tuple[str | None, str | None, bool]:
    text = get_text(store, text_id)
    return text.label, text.annotator, text.decided


def shows(page: sync_api.Page, text_id: int) -> None:
    """Wait until a text is there to be decided: the button of its second label is drawn last."""
    page.locator(f".st-key-review_label_2_{text_id}").wait_for()
    hears(page, text_id)
    adjudicated(page)


@pytest.mark.long
def test_one_key_decides_and_undo_survives_a_reload(tmp_path: Path) -> None:
    with (
        served(tmp_path) as address,
        open_store(tmp_path / DATABASE_NAME) as store,
        chromium() as browser,
        window(browser) as page,
    ):
        project, ids = conflict_project(store)
        page.set_default_timeout(90_000)  # a fresh server on a busy machine takes its time
        page.goto(f"{address}/team?project={project.id}&view=review&person=Dora")
        shows(page, ids[1])
        page.keyboard.press("a")
        shows(page, ids[2])
        assert stands(store, ids[1]) == ("flight", "Dora", True)
        picture(page, "review")
        page.keyboard.press("Enter")
        shows(page, ids[5])
        assert stands(store, ids[2]) == ("baggage", "Dora", True)
        page.keyboard.press("s")
        page.get_by_text("You postponed 1 text.").wait_for()
        page.reload()
        shows(page, ids[5])
        page.keyboard.press("u")
        shows(page, ids[2])
        assert stands(store, ids[2]) == ("flight", "Cleo", False)
        page.keyboard.press("u")
        shows(page, ids[1])
        assert stands(store, ids[1]) == ("baggage", "Bob", False)
        page.keyboard.press("1")
        shows(page, ids[2])
        assert stands(store, ids[1]) == ("flight", "Dora", True)
