"""Machines walked by look-up read what the same machines read step by step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.networks.tagger_samples import VOCABULARY
from support.rules.automata_strategies import sentences
from support.rules.tagged_rules import slot_trees

from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.automata.symbols import ANY
from re2nn_core.automata.transducer import PositionTransducer, position_transducer
from re2nn_core.reconstruction.slot_filling import walks
from re2nn_core.reconstruction.slot_filling.votes import Members, Plain, VoteReading, encoded, read_by, used
from re2nn_core.reconstruction.slot_filling.walks import MOST_PLACES, Sentences, Walks
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import Node

Texts = list[tuple[str, ...]]


def both(machine: PositionTransducer, read: Sentences) -> tuple[VoteReading, Plain]:
    """By look-up, and the twin."""
    return read_by(machine, Members(VOCABULARY), read), Plain(used(machine, Members(VOCABULARY), read))


def texts_of(texts: Texts) -> Sentences:
    return encoded(sorted(texts, key=len, reverse=True), VOCABULARY)


@settings(max_examples=100, deadline=None)
@given(slot_trees(), st.lists(sentences(6), min_size=1, max_size=8), st.data())
def test_what_is_walked_is_what_is_read(tree: Node, texts: Texts, data: st.DataObject) -> None:
    machine = position_transducer(tagged(tree))
    assume(len(machine) <= MOST_PLACES)
    with pytest.MonkeyPatch.context() as patched:  # a drawn tree may have more sets than are worth numbering
        patched.setattr(walks, "MOST_SETS", 1 << len(machine))
        walked, plain = both(machine, texts_of(texts))
    assert isinstance(walked, Walks)
    for place in range(len(machine)):
        assert walked.by_any([place]).tolist() == plain.by_any([place]).tolist()
    some = data.draw(st.lists(st.integers(0, len(machine) - 1), unique=True))
    assert walked.by_any(some).tolist() == plain.by_any(some).tolist()


def test_the_steps_of_a_machine_are_kept_and_read_other_texts_too() -> None:
    machine = position_transducer(tagged_tree("$* from [ $ ]<x> $*"))
    known = Members(VOCABULARY)
    for texts in ([("from", "oslo")], [("a", "from", "b", "c"), ("from",), ()]):
        read = texts_of(texts)
        assert read_by(machine, known, read).by_any([3]).tolist() == used(machine, known, read)[:, 3].tolist()
    assert known.tables.cache_info().misses == 1


def test_too_many_sets_or_places_are_read_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    read = texts_of([("from", "oslo", "to", "rome"), ("to",)])
    row = (frozenset[str](), *[frozenset({ANY})] * MOST_PLACES)
    follow = tuple(1 << place + 1 for place in range(MOST_PLACES)) + (0,)
    outputs = (None, *["B-x"] * MOST_PLACES)
    long = PositionTransducer(PositionAutomaton(row, follow, (1 << MOST_PLACES + 1) - 1), outputs)
    short = position_transducer(tagged_tree("$* from [ $ ]<x> $*"))
    kinds = []
    for most in (walks.MOST_SETS, 1):
        monkeypatch.setattr(walks, "MOST_SETS", most)
        for machine in (long, short):
            walked, plain = both(machine, read)
            kinds.append(type(walked))
            assert np.array_equal(walked.by_any(range(len(machine))), plain.by_any(range(len(machine))))
    assert kinds == [Plain, Walks, Plain, Plain]


def test_a_small_rule_with_many_sets_is_read_step_by_step() -> None:
    rule = tagged_tree("([ a | , ]<x> [ , $ , $ ]<x> [ a* ($ $)* ]<x>)*")
    walked, plain = both(position_transducer(rule), texts_of([("a", ",", "a", ",", "b", "a"), (",", "b"), ()]))
    assert isinstance(walked, Plain)  # 471 sets of 14 places forwards
    assert np.array_equal(walked.used, plain.used)


def tagged_tree(text: str) -> Node:
    return tagged(parse_expression(text))
