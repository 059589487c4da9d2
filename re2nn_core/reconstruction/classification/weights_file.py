"""The weights behind reconstructed rules, for those who want the weighted automaton: JSON, one line an arc.

    {"machine": "go", "states": 3, "start": [1.0, 0.0, 0.0], "final": [0.0, 0.0, 1.0], "threshold": 0.6}
    {"machine": "go", "from": 0, "to": 1, "other": [0.0, 0.0, 0.0], "words": {"fly": 0.93, ...}}

The first kind of line describes a machine: `threshold` is null where the rule stayed as written. In the second, `other`
are the weights of unknown words, numbers and punctuation; words of less weight than SMALLEST are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from re2nn_core.reconstruction.weights.thresholded_arcs import KINDS
from re2nn_core.reconstruction.weights.weighted import WeightedMachine
from re2nn_core.text.json_text import json_text

SMALLEST = 0.05
_DIGITS = 4


def weight_lines(machines: Sequence[WeightedMachine], thresholds: Mapping[str, float]) -> Iterator[str]:
    """The lines of a file; `thresholds` of the machines that were changed, by name."""
    for machine in machines:
        head = {
            "machine": machine.name,
            "states": len(machine.start),
            "start": _rounded(machine.start.tolist()),
            "final": _rounded(machine.final.tolist()),
            "threshold": thresholds.get(machine.name),
        }
        yield json_text(head)
        for source, target in zip(*np.nonzero(np.abs(machine.arcs).max(0) >= SMALLEST), strict=True):
            yield json_text(_arc(machine, int(source), int(target)))


def _arc(machine: WeightedMachine, source: int, target: int) -> dict[str, object]:
    weights = machine.arcs[:, source, target]
    places = [place for place in np.argsort(-weights, kind="stable") if place >= KINDS]
    words = {
        machine.vocabulary.words[place]: round(float(weights[place]), _DIGITS)
        for place in places
        if abs(weights[place]) >= SMALLEST
    }
    return {
        "machine": machine.name,
        "from": source,
        "to": target,
        "other": _rounded(weights[:KINDS].tolist()),
        "words": words,
    }


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, _DIGITS) for value in values]
