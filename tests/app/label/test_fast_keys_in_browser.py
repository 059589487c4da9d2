"""Fast typing in Chromium: each key belongs to the text that it was typed for, however long the server takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app.label_keys import PATIENCE_MS, hears, is_shown, shown
from support.app.served import adjudicated, in_chromium, picture, sync_api, window
from support.projects.conflicts import conflict_project
from support.projects.finished_run import learnable_project

from re2nn_core.store import Store, flagged_texts, get_text, given_annotations, open_queue, open_store, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium
BETWEEN_MS = 30


@pytest.fixture
def store(server: tuple[str, Path]) -> Iterator[Store]:
    with open_store(server[1] / DATABASE_NAME) as opened:
        yield opened


@pytest.fixture
def page(browser: sync_api.Browser) -> Iterator[sync_api.Page]:
    with window(browser) as opened:
        opened.set_default_timeout(PATIENCE_MS)
        yield opened


def type_fast(page: sync_api.Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)
        page.wait_for_timeout(BETWEEN_MS)


def press_at_once(page: sync_api.Page, *keys: str) -> None:
    """In one turn of the browser: no answer of the server comes between two keys, however slow this machine is."""
    page.evaluate(
        "keys => keys.forEach(key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})))",
        list(keys),
    )


def ready(page: sync_api.Page, text_id: int) -> None:
    is_shown(page, text_id)
    adjudicated(page)


def test_each_label_is_for_its_own_text(server: tuple[str, Path], store: Store, page: sync_api.Page) -> None:
    """Three texts, six keys: the labels in this order, the fourth text untouched."""
    project = learnable_project(store, unlabelled=8)
    ids = [record.id for record in texts_of(store, project.id) if record.label is None]
    open_queue(store, project.id, ids)
    page.goto(f"{server[0]}/label?project={project.id}&person=Ann")
    ready(page, ids[0])
    type_fast(page, "2 Enter 1 Enter 2 Enter")
    ready(page, ids[3])
    assert [get_text(store, text_id).label for text_id in ids[:4]] == ["money", "travel", "money", None]
    # Nothing is accepted that was not on the screen: the second Enter had no label of its own.
    press_at_once(page, "2", "Enter", "Enter")
    ready(page, ids[4])
    page.get_by_text("Your last keys were not used: they were typed before this text was shown.").wait_for()
    picture(page, "fast_keys")
    assert len(given_annotations(store, project.id)) == 4
    # What is typed behind an undo is for the text that it brings back.
    type_fast(page, "u 1 Enter")
    page.get_by_text("travel was saved.").wait_for()
    ready(page, ids[4])
    assert [get_text(store, text_id).label for text_id in ids[3:5]] == ["travel", None]
    # A key that is held down decides once.
    page.keyboard.press("2")
    page.keyboard.down("Enter")
    for _ in range(5):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    ready(page, ids[5])
    assert [get_text(store, text_id).label for text_id in ids[4:6]] == ["money", None]
    # Enter in the note flags, with the note.
    page.get_by_placeholder("Note for the flag").fill("which one?")
    page.keyboard.press("Enter")
    ready(page, ids[6])
    assert [(text.id, note) for text, _, note in flagged_texts(store, project.id)] == [(ids[5], "which one?")]
    # The end of the queue: what was typed for a text that did not come labels nothing.
    type_fast(page, "1 Enter 2 Enter 1 Enter")
    page.get_by_text("No text is waiting for you in the team queue.").wait_for()
    assert [get_text(store, text_id).label for text_id in ids[6:]] == ["travel", "money"]


@pytest.mark.long
def test_a_choice_that_got_lost_is_told_again(server: tuple[str, Path], store: Store, page: sync_api.Page) -> None:
    """The first message of a digit never leaves the browser; the button shows the choice all the same, seconds later,
    also long after the page was opened."""
    project = learnable_project(store, unlabelled=2, name="Lost")
    page.goto(f"{server[0]}/label?project={project.id}&person=Ann")
    first = shown(page)
    ready(page, first)
    page.wait_for_function("() => window.re2nnStrokes.waited > 5000")
    page.evaluate("""() => {
        const strokes = window.re2nnStrokes;
        strokes.tell = () => { delete strokes.tell; return { number: ++strokes.number }; };
    }""")
    page.keyboard.press("2")
    page.locator(f".st-key-label_2_{first} button").filter(has_text="✓", visible=True).first.wait_for(timeout=30_000)
    assert get_text(store, first).label is None


@pytest.mark.long
def test_one_person_alone_types_as_fast(server: tuple[str, Path], store: Store, page: sync_api.Page) -> None:
    project = learnable_project(store, unlabelled=4, name="Alone")
    page.goto(f"{server[0]}/label?project={project.id}&person=Ann")
    first = shown(page)
    ready(page, first)
    type_fast(page, "2 Enter 1 Enter 2 Enter")
    page.locator(f".st-key-label_accept_{first}").wait_for(state="detached")
    page.get_by_text("money was saved.").wait_for()
    page.locator(".re2-queue", has_text="4 of ").wait_for()
    given = [text.label for text in texts_of(store, project.id) if text.annotator == "Ann"]
    assert sorted(filter(None, given)) == ["money", "money", "travel"]
    assert get_text(store, first).label == "money"


@pytest.mark.long
def test_a_reviewer_decides_as_fast(server: tuple[str, Path], store: Store, page: sync_api.Page) -> None:
    project, ids = conflict_project(store)
    page.goto(f"{server[0]}/team?project={project.id}&view=review&person=Dora")
    page.locator(f".st-key-review_label_2_{ids[1]}").wait_for()
    hears(page, ids[1])
    adjudicated(page)
    buttons = [
        page.locator(f".st-key-review_label_{number}_{ids[1]}").inner_text().split("\n")[0].strip() for number in (1, 2)
    ]
    type_fast(page, "2 1")
    page.locator(f".st-key-review_label_2_{ids[5]}").wait_for()
    page.get_by_text(f"Adjudicated: {buttons[0]}, for").wait_for()
    assert [get_text(store, ids[place]).decided for place in (1, 2, 5)] == [True, True, False]
    assert [get_text(store, ids[place]).label for place in (1, 2)] == [buttons[1], buttons[0]]
