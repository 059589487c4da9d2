"""The matcher at its edges: nothing to match, words nobody names, more rules and rows than are kept."""

from __future__ import annotations

import errno
import random
import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rules.automata_strategies import sentences as any_sentences
from support.rules.automata_strategies import trees

from re2nn_core.automata import matcher as matcher_module
from re2nn_core.automata import word_codes as word_codes_module
from re2nn_core.automata.determinize import exact_dfa
from re2nn_core.automata.matcher import Matcher, build_matcher
from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.automata.word_codes import WordCodes
from re2nn_core.automata.word_walk import Matched, compiled_walk, walk_words
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node

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


def by_rows(matcher: Matcher, sentences: list[tuple[str, ...]]) -> Matched:
    return matcher.matched_by_rows(matcher.encode_together(sentences))


def by_walk(matcher: Matcher, sentences: list[tuple[str, ...]]) -> Matched:
    return matcher._walk.matched(matcher.encode_together(sentences), walk_words)


def by_compiled_walk(matcher: Matcher, sentences: list[tuple[str, ...]]) -> Matched:
    walk = compiled_walk()
    if walk is None:
        pytest.skip("numba is not here")
    return matcher._walk.matched(matcher.encode_together(sentences), walk)


ENGINES = [by_rows, by_walk, by_compiled_walk]
Engine = Callable[[Matcher, list[tuple[str, ...]]], Matched]


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


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("count", [1, 7, 250])
def test_many_rules_match_as_each_does_alone(count: int, engine: Engine) -> None:
    rules, sentences = random_rules(count, seed=count), random_sentences(120, seed=1)
    matched = engine(matcher_for(*rules), sentences)
    assert 0 < matched.mean() < 1
    assert (matched == expected(rules, sentences)).all()


@pytest.mark.parametrize(("rows", "chunk"), [(0, 1), (0, 7), (5, 3), (50, 10), (1000, 1)])
def test_forgetting_rows_changes_no_prediction(monkeypatch: pytest.MonkeyPatch, rows: int, chunk: int) -> None:
    rules, sentences = random_rules(30, seed=3), random_sentences(80, seed=4)
    monkeypatch.setattr(matcher_module, "ROW_LIMIT", rows)
    monkeypatch.setattr(matcher_module, "CHUNK", chunk)
    matcher = matcher_for(*rules)
    wanted = expected(rules, sentences)
    assert (by_rows(matcher, sentences) == wanted).all()
    assert (by_rows(matcher, sentences[::-1]) == wanted[::-1]).all(), "a second call finds rows made by the first"


def test_rows_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matcher_module, "ROW_LIMIT", 10)
    monkeypatch.setattr(matcher_module, "CHUNK", 1)
    matcher = matcher_for(*random_rules(30, seed=5))
    sentences = random_sentences(200, seed=6)
    by_rows(matcher, sentences)
    assert len(matcher._rows) <= 10 + 1 + max(map(len, sentences))


