"""How often rules and network give words the right tags, how often they agree, and in which way spans are wrong.

Precision, recall and F1 are those of seqeval: a span is right if its words and its slot are. They are measured on the
texts that somebody has marked; how often rules and network agree, on all texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from re2nn_core.network.tagger_bundle import TaggerBundle
from re2nn_core.services.slot_encoding import TaggedText, answer_texts, tagged_texts
from re2nn_core.services.slot_systems import SlotSystem, Tags
from re2nn_core.services.slot_training import untrained_tagger
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.spans import Span, spans_of
from re2nn_core.training.span_scores import SpanScores, span_scores, span_scores_by_slot

ErrorKind = Literal["boundary", "type", "both", "missed", "invented"]
ERROR_KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)
Spans = Sequence[Span]
Pair = tuple[Span, Span]  # a span that there is, and one that was given


@dataclass(frozen=True)
class SpanError:
    """A span that there is and was not given so (`gold`), one that was given and is none (`answer`), or both where
    they are about the same words. `place` is the number of the text, from 0.

    boundary    the right slot over some of the words, or over more of them
    type        the right words, another slot
    both        another slot over some of the words, or over more of them
    missed      no span was given for any of its words, or those given count for other spans
    invented    there is no span at any of its words, or those there are count for other answers
    """

    place: int
    kind: ErrorKind
    gold: Span | None
    answer: Span | None


@dataclass(frozen=True)
class SlotFigures:
    """The scores of one slot; `support`: spans of it that there are. None for who never gave it and never had to."""

    support: int
    rules: SpanScores | None
    network: SpanScores | None


@dataclass(frozen=True)
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
    slots: Mapping[str, SlotFigures]
    rules_errors: tuple[SpanError, ...]
    network_errors: tuple[SpanError, ...]
    differing: tuple[int, ...]


def evaluate_slots(system: SlotSystem, corpus: Corpus, bundle: TaggerBundle | None = None) -> SlotEvaluation:
    """Rules against network (the exact untrained one unless given) on a corpus. InputError for spans that do not meet
    the borders of words."""
    texts = tagged_texts(corpus.examples, system.tokenization)
    by_rules = system.tags_of_words([text.words for text in texts])
    network = bundle if bundle is not None else untrained_tagger(system, corpus.texts)
    by_network = [answer.tags for answer in answer_texts(network, corpus.texts, sure=False)]
    pairs = list(zip(by_rules, by_network, strict=True))
    marked = [place for place, text in enumerate(texts) if text.tags is not None]
    gold = [texts[place].tags or () for place in marked]
    given = [[answers[place] for place in marked] for answers in (by_rules, by_network)]
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


def _figures(rules: Mapping[str, SpanScores], network: Mapping[str, SpanScores]) -> dict[str, SlotFigures]:
    found = {
        slot: SlotFigures((rules.get(slot) or network[slot]).support, rules.get(slot), network.get(slot))
        for slot in {**rules, **network}
    }
    return dict(sorted(found.items(), key=lambda item: (-item[1].support, item[0])))


def _errors_of(texts: Sequence[TaggedText], answers: Sequence[Tags]) -> tuple[SpanError, ...]:
    """The errors in marked texts, in characters."""
    errors: list[SpanError] = []
    for place, (text, tags) in enumerate(zip(texts, answers, strict=True)):
        if text.tags is not None and text.tags != tags:
            errors += _errors_in(place, spans_of(text.tags, text.tokens), spans_of(tags, text.tokens))
    return tuple(errors)


def span_errors(gold: Sequence[Spans], answers: Sequence[Spans]) -> tuple[SpanError, ...]:
    """What is wrong with the spans that were given, text by text, in the order of places.

    Each span is in one error at most, so that for gold spans right + boundary + type + both + missed is all there are,
    and for answers right + boundary + type + both + invented.
    """
    texts = enumerate(zip(gold, answers, strict=True))
    return tuple(error for place, (there, given) in texts for error in _errors_in(place, there, given))


def _errors_in(place: int, gold: Spans, answers: Spans) -> list[SpanError]:
    """Pairs of like spans first: the same words, then the same slot, then any that overlap, the longest common part
    first."""
    right = set(gold) & set(answers)
    missed, invented = ([span for span in spans if span not in right] for spans in (gold, answers))
    errors: list[SpanError] = []
    for kind, alike in _ALIKE.items():
        for pair in sorted(_pairs(missed, invented, alike), key=_shared, reverse=True):
            if pair[0] in missed and pair[1] in invented:
                missed.remove(pair[0])
                invented.remove(pair[1])
                errors.append(SpanError(place, kind, *pair))
    errors += [SpanError(place, "missed", span, None) for span in missed]
    errors += [SpanError(place, "invented", None, span) for span in invented]
    return sorted(errors, key=lambda error: (error.gold or error.answer, ERROR_KINDS.index(error.kind)))


_ALIKE: dict[ErrorKind, Callable[[Pair], bool]] = {
    "type": lambda pair: (pair[0].start, pair[0].end) == (pair[1].start, pair[1].end),
    "boundary": lambda pair: pair[0].slot == pair[1].slot,
    "both": lambda pair: True,
}


def _pairs(gold: Spans, answers: Spans, alike: Callable[[Pair], bool]) -> list[Pair]:
    """The pairs that have a word in common and are alike."""
    return [(one, other) for one in gold for other in answers if _shared((one, other)) > 0 and alike((one, other))]


def _shared(pair: Pair) -> int:
    """The length of the part that two spans have in common."""
    return min(pair[0].end, pair[1].end) - max(pair[0].start, pair[1].start)
