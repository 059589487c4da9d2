"""Each label's score as a sum: what every rule adds, and what comes from outside the rules.

    score = label logic of machine scores s - ties  +  h_N H  +  bias  +  r / scale   (classifier.py, logits / scale)

The state head, the bias and what an auxiliary encoder says (r) are sums already. The label logic clamps, so that
what a rule adds depends on the others that speak: it is shared out along the straight line from "no rule speaks" to s,
each rule getting the integral of its own slope (Aumann and Shapley, 1974; integrated gradients: Sundararajan et al.,
ICML 2017). The shares do not depend on any order, two rules that do the same get the same, and they add up to the score
without a remainder. The logic is linear between finitely many bends, which are computed, so the integral is a finite
sum and nothing is approximated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from re2nn_core.network.classification.aggregation import AggregationLayers
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.classification.soft_logic import DEFAULT_SCORE, after_earlier, penalty_matrix
from re2nn_core.network.classification.soft_units import SoftUnits
from re2nn_core.network.recurrence.batch import Batch

Doubles = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoreParts:
    """One sentence. machine_scores [machines]; by_logic, by_head [machines, labels]: what a machine adds to a label
    through label logic and through the state head; logic [labels]: what label logic says when no rule speaks; outside
    [labels]: bias, extra states, auxiliary encoder, linear layer, and what a label loses because an earlier one matches
    too; scores [labels]: what the network itself computes, before `logit_scale`."""

    machine_scores: Doubles
    by_logic: Doubles
    by_head: Doubles
    logic: Doubles
    outside: Doubles
    scores: Doubles

    @property
    def by_machine(self) -> Doubles:
        """[machines, labels]: all that a machine adds."""
        return self.by_logic + self.by_head

    @property
    def total(self) -> Doubles:
        """[labels]: the sum of all parts; `scores`, up to the rounding of single precision."""
        total: Doubles = self.by_machine.sum(0) + self.logic + self.outside
        return total


def score_parts(network: FaRnn, batch: Batch) -> ScoreParts:
    """The parts of the one sentence of a batch."""
    with torch.no_grad():
        states = network.run(batch)
        scores = network.machine_scores(states)
        beside = network.auxiliary_logits(batch)
        logits = network.logits(states, scores, beside)
        head = network.head if network.config.state_head else torch.zeros_like(network.head)
        bias = _doubles(network.bias)
        ties = _doubles(after_earlier(network.aggregated(scores), network.config.tie_margin)[0])
        through_head, extra = _by_head(network, states, head)
    machine_scores, scale = _doubles(scores[0]), network.config.logit_scale
    auxiliary_scores = 0.0 if beside is None else _doubles(beside[0]) / scale
    by_logic, constant = shares(logic_layers(network), machine_scores)
    return ScoreParts(
        machine_scores,
        by_logic,
        through_head,
        constant,
        bias + extra + auxiliary_scores + ties,
        _doubles(logits[0]) / scale,
    )


def _by_head(network: FaRnn, states: list[Tensor], head: Tensor) -> tuple[Doubles, Doubles]:
    """[machines, labels] and [labels]: what the head reads off the states of each machine, and off extra states."""
    weights = _doubles(head)  # [states of all readers, labels]
    by_machine = np.zeros((len(network.names), weights.shape[1]))
    everything = np.zeros(weights.shape[1])
    begin = 0
    for reader, part in zip(network.readers, states, strict=True):
        own = _doubles(part[0])[:, None] * weights[begin : begin + part.shape[1]]  # [states, labels]
        for machine, (first, end) in enumerate(reader.blocks):
            by_machine[machine] += own[first:end].sum(0)
        everything += own.sum(0)
        begin += part.shape[1]
    return by_machine, everything - by_machine.sum(0)


@dataclass(frozen=True, eq=False)
class Layer:
    """values -> clamp(values W + b), beside the values themselves where they are kept. weights [values, units]."""

    weights: Doubles
    bias: Doubles
    clamped: bool
    keeps: bool


@dataclass(frozen=True, eq=False)
class LogicLayers:
    """Label logic as layers, and the last sum: weights [values, labels], bias [labels]."""

    layers: tuple[Layer, ...]
    weights: Doubles
    bias: Doubles


def logic_layers(network: FaRnn) -> LogicLayers:
    """What turns machine scores into label scores in this network."""
    if network.layers is not None:
        return _of_aggregation(network, network.layers)
    return _of_units(network.units)


def _of_units(units: SoftUnits) -> LogicLayers:
    layers = [
        Layer(_doubles(units.get_buffer(f"weights{depth}")), _doubles(units.get_buffer(f"bias{depth}")), True, True)
        for depth in range(units.depths)
    ]
    return LogicLayers(tuple(layers), _doubles(units.readout), _doubles(units.readout_bias))


def _of_aggregation(network: FaRnn, layers: AggregationLayers) -> LogicLayers:
    logic = network.logic
    raised = np.zeros(len(logic.labels))
    if logic.default is not None:
        raised[logic.labels.index(logic.default)] = DEFAULT_SCORE
    beats = np.eye(len(raised)) - _doubles(penalty_matrix(logic))
    first = Layer(_doubles(layers.clause_weights.T), _doubles(layers.clause_bias), layers.activation, False)
    second = Layer(_doubles(layers.label_weights.T), _doubles(layers.label_bias), layers.activation, False)
    return LogicLayers((first, second), beats * (1 - raised), raised)


def shares(logic: LogicLayers, scores: Doubles) -> tuple[Doubles, Doubles]:
    """[machines, labels] and [labels]: what each machine adds to each label on the way from no score at all to
    `scores` [machines], and what the labels have at its beginning."""
    times = _bends(logic, scores)
    middles = (times[1:] + times[:-1]) / 2
    added = np.zeros((len(scores), len(logic.bias)))
    for middle, step in zip(middles, np.diff(times), strict=True):
        added += step * scores[:, None] * _slopes(logic, middle * scores)
    values = np.zeros((1, len(scores)))
    for layer in logic.layers:
        values = _through(layer, values)[0]
    return added, (values @ logic.weights + logic.bias)[0]


def _through(layer: Layer, values: Doubles) -> tuple[Doubles, Doubles]:
    """[points, values] behind a layer, and [points, units]: its sums before they are clamped."""
    sums = values @ layer.weights + layer.bias
    made = sums.clip(0, 1) if layer.clamped else sums
    return (np.concatenate([values, made], 1) if layer.keeps else made), sums


def _bends(logic: LogicLayers, scores: Doubles) -> Doubles:
    """[points]: from 0 to 1, every time at which something begins or ends to be clamped on the way to `scores`."""
    times = np.array([0.0, 1.0])
    for depth in range(len(logic.layers)):
        values = times[:, None] * scores
        for layer in logic.layers[: depth + 1]:
            values, sums = _through(layer, values)
        if not logic.layers[depth].clamped:
            continue
        before, after, length = sums[:-1], sums[1:], np.diff(times)[:, None]
        found = [times]
        for bound in (0.0, 1.0):
            crossed = (before - bound) * (after - bound) < 0
            way = np.where(crossed, after - before, 1.0)
            found.append((times[:-1, None] + (bound - before) / way * length)[crossed])
        times = np.unique(np.concatenate(found))
    return times


def _slopes(logic: LogicLayers, scores: Doubles) -> Doubles:
    """[machines, labels]: how fast each label's score rises with each machine's, at `scores` [machines]."""
    values, slopes = scores[None], np.eye(len(scores))  # slopes [machines, values]
    for layer in logic.layers:
        values, sums = _through(layer, values)
        inside = (sums[0] > 0) & (sums[0] < 1) if layer.clamped else np.ones(len(layer.bias), dtype=np.bool_)
        made = slopes @ layer.weights * inside
        slopes = np.concatenate([slopes, made], 1) if layer.keeps else made
    risen: Doubles = slopes @ logic.weights
    return risen


def _doubles(values: Tensor) -> Doubles:
    return values.detach().cpu().numpy().astype(np.float64)
