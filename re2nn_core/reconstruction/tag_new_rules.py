"""Which of the rules that are grown from a network's answers are added, and how they are written."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from re2nn_core.automata.transducer import position_transducer
from re2nn_core.reconstruction.tag_ballot import ANYWHERE, Ballot
from re2nn_core.reconstruction.tag_lexicon import find_phrases, lexicons
from re2nn_core.reconstruction.tag_mine import Grown, Miner, Place
from re2nn_core.reconstruction.tag_notation import LONG
from re2nn_core.reconstruction.tag_rewrite import stem_of
from re2nn_core.reconstruction.tag_tree import node_of
from re2nn_core.rules.ruleset import WordClass, expand
from re2nn_core.rules.tagging import tagged
from re2nn_core.rules.tree import (
    Any,
    Capture,
    ClassReference,
    Node,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Word,
    choice,
    concat,
)

MIN_NEW_GAIN = 4  # errors fewer, of all marked texts
MOST_RULES = 100
STEM = "learned"

OnProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class NewRule:
    """A rule that nobody has written. `classes` stand in front of it; `gain`: errors fewer in marked texts."""

    name: str
    slot: str
    tree: Node
    classes: tuple[WordClass, ...]
    gain: int


def learn_rules(
    ballot: Ballot,
    taken: Iterable[str],
    *,
    lowercase: bool,
    on_progress: OnProgress | None = None,
) -> list[NewRule]:
    """Add rules to a ballot, the one that promises most first, as long as they gain. `taken`: names of rules
    and classes."""
    taught = [text.taught for text in ballot.texts.texts]
    found = lexicons(ballot.texts, taught)
    every = find_phrases(ballot.texts, list(dict.fromkeys(phrase for lexicon in found for phrase in lexicon.phrases)))
    numbers = ballot.texts.numbers
    miner = Miner(ballot, np.asarray([numbers[tag] for tags in taught for tag in tags], dtype=np.int64))
    writer = _Writer(ballot, set(taken))
    matches = [every.of_phrases(lexicon.phrases) for lexicon in found]
    waiting: list[tuple[float, int, int, Grown]] = []  # (-value, lexicon, rules made when it was grown, rule)
    rules: list[NewRule] = []

    def grow(number: int) -> None:
        grown = miner.grow(found[number], matches[number])
        if grown.value >= MIN_NEW_GAIN:
            heapq.heappush(waiting, (-grown.value, number, len(rules), grown))

    for number in range(len(found)):
        grow(number)
        if on_progress is not None:
            on_progress(number + 1, len(found))
    while waiting and len(rules) < MOST_RULES:
        if on_progress is not None:
            on_progress(len(found), len(found))  # still at work
        _, number, made, grown = heapq.heappop(waiting)
        if made < len(rules):
            grow(number)
        elif (rule := _added(ballot, writer.rule(grown), writer.classes, lowercase=lowercase)) is not None:
            writer.keep(rule)
            rules.append(rule)
            grow(number)
    return rules


def _added(ballot: Ballot, rule: NewRule, classes: dict[str, Node], *, lowercase: bool) -> NewRule | None:
    """The rule with what it gains, now one of the ballot's; None where it does not gain enough. `classes`: those that
    it may name."""
    machine = position_transducer(tagged(expand(rule.tree, classes, lowercase)), rule.name)
    if any(output not in ballot.texts.numbers for output in machine.outputs if output is not None):
        return None
    trial = ballot.trial(ANYWHERE, machine, np.arange(len(ballot.texts.texts)))
    if trial is None or trial.gain < MIN_NEW_GAIN or not ballot.is_fine(trial):
        return None
    ballot.take(ANYWHERE, machine)
    return NewRule(rule.name, rule.slot, rule.tree, rule.classes, trial.gain)


class _Writer:
    """Writes grown rules as captures, and names their classes."""

    def __init__(self, ballot: Ballot, taken: set[str]) -> None:
        self.words, self.taken = ballot.texts.vocabulary.words, taken
        self.made: dict[Node, WordClass] = {}
        self.new: dict[Node, WordClass] = {}

    @property
    def classes(self) -> dict[str, Node]:
        """All classes so far, those of the last rule among them."""
        return {entry.name: entry.tree for entry in (*self.made.values(), *self.new.values())}

    def keep(self, rule: NewRule) -> None:
        """The names of a rule are taken from here on; what it names may be named again."""
        self.taken |= {rule.name, *(entry.name for entry in rule.classes)}
        self.made |= {entry.tree: entry for entry in rule.classes}

    def rule(self, grown: Grown) -> NewRule:
        """The rule as it would be written; nothing is kept of it yet."""
        slot, lexicon = grown.lexicon.slot, grown.lexicon
        self.stem, self.new = f"{STEM}.{stem_of(slot)}", {}
        chosen = grown.conditions.get("phrase")
        every = grown.matches.phrases
        phrases = lexicon.phrases if chosen is None else [every[number] for number in sorted(chosen)]
        inner = choice([concat([node_of(symbol) for symbol in phrase]) for phrase in phrases])
        captured = Capture(self._named(inner, len(phrases)), slot)
        parts = [*self._left(grown), captured, *self._right(grown)]
        number = 1
        while (name := f"{self.stem}.{number}") in self.taken:
            number += 1
        return NewRule(name, slot, concat(parts), tuple(self.new.values()), 0)

    def _left(self, grown: Grown) -> list[Node]:
        near = self._near(grown, ("left2", "left1"), SentenceStart())
        if near and near[0] == SentenceStart():
            return near
        before = self._words(grown, "before", SentenceStart())
        anything = Repeat(Any(), 0, None)
        return [anything, *([before, anything] if before is not None else []), *near]

    def _right(self, grown: Grown) -> list[Node]:
        near = self._near(grown, ("right1", "right2"), SentenceEnd())
        if near and near[-1] == SentenceEnd():
            return near
        after = self._words(grown, "after", SentenceEnd())
        anything = Repeat(Any(), 0, None)
        return [*near, anything, *([after, anything] if after is not None else [])]

    def _near(self, grown: Grown, places: tuple[Place, Place], border: Node) -> list[Node]:
        """The words beside the phrase, `$` between it and words two places away."""
        nodes = [self._words(grown, place, border) for place in places]
        inner = 1 if places[0] == "left2" else 0
        if nodes[1 - inner] is None:
            return [node for node in nodes if node is not None]
        return [node if node is not None else Any() for node in nodes]

    def _words(self, grown: Grown, place: Place, border: Node) -> Node | None:
        chosen = grown.conditions.get(place)
        if chosen is None:
            return None
        words = sorted(self.words[number] for number in chosen if number < len(self.words))
        ends = [border] if len(self.words) in chosen else []
        node = self._named(choice([node_of(word) for word in words]), len(words)) if words else None
        return choice([*([node] if node is not None else []), *ends])

    def _named(self, node: Node, words: int) -> Node:
        """The node itself, or a class of it where it is long; a class that a rule before has made is used again."""
        if words <= LONG or isinstance(node, Word):
            return node
        if node in self.made:
            return ClassReference(self.made[node].name)
        if node not in self.new:
            number = len(self.new) + 1
            while (name := f"{self.stem}.words{number}") in self.taken:
                number += 1
            self.taken.add(name)
            self.new[node] = WordClass(name, node)
        return ClassReference(self.new[node].name)