def test_ways_to_the_same_states_share_a_row() -> None:
    """Otherwise the rows of a few hundred rules would not fit into memory."""
    matcher = matcher_for("$* a $*", "$* b $*", "$* c $*")
    by_rows(matcher, [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"), ("c", "b", "a", "d", "7")])
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
    together = matcher.encode_together(sentences)
    assert together.codes.tolist() == [code for sentence in codes for code in sentence]
    assert (matcher.matched_codes(together) == matcher.matched(sentences)).all()


def test_a_named_number_is_read_by_the_signs_of_other_rules() -> None:
    """A word's kind is what counts in machines that do not name it."""
    matched = matcher_for("7", "%", "% 7", "& ,", "$ $").matched([("7",), ("7", "7"), (",", ","), ("!", ",")])
    assert matched.astype(int).tolist() == [[1, 1, 0, 0, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 1], [0, 0, 0, 1, 1]]


def test_sentences_may_be_lists_and_rules_come_in_file_order() -> None:
    rules = read_rules("[x]\nfirst := a\nsecond := b\n[y]\nthird := a b").ruleset.rules
    matched = build_matcher(rules).matched([["a"], ["b"], ["a", "b"]])
    assert matched.tolist() == [[True, False, False], [False, True, False], [False, False, True]]


# Classes of words, spellings, exceptions, rules that read nothing, and rules that an unnamed word leads on.
CASES = [
    (['$* re"book.*" $*', '$ re".*s"', "books"], ["books", "a books", "booking", "7 cats", ""]),
    (['$* case"Apple" $*', "apple", "$ apple $"], ["case_Apple", "apple", "case_APPLE", "x apple 7"]),
    (["[^ a % ]+", "a $ b", "$ $ b", "( a | $ ){2,3}"], ["a x b", "7 b", "b b b", "a", "! a"]),
    (["$*", "$+", "BOS EOS", "( )"], ["", "a", "7 !"]),
    (["a b", "$ a $* b", "a $ c $ a"], ["a b", "x a b", "a b c b a", "a a c c a"]),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("rules", "texts"), CASES)
def test_every_engine(rules: list[str], texts: list[str], engine: Engine) -> None:
    expanded = [rule.expanded for rule in read_rules("[x]\n" + "\n".join(rules)).ruleset.rules]
    sentences = [tuple(word.replace("_", " ") for word in text.split()) for text in texts]  # `case Apple` is one word
    automata = [build_positions(rule) for rule in expanded]
    wanted = [[accepts(automaton, sentence) for automaton in automata] for sentence in sentences]
    assert engine(Matcher([exact_dfa(rule) for rule in expanded]), sentences).tolist() == wanted


@settings(max_examples=75, deadline=None)
@given(st.lists(trees(), min_size=1, max_size=6), st.lists(any_sentences(), max_size=6))
def test_every_engine_on_any_rules(rules: list[Node], sentences: list[tuple[str, ...]]) -> None:
    automata = [build_positions(rule) for rule in rules]
    wanted = [[accepts(automaton, sentence) for automaton in automata] for sentence in sentences]
    matcher = Matcher([exact_dfa(rule) for rule in rules])
    for engine in (by_rows, by_walk):
        assert engine(matcher, sentences).tolist() == wanted


def test_compiled_code_matches_where_many_moves_had_to_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of a call too; few rules go without it however many sentences there are."""
    used: list[int] = []
    monkeypatch.setattr(matcher_module, "compiled_walk", lambda: lambda *given: used.append(len(given[1]) - 1))
    monkeypatch.setattr(matcher_module, "is_compiled", lambda: False)
    monkeypatch.setattr(matcher_module, "CHUNK", 10)
    monkeypatch.setattr(matcher_module, "LOADING_MOVES", 4)
    matcher = matcher_for("$* a $*", "b c d")
    many = [("a", "b")] * matcher_module.CALL_STEPS
    matcher.matched(many)
    assert used == [], "no move is made twice"
    matcher.matched([("b", "c", "d")] * 10 + many)
    assert used == [len(many)], "from the next sentences on"
    matcher.matched([("b",)])
    assert used == [len(many)], "few words are not worth the call"


def test_without_numba_all_is_matched_by_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matcher_module, "LOADING_MOVES", 0)
    monkeypatch.setattr(matcher_module, "CALL_STEPS", 0)
    monkeypatch.setitem(sys.modules, "numba", None)
    compiled_walk.cache_clear()
    assert matcher_for("$* a").matched([("b", "a"), ("a", "b")]).tolist() == [[True], [False]]
    assert compiled_walk() is None
    compiled_walk.cache_clear()


@pytest.mark.parametrize("trouble", ["no folder that may be written", "a full disk"])
def test_compiled_code_that_cannot_be_kept_is_used_all_the_same(trouble: str, monkeypatch: pytest.MonkeyPatch) -> None:
    caching = pytest.importorskip("numba.core.caching")
    asked: list[str] = []

    def refuse(*_: object) -> None:
        asked.append(trouble)
        raise RuntimeError("no locator") if trouble != "a full disk" else OSError(errno.ENOSPC, "No space left")

    monkeypatch.setattr(caching.FunctionCache, "load_overload", lambda *_: None)
    kept = "save_overload" if trouble == "a full disk" else "__init__"
    monkeypatch.setattr(caching.FunctionCache, kept, refuse)
    compiled_walk.cache_clear()
    sentences = [("b", "a"), ("a", "b")]
    assert by_compiled_walk(matcher_for("$* a"), sentences).tolist() == [[True], [False]]
    assert by_compiled_walk(matcher_for("$* b"), sentences).tolist() == [[False], [True]]
    assert asked == [trouble]
    compiled_walk.cache_clear()


def test_unnamed_words_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_codes_module, "REMEMBERED", 3)
    codes = WordCodes({"a": 3}, ((), (), (), ((0, 3),)), (0, 1, 2, 0))
    for _ in range(3):
        assert codes.encode_together([("b", "c", "7", "d"), ("!", "a")]).codes.tolist() == [0, 0, 1, 0, 2, 3]
        assert len(codes._remembered) <= 1 + 3 + 5
        codes.encode([("e", "f", "g")])
