"""The strongest weight that training gave an arc, or a word on an arc, that was not written: what a threshold above it
hides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.symbols import Symbol
from re2nn_core.reconstruction.classification.threshold_choice import KeptMachines
from re2nn_core.reconstruction.weights.thresholded_arcs import KINDS
from re2nn_core.reconstruction.weights.weighted import WeightedMachine
from re2nn_core.tensors.factors import rows_read
from re2nn_core.text.vocabulary import Vocabulary

FAINT = 0.01  # what weighs less is the noise of training


@dataclass(frozen=True)
class LearnedWeight:
    """The greatest weight of what was not written, and its word or tag; 0 for nothing."""

    weight: float = 0.0
    what: str = ""


def learned_weight(machine: WeightedMachine, written: Iterable[tuple[int, int, frozenset[Symbol]]]) -> LearnedWeight:
    """Of a machine's words, those on its written arcs (source, target, symbols) left out."""
    learned = machine.arcs.copy()  # [vocabulary, states, states]
    for source, target, symbols in written:
        learned[_rows(symbols, machine.vocabulary), source, target] = 0.0
    words = learned[KINDS:].reshape(len(learned) - KINDS, -1).max(axis=1, initial=0.0)  # [words]
    if not words.any():
        return LearnedWeight()
    place = int(words.argmax())
    return LearnedWeight(float(words[place]), machine.vocabulary.words[KINDS + place])


def _rows(symbols: frozenset[Symbol], vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """[vocabulary]: the words that the symbols read."""
    return rows_read(vocabulary, symbols)


def why_as_written(kept: KeptMachines, learned: LearnedWeight, threshold: float) -> str:
    """Why a rule stays as it is written at a threshold. What the threshold hides is no "training changed nothing"."""
    if kept is not KeptMachines.SAME or learned.weight < FAINT:
        return kept.value
    most = f"{learned.weight:.2f} ({learned.what})"
    if learned.weight < threshold:
        return f"what it has learned weighs up to {most}, below the threshold {threshold:.2f}"
    return f"what it has learned, of weight up to {most}, does not change what the rule accepts"
