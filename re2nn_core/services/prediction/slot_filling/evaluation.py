"""How often rules and network give words the right tags, how often they agree, and in which way spans are wrong.

Precision, recall and F1 are those of seqeval: a span is right if its words and its slot are. They are measured on the
texts that somebody has marked; how often rules and network agree, on all texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, Tags
from re2nn_core.services.rule_writing.slot_filling.span_errors import SpanError, errors_in
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import spans_of
from re2nn_core.text.tagged_texts import TaggedText, tagged_texts
from re2nn_core.training.span_scores import SpanScores, span_scores, span_scores_by_slot


@dataclass(frozen=True)
class SlotScores:
    """The scores of one slot; `support`: spans of it that there are. None for who never gave it and never had to."""

    support: int
    rules: SpanScores | None
    network: SpanScores | None


@dataclass(frozen=True, repr=False)
class SlotEvaluation:
    """`agree`: texts on which rules and network give every word the same tag, `agree_tokens`: words that get the same
    tag; `differing`: the places of the other texts. Scores are None where nobody has marked a text; slots stand in the
    order of their support. Spans of errors count characters."""

    sentences: int
    labelled: int
    tokens: int
    agree: int
    agree_tokens: int
    rules: SpanScores | None
    network: SpanScores | None
    slots: Mapping[str, SlotScores]
    rules_errors: tuple[SpanError, ...]
    network_errors: tuple[SpanError, ...]
    differing: tuple[int, ...]

    def __repr__(self) -> str:
        shares = [f"{100 * scores.f1:.1f}" if scores is not None else "none" for scores in (self.rules, self.network)]
        return (
            f"<SlotEvaluation: {counted(self.sentences, 'text')}, {self.labelled:,} annotated, "
            f"F1 of rules {shares[0]}, of network {shares[1]}>"
        )


def evaluate_slots(system: SlotSystem, corpus: Corpus, bundle: TaggerBundle | None = None) -> SlotEvaluation:
    """Rules against network (the exact untrained one unless given) on a corpus. InputError for spans that do not meet
    the borders of words."""
    texts = tagged_texts(corpus.examples, system.tokenization)
    by_rules = system.tags_of_words([text.words for text in texts])
    network = bundle if bundle is not None else untrained_tagger(system, corpus.texts)
    by_network = [prediction.tags for prediction in predict_tags(network, corpus.texts, with_confidences=False)]
    pairs = list(zip(by_rules, by_network, strict=True))
    marked = [place for place, text in enumerate(texts) if text.tags is not None]
    gold = [texts[place].tags or () for place in marked]
    given = [[predictions[place] for place in marked] for predictions in (by_rules, by_network)]
    rules, taught = (span_scores(gold, tags) if marked else None for tags in given)
    return SlotEvaluation(
        sentences=len(texts),
        labelled=len(marked),
        tokens=sum(len(text.tokens) for text in texts),
        agree=sum(left == right for left, right in pairs),
        agree_tokens=sum(a == b for left, right in pairs for a, b in zip(left, right, strict=True)),
        rules=rules,
        network=taught,
        slots=_figures(*(span_scores_by_slot(gold, tags) for tags in given)),
        rules_errors=_errors_of(texts, by_rules),
        network_errors=_errors_of(texts, by_network),
        differing=tuple(place for place, (left, right) in enumerate(pairs) if left != right),
    )


def _figures(rules: Mapping[str, SpanScores], network: Mapping[str, SpanScores]) -> dict[str, SlotScores]:
    found = {
        slot: SlotScores((rules.get(slot) or network[slot]).support, rules.get(slot), network.get(slot))
        for slot in {**rules, **network}
    }
    return dict(sorted(found.items(), key=lambda item: (-item[1].support, item[0])))


def _errors_of(texts: Sequence[TaggedText], predictions: Sequence[Tags]) -> tuple[SpanError, ...]:
    """The errors in marked texts, in characters."""
    errors: list[SpanError] = []
    for place, (text, tags) in enumerate(zip(texts, predictions, strict=True)):
        if text.tags is not None and text.tags != tags:
            errors += errors_in(place, spans_of(text.tags, text.tokens), spans_of(tags, text.tokens))
    return tuple(errors)
