"""Phrases, which of them are taken, and the rules and logic that they become."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.proposals.phrases import ONE, SOME, START, find_phrases, phrase_node, phrases_of
from re2nn_core.reconstruction.classification import mined_phrases as module
from re2nn_core.reconstruction.classification.mined_phrases import PhraseForLabel, holds, mined_phrases, winners
from re2nn_core.reconstruction.classification.new_rules import shared_patterns, shorter_mined, with_new_rules
from re2nn_core.reconstruction.expressions.expression import size
from re2nn_core.rules.logic.label_logic import decide_all, print_formula, read_logic, write_logic
from re2nn_core.rules.printer import print_expression, write_rules
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Any, Repeat, concat
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.text.tokenization import Tokenization

WORDS = st.sampled_from(["a", "b", "c", "d"])
SENTENCES = st.lists(st.lists(WORDS, max_size=7), min_size=1, max_size=6)
PHRASES = st.lists(st.one_of(WORDS, st.sampled_from([ONE, SOME])), max_size=3).flatmap(
    lambda middle: st.tuples(st.sampled_from([(START,), ()]), WORDS, WORDS).map(
        lambda parts: (*parts[0], parts[1], *middle, parts[2])
    )
)
ANYTHING = Repeat(Any(), 0, None)


@given(st.lists(PHRASES, min_size=1, max_size=4), SENTENCES)
@settings(max_examples=150, deadline=None)
def test_a_phrase_is_held_where_its_expression_matches(phrases, sentences):
    trees = [concat([ANYTHING, phrase_node(phrase), ANYTHING]) for phrase in phrases]
    matched = RuleMatcher(trees).matched(sentences)
    held = [[holds(sentence, phrase) for phrase in phrases] for sentence in sentences]
    assert matched.tolist() == held


@given(SENTENCES, st.frozensets(WORDS, max_size=2))
@settings(max_examples=150, deadline=None)
def test_the_phrases_of_a_sentence_are_those_that_it_holds(sentences, heads):
    """No phrase is listed for a sentence without it, and none of the listed kinds is missed in another sentence."""
    every = {phrase for sentence in sentences for phrase in phrases_of(sentence, heads)}
    for sentence in sentences:
        found = phrases_of(sentence, heads)
        assert {phrase for phrase in every if holds(sentence, phrase)} == found


def test_phrases_know_their_texts_both_ways():
    sentences = [["a", "b"], ["b", "a"], ["a", "b", "c"]]
    found = find_phrases(sentences, least=2)
    assert ("a", "b") in found.all
    for number, phrase in enumerate(found.all):
        texts = found.texts_of(number).tolist()
        assert texts == [place for place, sentence in enumerate(sentences) if holds(sentence, phrase)]
    for text in range(3):
        own = found.phrases[found.text_begins[text] : found.text_begins[text + 1]].tolist()
        assert own == [number for number in range(len(found.all)) if text in found.texts_of(number)]


RULES = """[fly]
go := $* fly $*

