"""Words of rules found and replaced: whole words of expressions alone."""

from __future__ import annotations

import pytest

from re2nn_core.rules.word_lists.definition import ListName, with_lists
from re2nn_core.services.rule_writing.replacing import find_words, replace_next, replace_words

RULES = """// flight in a comment
@flight@=( flight | flights )
[flight]
flight := $* flight $* // flight
$* flights @flight@ \\
  to flight re"flight"
[find_flight]
//- flight-off := $* flight number
"""


def test_whole_words_of_rules_are_replaced_and_no_name_of_a_label_a_rule_or_a_class() -> None:
    places = find_words(RULES, "flight")
    assert [(place.line, place.start) for place in places] == [(2, 11), (4, 13), (6, 5), (8, 21)]
    assert (
        replace_words(RULES, places, "plane")
        == """// flight in a comment
@flight@=( plane | flights )
[flight]
flight := $* plane $* // flight
$* flights @flight@ \\
  to plane re"flight"
[find_flight]
//- flight-off := $* plane number
"""
    )


@pytest.mark.parametrize(
    ("wanted", "lines"),
    [
        ("flight number", [8]),
        ("to   flight", [6]),
        ("flights", [2, 5]),
        ("@flight@", [5]),
        ("light", []),
        ("", []),
        (" ", []),
    ],
)
def test_words_are_found_one_after_the_other(wanted: str, lines: list[int]) -> None:
    assert [place.line for place in find_words(RULES, wanted)] == lines


def test_two_places_of_a_line_are_replaced_by_longer_words() -> None:
    text = "[a]\n$* a b a b a $*"
    assert replace_words(text, find_words(text, "a b"), " one two three ") == (
        "[a]\n$* one two three one two three a $*"
    )


def test_the_entries_and_the_file_of_a_list_stay() -> None:
    kept = with_lists('@c@ = file("c.txt")\n[e]\n$* file $*\n', {ListName("c.txt"): "//= 1 entries, sha256 00, file"})
    found = replace_words(kept, find_words(kept, "file"), "folder")
    assert found == kept.replace("$* file", "$* folder")


@pytest.mark.parametrize(
    ("line", "instead", "replaced", "next_line"),
    [
        pytest.param(0, "c", "[a]\n$* c b a $*\n$* a $*", 2, id="the first of all, and the next in its line"),
        pytest.param(3, "c", "[a]\n$* a b a $*\n$* c $*", 4, id="the last, with nothing behind it"),
        pytest.param(4, "c", "[a]\n$* c b a $*\n$* a $*", 2, id="behind the last one the first"),
        pytest.param(2, "a a", "[a]\n$* a a b a $*\n$* a $*", 2, id="what was put in is not found again"),
        pytest.param(3, "a a", "[a]\n$* a b a $*\n$* a a $*", 4, id="not at the end either"),
    ],
)
def test_the_place_that_is_shown_is_replaced(line: int, instead: str, replaced: str, next_line: int) -> None:
    assert replace_next("[a]\n$* a b a $*\n$* a $*", "a", instead, line) == (replaced, next_line)


def test_rules_without_the_words_stay() -> None:
    assert replace_next(RULES, "zeppelin", "plane", 3) == (RULES, 3)
