"""How far people mark the same spans: F1 of spans pair by pair, and Krippendorff's alpha over words and their tags.

A span counts as the same if its words and its slot are. Of alpha only words inside somebody's span are looked at one by
one: on all others everybody says O, and counting them is enough.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter

import numpy as np

from re2nn_core.errors import InputError
from re2nn_core.services.agreement import ALONE, Coefficient, nominal_alpha
from re2nn_core.text.spans import OUTSIDE, Span
from re2nn_core.text.tokenization import Token

Spans = Sequence[Span]
SpanRatings = Mapping[str, Mapping[int, Spans]]  # who -> text -> spans
Words = Mapping[int, Sequence[Token]]  # text -> its words
Answers = dict[int, dict[str, Spans]]  # text -> who -> spans, of texts that two or more people marked

_START, _END = attrgetter("start"), attrgetter("end")
NO_SPAN = "nobody marked a span"
ONE_TAG = "all words carry the same tag, so chance alone explains it"


@dataclass(frozen=True)
class SpanAgreement:
    """Over the `texts` that two or more people marked. `f1` of spans is a mean over pairs of people, `percent` the mean
    over texts of the share of pairs with the same spans; `alpha` is over words and their tags."""

    texts: int
    f1: Coefficient
    percent: Coefficient
    alpha: Coefficient


@dataclass(frozen=True)
class SpanPair:
    """Two raters on the texts that both marked; `f1` of their spans, `percent` of texts with the same spans."""

    one: str
    other: str
    texts: int
    percent: Coefficient
    f1: Coefficient


def span_agreement(ratings: SpanRatings, words: Words) -> SpanAgreement:
    """Of all slots together. InputError where a span is not at the borders of the words."""
    answers = _shared(ratings)
    return _measure(_marked(answers), _Quiet(answers, words), words)


def span_agreement_by_slot(ratings: SpanRatings, words: Words) -> dict[str, SpanAgreement]:
    """The same of each slot alone, as if there were no other."""
    answers = _shared(ratings)
    holding: dict[str, Answers] = {
        span.slot: {} for given in ratings.values() for spans in given.values() for span in spans
    }
    for text, given in _marked(answers).items():
        for slot in {span.slot for spans in given.values() for span in spans}:
            holding[slot][text] = {
                who: tuple(span for span in spans if span.slot == slot) for who, spans in given.items()
            }
    quiet = _Quiet(answers, words)
    return {slot: _measure(holding[slot], quiet, words) for slot in sorted(holding)}


def span_pairs(ratings: SpanRatings) -> tuple[SpanPair, ...]:
    """Every two raters, in the order of the ratings."""
    found = []
    for (one, first), (other, second) in combinations(ratings.items(), 2):
        both = [text for text in first if text in second] if len(first) < len(second) else [
            text for text in second if text in first
        ]  # fmt: skip
        same = spans = right = 0
        for text in both:
            mine, theirs = first[text], second[text]
            spans += len(mine) + len(theirs)
            if mine == theirs:
                same, right = same + 1, right + len(mine)
            else:
                right += len({*mine} & {*theirs})
        percent = Coefficient(same / len(both)) if both else Coefficient(None, ALONE)
        f1 = Coefficient(2 * right / spans) if spans else Coefficient(None, NO_SPAN if both else ALONE)
        found.append(SpanPair(one, other, len(both), percent, f1))
    return tuple(found)


class _Quiet:
    """All texts that two or more people marked: from these, less the texts that hold a span, follows what is known of
    the others: everybody says the same of them, and O of each word."""

    def __init__(self, answers: Answers, words: Words) -> None:
        self.texts = len(answers)
        self.answers = sum(len(given) * len(words[text]) for text, given in answers.items())


def _shared(ratings: SpanRatings) -> Answers:
    answers: Answers = {}
    for who, given in ratings.items():
        for text, spans in given.items():
            answers.setdefault(text, {})[who] = spans
    return {text: given for text, given in answers.items() if len(given) > 1}


def _marked(answers: Answers) -> Answers:
    """Those of which somebody marked a span."""
    return {text: given for text, given in answers.items() if any(given.values())}


def _measure(marked: Answers, everything: _Quiet, words: Words) -> SpanAgreement:
    if not everything.texts:
        nothing = Coefficient(None, ALONE)
        return SpanAgreement(0, nothing, nothing, nothing)
    differing = math.fsum(1 - _pairs_agreeing(list(given.values())) for given in marked.values())
    silent = everything.answers - sum(len(given) * len(words[text]) for text, given in marked.items())
    return SpanAgreement(
        everything.texts,
        _mean_f1(marked),
        Coefficient(1 - differing / everything.texts),
        _token_alpha(marked, silent, words),
    )


def _pairs_agreeing(given: Sequence[Spans]) -> float:
    if all(one == given[0] for one in given):
        return 1.0
    counts = Counter(map(tuple, given))
    return sum(count * (count - 1) for count in counts.values()) / (len(given) * (len(given) - 1))


def _mean_f1(marked: Answers) -> Coefficient:
    """Over pairs of people of whom one marked a span."""
    spans: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for given in marked.values():
        for (one, mine), (other, theirs) in combinations(given.items(), 2):
            pair = (one, other)
            spans[pair] += len(mine) + len(theirs)
            right[pair] += len(mine) if mine == theirs else len({*mine} & {*theirs})
    scores = [2 * right[pair] / count for pair, count in spans.items() if count]
    return Coefficient(math.fsum(scores) / len(scores)) if scores else Coefficient(None, NO_SPAN)


def _token_alpha(marked: Answers, silent: int, words: Words) -> Coefficient:
    """`silent` counts the answers about words of texts in which nobody marked anything."""
    totals: Counter[str] = Counter()
    outside, agreeing = silent, float(silent)
    for text, given in marked.items():
        tokens, people = words[text], len(given)
        first, *others = given.values()
        if all(spans == first for spans in others):
            inside = 0
            for span in first:
                length = len(_places(span, tokens, text))
                totals[f"B-{span.slot}"] += people
                totals[f"I-{span.slot}"] += people * (length - 1)
                inside += length
            outside += people * (len(tokens) - inside)
            agreeing += people * len(tokens)
            continue
        tags = [_tags(spans, tokens, text) for spans in given.values()]
        somewhere = set().union(*tags)
        for place in somewhere:
            said = Counter(one.get(place, OUTSIDE) for one in tags)
            totals.update(said)
            agreeing += sum(count * (count - 1) for count in said.values()) / (people - 1)
        outside += people * (len(tokens) - len(somewhere))
        agreeing += people * (len(tokens) - len(somewhere))
    totals[OUTSIDE] += outside
    counts = [count for count in totals.values() if count]
    if len(counts) < 2:
        return Coefficient(None, ONE_TAG)
    return nominal_alpha(agreeing, np.asarray(counts, dtype=np.float64))


def _tags(spans: Spans, tokens: Sequence[Token], text: int) -> dict[int, str]:
    """The tags of the words inside spans, by the words' numbers."""
    tags = {}
    for span in spans:
        places = _places(span, tokens, text)
        tags[places[0]] = f"B-{span.slot}"
        for place in places[1:]:
            tags[place] = f"I-{span.slot}"
    return tags


def _places(span: Span, tokens: Sequence[Token], text: int) -> range:
    """The numbers of the words of a span."""
    first = bisect_left(tokens, span.start, key=_START)
    last = bisect_left(tokens, span.end, lo=first, key=_END)
    if last >= len(tokens) or tokens[first].start != span.start or tokens[last].end != span.end:
        raise InputError(f"text {text}: {span} is not at the borders of its words; label the text again")
    return range(first, last + 1)