[pay]
cost := $* cost $*
"""
LOGIC = 'default = "fly"\npriorities = ["fly > pay"]\n'


def small_system(rules: str = RULES, logic: str = LOGIC):
    return read_system(rules, logic, Tokenization())[0]


def mined(texts: list[tuple[str, str]], dev: list[tuple[str, str]]) -> tuple[PhraseForLabel, ...]:
    system = small_system()
    both = [*dev, *texts]
    sentences = [text.split() for text, _ in both]
    labels = system.logic.labels
    gold = np.asarray([labels.index(label) for _, label in both])
    predictions = decide_all(system.logic, system.rule_names, system.matcher.matched(sentences))
    return mined_phrases(system.logic, sentences, predictions, gold, np.arange(len(both)) < len(dev))


PRICES = [(f"{filler} price of it", "pay") for filler in ("what", "the", "which", "say")]
FLIGHTS = [(f"fly {place}", "fly") for place in ("home", "there", "now", "away")]


def test_a_phrase_that_sets_texts_right_is_taken():
    found = mined([*PRICES, *FLIGHTS], [("a price of it", "pay"), ("fly home", "fly")])
    assert found
    assert all(one.label == 1 for one in found)
    assert all(holds(["a", "price", "of", "it"], one.phrase) for one in found)


def test_phrases_that_dev_does_not_confirm_are_left():
    assert mined([*PRICES, *FLIGHTS], [("the price of it", "fly"), ("fly it", "fly")]) == ()


@pytest.mark.parametrize(
    ("between", "count", "taken"),
    [("and", 4, False), ("and", 7, True), ("costs", 4, True)],
    ids=["words that only hold sentences together", "many texts with them", "another word"],
)
def test_words_that_only_hold_sentences_together_need_more_texts(between: str, count: int, taken: bool):
    texts = [
        (f"i {first} {between} {last}", "pay") for first, last in list(zip("bcdefgh", "jklmnop", strict=True))[:count]
    ]
    found = mined([*texts, *FLIGHTS], [(f"i x {between} y", "pay"), ("fly home", "fly")])
    assert bool(found) == taken


def test_without_dev_texts_to_decide_nothing_is_taken():
    assert mined(PRICES, []) == ()


def test_where_all_texts_decide_they_take_turns():
    """What the others would have taken sets them right, one by one; of two texts, or by chance, nothing is taken."""
    found = mined([], [*PRICES, *FLIGHTS])
    assert {one.label for one in found} == {1}
    assert all(holds(["a", "price", "of", "it"], one.phrase) for one in found)
    assert mined([], [*PRICES[:2], *FLIGHTS]) == ()
    assert mined([], [(f"{filler} price of {filler}", "pay" if place % 2 else "fly") for place, filler in CHANCE]) == ()


CHANCE = tuple(enumerate(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]))


def test_numbers_that_no_list_would_hold_become_a_word_pattern():
    numbers = [(f"ring {number}", "pay") for number in ("0911223344", "0955667788", "0900112233", "0123456789")]
    system = small_system()
    found = mined([], [*numbers, *[(f"ring {name}", "fly") for name in ("mum", "me", "you", "us")]])
    ruleset, logic = with_new_rules(system.ruleset, system.logic, found)
    written = write_rules(ruleset)
    assert 're".*[0-9]{5,}.*"' in written
    read = small_system(written, write_logic(logic))
    predictions = decide_all(
        read.logic, read.rule_names, read.matcher.matched([["ring", "0777777777"], ["ring", "dad"]])
    )
    assert [read.logic.labels[number] for number in predictions] == ["pay", "fly"]


def test_new_rules_predict_first_and_the_logic_says_so():
    system = small_system()
    said = [PhraseForLabel(("price",), 1), PhraseForLabel((START, "say"), 0), PhraseForLabel(("b", SOME, "c"), 1)]
    ruleset, logic = with_new_rules(system.ruleset, system.logic, said)
    new = small_system(write_rules(ruleset), write_logic(logic))
    assert [rule.name for rule in new.ruleset.rules] == ["go", "fly.new", "cost", "pay.new"]
    texts = ["price", "say price", "fly b d c", "fly b", "cost", "something", "please say"]
    # Where both new rules speak, the priority decides as it does between the written ones.
    assert new.predictions(texts) == ["pay", "fly", "pay", "fly", "pay", "fly", "fly"]
    assert 'first = [\n    "fly.new -> fly",\n    "pay.new -> pay",\n]' in write_logic(logic)
    assert [print_formula(formula) for formula in logic.formulas] == [
        "fly.new | !pay.new & go",
        "pay.new | !fly.new & cost",
    ]


@given(st.lists(st.tuples(PHRASES, st.integers(0, 1)), min_size=1, max_size=6, unique=True), SENTENCES)
@settings(max_examples=30, deadline=None)
def test_the_written_rules_say_what_the_phrases_say(said, sentences):
    system = small_system()
    ruleset, logic = with_new_rules(system.ruleset, system.logic, [PhraseForLabel(*one) for one in said])
    text, logic_text = write_rules(ruleset), write_logic(logic)
    again = read_rules(text).ruleset
    assert write_rules(again) == text
    assert read_logic(logic_text, again, format="toml") == logic
    true = np.asarray([[any(holds(s, p) for p, l in said if l == label) for label in (0, 1)] for s in sentences])
    before = decide_all(system.logic, system.rule_names, system.matcher.matched(sentences))
    expected = np.where(winners(system.logic, true) < 0, before, winners(system.logic, true))
    new = small_system(text, logic_text)
    assert decide_all(new.logic, new.rule_names, new.matcher.matched(sentences)).tolist() == expected.tolist()


def test_phrases_that_differ_in_one_word_share_a_class():
    phrases = [("what", word) for word in ("city", "river", "town")] + [("who", "is")]
    assert [words for _, words in shared_patterns(phrases)] == [("city", "river", "town"), ("is",)]


def test_a_taken_name_gets_a_number():
    system = small_system(RULES.replace("cost :=", "pay.new :="))
    ruleset, _ = with_new_rules(system.ruleset, system.logic, [PhraseForLabel(("price",), 1)])
    assert [rule.name for rule in ruleset.rules][-1] == "pay.new2"


@pytest.mark.parametrize("word", ["%", "$", "it's", "a|b"])
def test_words_that_look_like_signs_stay_words(word):
    system = small_system()
    ruleset, logic = with_new_rules(system.ruleset, system.logic, [PhraseForLabel((word, "x"), 1)])
    new = small_system(write_rules(ruleset), write_logic(logic))
    matched = new.matcher.matched([[word, "x"], ["y", "x"]])[:, new.rule_names.index("pay.new")]
    assert matched.tolist() == [True, False]


def test_mined_rules_are_short_and_their_classes_have_telling_names():
    system = small_system()
    words = [f"w{number}" for number in range(9)]
    said = [
        PhraseForLabel(phrase, 1) for phrase in [("what", "w5"), *(("what", w) for w in words), ("w1", "x"), ("w1",)]
    ]
    ruleset, logic = with_new_rules(system.ruleset, system.logic, said, describe=lambda _: "like: w2")
    entries = {entry.name: entry for entry in ruleset.entries}
    assert print_expression(entries["pay.new"].tree) == "$* ( what @pay.new.w5_9@ | w1 ) $*"
    assert entries["pay.new.w5_9"].note == "9 words; strongest: w5, w0, w1; like: w2"
    long, _ = with_new_rules(system.ruleset, system.logic, said, effort=0)
    shorter = shorter_mined(long)
    assert [entry.name for entry in shorter.entries] == [entry.name for entry in long.entries]
    assert size(shorter.rules[-1].tree) < size(long.rules[-1].tree)
    texts = [["what", word] for word in words] + [["w1"], ["w1", "x"], ["what"], ["w2"]]
    for other in (ruleset, shorter):
        both = [small_system(write_rules(one), write_logic(logic)) for one in (long, other)]
        assert both[0].matcher.matched(texts).tolist() == both[1].matcher.matched(texts).tolist()


def test_of_many_texts_one_share_decides(monkeypatch):
    monkeypatch.setattr(module, "MOST_IN_TURNS", 7)
    monkeypatch.setattr(module, "_in_turns", lambda *_: pytest.fail("texts take turns"))
    found = mined([], [*PRICES, *FLIGHTS] * 2)
    assert {one.label for one in found} == {1}
