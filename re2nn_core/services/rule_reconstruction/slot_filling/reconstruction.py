"""The reconstruction of a tagger, with the predictions that it needs; its values are handed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.progress import OnProgress
from re2nn_core.reconstruction.slot_filling.conduct import reconstruct_slot_rules
from re2nn_core.reconstruction.slot_filling.report import (
    ExtendedRules,
    LearnedRule,
    SlotReconstruction,
    SlotRuleChange,
    SplitScores,
)
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.services.prediction.slot_filling.encoding import TextPrediction, predict_tags
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.rules import with_extended_classes
from re2nn_core.services.rule_reconstruction.slot_filling.proposed_rules import with_proposed_slot_rules
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, Tags, read_slot_system
from re2nn_core.text.corpus import Corpus

__all__ = [
    "LearnedRule",
    "OnProgress",
    "SlotReconstruction",
    "SlotRuleChange",
    "SplitScores",
    "TaggerPredictions",
    "reconstruct_slots",
]


def reconstruct_slots(
    bundle: TaggerBundle,
    corpus: Corpus,
    *,
    on_progress: OnProgress | None = None,
    learn_new_rules: bool = True,
    extended: ExtendedRules | None = None,
    predictions: TaggerPredictions | None = None,
    stop: Stop | None = None,
) -> SlotReconstruction:
    """The rules that a tagger has learned, as `reconstruct_slot_rules` says, with extended word classes
    (extended_classes), and further ones as proposed_rules.py does. `extended`: the written rules with such classes,
    where they are known; the tagger may have been made from them. `predictions`: what its rules are to predict (None:
    what the tagger does); once `stop` is asked to, what was found by then is kept."""
    predictions, stop = predictions or TaggerPredictions(bundle), stop or Stop()

    def with_more(rules_text: str, logic_text: str, report: OnProgress) -> tuple[str, tuple[LearnedRule, ...]]:
        nothing = predictions.add_nothing(corpus.texts)
        spans = None if nothing else [prediction.spans for prediction in predictions.of(corpus.texts)]
        system = predictions.rules(rules_text, logic_text)
        return with_proposed_slot_rules(corpus, system, spans, on_progress=report, stop=stop)

    def with_classes(rules_text: str, logic_text: str, report: OnProgress) -> ExtendedRules:
        if extended is not None and rules_text == extended.written_text:
            return extended
        return with_extended_classes(corpus, predictions.rules(rules_text, logic_text), on_progress=report, stop=stop)

    made_from_them = extended is not None and extended.rules_text == bundle.parts.rules_text
    return reconstruct_slot_rules(
        bundle,
        corpus,
        predictions,
        on_progress=on_progress,
        classes=extended if made_from_them else with_classes if learn_new_rules else None,
        with_more=with_more if learn_new_rules else None,
        learn_new_rules=learn_new_rules,
        stop=stop,
    )


@dataclass(frozen=True)
class TaggerPredictions:
    """What a tagger and rules like its own predict; what the tagger has predicted is kept."""

    bundle: TaggerBundle
    _known: dict[tuple[str, ...], list[TextPrediction]] = field(default_factory=dict, repr=False)

    def of(self, texts: Sequence[str], /) -> list[TextPrediction]:
        """The tagger's prediction for each text."""
        key = tuple(texts)
        if key not in self._known:
            self._known[key] = predict_tags(self.bundle, texts, with_confidences=False)
        return self._known[key]

    def tags(self, texts: Sequence[str], /) -> list[Tags]:
        return [prediction.tags for prediction in self.of(texts)]

    def add_nothing(self, texts: Sequence[str]) -> bool:
        """Whether training kept the rules, and nothing that came to them changes a prediction: then predictions prove
        nothing. A linear layer or an auxiliary encoder may have come to them."""
        if not self.bundle.kept_rules:
            return False
        parts = self.bundle.parts
        own = self.rules(parts.rules_text, parts.logic_text).spans(texts)
        return all(one.spans == tuple(spans) for one, spans in zip(self.of(texts), own, strict=True))

    def rules(self, rules_text: str, logic_text: str, /) -> SlotSystem:
        parts = self.bundle.parts
        return read_slot_system(rules_text, logic_text, parts.tokenization, known_slots=parts.known_slots)[0]
