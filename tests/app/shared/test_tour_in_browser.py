"""The tour in Chromium: by keyboard from page to page; once left, another visit does not offer it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.app.served import adjudicated, in_chromium, opened_page, picture, served

pytestmark = in_chromium


@pytest.mark.long
def test_the_tour_leads_from_page_to_page_and_does_not_come_back(tmp_path: Path) -> None:
    with served(tmp_path) as address, opened_page() as page:
        page.goto(address)
        page.get_by_role("button", name="Take the tour").press("Enter")
        page.get_by_text("Tour, step 1 of 6: Projects.", exact=False).wait_for()
        picture(page, "tour_projects")
        page.get_by_role("button", name="Open Flight intents").press("Enter")
        page.get_by_text("Tour, step 2 of 6: Write rules.", exact=False).wait_for()
        adjudicated(page)
        picture(page, "tour_rules")
        page.get_by_role("button", name="Next", exact=True).press("Enter")
        page.get_by_text("Tour, step 3 of 6: See automaton.", exact=False).wait_for()
        adjudicated(page)
        page.get_by_role("button", name="Back", exact=True).press("Enter")
        page.get_by_text("Tour, step 2 of 6: Write rules.", exact=False).wait_for()
        adjudicated(page)
        page.get_by_role("button", name="Leave tour").press("Enter")
        page.get_by_text("Tour, step", exact=False).wait_for(state="detached")
        page.wait_for_function("() => document.cookie.includes('_tour=left')")

        page.goto(address)
        page.get_by_role("heading", name="Sample projects").wait_for()
        adjudicated(page)
        assert page.get_by_role("button", name="Take the tour").count() == 0
