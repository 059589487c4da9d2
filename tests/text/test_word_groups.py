"""Words as named groups: a table of words and the groups that they fall into, and laws over any words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from re2nn_core.text.word_groups import NOTHING_KNOWN, Kind, WordKnowledge, common_name, names_of, word_groups

NAMES = [
    ("www.example.com", "URLs"),
    ("https://example.org/a?b=1", "URLs"),
    ("example.co.uk", "URLs"),
    ("bank-mail.example", "URLs"),
    ("a.m.", "times of day"),
    ("3.5", "numbers"),
    ("555-0101", "phone numbers"),
    ("250-400", None),
    ("jo@example.com", "e-mail addresses"),
    ("#sunset", "hashtags"),
    ("@anna", "user names"),
    ("£5.99", "prices"),
    ("$1,000", "prices"),
    ("150p", "prices"),
    ("20%", "percentages"),
    ("10:30", "times"),
    ("9am", "times"),
    ("12/05/2024", "dates"),
    ("2024-05-12", "dates"),
    ("08001234567", "phone numbers"),
    ("+47-555-01234", "phone numbers"),
    ("2nd", "ordinals"),
    ("third", "ordinals"),
    ("747", "numbers"),
    ("3.5", "numbers"),
    ("1,000", "numbers"),
    ("b747", "words with digits"),
    ("May", "months"),
    ("friday", "weekdays"),
    ("twelve", "numerals"),
    ("tomorrow", "days"),
    ("evening", "times of day"),
    ("星期五", "weekdays"),
    ("they", "pronouns"),
    ("flight", None),
    ("co", None),
]


@pytest.mark.parametrize(("word", "name"), NAMES)
def test_what_a_word_is(word: str, name: str | None) -> None:
    assert names_of(word)[:1] == (() if name is None else (name,))


def vectors(one: str, other: str) -> float:
    """Medicines are alike, all else is not."""
    return 0.9 if {one, other} <= {"aspirin", "ibuprofen", "paracetamol"} else 0.1


COUNTS = {"aspirin": 9, "ibuprofen": 3, "paracetamol": 2, "flights": 4, "flight": 20, "plane": 5, "zyzzy": 1}

GROUPS = [
    ("may june july x", NOTHING_KNOWN, ["months, 3 words", "single letters, 1 word"]),
    ("may plane", NOTHING_KNOWN, ["may", "plane"]),
    ("www.a.com b.org 5 17", NOTHING_KNOWN, ["URLs, 2 words", "numbers, 2 words"]),
    ("1 2 3 monday friday plane the of , !", NOTHING_KNOWN, [
        "numbers, 3 words", "weekdays, 2 words", "plane", "punctuation, 2 words", "function words, 2 words",
    ]),
    ("flights flight plane", NOTHING_KNOWN, ["flights and 1 like it", "plane"]),
    ("flights flight plane", WordKnowledge(COUNTS, {}), ["flight and 1 like it", "plane"]),
    ("ibuprofen aspirin plane paracetamol", WordKnowledge(COUNTS, {}, vectors), ["aspirin and 2 like it", "plane"]),
    ("plane zyzzy qwert", WordKnowledge(COUNTS, {}), ["plane", "words seen once or never, 2 words"]),
    ("plane zyzzy", NOTHING_KNOWN, ["plane", "zyzzy"]),
    ("oslo rome monday", WordKnowledge({}, {"city": frozenset({"oslo", "rome"})}), ["@city@, 2 words", "monday"]),
    ("oslo paris may june", WordKnowledge({}, {"city": frozenset({"oslo"})}), ["months, 2 words", "oslo", "paris"]),
    ("我 你 飞", NOTHING_KNOWN, ["pronouns, 2 words", "飞"]),
    ("", NOTHING_KNOWN, []),
]  # fmt: skip


@pytest.mark.parametrize(("words", "known", "titles"), GROUPS)
def test_words_fall_into_groups(words: str, known: WordKnowledge, titles: list[str]) -> None:
    assert [group.title for group in word_groups(words.split(), known)] == titles


def test_junk_is_said_to_be_junk_and_comes_last() -> None:
    groups = word_groups(["the", "plane", ",", "may", "june", "q"], WordKnowledge(COUNTS, {}))
    assert [(group.name, group.kind is Kind.JUNK) for group in groups] == [
        ("months", False), ("plane", False), ("punctuation", True), ("single letters", True), ("function words", True),
    ]  # fmt: skip


@given(st.lists(st.one_of(st.text(min_size=1, max_size=8), st.sampled_from([word for word, _ in NAMES]))))
def test_each_word_is_in_one_group(words: list[str]) -> None:
    groups = word_groups(words)
    assert sorted(word for group in groups for word in group.words) == sorted(set(words))
    assert all(len(group.words) > 1 or group.kind in (Kind.ALONE, Kind.JUNK) for group in groups)


def test_the_name_that_words_have_in_common() -> None:
    assert common_name(["may", "june"]) == "months"
    assert common_name(["may", "june", "plane"]) == ""
    assert common_name(["may", "june", "plane"], 0.6) == "months"
    assert common_name([",", "!"]) == "punctuation"
    assert common_name([]) == ""
