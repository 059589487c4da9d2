"""Nothing moves under the hand of whoever labels: the buttons stand where they stood, whatever was pressed, said or
shown, for texts of one line and of two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from support.app.label_keys import PATIENCE_MS, hears, press, shown
from support.app.served import adjudicated, in_chromium, picture, sync_api, window
from support.projects.conflicts import conflict_project
from support.projects.span_samples import annotated_project

from re2nn_core.store import ProjectRecord, Store, create_project, open_queue, open_store, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME
from re2nn_core.text.corpus import Corpus, Example

pytestmark = in_chromium
SHORT, LONG = "a  flight", "a flight " + "that is told of at some length " * 3
LABELS = ("travel_by_air", "money", "something_quite_different")
RULES = "\n".join(f"[{label}]\n$* {word} $*" for label, word in zip(LABELS, ("flight", "price", "of"), strict=True))
BOXES = """
(names) => {
  const there = Object.entries(names).map(([name, place]) => [name, document.querySelector(place)]);
  return there.every(([, one]) => one) && Object.fromEntries(there.map(([name, one]) => {
    const box = one.getBoundingClientRect();
    return [name, [box.x, box.y, box.width].map(Math.round)];
  }));
}
"""
OWN = {
    "first": "[class*=st-key-label_1_] button",
    "third": "[class*=st-key-label_3_] button",
    "another": "[class*=st-key-label_search_]",
    "give": "[class*=st-key-label_accept_] button",
    "skip": "[class*=st-key-label_skip] button",
    "undo": ".st-key-label_undo button",
}
TEAM = OWN | {"flag": "[class*=st-key-label_flag_] button", "note": "[class*=st-key-label_note_]"}
REVIEW = {
    "give": "[class*=st-key-review_take_] button",
    "later": "[class*=st-key-review_later_] button",
    "undo": ".st-key-review_undo button",
    "first": "[class*=st-key-review_label_1_] button",
}


@pytest.fixture
def store(server: tuple[str, Path]) -> Iterator[Store]:
    with open_store(server[1] / DATABASE_NAME) as opened:
        yield opened


@pytest.fixture(params=[(1440, 900), pytest.param((1024, 700), marks=pytest.mark.long)], ids=["wide", "small"])
def page(browser: sync_api.Browser, request: pytest.FixtureRequest) -> Iterator[sync_api.Page]:
    with window(browser, *request.param) as opened:
        opened.set_default_timeout(PATIENCE_MS)
        yield opened


def boxes(page: sync_api.Page, names: Mapping[str, str]) -> dict[str, list[int]]:
    """Left edge, top and width of each, in pixels, once all are there."""
    adjudicated(page)
    found: dict[str, list[int]] = page.wait_for_function(BOXES, arg=dict(names)).json_value()
    return found


def push(page: sync_api.Page, key: str) -> None:
    """Press a key, and wait until the page shows what it did."""
    if key.isdigit():
        page.keyboard.press(key)
        page.locator("[class*=st-key-label_accept_]", has_text=LABELS[int(key) - 1]).wait_for()
    else:
        press(page, key)


def made(store: Store, name: str) -> ProjectRecord:
    """Texts of one line and of two, with an answer and without, and one that is there twice."""
    texts = (SHORT, LONG, "good morning", SHORT, LONG.replace("flight", "train"), "the price of a flight")
    examples = Corpus(tuple(Example(text) for text in texts))
    return create_project(store, name=name, examples=examples, rules_text=RULES, logic_text="", author="Ann")


def test_own_texts(server: tuple[str, Path], store: Store, page: sync_api.Page) -> None:
    """A label is chosen, given, taken back; the line that says so was there before."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    project = made(store, f"Own {width}")
    page.goto(f"{server[0]}/label?project={project.id}&person=Ann")
    shown(page)
    before = boxes(page, OWN)
    lines = {page.locator(".re2-card-text").inner_text()}
    for key in ("3", "Enter", "1", "Enter", "ArrowRight", "u"):
        push(page, key)
        assert boxes(page, OWN) == before, key
        lines.add(page.locator(".re2-card-text").inner_text())
    picture(page, f"steady_{width}")
    assert any(len(text) > 60 for text in lines)
    assert any(len(text) < 20 for text in lines)


@pytest.mark.long
def test_a_teams_queue(server: tuple[str, Path], store: Store, page: sync_api.Page) -> None:
    """The same, with a button more where a text is there twice."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    project = made(store, f"Team {width}")
    open_queue(store, project.id, [text.id for text in texts_of(store, project.id)], overlap=2)
    page.goto(f"{server[0]}/label?project={project.id}&person=Ann")
    shown(page)
    assert page.locator(".re2-card-text").inner_text() == SHORT  # both blanks
    page.get_by_role("button", name="for all 2 identical texts").wait_for()
    before = boxes(page, TEAM)
    for key in ("3", "Enter", "2", "Enter", "s", "u"):
        push(page, key)
        assert boxes(page, TEAM) == before, key


@pytest.mark.long
def test_review(server: tuple[str, Path], store: Store, page: sync_api.Page) -> None:
    """Texts with two sides, and one that was flagged, with fewer."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    project, ids = conflict_project(store, f"Review {width}")
    page.goto(f"{server[0]}/team?project={project.id}&view=review&person=Dora")
    page.locator(f".st-key-review_label_2_{ids[1]}").wait_for()
    hears(page, ids[1])
    before = boxes(page, REVIEW)
    for key, text in (("a", ids[2]), ("Enter", ids[5]), ("u", ids[2])):
        page.keyboard.press(key)
        page.locator(f".st-key-review_label_2_{text}").wait_for()
        hears(page, text)
        assert boxes(page, REVIEW) == before, key
    picture(page, f"steady_review_{width}")


def test_marks(server: tuple[str, Path], store: Store, page: sync_api.Page) -> None:
    """The editor's buttons, which tell how many marks there are."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    project = annotated_project(store, name=f"Marks {width}")
    open_queue(store, project.id, [text.id for text in texts_of(store, project.id)])
    page.goto(f"{server[0]}/label?project={project.id}&person=Ann")
    page.locator(".editor .where", has_text="text 1").wait_for()
    buttons = page.locator(".editor .acts button")

    def places() -> list[list[int]]:
        adjudicated(page)
        found: list[list[int]] = buttons.evaluate_all(
            "all => all.slice(0, 4).map(one => { const box = one.getBoundingClientRect();"
            " return [box.x, box.y, box.width].map(Math.round); })"
        )
        return found

    before = places()
    for key, where in (("n", "text 1"), ("Enter", "text 2"), ("Enter", "text 3"), ("Shift+S", "text 4")):
        page.keyboard.press(key)
        page.locator(".editor .where", has_text=where).wait_for()
        assert places() == before, key
