"""Many sentences read at once, against the definition; decisions against the rule system; spans against seqeval."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.tagger_samples import VOCABULARY
from support.rules import tagging_oracles
from support.rules.automata_strategies import RULE_WORDS, sentences
from support.rules.tagged_rules import slot_trees

from re2nn_core.automata.symbols import ANY
from re2nn_core.automata.transducer import position_transducer
from re2nn_core.automata.word_sets import united
from re2nn_core.reconstruction.slot_filling.machine_changes import (
    joined_machine,
    machine_reading,
    rule_machine,
    tagging,
    with_place,
    without,
)
from re2nn_core.reconstruction.slot_filling.vote_table import Ballot, MarkedText, material
from re2nn_core.reconstruction.slot_filling.votes import Members, SpanCounter, claims, decided_tags, encoded
from re2nn_core.rules.logic.priorities import SlotLogic
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_systems.slot_filling.decided_tags import decide_tag, silenced
from re2nn_core.training.span_scores import span_scores

TAGS = ("OO", "O", "B-x", "I-x", "B-y", "I-y")
NUMBERS = {tag: number for number, tag in enumerate(TAGS)}
Texts = list[tuple[str, ...]]


@settings(max_examples=60, deadline=None)
@given(slot_trees(), st.lists(sentences(5), min_size=1, max_size=6))
def test_claims_are_the_outputs_of_accepting_paths(tree: Node, texts: Texts) -> None:
    texts = sorted(texts, key=len, reverse=True)
    machine = position_transducer(tagged(tree))
    found = claims(machine, Members(VOCABULARY), encoded(texts, VOCABULARY), NUMBERS)
    given_tags = [
        frozenset(TAGS[tag] for tag, words in found.items() if words[word]) for word in range(sum(map(len, texts)))
    ]
    expected = [
        tags - {"OO"} for text in texts for tags in (tagging_oracles.tag_sets(tree, text) or (frozenset(),) * len(text))
    ]
    assert given_tags == expected


@settings(max_examples=75, deadline=None)
@given(slot_trees(), st.lists(sentences(5), min_size=1, max_size=6), st.data())
def test_sentences_that_a_place_cannot_read_stay_as_they_are(tree: Node, texts: Texts, data: st.DataObject) -> None:
    marked = [MarkedText(text, ("O",) * len(text), True, False) for text in texts if text]
    machine = rule_machine(tagged(tree), "rule", "positions")
    ballot = Ballot(material(marked, VOCABULARY, TAGS), [machine.transducer], SlotLogic())
    if not machine.reading:
        return
    place = data.draw(st.sampled_from(machine.reading))
    sources = data.draw(st.lists(st.integers(0, len(machine) - 1), unique=True))
    words = data.draw(st.frozensets(st.sampled_from([*RULE_WORDS, ANY]), min_size=1))
    inside, sources_now = machine.symbols[place], machine.in_front_of(place)
    wider = frozenset({ANY}) if ANY in inside | words else united(inside | words)
    for after, read in [
        (machine_reading(machine, place, wider), (sources_now, [place], words)),
        (machine_reading(machine, place, inside - words or inside), (sources_now, [place], words)),
        (tagging(machine, place, "B-y"), (sources_now, [place], inside)),
        (without(machine, place), (sources_now, [place], inside)),
        (joined_machine(machine, sources, [place]), (sources, [place], inside)),
        (with_place(machine, sources, place, words, "B-y"), (sources, [place], words)),
    ]:
        may = ballot.reading(machine.transducer, *read)
        new = claims(after.transducer, ballot.texts.members, ballot.texts.sentences, NUMBERS)
        old, none = ballot.claims[0], np.zeros(len(ballot.texts.gold), dtype=np.bool_)
        for tag in {*new, *old}:
            other = new.get(tag, none) != old.get(tag, none)
            assert may[ballot.texts.sentence[other]].all()


@given(
    st.lists(st.lists(st.frozensets(st.sampled_from(TAGS)), max_size=3), min_size=1, max_size=5),
    st.lists(st.tuples(st.sampled_from("xyO"), st.sampled_from("xyO")), max_size=2),
)
def test_decisions_are_those_of_the_rule_system(words: list[list[frozenset[str]]], priorities: list) -> None:
    logic = SlotLogic(tuple(priorities))
    silencing = np.zeros((len(TAGS), len(TAGS)), dtype=np.float32)
    for strong, weak in logic.silences(TAGS):
        silencing[strong, weak] = 1
    votes = np.zeros((len(words), len(TAGS)), dtype=np.int16)
    for row, rules in zip(votes, words, strict=True):
        for tags in rules:
            row[[NUMBERS[tag] for tag in tags]] += 1
    found = decided_tags(votes, silencing, np.arange(1, len(TAGS)))
    expected = [decide_tag(rules, TAGS, silenced(logic, TAGS)) for rules in words]
    assert [TAGS[number] for number in found] == expected


@given(st.lists(st.lists(st.tuples(*[st.sampled_from(TAGS[1:])] * 2), min_size=1, max_size=6), min_size=1, max_size=4))
def test_spans_are_counted_as_seqeval_does(texts: list[list[tuple[str, str]]]) -> None:
    gold, predictions = ([[pair[side] for pair in text] for text in texts] for side in (0, 1))
    first = np.asarray([place == 0 for text in texts for place in range(len(text))])
    there, found = (
        np.asarray([NUMBERS[tag] for tags in tagged_texts for tag in tags]) for tagged_texts in (gold, predictions)
    )
    begun, right = SpanCounter(TAGS).count(there, found, first)
    scores = span_scores(gold, predictions)
    assert (int(begun.sum()), int(right.sum())) == (scores.found, scores.right)
