"""Which of the rules that are grown from a network's predictions are added, and how they are written."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from re2nn_core.automata.symbols import Symbol, symbol_order
from re2nn_core.automata.transducer import position_transducer
from re2nn_core.automata.word_sets import in_patterns
from re2nn_core.reconstruction.slot_filling.lexicon import Phrase, find_lexicon_phrases, lexicons
from re2nn_core.reconstruction.slot_filling.mined_rules import Grown, Miner, Place
from re2nn_core.reconstruction.slot_filling.notation import LONG
from re2nn_core.reconstruction.slot_filling.rewritten_rule import slot_class_stem
from re2nn_core.reconstruction.slot_filling.tagged_tree import node_of
from re2nn_core.reconstruction.slot_filling.vote_table import ANYWHERE, Ballot
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.reconstruction.weights.class_names import (
    Describe,
    class_name,
    class_note,
    class_words_by_counts,
    nothing_in_common,
)
from re2nn_core.rules.printer import print_expression
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
class GrownRule:
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
    describe: Describe = nothing_in_common,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> list[GrownRule]:
    """Add rules to a ballot, the one that promises most first, as long as they gain. `taken`: names of rules
    and classes; `describe`: what words have in common, for the comments of classes; once `stop` is asked to, no
    more are added."""
    stop = stop or Stop()
    taught = [text.taught for text in ballot.texts.texts]
    found = lexicons(ballot.texts, taught)
    every = find_lexicon_phrases(
        ballot.texts, list(dict.fromkeys(phrase for lexicon in found for phrase in lexicon.phrases))
    )
    numbers = ballot.texts.numbers
    miner = Miner(ballot, np.asarray([numbers[tag] for tags in taught for tag in tags], dtype=np.int64))
    writer = _Writer(ballot, set(taken), describe)
    matches = [every.of_phrases(lexicon.phrases) for lexicon in found]
    waiting: list[tuple[float, int, int, Grown]] = []  # (-value, lexicon, rules made when it was grown, rule)
    rules: list[GrownRule] = []

    def grow(number: int) -> None:
        grown = miner.grow(found[number], matches[number])
        if grown.value >= MIN_NEW_GAIN:
            heapq.heappush(waiting, (-grown.value, number, len(rules), grown))

    for number in range(len(found)):
        if stop.asked():
            return rules
        grow(number)
        if on_progress is not None:
            on_progress(number + 1, len(found))
    while waiting and len(rules) < MOST_RULES and not stop.asked():
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


def _added(ballot: Ballot, rule: GrownRule, classes: dict[str, Node], *, lowercase: bool) -> GrownRule | None:
    """The rule with what it gains, now one of the ballot's; None where it does not gain enough. `classes`: those that
    it may name."""
    machine = position_transducer(tagged(expand(rule.tree, classes, lowercase)), rule.name)
    if any(output not in ballot.texts.numbers for output in machine.outputs if output is not None):
        return None
    trial = ballot.trial(ANYWHERE, machine, np.arange(len(ballot.texts.texts)))
    if trial is None or trial.gain < MIN_NEW_GAIN or not ballot.is_fine(trial):
        return None
    ballot.take(ANYWHERE, machine)
    return GrownRule(rule.name, rule.slot, rule.tree, rule.classes, trial.gain)


class _Writer:
    """Writes grown rules as captures, and names their classes."""

    def __init__(self, ballot: Ballot, taken: set[str], describe: Describe) -> None:
        self.words, self.patterns = ballot.texts.vocabulary.words, ballot.texts.vocabulary.members
        self.taken, self.describe = taken, describe
        self.made: dict[Node, WordClass] = {}
        self.new: dict[Node, WordClass] = {}
        self.members: dict[str, frozenset[Symbol]] = {}  # of each class: its words, or phrases
        counts = np.bincount(ballot.texts.codes, minlength=len(self.words))
        self.counts = dict(zip(self.words, counts.tolist(), strict=True))  # how often texts hold each word

    @property
    def classes(self) -> dict[str, Node]:
        """All classes so far, those of the last rule among them."""
        return {entry.name: entry.tree for entry in (*self.made.values(), *self.new.values())}

    def keep(self, rule: GrownRule) -> None:
        """The names of a rule are taken from here on; what it names may be named again."""
        self.taken |= {rule.name, *(entry.name for entry in rule.classes)}
        self.made |= {entry.tree: entry for entry in rule.classes}

    def rule(self, grown: Grown) -> GrownRule:
        """The rule as it would be written; nothing is kept of it yet."""
        slot, lexicon = grown.lexicon.slot, grown.lexicon
        self.stem, self.new = f"{STEM}.{slot_class_stem(slot)}", {}
        chosen = grown.conditions.get("phrase")
        every = grown.matches.phrases
        phrases = lexicon.phrases if chosen is None else [every[number] for number in sorted(chosen)]
        inner = choice([concat([node_of(symbol) for symbol in phrase]) for phrase in phrases])
        stands = np.bincount(grown.matches.phrase, minlength=len(every)).tolist()  # how often each phrase
        counts = {_text(phrase): float(often) for phrase, often in zip(every, stands, strict=True)}
        captured = Capture(self._named(inner, frozenset(map(_text, phrases)), counts, "phrase"), slot)
        parts = [*self._left(grown), captured, *self._right(grown)]
        number = 1
        while (name := f"{self.stem}.{number}") in self.taken:
            number += 1
        return GrownRule(name, slot, concat(parts), tuple(self.new.values()), 0)

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
        words = in_patterns([self.words[number] for number in chosen if number < len(self.words)], self.patterns)
        ends = [border] if len(self.words) in chosen else []
        leaves = list(dict.fromkeys(node_of(word) for word in sorted(words, key=symbol_order)))
        node = self._named(choice(leaves), frozenset(words), self.counts) if words else None
        return choice([*([node] if node is not None else []), *ends])

    def _named(self, node: Node, members: frozenset[Symbol], counts: Mapping[str, float], each: str = "word") -> Node:
        """The node itself, or a class of it where it has many members; a class that a rule before has made is used
        again. `counts`: how often each stands there."""
        if len(members) <= LONG or isinstance(node, Word):
            return node
        if node in self.made:
            return ClassReference(self.made[node].name)
        if node not in self.new:
            words = class_words_by_counts(counts, self.describe)(members)
            name = class_name(self.stem, members, words, self.taken | {entry.name for entry in self.new.values()})
            known = {entry.name: self.members[entry.name] for entry in (*self.made.values(), *self.new.values())}
            self.members[name] = members
            self.new[node] = WordClass(name, node, note=class_note(members, words, known, each=each))
        return ClassReference(self.new[node].name)


def _text(phrase: Phrase) -> str:
    return " ".join(print_expression(node_of(symbol)) for symbol in phrase)
