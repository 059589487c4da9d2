"""Two trainings in Chromium: the pages go on answering meanwhile, and the two models are compared side by side.

With RE2NN_SCREENSHOTS set to a folder, pictures are left there.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.app.served import go, in_chromium, opened_page, picture, served, sync_api

from re2nn_core.store import RunRecord, Store, list_projects, list_runs, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = [*in_chromium, pytest.mark.timeout(900)]
TRAINING_SECONDS = 600
START_SECONDS = 60
EPOCHS = 60
SECOND_RATE = 0.004


@pytest.fixture
def page(tmp_path: Path) -> Iterator[sync_api.Page]:
    with served(tmp_path) as address, opened_page() as opened:
        opened.goto(address)
        yield opened


@pytest.fixture
def store(page: sync_api.Page, tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / DATABASE_NAME) as opened:
        yield opened


@pytest.mark.long
def test_two_models_are_trained_and_compared(page: sync_api.Page, store: Store) -> None:
    page.locator(".st-key-sample_flight_intents button").click()
    page.locator("textarea[aria-label=Rules]").wait_for()
    start = start_a_training(page, store)
    the_pages_respond(page, store)
    first, second = train_another(page, store, start)
    click_on_a_cell(page)
    compare(page, first, second)


def runs(store: Store) -> tuple[RunRecord, ...]:
    """The trainings, the oldest in front."""
    [summary] = list_projects(store)
    return tuple(reversed(list_runs(store, summary.project.id, "train")))


def set_number(page: sync_api.Page, key: str, value: float) -> None:
    field = page.locator(f".st-key-{key} input")
    field.fill(str(value))
    field.press("Enter")


def start_a_training(page: sync_api.Page, store: Store) -> sync_api.Locator:
    """Without word vectors, long enough for a look at other pages; the button that started it."""
    go(page, "Fine-tune")
    page.get_by_text("All settings").click()
    set_number(page, "train_train_epochs_40", EPOCHS)
    set_number(page, "train_train_copies", 1)
    set_number(page, "train_train_patience", EPOCHS)
    page.get_by_text("311 train texts: low learning rates").wait_for(state="attached")  # in the folded plan
    page.get_by_role("tab", name="Network").click()
    choose_no_vectors(page)
    page.get_by_role("tab", name="Learning").click()
    # A button with a tooltip is drawn a second time, unseen, for small screens.
    start = page.locator(".st-key-train_start button:visible").first
    start.click()
    page.locator(".re2-state", has_text="Run 1").wait_for()
    # The tooltip of the button lies over the links at the top, as long as the pointer rests on it.
    page.mouse.move(0, 0)
    until(lambda: [run.state for run in runs(store)] == ["running"], "it is at work", START_SECONDS)
    return start


def choose_no_vectors(page: sync_api.Page) -> None:
    """The list of word vectors; a page that is still being drawn closes it, then it is opened again."""
    for _ in range(5):
        page.locator(".st-key-train_network_vectors input").click()
        with suppress(sync_api.TimeoutError):
            page.get_by_role("option", name="none", exact=True).click(timeout=4000)
            return
    raise AssertionError("the list of word vectors could not be opened")


def the_pages_respond(page: sync_api.Page, store: Store) -> None:
    """Other pages and back while it is at work."""
    for title, sign in (
        ("Write rules", ".row.rule"),
        ("Label", "[class*=st-key-label_2_] button"),
        ("Fine-tune", ".re2-state"),
    ):
        go(page, title)
        page.locator(sign).first.wait_for()
        assert not all(run.is_over for run in runs(store)), f"{title} came only when the training was over"
    picture(page, "9-training")


def train_another(page: sync_api.Page, store: Store, start: sync_api.Locator) -> tuple[RunRecord, RunRecord]:
    """With another learning rate, once the first is over."""
    until(lambda: all(run.is_over for run in runs(store)), "the first training is over", TRAINING_SECONDS)
    page.locator(".re2-state", has_text="Run 1 Done.").wait_for()
    page.get_by_text("All settings").click()
    page.get_by_role("tab", name="Learning").click()
    set_number(page, "train_train_learning_rate", SECOND_RATE)
    start.click()
    page.locator(".re2-state", has_text="Run 2").wait_for()
    page.mouse.move(0, 0)
    until(lambda: all(run.is_over for run in runs(store)), "the second training is over", TRAINING_SECONDS)
    first, second = runs(store)
    assert (first.state, second.state) == ("done", "done"), (first.error, second.error)
    page.locator(".re2-state", has_text="Run 2 Done.").wait_for()
    return first, second


def click_on_a_cell(page: sync_api.Page) -> None:
    """A number of the confusion matrix opens the texts behind it."""
    page.get_by_text("Click a number to list its texts.").wait_for()
    cell = page.locator(".js-plotly-plot").last.locator(".scatterlayer .point").first
    opened = page.locator("details[open] summary", has_text=" predicted ")
    for _ in range(5):  # a page that is still being drawn puts another plot in this one's place
        scroll_to(cell)
        box = cell.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        with suppress(sync_api.TimeoutError):
            opened.wait_for(timeout=6000)
            break
    opened.wait_for()
    scroll_to(opened)
    picture(page, "10-cell")


def scroll_to(element: sync_api.Locator) -> None:
    """Bring an element into view; one that is drawn anew meanwhile is looked for again."""
    for _ in range(5):
        with suppress(sync_api.Error):
            element.scroll_into_view_if_needed(timeout=6000)
            return
    element.scroll_into_view_if_needed()


def compare(page: sync_api.Page, first: RunRecord, second: RunRecord) -> None:
    """Both names, both accuracies, what they were trained with, and the labels."""
    page.get_by_text("Compare two runs").click()
    facts = page.locator(".re2-pair-facts")
    facts.wait_for()
    for number, run in enumerate((first, second), start=1):
        assert run.result is not None
        # The curve has the accuracy of the recurrent network alone; the figures below it that of the whole model.
        page.locator(".legend", has_text=re.compile(rf"run {number}, (best|kept) \d\d\.\d%")).wait_for()
        for split in ("dev", "test"):
            row = facts.locator("tr").filter(has=page.get_by_role("cell", name=split, exact=True))
            assert row.locator("td").nth(number).inner_text() == f"{run.result[split]:.1%}"
    differing = facts.locator("tr").filter(has=page.get_by_role("cell", name="Learning rate", exact=True)).locator("td")
    assert [differing.nth(1).inner_text(), differing.nth(2).inner_text()] == ["0.001", str(SECOND_RATE)]
    labels = page.locator(".re2-pair")
    labels.get_by_text("F1, from run 1 to run 2").wait_for()
    assert labels.locator("tbody tr").count() == 10
    # With so few held-out texts neither gain is certain, so both runs keep the rules and predict alike.
    assert labels.get_by_text("no difference").count() == 10
    page.get_by_text("Both runs predict the same for each of these texts.").wait_for()
    scroll_to(labels)
    picture(page, "11-two-runs")


def until(condition, what: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not in {seconds} s: {what}"
        time.sleep(0.2)
