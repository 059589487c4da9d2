"""Marking slots by people: what a text begins with, why it comes, and what others say of it.

Which text comes next, undo and progress are those of classification.py: to them the spans of a text are one string.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from re2nn_core.errors import InputError
from re2nn_core.rules.printer import print_expression
from re2nn_core.services.annotation.classification import Added, Order, add_new_texts
from re2nn_core.services.prediction.precision import Precision
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, Spans
from re2nn_core.services.rule_systems.slot_filling.stored_spans import spans_of_record
from re2nn_core.services.rule_writing.slot_filling.disputed_tokens import Dispute
from re2nn_core.store import Store, TextRecord
from re2nn_core.text.corpus import Example
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import Span, spans_of
from re2nn_core.text.tokenization import Token

# A word that a trained network is less confident of is pointed out.
UNCERTAIN = 0.8
_POINTED_OUT = 3
_NAMED = 3  # so many slots are named where rules disagree


Source = Literal["network", "rules", "data", "person"]


@dataclass(frozen=True)
class SpanOpinion:
    """What somebody says of a text; `name` is that of a person."""

    source: Source
    spans: Spans
    name: str = ""


@dataclass(frozen=True)
class RuleSpans:
    """A rule that marks words of a text, the spans it would give alone, and for each of these how often such spans of
    the rule were right, None if not measured."""

    name: str
    expression: str
    spans: Spans
    precision: tuple[Precision | None, ...]


@dataclass(frozen=True)
class UncertainToken:
    """A word, by its number, with a low confidence, and why."""

    word: int
    reason: str


def offered_spans(record: TextRecord, predicted: SpanPredictions, place: int) -> Spans:
    """The spans to begin with: those the text has, so that no prediction overwrites them unasked, else the
    prediction."""
    now = spans_of_record(record)
    return predicted.spans[place] if now is None else now


def opinions(record: TextRecord, predicted: SpanPredictions, place: int) -> tuple[SpanOpinion, ...]:
    """The prediction first, then the rules' where a trained network predicts, then the spans that the text has."""
    found = [SpanOpinion("network" if predicted.trained else "rules", predicted.spans[place])]
    if predicted.trained:
        found.append(SpanOpinion("rules", predicted.by_rules[place]))
    now = spans_of_record(record)
    if now is not None:
        found.append(SpanOpinion("person", now, record.annotator) if record.annotator else SpanOpinion("data", now))
    return tuple(found)


def rules_behind(predicted: SpanPredictions, place: int) -> tuple[RuleSpans, ...]:
    """The rules that accept a text and mark something in it."""
    system, tokens = predicted.system, predicted.tokens[place]
    found = []
    for reading in system.readings([predicted.words[place]])[0]:
        spans = spans_of(system.decide(predicted.words[place], [reading]), tokens)
        if spans:
            rule = system.ruleset.rules[reading.rule]
            worth = tuple(predicted.measured.of(rule.name, span.slot) for span in spans)
            found.append(RuleSpans(rule.name, print_expression(rule.tree), spans, worth))
    return tuple(found)


def uncertain_tokens(predicted: SpanPredictions, place: int) -> tuple[UncertainToken, ...]:
    """The words to check: the few with a trained network's lowest confidence, else those that rules dispute."""
    if not predicted.trained:
        return tuple(
            UncertainToken(one.word, f"rules disagree: {_either(predicted, one)}") for one in predicted.disputes[place]
        )
    confidences = predicted.token_confidences[place]
    # Some networks are sure of nothing: a text that is dotted all over would point at no word.
    least = sorted(range(len(confidences)), key=confidences.__getitem__)[:_POINTED_OUT]
    return tuple(
        UncertainToken(word, f"confidence {confidences[word]:.2f}")
        for word in sorted(least)
        if confidences[word] < UNCERTAIN
    )


def why_annotated(predicted: SpanPredictions, place: int, record: TextRecord, order: Order) -> str:
    """Why this text comes now, in a sentence."""
    text, spans = record.text, predicted.spans[place]
    if order == "unlabelled":
        return "It is not annotated yet."
    if order == "random":
        return "Drawn at random."
    if order == "differ":
        return _difference(("The rules", predicted.by_rules[place]), ("The network", spans), text)
    now = spans_of_record(record)
    if order == "mismatch" and now is not None:
        prediction = "The network" if predicted.trained else "The rules"
        return _difference(("Its spans", now), (prediction, spans), text)
    return _uncertainty(predicted, place)


