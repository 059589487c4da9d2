"""Witnesses of the project's own texts, of likely words, and the shortest ones behind them."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.automata_strategies import sentences, trees
from support.rules.tagged_rules import slot_trees

from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import ButNot, Node, Repeat, Tagged, Word
from re2nn_core.services.rule_difference.known_texts import KnownTexts, recognized_verdict, sentences_of_one_side
from re2nn_core.services.rule_difference.language_difference import LanguageVerdict, language_verdict, positions_of
from re2nn_core.services.rule_difference.witnesses import Source, Witness, both_sides, taggings
from re2nn_core.text.spans import OUTSIDE

TEXTS = [
    "my flight is late",
    "the flight to rome is delayed",
    "is the plane delayed",
    "play some music please",
    "play the music",
    "play the song",
    "book a table for two",
    "from rome to oslo",
]


def verdict_of(before: str, after: str, texts: list[str], *, tagging: bool = False) -> LanguageVerdict:
    left, right = (parse_expression(text) for text in (before, after))
    if tagging:
        left, right = tagged(left), tagged(right)
    known = KnownTexts.of([text.split() for text in texts])
    return recognized_verdict(language_verdict("rule", left, right), left, right, known)


# Before, after, what the left alone matches, where it comes from, the shortest such sentence.
CASES = [
    ("$* ( late | delayed ) $*", "$* late $*", "is the plane delayed", Source.TEXTS, "delayed"),
    ("$* ( late | delayed ) $*", "$* late $* ", "is the plane delayed", Source.TEXTS, "delayed"),
    ("play $ $ now", "play $ now", "play the music now", Source.LIKELY_WORDS, "play something something now"),
    ("book a ( chair | table ) now", "book a stool now", "book a table now", Source.LIKELY_WORDS, "book a chair now"),
    ("hello there", "hello", "hello there", Source.SHORTEST, "hello there"),
    ("play %", "play music", "play 7", Source.SHORTEST, "play 7"),
]


@pytest.mark.parametrize(("before", "after", "wanted", "source", "shortest"), CASES)
def test_a_witness_that_people_recognize(before: str, after: str, wanted: str, source: Source, shortest: str) -> None:
    found = verdict_of(before, after, TEXTS).only_left
    assert found is not None
    assert (" ".join(found.words), found.source) == (wanted, source)
    assert len(found.shortest_form.words) == len(shortest.split())
    assert found.shown == ("from your texts: " if source is Source.TEXTS else "") + found.text


def test_a_text_is_shown_with_the_spans_of_both_sides() -> None:
    found = verdict_of("$* to [ $ ]<city> $*", "$* to [ $ ]<town> $*", TEXTS, tagging=True)
    assert both_sides(found.only_left, found.only_right) == (
        ("from your texts: from rome to [oslo]<city>", "from your texts: from rome to [oslo]<town>"),
    )


def test_a_side_that_does_not_match_has_no_text_of_yours() -> None:
    """It read `from your texts: (does not match)`."""
    found = verdict_of("$* to [ $ ]<city> $*", "$* near [ $ ]<city> $*", TEXTS, tagging=True)
    [sides] = both_sides(found.only_left, None)
    assert sides == ("from your texts: from rome to [oslo]<city>", "(does not match)")


def test_a_text_has_its_tags_where_the_shortest_is_the_empty_sentence() -> None:
    outside = Repeat(Tagged(Word("a"), OUTSIDE), 0, None)
    check(tagged(Word("a")), ButNot(outside, Word("a")), [("a", "a")])


def test_without_texts_the_shortest_stays() -> None:
    found = verdict_of("$* ( late | delayed ) $*", "$* late $*", [])
    assert found.only_left == Witness(("delayed",))


def test_the_shortest_text_and_of_those_the_most_frequent_is_taken() -> None:
    texts = ["so very delayed", "too delayed", "was delayed", "was delayed"]
    found = verdict_of("$* ( late | delayed ) $*", "$* late $*", texts).only_left
    assert found is not None
    assert found.words == ("was", "delayed")


def _only_here(own: Node, other: Node, words: tuple[str, ...]) -> set[tuple[str, ...]]:
    return set(taggings(positions_of(own), words)) - set(taggings(positions_of(other), words))


def check(left: Node, right: Node, texts: list[tuple[str, ...]]) -> None:
    """Whatever its source, a witness is one; and a text is one wherever some text is."""
    plain = language_verdict("rule", left, right)
    found = recognized_verdict(plain, left, right, KnownTexts.of(texts))
    sides = (found.only_left, plain.only_left, left, right), (found.only_right, plain.only_right, right, left)
    for witness, shortest, own, other in sides:
        assert (witness is None) == (shortest is None)
        if witness is None or shortest is None:
            continue
        only_here = partial(_only_here, own, other)
        assert (witness.tags or ("",) * len(witness.words)) in only_here(witness.words)
        assert witness.shortest_form == shortest
        assert (witness.source is Source.TEXTS) == any(map(only_here, texts))


@settings(max_examples=150, deadline=None)
@given(trees(6), trees(6), st.lists(sentences(), max_size=8))
def test_a_witness_holds_for_rules_that_match_texts(left: Node, right: Node, texts: list[tuple[str, ...]]) -> None:
    check(left, right, texts)


@settings(max_examples=50, deadline=None)
@given(slot_trees(), slot_trees(), st.lists(sentences(4), max_size=8))
def test_a_witness_holds_for_rules_that_tag_words(left: Node, right: Node, texts: list[tuple[str, ...]]) -> None:
    check(tagged(left), tagged(right), texts)


@pytest.mark.parametrize(
    ("before", "after", "places"),
    [
        ("play $*", "play the $*", (3, None)),
        ("play the $*", "play $*", (None, 3)),
        ("play $*", "$* delayed", (3, 1)),
        ("play $*", "play $*", (None, None)),
        ("zebra", "lion", (None, None)),
    ],
)
def test_the_first_own_text_of_each_side(before: str, after: str, places: tuple[int | None, int | None]) -> None:
    sentences = [tuple(text.split()) for text in TEXTS]
    assert sentences_of_one_side(parse_expression(before), parse_expression(after), sentences) == places
    assert sentences_of_one_side(None, parse_expression("book $*"), sentences) == (None, 6)
