"""Predictions of a network for sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.classification.soft_logic import DEFAULT_SCORE
from re2nn_core.network.recurrence.batching import Context, Numbered, batches_by_length

OnProgress = Callable[[int, int], None]
BATCH = 4096  # the more sentences together, the more begin alike and share their states
STEPWISE_BATCH = 512  # where states are not shared, and a sentence may need a matrix of its own


@dataclass(frozen=True)
class Outputs:
    """predictions [sentences]: label index, -1 for none; probabilities [sentences, labels];
    machine_scores [sentences, machines]."""

    predictions: NDArray[np.int64]
    probabilities: NDArray[np.float32]
    machine_scores: NDArray[np.float32]


def run_network(
    network: FaRnn,
    codes: Sequence[Sequence[int]],
    *,
    abstain: bool,
    near: float = 0.0,
    context: Sequence[Context] | None = None,
    on_progress: OnProgress | None = None,
) -> Outputs:
    """Run encoded sentences, with the vectors of their words in them where the network takes these.

    Labels whose score is within `near` of the best one count as equal to it, and the first of equals is the prediction:
    the label logic's tie-break, for networks that only come near to the rules. With `abstain`, a sentence whose best
    label score is below one half gets no prediction: the untrained network's way of saying that no rule speaks, where
    the rules have no default label.
    """
    torch.set_num_threads(1)  # small matrices: more threads gain nothing and wait for each other on a busy machine
    labels, machines = len(network.logic.labels), len(network.names)
    predictions = np.full(len(codes), -1, dtype=np.int64)
    probabilities = np.zeros((len(codes), labels), dtype=np.float32)
    machine_scores = np.zeros((len(codes), machines), dtype=np.float32)
    was_training = network.training
    network.eval()
    done = 0
    with torch.no_grad():
        for numbered in batches_for(network, codes, context):
            states = network.run(numbered.batch)
            scores = network.machine_scores(states)
            logits = network.logits(states, scores, network.auxiliary_logits(numbered.batch))
            places = np.asarray(numbered.places, dtype=np.int64)
            predictions[places] = best_labels(logits, network.config.logit_scale, abstain=abstain, near=near)
            probabilities[places] = torch.softmax(logits, 1).float().cpu().numpy()
            machine_scores[places] = scores.float().cpu().numpy()
            done += len(places)
            if on_progress is not None:
                on_progress(done, len(codes))
    network.train(was_training)
    return Outputs(predictions, probabilities, machine_scores)


def mean_outputs(runs: Sequence[Outputs]) -> Outputs:
    """What several networks predict together: the label with the highest mean probability."""
    if len(runs) == 1:
        return runs[0]
    probabilities = np.stack([run.probabilities for run in runs]).mean(0)
    machine_scores = np.stack([run.machine_scores for run in runs]).mean(0)
    return Outputs(probabilities.argmax(1), probabilities, machine_scores)


def batches_for(
    network: FaRnn, codes: Sequence[Sequence[int]], context: Sequence[Context] | None = None
) -> list[Numbered]:
    """Batches to be run without a gradient."""
    shares = network.fused and network.device.type != "cuda" and context is None and network.auxiliary is None
    size = BATCH if shares else min(BATCH, STEPWISE_BATCH)
    return batches_by_length(codes, size, network.device, context)


def best_labels(logits: Tensor, scale: float, *, abstain: bool, near: float) -> NDArray[np.int64]:
    """[batch]: the prediction that logits [batch, labels] give, as `run_network` says."""
    values = logits.float().cpu().numpy()
    closest = values >= values.max(1, keepdims=True) - near * scale
    best = closest.argmax(1)
    if abstain:
        best[values.max(1) < DEFAULT_SCORE * scale] = -1
    return best
