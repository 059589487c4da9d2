"""The state-by-state half of the certificate for rules that tag words: the factors move as the transducers do, and
every arc gives its word the output of the state that it leads to.

Compared are, rule by rule, the start and final weights, and for every word of the vocabulary (the three unknown kinds
among them) and every word that the rule names, the states reached from each state, and what the word is given on the
way. Nothing may lead from one rule to another. Where all agree, both directions of the network hold the transducers'
own sets of states after each word of any sentence: states are clamped to [0, 1].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from re2nn_core.automata.independent import IndependentTransducer, independent
from re2nn_core.automata.positions import bits
from re2nn_core.automata.transducer import PositionTransducer, minimal_transducer, position_transducer
from re2nn_core.rules.tree import Node, named_words
from re2nn_core.tensors.factors import Factors, Floats
from re2nn_core.tensors.state_certificate import UNNAMED, member_vector, shown_word
from re2nn_core.tensors.tagged_factors import TagFactors, TransducerKind
from re2nn_core.text.kinds import is_number, is_punctuation
from re2nn_core.text.vocabulary import UNKNOWN_KINDS, Vocabulary
from re2nn_core.text.word_patterns.classes import WordClasses, is_class_word

SHOWN = 20
OutputMachine = PositionTransducer | IndependentTransducer
_STAND_INS = (UNNAMED[False, False], UNNAMED[True, False], UNNAMED[False, True])


@dataclass(frozen=True)
class TransducerCheck:
    """What was compared and what differed. `outputs`: arcs whose output was compared; `max_error`: the largest
    difference of a single move; `faults` names at most twenty places."""

    words: int
    states: int
    transitions: int
    outputs: int
    max_error: float
    faults: tuple[str, ...]

    @property
    def equal(self) -> bool:
        return not self.faults


@dataclass(frozen=True)
class _Rule:
    """A rule with its machine, its states and its terms among all; `named`: the words that it names."""

    name: str
    machine: OutputMachine
    named: frozenset[str]
    number: int
    begin: int
    end: int
    terms: tuple[int, ...]


def check_transducers(
    trees: Sequence[tuple[str, Node]], tags: TagFactors, kind: TransducerKind, *, tolerance: float = 1e-5
) -> TransducerCheck:
    """Compare the factors of tagged trees, given with their names, with their transducers; see the module. ValueError
    for factors of other machines."""
    factors = tags.factors
    rules = _rules(trees, factors, kind)
    faults = list(_strays(rules, factors, tolerance))
    worst, outputs, words = 0.0, 0, dict.fromkeys(factors.vocabulary.words)
    for rule in rules:
        words |= dict.fromkeys(sorted(rule.named))
        faults += _end_faults(rule, factors, tolerance)
        for word, error in _move_errors(rule, factors):
            worst = max(worst, error)
            if error > tolerance:
                reads = f"the word {shown_word(word)!r} moves otherwise"
                faults.append(f"rule {rule.name}: {reads} (difference {error:.3g})")
        compared, wrong = _output_faults(rule, tags)
        outputs += compared
        faults += wrong
    return TransducerCheck(
        len(words), factors.states, len(words) * factors.states, outputs, worst, tuple(faults[:SHOWN])
    )


def _rules(trees: Sequence[tuple[str, Node]], factors: Factors, kind: TransducerKind) -> list[_Rule]:
    if len(trees) != len(factors.blocks):
        raise ValueError(f"{len(factors.blocks)} blocks need as many rules (got {len(trees)})")
    rules = []
    for number, ((name, tree), (begin, end)) in enumerate(zip(trees, factors.blocks, strict=True)):
        machine = position_transducer(tree, name) if kind == "positions" else _independent(tree, name)
        if len(machine) != end - begin:
            raise ValueError(f"rule {name} has {len(machine)} states, its factors have {end - begin}")
        named = named_words(tree)
        used = np.abs(factors.sources[begin:end]).any(0) | np.abs(factors.targets[begin:end]).any(0)
        rules.append(_Rule(name, machine, named, number, begin, end, tuple(np.flatnonzero(used).tolist())))
    return rules


def _independent(tree: Node, name: str) -> IndependentTransducer:
    return independent(minimal_transducer(tree, rule=name))


def _strays(rules: Sequence[_Rule], factors: Factors, tolerance: float) -> Iterator[str]:
    """What leads from the states of a rule to those of another one."""
    for rule in rules:
        own = np.zeros(factors.states, dtype=bool)
        own[rule.begin : rule.end] = True
        # Of each pair of states the most that any word can add: an upper bound, so that nothing is overlooked.
        strength = np.abs(factors.words).max(0, initial=0.0)
        added = (np.abs(factors.sources[own]) * strength) @ np.abs(factors.targets[~own]).T
        if max(added.max(initial=0.0), np.abs(factors.wildcard[own][:, ~own]).max(initial=0.0)) > tolerance:
            yield f"rule {rule.name} leads to states of another rule"


def _end_faults(rule: _Rule, factors: Factors, tolerance: float) -> Iterator[str]:
    size = rule.end - rule.begin
    start = member_vector(rule.machine.sentence_start, size)
    if np.abs(factors.start[rule.begin : rule.end] - start).max(initial=0.0) > tolerance:
        yield f"rule {rule.name} starts in other states"
    outside = factors.final[rule.number].copy()
    outside[rule.begin : rule.end] -= member_vector(rule.machine.sentence_final, size)
    if np.abs(outside).max(initial=0.0) > tolerance:
        yield f"rule {rule.name} ends in other states"


def _move_errors(rule: _Rule, factors: Factors) -> Iterator[tuple[str, float]]:
    """For every word how far the factors' moves are from those of the machine; words alike are compared once."""
    own, terms = slice(rule.begin, rule.end), list(rule.terms)
    sources, targets = factors.sources[own][:, terms], factors.targets[own][:, terms]
    wildcard = factors.wildcard[own, own]
    rows = factors.words[:, terms]
    expected: dict[str, Floats] = {}
    errors: dict[tuple[str, bytes], float] = {}
    for word, number in _words_and_rows(rule.named, factors.vocabulary).items():
        stand_in = _stand_in(word, rule.named)
        key = (stand_in, rows[number].tobytes())
        if key not in errors:
            if stand_in not in expected:
                expected[stand_in] = _moves(rule.machine, stand_in)
            made = (sources * rows[number]) @ targets.T + wildcard
            errors[key] = float(np.abs(np.minimum(made, 1) - expected[stand_in]).max(initial=0.0))
        yield word, errors[key]


