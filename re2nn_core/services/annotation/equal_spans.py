"""The words of a span in other texts: which texts could get the same span, and with which spans each would be saved.

Nothing is saved here: saving a text also says that it has no other span, so each text is looked at first.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from re2nn_core.services.annotation.slot_filling import offered_spans, spans_in_characters, spans_of_tokens
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.store import TextRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import Span, write_spans

SHOWN_AT_ONCE = 20  # texts; those that follow are shown when these have been looked at


@dataclass(frozen=True)
class SpanProposal:
    """A text that nobody has annotated, with the spans it would be saved with.

    `spans`: all of them, in numbers of words; `new`: those that are added. `label`: all spans as the store keeps them.
    `position`: of the text among all texts.
    """

    text_id: int
    position: int
    spans: tuple[Span, ...]
    new: tuple[Span, ...]
    label: str


@dataclass(frozen=True)
class EqualSpans:
    """Texts in which the words of a span have no span. `taken`: texts in which they have another one, which stays."""

    proposals: tuple[SpanProposal, ...]
    taken: int = 0

    @property
    def shown(self) -> tuple[SpanProposal, ...]:
        """Those that are looked at together."""
        return self.proposals[:SHOWN_AT_ONCE]


def equal_spans(
    records: Sequence[TextRecord],
    predicted: SpanPredictions,
    text_id: int,
    words: Sequence[str],
    slot: str,
    *,
    declined: Collection[int] = (),
) -> EqualSpans:
    """Where the words are in other texts that nobody has annotated, texts that were `declined` left out. `predicted`
    holds the predictions for these records."""
    phrase, proposals, taken = tuple(words), [], 0
    for place, record in enumerate(records):
        if record.annotator is not None or record.id == text_id or record.id in declined:
            continue
        starts = occurrences(predicted.words[place], phrase)
        if not starts:
            continue
        tokens, now = predicted.tokens[place], offered_spans(record, predicted, place)
        found = spans_in_characters([Span(start, start + len(phrase), slot) for start in starts], tokens)
        new = [span for span in found if all(span.end <= other.start or other.end <= span.start for other in now)]
        taken += any(span not in new and span not in now for span in found)
        if new:
            every = tuple(sorted([*now, *new]))
            spans, added = spans_of_tokens(every, tokens), spans_of_tokens(tuple(new), tokens)
            proposals.append(SpanProposal(record.id, record.position, spans, added, write_spans(every)))
    return EqualSpans(tuple(proposals), taken)


def proposal_sentence(found: EqualSpans, phrase: str, slot: str) -> str:
    """What is asked, or said where there is nothing to ask. `phrase`: the words in quotes."""
    count = len(found.proposals)
    stay = "stays" if found.taken == 1 else "stay"
    taken = f" {counted(found.taken, 'text')} with another span there {stay} as before." if found.taken else ""
    if not count:
        return f"No other text without an annotation contains {phrase} without a span.{taken}"
    part = f" The first {SHOWN_AT_ONCE} are shown; the others follow." if count > SHOWN_AT_ONCE else ""
    return (
        f"{phrase} has no span in {counted(count, 'other text')} without an annotation.{part} Select the texts in "
        f"which it is {slot}: each is saved as annotated by you, with the spans shown.{taken}"
    )


def occurrences(words: Sequence[str], phrase: Sequence[str]) -> tuple[int, ...]:
    """Where a phrase occurs among words, places that overlap an earlier one left out."""
    phrase, found, place = tuple(phrase), [], 0
    while phrase and place + len(phrase) <= len(words):
        if tuple(words[place : place + len(phrase)]) == phrase:
            found.append(place)
            place += len(phrase)
        else:
            place += 1
    return tuple(found)
