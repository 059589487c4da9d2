"""New rules from what a network predicts: which phrases it gives a slot, and between which words.

    $* ( leaving | from ) [ @cities@ ]<fromloc> ( EOS | on | at ) $*

A rule is grown from the phrases of one slot: condition after condition is added, each the set of words that may stand
at one place around the phrase, as long as more is won by it (sequential covering, as in RIPPER: Cohen, 1995). What is
won: places where the network says the slot and the rules do not, less twice those where the network says another thing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from re2nn_core.reconstruction.slot_filling.lexicon import Lexicon, Matches, is_predicted
from re2nn_core.reconstruction.slot_filling.vote_table import Ballot
from re2nn_core.reconstruction.slot_filling.walks import Bools, Numbers
from re2nn_core.text.vocabulary import UNKNOWN_KINDS

Place = Literal["before", "left2", "left1", "phrase", "right1", "right2", "after"]
BESIDE: dict[Place, int] = {"left2": -2, "left1": -1, "right1": 0, "right2": 1}  # from the start, or from the end
MOST_CONDITIONS = 3
WRONG = 2.0  # what a place costs where the network says another thing
COSTS: dict[Place, float] = {"phrase": 0.25}  # what a named word or phrase has to be worth
WORD_COST = 0.5
FEWEST = 2.0  # what a word has to win to be named
MOST_FAR = 8  # words named somewhere before or after

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Grown:
    """A rule to try: numbers of words at places around a phrase (of phrases: of those at `phrase`). The number of the
    first word behind the vocabulary stands for BOS and EOS. `value`: what is won less what the words cost."""

    lexicon: Lexicon
    matches: Matches
    value: float
    conditions: dict[Place, frozenset[int]] = field(default_factory=dict)


class Miner:
    """Grows rules for the slots of texts, from what is not yet right."""

    def __init__(self, ballot: Ballot, taught: Numbers) -> None:
        """`taught` [words]: the network's tags, by number."""
        self.ballot, self.taught = ballot, taught
        texts = ballot.texts
        sentences, count = texts.sentences, len(texts.vocabulary)
        self.border = count  # stands for BOS and EOS
        # Two places behind each sentence, so that a look past its end finds the border and then nothing.
        self.offset = sentences.offsets[:-1]
        self.length = sentences.lengths
        self.codes = texts.codes
        word = texts.sentence * count + texts.codes  # of which sentence, and which one
        self.is_first, self.is_last = _once(word), _once(word[::-1])[::-1]

    def grow(self, lexicon: Lexicon, matches: Matches) -> Grown:
        """The rule of greatest value for a lexicon, as the votes are now."""
        values = self._values(lexicon.slot, matches)
        grown = Grown(lexicon, matches, float(values.sum()))
        cost = 0.0
        for _ in range(MOST_CONDITIONS):
            options = [self._condition(grown, values, place, cost) for place in self._places(grown)]
            best = max((option for option in options if option is not None), key=lambda o: o[0].value, default=None)
            if best is None or best[0].value <= grown.value:
                break
            grown, kept, cost = best
            values = values[kept]
        return grown

    def _places(self, grown: Grown) -> list[Place]:
        every: tuple[Place, ...] = ("phrase", "left1", "right1", "left2", "right2", "before", "after")
        return [place for place in every if place not in grown.conditions]

    def _values(self, slot: str, matches: Matches) -> Floats:
        """[matches]: what is won where a rule gives the phrase the slot."""
        ballot, first = self.ballot, self.ballot.texts.first
        number = ballot.counter.slot_numbers[slot]
        wanted = is_predicted(matches, ballot.counter, number, self.taught, first)
        given = is_predicted(matches, ballot.counter, number, ballot.predictions, first)
        filled = np.concatenate([[0], np.cumsum(ballot.counter.slot[ballot.predictions] > 0)])
        other = filled[matches.end] > filled[matches.start]  # another prediction stands there, which goes away with it
        found: Floats = np.where(given, 0.0, np.where(wanted, 1.0 + other, -WRONG))
        return found

    def _condition(self, grown: Grown, values: Floats, place: Place, cost: float) -> tuple[Grown, Bools, float] | None:
        """The rule with the best set of words at one more place; which matches it keeps; what all its words cost."""
        each = COSTS.get(place, WORD_COST)
        far = place in ("before", "after")
        chosen, kept = self._far(grown, values, place) if far else self._near(grown, values, place)
        if not len(chosen):
            return None
        total = cost + each * len(chosen)
        conditions = {**grown.conditions, place: frozenset(chosen.tolist())}
        value = float(values[kept].sum()) - total
        return Grown(grown.lexicon, grown.matches.of(kept), value, conditions), kept, total

    def _near(self, grown: Grown, values: Floats, place: Place) -> tuple[Numbers, Bools]:
        found = grown.matches.phrase if place == "phrase" else self._beside(grown.matches, place)
        size = max(self.border + 1, len(grown.matches.phrases))
        inside = found >= 0
        sums = np.bincount(found[inside], weights=values[inside], minlength=size)
        if place != "phrase":
            sums[: len(UNKNOWN_KINDS)] = 0
        wins = sums >= FEWEST
        kept = inside.copy()
        kept[inside] = wins[found[inside]]
        return np.nonzero(wins)[0], kept

    def _beside(self, matches: Matches, place: Place) -> Numbers:
        """[matches]: the word at a place beside the phrase; `border` for BOS and EOS, -1 for nothing."""
        reference = matches.start if place.startswith("left") else matches.end
        local = reference + BESIDE[place] - self.offset[matches.sentence]
        length = self.length[matches.sentence]
        inside = (local >= 0) & (local < length)
        at = np.where(inside, reference + BESIDE[place], 0)
        border = (local == -1) | (local == length)
        return np.where(inside, self.codes[at], np.where(border, self.border, -1))

    def _far(self, grown: Grown, values: Floats, place: Place) -> tuple[Numbers, Bools]:
        """The words before (or after) the phrase that win most, one after the other, each with what it adds."""
        matches = grown.matches
        offset = self.offset[matches.sentence]
        if place == "before":
            begin, end, once = offset, matches.start, self.is_first
        else:
            begin, end, once = matches.end, offset + self.length[matches.sentence], self.is_last
        counts = end - begin
        at = np.arange(int(counts.sum())) + np.repeat(begin - np.cumsum(counts) + counts, counts)
        named = once[at] & (self.codes[at] >= len(UNKNOWN_KINDS))  # each word once for a match
        row, word = np.repeat(np.arange(len(matches)), counts)[named], self.codes[at[named]]
        kept = np.zeros(len(matches), dtype=np.bool_)
        chosen: list[int] = []
        for _ in range(MOST_FAR):
            sums = np.bincount(word, weights=np.where(kept, 0, values)[row], minlength=self.border)
            best = int(sums.argmax())
            if sums[best] < FEWEST:
                break
            chosen.append(best)
            kept[row[word == best]] = True
        return np.asarray(chosen, dtype=np.int64), kept


def _once(words: Numbers) -> Bools:
    """[words]: True where each stands first."""
    found = np.zeros(len(words), dtype=np.bool_)
    found[np.unique(words, return_index=True)[1]] = True
    return found
