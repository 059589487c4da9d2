"""Keys typed after a choice in Chromium: they belong to the page, not to the list that was closed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.app.label_keys import hears, is_shown, press, shown
from support.app.served import adjudicated, in_chromium, sync_api, window
from support.projects.finished_run import learnable_project

from re2nn_core.store import get_text, open_store, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium


def _order(page: sync_api.Page) -> sync_api.Locator:
    return page.locator(".st-key-label_order input")


def _by_mouse(page: sync_api.Page) -> None:
    _order(page).click()
    page.get_by_role("option", name="Unlabelled").click()


def _by_keys(page: sync_api.Page) -> None:
    _order(page).focus()
    page.keyboard.type("Unlab")
    page.get_by_role("option", name="Unlabelled").wait_for()
    page.keyboard.press("Enter")


def _by_escape(page: sync_api.Page) -> None:
    """The list is opened and closed again, and nothing is chosen."""
    _order(page).click()
    page.get_by_role("option", name="Unlabelled").wait_for()
    page.keyboard.press("Escape")


def _model(page: sync_api.Page) -> None:
    """Another list of the page: the models of the bar."""
    page.locator("[class*=st-key-_bar_model_] input").click()
    page.get_by_role("option").first.click()


def _way(page: sync_api.Page) -> None:
    """A row of buttons: Enter is for the text, and presses none of them again."""
    page.get_by_role("radio", name="List").click()
    page.locator(".st-key-label_list_answer").wait_for()
    page.get_by_role("radio", name="One by one").click()


@pytest.mark.parametrize("choose", [_by_mouse, _by_keys, _by_escape, _model, _way])
def test_the_next_keys_label_the_text(
    server: tuple[str, Path], browser: sync_api.Browser, choose: Callable[[sync_api.Page], None]
) -> None:
    with open_store(server[1] / DATABASE_NAME) as store:
        project = learnable_project(store, unlabelled=3, name=choose.__name__)
        with window(browser) as page:
            page.goto(f"{server[0]}/label?project={project.id}&person=Ann")
            is_shown(page, shown(page))
            adjudicated(page)
            choose(page)
            page.wait_for_function("() => document.activeElement === document.body")
            adjudicated(page)
            hears(page, shown(page))
            page.keyboard.press("2")
            text_id = press(page, "Enter")
            page.get_by_text("money was saved.").wait_for()
        given = {record.id: record.label for record in texts_of(store, project.id) if record.annotator == "Ann"}
        assert given == {text_id: "money"}
        assert get_text(store, text_id).label == "money"
