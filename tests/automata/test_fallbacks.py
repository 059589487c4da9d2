"""An exact automaton with fallbacks: fewer transitions, and the same predictions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from support.rules.automata_strategies import TEXT_WORDS, trees

from re2nn_core.automata import fallbacks as module
from re2nn_core.automata.determinize import exact_dfa
from re2nn_core.automata.dfa import ExactDfa
from re2nn_core.automata.fallbacks import Fallbacks, fallbacks_of
from re2nn_core.automata.minimize import DEAD
from re2nn_core.automata.symbols import ANY, NUMBER, OTHERS, PUNCTUATION, complements_of, reading, show_symbols
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tree import Node
from re2nn_core.text.kinds import is_number, is_punctuation


def read_by_a_person(found: Fallbacks, state: int, word: str) -> int:
    """Where a word leads by the transitions and fallbacks alone."""
    own = [(target, symbols) for source, target, symbols in found.arcs if source == state]
    for target, symbols in own:
        if word in symbols:
            return target
    fallback = found.of[state]
    if fallback is not None:
        return read_by_a_person(found, fallback, word)
    kinds = [NUMBER] if is_number(word) else [PUNCTUATION] if is_punctuation(word) else []
    for kind in (*kinds, ANY):
        for target, symbols in own:
            if kind in symbols or OTHERS[kind] in symbols:
                return target
            for symbol in complements_of(symbols):
                if symbol.base in (kind, OTHERS[kind]) and not reading(symbol.but, word):
                    return target
    return DEAD


def shown(found: Fallbacks) -> list[tuple[int, int, list[str]]]:
    return [(source, target, show_symbols(symbols)) for source, target, symbols in found.arcs]


def test_a_state_names_only_what_it_reads_otherwise_than_its_fallback() -> None:
    found = fallbacks_of(exact_dfa(parse_expression("$* a b $*")))
    assert found.of == (None, 0, None)
    assert shown(found) == [
        (0, 0, ["any other word"]),
        (0, 1, ["a"]),
        (1, 2, ["b"]),
        (2, 2, ["$"]),
    ]


def test_where_a_word_is_read_is_the_state_that_names_it() -> None:
    machine = exact_dfa(parse_expression("$* a b $*"))
    found = fallbacks_of(machine)
    assert [found.source(machine, 1, word) for word in ("b", "a", "x")] == [1, 0, 0]


@given(trees())
@settings(max_examples=150, deadline=None)
def test_transitions_and_fallbacks_say_where_each_word_leads(tree: Node) -> None:
    machine = exact_dfa(tree)
    found = fallbacks_of(machine)
    assert len(found.arcs) <= sum(1 for _ in machine.arcs())
    for state in range(len(machine)):
        for word in TEXT_WORDS:
            target = machine.step(state, word)
            if target != DEAD:
                assert read_by_a_person(found, state, word) == target
                assert machine.step(found.source(machine, state, word), word) == target


def test_a_large_automaton_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_STATES", 2)
    machine: ExactDfa = exact_dfa(parse_expression("$* a b $*"))
    found = fallbacks_of(machine)
    assert found.of == (None, None, None)
    assert list(found.arcs) == list(machine.shown_arcs())
