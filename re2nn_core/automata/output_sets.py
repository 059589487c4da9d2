"""Which outputs a rule can give each word of a sentence: those that some accepting path gives it.

This is inference in transducers (Jiang et al., EMNLP 2021, algorithms 1 and 2) with truth values for scores: a state
counts where the words before lead to it, and the words behind lead from it to an end.

`tag_sets` predictions for one machine of any kind and one sentence; `reading_spans` gives the spans of its paths, each
of which some path gives as a whole. `TagReader` predictions for many rules and sentences: it looks only at rules that
accept a sentence, and walks sets of states by look-up, forwards and backwards, as a matcher walks rows; each step
between two sets is computed when it is first needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from re2nn_core.automata.alphabet import OTHER_COLUMNS
from re2nn_core.automata.inclusion import unnamed_mask
from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.automata.positions import bits
from re2nn_core.automata.transducer import PositionTransducer, position_transducer
from re2nn_core.automata.word_codes import CodedSentences, NumberedSentences, WordCodes, codes_of_named
from re2nn_core.rules.tagging import slot_of
from re2nn_core.rules.tree import Node
from re2nn_core.text.spans import Span
from re2nn_core.text.word_patterns.classes import is_class_word, jointly_named

STEP_LIMIT = 200_000  # steps that one rule keeps before it starts anew
Sentence = Sequence[str]
TagSets = tuple[frozenset[str], ...]  # one set of outputs a word


class TagMachine(Protocol):
    """What a machine with outputs has to answer. Sets of states are bit sets."""

    @property
    def sentence_start(self) -> int:
        """The states a sentence may begin in."""

    @property
    def sentence_final(self) -> int:
        """The states a sentence may end in."""

    def step(self, states: int, word: str) -> int:
        """The states behind a word."""

    def step_back(self, states: int, targets: int, word: str) -> tuple[int, frozenset[str]]:
        """Those of `states` from which the word leads to one of `targets`, and the outputs given on these ways."""


def tag_sets(machine: TagMachine, sentence: Sentence) -> TagSets | None:
    """For each word the outputs that accepting paths give it; None where the machine does not accept the sentence."""
    states = _useful_states(machine, sentence)
    if states is None:
        return None
    pairs = zip(states, states[1:], sentence, strict=False)
    return tuple(machine.step_back(before, behind, word)[1] for before, behind, word in pairs)


def reading_spans(machine: PositionTransducer, sentence: Sentence) -> frozenset[Span]:
    """The spans that accepting paths give as a whole, in numbers of words; none of a sentence that the machine does not
    accept."""
    states = _useful_states(machine, sentence) or []
    giving: dict[str, int] = {}  # the states that give a tag
    for state, output in enumerate(machine.outputs):
        if output is not None and slot_of(output) is not None:
            giving[output] = giving.get(output, 0) | 1 << state
    found = set()
    for slot in dict.fromkeys(map(slot_of, giving)):
        first, inside = giving.get(f"B-{slot}", 0), giving.get(f"I-{slot}", 0)
        for start in range(len(sentence)):
            # An I behind another slot, or behind none, begins a span as a B does.
            led_on = machine.automaton.after(states[start] & ~(first | inside)) & inside
            open_states, end = states[start + 1] & (first | led_on), start + 1
            while open_states:
                further = machine.automaton.follow
                rest = states[end + 1] if end < len(sentence) else 0
                if end == len(sentence) or any(further[state] & rest & ~inside for state in bits(open_states)):
                    found.add(Span(start, end, slot or ""))
                open_states, end = machine.automaton.after(open_states) & rest & inside, end + 1
    return frozenset(found)


def _useful_states(machine: TagMachine, sentence: Sentence) -> list[int] | None:
    """The states that accepting paths are in, in front of each word and behind the last; None where there is no such
    path."""
    states = [machine.sentence_start]
    for word in sentence:
        states.append(machine.step(states[-1], word))
        if not states[-1]:
            return None
    states[-1] &= machine.sentence_final
    if not states[-1]:
        return None
    for place in reversed(range(len(sentence))):
        states[place], _ = machine.step_back(states[place], states[place + 1], sentence[place])
    return states


@dataclass(frozen=True)
class RuleTags:
    """The tag sets of a sentence that a rule accepts; `rule` is the rule's place among those of the reader."""

    rule: int
    sets: TagSets


class TagReader:
    """The tag sets of many sentences by rules given as tagged trees, in their order.

    StateBudgetError only for a rule of too many positions.
    """

    def __init__(self, trees: Sequence[Node], names: Sequence[str] = ()) -> None:
        named = names or [""] * len(trees)
        machines = [position_transducer(tree, name) for tree, name in zip(trees, named, strict=True)]
        self._matcher = RuleMatcher(trees, names)
        self._codes = _word_codes(machines)
        entered: list[dict[int, int]] = [{} for _ in machines]
        for code, columns in enumerate(self._codes.columns):
            for rule, mask in columns:
                entered[rule][code] = mask
        self._walkers = [
            _Walker(machine, masks, self._codes.kinds) for machine, masks in zip(machines, entered, strict=True)
        ]

    def read(self, sentences: Sequence[Sentence]) -> list[list[RuleTags]]:
        """For each sentence the rules that accept it, in their order, with their tag sets."""
        found: list[list[RuleTags]] = [[] for _ in sentences]
        matched = self._matcher.matched(sentences)
        codes = self._codes.encode(sentences)
        # Rule by rule, so that what one rule keeps stays at hand.
        for rule, walker in enumerate(self._walkers):
            for place in np.flatnonzero(matched[:, rule]).tolist():
                found[place].append(RuleTags(rule, walker.tag_sets(codes[place])))
        return found


