"""Traces: which states are alive after each word, which arcs were walked, where the simulate died."""

from __future__ import annotations

from hypothesis import given, settings
from support.rules import oracles
from support.rules.automata_strategies import TEXT_WORDS, sentences, trees

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.simulate import Step, Trace, simulate
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tree import Node


def machine(text: str) -> PseudoDfa:
    return pseudo_dfa(parse_expression(text))


def test_states_alive_and_arcs_walked() -> None:
    assert simulate(machine("$* flight $*"), ("a", "flight", "now")) == Trace(
        (
            Step(None, (0,), ()),
            Step("a", (0,), ((0, 0),)),
            Step("flight", (0, 1), ((0, 0), (0, 1))),
            Step("now", (0, 1), ((0, 0), (1, 1))),
        ),
        accepted=True,
        died_at=None,
    )


def test_run_dies_at_the_word_that_nothing_reads() -> None:
    trace = simulate(machine("book a flight"), ("book", "the", "flight"))
    assert trace.died_at == 1
    assert not trace.accepted
    assert [step.word for step in trace.steps] == [None, "book", "the"]
    assert trace.steps[-1].alive == ()
    assert trace.steps[-1].arcs == ()


def test_run_that_ends_early_is_alive_and_not_accepted() -> None:
    trace = simulate(machine("book a flight"), ("book", "a"))
    assert trace.died_at is None
    assert not trace.accepted
    assert trace.steps[-1].alive == (2,)


def test_empty_sentence() -> None:
    assert simulate(machine("a?"), ()) == Trace((Step(None, (0,), ()),), accepted=True, died_at=None)
    assert simulate(machine("a"), ()) == Trace((Step(None, (0,), ()),), accepted=False, died_at=None)


def test_anchors_start_behind_bos_and_end_before_eos() -> None:
    anchored = machine("BOS a EOS")
    trace = simulate(anchored, ("a",))
    assert trace.accepted
    assert len(trace.steps[0].alive) == 2
    assert simulate(anchored, ("b",)).died_at == 0
    assert simulate(machine("BOS EOS"), ()).accepted


def test_numbers_and_signs_are_read_by_kind_and_by_wildcard() -> None:
    trace = simulate(machine("% ( a | $ % )"), ("8", "7", "3.5"))
    assert trace.accepted
    assert simulate(machine("&"), ("...",)).accepted
    assert simulate(machine("&"), ("a",)).died_at == 0


@settings(max_examples=100, deadline=None)
@given(trees(), sentences())
def test_every_step_follows_from_the_one_before(tree: Node, sentence: oracles.Sentence) -> None:
    automaton = pseudo_dfa(tree)
    trace = simulate(automaton, sentence)
    pairs = {(source, target) for source, target, _ in automaton.arcs()}
    for before, after in zip(trace.steps, trace.steps[1:], strict=False):
        assert {source for source, _ in after.arcs} <= set(before.alive)
        assert {target for _, target in after.arcs} == set(after.alive)
        assert set(after.arcs) <= pairs
    assert len(trace.steps) == (len(sentence) if trace.died_at is None else trace.died_at + 1) + 1
    assert trace.accepted == oracles.accepts(tree, sentence)
    if trace.died_at is not None:
        rests = oracles.all_sentences(TEXT_WORDS, 1)
        assert not any(oracles.accepts(tree, (*sentence[: trace.died_at + 1], *rest)) for rest in rests)
