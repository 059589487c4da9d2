"""The reconstruction of a classification network, with the predictions that it needs; its values are handed on."""

from __future__ import annotations

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.reconstruction.classification.conduct import OnProgress, reconstruct_rules
from re2nn_core.reconstruction.classification.mined_phrases import MOST_WORDS
from re2nn_core.reconstruction.classification.report import AddedRule, Reconstruction, RuleChange, SplitAccuracy
from re2nn_core.reconstruction.classification.rule_comparison import compared_with
from re2nn_core.reconstruction.weights.edges import strongest_weights
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_reconstruction.classification.proposed_rules import with_proposed_rules
from re2nn_core.text.corpus import Corpus

__all__ = [
    "AddedRule",
    "OnProgress",
    "Reconstruction",
    "RuleChange",
    "SplitAccuracy",
    "compared_with",
    "reconstruct",
    "strongest_weights",
]


def reconstruct(
    bundle: Bundle,
    corpus: Corpus,
    *,
    on_progress: OnProgress | None = None,
    simplify: bool = True,
    most_words: int = MOST_WORDS,
) -> Reconstruction:
    """The rules that a network has learned, as `reconstruct_rules` says, and further ones as proposed_rules.py does,
    unless they are not to be made short or the network is faithful: then it is to equal its rules."""

    def with_more(rules_text: str, logic_text: str, words: int) -> tuple[str, str]:
        return with_proposed_rules(corpus, rules_text, logic_text, bundle.tokenization, words)

    return reconstruct_rules(
        bundle,
        corpus,
        lambda texts: predict(bundle, texts).predictions,
        on_progress=on_progress,
        simplify=simplify,
        most_words=most_words,
        with_more=with_more if simplify and not bundle.faithful else None,
    )
