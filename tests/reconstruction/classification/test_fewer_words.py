"""Of the words that a threshold lets in, those are taken that set texts right, together where a text needs several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from re2nn_core.automata.arcs import Arc
from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.symbols import ANY, Complement, Symbol
from re2nn_core.reconstruction.classification.encoded_texts import number_texts
from re2nn_core.reconstruction.classification.fewer_words import FewerWords, LearnedSteps, Step
from re2nn_core.reconstruction.classification.threshold_choice import Candidate, candidate_of
from re2nn_core.reconstruction.weights.thresholded_arcs import ThresholdedMachine
from re2nn_core.rules.parser import parse_expression

FLY = pseudo_dfa(parse_expression("$* fly $*"))
EDGE = next((source, target) for source, target, symbols in FLY.arcs() if "fly" in symbols)


def learned(came: dict[tuple[int, int], set[Symbol]]) -> ThresholdedMachine:
    """The automaton of "fly" with symbols that came to edges."""
    edges = {(source, target): set(symbols) for source, target, symbols in FLY.arcs()}
    for edge, symbols in came.items():
        edges[edge] = edges.get(edge, set()) | symbols
    arcs = tuple(Arc(*edge, frozenset(symbols)) for edge, symbols in edges.items() if symbols)
    return ThresholdedMachine(arcs, frozenset({0}), FLY.finals)


@dataclass
class Chosen:
    found: Candidate | None
    accepted: list[str]


def chosen(
    machine: ThresholdedMachine, texts: dict[str, int], *, price: float = 1.0, dev: Sequence[str] = ()
) -> Chosen:
    """What is taken of a machine: `texts` with what each would gain if the rule predicted otherwise than as written."""
    sentences = [text.split() for text in texts]
    numbered = number_texts(sentences)
    candidate = candidate_of(machine, 0.5, numbered)
    assert isinstance(candidate, Candidate)
    fewer = FewerWords(FLY, [candidate], sentences, numbered)
    gains = np.asarray(list(texts.values()), dtype=np.int64)
    found = next(iter(fewer.options(gains, np.asarray([text in dev for text in texts]), price)), None)
    accepted = [] if found is None else [text for text, own in zip(texts, found.matched, strict=True) if own]
    return Chosen(found, accepted)


MANY: dict[tuple[int, int], set[Symbol]] = {EDGE: {"soar", "glide", "walk", "eat", "never"}}
TEXTS = {"soar home": 1, "we soar": 1, "glide home": 1, "walk home": -1, "eat it": 0, "fly home": -1}


def test_only_words_that_set_texts_right_are_taken() -> None:
    of = chosen(learned(MANY), TEXTS)
    assert of.found is not None
    assert of.found.dfa.words == {"fly", "soar"}
    assert of.found.size == 1
    assert of.accepted == ["soar home", "we soar", "fly home"]


def test_a_word_that_breaks_as_many_as_it_fixes_is_left() -> None:
    assert chosen(learned(MANY), {**TEXTS, "soar away": -1}).found is None


def test_a_word_by_which_dev_loses_is_left() -> None:
    texts = {**TEXTS, "they soar": 1, "to soar now": 1, "soar away": -1}
    assert chosen(learned(MANY), texts).found is not None
    assert chosen(learned(MANY), texts, dev=["soar away"]).found is None


@pytest.mark.parametrize(("price", "taken"), [(2.0, {"fly", "soar"}), (2.5, None)])
def test_a_word_has_its_price(price: float, taken: set[str] | None) -> None:
    found = chosen(learned(MANY), TEXTS, price=price).found
    assert (None if found is None else set(found.dfa.words)) == taken


def test_words_that_a_text_needs_together_are_taken_together() -> None:
    """A second way from the start to the end, over a state that is not there yet: both words or none."""
    machine = learned({(0, 5): {"take"}, (5, EDGE[1]): {"off", "in"}})
    of = chosen(machine, {"take off": 1, "take off now": 1, "take in": -1, "take it off": 0})
    assert of.found is not None
    assert of.found.dfa.words == {"fly", "take", "off"}
    assert of.accepted == ["take off", "take off now"]


def test_exceptions_are_kept_where_they_set_texts_right() -> None:
    """The wildcard behind the word no longer reads two words; one of them matters."""
    end = next((s, t) for s, t, symbols in FLY.arcs() if s == t == EDGE[1] and ANY in symbols)
    without = ThresholdedMachine(
        tuple(
            Arc(s, t, frozenset({Complement({"by", "never"})}) if (s, t) == end else symbols)
            for s, t, symbols in FLY.arcs()
        ),
        frozenset({0}),
        FLY.finals,
    )
    of = chosen(without, {"fly by": 1, "fly by it": 1, "fly home": -1})
    assert of.found is not None
    assert of.accepted == ["fly home"]
    assert of.found.dfa.words == {"fly", "by"}


def test_all_steps_make_the_learned_automaton() -> None:
    machine = learned(MANY)
    steps = LearnedSteps(FLY, machine)
    every = frozenset(Step(EDGE, str(word), came=True) for word in MANY[EDGE])
    assert sorted(steps.machine(every).arcs, key=str) == sorted(machine.arcs, key=str)
    assert steps.to_accept(["we", "soar"]) == ({Step(EDGE, "soar", came=True)},)
    assert steps.to_accept(["fly"]) == (frozenset(),)
    assert steps.to_accept(["run"]) == ()
    assert len(steps.to_accept(["soar", "or", "glide"])) == 2
