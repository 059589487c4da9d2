"""In Chromium: a learned word is accepted into its rule, and dev accuracy changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.app.served import adjudicated, in_chromium, opened_page, picture, served, sync_api
from support.projects.finished_run import finished_run, learnable_project, plant_a_change

from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE, reconstruct_run
from re2nn_core.store import Store, latest_version, list_projects, list_runs, open_store, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium
FIRST = 120_000  # milliseconds: the first page of a server loads the libraries


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store whose project has a run that has learned `cost`."""
    with open_store(tmp_path / DATABASE_NAME) as opened:
        run = finished_run(opened, learnable_project(opened))
        reconstruct_run(run, texts_of(opened, run.project_id))
        plant_a_change(run)
        yield opened


def see(page: sync_api.Page, view: str) -> None:
    """Another view of the page."""
    page.get_by_role("radio", name=view, exact=True).click(timeout=FIRST)


@pytest.mark.long
def test_a_learned_word_is_accepted_and_dev_rises(tmp_path: Path, store: Store) -> None:
    project = list_projects(store)[0].project
    with served(tmp_path) as address, opened_page() as page:
        page.goto(f"{address}/compare?project={project.id}")
        see(page, "By word")
        learned = page.locator("[data-testid=stVerticalBlock]", has_text="Learned edits, one by one").last
        # Two dev texts of sixteen ask what something costs.
        learned.get_by_text("dev (also used for training) ▲ +12.5 points").wait_for(timeout=FIRST)
        learned.locator("ins", has_text="cost").wait_for()
        picture(page, "accept_learned")
        learned.get_by_role("button", name="Accept edit as rules v2").click()
        page.get_by_text("Saved as rules v2.").wait_for()
        page.get_by_text("No single edit is left").wait_for()
    newest = latest_version(store, project.id)
    assert newest.number == 2
    assert "price := $* ( price | fare | cost ) $*" in newest.rules_text
    assert newest.message == "price: at price | fare, also match cost (learned by run 1)"


def focus_is(page: sync_api.Page, place: str, kind: str, timeout: float = FIRST) -> None:
    """Wait until the focus is on a `kind` of element in a place of the page, or in one."""
    page.wait_for_function(
        "([place, kind]) => document.activeElement.closest(`.st-key-${place} ${kind}`)",
        arg=[place, kind],
        timeout=timeout,
    )


def go_to_edits(page: sync_api.Page) -> None:
    """By the letter; once more where the page did not hear it yet, or drew the table anew meanwhile."""
    for _ in range(9):
        page.keyboard.press("e")
        with suppress(sync_api.TimeoutError):
            focus_is(page, "compare_edits", "canvas", 2_000)
            return
    focus_is(page, "compare_edits", "canvas")


@pytest.mark.long
def test_edits_are_accepted_by_keys_alone(tmp_path: Path, store: Store) -> None:
    """One letter leads to the table, one to the button; from there the focus goes on to the next edit, and at the end
    to what says that none is left."""
    project = list_projects(store)[0].project
    [run] = list_runs(store, project.id)
    file = run.folder / FILE
    file.write_text(
        file.read_text(encoding="utf-8").replace("( cost | fare |", "( cost | rome | fare |"), encoding="utf-8"
    )
    with served(tmp_path) as address, opened_page() as page:
        page.goto(f"{address}/compare?project={project.id}")
        see(page, "By word")
        page.get_by_role("button", name="Accept edit as rules v2").wait_for(timeout=FIRST)
        adjudicated(page)
        for tools in page.get_by_test_id("stElementToolbar").all():  # a row is chosen, and nothing lies over the text
            sync_api.expect(tools).to_have_css("opacity", "0")
        go_to_edits(page)
        page.keyboard.down("a")
        focus_is(page, "compare_accept", "button")
        page.keyboard.down("a")  # held down
        page.keyboard.up("a")
        adjudicated(page)
        assert latest_version(store, project.id).number == 1, "a letter leads to the button and saves nothing"
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Accept edit as rules v3").wait_for(timeout=FIRST)
        adjudicated(page)
        focus_is(page, "compare_edits", "canvas")
        picture(page, "accept_by_keys")
        page.keyboard.press("a")
        page.keyboard.press("Enter")
        page.get_by_text("No single edit is left").wait_for(timeout=FIRST)
        adjudicated(page)
        focus_is(page, "compare_edits", ".re2-landing")
        # A letter that is typed into a field is for the field.
        see(page, "Sentence")
        field = page.get_by_role("textbox", name="Sentence to explain")
        field.click()
        page.keyboard.press("Control+a")
        page.keyboard.type("ea")
        sync_api.expect(field).to_have_value("ea")
    assert latest_version(store, project.id).number == 3
