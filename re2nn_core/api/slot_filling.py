"""A model for slots: rules that capture words, with the tagger that predicts in their place where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from re2nn_core.api.classification import predictor_in_words
from re2nn_core.api.model_folders import free_folder
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.given_texts import checked_text, checked_texts
from re2nn_core.text.spans import Span, spans_of, token_spans
from re2nn_core.text.tokenization import Token, Tokenization, tokenize

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from re2nn_core.network.slot_filling.bundle import TaggerBundle
    from re2nn_core.services.explanation.slot_filling.explanation import SlotExplanation


@dataclass(frozen=True)
class FoundSpan:
    """The characters `[start, end)` of a text, `text`, fill `slot`. `confidence` is that of the least certain word,
    None where the rules predict; `rules` are those that predict the same."""

    start: int
    end: int
    slot: str
    text: str
    confidence: float | None
    rules: tuple[str, ...]


@dataclass(frozen=True)
class SlotPrediction:
    """A text with its tokens, their tags and the confidence of each (empty where the rules predict), the spans that
    they make, and those that the rules alone predict."""

    text: str
    tokens: tuple[Token, ...]
    tags: tuple[str, ...]
    token_confidence: tuple[float, ...]
    spans: tuple[FoundSpan, ...]
    by_rules: tuple[Span, ...]

    @property
    def confidence(self) -> float | None:
        """That of the least certain token; None where the rules predict, or where there is no token."""
        return min(self.token_confidence, default=None)


@dataclass(frozen=True, repr=False)
class SlotModel:
    """Rules for slots. `bundle` is the tagger that predicts; None: the rules predict, by their automata."""

    system: SlotSystem
    bundle: TaggerBundle | None = None

    def __repr__(self) -> str:
        rules, slots = counted(len(self.system.ruleset.rules), "rule"), counted(len(self.slots), "slot")
        return f"<SlotModel: {rules}, {slots}, {predictor_in_words(self.bundle)}>"

    @property
    def task(self) -> Task:
        return Task.SLOT_FILLING

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that can be predicted."""
        return tuple(tag[2:] for tag in self.tags if tag.startswith("B-"))

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that a token can have, in the order of the columns of `predict_proba`: O first."""
        return (self.system.tags if self.bundle is None else self.bundle.network.tags)[1:]

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

    def predict(self, texts: Sequence[str]) -> list[tuple[Span, ...]]:
        """The spans of each text, in characters. InputError."""
        texts = checked_texts(texts)
        if self.bundle is None:
            return self.system.spans(texts)
        from re2nn_core.services.prediction.slot_filling.encoding import predict_tags

        return [found.spans for found in predict_tags(self.bundle, texts, with_confidences=False)]

    def predict_proba(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """For each text [tokens, tags]: probabilities. Of rules: those of the untrained network, which is equal to
        them. InputError; StateBudgetError for rules that are too large for a network."""
        from re2nn_core.services.prediction.slot_filling.encoding import tag_probabilities
        from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger

        texts = checked_texts(texts)
        return tag_probabilities(untrained_tagger(self.system, texts) if self.bundle is None else self.bundle, texts)

    def predictions(self, texts: Sequence[str]) -> list[SlotPrediction]:
        """What `predict` returns, with tokens, confidence and rules. InputError."""
        texts = checked_texts(texts)
        tokens = [tokenize(text, self.tokenization) for text in texts]
        sentences = [tuple(token.text for token in one) for one in tokens]
        readings = self.system.readings(sentences)
        by_rules = [self.system.decide(words, read) for words, read in zip(sentences, readings, strict=True)]
        tags = by_rules
        confidence: list[tuple[float, ...]] = [()] * len(texts)
        if self.bundle is not None:
            from re2nn_core.services.prediction.slot_filling.encoding import predict_tags

            found = predict_tags(self.bundle, texts)
            tags, confidence = [one.tags for one in found], [one.token_confidences for one in found]
        names = self.system.rule_names
        return [
            SlotPrediction(
                text,
                own,
                given,
                least,
                _found_spans(text, own, given, least, [(names[reading.rule], reading.sets) for reading in read]),
                spans_of(ruled, own),
            )
            for text, own, given, least, read, ruled in zip(
                texts, tokens, tags, confidence, readings, by_rules, strict=True
            )
        ]

    def explain(self, text: str) -> SlotExplanation:
        """Why each word of the text gets its tag."""
        from re2nn_core.services.explanation.slot_filling.explainers import SlotExplainer

        return SlotExplainer(self.system, self.bundle).explain(checked_text(text))

    def save(self, folder: Path | str) -> None:
        """Write a model folder that `load` reads; of rules: their untrained network. InputError for a folder that holds
        something else."""
        from re2nn_core.network.slot_filling.bundle import save_tagger
        from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger

        with free_folder(folder) as path:
            save_tagger(path, untrained_tagger(self.system, ()) if self.bundle is None else self.bundle)

    def save_pretrained(self, folder: Path | str) -> None:
        """`save`, by the name that Hugging Face's libraries use."""
        self.save(folder)


def _found_spans(
    text: str,
    tokens: Sequence[Token],
    tags: Sequence[str],
    confidence: Sequence[float],
    readings: Sequence[tuple[str, Sequence[frozenset[str]]]],
) -> tuple[FoundSpan, ...]:
    """The spans of a text; a rule predicts the same where it may give each word of a span the tag that it has there."""
    found = []
    for span in token_spans(tags):
        places = range(span.start, span.end)
        start, end = tokens[span.start].start, tokens[span.end - 1].end
        least = min(confidence[place] for place in places) if confidence else None
        rules = tuple(name for name, sets in readings if all(tags[place] in sets[place] for place in places))
        found.append(FoundSpan(start, end, span.slot, text[start:end], least, rules))
    return tuple(found)
