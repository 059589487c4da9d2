"""A sentence in whatever machine is looked at: its run, a whole path, and what states could read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
from re2nn_core.automata.independent import AnyTransducer
from re2nn_core.automata.simulate import Trace
from re2nn_core.explain.rule_paths import Move
from re2nn_core.services.automaton_views.classification.views import expected_symbols, trace, whole_path
from re2nn_core.services.automaton_views.slot_filling.views import (
    TagTrace,
    expected_words,
    trace_tags,
    whole_tag_path,
)

AnyMachine: TypeAlias = PseudoDfa | ExactDfa | AnyTransducer


def trace_of(machine: AnyMachine, sentence: Sequence[str]) -> Trace | TagTrace:
    """The run of a sentence, word by word."""
    return trace(machine, sentence) if isinstance(machine, PseudoDfa | ExactDfa) else trace_tags(machine, sentence)


def accepting_moves(machine: AnyMachine, sentence: Sequence[str]) -> tuple[Move, ...] | None:
    """One way of an accepted sentence; None for any other."""
    if isinstance(machine, PseudoDfa | ExactDfa):
        return whole_path(machine, sentence)
    return whole_tag_path(machine, sentence)


def expected_of(machine: AnyMachine, states: Sequence[int]) -> list[str]:
    """What some of these states can read next, as people read it."""
    if isinstance(machine, PseudoDfa | ExactDfa):
        return expected_symbols(machine, states)
    return expected_words(machine, states)
