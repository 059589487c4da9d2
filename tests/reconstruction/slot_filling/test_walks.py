"""Machines walked by look-up read what the same machines read step by step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.tagger_samples import VOCABULARY
from support.rules.automata_strategies import sentences
from support.rules.tagged_rules import slot_trees

from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.automata.symbols import ANY
from re2nn_core.automata.transducer import PositionTransducer, position_transducer
from re2nn_core.reconstruction.slot_filling import walks
from re2nn_core.reconstruction.slot_filling.votes import Members, Plain, VoteReading, encoded, read_by, used
from re2nn_core.reconstruction.slot_filling.walks import Sentences, Walks, columns_of
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


def test_a_machine_of_more_places_than_a_word_has_bits_is_walked() -> None:
    count = 150
    row = (frozenset[str](), *[frozenset({ANY})] * count)
    follow = tuple(1 << place + 1 for place in range(count)) + (0,)
    long = PositionTransducer(PositionAutomaton(row, follow, (1 << count + 1) - 1), (None, *["B-x"] * count))
    listed = position_transducer(
        tagged_tree(f"$* [ oslo | {' | '.join('a ' * n + 'rome' for n in range(1, 40))} ]<x> $*")
    )
    texts = texts_of([("from", "oslo", "to", "rome"), ("a", "a", "a", "rome", "oslo"), ("to",), ("a",) * 100])
    for machine in (long, listed):
        assert len(machine) > 64
        walked, plain = both(machine, texts)
        assert isinstance(walked, Walks)
        for place in range(len(machine)):
            assert walked.by_any([place]).tolist() == plain.by_any([place]).tolist()


def test_what_meets_too_many_sets_is_read_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = tagged_tree("([ a | , ]<x> [ , $ , $ ]<x> [ a* ($ $)* ]<x>)*")
    texts = texts_of([("a", ",", "a", ",", "b", "a") * 3, (",", "b"), ()])
    kinds = []
    for most in (walks.MOST_STEPS, 1):
        monkeypatch.setattr(walks, "MOST_STEPS", most)
        walked, plain = both(position_transducer(rule), texts)
        kinds.append(type(walked))
        assert np.array_equal(walked.by_any(range(14)), plain.by_any(range(14)))
    assert kinds == [Walks, Plain]


@given(st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=80))
def test_columns_are_the_places_that_each_word_enters(members: list[list[int]]) -> None:
    entered, column_of = columns_of([np.asarray(words, dtype=np.int64) for words in members], 6)
    expected = [sum(1 << place for place, words in enumerate(members) if word in words) for word in range(6)]
    assert [entered[column] for column in column_of] == expected
    assert len(entered) == len(set(entered))


def tagged_tree(text: str) -> Node:
    return tagged(parse_expression(text))
