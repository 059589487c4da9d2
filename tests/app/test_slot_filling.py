"""The main job with slots in Chromium, on the Chinese sample: open it, correct a span by keyboard, fine-tune to the
end, look at the figures slot by slot, compare.

With RE2NN_SCREENSHOTS set to a folder, a picture of each page is left there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app.served import go, in_chromium, opened_page, picture, served, sync_api

from re2nn_core.services.fine_tuning.reports import learns_spans
from re2nn_core.services.fine_tuning.runs import settings_of_run
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.rule_systems.slot_filling.stored_spans import spans_of_record
from re2nn_core.store import get_text, label_history, list_projects, list_runs, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME
from re2nn_core.task import Task

pytestmark = [*in_chromium, pytest.mark.timeout(900)]
TRAINING_MILLISECONDS = 300_000
EPOCHS = 3


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def page(home: Path) -> Iterator[sync_api.Page]:
    with served(home) as address, opened_page() as opened:
        opened.goto(address)
        yield opened


@pytest.mark.long
def test_the_main_job_with_slots(page: sync_api.Page, home: Path) -> None:
    open_the_sample(page)
    correct_a_span(page)
    fine_tune(page)
    see_the_figures(page)
    compare(page)
    check_the_store(home)


def open_the_sample(page: sync_api.Page) -> None:
    page.locator(".st-key-sample_flight_slots_zh button").click()
    page.locator("textarea[aria-label=Rules]").wait_for()
    picture(page, "slots-1-rules")


def correct_a_span(page: sync_api.Page) -> None:
    """All marks away, then the first two words are given the first slot."""
    go(page, "Label")
    text = page.locator(".editor .text")
    text.locator(".word").first.wait_for()
    text.focus()
    page.keyboard.press("n")
    text.locator(".mark").first.wait_for(state="detached")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("1")
    text.locator(".mark").first.wait_for()
    picture(page, "slots-2-label")
    page.keyboard.press("Enter")
    page.locator(".re2-figure", has_text="1 by you").wait_for()


def fine_tune(page: sync_api.Page) -> None:
    go(page, "Fine-tune")
    page.get_by_text("All settings").click()
    epochs = page.get_by_role("spinbutton", name="Maximum epochs")
    epochs.fill(str(EPOCHS))
    epochs.press("Enter")
    page.locator(".st-key-train_start button").first.click()
    page.locator(".js-plotly-plot").first.wait_for(timeout=TRAINING_MILLISECONDS)
    page.locator(".re2-state", has_text="✓ Run 1").wait_for(timeout=TRAINING_MILLISECONDS)


def see_the_figures(page: sync_api.Page) -> None:
    page.get_by_text("F1, trained network").wait_for()
    page.get_by_text("Texts with an error of the network").click()
    page.locator("mark.re2-span").first.wait_for()
    picture(page, "slots-3-trained")


def compare(page: sync_api.Page) -> None:
    go(page, "Compare")
    page.locator(".re2-lead", has_text="the network").wait_for(timeout=TRAINING_MILLISECONDS)
    page.locator(".review .re2-rule-text").or_(page.get_by_text("No change of a rule")).first.wait_for()
    picture(page, "slots-4-compare")


def check_the_store(home: Path) -> None:
    with open_store(home / DATABASE_NAME) as store:
        [summary] = list_projects(store)
        assert summary.project.task == Task.SLOT_FILLING
        [event] = label_history(store, summary.project.id)
        [span] = spans_of_record(get_text(store, event.text_id)) or ()
        assert (span.start, span.end) == (0, 2)
        [run] = list_runs(store, summary.project.id, "train")
        assert run.state == "done", run.error
        assert learns_spans(run)
        assert settings_of_run(run)[1].epochs == EPOCHS
        assert tagger_of(run).figures["epochs"] == EPOCHS
