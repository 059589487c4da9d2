"""How well people agree: shares and coefficients corrected for chance, of all together, label by label, pair by pair.

percent   mean over texts of the share of pairs of people that say the same
Cohen     two people; chance from each one's own habit (Cohen 1960)
Fleiss    any number, the same for every text; chance from all labels given (Fleiss 1971)
alpha     any number, gaps allowed (Krippendorff 2011, nominal)
AC1       any number, gaps allowed; steady where one label is rare (Gwet 2008; with gaps Gwet 2014, section 2.4)

All follow from counts, so a hundred thousand texts take a moment; tests compare them with scikit-learn, statsmodels and
NLTK. Whoever answers may be a rule set or a network as well as a person. What cannot be computed is reported with its
reason.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.team.ratings import Integers, PairCounts, Ratings, RatingTable, pair_counts, table_of

ALONE = "no text has annotations of two annotators"
ONE_LABEL = "all annotations are the same label, so chance alone explains them"
GAPS = "it needs the same number of annotations for every text; alpha and AC1 do not"


@dataclass(frozen=True)
class Coefficient:
    """A coefficient (1: full agreement, 0: as by chance), or None and why it is not defined."""

    value: float | None
    why: str = ""


@dataclass(frozen=True)
class Agreement:
    """Over the `texts` that two or more people answered, with `annotations` in all."""

    texts: int
    annotations: int
    percent: Coefficient
    cohen: Coefficient
    fleiss: Coefficient
    alpha: Coefficient
    ac1: Coefficient


@dataclass(frozen=True)
class RaterPair:
    """Two people on the texts that both answered."""

    one: str
    other: str
    texts: int
    percent: Coefficient
    cohen: Coefficient


@dataclass(frozen=True, eq=False)
class _Counts:
    """Texts that two or more answered. text, label, given [entries]: so many gave the text the label; people [texts]:
    how many answered each."""

    text: Integers
    label: Integers
    given: Integers
    people: Integers

    @property
    def agreeing(self) -> NDArray[np.float64]:
        """[texts]: ordered pairs of people that say the same."""
        pairs = self.given * (self.given - 1.0)
        return np.asarray(np.bincount(self.text, pairs, minlength=len(self.people)), dtype=np.float64)

    @property
    def totals(self) -> NDArray[np.float64]:
        """[labels]: how often each was given."""
        return np.asarray(np.bincount(self.label, self.given), dtype=np.float64)


def agreement(ratings: Ratings | RatingTable) -> Agreement:
    """All coefficients of all people together."""
    table = _shared(_table(ratings))
    return _agreement(_counts(table), _cohen_of(table, _matching(table)))


def agreement_by_label(ratings: Ratings | RatingTable) -> dict[str, Agreement]:
    """The coefficients of each label against all others, by name."""
    everything = _table(ratings)
    table = _shared(everything)
    matching, counts = _matching(table), _counts(table)
    found = {}
    for code in np.unique(everything.codes[everything.codes >= 0]):
        own = _against_the_rest(counts, int(code))
        found[everything.labels[code]] = _agreement(own, _cohen_of(_one_label(table, int(code)), matching))
    return found


def pairs_of(ratings: Ratings | RatingTable) -> tuple[RaterPair, ...]:
    """Every two people, in the order of the ratings."""
    table = _table(ratings)
    return tuple(
        RaterPair(table.raters[one], table.raters[other], counts.texts, percent_of(counts), cohen_of(counts))
        for (one, other), counts in pair_counts(table).items()
    )


def percent_of(counts: PairCounts) -> Coefficient:
    """The share of the texts of which two people say the same."""
    return Coefficient(counts.same / counts.texts) if counts.texts else Coefficient(None, ALONE)


def cohen_of(counts: PairCounts) -> Coefficient:
    """Cohen's kappa of two people."""
    if not counts.texts:
        return Coefficient(None, ALONE)
    if np.count_nonzero(counts.one + counts.other) == 1:
        return Coefficient(None, ONE_LABEL)
    chance = float(counts.one @ counts.other) / counts.texts**2
    return Coefficient((counts.same / counts.texts - chance) / (1 - chance))


