"""A model for labels: rules, with the network that predicts in their place where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.api.model_folders import free_folder
from re2nn_core.services.rule_systems.classification.deciding_rules import deciding_rules
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.given_texts import checked_text, checked_texts
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from re2nn_core.network.classification.bundle import Bundle
    from re2nn_core.network.slot_filling.bundle import TaggerBundle
    from re2nn_core.services.explanation.classification.explanation import Explanation


@dataclass(frozen=True)
class LabelPrediction:
    """The label of a text, None for no prediction; its probability, None where the rules predict; the rules that match
    the text and predict this label."""

    text: str
    label: str | None
    confidence: float | None
    rules: tuple[str, ...]


def predictor_in_words(bundle: Bundle | TaggerBundle | None) -> str:
    """What predicts in a model, for one line about it."""
    if bundle is None:
        return "no network"
    return "trained network" if bundle.trained else "untrained network"


@dataclass(frozen=True, repr=False)
class LabelModel:
    """Rules for labels. `bundle` is the network that predicts; None: the rules predict, by their automata."""

    system: RuleSystem
    bundle: Bundle | None = None

    def __repr__(self) -> str:
        rules, labels = counted(len(self.system.ruleset.rules), "rule"), counted(len(self.labels), "label")
        return f"<LabelModel: {rules}, {labels}, {predictor_in_words(self.bundle)}>"

    @property
    def task(self) -> Task:
        return Task.CLASSIFICATION

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that can be predicted, in the order of the columns of `predict_proba`."""
        return self.system.logic.labels if self.bundle is None else self.bundle.network.logic.labels

    @property
    def tokenization(self) -> Tokenization:
        return self.system.tokenization

    @property
    def trained(self) -> bool:
        """Whether training has changed the network, so that it may differ from the rules."""
        return self.bundle is not None and self.bundle.trained

    @property
    def figures(self) -> Mapping[str, Any]:
        """What training measured; empty without training."""
        return {} if self.bundle is None else self.bundle.figures

    def predict(self, texts: Sequence[str]) -> list[str | None]:
        """The label of each text; None where no rule matches and there is no default label. InputError."""
        texts = checked_texts(texts)
        if self.bundle is None:
            return self.system.predictions(texts)
        from re2nn_core.services.prediction.classification.predictor import predict

        return predict(self.bundle, texts).predictions

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """[texts, labels]: probabilities. Of rules: those of the untrained network, which is equal to them.
        InputError; StateBudgetError for rules that are too large for a network."""
        from re2nn_core.services.prediction.classification.predictor import predict, untrained

        texts = checked_texts(texts)
        bundle = untrained(self.system, texts) if self.bundle is None else self.bundle
        return predict(bundle, texts).label_scores

    def predictions(self, texts: Sequence[str]) -> list[LabelPrediction]:
        """What `predict` returns, with confidence and rules. InputError."""
        texts = checked_texts(texts)
        matched = self.system.matched(texts)
        labels: list[str | None]
        confidence: list[float | None]
        if self.bundle is None:
            labels, confidence = self.system.decided(matched), [None] * len(texts)
        else:
            from re2nn_core.services.prediction.classification.predictor import predict

            found = predict(self.bundle, texts)
            labels, confidence = found.predictions, [float(share) for share in found.confidence]
        rules = deciding_rules(self.system, matched, labels)
        return [LabelPrediction(*row) for row in zip(texts, labels, confidence, rules, strict=True)]

    def explain(self, text: str, label: str | None = None) -> Explanation:
        """Why the text gets its label, or how much there is for another `label`. NotFoundError for a label that there
        is not."""
        from re2nn_core.services.explanation.classification.explainers import Explainer

        return Explainer(self.system, self.bundle).explain(checked_text(text), label)

    def save(self, folder: Path | str) -> None:
        """Write a model folder that `load` reads; of rules: their untrained network. InputError for a folder that holds
        something else."""
        from re2nn_core.network.classification.bundle import save_bundle
        from re2nn_core.services.prediction.classification.predictor import untrained

        with free_folder(folder) as path:
            save_bundle(path, untrained(self.system, ()) if self.bundle is None else self.bundle)

    def save_pretrained(self, folder: Path | str) -> None:
        """`save`, by the name that Hugging Face's libraries use."""
        self.save(folder)
