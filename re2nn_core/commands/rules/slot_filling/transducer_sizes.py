"""Sizes of transducers as rows of a table, for check and compile."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from re2nn_core.automata.independent import IndependentSizes, MachineSizes


SIZE_NAMES = ("positions", "FST states", "i-FST states")


def row_of_separate(found: IndependentSizes) -> list[object]:
    """All rules, each a transducer of its own."""
    return ["rule by rule", *size_row(found.separate)]


def row_of_union(found: IndependentSizes) -> list[object]:
    """All rules as one transducer."""
    return ["all as one", *size_row(found.union)]


def size_row(of_machine: MachineSizes) -> list[object]:
    """One transducer, in the order of SIZE_NAMES."""
    return [of_machine.positions, of_machine.states, of_machine.independent_states]
