"""A name that was typed, where nobody signs in, in Chromium: it outlasts a reload and a link that names nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.app.served import in_chromium, sync_api, window
from support.projects.finished_run import learnable_project

from re2nn_core.store import open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium


@pytest.mark.long
def test_a_typed_name_outlasts_a_reload_and_a_link(server: tuple[str, Path], browser: sync_api.Browser) -> None:
    with open_store(server[1] / DATABASE_NAME) as store:
        project = learnable_project(store, unlabelled=3, name="typed name")
    with window(browser) as page:
        label = f"{server[0]}/label?project={project.id}"
        page.goto(label)
        field = page.locator(".st-key-label_name input")
        field.fill("Ann")
        field.press("Enter")
        named = page.get_by_text("(Ann)").first
        named.wait_for()
        page.wait_for_function("() => document.cookie.includes('Ann')")
        for come_back in (page.reload, lambda: page.goto(label)):
            come_back()
            named.wait_for()
            assert page.locator(".st-key-label_name input").count() == 0
    with window(browser) as other:
        other.goto(label)
        other.locator(".st-key-label_name input").wait_for()
