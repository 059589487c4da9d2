"""What a click on Write rules reports leaves all else on the page as it was."""

from __future__ import annotations

from pathlib import Path

from support.app.app_studio import small_project
from support.app.served import in_chromium, put_caret_behind, sync_api, window

from re2nn_core.store import open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium
PADDING = "() => getComputedStyle(document.querySelector('[class*=st-key-_rules_view] button')).paddingLeft"


def test_an_error_of_a_click_leaves_the_page_its_style(server: tuple[str, Path], browser: sync_api.Browser) -> None:
    with open_store(server[1] / DATABASE_NAME) as store:
        project = small_project(store, "Style")
    with window(browser) as page:
        page.goto(f"{server[0]}/rules?project={project.id}")
        page.locator("textarea[aria-label=Rules]").wait_for()
        page.locator("[class*=st-key-_rules_view] button").first.wait_for()
        before = page.evaluate(PADDING)
        put_caret_behind(page, "lost := $* lost $*")
        page.keyboard.type("\nx := $* @~zzzqqq:0.6@ $*")
        page.get_by_role("button", name="Find the words of @~zzzqqq:0.6@").click()
        page.get_by_text("Finding words of like meaning did not work.").wait_for()
        assert page.evaluate(PADDING) == before
