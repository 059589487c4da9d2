"""The changes that a network's weights propose for one rule, each at the threshold where it gains most.

    words    a place reads more words: those with the greatest weights on the arcs that lead to it
    fewer    it reads fewer words, or instead of `$` those with the greatest weights
    arc      two places that did not follow each other do: with all words of the second, or with those of great weight
    tag      a place gives another tag that the head H has learned for its state: for all of its words, or for some
    begin    a sentence may begin, or end, at a place whose start, or final, weight has grown
    end

Weights say in which order words come, texts say where to stop. Every word of a changed place is put to the test at
once, and what errors it saves or makes is put down to it; the threshold is where the sum is greatest. Words above it
that do harm are left out. Of words that no text shows there those may come in whose weight is as great as that of the
words that gain, at most half as many: they were learned through their vectors alone. Whether they do, and how many
errors each word has to save, is what saves most errors in a part of the texts when words are chosen by the others, for
each of PARTS parts: a word that one text shows holds there by chance. A place reads fewer words, or others in the place
of any, only where that holds too; else it keeps its form. Flight slots, five parts of train and dev held out in turn,
F1 of words above the best threshold / of those that hold: 77.4 / 77.3 by some twenty words of 450 fewer; ATIS, a tenth
of train, dev: 88.4 by 309 words / 88.7 by 265. With WORD_COST for each word there, too: 76.5 (Flight slots).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.symbols import ANY, Symbol, symbol_order
from re2nn_core.automata.word_sets import in_patterns, united, without_words
from re2nn_core.reconstruction.slot_filling.machine_changes import (
    RuleMachine,
    beginning,
    ending,
    joined_machine,
    machine_reading,
    tagging,
    with_place,
    without,
)
from re2nn_core.reconstruction.slot_filling.vote_table import Ballot, Trial
from re2nn_core.reconstruction.slot_filling.walks import Bools, Numbers
from re2nn_core.reconstruction.slot_filling.weighted import WeightedRule
from re2nn_core.rules.tagging import WILDCARD
from re2nn_core.text.vocabulary import UNKNOWN_KINDS

Kind = Literal["words", "fewer", "arc", "tag", "begin", "end"]
LEAST = 0.05  # a learned weight below this proposes nothing
MOST_ARCS = 150  # of a rule, those of greatest weight; a list of two hundred words has thousands, nearly all of no use
TAGS = 3  # so many tags of the head are tried at a state
MIN_GAIN = 2  # errors fewer, of all marked texts
WORD_COST = 0.25  # errors that a newly named word has to be worth, so that a plain `$` is preferred to a long list
LEASTS = (8, 5, 3, 2, 1)  # errors that each word has to save
LARGEST = 100  # words of a place that is still readable

Floats = NDArray[np.float64]
ANYTHING: frozenset[Symbol] = frozenset({ANY})


@dataclass(frozen=True)
class Grown:
    """A place that gains words: the machine with some of them, and the sentences that it may read otherwise."""

    form: Callable[[frozenset[Symbol]], RuleMachine]
    read: Callable[[frozenset[Symbol]], Bools]
    place: int


@dataclass(frozen=True)
class ProposedMove:
    """What may be changed at a rule: a place, and for an arc a second one; for a tag its name."""

    rule: int
    kind: Kind
    place: int
    target: int = 0
    tag: str = ""


@dataclass(frozen=True, eq=False)
class ProposedChange:
    """A move as it gains most. `gain`: errors fewer; `value`: the same less what its words cost. `words`: those that a
    place reads from now on, or no more; None where no words are named."""

    move: ProposedMove
    machine: RuleMachine
    gain: int
    value: float
    words: tuple[Symbol, ...] | None = None


def moves_of(rule: int, machine: RuleMachine, weights: WeightedRule, tags: Sequence[str]) -> Iterator[ProposedMove]:
    """All that the weights propose for a rule."""
    places = [place for place in machine.reading if place == machine.in_state(machine.states[place])[-1]]
    for place in machine.reading:
        yield ProposedMove(rule, "words", place)
        yield ProposedMove(rule, "fewer", place)
        learned = weights.head[machine.states[place]]  # [tags]
        best = [int(tag) for tag in np.argsort(-learned)[:TAGS] if learned[tag] >= LEAST]
        for tag in dict.fromkeys([*(tags[number] for number in best), WILDCARD]):
            if tag != machine.outputs[place]:
                yield ProposedMove(rule, "tag", place, tag=tag)
    for place in places:
        state = machine.states[place]
        if weights.final[state] >= LEAST and not machine.transducer.automaton.final >> place & 1:
            yield ProposedMove(rule, "end", place)
        if weights.start[state] >= LEAST:
            yield ProposedMove(rule, "begin", place)
    yield from _arcs(rule, machine, weights, places)


def _arcs(rule: int, machine: RuleMachine, weights: WeightedRule, places: Sequence[int]) -> Iterator[ProposedMove]:
    """The arcs of greatest weight between places that do not follow each other."""
    found: list[tuple[float, ProposedMove]] = []
    for group in dict.fromkeys(tuple(machine.like(place)) for place in (0, *places)):
        sources = sorted({machine.states[place] for place in group})
        strongest = weights.strongest(sources)
        for target in places:
            weight = float(strongest[machine.states[target]])
            if weight >= LEAST and not _is_joined(machine, group, target):
                found.append((weight, ProposedMove(rule, "arc", group[-1], target)))
    least = sorted((weight for weight, _ in found), reverse=True)[:MOST_ARCS][-1:]
    yield from [move for weight, move in found if weight >= least[0]][:MOST_ARCS]


def _is_joined(machine: RuleMachine, sources: Sequence[int], target: int) -> bool:
    """Whether a place in the state of the target follows one of the sources."""
    targets = machine.in_state(machine.states[target])
    return any(machine.follows(source, target) for source in sources for target in targets)


class Proposals:
    """Looks for the best form of a move among the votes as they are. `hidden` [vocabulary]: words that are not to be
    named (weights/held_out_words.py)."""

    def __init__(self, ballot: Ballot, weights: Sequence[WeightedRule], hidden: Bools | None = None) -> None:
        self.ballot, self.weights = ballot, weights
        self.hidden = np.zeros(len(ballot.texts.vocabulary), dtype=np.bool_) if hidden is None else hidden
        self.words, self.members = ballot.texts.vocabulary.words, ballot.texts.vocabulary.members
        self.every = np.ones(len(ballot.texts.texts), dtype=np.bool_)

    def best(self, machine: RuleMachine, move: ProposedMove) -> ProposedChange | None:
        """The change of greatest value; None where nothing gains."""
        found = [change for change in self._forms(machine, move) if change is not None]
        return max(found, key=lambda change: change.value, default=None)

    def _forms(self, machine: RuleMachine, move: ProposedMove) -> Iterator[ProposedChange | None]:
        place = move.place
        if move.kind == "words":
            yield from self._more(machine, move)
        elif move.kind == "fewer":
            yield from self._fewer(machine, move)
        elif move.kind == "end":
            yield self._tried(move, ending(machine, place), self.every)
        elif move.kind == "begin":
            yield self._tried(move, beginning(machine, place), self.every)
        elif move.kind == "tag":
            yield self._tried(move, tagging(machine, place, move.tag), self._read_at(machine, place))
            if move.tag != WILDCARD:
                yield from self._retagged(machine, move)
        else:
            sources, targets = machine.like(place), machine.in_state(machine.states[move.target])
            if not _is_joined(machine, sources, move.target):
                symbols = frozenset[Symbol]().union(*(machine.symbols[target] for target in targets))
                read = self.ballot.reading(machine.transducer, sources, targets, symbols)
                yield self._tried(move, joined_machine(machine, sources, targets), read)
                yield from self._learned_arc(machine, move, sources)

    def _read_at(self, machine: RuleMachine, place: int, symbols: frozenset[Symbol] | None = None) -> Bools:
        """[sentences]: those in which a place may read a word: one of its own, or of the symbols."""
        read = machine.symbols[place] if symbols is None else symbols
        return self.ballot.reading(machine.transducer, machine.in_front_of(place), [place], read)

    def _tried(
        self, move: ProposedMove, after: RuleMachine, among: Bools, words: frozenset[Symbol] | None = None
    ) -> ProposedChange | None:
        """The change to another machine, which no sentence reads otherwise but some, if it gains. among [sentences]."""
        cost = WORD_COST * len(words) if words is not None else 0.0
        trial = self._trial(move.rule, after, among, lambda quick: quick.gain - cost)  # others can only lose
        if trial is None or trial.gain - cost < MIN_GAIN or not self.ballot.is_fine(trial):
            return None
        named = None if words is None else tuple(sorted(words, key=symbol_order))
        return ProposedChange(move, after, trial.gain, trial.gain - cost, named)

    def _trial(self, rule: int, machine: RuleMachine, among: Bools, most: Callable[[Trial], float]) -> Trial | None:
        """A trial on some sentences; None where by those with errors it gains too little at `most`."""
        ballot, wrong = self.ballot, self.ballot.wrong
        quick = ballot.trial(rule, machine.transducer, np.nonzero(among & wrong)[0])
        if quick is None or most(quick) < MIN_GAIN:
            return None
        return quick.joined(ballot.trial(rule, machine.transducer, np.nonzero(among & ~wrong)[0]))

    def _by_word(self, rule: int, after: RuleMachine, among: Bools, reader: RuleMachine, place: int) -> Floats | None:
        """[parts, vocabulary]: the gains of a change by the words that a place of `reader` reads; None without any."""
        trial = self._trial(rule, after, among, lambda quick: quick.gains.clip(min=0).sum())
        return None if trial is None else self.ballot.gains_by_word(trial, reader.transducer, place)

    def _into(self, rule: int, machine: RuleMachine, place: int) -> Floats:
        """[vocabulary]: the mean weight of each word on the arcs that lead to a place."""
        return self._from(rule, machine, machine.in_front_of(place), place)

    def _from(self, rule: int, machine: RuleMachine, sources: Sequence[int], place: int) -> Floats:
        """[vocabulary]: the mean weight of each word on the arcs from some places to one."""
        states = sorted({machine.states[source] for source in sources})
        return self.weights[rule].arcs(states, machine.states[place]).astype(np.float64)

    def _inside(self, machine: RuleMachine, place: int) -> Bools:
        found = np.zeros(len(self.words), dtype=np.bool_)
        found[self.ballot.texts.members.numbers(machine.symbols[place])] = True
        return found

    def _more(self, machine: RuleMachine, move: ProposedMove) -> Iterator[ProposedChange | None]:
        place, symbols = move.place, machine.symbols[move.place]
        if ANY in symbols:
            return

        def read(words: frozenset[Symbol]) -> Bools:
            return self._read_at(machine, place, words)

        yield self._tried(move, machine_reading(machine, place, ANYTHING), read(ANYTHING))
        weights, outside = self._into(move.rule, machine, place), ~self._inside(machine, place)
        grown = Grown(lambda w: machine_reading(machine, place, united(symbols | w)), read, place)
        for words in self._learned(move.rule, weights, outside, grown):
            if len(wider := united(symbols | words)) <= LARGEST:
                yield self._tried(move, machine_reading(machine, place, wider), read(words), words)

    def _learned(self, rule: int, weights: Floats, among: Bools, grown: Grown) -> Iterator[frozenset[Symbol]]:
        """The words that a place may gain by, some of `among`. Put to the test are first all words at once, then those
        whose weight is at least half the greatest: where everything is claimed, no word does well."""
        strong = among & (weights >= weights[among].max(initial=0) / 2)
        for probe in (among, strong):
            symbols = ANYTHING if probe is among else self._named(np.nonzero(probe)[0])
            if not symbols:  # all weights are below nothing: training has taken words away here and added none
                continue
            after = grown.form(symbols)
            gains = self._by_word(rule, after, grown.read(symbols), after, grown.place)
            if gains is not None and (words := self._named(holding(weights, gains, probe))):
                yield words

    def _fewer(self, machine: RuleMachine, move: ProposedMove) -> Iterator[ProposedChange | None]:
        """A place of fewer words; one of any word reads those of greatest weight alone, or all but those that it is
        better without."""
        place, symbols = move.place, machine.symbols[move.place]
        read = self._read_at(machine, place)
        gains = self._by_word(move.rule, without(machine, place), read, machine, place)
        if gains is None:
            return
        weights, inside = self._into(move.rule, machine, place), self._inside(machine, place)
        out = self._named(holding(-weights, gains, inside))
        forms = [(without_words(symbols, out), out)]
        if ANY in symbols:
            only = self._named(holding(weights, -gains, inside, more_than=-gains.sum()))
            forms.insert(0, (only, only))
        for left, words in forms:
            if left and left != symbols and len(left) <= LARGEST and len(words) <= LARGEST:
                yield self._tried(move, machine_reading(machine, place, left), read, words)

    def _retagged(self, machine: RuleMachine, move: ProposedMove) -> Iterator[ProposedChange | None]:
        """Some words of a place, those of greatest or of least weight, get the tag from a place of their own."""
        place, symbols = move.place, machine.symbols[move.place]
        sources, read = machine.in_front_of(place), self._read_at(machine, place)
        every = tagging(machine, place, move.tag)
        gains = self._by_word(move.rule, every, read, every, place)
        if gains is None:
            return
        weights, inside = self._into(move.rule, machine, place), self._inside(machine, place)
        for direction in (1, -1):
            words = self._named(holding(direction * weights, gains, inside))
            if words and len(words) <= LARGEST:
                rest = symbols if ANY in symbols else without_words(symbols, words)
                kept = machine_reading(machine, place, rest) if rest else machine
                yield self._tried(move, with_place(kept, sources, place, words, move.tag), read, words)

    def _learned_arc(
        self, machine: RuleMachine, move: ProposedMove, sources: list[int]
    ) -> Iterator[ProposedChange | None]:
        """The words of greatest weight lead from some places to another, and get the output of that."""
        like = move.target
        output = machine.outputs[like]
        if output is None:
            return
        weights = self._from(move.rule, machine, sources, like)

        def joined_by(words: frozenset[Symbol]) -> RuleMachine:
            return with_place(machine, sources, like, words, output)

        def read(words: frozenset[Symbol]) -> Bools:
            return self.ballot.reading(machine.transducer, sources, [like], words)

        every = np.ones(len(weights), dtype=np.bool_)
        for words in self._learned(move.rule, weights, every, Grown(joined_by, read, len(machine))):
            if len(words) <= LARGEST:
                yield self._tried(move, joined_by(words), read(words), words)

    def _named(self, numbers: Numbers) -> frozenset[Symbol]:
        known = numbers[(numbers >= len(UNKNOWN_KINDS)) & ~self.hidden[numbers]]
        return frozenset(in_patterns([self.words[number] for number in known.tolist()], self.members))


def holding(weights: Floats, gains: Floats, among: Bools, *, more_than: float = 0.0) -> Numbers:
    """The words above the threshold at which their gains sum up to most, those that hold on texts which they are not
    chosen by, as the module says. weights, among [vocabulary]; gains [parts, vocabulary]. None where they save no more
    errors there than `more_than`, or none."""
    order = _by_weight(weights, among)
    shown = np.nonzero(gains[:, order].any(0))[0]
    order = order[: shown[-1] + 1] if len(shown) else order[:0]  # below, no word is chosen
    ranked, parts = weights[order], gains[:, order]
    every, best, most = parts.sum(0), None, max(0.0, more_than)
    if not (every > 0).any():
        return order[:0]
    for least in LEASTS:
        for unseen in (False, True):
            saved = sum(float(part[_taken(ranked, every - part, least, unseen=unseen)].sum()) for part in parts)
            if saved > most:
                best, most = (least, unseen), saved
    if best is None:
        return order[:0]
    chosen: Numbers = np.sort(order[_taken(ranked, every, best[0], unseen=best[1])])
    return chosen


def _by_weight(weights: Floats, among: Bools) -> Numbers:
    order = np.argsort(-weights, kind="stable")
    return order[among[order] & (order >= len(UNKNOWN_KINDS))]


def _taken(weights: Floats, gains: Floats, least: int, *, unseen: bool) -> Numbers:
    """The places of words, those of greatest weight first, that save so many errors above the best threshold. `unseen`:
    and of words without an error more or less."""
    sums = np.cumsum(gains)
    if not len(sums) or sums.max() <= 0:
        return np.empty(0, dtype=np.int64)
    taken = np.arange(int(sums.argmax()) + 1)
    gaining = taken[gains[taken] >= least]
    if not unseen or not len(gaining):
        return gaining
    more = taken[(gains[taken] == 0) & (weights[taken] >= np.median(weights[gaining]))][: len(gaining) // 2]
    return np.concatenate([gaining, more])