def _words_and_rows(named: frozenset[str], vocabulary: Vocabulary) -> dict[str, int]:
    """The words to check and their rows; one that the rule names outside the vocabulary has its kind's row."""
    rows = dict(vocabulary.index)
    plain = (word for word in sorted(named) if word not in rows and not is_class_word(word))
    rows.update((word, vocabulary.encode([word])[0]) for word in plain)
    return rows


def _stand_in(word: str, named: frozenset[str]) -> str:
    """The word itself where the rule names it, else one of its kind that no rule can name."""
    if word in named:
        return word
    if word in UNKNOWN_KINDS:
        return _STAND_INS[UNKNOWN_KINDS.index(word)]
    alike = WordClasses(named).find(word)
    return UNNAMED[is_number(word), is_punctuation(word)] if alike is None else alike


def _moves(machine: OutputMachine, word: str) -> Floats:
    """[states, states]: 1 where the word leads from one state to another."""
    return np.stack([member_vector(machine.step(1 << state, word), len(machine)) for state in range(len(machine))])


def _output_faults(rule: _Rule, tags: TagFactors) -> tuple[int, list[str]]:
    """How many arcs were compared, and those that give their word another output than the state they lead to."""
    compared, faults = 0, []
    for word in [*sorted(rule.named), *_STAND_INS]:
        for state in range(rule.end - rule.begin):
            for target in bits(rule.machine.step(1 << state, word)):
                _, given = rule.machine.step_back(1 << state, 1 << target, word)
                compared += 1
                expected = tags.outputs[rule.begin + target]
                if given != {expected}:
                    outputs = " and ".join(sorted(given)) or "nothing"
                    faults.append(
                        f"rule {rule.name}: state {target} gives {expected}, but a transition into it gives {outputs}"
                    )
    return compared, list(dict.fromkeys(faults))
