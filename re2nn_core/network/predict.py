"""Answers of a network for sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from re2nn_core.network.batching import batches_by_length
from re2nn_core.network.classifier import FaRnn
from re2nn_core.network.soft_logic import DEFAULT_SCORE

OnProgress = Callable[[int, int], None]
BATCH = 512


@dataclass(frozen=True)
class Outputs:
    """answers [sentences]: label index, -1 for none; probabilities [sentences, labels];
    machine_scores [sentences, machines]."""

    answers: NDArray[np.int64]
    probabilities: NDArray[np.float32]
    machine_scores: NDArray[np.float32]


def run_network(
    network: FaRnn,
    codes: Sequence[Sequence[int]],
    *,
    abstain: bool,
    near: float = 0.0,
    on_progress: OnProgress | None = None,
) -> Outputs:
    """Run encoded sentences.

    Labels whose score is within `near` of the best one count as equal to it, and the first of equals is the answer:
    the label logic's tie-break, for networks that only come near to the rules. With `abstain`, a sentence whose best
    label score is below one half gets no answer: the untrained network's way of saying that no rule speaks, where
    the rules have no default label.
    """
    device = network.device
    torch.set_num_threads(1)  # small matrices: more threads gain nothing and wait for each other on a busy machine
    labels, machines = len(network.logic.labels), len(network.names)
    answers = np.full(len(codes), -1, dtype=np.int64)
    probabilities = np.zeros((len(codes), labels), dtype=np.float32)
    machine_scores = np.zeros((len(codes), machines), dtype=np.float32)
    was_training = network.training
    network.eval()
    done = 0
    with torch.no_grad():
        for numbered in batches_by_length(codes, BATCH, device):
            states = network.run(numbered.batch)
            scores = network.machine_scores(states)
            logits = network.logits(states, scores)
            values = logits.float().cpu().numpy()
            closest = values >= values.max(1, keepdims=True) - near * network.config.logit_scale
            best = closest.argmax(1)
            if abstain:
                lowest = DEFAULT_SCORE * network.config.logit_scale
                best[values.max(1) < lowest] = -1
            answers[numbered.places] = best
            probabilities[numbered.places] = torch.softmax(logits, 1).float().cpu().numpy()
            machine_scores[numbered.places] = scores.float().cpu().numpy()
            done += len(numbered.places)
            if on_progress is not None:
                on_progress(done, len(codes))
    network.train(was_training)
    return Outputs(answers, probabilities, machine_scores)
