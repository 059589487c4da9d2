"""How far people mark the same spans: F1 of spans pair by pair, and Krippendorff's alpha over words and their tags.

A span counts as the same if its words and its slot are. Words outside all spans need no look: there everybody says O,
and counting them is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.team.agreement import ALONE, Coefficient, nominal_alpha
from re2nn_core.services.team.span_annotations import Marks, SpanRatings

NO_SPAN = "nobody annotated a span"
ONE_TAG = "all words carry the same tag, so chance alone explains it"
Numbers = NDArray[np.float64]


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


def span_agreement(marks: Marks) -> SpanAgreement:
    """Of all slots together."""
    return _measured(marks, np.zeros(len(marks.slots), dtype=np.int64), 1)[0]


def span_agreement_by_slot(marks: Marks) -> dict[str, SpanAgreement]:
    """The same of each slot alone, as if there were no other."""
    found = _measured(marks, np.arange(len(marks.slots)), len(marks.slots))
    return dict(zip(marks.slots, found, strict=True))


def _measured(marks: Marks, group: NDArray[np.int64], groups: int) -> list[SpanAgreement]:
    """The agreement of groups of slots, each alone; group [slots]: to which one each slot belongs."""
    if not marks.texts:
        nothing = Coefficient(None, ALONE)
        return [SpanAgreement(0, nothing, nothing, nothing)] * groups
    f1, differing = _pair_by_pair(marks, group, groups)
    alphas = _token_alphas(marks, group, groups)
    return [
        SpanAgreement(marks.texts, f1[number], Coefficient(1 - differing[number] / marks.texts), alphas[number])
        for number in range(groups)
    ]


def _pair_by_pair(marks: Marks, group: NDArray[np.int64], groups: int) -> tuple[list[Coefficient], Numbers]:
    """Each [groups]: F1, the mean over pairs of people of whom one marked a span; and over all texts the share of pairs
    that differ."""
    share = 2 / (marks.people * (marks.people - 1))  # [texts]: of one pair
    scores: list[Numbers] = []
    differing = np.zeros(groups)
    for rows, alone in marks.pairs():
        spans, wrong = (np.bincount(group[marks.slot[which]], minlength=groups) for which in (rows, alone))
        with np.errstate(invalid="ignore"):
            scores.append(1 - wrong / spans)
        at = np.unique(marks.text[alone] * groups + group[marks.slot[alone]])
        differing += np.bincount(at % groups, weights=share[at // groups], minlength=groups)
    table = np.reshape(scores, (len(scores), groups))  # [pairs, groups], not a number where neither marked a span
    return [_mean(table[:, number]) for number in range(groups)], differing


def _mean(scores: Numbers) -> Coefficient:
    there = scores[~np.isnan(scores)]
    return Coefficient(float(there.mean())) if len(there) else Coefficient(None, NO_SPAN)


def _token_alphas(marks: Marks, group: NDArray[np.int64], groups: int) -> list[Coefficient]:
    """[groups]: alpha over all words, where the tags of other groups count as O."""
    word, tag, times = _tags(marks)
    slots = len(marks.slots)
    people = marks.people[marks.text_of_word[word]]  # how many marked the text
    of_group = group[tag % slots] if slots else tag
    # A word of which somebody says a tag of the group; the rest of its people say O.
    units, unit = np.unique(word * groups + of_group, return_inverse=True)
    inside = np.bincount(unit, weights=times, minlength=len(units))
    of_unit = marks.people[marks.text_of_word[units // groups]]
    outside = of_unit - inside
    alike = np.bincount(of_group, weights=times * (times - 1) / (people - 1), minlength=groups)
    alike += np.bincount(units % groups, weights=outside * (outside - 1) / (of_unit - 1), minlength=groups)
    looked_at = np.bincount(units % groups, weights=of_unit, minlength=groups)
    annotations = float((marks.people * marks.words).sum())
    totals = np.bincount(tag, weights=times, minlength=2 * slots)
    found = []
    for number in range(groups):
        own = totals[np.flatnonzero(np.tile(group, 2) == number)]
        counts = np.append(own, annotations - own.sum())
        counts = counts[counts > 0]
        agreeing = annotations - looked_at[number] + alike[number]
        found.append(nominal_alpha(float(agreeing), counts) if len(counts) > 1 else Coefficient(None, ONE_TAG))
    return found


def _tags(marks: Marks) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Words, tags, and how many people give the word that tag. A slot's B- is its number, its I- as many slots on."""
    slots = len(marks.slots)
    word = np.repeat(marks.first, marks.length)
    begins = np.repeat(np.cumsum(marks.length) - marks.length, marks.length)
    within = np.arange(len(word)) - begins
    tag = np.repeat(marks.slot, marks.length) + slots * (within > 0)
    key, counts = np.unique((word + within) * (2 * slots) + tag, return_counts=True)
    width = max(1, 2 * slots)
    return key // width, key % width, counts


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
