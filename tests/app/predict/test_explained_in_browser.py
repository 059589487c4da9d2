"""In Chromium: a text's answer explained on Predict, for labels by a trained network and for slots by rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.app.served import in_chromium, opened_page, picture, served, sync_api
from support.projects.finished_run import finished_run, learnable_project
from support.projects.finished_tagger_run import slot_project

from re2nn_core.store import ProjectRecord, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = [*in_chromium, pytest.mark.long]
FIRST = 120_000  # milliseconds: the first page of a server loads the libraries
SIZES = ((1440, 900), (1024, 700))


def explain(page: sync_api.Page, address: str, text: str) -> None:
    """Paste a text on Predict and ask for its explanation."""
    page.goto(address)
    page.get_by_text("Paste", exact=False).first.wait_for(timeout=FIRST)
    page.get_by_role("radio", name="Paste").click()
    area = page.locator("textarea").first
    area.fill(text)
    page.get_by_role("button", name="Predict texts").click()
    page.get_by_text("Explain the selected text").click()
    page.locator("ol.re2-heat").first.wait_for()


def fits(page: sync_api.Page) -> bool:
    """Whether nothing is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ProjectRecord, ProjectRecord]]:
    """The address of the application, a project for labels with a trained run, and one for slots."""
    home = tmp_path_factory.mktemp("served")
    with open_store(home / DATABASE_NAME) as store:
        labels = learnable_project(store)
        finished_run(store, labels)
        slots = slot_project(store)
    with served(home) as address:
        yield address, labels, slots


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_prediction_is_taken_apart(site: tuple[str, ProjectRecord, ProjectRecord], width: int, height: int) -> None:
    address, labels, slots = site
    with opened_page(width, height) as page:
        explain(page, f"{address}/predict?project={labels.id}", "the fare to oslo please")
        whole = page.get_by_test_id("stMain")
        whole.focus()
        assert whole.evaluate("part => getComputedStyle(part).outlineStyle") == "none"
        words = page.locator("ol.re2-heat").first.locator("li")
        assert words.all_inner_texts()[1].split() == ["fare", "+1.00"]
        heat = words.nth(1).evaluate("word => getComputedStyle(word).backgroundColor")
        assert heat != words.nth(0).evaluate("word => getComputedStyle(word).backgroundColor")
        assert fits(page)
        picture(page, f"explained_labels_{width}")
        page.get_by_role("radio", name="Why not").click()
        page.locator(".re2-whynot").first.wait_for()
        picture(page, f"explained_why_not_{width}")
        explain(page, f"{address}/predict?project={slots.id}", "a flight to oslo on friday")
        assert "oslo" in page.locator("ol.re2-heat").first.inner_text()
        assert fits(page)
        picture(page, f"explained_slots_{width}")
