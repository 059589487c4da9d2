"""In Chromium: a learned word is accepted into its rule, and dev accuracy changes."""

from __future__ import annotations

from pathlib import Path

from finished_run import finished_run, learnable_project, plant_a_change
from served import in_chromium, opened_page, picture, served

from re2nn_core.services.readback import read_back
from re2nn_core.store import latest_version, open_store, texts_of
from re2nn_core.store.addresses import DATABASE_NAME

pytestmark = in_chromium
FIRST = 120_000  # milliseconds: the first page of a server loads the libraries


def test_a_learned_word_is_accepted_and_dev_rises(tmp_path: Path) -> None:
    with open_store(tmp_path / DATABASE_NAME) as store:
        project = learnable_project(store)
        run = finished_run(store, project)
        read_back(run, texts_of(store, project.id))
        plant_a_change(run)
    with served(tmp_path) as address, opened_page() as page:
        page.goto(f"{address}/compare?project={project.id}")
        learned = page.locator("[data-testid=stVerticalBlock]", has_text="What was learned, edit by edit").last
        # Two dev texts of sixteen ask what something costs.
        learned.get_by_text("dev, learned from ▲ +12.5 points").wait_for(timeout=FIRST)
        learned.locator("ins", has_text="cost").wait_for()
        picture(page, "accept_learned")
        learned.get_by_role("button", name="Accept into rules v2").click()
        page.get_by_text("Saved as rules v2.").wait_for()
        page.get_by_text("No small edit is left").wait_for()
    with open_store(tmp_path / DATABASE_NAME) as store:
        newest = latest_version(store, project.id)
    assert newest.number == 2
    assert "price := $* ( price | fare | cost ) $*" in newest.rules_text
    assert newest.message == "price: in the place of price | fare also read cost (learned by run 1)"
