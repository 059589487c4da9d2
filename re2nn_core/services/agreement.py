"""How well people agree: shares, coefficients corrected for chance, pair by pair, label by label, and for spans.

percent   mean share of pairs of people that give a text the same label
Cohen     two people; chance from each one's own habit (Cohen 1960); scikit-learn
Fleiss    any number, the same for every text; chance from all labels given (Fleiss 1971); statsmodels
alpha     any number, gaps allowed (Krippendorff 2011, nominal); NLTK
AC1       any number, gaps allowed; steady where one label is rare (Gwet 2008; with gaps Gwet 2014, section 2.4)

Whoever answers may be a rule set or a network as well as a person. What cannot be computed is told with its reason.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from re2nn_core.training.span_scores import span_scores

Ratings = Mapping[str, Mapping[int, str]]  # who -> text -> label
TagRatings = Mapping[str, Mapping[int, Sequence[str]]]  # who -> text -> a tag for each of its words

A = TypeVar("A")

ALONE = "no text has answers of two people"
ONE_LABEL = "all answers are the same label, so chance alone explains them"


@dataclass(frozen=True)
class Coefficient:
    """A coefficient (1: full agreement, 0: as by chance), or None and why it is not defined."""

    value: float | None
    why: str = ""


@dataclass(frozen=True)
class Agreement:
    """Over the `texts` that two or more people answered, with `answers` in all."""

    texts: int
    answers: int
    percent: Coefficient
    cohen: Coefficient
    fleiss: Coefficient
    alpha: Coefficient
    ac1: Coefficient


@dataclass(frozen=True)
class Pair:
    """Two people on the texts that both answered."""

    one: str
    other: str
    texts: int
    percent: Coefficient
    cohen: Coefficient


@dataclass(frozen=True)
class SpanAgreement:
    """Over the `texts` that two or more people marked. `f1` of spans is a mean over pairs of people, `percent` the
    share of texts and pairs with the same tags throughout; `alpha` is over words and their tags."""

    texts: int
    f1: Coefficient
    percent: Coefficient
    alpha: Coefficient


def agreement(ratings: Ratings) -> Agreement:
    """All coefficients of all people together."""
    answers = shared_answers(ratings)
    if not answers:
        nothing = Coefficient(None, ALONE)
        return Agreement(0, 0, nothing, nothing, nothing, nothing, nothing)
    percent = Coefficient(float(np.mean([_pairs_agreeing(list(given.values())) for given in answers.values()])))
    count = sum(map(len, answers.values()))
    labels = {label for given in answers.values() for label in given.values()}
    if len(labels) == 1:
        same = Coefficient(None, ONE_LABEL)
        return Agreement(len(answers), count, percent, same, same, same, same)
    return Agreement(
        len(answers),
        count,
        percent,
        _cohen_of(answers),
        _fleiss(answers, labels),
        _alpha(answers),
        _ac1(answers, labels),
    )


def agreement_by_label(ratings: Ratings) -> dict[str, Agreement]:
    """The coefficients of each label against all others, by name."""
    labels = sorted({label for given in ratings.values() for label in given.values()})
    return {
        label: agreement(
            {who: {text: str(said == label) for text, said in given.items()} for who, given in ratings.items()}
        )
        for label in labels
    }


def pairs_of(ratings: Ratings) -> tuple[Pair, ...]:
    """Every two people, in the order of the ratings."""
    found = []
    for one, other in combinations(ratings, 2):
        both = shared_answers({one: ratings[one], other: ratings[other]})
        together = agreement({one: ratings[one], other: ratings[other]})
        found.append(Pair(one, other, len(both), together.percent, together.cohen))
    return tuple(found)


def span_agreement(ratings: TagRatings) -> SpanAgreement:
    """How far people mark the same spans. All tags of a text must be over the same words; ValueError otherwise."""
    answers = shared_answers(ratings)
    for text, given in answers.items():
        if len({len(tags) for tags in given.values()}) > 1:
            raise ValueError(f"the tags of text {text} must be over the same words (got {_lengths(given)})")
    if not answers:
        nothing = Coefficient(None, ALONE)
        return SpanAgreement(0, nothing, nothing, nothing)
    same = [_pairs_agreeing([tuple(tags) for tags in given.values()]) for given in answers.values()]
    return SpanAgreement(len(answers), _span_f1(ratings), Coefficient(float(np.mean(same))), _token_alpha(answers))


def shared_answers(ratings: Mapping[str, Mapping[int, A]]) -> dict[int, dict[str, A]]:
    """For each text that two or more people answered what each of them said."""
    answers: defaultdict[int, dict[str, A]] = defaultdict(dict)
    for who, given in ratings.items():
        for text, said in given.items():
            answers[text][who] = said
    return {text: given for text, given in answers.items() if len(given) > 1}


def _pairs_agreeing(given: Sequence[object]) -> float:
    counts = Counter(given)
    return sum(count * (count - 1) for count in counts.values()) / (len(given) * (len(given) - 1))


def _cohen_of(answers: Mapping[int, Mapping[str, str]]) -> Coefficient:
    people = list(dict.fromkeys(who for given in answers.values() for who in given))
    if len(people) != 2:
        return Coefficient(None, f"it compares two people, here are {len(people)}; see them pair by pair")
    one, other = ([given[who] for given in answers.values()] for who in people)
    return Coefficient(float(cohen_kappa_score(one, other)))


def _fleiss(answers: Mapping[int, Mapping[str, str]], labels: set[str]) -> Coefficient:
    if len({len(given) for given in answers.values()}) > 1:
        return Coefficient(None, "it needs the same number of answers for every text; alpha and AC1 do not")
    order = sorted(labels)
    table = [[Counter(given.values())[label] for label in order] for given in answers.values()]  # [texts, labels]
    return Coefficient(float(fleiss_kappa(np.asarray(table))))


def _alpha(answers: Mapping[int, Mapping[str, str]]) -> Coefficient:
    # Imported here: it takes a second that nobody else should wait for.
    from nltk.metrics.agreement import AnnotationTask

    data = [(who, str(text), said) for text, given in answers.items() for who, said in given.items()]
    return Coefficient(float(AnnotationTask(data).alpha()))


def _ac1(answers: Mapping[int, Mapping[str, str]], labels: set[str]) -> Coefficient:
    observed = np.mean([_pairs_agreeing(list(given.values())) for given in answers.values()])
    shares = np.zeros(len(labels))  # [labels], the mean over texts of the share of answers that give each label
    order = {label: number for number, label in enumerate(sorted(labels))}
    for given in answers.values():
        for said in given.values():
            shares[order[said]] += 1 / (len(given) * len(answers))
    chance = float((shares * (1 - shares)).sum()) / (len(labels) - 1)
    return Coefficient(float((observed - chance) / (1 - chance)))


def _span_f1(ratings: TagRatings) -> Coefficient:
    found = []
    for one, other in combinations(ratings.values(), 2):
        both = [text for text in one if text in other]
        scores = span_scores([one[text] for text in both], [other[text] for text in both])
        if scores.support or scores.found:
            found.append(scores.f1)
    return Coefficient(math.fsum(found) / len(found)) if found else Coefficient(None, "nobody marked a span")


def _token_alpha(answers: Mapping[int, Mapping[str, Sequence[str]]]) -> Coefficient:
    words: dict[int, dict[str, str]] = {}
    for given in answers.values():
        length = len(next(iter(given.values())))
        for place in range(length):
            words[len(words)] = {who: tags[place] for who, tags in given.items()}
    if len({said for word in words.values() for said in word.values()}) < 2:
        return Coefficient(None, "all words carry the same tag, so chance alone explains it")
    return _alpha(words)


def _lengths(given: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(f"{who}: {len(tags)}" for who, tags in given.items())