def tag_sets_of_rule(tree: Node, sentences: NumberedSentences, name: str = "") -> dict[int, TagSets]:
    """The tag sets of the sentences that one rule accepts, by their places. Nothing is computed ahead, so a rule that
    is looked at once costs least here. StateBudgetError for a rule of too many positions."""
    machine = position_transducer(tree, name)
    codes = _word_codes([machine])
    masks = {code: mask for code, columns in enumerate(codes.columns) for _, mask in columns}
    walker = _Walker(machine, masks, codes.kinds)
    coded = codes.encode_numbered(sentences)
    flat, ends = coded.codes.tolist(), coded.ends.tolist()
    found = {}
    for place in _worth_reading(machine, coded):
        encoded = flat[ends[place] : ends[place + 1]]
        if walker.accepts(encoded):
            found[place] = walker.tag_sets(encoded)
    return found


def _worth_reading(machine: PositionTransducer, sentences: CodedSentences) -> Sequence[int]:
    """The places of sentences that the machine may accept: of those with a word that it names, where it accepts no
    other ones."""
    unnamed = 0
    for kind in range(OTHER_COLUMNS):
        unnamed |= unnamed_mask(machine.automaton, kind)
    reached = before = machine.sentence_start
    while before:
        before = machine.automaton.after(before) & unnamed & ~reached
        reached |= before
    if reached & machine.sentence_final:
        return range(len(sentences))
    named = np.cumsum(np.append(0, sentences.codes >= OTHER_COLUMNS))[sentences.ends]
    return np.flatnonzero(np.diff(named)).tolist()


def _word_codes(machines: Sequence[PositionTransducer]) -> WordCodes:
    """One code for all words that enter the same states of every rule."""
    named: dict[str, list[tuple[int, int]]] = {}
    all_named = jointly_named([machine.automaton.words for machine in machines])
    for rule, machine in enumerate(machines):
        own = machine.automaton.words
        for word in all_named if any(map(is_class_word, own)) else own:
            named.setdefault(word, []).append((rule, machine.automaton.entered_by(word)))
    return codes_of_named(named)


class _Steps(dict[int, "_Steps"]):
    """A set of states, and the sets behind (or in front of) a word of a code, made when first asked for."""

    __slots__ = ("behind", "states", "walker")

    def __init__(self, walker: _Walker, states: int, behind: bool) -> None:
        super().__init__()
        self.walker, self.states, self.behind = walker, states, behind

    def __missing__(self, code: int) -> _Steps:
        following = self[code] = self.walker.step(self, code)
        return following


class _Walker:
    """One rule's sets of states, forwards from the start and backwards from the end."""

    def __init__(self, machine: PositionTransducer, entered: Mapping[int, int], kinds: Sequence[int]) -> None:
        """`entered` has the states that the words of a code enter, for codes that the rule names; `kinds` the kind of
        every code."""
        self._machine, self._entered, self._kinds = machine, entered, kinds
        self._entered_by_kind = [unnamed_mask(machine.automaton, kind) for kind in range(OTHER_COLUMNS)]
        self._before = reversed_follow(machine.automaton.follow)
        self._forget()

    def _forget(self) -> None:
        self._known: dict[tuple[int, bool], _Steps] = {}
        self._made = 0
        self._outputs: dict[int, frozenset[str]] = {}
        self._start = self._intern(self._machine.sentence_start, behind=True)
        self._end = self._intern(self._machine.sentence_final, behind=False)

    def _intern(self, states: int, *, behind: bool) -> _Steps:
        steps = self._known.get((states, behind))
        if steps is None:
            steps = self._known[states, behind] = _Steps(self, states, behind)
        return steps

    def step(self, steps: _Steps, code: int) -> _Steps:
        """Forwards: the states behind the word. Backwards: the states from which the word leads into the set."""
        self._made += 1
        entered = self._entered.get(code)
        if entered is None:
            entered = self._entered_by_kind[self._kinds[code]]
        if steps.behind:
            return self._intern(self._machine.automaton.after(steps.states) & entered, behind=True)
        before = 0
        for state in bits(steps.states & entered):
            before |= self._before[state]
        return self._intern(before, behind=False)

    def accepts(self, codes: Sequence[int]) -> bool:
        """Whether some path reads all words."""
        if self._made > STEP_LIMIT:
            self._forget()
        steps = self._start
        for code in codes:
            steps = steps[code]
            if not steps.states:
                return False
        return bool(steps.states & self._machine.sentence_final)

    def tag_sets(self, codes: Sequence[int]) -> TagSets:
        """The tag sets of an accepted sentence."""
        if self._made + len(self._outputs) > STEP_LIMIT:
            self._forget()
        steps = self._end
        backwards = [steps.states]
        for code in reversed(codes):
            steps = steps[code]
            backwards.append(steps.states)
        backwards.reverse()
        steps, known, found = self._start, self._outputs, []
        for code, rest in zip(codes, backwards[1:], strict=True):
            steps = steps[code]
            useful = steps.states & rest
            outputs = known.get(useful)
            if outputs is None:
                outputs = known[useful] = self._machine.outputs_of(useful)
            found.append(outputs)
        return tuple(found)


def reversed_follow(follow: Sequence[int]) -> list[int]:
    """For each state the states that it may come behind."""
    before = [0] * len(follow)
    for state, following in enumerate(follow):
        for target in bits(following):
            before[target] |= 1 << state
    return before
