"""What the pages share: colours of labels, escaped text, marks, changes, times."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from pages._projects.cards import ago, file_name
from pages._shared.cached.models import progress_in_words
from pages._shared.catalog import ENTRIES
from pages._shared.drawing.labels import COLOURS, UNKNOWN, Palette, read_palette
from pages._shared.drawing.markup import STYLE, difference
from pages._shared.drawing.messages import plain
from pages._shared.drawing.tables import html_table, marked
from re2nn_core.store import ProjectRecord, Store, record_label, texts_of


def test_a_label_keeps_its_colour_when_others_come() -> None:
    before, after = Palette(("a", "b")), Palette(("a", "b", "c"))
    assert before.colours(["a", "b"]) == after.colours(["a", "b"]) == list(COLOURS[:2])
    assert len(set(COLOURS)) == len(COLOURS)
    assert Palette(()).colour("unknown") == UNKNOWN not in COLOURS


def test_chips_are_escaped_and_say_what_is_missing() -> None:
    assert "&lt;b&gt;&quot;" in Palette(()).chip('<b>"')
    assert "no label" in Palette(()).chip(None)


def test_a_long_chip_is_cut_and_has_its_name_at_the_pointer() -> None:
    """In a table, a long name would push all figures out of sight."""
    assert 'title="' not in Palette(()).chip("find_flight")
    assert 'title="&lt;b&gt; change of a booking"' in Palette(()).chip("<b> change of a booking")
    [chip] = re.findall(r"^\.re2-chip {.*?}", STYLE, re.DOTALL | re.MULTILINE)
    assert "overflow: hidden; text-overflow: ellipsis" in chip
    assert re.search(r"max-width: [^;%]+;", chip), "a share of a cell does not bound the cell"


def test_marked_text_is_escaped_around_and_inside_its_marks() -> None:
    text = "<a> & <b>"
    assert marked(text, ((6, 9, "hit"), (0, 3, "any"))) == (
        '<mark class="re2-any">&lt;a&gt;</mark> &amp; <mark class="re2-hit">&lt;b&gt;</mark>'
    )


@pytest.mark.parametrize("text", ["[x](javascript:y)", ":red[x]", "$x$", "`c`", "<b>", "**b**", "a_b_c", "~~s~~"])
def test_plain_text_loses_all_meaning_in_markdown(text: str) -> None:
    escaped = plain(text)
    assert escaped.replace("\\", "") == text
    assert all(f"\\{sign}" in escaped for sign in text if sign in "[]()`<>*_~$:")


@pytest.mark.parametrize(
    ("change", "options", "expected"),
    [
        (None, {}, ""),
        (0.0, {}, ""),
        (0.021, {"percent": True}, ' <span class="re2-up">▲ +2.1 points</span>'),
        (-3, {}, ' <span class="re2-down">▼ -3</span>'),
        (-3, {"better": "less"}, ' <span class="re2-up">▼ -3</span>'),
        (3, {"better": "neither"}, ' <span class="re2-muted">▲ +3</span>'),
    ],
)
def test_changes_have_an_arrow_and_a_sign(change: float | None, options: dict, expected: str) -> None:
    assert difference(change, **options) == expected


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(3, "just now"), (61, "1 minute ago"), (7_300, "2 hours ago"), (200_000, "2 days ago")],
)
def test_times_are_said_as_people_say_them(seconds: int, said: str) -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    assert ago(now - timedelta(seconds=seconds), now) == said


def test_file_names_hold_nothing_odd() -> None:
    assert file_name("../a b/ü?") == "a_b_ü"
    assert file_name("///") == "project"


def test_tables_escape_their_heads() -> None:
    assert "<th>&lt;</th>" in html_table(["<"], [["1"]])
    assert '<th class="re2-number">&lt;</th>' in html_table(["<"], [["1"]], numbers=(0,))


def test_every_page_has_its_own_title_and_file() -> None:
    assert len({entry.file for entry in ENTRIES}) == len({entry.title for entry in ENTRIES}) == len(ENTRIES)


def test_how_long_predictions_take_is_told_where_it_is_worth_it() -> None:
    assert progress_in_words(1_000, 10_000, 0.3) == "1,000 of 10,000 texts predicted"
    assert progress_in_words(1_000, 10_000, 4.0).startswith("1,000 of 10,000 texts predicted, about 36 seconds left. ")
    assert "about 4 minutes left. Rules are fast" in progress_in_words(256, 10_000, 6.5)


@pytest.mark.parametrize("first", [0, 3, 7])
def test_no_annotation_changes_the_colour_of_a_label(store: Store, project: ProjectRecord, first: int) -> None:
    """Whichever text gets which label: colours of the data stand, and new labels keep theirs from when they came."""
    before = read_palette(store, project, ("flight", "baggage")).labels
    texts = texts_of(store, project.id)
    record_label(store, texts[first].id, "baggage", "Ann")
    assert read_palette(store, project, ("flight", "baggage")).labels == before
    record_label(store, texts[5].id, "weather", "Ann")
    record_label(store, texts[1].id, "meal", "Bob")
    record_label(store, texts[0].id, "flight", "Bob")
    assert read_palette(store, project, ("flight", "baggage")).labels == (*before, "weather", "meal")
