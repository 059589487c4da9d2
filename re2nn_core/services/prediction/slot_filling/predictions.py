"""Rules and a tagger over many texts at once: spans, how sure they are, and where the two differ.

What a page shows is cut out of one `SpanPredictions`, so that filters and sorting run nothing again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.output_sets import RuleTags
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.network.slot_filling.predict import OnProgress
from re2nn_core.services.prediction.precision import Precision
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.prediction.slot_filling.rule_precision import Givers, MeasuredSlotRules
from re2nn_core.services.prediction.table_rows import repeated
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.rule_writing.slot_filling.disputed_tokens import Dispute, open_disputes
from re2nn_core.text.spans import Span, spans_of, write_spans
from re2nn_core.text.tokenization import Token, tokenize

Spans = tuple[Span, ...]
# Rules give no probabilities. A text comes the sooner the less they say about it: those with a word that rules dispute,
# then those without a mark, then the others by the share of their words that is marked.
_DISPUTED, _UNANNOTATED, _MARKED = 0.25, 0.25, 0.5
_AT_ONCE = 1000  # so many texts are predicted by the rules before the progress is reported again


@dataclass(frozen=True, eq=False)
class SpanPredictions:
    """Texts with the spans that a network and the rules give them, in characters.

    `spans` and `by_rules` are equal where nothing is trained. confidence [texts]: of a trained network the probability
    of the least certain word, of rules a number that only serves to put texts in order. `token_confidences`: of each
    word, empty where nothing is trained. `disputes`: the words that rules claim for different tags which no priority
    decides between. `slots` are the rules', then those that only the network knows. `givers`: of each span of the rules
    those that predict it alone, empty where a network is trained; `measured`: how often the rules were right on
    annotated texts, as far as somebody has measured it.
    """

    texts: tuple[str, ...]
    system: SlotSystem
    tokens: tuple[tuple[Token, ...], ...]
    spans: tuple[Spans, ...]
    by_rules: tuple[Spans, ...]
    confidence: NDArray[np.float32]
    token_confidences: tuple[tuple[float, ...], ...]
    disputes: tuple[tuple[Dispute, ...], ...]
    slots: tuple[str, ...]
    trained: bool
    givers: tuple[Givers, ...] = ()
    measured: MeasuredSlotRules = MeasuredSlotRules()

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def differing(self) -> NDArray[np.bool_]:
        """[texts]: network and rules give different spans."""
        pairs = zip(self.spans, self.by_rules, strict=True)
        return np.fromiter((given != by_rules for given, by_rules in pairs), np.bool_, len(self))

    @cached_property
    def copies(self) -> dict[str, int]:
        """The texts that are there more than once, with how often."""
        return repeated(self.texts)

    def prediction(self, place: int) -> str | None:
        """The prediction for a text as the store would keep it."""
        return write_spans(self.spans[place])

    def precision_of(self, place: int, span: Span) -> Precision | None:
        """How often such spans of the rules were right; None for a network's, and where nothing was measured."""
        if self.trained or not self.givers or span not in self.spans[place]:
            return None
        return self.measured.of_span(span.slot, self.givers[place][self.spans[place].index(span)])

    def least_precision(self, place: int) -> Precision | None:
        """The lowest precision of a text's spans; None where that of any of them is not known, and without spans."""
        found = [self.precision_of(place, span) for span in self.spans[place]]
        known = [one for one in found if one is not None]
        return min(known, key=lambda one: one.share) if known and len(known) == len(found) else None

    @cached_property
    def certainty(self) -> NDArray[np.float32]:
        """[texts]: the confidence of a trained network or else the lowest precision of the rules' spans, NaN where
        there is neither."""
        if self.trained:
            return self.confidence
        found = [self.least_precision(place) for place in range(len(self))]
        return np.asarray([np.nan if one is None else one.share for one in found], dtype=np.float32)

    @cached_property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """The words of each text, as rules and network read them."""
        return tuple(tuple(token.text for token in tokens) for tokens in self.tokens)


def predict_slot_texts(
    system: SlotSystem, bundle: TaggerBundle | None, texts: Sequence[str], *, on_progress: OnProgress | None = None
) -> SpanPredictions:
    """Run the rules and a trained tagger (None: the rules alone, which their untrained network equals) over texts.

    `on_progress(done, total)` counts texts. StateBudgetError names a rule that is too large to run.
    """
    trained = bundle is not None and bundle.trained
    tokens = tuple(tokenize(text, system.tokenization) for text in texts)
    by_rules: list[Spans] = []
    disputes: list[tuple[Dispute, ...]] = []
    order: list[float] = []
    givers: list[Givers] = []
    for begin in range(0, len(tokens), _AT_ONCE):
        part = tokens[begin : begin + _AT_ONCE]
        sentences = [tuple(token.text for token in one) for one in part]
        for one, words, readings in zip(part, sentences, system.readings(sentences), strict=True):
            tags = system.decide(words, readings)
            by_rules.append(spans_of(tags, one))
            givers.append(() if trained else _givers(system, words, readings, one, by_rules[-1]))
            disputes.append(open_disputes(system, readings, one))
            order.append(_order(tags, disputes[-1]))
        if on_progress is not None and not trained:
            on_progress(len(by_rules), len(tokens))
    if bundle is None or not trained:
        return SpanPredictions(
            texts=tuple(texts),
            system=system,
            tokens=tokens,
            spans=tuple(by_rules),
            by_rules=tuple(by_rules),
            confidence=np.asarray(order, dtype=np.float32),
            token_confidences=((),) * len(tokens),
            disputes=tuple(disputes),
            slots=system.slots,
            trained=False,
            givers=tuple(givers),
        )
    found = predict_tags(bundle, texts, on_progress=on_progress)
    known = (*system.slots, *(tag[2:] for tag in bundle.network.tags if tag.startswith("B-")))
    return SpanPredictions(
        texts=tuple(texts),
        system=system,
        tokens=tokens,
        spans=tuple(prediction.spans for prediction in found),
        by_rules=tuple(by_rules),
        confidence=np.asarray([prediction.confidence for prediction in found], dtype=np.float32),
        token_confidences=tuple(prediction.token_confidences for prediction in found),
        disputes=tuple(disputes),
        slots=tuple(dict.fromkeys(known)),
        trained=True,
    )


def _givers(
    system: SlotSystem, words: Sequence[str], readings: Sequence[RuleTags], tokens: Sequence[Token], spans: Spans
) -> Givers:
    """Of each span the rules that predict it alone; a rule that is alone in a text predicts all of them."""
    if not spans:
        return ()
    alone = [
        (system.rule_names[one.rule], spans if len(readings) == 1 else spans_of(system.decide(words, [one]), tokens))
        for one in readings
    ]
    return tuple(tuple(rule for rule, own in alone if span in own) for span in spans)


def _order(tags: Sequence[str], disputes: Sequence[Dispute]) -> float:
    """Where a text comes that only rules have predicted: from 0, looked at first, to 1."""
    words = max(1, len(tags))
    if disputes:
        return _DISPUTED * (1 - len(disputes) / words)
    marked = sum(tag != "O" for tag in tags)
    return _UNANNOTATED if not marked else _MARKED + (1 - _MARKED) * marked / words
