"""What can be taken along of the page Compare: the review as a page, and what is accepted as a patch."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import Made, decided, kept_downloads, opened_with_a_change, seen_as
from support.projects.finished_run import plant_new_rules

from pages._shared.components import model_files
from re2nn_core.network.model_folder import WRITTEN_FILES
from re2nn_core.services.fine_tuning.runs import number_of
from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE
from re2nn_core.store import ProjectRecord, RunRecord, Store

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    return kept_downloads(monkeypatch)


def changed_lines(patch: str) -> list[str]:
    """The lines that went and came, without the names of the file."""
    return [line for line in patch.splitlines()[2:] if line[0] in "+-"]


def test_the_review_is_exported_with_what_the_team_decided(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store, made: Made
) -> None:
    opened_with_a_change(studio, learnable, run)
    decided(store, run, "price", person="ann")
    seen_as(studio, "Rules")
    page = made["Export review"]()
    assert "<title>Review of Learnable</title>" in page
    assert '<ins class="re2-new">cost</ins>' in page
    assert '<span class="state accepted">Accepted</span> <span class="quiet">by ann' in page


@pytest.mark.parametrize(("text", "state"), [("$* cost $*", "Accepted"), ("$* ( cost | i ) $*", "Edited")])
def test_a_review_has_new_rules_in_the_form_that_the_page_shows(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store, made: Made, text: str, state: str
) -> None:
    """It had them as they were learned, with what the page had left out of them."""
    studio.open("compare", project=learnable.id)
    plant_new_rules(run)
    kept = run.folder / FILE
    learned = kept.read_text(encoding="utf-8").replace("$* cost $*", "$* ( cost | never ) $*")
    kept.write_text(learned, encoding="utf-8")
    studio.test.run()
    decided(store, run, "money.new", "edited", text=text)
    seen_as(studio, "Rules")
    page = made["Export review"]()
    card = page[page.index(">money.new</h2>") : page.index("</section>", page.index(">money.new</h2>"))]
    as_recommended = state == "Accepted"
    assert ("“never”</b> learned too, left out: it would fix nothing." in card) is as_recommended
    assert ("As edited" in card) is not as_recommended
    assert f'<span class="state {state.lower()}">{state}</span>' in card


def test_what_is_accepted_is_exported_as_a_patch_of_the_newest_version(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store, made: Made
) -> None:
    opened_with_a_change(studio, learnable, run)
    seen_as(studio, "Rules")
    buttons = {one.proto.label: one.proto.disabled for one in studio.test.get("download_button")}
    assert buttons["Export patch"]
    assert not buttons["Export review"]
    decided(store, run, "price")
    studio.test.run()
    studio.checked()
    patch = made["Export patch"]()
    assert patch.startswith("--- a/rules.txt\n+++ b/rules.txt\n")
    assert changed_lines(patch) == ["-price := $* ( price | fare ) $*", "+price := $* ( price | fare | cost ) $*"]


def test_a_review_of_merged_rules_is_one_change(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._compare.classification.accepting.is_merged", lambda *_, **__: True)
    opened_with_a_change(studio, learnable, run)
    seen_as(studio, "Rules")
    page = made["Export review"]()
    assert "1 change came out of it" in page
    assert "<h2>All changes</h2>" in page
    assert "its rules are accepted all at once" in page
    assert '<mark class="matched">' not in page


def test_the_model_and_its_card_are_downloaded(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = kept_downloads(monkeypatch, model_files)
    opened_with_a_change(studio, learnable, run)
    seen_as(studio, "Rules")
    buttons = {one.proto.label: one.proto.disabled for one in studio.test.get("download_button")}
    assert not buttons["Download model"]
    with zipfile.ZipFile(io.BytesIO(made["Download model"]())) as archive:
        assert sorted(archive.namelist()) == sorted(WRITTEN_FILES)
        card = archive.read("README.md").decode()
    assert card.startswith("---\nlibrary_name: re2nn\npipeline_tag: text-classification\n")
    assert not buttons["Model card"]
    name = f"run_{number_of(store, run)}_model"
    assert re.findall("^# .*", card, re.MULTILINE) == [f"# {name}"]
    assert run.folder.name not in card
    commands = f"unzip {name}.zip -d {name}\nre2nn serve --model {name}\n# in another terminal:\ncurl localhost:8600/v1"
    assert commands in "\n".join(one.value for one in studio.test.code)