def nominal_alpha(agreeing: float, totals: NDArray[np.float64]) -> Coefficient:
    """Krippendorff's alpha. `agreeing`: the diagonal of the coincidence matrix; totals [labels]: its margins."""
    annotations = float(totals.sum())
    expected = 1 - float((totals * (totals - 1)).sum()) / (annotations * (annotations - 1))
    return Coefficient(1 - (1 - agreeing / annotations) / expected)


def _table(ratings: Ratings | RatingTable) -> RatingTable:
    return ratings if isinstance(ratings, RatingTable) else table_of(ratings)


def _shared(table: RatingTable) -> RatingTable:
    """The texts that two or more answered."""
    several = (table.codes >= 0).sum(axis=1) > 1
    return RatingTable(table.raters, table.labels, table.texts[several], table.codes[several])


def _matching(table: RatingTable) -> Integers:
    """Numbers of the raters that say anything."""
    return np.flatnonzero((table.codes >= 0).any(axis=0))


def _counts(table: RatingTable) -> _Counts:
    text, rater = np.nonzero(table.codes >= 0)
    wide = max(1, len(table.labels))
    keys, given = np.unique(text * wide + table.codes[text, rater], return_counts=True)
    people = np.bincount(text, minlength=len(table.texts))
    return _Counts(keys // wide, keys % wide, given, people)


def _against_the_rest(counts: _Counts, code: int) -> _Counts:
    """The same with two labels: 1 is the one, 0 any other."""
    own = np.zeros(len(counts.people), dtype=np.int64)
    mine = counts.label == code
    own[counts.text[mine]] = counts.given[mine]
    texts = np.arange(len(own))
    label = np.repeat([1, 0], len(own))
    given = np.concatenate([own, counts.people - own])
    kept = given > 0
    return _Counts(np.concatenate([texts, texts])[kept], label[kept], given[kept], counts.people)


def _one_label(table: RatingTable, code: int) -> RatingTable:
    codes = np.where(table.codes < 0, -1, table.codes == code).astype(np.int32)
    return RatingTable(table.raters, ("", table.labels[code]), table.texts, codes)


def _agreement(counts: _Counts, cohen: Coefficient) -> Agreement:
    texts, annotations = len(counts.people), int(counts.people.sum())
    if not texts:
        nothing = Coefficient(None, ALONE)
        return Agreement(0, 0, nothing, nothing, nothing, nothing, nothing)
    observed = float((counts.agreeing / (counts.people * (counts.people - 1))).mean())
    if np.count_nonzero(counts.totals) == 1:
        same = Coefficient(None, ONE_LABEL)
        return Agreement(texts, annotations, Coefficient(observed), same, same, same, same)
    alpha = nominal_alpha(float((counts.agreeing / (counts.people - 1)).sum()), counts.totals)
    return Agreement(
        texts, annotations, Coefficient(observed), cohen, _fleiss(counts, observed), alpha, _ac1(counts, observed)
    )


def _cohen_of(table: RatingTable, matching: Integers) -> Coefficient:
    if len(matching) != 2:
        return Coefficient(None, f"it compares two people, here are {len(matching)}; see them pair by pair")
    two = RatingTable(("", " "), table.labels, table.texts, table.codes[:, matching])
    return cohen_of(pair_counts(two)[0, 1])


def _fleiss(counts: _Counts, observed: float) -> Coefficient:
    if counts.people.min() != counts.people.max():
        return Coefficient(None, GAPS)
    shares = counts.totals / counts.people.sum()
    chance = float((shares**2).sum())
    return Coefficient((observed - chance) / (1 - chance))


def _ac1(counts: _Counts, observed: float) -> Coefficient:
    # [labels], the mean over texts of the share of answers that give each label
    shares = np.bincount(counts.label, counts.given / counts.people[counts.text]) / len(counts.people)
    chance = float((shares * (1 - shares)).sum()) / int(np.count_nonzero(shares) - 1)
    return Coefficient((observed - chance) / (1 - chance))
