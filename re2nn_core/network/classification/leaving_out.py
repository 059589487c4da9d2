"""Predictions of a network with one machine silent at a time, from a single run over the sentences.

A silent machine has the score 0 in the label logic, and the state head does not see its states: what is left is what
the network would be without the machine's block. Extra states keep what the machine has put into them, so where there
are any (none by default) the prediction is nearly, not exactly, that of the smaller network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.classification.predict import batches_for, best_labels
from re2nn_core.network.recurrence.batching import Context


@dataclass(frozen=True)
class LeftOut:
    """machine_scores [sentences, machines]; predictions [sentences]: label index, -1 for none;
    without [machines, sentences]: the predictions with that machine silent."""

    machine_scores: NDArray[np.float32]
    predictions: NDArray[np.int64]
    without: NDArray[np.int64]


def run_without_each(
    network: FaRnn,
    codes: Sequence[Sequence[int]],
    *,
    abstain: bool,
    near: float,
    context: Sequence[Context] | None = None,
) -> LeftOut:
    """Run encoded sentences; `abstain`, `near` and `context` as in `run_network`."""
    torch.set_num_threads(1)  # as in run_network
    machines = len(network.names)
    found = LeftOut(
        np.zeros((len(codes), machines), dtype=np.float32),
        np.full(len(codes), -1, dtype=np.int64),
        np.full((machines, len(codes)), -1, dtype=np.int64),
    )
    scale = network.config.logit_scale
    was_training = network.training
    network.eval()
    with torch.no_grad():
        for numbered in batches_for(network, codes, context):
            states = network.run(numbered.batch)
            scores = network.machine_scores(states)
            found.machine_scores[numbered.places] = scores.float().cpu().numpy()
            beside = network.auxiliary_logits(numbered.batch)
            logits = network.logits(states, scores, beside)
            found.predictions[numbered.places] = best_labels(logits, scale, abstain=abstain, near=near)
            for machine in range(machines):
                logits = network.logits(*_silenced(network, states, scores, machine), beside)
                found.without[machine, numbered.places] = best_labels(logits, scale, abstain=abstain, near=near)
    network.train(was_training)
    return found


def _silenced(network: FaRnn, states: list[Tensor], scores: Tensor, machine: int) -> tuple[list[Tensor], Tensor]:
    """The readers' last states [batch, states] and machine scores [batch, machines] with zeros for one machine."""
    kept = []
    for reader, part in zip(network.readers, states, strict=True):
        begin, end = reader.blocks[machine]
        silent = part.clone()
        silent[:, begin:end] = 0
        kept.append(silent)
    muted = scores.clone()
    muted[:, machine] = 0
    return kept, muted
