"""The editor of marks in Chromium, on the Chinese sample: by keyboard and by mouse, saved, undone, reloaded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.app.served import adjudicated, in_chromium, picture, sync_api, window

from pages._label.slot_filling.editor import _ASSETS
from re2nn_core.services.annotation.equal_spans import SHOWN_AT_ONCE
from re2nn_core.services.projects.projects import open_sample
from re2nn_core.store import ProjectRecord, Store, TextRecord, open_store, record_label, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME
from re2nn_core.text.spans import Span, read_spans

pytestmark = in_chromium


@pytest.fixture
def store(server: tuple[str, Path]) -> Iterator[Store]:
    with open_store(server[1] / DATABASE_NAME) as opened:
        yield opened


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    return open_sample(store, "flight_slots_zh", "tester")


class Editor:
    """The editor on a page, and what a test asks of it."""

    def __init__(self, page: sync_api.Page) -> None:
        self.page = page

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.in_order()

    def in_order(self) -> None:
        """The texts that nobody has marked, as they came: the first of them is the third of all."""
        self.page.locator(".editor .word").first.wait_for()
        self.page.locator(".st-key-label_order [role=combobox]").click()
        self.page.get_by_role("option", name="Not annotated", exact=True).click()
        self.waits_for("where", "text 3 ")

    @property
    def text(self) -> str:
        return self.page.locator(".editor .text").evaluate(
            "box => { const copy = box.cloneNode(true); copy.querySelectorAll('rt').forEach(rt => rt.remove());"
            " return copy.textContent }"
        )

    @property
    def marks(self) -> list[str]:
        """Each mark as slot:words."""
        return self.page.locator(".editor .text .mark").evaluate_all(
            "marks => marks.map(mark => mark.querySelector('rt').firstChild.textContent + ':'"
            " + [...mark.querySelectorAll('.word')].map(word => word.textContent).join(''))"
        )

    def part(self, name: str) -> str:
        return self.page.locator(f".editor .{name}").inner_text()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def waits_for(self, part: str, text: str) -> None:
        self.page.locator(f".editor .{part}", has_text=text).wait_for()

    def walk_to(self, place: int) -> None:
        """The cursor at a word, by keys."""
        self.press("Home", *["ArrowRight"] * place)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move((start[0] + end[0]) / 2, end[1])
        self.page.mouse.move(*end)
        self.page.mouse.up()

    def middle(self, place: int) -> tuple[float, float]:
        """The middle of a word, in the window."""
        box = self.page.locator(f".editor .word[data-word='{place}']").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def editor(server: tuple[str, Path], project: ProjectRecord, browser: sync_api.Browser) -> Iterator[Editor]:
    with window(browser) as page:
        editor = Editor(page)
        editor.open(f"{server[0]}/label?project={project.id}")
        yield editor


def record_of(store: Store, project: ProjectRecord, text: str) -> TextRecord:
    [record] = [record for record in texts_of(store, project.id) if record.text == text]
    return record


def test_a_mark_is_corrected_by_keys_saved_undone_and_kept_over_a_reload(
    editor: Editor, store: Store, project: ProjectRecord
) -> None:
    """在昆明转机的时候顺便想去大理……先不管，就看昆明到大理的，26号: the rules know the last 大理 alone."""
    text, number = editor.text, len([r for r in texts_of(store, project.id) if r.annotator])
    assert text == "在昆明转机的时候顺便想去大理……先不管，就看昆明到大理的，26号"
    assert editor.marks == ["to_city:大理"]
    assert editor.part("state") == "predicted by the rules, not saved"
    at = text.index("昆明到大理")
    editor.walk_to(at)
    editor.press("Shift+ArrowRight", "1")
    assert editor.marks == ["from_city:昆明", "to_city:大理"]
    editor.press("]", "[")
    assert editor.marks == ["from_city:看昆明到", "to_city:大理"]
    editor.press("{", "Alt+ArrowLeft")
    assert editor.marks == ["from_city:昆明", "to_city:大理"]
    editor.press("4")  # the cursor is still in the mark: it gets another slot
    assert editor.marks == ["date:昆明", "to_city:大理"]
    editor.press("u", "Control+z", "Control+y")
    assert editor.part("state") == "changed, not saved"
    editor.page.reload()  # what is not saved yet is not lost either
    editor.in_order()
    assert editor.text == text
    assert editor.part("state") == "changed, not saved"
    assert editor.marks[-1] == "to_city:大理"
    picture(editor.page, "label_spans")
    editor.walk_to(at)
    editor.press("x")
    assert editor.marks == ["to_city:大理"]
    editor.press("Shift+ArrowRight", "1", "Enter")
    editor.waits_for("said", "Saved: 2 spans.")
    assert editor.text != text
    saved = record_of(store, project, text)
    assert (saved.label, saved.annotator) == (f'[[{at},{at + 2},"from_city"],[{at + 3},{at + 5},"to_city"]]', "analyst")
    editor.page.reload()
    editor.page.locator(".editor .word").first.wait_for()
    editor.press("u")
    editor.waits_for("said", "Undone")
    assert editor.text == text
    assert editor.marks == ["from_city:昆明", "to_city:大理"]
    assert len([r for r in texts_of(store, project.id) if r.annotator]) == number
    editor.press("u")  # and further back, to what the rules propose
    assert editor.marks == ["to_city:大理"]


@pytest.mark.long
def test_the_same_words_are_annotated_here_and_in_the_texts_that_are_selected(
    editor: Editor, store: Store, project: ProjectRecord
) -> None:
    """A annotates them in this text and lists the others; those selected are saved, and one undo takes them back."""
    before = {record.id: record.label for record in texts_of(store, project.id)}
    text = editor.text
    editor.walk_to(text.index("的"))
    editor.press("s")
    editor.page.keyboard.type("little word")
    editor.press("Enter")
    editor.press("a")
    editor.waits_for("notice", "without an annotation")
    assert editor.marks == ["little_word:的", "to_city:大理", "little_word:的"]
    rows = editor.page.locator(".proposal:has(input)")
    there = min(SHOWN_AT_ONCE, sum("的" in record.text for record in texts_of(store, project.id)) - 1)
    assert rows.count() == there
    assert all("的" in row for row in rows.locator(".mark.chosen").all_inner_texts())
    assert [record for record in texts_of(store, project.id) if record.annotator] == []
    picture(editor.page, "label_equal_spans")
    rows.nth(1).locator(".quiet").click()
    editor.page.get_by_role("button", name=f"Annotate {there - 1} selected texts").wait_for()
    editor.press("Shift+A")  # the keys are still the text's
    editor.waits_for("notice", "“的” is now little_word in")
    assert editor.text == text
    mine = [record for record in texts_of(store, project.id) if record.annotator == "analyst"]
    assert len(mine) == there - 1
    for record in mine:
        spans = read_spans(record.label or "")
        assert {span for span in spans if span.slot != "little_word"} >= set(read_spans(before[record.id] or "[]"))
        assert Span(record.text.index("的"), record.text.index("的") + 1, "little_word") in spans
    editor.page.get_by_role("button", name="Review texts").click()
    editor.page.locator(".editor .text", has_text=mine[0].text[:5]).wait_for()
    assert editor.text == mine[0].text
    editor.press("u")
    editor.page.locator(".editor .said", has_text=f"{there - 1} texts").wait_for()
    assert {record.id: record.label for record in texts_of(store, project.id)} == before
    assert all(record.annotator is None for record in texts_of(store, project.id))


def test_the_mouse_marks_moves_borders_and_removes(editor: Editor) -> None:
    """Words are dragged over, a slot's button is pressed, a border is dragged, the cross removes."""
    at = editor.text.index("昆明到大理")
    editor.drag(editor.middle(at), editor.middle(at + 1))
    assert editor.part("here") == "selected: “昆明”"
    editor.page.get_by_role("button", name="from_city", exact=False).first.click()
    assert editor.marks == ["from_city:昆明", "to_city:大理"]
    grip = editor.page.locator(".editor .mark.chosen .grip").nth(1).bounding_box()
    assert grip is not None
    editor.drag((grip["x"], grip["y"] + grip["height"] / 2), editor.middle(at + 3))
    assert editor.marks == ["from_city:昆明到大", "to_city:理"]  # a mark takes its words from the others
    editor.press("u")
    assert editor.marks == ["from_city:昆明", "to_city:大理"]
    editor.page.mouse.click(*editor.middle(at))
    editor.page.locator(".editor .mark.chosen .x").click()
    assert editor.marks == ["to_city:大理"]


