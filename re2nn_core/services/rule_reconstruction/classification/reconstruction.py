"""The reconstruction of a classification network, with the predictions that it needs; its values are handed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.reconstruction.classification.conduct import OnProgress, reconstruct_rules
from re2nn_core.reconstruction.classification.mined_phrases import MOST_WORDS
from re2nn_core.reconstruction.classification.predicted_texts import PredictLabels
from re2nn_core.reconstruction.classification.report import AddedRule, Reconstruction, RuleChange, SplitAccuracy
from re2nn_core.reconstruction.classification.rule_comparison import compared_with
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.reconstruction.weights.edges import strongest_weights
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_reconstruction.classification.proposed_rules import with_proposed_rules
from re2nn_core.text.corpus import Corpus

__all__ = [
    "AddedRule",
    "KeptPredictions",
    "OnProgress",
    "Reconstruction",
    "RuleChange",
    "SplitAccuracy",
    "compared_with",
    "reconstruct",
    "strongest_weights",
]


@dataclass(frozen=True)
class KeptPredictions:
    """What a network predicts; each text is predicted once."""

    bundle: Bundle
    _known: dict[str, str | None] = field(default_factory=dict, repr=False)

    def __call__(self, texts: Sequence[str], /) -> list[str | None]:
        """The label of each text; None where the network gives none."""
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            self._known.update(zip(new, predict(self.bundle, new).predictions, strict=True))
        return [self._known[text] for text in texts]


def reconstruct(
    bundle: Bundle,
    corpus: Corpus,
    *,
    on_progress: OnProgress | None = None,
    simplify: bool = True,
    most_words: int = MOST_WORDS,
    predictions: PredictLabels | None = None,
    stop: Stop | None = None,
) -> Reconstruction:
    """The rules that a network has learned, as `reconstruct_rules` says (`predictions`: what it predicts, None to ask
    it), and further ones as proposed_rules.py does,
    unless they are not to be made short or the network is faithful: then it is to equal its rules."""

    def with_more(rules_text: str, logic_text: str, words: int) -> tuple[str, str]:
        return with_proposed_rules(corpus, rules_text, logic_text, bundle.tokenization, words)

    return reconstruct_rules(
        bundle,
        corpus,
        predictions or KeptPredictions(bundle),
        on_progress=on_progress,
        simplify=simplify,
        most_words=most_words,
        with_more=with_more if simplify and not bundle.faithful else None,
        stop=stop,
    )