def why_spans_in_queue(predicted: SpanPredictions, record: TextRecord, person: str) -> str:
    """Why a text is shown in a team's queue, in a sentence."""
    if record.annotator not in (None, person):
        return f"{record.annotator} has annotated it; one more annotation is needed."
    if predicted.differing[record.position]:
        return why_annotated(predicted, record.position, record, "differ")
    return f"{_uncertainty(predicted, record.position).partition(';')[0].rstrip('.')}."


def _uncertainty(predicted: SpanPredictions, place: int) -> str:
    text, tokens = predicted.texts[place], predicted.tokens[place]
    if not tokens:
        return "It has no words."
    if predicted.trained:
        confidences = predicted.token_confidences[place]
        word = min(range(len(confidences)), key=confidences.__getitem__)
        return (
            f"The least certain token is {_quoted(text, tokens[word])}, confidence {confidences[word]:.2f}; "
            "texts with lower confidence come first."
        )
    disputes = predicted.disputes[place]
    if disputes:
        more = (
            "" if len(disputes) < 2 else " and 1 more word" if len(disputes) == 2 else f" and {len(disputes) - 1} more"
        )
        return (
            f"Rules disagree about {_quoted(text, tokens[disputes[0].word])} ({_either(predicted, disputes[0])}){more}."
        )
    spans = predicted.spans[place]
    if not spans:
        return "The rules predict no span in it."
    marked = sum(any(span.start <= token.start < span.end for span in spans) for token in tokens)
    return (
        f"The rules agree; their spans cover {marked} of {counted(len(tokens), 'word')}. Texts with fewer come first."
    )


def _either(predicted: SpanPredictions, dispute: Dispute) -> str:
    claims = sorted(dispute.open, key=lambda claim: predicted.system.tags.index(claim.tag))
    slots = list(dict.fromkeys(claim.slot or "nothing" for claim in claims))
    if len(slots) == 1:
        return f"where {slots[0]} begins"
    return " or ".join(slots if len(slots) <= _NAMED else [*slots[:_NAMED], f"{len(slots) - _NAMED} more"])


def _quoted(text: str, part: Token | Span) -> str:
    return f"“{text[part.start : part.end]}”"


def _difference(one: tuple[str, Spans], other: tuple[str, Spans], text: str) -> str:
    """The first span, by its place, that only one of the two gives."""
    alone = [(span, one[0], other[0]) for span in set(one[1]) - set(other[1])]
    alone += [(span, other[0], one[0]) for span in set(other[1]) - set(one[1])]
    if not alone:
        return f"{one[0]} and {other[0].lower()} agree."
    span, who, against = min(alone)
    more = "" if len(alone) == 1 else f" {len(alone) - 1} more differ{'s' if len(alone) == 2 else ''}."
    say, do = ("says" if who == _ONE else "say"), ("does" if against == _ONE else "do")
    return f"{who} {say} that {_quoted(text, span)} is {span.slot}; {against.lower()} {do} not.{more}"


_ONE = "The network"


def spans_of_tokens(spans: Spans, tokens: Sequence[Token]) -> tuple[Span, ...]:
    """Spans in numbers of words. Spans that do not begin and end where words do are left out."""
    first = {token.start: place for place, token in enumerate(tokens)}
    behind = {token.end: place + 1 for place, token in enumerate(tokens)}
    fit = (span for span in spans if span.start in first and span.end in behind)
    return tuple(Span(first[span.start], behind[span.end], span.slot) for span in fit)


def spans_in_characters(spans: Sequence[Span], tokens: Sequence[Token]) -> Spans:
    """Spans in characters; InputError for one past the last word."""
    for span in spans:
        if span.end > len(tokens):
            raise InputError(
                f"A span ends at word {span.end}, but the text has {counted(len(tokens), 'word')}. Reload the page."
            )
    return tuple(sorted(Span(tokens[span.start].start, tokens[span.end - 1].end, span.slot) for span in spans))


def send_to_annotation(
    store: Store, project_id: int, texts: Sequence[str], gold: Sequence[Spans | None] = (), *, person: str
) -> Added:
    """Add texts to the project, with the spans they came with; those that are there already are not doubled."""
    given = gold or [None] * len(texts)
    examples = [Example(text, spans=spans) for text, spans in zip(texts, given, strict=True)]
    return add_new_texts(store, project_id, examples, person=person)