@pytest.mark.long
def test_another_text_is_only_an_arrow_away_and_marks_of_others_are_not_overwritten(
    editor: Editor, store: Store, project: ProjectRecord
) -> None:
    """Arrows lead over the ends of a text; what Bob saved meanwhile is shown beside what was marked here."""
    first = editor.text
    editor.press("n", "End", "ArrowRight")
    editor.waits_for("where", "text 4 ")
    assert editor.text != first
    editor.press("ArrowLeft")
    editor.waits_for("where", "text 3 ")
    assert editor.marks == []  # not saved, and kept
    assert editor.part("state") == "changed, not saved"
    record_label(store, record_of(store, project, first).id, '[[0,1,"time"]]', "Bob")
    editor.press("Enter")
    editor.waits_for("said", "Annotated by Bob a moment ago. Your spans were not saved.")
    assert editor.marks == ["time:在"]
    editor.press("t", "Enter")
    editor.waits_for("said", "Saved: nothing.")
    assert record_of(store, project, first).label == "[]"


def test_keys_belong_to_whoever_has_the_focus(editor: Editor) -> None:
    """Letters typed into a field of the page mark nothing."""
    editor.page.locator(".st-key-label_name input").click()
    editor.page.keyboard.type("n1 Ann")
    assert editor.marks == ["to_city:大理"]
    editor.press("Enter")
    editor.page.locator(".st-key-label_name").wait_for(state="hidden")
    adjudicated(editor.page)
    editor.page.locator(".editor .text").click()
    editor.press("n")
    assert editor.marks == []


