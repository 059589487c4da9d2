"""The menu of models at the top names each of them whole on a small screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.app.served import adjudicated, in_chromium, sync_api, window
from support.projects.finished_tagger_run import slot_project, waiting_slot_run

from re2nn_core.store import finish_run, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium
NAME = "Model: run 1, rules v1, F1 87.4 on test"
IS_WHOLE = "one => one.scrollWidth <= one.clientWidth"


@pytest.mark.parametrize("title", ["Trip slots", "Requests of travellers in the spring"])
def test_the_name_of_a_model_is_not_cut_on_a_small_screen(
    server: tuple[str, Path], browser: sync_api.Browser, title: str
) -> None:
    """It and those to choose from ended in the middle: `Model: run 1, ru`. A long title is cut before."""
    with open_store(server[1] / DATABASE_NAME) as store:
        project = slot_project(store, name=title)
        finish_run(store, waiting_slot_run(store, project).id, "done", result={"test": 0.874})
    with window(browser, 1024, 700) as page:
        page.goto(f"{server[0]}/predict?project={project.id}")
        menu = page.locator("[class*=st-key-_bar_model_] input")
        menu.click()
        option = page.get_by_role("option", name=NAME)
        assert option.evaluate(IS_WHOLE)
        option.click()
        page.locator("[class*=st-key-_bar_model_][class*=run-]").wait_for()
        adjudicated(page)
        assert menu.evaluate(IS_WHOLE)
