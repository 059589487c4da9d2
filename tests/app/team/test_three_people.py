"""Three people at once, each in a browser of their own: two label, one reviews."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app.accounts import new_person, sign_in, signed_in
from support.app.label_keys import PATIENCE_MS, hears, is_shown, press, shown
from support.app.served import adjudicated, chromium, in_chromium, picture, served, sync_api, window
from support.projects.finished_run import learnable_project

from re2nn_core.store import get_text, given_annotations, open_queue, open_store, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium
ROLES = {"Ann": "owner", "Rae": "reviewer", "Bob": "annotator", "Cleo": "annotator"}


@pytest.fixture
def windows() -> Iterator[list[sync_api.Page]]:
    """Three windows that share nothing."""
    with chromium() as browser, window(browser) as one, window(browser) as two, window(browser) as three:
        pages = [one, two, three]
        for page in pages:
            page.set_default_timeout(PATIENCE_MS)
        yield pages


@pytest.mark.long
def test_two_label_and_one_reviews(tmp_path: Path, windows: list[sync_api.Page]) -> None:
    """Each text is judged by two, blind. What they differ on is decided by the reviewer, agreement appears, undo goes
    on behind a reload, and what is the owner's is refused to an annotator."""
    bob, cleo, rae = windows
    with open_store(tmp_path / DATABASE_NAME) as store, served(tmp_path) as address:
        passwords = {name: new_person(store, name, role) for name, role in ROLES.items()}
        project = learnable_project(store, unlabelled=3)
        ids = [record.id for record in texts_of(store, project.id) if record.label is None]
        open_queue(store, project.id, ids, overlap=2, blind=True)
        for page, name, where in ((bob, "Bob", "label"), (cleo, "Cleo", "label"), (rae, "Rae", "team")):
            page.goto(f"{address}/{where}?project={project.id}" + ("&view=agreement" if where == "team" else ""))
            sign_in(page, name, passwords[name])
            signed_in(page, name).wait_for()
        rae.get_by_text("No text has annotations of two annotators yet.").first.wait_for()

        # Both get the first text; Cleo takes another label for it, and they agree on the others.
        assert shown(bob) == shown(cleo) == ids[0]
        assert [press(bob, "Enter") for _ in ids] == ids
        adjudicated(cleo)
        cleo.keyboard.press("2")
        cleo.get_by_role("button", name="Save: money").wait_for()
        assert [press(cleo, "Enter") for _ in ids] == ids
        said = given_annotations(store, project.id)
        assert said[ids[0]]["Bob"] != said[ids[0]]["Cleo"] == "money"

        # An undo outlasts a reload, and the text is judged anew.
        bob.reload()
        bob.get_by_text("No text is waiting for you in the team queue.").wait_for()
        adjudicated(bob)
        bob.keyboard.press("u")
        is_shown(bob, ids[-1])
        assert "Bob" not in given_annotations(store, project.id)[ids[-1]]
        press(bob, "Enter")

        # The reviewer sees how far they agree, and decides what they differ on.
        rae.goto(f"{address}/team?project={project.id}&view=agreement")
        rae.get_by_text("Cohen").first.wait_for()
        picture(rae, "three_agreement")
        rae.goto(f"{address}/team?project={project.id}&view=review")
        rae.locator(f".st-key-review_label_2_{ids[0]}").wait_for()
        hears(rae, ids[0])
        adjudicated(rae)
        picture(rae, "three_review")
        rae.keyboard.press("2")
        rae.locator(f".st-key-review_label_2_{ids[0]}").wait_for(state="detached")
        decided = get_text(store, ids[0])
        assert (decided.label, decided.annotator, decided.decided) == ("money", "Rae", True)
        assert given_annotations(store, project.id)[ids[0]]["Bob"] == said[ids[0]]["Bob"]

        # What is an owner's is refused.
        for page in (bob, rae):
            page.goto(f"{address}/team?project={project.id}&view=people")
            page.get_by_text("Owners manage members and their roles.").wait_for()
            assert page.get_by_text("Sign-in").count() == 0
        picture(bob, "three_refused")
