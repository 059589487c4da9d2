"""The server goes away while somebody labels, and comes back: what was typed is sent then, or the page says that it was
not used."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.app.label_keys import PATIENCE_MS, is_shown, press
from support.app.served import adjudicated, free_port, in_chromium, opened_page, picture, served, sync_api
from support.projects.finished_run import learnable_project
from support.projects.span_samples import annotated_project

from re2nn_core.store import Store, get_text, open_queue, open_store, save, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME
from re2nn_core.text.spans import read_spans

pytestmark = in_chromium
WAITS = "No connection. Your last annotation (money) is kept here and sent when the server is back."
UNUSED = "Your last keys were not used: there was no connection."


def labels(store: Store, ids: list[int]) -> list[str | None]:
    return [get_text(store, text_id).label for text_id in ids]


def type_without_server(page: sync_api.Page, keys: str) -> None:
    page.locator("[data-test-connection-state]:not([data-test-connection-state=CONNECTED])").wait_for()
    for key in keys.split():
        page.keyboard.press(key)


def in_sight(line: sync_api.Locator) -> bool:
    """Whether all of it is within the window."""
    box, size = line.bounding_box(), line.page.viewport_size
    assert box is not None
    assert size is not None
    return 0 < box["y"] < box["y"] + box["height"] < size["height"]


@pytest.mark.long
def test_an_answer_waits_for_the_server(tmp_path: Path) -> None:
    """One answer waits; keys for a text that was not seen are not used, and the page says so. Where the answer had been
    saved before the server went, that is asked, and not said a second time."""
    port = free_port()
    with open_store(tmp_path / DATABASE_NAME) as store, opened_page(1024, 700) as page:
        page.set_default_timeout(PATIENCE_MS)
        project = learnable_project(store, unlabelled=6)
        ids = [record.id for record in texts_of(store, project.id) if record.label is None]
        open_queue(store, project.id, ids)
        with served(tmp_path, port=port) as address:
            page.goto(f"{address}/label?project={project.id}&person=Ann")
            is_shown(page, ids[0])
            assert press(page, "Enter") == ids[0]
            adjudicated(page)

        type_without_server(page, "2 Enter 1 Enter")
        reported = page.get_by_text(WAITS)
        reported.wait_for()
        # Streamlit's own box would lie over the text, and says less.
        box = page.get_by_test_id("stDialog")
        box.wait_for(state="attached")
        assert not box.is_visible()
        assert in_sight(reported)
        picture(page, "connection_lost")
        assert labels(store, ids[:3]) == ["travel", None, None]

        with served(tmp_path, port=port):
            page.get_by_text(UNUSED).wait_for()
            box.wait_for(state="detached")
            is_shown(page, ids[2])
            page.get_by_text("money was saved.").wait_for()
            adjudicated(page)
            picture(page, "connection_back")
            assert labels(store, ids[:3]) == ["travel", "money", None]

        # A label that was chosen and not given is still chosen.
        type_without_server(page, "2")
        with served(tmp_path, port=port):
            page.get_by_role("button", name="Save: money").wait_for()
            adjudicated(page)

        type_without_server(page, "Enter")
        save(store, ids[2], "money", "Ann")
        with served(tmp_path, port=port):
            page.get_by_text("The server was restarted. Check whether your last annotation was saved.").wait_for()
            is_shown(page, ids[3])
            assert labels(store, ids) == ["travel", "money", "money", None, None, None]
            assert press(page, "Enter") == ids[3]


@pytest.mark.long
def test_marks_wait_for_the_server(tmp_path: Path) -> None:
    """What was to be saved is sent when the server is back; a mark that nobody saved is kept."""
    port = free_port()
    with open_store(tmp_path / DATABASE_NAME) as store, opened_page(1024, 700) as page:
        page.set_default_timeout(PATIENCE_MS)
        project = annotated_project(store)
        ids = [record.id for record in texts_of(store, project.id)]
        open_queue(store, project.id, ids)
        state = page.locator(".editor .state")
        with served(tmp_path, port=port) as address:
            page.goto(f"{address}/label?project={project.id}&person=Ann")
            page.locator(".editor .word").first.wait_for()
            adjudicated(page)
        before = labels(store, ids)

        type_without_server(page, "Home 1")
        state.get_by_text("No connection. Your spans are kept here; save them when the server is back.").wait_for()
        assert not page.get_by_test_id("stDialog").is_visible()
        assert in_sight(state)
        page.keyboard.press("Enter")
        state.get_by_text("No connection. Your spans are kept here and sent when the server is back.").wait_for()
        picture(page, "connection_lost_marks")
        assert labels(store, ids) == before

        with served(tmp_path, port=port):
            page.locator(".editor .text", has_text="rome").wait_for()  # the next one
            adjudicated(page)
            after = labels(store, ids)
        [changed] = [number for number in range(len(ids)) if after[number] != before[number]]
        assert changed == 0
        assert read_spans(after[0] or "")[0].start == 0
