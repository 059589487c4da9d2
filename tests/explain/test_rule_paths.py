"""The way of a sentence through a drawn machine: made of its arcs, and naming as many words as any."""

from __future__ import annotations

from hypothesis import given, settings
from support.rules.automata_strategies import sentences, trees

from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.explain import Reading
from re2nn_core.automata.positions import bits
from re2nn_core.automata.symbols import ANY
from re2nn_core.explain.rule_paths import arc_reading, rule_path, symbols_reading
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node


def most_named_by_trying(machine: PseudoDfa, sentence: tuple[str, ...]) -> int | None:
    """The most words that an accepting way names, by walking all of them."""
    ways = [(state, 0) for state in bits(machine.sentence_start)]
    for word in sentence:
        onward = []
        for state, named in ways:
            for symbol in symbols_reading(word, machine.complements):
                column = machine.column_of.get(symbol)
                if column is not None and column in machine.next_states[state]:
                    onward.append(
                        (
                            machine.next_states[state][column],
                            named + (symbol is not ANY and symbol not in machine.complements),
                        )
                    )
        ways = onward
    return max((named for state, named in ways if machine.sentence_final >> state & 1), default=None)


@settings(max_examples=120, deadline=None)
@given(trees(6), sentences(5))
def test_path_is_one_of_the_machine_and_names_most(tree: Node, sentence: tuple[str, ...]) -> None:
    machine = pseudo_dfa(tree)
    path = rule_path(machine, sentence)
    assert (path is not None) == machine.accepts(sentence)
    if path is None:
        return
    assert tuple(move.word for move in path) == sentence
    for before, after in zip(path, path[1:], strict=False):
        assert before.target == after.source
    for move in path:
        assert arc_reading(machine, move.source, move.target, move.word) is not None
    assert sum(move.reading is Reading.NAMED for move in path) == most_named_by_trying(machine, sentence)


@settings(max_examples=60, deadline=None)
@given(trees(6), sentences(5))
def test_exact_machine_has_its_one_path(tree: Node, sentence: tuple[str, ...]) -> None:
    machine = exact_dfa(tree)
    path = rule_path(machine, sentence)
    assert (path is not None) == machine.accepts(sentence)
    for move in path or ():
        assert machine.step(move.source, move.word) == move.target


def test_words_are_told_apart_by_how_they_were_read() -> None:
    machine = pseudo_dfa(read_rules("[x]\nr := $* to $ on % $*\n").ruleset.rules[0].expanded)
    path = rule_path(machine, ("fly", "to", "oslo", "on", "3"))
    assert path is not None
    assert [move.reading for move in path] == [
        Reading.LOOP,
        Reading.NAMED,
        Reading.ANY,
        Reading.NAMED,
        Reading.NAMED,
    ]
    assert [move.symbol for move in path] == ["$", "to", "$", "on", "%"]
