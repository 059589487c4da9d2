"""Predictions for texts: of the exact untrained network of a rule system, or of a trained one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.classification.predict import Outputs, mean_outputs, run_network
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.prediction.classification.encoding import stretches
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import build_vocabulary

# Untrained label scores are multiples of one half; gates and rounding take them off by less than this.
UNTRAINED_NEAR = 0.05
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class NetworkPredictions:
    """One row a text. `predictions`: the label, None for no prediction; `confidence`: the prediction's probability;
    `label_scores` [texts, labels] probabilities; `machine_scores` [texts, machines] between 0 and 1."""

    predictions: list[str | None]
    confidence: NDArray[np.float32]
    label_scores: NDArray[np.float32]
    labels: tuple[str, ...]
    machine_scores: NDArray[np.float32]
    machines: tuple[str, ...]


def untrained(system: RuleSystem, texts: Sequence[str], config: NetworkConfig | None = None) -> Bundle:
    """The exact network of a rule system, over the words of the texts and of the rules."""
    sentences = words_of_all(texts, system.tokenization)
    vocabulary = build_vocabulary(sentences, always=system.ruleset.words)
    chosen = config or NetworkConfig(vectors="none", dropout=0.0)
    return build_bundle(system.rules_text, system.logic_text, system.tokenization, vocabulary, chosen)


def predict(bundle: Bundle, texts: Sequence[str], *, on_progress: OnProgress | None = None) -> NetworkPredictions:
    """Run a network over texts. Only an untrained one without default label may give no prediction."""
    outputs = _run(bundle, texts, on_progress)
    labels = bundle.network.logic.labels
    best = outputs.probabilities.max(1, initial=0.0)
    return NetworkPredictions(
        [None if index < 0 else labels[index] for index in outputs.predictions],
        np.where(outputs.predictions < 0, np.float32(0), best),
        outputs.probabilities,
        labels,
        outputs.machine_scores,
        bundle.network.names,
    )


def _run(bundle: Bundle, texts: Sequence[str], on_progress: OnProgress | None) -> Outputs:
    """The network over texts, a stretch at a time."""
    parts = []
    for begin, known, encoded in stretches(bundle, texts):

        def report_progress(done: int, _: int, begin: int = begin) -> None:
            if on_progress is not None:
                on_progress(begin + done, len(texts))

        last = known.networks[-1]
        runs = [
            run_network(
                network,
                encoded.codes,
                **predicting(bundle),
                context=encoded.context,
                on_progress=report_progress if network is last else None,
            )
            for network in known.networks
        ]
        parts.append(mean_outputs(runs))
    if not parts:
        return run_network(bundle.network, [], **predicting(bundle))
    return Outputs(
        np.concatenate([part.predictions for part in parts]),
        np.concatenate([part.probabilities for part in parts]),
        np.concatenate([part.machine_scores for part in parts]),
    )


class Predicting(TypedDict):
    """How a network's scores become predictions, see `run_network`."""

    abstain: bool
    near: float


def predicting(bundle: Bundle) -> Predicting:
    """A trained network always gives its best label; an untrained one predicts as its rules do."""
    untouched = not bundle.trained
    return {"abstain": untouched and bundle.logic.default is None, "near": UNTRAINED_NEAR if untouched else 0.0}
