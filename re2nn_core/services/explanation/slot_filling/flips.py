"""The smallest change of a text after which its words get other slots: by rules, or by a trained tagger."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.network.slot_filling.predict import run_taggers
from re2nn_core.rules.tagging import slot_of
from re2nn_core.services.explanation.classification.network_changes import (
    CONTEXT_BUDGET,
    NETWORK_BUDGET,
    ChangeTest,
    distinguishable_words,
    smallest_network_change,
)
from re2nn_core.services.explanation.flip import Flip
from re2nn_core.services.explanation.slot_filling.explanation import tagged_spans_in_words
from re2nn_core.services.explanation.slot_filling.rule_explainer import SlotRuleExplainer, Words
from re2nn_core.services.prediction.slot_filling.encoding import TagEncoder
from re2nn_core.text.spans import token_spans

# The tags of each sentence, and how confident the least confident of them is.
Tagging = Callable[[Sequence[Words]], list[tuple[tuple[str, ...], float]]]


def slot_flip(
    rules: SlotRuleExplainer,
    trained: tuple[TaggerBundle, TagEncoder] | None,
    sentence: Words,
    wanted: str | None,
    budget: int | None,
) -> Flip:
    """The smallest change found after which some word is given the slot `wanted`; for None, after which the slots of
    the spans, in their order, are others. `trained`: the tagger that predicts, None for the rules."""
    tagging = _by_rules(rules) if trained is None else _by_tagger(*trained)
    before = tagging([sentence])[0][0]
    before_in_words = tagged_spans_in_words(sentence, before)
    if wanted is not None and any(slot_of(tag) == wanted for tag in before):
        return Flip(
            before_in_words,
            before_in_words,
            None,
            True,
            0,
            0,
            trained is not None,
            f"The text has the slot {wanted} already.",
        )
    seeds = rules.changes_for(sentence, wanted)
    words = rules.named_words() if trained is None else _words_of(trained[0], [e.new for s in seeds for e in s.edits])
    usual = CONTEXT_BUDGET if trained is not None and trained[0].network.takes_context else NETWORK_BUDGET
    allowed = budget or usual
    found = smallest_network_change(
        sentence,
        words,
        _test(tagging, wanted, _slots(before)),
        seeds=seeds[:allowed],
        bringing=wanted is not None,
        budget=allowed,
    )
    after = None
    if found.change is not None:
        after = tagged_spans_in_words(found.change.words, tagging([found.change.words])[0][0])
    # Rules give no slot that none of them accepts the sentence for.
    least = min(map(len, seeds), default=0) if wanted is not None and trained is None else 0
    smallest = found.change is not None and len(found.change) - 1 <= max(found.complete, least - 1)
    return Flip(
        before_in_words, after, found.change, smallest, found.complete, found.looked_at, trained is not None, found.note
    )


def _by_rules(rules: SlotRuleExplainer) -> Tagging:
    return lambda sentences: [(tags, 1.0) for tags in rules.tags(sentences)]


def _by_tagger(bundle: TaggerBundle, encoder: TagEncoder) -> Tagging:
    def tagging(sentences: Sequence[Words]) -> list[tuple[tuple[str, ...], float]]:
        codes = [bundle.vocabulary.encode(sentence) for sentence in sentences]
        found = run_taggers(bundle.networks, codes, context=encoder.context(list(sentences)))
        return [(one.tags, float(one.token_confidences.min(initial=1.0))) for one in found]

    return tagging


def _words_of(bundle: TaggerBundle, put_in: Sequence[str | None]) -> list[str]:
    """The words that a tagger can tell apart, those first that the rules' own changes put in."""
    readers = [network.reader for network in bundle.networks]
    return distinguishable_words(bundle.vocabulary, readers, [word for word in put_in if word is not None])


def _test(tagging: Tagging, wanted: str | None, before: tuple[str, ...]) -> ChangeTest:
    def test(sentences: Sequence[Words]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        found = tagging(sentences)
        if wanted is None:
            fine = [_slots(tags) != before for tags, _ in found]
        else:
            fine = [any(slot_of(tag) == wanted for tag in tags) for tags, _ in found]
        return np.asarray(fine, dtype=np.bool_), np.asarray([-confidence for _, confidence in found], dtype=np.float64)

    return test


def _slots(tags: Sequence[str]) -> tuple[str, ...]:
    """The slots of the spans that tags tell, in their order."""
    return tuple(span.slot for span in token_spans(tags))
