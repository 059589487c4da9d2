"""The help in Chromium: opened by its key, searched, and read by topic."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.app.served import adjudicated, in_chromium, opened_page, picture, served, sync_api

pytestmark = in_chromium


def test_the_help_is_opened_by_its_key_searched_and_read(tmp_path: Path) -> None:
    with served(tmp_path) as address, opened_page() as page:
        page.goto(address)
        page.get_by_role("button", name="?", exact=True).wait_for()
        adjudicated(page)
        page.keyboard.press("?")
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("heading", name="Projects", exact=True).wait_for()
        for width, height in ((1440, 900), (1024, 700)):
            page.set_viewport_size({"width": width, "height": height})
            adjudicated(page)
            panel, card = (found.bounding_box() for found in (dialog, page.locator(".st-key-re2_card_sample_2")))
            assert panel is not None
            assert card is not None
            assert panel["x"] + panel["width"] == pytest.approx(width, abs=2)
            assert panel["width"] < 0.36 * width
            assert card["x"] + card["width"] <= panel["x"], "the panel hides what is asked about"
        picture(page, "help")

        query = dialog.get_by_label("Search the guide")
        query.fill("priorities")
        query.press("Enter")
        dialog.get_by_role("button", name="Priorities · Decide between labels", exact=False).click()
        dialog.get_by_role("heading", name="Priorities", exact=True).wait_for()
        assert query.input_value() == ""

        query.fill("zzyzx")
        query.press("Enter")
        dialog.get_by_text("No section of the guide contains “zzyzx”.", exact=False).wait_for()
        query.fill("")
        query.press("Enter")

        dialog.get_by_label("All topics").click()
        page.keyboard.type("Glossary")
        page.keyboard.press("Enter")
        dialog.get_by_role("heading", name="Wildcard", exact=True).wait_for()
        picture(page, "help_glossary")
        dialog.get_by_role("tab", name="Keys").click()
        dialog.get_by_role("cell", name="previous control").wait_for()


@pytest.mark.long
def test_one_click_on_the_navigation_goes_there_while_the_help_is_open(tmp_path: Path) -> None:
    with served(tmp_path) as address, opened_page() as page:
        page.goto(f"{address}/results")
        page.get_by_role("button", name="?", exact=True).click()
        page.get_by_role("dialog").get_by_role("heading", name="Results", exact=True).wait_for()
        adjudicated(page)
        page.mouse.click(*_middle(page.get_by_role("link", name="Projects").first))
        page.locator(".st-key-re2_card_sample_2").wait_for()
        page.get_by_role("dialog").wait_for(state="detached")


@pytest.mark.long
def test_the_page_is_used_while_the_help_is_open(tmp_path: Path) -> None:
    """What is clicked does at once what it says, and the panel stays as long as the page is not drawn anew."""
    with served(tmp_path) as address, opened_page() as page:
        page.goto(f"{address}/results")
        rows = page.get_by_label("Rows with")
        rows.wait_for()
        adjudicated(page)
        page.get_by_role("button", name="?", exact=True).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("heading", name="Results", exact=True).wait_for()
        adjudicated(page)
        page.mouse.click(*_middle(rows))
        page.keyboard.type("BiGRU+")
        assert rows.input_value() == "BiGRU+"
        assert dialog.is_visible()
        page.get_by_role("rowheader", name="FA-RNN", exact=True).click()
        page.keyboard.press("Escape")
        dialog.wait_for(state="detached")
        page.get_by_role("rowheader", name="FA-RNN", exact=True).wait_for(state="detached")


def _middle(part: sync_api.Locator) -> tuple[float, float]:
    """Where somebody clicks on it, whatever lies above it."""
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
