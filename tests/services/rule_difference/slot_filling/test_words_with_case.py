"""Rules of slots that ask for the case of a word are compared: sentences are shown as spelled, and read again so."""

from __future__ import annotations

import pytest

from re2nn_core.services.rule_difference.dead_and_subsumed_rules import find_dead_and_subsumed
from re2nn_core.services.rule_difference.language_difference import slot_side
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.case_words import as_named
from re2nn_core.text.tokenization import Tokenization

CASED = 'a := $* [ case"US" ]<x> $*\n'


@pytest.mark.parametrize(
    ("rules", "sentence", "tags"),
    [
        (CASED + "b := $* [ us ]<y> $*\n", ("US",), ("B-x", "B-y")),
        (CASED + "b := $* [ $ ]<y> $*\n", ("US",), ("B-x", "B-y")),
        (
            'a := $* case"US" [ oslo ]<x> $*\nb := $* from [ [^ to ]+ ]<y> to $*\n',
            ("from", "US", "oslo", "to"),
            ("B-x", "I-y"),
        ),
    ],
)
def test_a_dispute_over_a_word_with_its_case_is_found(
    rules: str, sentence: tuple[str, ...], tags: tuple[str, str]
) -> None:
    system, _ = read_slot_system(rules, "", Tokenization())
    [overlap] = find_dead_and_subsumed(slot_side(system, "A")).overlaps
    assert (overlap.sentence, overlap.tags) == (sentence, tags)


def test_a_spelling_is_the_word_that_is_named_for_it() -> None:
    named = {"case US", "us", "oslo"}
    read = {word: as_named(word, named) for word in ("US", "case US", "us", "case Us", "Oslo", "oslo")}
    assert read == {
        "US": "case US",
        "case US": "case US",
        "us": "us",
        "case Us": "us",
        "Oslo": "Oslo",
        "oslo": "oslo",
    }
    assert as_named("US", {"US", "case US"}) == "US"
    assert as_named("polish", {"case polish"}) == "polish"


def test_a_sentence_that_is_read_otherwise_than_it_is_shown_stops_no_comparison() -> None:
    rules = 'a := $* [ case"polish" ]<x> $*\nb := $* [ re"p.*" ]<y> $*\n'
    system, _ = read_slot_system(rules, "", Tokenization())
    found = find_dead_and_subsumed(slot_side(system, "A"))
    assert found.overlaps or "may be a word with its case" in " ".join(found.skipped)
