"""Names of word classes, and what is said beside them; rules that are rebuilt with them are read as what they were."""

from __future__ import annotations

import pytest

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.inclusion import shortest_escape
from re2nn_core.automata.positions import build_positions
from re2nn_core.reconstruction.classification.rule_text import rebuilt
from re2nn_core.reconstruction.weights.class_names import (
    ClassWords,
    class_name,
    class_note,
    class_sets,
    class_words_by_counts,
)
from re2nn_core.rules.leaves import CLASS_NAME
from re2nn_core.rules.logic.decisions import default_logic
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import write_rules
from re2nn_core.rules.read import read_rules
from re2nn_core.tensors.machines import build_machines

NINE = frozenset(f"w{number}" for number in range(9))
NUMBERS = frozenset(str(number) for number in range(12))


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (ClassWords(("near", "by")), "go.near_9"),
        (ClassWords(("?", "a|b", "8a", "by")), "go.by_9"),
        (ClassWords(("7",), "mostly numbers; 3.0% of all words read"), "go.numbers_9"),
        (ClassWords(("555-0101",), "mostly phone numbers; rare words"), "go.phone_numbers_9"),
        (ClassWords(("may",), "mostly months"), "go.months_9"),
        (ClassWords(("going",), "mostly words in -ing"), "go.going_9"),
        (ClassWords(("机票",)), "go.机票_9"),
        (ClassWords(()), "go.words_9"),
    ],
)
def test_names(words: ClassWords, name: str):
    assert class_name("go", NINE, words, set()) == name
    assert class_name("go", NINE, words, {name}) == f"{name}_2"
    assert CLASS_NAME.fullmatch(name)


def test_notes():
    reported = ClassWords(("w3", "w1", "w2", "w0"), "rare words, 3.0% of all words read; like: w5, w6")
    assert class_note(NINE, reported, {}) == "9 words; strongest: w3, w1, w2; like: w5, w6"
    others = {"go.a_9": NINE - {"w8"} | {"x"}, "go.b_12": NUMBERS}
    assert class_note(NINE, ClassWords(()), others) == "9 words; as @go.a_9@, with w8, without x"


def test_a_rebuilt_rule_is_read_as_its_machine():
    nine, ten = " | ".join(sorted(NINE)), " | ".join(sorted(NINE | {"x"}))
    found = f"$* ( go ( {nine} ) | ride ( {ten} ) | go ( {nine} ) now ) $* | $* go $ $*"
    file = read_rules("@go.old_9@=( a | b )\n@city@=( oslo ) // north\n[fly]\ngo := $* @go.old_9@ @city@\n")
    machines = build_machines(file.ruleset, default_logic(file.ruleset))
    machine = pseudo_dfa(parse_expression(found))
    ruleset, _ = rebuilt(file.ruleset, machines, {machines.machines[0].name: machine})
    text = write_rules(ruleset)
    assert text == (
        f"@city@=( oslo ) // north\n@go.words_10@=( {ten} ) // 10 words\n\n[fly]\n"
        "go := $* ( ride @go.words_10@ | go $ ) $*\n"
    )
    again = read_rules(text).ruleset
    assert class_sets(again) == {"city": {"oslo"}, "go.words_10": NINE | {"x"}}
    before, after = build_positions(parse_expression(found)), build_positions(again.rules[0].expanded)
    assert shortest_escape(before, after) is shortest_escape(after, before) is None


def test_what_is_told_of_words_that_were_counted():
    describe_words = class_words_by_counts({"w3": 2.0, "w1": 5.0, "new york": 7.0}, lambda words: f"like: {words[0]}")
    assert describe_words(NINE) == ClassWords(("w1", "w3"), "like: w0")
    # Of phrases of several words, nothing is said that is true of some of them alone.
    assert describe_words(frozenset({"w1", "new york"})) == ClassWords(("new york", "w1"))
    assert class_note(NINE, ClassWords(("w1",)), {}, each="phrase") == "9 phrases; strongest: w1"
