"""The votes of all rules on the words of many texts, kept so that a change of one rule is quickly tried.

What counts is errors: spans that there are and are not given, and spans that are given and are none. Texts without
marks stand here too, so that new rules can be looked for in them, but nothing is counted there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.symbols import Symbol
from re2nn_core.automata.transducer import PositionTransducer
from re2nn_core.reconstruction.slot_filling.votes import (
    Claims,
    Members,
    SpanCounter,
    claims,
    decided_tags,
    encoded,
    read_by,
)
from re2nn_core.reconstruction.slot_filling.walks import Bools, Numbers, Sentences, Tables, sets_with
from re2nn_core.rules.logic.priorities import SlotLogic, ordered_tags
from re2nn_core.rules.tagging import WILDCARD
from re2nn_core.text.vocabulary import Vocabulary

ROUNDING = 1e-12
ANYWHERE = -1  # in the place of a rule's number: a rule that is new
PARTS = 5  # of the sentences: what a word gains in one part is no reason to choose it there
LATELY = 2  # selections of sentences that are kept: those with errors, and those without


@dataclass(frozen=True)
class MarkedText:
    """The words of a text and their tags. `labelled`: whether somebody has said them; `dev`: whether it is of that
    split. `taught`: the network's tags."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    labelled: bool
    dev: bool
    taught: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class VoteMaterial:
    """Texts in the order of `sentences`, longest first. gold [words]: tag numbers; labelled, dev [sentences]."""

    texts: tuple[MarkedText, ...]
    sentences: Sentences
    vocabulary: Vocabulary
    tags: tuple[str, ...]
    gold: Numbers
    labelled: Bools
    dev: Bools

    @cached_property
    def members(self) -> Members:
        """Which words of the vocabulary symbols read."""
        return Members(self.vocabulary)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return {tag: number for number, tag in enumerate(self.tags)}

    @cached_property
    def codes(self) -> Numbers:
        """[words]: the number of each word."""
        return self.sentences.codes[self.sentences.inside]

    @cached_property
    def sentence(self) -> Numbers:
        """[words]: the sentence of each word."""
        return np.repeat(np.arange(len(self.texts)), self.sentences.lengths)

    @cached_property
    def first(self) -> Bools:
        """[words]: True for the first word of a sentence."""
        found = np.zeros(len(self.gold), dtype=np.bool_)
        found[self.sentences.offsets[:-1]] = True
        return found


def material(texts: Sequence[MarkedText], vocabulary: Vocabulary, tags: Sequence[str]) -> VoteMaterial:
    """Texts with words, encoded. `tags`: the wildcard, O, then all others that rules or texts have."""
    ordered = tuple(sorted((text for text in texts if text.words), key=lambda text: -len(text.words)))
    numbers = {tag: number for number, tag in enumerate(tags)}
    return VoteMaterial(
        ordered,
        encoded([text.words for text in ordered], vocabulary),
        vocabulary,
        tuple(tags),
        np.asarray([numbers[tag] for text in ordered for tag in text.tags], dtype=np.int64),
        np.asarray([text.labelled for text in ordered], dtype=np.bool_),
        np.asarray([text.dev for text in ordered], dtype=np.bool_),
    )


@dataclass(frozen=True, eq=False)
class Count:
    """Spans of each sentence: given ones, and those of them that are right. [sentences]"""

    found: Numbers
    right: Numbers


@dataclass(frozen=True, eq=False)
class Trial:
    """What a change does: the sentences whose predictions change, and what is counted there. rows, found, right [rows];
    gains [rows]: how many errors fewer, 0 in texts without marks."""

    rows: Numbers
    found: Numbers
    right: Numbers
    gains: Numbers

    @property
    def gain(self) -> int:
        return int(self.gains.sum())

    def joined(self, other: Trial | None) -> Trial:
        """This and what the same change does to other sentences."""
        if other is None:
            return self
        columns = ("rows", "found", "right", "gains")
        parts = [np.concatenate([getattr(self, name), getattr(other, name)]) for name in columns]
        order = np.argsort(parts[0])
        return Trial(*(part[order] for part in parts))


