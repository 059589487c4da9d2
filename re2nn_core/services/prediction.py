"""Answers for texts: of the exact untrained network of a rule system, or of a trained one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.network.bundle import Bundle, build_bundle
from re2nn_core.network.config import NetworkConfig
from re2nn_core.network.predict import run_network
from re2nn_core.rules.logic import Fact, Formula, Not
from re2nn_core.services.systems import RuleSystem
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import build_vocabulary

# Untrained label scores are multiples of one half; gates and rounding take them off by less than this.
UNTRAINED_NEAR = 0.05
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class Predictions:
    """One row a text. `answers`: the label, None for no answer; `confidence`: the answer's probability;
    `label_scores` [texts, labels] probabilities; `machine_scores` [texts, machines] between 0 and 1."""

    answers: list[str | None]
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


def predict(bundle: Bundle, texts: Sequence[str], *, on_progress: OnProgress | None = None) -> Predictions:
    """Run a network over texts. Only an untrained one without default label may give no answer."""
    sentences = words_of_all(texts, bundle.tokenization)
    codes = [bundle.vocabulary.encode(sentence) for sentence in sentences]
    abstain = not bundle.trained and bundle.logic.default is None
    near = 0.0 if bundle.trained else UNTRAINED_NEAR
    outputs = run_network(bundle.network, codes, abstain=abstain, near=near, on_progress=on_progress)
    labels = bundle.network.logic.labels
    best = outputs.probabilities.max(1, initial=0.0)
    return Predictions(
        [None if index < 0 else labels[index] for index in outputs.answers],
        np.where(outputs.answers < 0, np.float32(0), best),
        outputs.probabilities,
        labels,
        outputs.machine_scores,
        bundle.network.names,
    )


def decided_by(system: RuleSystem, fired: Sequence[bool] | NDArray[np.bool_], answer: str | None) -> tuple[str, ...]:
    """The rules that accepted the text and speak for the answer; empty for the default label."""
    if answer is None or answer not in system.logic.labels:
        return ()
    speaking = _unnegated(system.logic.formulas[system.logic.labels.index(answer)])
    return tuple(name for name, hit in zip(system.rule_names, fired, strict=True) if hit and name in speaking)


def _unnegated(formula: Formula) -> frozenset[str]:
    """The rules that a formula names outside a negation."""
    if isinstance(formula, Not):
        return frozenset()
    if isinstance(formula, Fact):
        return frozenset((formula.rule,))
    return frozenset[str]().union(*(_unnegated(part) for part in formula.parts))
