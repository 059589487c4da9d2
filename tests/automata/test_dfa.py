"""Deterministic machines as values: checked once when made, and arcs that say what the table says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from support.rules import oracles
from support.rules.automata_strategies import TEXT_WORDS, trees

from re2nn_core.automata.arcs import Arc, positions_of_arcs
from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
from re2nn_core.automata.minimize import DEAD, Moves
from re2nn_core.automata.positions import accepts, bits, build_positions
from re2nn_core.automata.symbols import (
    ANY,
    END,
    NUMBER,
    PUNCTUATION,
    START,
    Complement,
    Special,
    Symbol,
    reads,
    show_symbols,
)
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tree import ClassReference, Node

A = frozenset({"a"})


@pytest.mark.parametrize(
    ("moves", "finals", "message"),
    [
        ((), set(), "an automaton has at least its start state"),
        ((((0, 0), (0, 0)),), set(), r"state 0 must name columns 0 to 1 in order, each once \(got \[0, 0\]\)"),
        ((((2, 0),),), set(), r"state 0 must name columns 0 to 1 in order, each once \(got \[2\]\)"),
        (((), ((0, 2),)), set(), r"state 1 leads to a state outside 0 to 1: \[2\]"),
        ((((0, -1),),), set(), r"state 0 leads to a state outside 0 to 0: \[-1\]"),
        ((((0, 0),),), {1}, r"final states must be among 0 to 0 \(got \[1\]\)"),
        ((((0, 0),),), {-1}, r"final states must be among 0 to 0 \(got \[-1\]\)"),
    ],
)
def test_moves_are_checked(moves: tuple[Moves, ...], finals: set[int], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        PseudoDfa((A, A), moves, frozenset(finals))


def test_exact_tables_have_three_columns_more() -> None:
    with pytest.raises(ValueError, match=r"^state 0 has 1 entries, expected 4$"):
        ExactDfa((A,), ((0,),), frozenset())
    assert ExactDfa((A,), ((0, 0, 0, DEAD),), frozenset({0})).accepts(("b", "7"))


@settings(max_examples=100, deadline=None)
@given(trees())
def test_arcs_of_a_pseudo_machine_are_its_moves(tree: Node) -> None:
    machine = pseudo_dfa(tree)
    by_arcs = {(s, symbol): t for s, t, symbols in machine.arcs() for symbol in symbols}
    by_table = {
        (state, symbol): target
        for state, row in enumerate(machine.moves)
        for column, target in row
        for symbol in machine.alphabet[column]
    }
    assert by_arcs == by_table
    assert machine.arc_count == len(by_table)
    for (state, symbol), target in by_table.items():
        assert machine.move(1 << state, symbol) == 1 << target


def base_of(symbol: Symbol) -> Symbol:
    """The sign of a symbol; `$` of `[^ a ]`."""
    return symbol.base if isinstance(symbol, Complement) else symbol


@settings(max_examples=100, deadline=None)
@given(trees())
def test_drawn_arcs_of_an_exact_machine_lead_where_it_goes(tree: Node) -> None:
    """A word goes by its name where an arc names it, else by its kind where an arc names that, else by `$`."""
    machine = exact_dfa(tree)
    arcs: list[dict[object, int]] = [{} for _ in range(len(machine))]
    for source, target, symbols in machine.arcs():
        arcs[source] |= dict.fromkeys(symbols, target)
    for state, leaving in enumerate(arcs):
        for word in TEXT_WORDS:
            kind = NUMBER if oracles.is_number(word) else PUNCTUATION if oracles.is_punctuation(word) else ANY
            by_base = {base_of(symbol): symbol for symbol in leaving}
            symbol = next((by_base[one] for one in (word, kind, ANY) if one in by_base), word)
            assert (leaving.get(symbol, DEAD) if reads(symbol, word) else DEAD) == machine.step(state, word)


@settings(max_examples=60, deadline=None)
@given(trees())
def test_positions_made_from_arcs_accept_what_the_machine_accepts(tree: Node) -> None:
    machine = pseudo_dfa(tree)
    arcs = [Arc(source, target, symbols) for source, target, symbols in machine.arcs()]
    automaton = positions_of_arcs(arcs, [0], machine.finals)
    for sentence in oracles.all_sentences(TEXT_WORDS, 2):
        assert accepts(automaton, sentence) == machine.accepts(sentence)


def test_dead_stays_dead() -> None:
    machine = exact_dfa(parse_expression("a"))
    assert machine.step(0, "b") == DEAD
    assert machine.step(DEAD, "a") == DEAD
    assert not machine.accepts(("b", "a"))


def test_signs_in_a_text_are_words_and_no_symbols() -> None:
    """The words `$`, `%` and BOS of a text have nothing to do with the signs of a rule."""
    assert Special("$") != ANY
    assert pseudo_dfa(parse_expression("$")).accepts(("$",))
    assert not pseudo_dfa(parse_expression(r"\$")).accepts(("a",))
    assert not pseudo_dfa(parse_expression("BOS a")).accepts(("BOS", "a"))
    assert not exact_dfa(parse_expression("% | EOS")).accepts(("%",))


def test_symbols_are_shown_special_ones_first() -> None:
    assert show_symbols(["b", END, "a", START, PUNCTUATION, NUMBER, ANY]) == ["$", "%", "&", "BOS", "EOS", "a", "b"]
    assert repr(ANY) == "<$>"


def test_bits_are_the_members_of_a_set() -> None:
    assert list(bits(0b101001)) == [0, 3, 5]
    assert list(bits(0)) == []


def test_classes_must_be_put_in_first() -> None:
    with pytest.raises(ValueError, match=r"^@city@ is not put in; build from Rule\.expanded$"):
        build_positions(ClassReference("city"))


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        ("a $*", {0: {"a"}, 1: {"$"}}),
        ("$* a", {0: {"any other word", "a"}, 1: {"any other word", "a"}}),
        ("( a | % ) b", {0: {"a", "%"}, 1: {"b"}}),
        ("$? a", {0: {"any other word", "a"}, 1: {"a"}, 2: {"a"}}),
        ("7 a | % b", {0: {"7", "any other number"}, 1: {"b"}, 2: {"a", "b"}}),
        ("% & $", {0: {"%"}, 1: {"&"}, 2: {"$"}}),
    ],
)
def test_arcs_of_an_exact_machine_say_which_words_are_meant(rule: str, shown: dict[int, set[str]]) -> None:
    """`$` where all words take one arc, else the words that no other arc of the state names."""
    machine = exact_dfa(parse_expression(rule))
    found: dict[int, set[str]] = {}
    for source, _, symbols in machine.shown_arcs():
        found.setdefault(source, set()).update(show_symbols(symbols))
    assert found == shown
    assert [(source, target) for source, target, _ in machine.shown_arcs()] == [
        (source, target) for source, target, _ in machine.arcs()
    ]