class Ballot:
    """The rules as they are now; `trial` tries, `take` changes. Silences are those of the logic, by tag numbers."""

    def __init__(self, texts: VoteMaterial, machines: Sequence[PositionTransducer], logic: SlotLogic) -> None:
        self.texts, self.machines = texts, list(machines)
        self._asked: list[tuple[Numbers, tuple[Numbers, Sentences]]] = []
        self._around: tuple[Tables, tuple[Numbers, Numbers]] | None = None  # of the machine that was asked for last
        self.counter = SpanCounter(texts.tags)
        there, _ = self.counter.count(texts.gold, texts.gold, texts.first)
        self.there = self._by_sentence(there)
        self.claims = [claims(machine, texts.members, texts.sentences, texts.numbers) for machine in machines]
        self.votes = np.zeros((len(texts.gold), len(texts.tags)), dtype=np.int16)  # [words, tags]
        for claim in self.claims:
            self._vote(claim, 1)
        self.set_logic(logic)

    def _vote(self, claim: Claims, count: int) -> None:
        for tag, words in claim.items():
            self.votes[:, tag] += count * words.astype(np.int16)

    def set_logic(self, logic: SlotLogic) -> None:
        """Decide by other priorities from here on."""
        self.logic, self.silencing = logic, self._silencing(logic)
        self._decide()

    def _silencing(self, logic: SlotLogic) -> NDArray[np.float32]:
        """[tags, tags]: 1 where the first silences the second."""
        count = len(self.texts.tags)
        found = np.zeros((count, count), dtype=np.float32)
        for strong, weak in logic.silences(self.texts.tags):
            found[strong, weak] = 1
        return found

    def _decide(self) -> None:
        named = [[tag for tag in machine.outputs if tag not in (None, WILDCARD)] for machine in self.machines]
        order = ordered_tags([[tag for tag in tags if tag is not None] for tags in named], self.texts.tags)
        self.order = np.asarray([self.texts.numbers[tag] for tag in order[1:]], dtype=np.int64)
        self.predictions = decided_tags(self.votes, self.silencing, self.order)
        self.count = self.counted(self.predictions)

    def counted(self, predictions: Numbers) -> Count:
        """What predictions [words] are worth."""
        found, right = self.counter.count(self.texts.gold, predictions, self.texts.first)
        return Count(self._by_sentence(found), self._by_sentence(right))

    def _by_sentence(self, words: Bools) -> Numbers:
        return np.bincount(self.texts.sentence[words], minlength=len(self.texts.texts))

    @property
    def wrong(self) -> Bools:
        """[sentences]: those of marked texts in which something is wrong."""
        return self.texts.labelled & (self.there + self.count.found > 2 * self.count.right)

    def errors(self, count: Count | None = None) -> int:
        """Missed and invented spans of marked texts."""
        now = self.count if count is None else count
        return int((self.there + now.found - 2 * now.right)[self.texts.labelled].sum())

    def f1(self, among: Bools, trial: Trial | None = None) -> float:
        """Of the marked texts among some [sentences]; 1 where there is no span to give."""
        found, right = self.count.found, self.count.right
        if trial is not None:
            found, right = found.copy(), right.copy()
            found[trial.rows], right[trial.rows] = trial.found, trial.right
        counted = among & self.texts.labelled
        spans = int(found[counted].sum() + self.there[counted].sum())
        return 2 * int(right[counted].sum()) / spans if spans else 1.0

    def is_fine(self, trial: Trial) -> bool:
        """Whether dev texts do not lose, and all marked texts together gain."""
        dev, every = self.texts.dev, self.texts.labelled
        return self.f1(dev, trial) >= self.f1(dev) - ROUNDING and self.f1(every, trial) > self.f1(every)

    def trial(self, rule: int, machine: PositionTransducer, rows: Numbers) -> Trial | None:
        """What becomes of some sentences when a rule is replaced (ANYWHERE: added); None where nothing does."""
        if not len(rows):
            return None
        texts = self.texts
        words, sentences = self._some(rows)
        new = claims(machine, texts.members, sentences, texts.numbers)
        old = {} if rule == ANYWHERE else {tag: claim[words] for tag, claim in self.claims[rule].items()}
        return self._trial(words, new, old)

    def reading(
        self, machine: PositionTransducer, sources: Collection[int], places: Collection[int], symbols: frozenset[Symbol]
    ) -> Bools:
        """[sentences]: those in which such a word may stand behind the sources on the way to an end through one of the
        places: no other sentence is read otherwise where the places come, go, or give another tag with these words."""
        texts = self.texts
        found = np.ones(len(texts.texts), dtype=np.bool_)
        tables = texts.members.tables(machine.automaton)
        if self._around is None or self._around[0] is not tables:
            try:
                self._around = tables, tables.around(texts.sentences)
            except OverflowError:
                return found
        before, behind = self._around[1]
        words = np.flatnonzero(texts.members.read(symbols)[texts.codes])
        for sets, ends, among in ((tables.forwards.sets, before, sources), (tables.backwards.sets, behind, places)):
            there = np.zeros(len(found), dtype=np.bool_)
            there[texts.sentence[words[sets_with(sets, among)[ends[words]]]]] = True
            found &= there
        return found

    def _some(self, rows: Numbers) -> tuple[Numbers, Sentences]:
        """The places of the words of some sentences, and these sentences; those that were asked for lately are kept."""
        sentences = self.texts.sentences
        if len(rows) == len(self.texts.texts):
            return np.arange(len(self.texts.gold)), sentences
        for asked, found in self._asked:
            if np.array_equal(asked, rows):
                return found
        self._asked = [(rows, (sentences.words_of(rows), sentences.of(rows))), *self._asked][:LATELY]
        return self._asked[0][1]

    def _trial(self, words: Numbers, new: Claims, old: Claims) -> Trial | None:
        none = np.zeros(len(words), dtype=np.bool_)
        moved = {tag: (new.get(tag, none), old.get(tag, none)) for tag in {**new, **old}}
        changed = none.copy()
        for after, before in moved.values():
            changed |= after != before
        places = np.nonzero(changed)[0]
        votes = self.votes[words[places]]
        for tag, (after, before) in moved.items():
            votes[:, tag] += after[places].astype(np.int16) - before[places].astype(np.int16)
        predictions = decided_tags(votes, self.silencing, self.order)
        other = predictions != self.predictions[words[places]]
        return self._compared(words[places[other]], predictions[other]) if other.any() else None

    def logic_trial(self, logic: SlotLogic) -> Trial | None:
        """What becomes of the predictions by other priorities; None where they stay."""
        predictions = decided_tags(self.votes, self._silencing(logic), self.order)
        other = np.nonzero(predictions != self.predictions)[0]
        return self._compared(other, predictions[other]) if len(other) else None

    def _compared(self, words: Numbers, predictions: Numbers) -> Trial:
        """The trial in which some words get other predictions."""
        texts = self.texts
        rows = np.unique(texts.sentence[words])
        around = texts.sentences.words_of(rows)
        given = self.predictions[around]
        given[np.searchsorted(around, words)] = predictions
        found, right = self.counter.count(texts.gold[around], given, texts.first[around])
        row = np.searchsorted(rows, texts.sentence[around])
        now = [np.bincount(row[places], minlength=len(rows)) for places in (found, right)]
        gains = 2 * (now[1] - self.count.right[rows]) - (now[0] - self.count.found[rows])
        return Trial(rows, now[0], now[1], np.where(texts.labelled[rows], gains, 0))

    def gains_by_word(self, trial: Trial, machine: PositionTransducer, place: int) -> NDArray[np.float64]:
        """[parts, vocabulary]: the gains of a trial put down to the words that a place reads in its sentences, in each
        of PARTS parts of the sentences."""
        gains = np.zeros((PARTS, len(self.texts.vocabulary)))
        changed = np.nonzero(trial.gains)[0]
        if not len(changed):
            return gains
        sentences = self.texts.sentences.of(trial.rows[changed])
        read = read_by(machine, self.texts.members, sentences).by_any([place])
        codes = sentences.codes[sentences.inside][read]
        row = np.repeat(np.arange(len(changed)), sentences.lengths)[read]
        row, codes = np.divmod(np.unique(row * gains.shape[1] + codes), gains.shape[1])  # each word of a sentence once
        part = trial.rows[changed][row] % PARTS
        np.add.at(gains, (part, codes), trial.gains[changed][row])
        return gains

    def take(self, rule: int, machine: PositionTransducer) -> None:
        """Replace a rule, or add one (ANYWHERE)."""
        texts = self.texts
        claim = claims(machine, texts.members, texts.sentences, texts.numbers)
        self._vote(claim, 1)
        if rule == ANYWHERE:
            self.machines.append(machine)
            self.claims.append(claim)
        else:
            self._vote(self.claims[rule], -1)
            self.machines[rule], self.claims[rule] = machine, claim
        self._decide()
