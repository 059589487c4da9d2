"""Words of rules found and replaced: whole words of expressions alone."""

from __future__ import annotations

import pytest

from re2nn_core.rules.word_lists.definition import ListName, with_lists
from re2nn_core.services.rule_writing.replacing import find_words, replace_words

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
