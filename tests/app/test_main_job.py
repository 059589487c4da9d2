"""The whole main job in Chromium: open a sample, edit a rule, see hits and drawing, predict a file, correct two labels,
fine-tune to the end, compare.

With RE2NN_SCREENSHOTS set to a folder, a picture of each page is left there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app.label_keys import is_shown, shown
from support.app.served import adjudicated, go, in_chromium, opened_page, picture, put_caret_behind, served, sync_api

from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.store import label_history, latest_version, list_projects, list_runs, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = [*in_chromium, pytest.mark.timeout(900)]
TRAINING_MILLISECONDS = 300_000
FILE = (
    "sentence\nis there a layover in Oslo on the way to Rome?\nmy suitcase did not arrive\nhow much is business class\n"
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def page(home: Path) -> Iterator[sync_api.Page]:
    with served(home) as address, opened_page() as opened:
        opened.goto(address)
        yield opened


@pytest.mark.long
def test_the_main_job(page: sync_api.Page, home: Path, tmp_path: Path) -> None:
    """With nothing set at all."""
    open_the_sample(page)
    edit_a_rule(page)
    see_the_drawing(page)
    predict_a_file(page, tmp_path)
    correct_two_labels(page)
    fine_tune(page)
    compare(page)
    check_the_store(home)


def open_the_sample(page: sync_api.Page) -> None:
    page.get_by_text("Flight intents").first.wait_for()
    picture(page, "1-projects")
    page.locator(".st-key-sample_flight_intents button").click()
    page.locator("textarea[aria-label=Rules]").wait_for()


def edit_a_rule(page: sync_api.Page) -> None:
    page.locator(".row.rule").first.wait_for()
    put_caret_behind(page, "[find_flight]\n")
    page.keyboard.type("with_layover := $* layover $*\n")
    page.locator(".row.rule", has_text="with_layover").wait_for()
    page.locator("[class*=st-key-_rules_view]").get_by_text("Effect").wait_for()
    page.locator("mark.re2-hit").first.wait_for()
    picture(page, "2-rules")
    page.keyboard.press("Control+s")
    page.get_by_text("Saved as rules v2.").wait_for()


def see_the_drawing(page: sync_api.Page) -> None:
    go(page, "See automaton")
    page.locator(".automaton svg").wait_for()
    picture(page, "3-automaton")


def predict_a_file(page: sync_api.Page, folder: Path) -> None:
    go(page, "Predict")
    page.get_by_text("file", exact=False).first.wait_for()
    upload = folder / "new.csv"
    upload.write_text(FILE, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(str(upload))
    # A table tells screen readers its cells a second time, unseen.
    page.get_by_text("with_layover").first.wait_for(state="attached")
    picture(page, "4-predict")


def correct_two_labels(page: sync_api.Page) -> None:
    go(page, "Label")
    for number in (1, 2):
        text_id = shown(page)
        is_shown(page, text_id)
        adjudicated(page)
        page.keyboard.press("2")
        page.locator(f".st-key-label_2_{text_id} button").filter(has_text="✓", visible=True).first.wait_for()
        picture(page, "5-label")
        page.keyboard.press("Enter")
        page.locator(".re2-figure", has_text=f"{number} by you").wait_for()
        page.locator(f".st-key-label_accept_{text_id}").wait_for(state="detached")


def fine_tune(page: sync_api.Page) -> None:
    go(page, "Fine-tune")
    # A button with a tooltip is drawn a second time, unseen, for small screens.
    page.locator(".st-key-train_start button:visible").first.click()
    page.locator(".js-plotly-plot").first.wait_for(timeout=TRAINING_MILLISECONDS)
    picture(page, "6-training")
    page.locator(".re2-state", has_text="✓ Run 1").wait_for(timeout=TRAINING_MILLISECONDS)
    picture(page, "7-trained")


def compare(page: sync_api.Page) -> None:
    go(page, "Compare")
    page.locator(".re2-lead", has_text="the network").wait_for(timeout=120_000)
    page.locator(".review .re2-rule-text").or_(page.get_by_text("No change of a rule")).first.wait_for(timeout=120_000)
    picture(page, "8-compare")


def check_the_store(home: Path) -> None:
    with open_store(home / DATABASE_NAME) as store:
        (summary,) = list_projects(store)
        project = summary.project.id
        assert "with_layover" in latest_version(store, project).rules_text
        assert len(label_history(store, project)) == 2
        (run,) = list_runs(store, project, "train")
        assert run.state == "done"
        assert load_bundle(run.folder).trained
