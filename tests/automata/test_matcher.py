"""The matcher at its edges: nothing to match, words nobody names, more rules and rows than are kept."""

from __future__ import annotations

import random

import numpy as np
import pytest

from re2nn_core.automata import matcher as matcher_module
from re2nn_core.automata.determinize import exact_dfa
from re2nn_core.automata.matcher import Matcher, build_matcher
from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.read import read_rules

WORDS = [f"w{number}" for number in range(40)]


def matcher_for(*rules: str) -> Matcher:
    return Matcher([exact_dfa(parse_expression(rule)) for rule in rules])


def random_rules(count: int, seed: int) -> list[str]:
    """Rules that leave the sentence open at both ends, bounded ones, counted ones, and some that accept nearly all."""
    dice = random.Random(seed)
    rules = []
    for _ in range(count):
        a, b, c = (" | ".join(dice.sample(WORDS, dice.randint(1, 5))) for _ in range(3))
        shapes = [
            f"$* ( {a} ) $* ( {b} ) $*",
            f"( {a} )+ ( {b} )?",
            f"$* ( {a} ) ( {b} | {c} ){{1,2}}",
            f"BOS ( {a} ) $* % &? EOS",
            f"( {a} | $ ){{2,4}}",
            f"( $ ( {a} | $ ) )*",
            f"$* ( {a} )",
        ]
        rules.append(dice.choice(shapes))
    return rules


def random_sentences(count: int, seed: int) -> list[tuple[str, ...]]:
    dice = random.Random(seed)
    pool = [*WORDS, "unseen", "17", "3.5", ",", "?!", "日本"]
    return [tuple(dice.choices(pool, k=dice.randint(0, 9))) for _ in range(count)]


def expected(rules: list[str], sentences: list[tuple[str, ...]]) -> np.ndarray:
    automata = [build_positions(parse_expression(rule)) for rule in rules]
    return np.asarray([[accepts(automaton, sentence) for automaton in automata] for sentence in sentences])


def test_no_rules() -> None:
    assert Matcher([]).matched([("a",), ()]).shape == (2, 0)
    assert build_matcher([]).matched([]).shape == (0, 0)


def test_no_sentences() -> None:
    matched = matcher_for("a", "b").matched([])
    assert matched.shape == (0, 2)
    assert matched.dtype == np.bool_


def test_empty_sentence() -> None:
    matched = matcher_for("a?", "a", "$*", "BOS EOS", "$").matched([(), ("a",), ()])
    assert matched.tolist() == [
        [True, False, True, True, False],
        [True, True, True, False, True],
        [True, False, True, True, False],
    ]


def test_words_that_no_rule_names_are_told_apart_by_kind() -> None:
    matched = matcher_for("$", "%", "&", "7 | a", "% | !").matched([("x",), ("99",), ("¿",), ("7",), ("日本",), ("!",)])
    assert matched.astype(int).tolist() == [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 1],
        [1, 0, 1, 0, 0],
        [1, 1, 0, 1, 1],
        [1, 0, 0, 0, 0],
        [1, 0, 1, 0, 1],
    ]


def test_private_signs_of_the_vocabulary_are_words_like_any_other() -> None:
    matched = matcher_for("$", "%", "&").matched([("\ue000",), ("\ue001",), ("\ue002",)])
    assert matched.tolist() == [[True, False, False]] * 3


@pytest.mark.parametrize("count", [1, 7, 250])
def test_many_rules_fire_as_each_does_alone(count: int) -> None:
    rules, sentences = random_rules(count, seed=count), random_sentences(120, seed=1)
    matched = matcher_for(*rules).matched(sentences)
    assert 0 < matched.mean() < 1
    assert (matched == expected(rules, sentences)).all()


@pytest.mark.parametrize(("rows", "chunk"), [(0, 1), (0, 7), (5, 3), (50, 10), (1000, 1)])
def test_forgetting_rows_changes_no_prediction(monkeypatch: pytest.MonkeyPatch, rows: int, chunk: int) -> None:
    rules, sentences = random_rules(30, seed=3), random_sentences(80, seed=4)
    monkeypatch.setattr(matcher_module, "ROW_LIMIT", rows)
    monkeypatch.setattr(matcher_module, "CHUNK", chunk)
    matcher = matcher_for(*rules)
    wanted = expected(rules, sentences)
    assert (matcher.matched(sentences) == wanted).all()
    assert (matcher.matched(sentences[::-1]) == wanted[::-1]).all(), "a second call finds rows made by the first"


def test_rows_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matcher_module, "ROW_LIMIT", 10)
    monkeypatch.setattr(matcher_module, "CHUNK", 1)
    matcher = matcher_for(*random_rules(30, seed=5))
    sentences = random_sentences(200, seed=6)
    matcher.matched(sentences)
    assert len(matcher._rows) <= 10 + 1 + max(map(len, sentences))


def test_ways_to_the_same_states_share_a_row() -> None:
    """Otherwise the rows of a few hundred rules would not fit into memory."""
    matcher = matcher_for("$* a $*", "$* b $*", "$* c $*")
    matcher.matched([("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"), ("c", "b", "a", "d", "7")])
    assert len(matcher._rows) == 8


def test_codes_are_shared_by_words_that_nothing_tells_apart() -> None:
    matcher = matcher_for("monday | tuesday", "$* ( monday | tuesday ) sunday", "7 | 8")
    sentences = [("monday", "tuesday", "sunday", "unseen"), ("7", "8", "9", "!")]
    codes = matcher.encode(sentences)
    assert codes[0][0] == codes[0][1]
    assert len(set(codes[0])) == 3
    assert codes[1][0] == codes[1][1]
    assert codes[0][3] == 0
    assert codes[1][2:] == [1, 2]
    assert (matcher.matched_codes(codes) == matcher.matched(sentences)).all()


def test_a_named_number_is_read_by_the_signs_of_other_rules() -> None:
    """A word's kind is what counts in machines that do not name it."""
    matched = matcher_for("7", "%", "% 7", "& ,", "$ $").matched([("7",), ("7", "7"), (",", ","), ("!", ",")])
    assert matched.astype(int).tolist() == [[1, 1, 0, 0, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 1], [0, 0, 0, 1, 1]]


def test_sentences_may_be_lists_and_rules_come_in_file_order() -> None:
    rules = read_rules("[x]\nfirst := a\nsecond := b\n[y]\nthird := a b").ruleset.rules
    matched = build_matcher(rules).matched([["a"], ["b"], ["a", "b"]])
    assert matched.tolist() == [[True, False, False], [False, True, False], [False, False, True]]