MARKS = [[1, 3, "a"], [4, 5, "b"]]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("withMark(marks, 2, 4, 'c')", [[1, 2, "a"], [2, 4, "c"], [4, 5, "b"]]),
        ("withMark(marks, 0, 9, 'c')", [[0, 9, "c"]]),
        ("withMark([{first: 0, behind: 3, slot: 'a'}], 1, 2, 'c')", [[0, 1, "a"], [1, 2, "c"], [2, 3, "a"]]),
        ("withoutMarks(marks, 2, 4)", [[4, 5, "b"]]),
        ("withBorder(marks, 0, 'end', 9, 6)", [[1, 6, "a"]]),
        ("withBorder(marks, 0, 'end', 0, 6)", [[1, 2, "a"], [4, 5, "b"]]),
        ("withBorder(marks, 0, 'start', 9, 6)", [[2, 3, "a"], [4, 5, "b"]]),
        ("withBorder(marks, 1, 'start', -2, 6)", [[0, 5, "b"]]),
        ("markedAlike(marks, ['x', 'y', 'z', 'y', 'z', 'y', 'z'], 1, 3)", [[1, 3, "a"], [4, 5, "b"], [5, 7, "a"]]),
        ("markedAlike(marksOf([[0, 1, 'a']]), ['x', 'x', 'y', 'x'], 0, 1)", [[0, 1, "a"], [1, 2, "a"], [3, 4, "a"]]),
    ],
)
def test_marks_never_overlap(reckoning: sync_api.Page, call: str, expected: list[Any]) -> None:
    """What the editor makes of marks, without an editor."""
    found = reckoning.evaluate(f"() => {{ const marks = marksOf({json.dumps(MARKS)}); return triplesOf({call}) }}")
    assert found == expected


@pytest.fixture(scope="module")
def reckoning(browser: sync_api.Browser) -> Iterator[sync_api.Page]:
    """A page that knows how to reckon with marks."""
    with window(browser) as page:
        page.add_script_tag(content=(_ASSETS / "marks.js").read_text(encoding="utf-8"))
        yield page
