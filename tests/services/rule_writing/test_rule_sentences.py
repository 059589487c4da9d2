"""Sentences run through their rules: what is expected and what happens, in words; and what is suggested."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from support.rules.strategies import trees

from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.rules.sentences import RuleSentences, read_sentences
from re2nn_core.rules.tree import Except, WordPattern
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.services.rule_writing.rule_sentences import System, check_sentences
from re2nn_core.services.rule_writing.sentence_suggestions import (
    branch_sentences,
    near_misses,
    suggest_sentences,
    text_of_words,
    without_state,
)
from re2nn_core.text.tokenization import Tokenization

LABELS = """\
@city@=( oslo | rome )
[flight]
to_city := $* ( fly | go ) to @city@ $*
//- gone := $* gone $*
[other]
any := $ $
"""
SLOTS = """\
to_city := $* to [ oslo | new york ]<city> $*
way := $* from [ $ ]<city> to [ $ ]<Goal>
"""


def labels() -> System:
    return read_system(LABELS, "", Tokenization("punctuation"))[0]


def slots(known: tuple[str, ...] = ()) -> System:
    return read_slot_system(SLOTS, "", Tokenization(), known_slots=known)[0]


def reported(system: System, text: str) -> list[str]:
    return [str(one) for one in check_sentences(system, read_sentences(text)).checked]


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ('must = ["Fly to Rome!"]', "Rule 'to_city' must match “Fly to Rome!”, as it does."),
        (
            'must = ["fly rome"]',
            "Rule 'to_city' must match “fly rome”, but refuses it; the nearest that it matches is “fly to rome”.",
        ),
        (
            'must = ["a b c d e f"]',
            "Rule 'to_city' must match “a b c d e f”, but refuses it; the nearest that it matches",
        ),
        ('must_not = ["fly rome"]', "Rule 'to_city' must not match “fly rome”, as it does."),
        (
            'must_not = ["I go to Oslo now"]',
            "Rule 'to_city' must not match “I go to Oslo now”, but matches it, by 'go', 'to', 'oslo'.",
        ),
    ],
)
def test_rules_for_labels(sentence: str, said: str) -> None:
    [found] = reported(labels(), f"[to_city]\n{sentence}\n")
    assert found.startswith(said)


def test_a_rule_that_names_no_word_says_so() -> None:
    assert reported(labels(), '[any]\nmust_not = ["x y"]') == [
        "Rule 'any' must not match “x y”, but matches it, by no word in particular."
    ]


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ('must = ["go to [New York]<city> now"]', "must match “go to [New York]<city> now”, as it does."),
        ('must = ["go to new york now"]', "must match “go to new york now”, as it does."),
        ('must = ["go [to oslo]<city>"]', "must match “go [to oslo]<city>”, but matches “go to [oslo]<city>”."),
        ('must = ["to [rome]<city>"]', "must match “to [rome]<city>”, but refuses it; the nearest that it matches is"),
        ('must_not = ["to [oslo]<city>"]', "must not match “to [oslo]<city>”, but matches “to [oslo]<city>”."),
        ('must_not = ["to [oslo]<goal>"]', "must not match “to [oslo]<goal>”, as it does."),
        ('must_not = ["to oslo"]', "must not match “to oslo”, but matches it, by 'to', 'oslo'."),
    ],
)
def test_rules_for_slots(sentence: str, said: str) -> None:
    [found] = reported(slots(), f"[to_city]\n{sentence}\n")
    assert found.startswith(f"Rule 'to_city' {said}")


def test_slots_are_spelt_as_the_data_do_where_case_does_not_count() -> None:
    text = '[way]\nmust = ["from [a]<CITY> to [b]<goal>"]'
    assert not check_sentences(slots(), read_sentences(text)).checked[0].ok
    assert check_sentences(slots(("city", "goal")), read_sentences(text)).checked[0].ok


def test_sentences_of_a_rule_that_is_not_there_are_told() -> None:
    report = check_sentences(labels(), read_sentences('[gone]\nmust = ["x"]\n[old]\nmust = ["a", "b"]\n'))
    assert report.checked == ()
    assert list(map(str, report.orphans)) == [
        "1 sentence belongs to the rule 'gone', which is switched off; not checked.",
        "2 sentences belong to the rule 'old', which does not exist: renamed or removed; not checked.",
    ]


@settings(max_examples=30, deadline=None)
@given(trees(classes=False))
@example(Except((WordPattern('glob"*ing"'),)))  # "something" ends so
def test_each_branch_sentence_needs_a_place_of_the_rule(tree: object) -> None:
    automaton = build_positions(tree)  # type: ignore[arg-type]
    for found in branch_sentences(automaton):
        assert accepts(automaton, found)
        needed = [state for state in range(1, len(automaton)) if not accepts(without_state(automaton, state), found)]
        assert needed
        for miss in near_misses(automaton, found):
            assert not accepts(automaton, miss)


def test_of_a_rule_of_very_many_places_fewer_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every place of a rule of 478 with its own search took 40 seconds, in front of somebody who waits."""
    tried: list[int] = []

    def searched(automaton: object, without: object, *, budget: int) -> None:
        tried.append(budget)

    monkeypatch.setattr("re2nn_core.services.rule_writing.sentence_suggestions.shortest_escape", searched)
    for text, places, budget in (("( a b )", 2, 20_000), ("( a | b ){400}", 15, 5_000)):
        tree = read_system(f"[l]\nx := {text}\n", "", Tokenization())[0].ruleset.rules[0].expanded
        tried.clear()
        assert list(branch_sentences(build_positions(tree))) == []
        assert tried == [budget] * places


def test_suggestions_use_different_branches_and_leave_out_what_is_there() -> None:
    system = read_system("[a]\nx := $* ( one | two three ) $*\n", "", Tokenization())[0]
    [rule] = system.ruleset.rules
    texts = ["three two", "nothing alike", "two of three"]
    found = suggest_sentences(system, rule, RuleSentences("x"), texts)
    assert found.must == ("one", "two three")
    assert found.must_not[:2] == ("three two", "two of three"), "texts of the project go in front"
    assert not any(accepts(build_positions(rule.expanded), sentence.split()) for sentence in found.must_not)
    again = suggest_sentences(system, rule, RuleSentences("x", ("say one",), ("three two",)), texts)
    assert again.must == ("two three",)
    assert "three two" not in again.must_not


def test_suggestions_for_slots_say_which_words_are_marked() -> None:
    system = slots()
    found = suggest_sentences(system, system.ruleset.rules[0], RuleSentences("to_city"))
    assert found.must == ("to [oslo]<city>", "to [new york]<city>")
    report = check_sentences(system, (RuleSentences("to_city", found.must, found.must_not),))
    assert report.failures == ()


def test_chinese_words_are_put_together_without_blanks() -> None:
    cut = Tokenization("characters")
    assert text_of_words(("去", "上", "海"), cut) == "去上海"
    assert text_of_words(("to", "上"), cut) == "to上"
    assert text_of_words(("a", "b"), cut) == "a b"
