"""Which conditions of a written rule its new form asks no longer, and which it asks in addition, in words.

A condition is a part of the written rule that every sentence has to have there: a word, one of several, a number, their
order, that nothing stands between them. It is loosened where some sentence that keeps all other parts is accepted by
the new form and was not by the old one; that sentence is its witness, or a text of the project's own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import combinations, islice

from re2nn_core.automata.alphabet import OTHER_NUMBER, OTHER_PUNCTUATION, OTHER_WORD
from re2nn_core.automata.differences.admitted_words import Admitted, admitted_words
from re2nn_core.automata.inclusion import shortest_common, shortest_escape
from re2nn_core.automata.positions import PositionAutomaton, accepts, build_positions
from re2nn_core.automata.transducer import position_transducer
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.rule_lines import classes_for
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tagging import OUTSIDE, WILDCARD, has_slots, tagged, without_slots
from re2nn_core.rules.tree import (
    Any,
    Choice,
    ClassReference,
    Concat,
    Empty,
    Except,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
    choice,
    named_words,
    rebuild,
)
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.rule_places import (
    RuleGap,
    RuleUnit,
    core_of,
    is_sign,
    is_wild,
    name_of,
    places_of,
    shortened,
    words_in_quotes,
)
from re2nn_core.text.joined_names import join_names
from re2nn_core.text.kinds import spelling

_MOST = 40  # parts of a rule that are looked at
_LONGEST = 16  # words of a text that is shown
_TRIED = 6  # sentences that are looked at for an example
_NAMED_ALONE = re.compile(r"“([^”]*[^”… ])” …$")  # the one word of several that a place is named by
_KINDS = {OTHER_NUMBER: "a number", OTHER_PUNCTUATION: "a sign"}
_NO_WORD = Word("\x1e")  # no text has it
_PLACE = Tagged(Any(), "here")
_PLAIN = {OUTSIDE, WILDCARD, None}
_NO_SENTENCE = PositionAutomaton((frozenset(),), (0,), 0)


class _Rank(IntEnum):
    """What is said first."""

    LEFT_OUT = 0
    ANY_WORD = 1
    BETWEEN = 2
    ORDER = 3
    REQUIRED = 4
    NARROWED = 5
    OTHER_KIND = 6
    OTHER_WORD = 7
    SOME_BETWEEN = 8


@dataclass(frozen=True)
class Condition:
    """`in_words` without a full stop; `example`: a sentence that shows it, one of the project's texts where `own`.
    `refused`: the new form refuses that sentence, else it accepts it and the old form did not. `only`: the words that
    are left in the place of any word, where they open nothing new; `without`: words that are refused there."""

    in_words: str
    example: str
    own: bool
    refused: bool = False
    only: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Found:
    rank: _Rank
    in_words: str
    tree: Node
    sentence: tuple[str, ...]
    refused: bool = False
    only: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    beside: Node | None = None


def changed_conditions(
    rule: ChangedRule, own: Mapping[str, Sequence[str]], *, lowercase: bool
) -> tuple[Condition, ...]:
    """What became of the conditions of a rule; none where one of its forms is missing or the search passes its budget.
    `own`: texts that show the change, with their words."""
    before, after = rule.before, rule.after
    if before is None or after is None:
        return ()
    try:
        search = _Search(before.tree, after.expanded, classes_for(rule.sets[0], before), lowercase)
        found = search.conditions()
        return tuple(search.with_examples(found, own))
    except StateBudgetError:
        return ()


def _only(words: frozenset[str], kinds: Collection[int], near: str) -> str:
    """What is left in the place of any word."""
    named = [name for kind, name in _KINDS.items() if kind in kinds]
    left = join_names([*([words_in_quotes(words)] if words else []), *named], last="or")
    return f"Only {left} instead of any word{near}" if left else f"No longer any word{near}"


def _named_by(found: _Found, named: Sequence[str], words: Sequence[str]) -> str:
    """What changed, the place named by that of several words which the example has."""
    if not named or named[0] in words or not isinstance(found.beside, Choice):
        return found.in_words
    options = (spelling(one.text) for one in found.beside.options if isinstance(one, Word))
    there = next((one for one in options if one in words), named[0])
    return f"{found.in_words.removesuffix(f'“{named[0]}” …')}“{there}” …"


class _Search:
    """Both forms as automata, and what the written one asks."""

    def __init__(self, before: Node, after: Node, classes: Mapping[str, Node], lowercase: bool) -> None:
        self.tree, self.fills = without_slots(before), has_slots(before)
        self.classes, self.lowercase = dict(classes), lowercase
        self.trees = trees = self._expanded(self.tree), without_slots(after)
        self.forms = build_positions(trees[0]), build_positions(trees[1])
        words = sorted(named_words(trees[0]) | named_words(trees[1]))
        # In the place of any word: one that neither form knows, so that the part that is asked about decides.
        self.neutral = Except((*map(Word, words), Number(), Punctuation()))

    def conditions(self) -> list[_Found]:
        """All that changed, the weightiest first, each sentence once."""
        places = islice(places_of(self.tree), _MOST)
        found = [(place, one) for place in places for one in self._of(place)]
        whole = [one for place, one in found if isinstance(place, RuleUnit) and place.alternatives]
        known = [position_transducer(tagged(self._expanded(one.tree))).automaton for one in whole]
        by_words = {
            one.in_words: replace(one, beside=place.neighbour) if isinstance(place, RuleUnit) else one
            for place, one in found
            # Where none of several alternatives is required, sentences without them show no change of a single one.
            if one in whole or one.refused or not any(accepts(form, one.sentence) for form in known)
        }
        return sorted(by_words.values(), key=lambda one: one.rank)

    def with_examples(self, found: Sequence[_Found], own: Mapping[str, Sequence[str]]) -> Iterator[Condition]:
        """What changed, each with the shortest of some texts that shows it, else with a sentence, and each with another
        one where there are several."""
        used: list[tuple[str, ...]] = []
        for one in found:
            core = build_positions(self._expanded(core_of(one.tree)))
            named = _NAMED_ALONE.findall(one.in_words)
            order = {text: (not {*named} <= {*words}, tuple(words) in used, len(text)) for text, words in own.items()}
            shown = sorted(
                (text for text, words in own.items() if len(words) <= _LONGEST), key=lambda text: order[text]
            )
            text = next((text for text in shown if self._shows(own[text], core, one.refused)), None)
            words = tuple(own[text]) if text is not None else self._another(one, named, used)
            used.append(words)
            example = " ".join(words) if text is None else text
            in_words = _named_by(one, named, words)
            yield Condition(in_words, example, text is not None, one.refused, one.only, one.without)

    def _another(self, found: _Found, asked: Sequence[str], used: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        """A sentence that shows what changed, with the words that are asked for, and none that is used already; the
        first one where there is no such sentence."""
        accepting, other = self.trees if found.refused else self.trees[::-1]
        best, passed = found.sentence, [*used]
        for _ in range(_TRIED):
            if not set(asked) <= set(best) or best in used:
                passed.append(best)
                refused = choice([other, *(Concat(tuple(map(Word, words))) for words in passed)])
                more = admitted_words(*self._machine(found.tree), build_positions(accepting), build_positions(refused))
                if more is None:
                    break
                best = more.sentence
        enough = set(asked) <= set(best)
        return best if enough or not set(asked) <= set(found.sentence) else found.sentence

    def _shows(self, words: Sequence[str], core: PositionAutomaton, refused: bool) -> bool:
        """Whether the forms differ in a text, and in those words of it that have all other parts."""
        wanted, other = self.forms if refused else self.forms[::-1]
        if not accepts(wanted, words) or accepts(other, words):
            return False
        parts = (words[start:end] for start, end in combinations(range(len(words) + 1), 2))
        return any(accepts(core, part) and accepts(wanted, part) and not accepts(other, part) for part in parts)

    def _of(self, place: RuleUnit | RuleGap) -> Iterator[_Found]:
        if isinstance(place, RuleGap):
            return self._of_gap(place)
        if place.may_miss:
            return self._of_optional(place)
        return self._of_wildcard(place) if is_wild(place.node) else self._of_unit(place)

    def _of_unit(self, unit: RuleUnit) -> Iterator[_Found]:
        """A part that was required."""
        without, found = self._left_out(unit)
        title = f"No longer required: {name_of(unit.node)}"
        if found is not None:
            yield _Found(_Rank.LEFT_OUT, f"{title}{self._beside(unit, without)}", without, found.sentence)
            return
        title += unit.near
        other, found = self._filled(unit)
        if found is None:
            return
        if isinstance(unit.node, SentenceStart | SentenceEnd):
            yield _Found(_Rank.LEFT_OUT, title, other, found.sentence)
        elif OTHER_WORD in found.unnamed:
            yield _Found(_Rank.ANY_WORD, f"{title}; any word fits there", other, found.sentence)
        elif found.words and unit.near and not self.fills and not unit.alternatives:
            # An alternative by itself is a learned word, and no condition. A word that a rule for slots accepts there
            # may fill another place, as june and friday of `back june friday`: where it stands is said of each word.
            rank = _Rank.OTHER_KIND if is_sign(unit.node) else _Rank.OTHER_WORD
            title = f"Also accepted: {words_in_quotes(found.words)} in place of {name_of(unit.node)}{unit.near}"
            yield _Found(rank, title, other, found.sentence)

    def _left_out(self, unit: RuleUnit) -> tuple[Node, Admitted | None]:
        without = unit.put(Empty())
        if unit.around is not None and self._admitted(unit.around(Empty())) is not None:
            return without, None  # no alternative is needed: that is said of all of them
        return without, self._admitted(without)

    def _beside(self, unit: RuleUnit, without: Node) -> str:
        """Where a unit stands that may be left out; beside a class or several words those with which it may be, where
        it may not be with all of them."""
        neighbour = unit.neighbour
        leaves = neighbour.options if isinstance(neighbour, Choice) else (neighbour,)
        if neighbour is None or not all(isinstance(leaf, Word | ClassReference) for leaf in leaves):
            return unit.near
        found = self._admitted(rebuild(without, lambda leaf: _PLACE if any(leaf is one for one in leaves) else leaf))
        words = named_words(self._expanded(neighbour))
        some = frozenset[str]() if found is None else found.words & words
        if not some or some == words:
            return unit.near
        return unit.near.replace(name_of(neighbour, short=True), words_in_quotes(some))

    def _filled(self, unit: RuleUnit) -> tuple[Node, Admitted | None]:
        """What may stand in the place of a part, without what may stand in that of all alternatives."""
        other = unit.put(_PLACE)
        found = self._admitted(other)
        if found is None or unit.around is None or (alone := self._admitted(unit.around(_PLACE))) is None:
            return other, found
        words, unnamed = found.words - alone.words, found.unnamed - alone.unnamed
        if not words and not unnamed:
            return other, None
        if OTHER_WORD in unnamed or not words:
            return other, replace(found, words=words, unnamed=unnamed)
        other = unit.put(choice([Word(word) for word in sorted(words)]))
        sentence = self._admitted(other)
        return other, None if sentence is None else replace(sentence, words=words, unnamed=unnamed)

    def _of_gap(self, gap: RuleGap) -> Iterator[_Found]:
        """Parts that had to follow each other, in this order."""
        enough = [self._filled(unit)[1] for unit in gap.units]
        if any(self._left_out(unit)[1] is not None for unit in gap.units):
            return
        if any(found is not None and OTHER_WORD in found.unnamed for found in enough):
            return
        first, second = (name_of(unit.node) for unit in gap.units)
        between = gap.put(_PLACE)
        found = self._admitted(between)
        # What is enough in the place of one of them, or of all alternatives, may stand beside the other.
        around = gap.units[0].around
        alone = None if around is None else self._admitted(around(_PLACE))
        known = frozenset[str]().union(*(one.words for one in (*enough, alone) if one is not None))
        if found is not None and (OTHER_WORD in found.unnamed or not found.words <= known):
            yield self._between(gap, found, known, f"between {first} and {second}")
        if None in enough and (found := self._admitted(gap.turned)) is not None:
            title = f"Any order now: {second} may come before {first}"
            yield _Found(_Rank.ORDER, title, gap.turned, found.sentence)

    def _between(self, gap: RuleGap, found: Admitted, known: frozenset[str], where: str) -> _Found:
        tree = gap.put(_PLACE)
        if OTHER_WORD not in found.unnamed:
            words = found.words - known
            tree = gap.put(choice([Word(word) for word in sorted(words)]))
            sentence = self._admitted(tree)
            title = f"{words_in_quotes(words)} may now come {where}"
            return _Found(_Rank.SOME_BETWEEN, title, tree, found.sentence if sentence is None else sentence.sentence)
        several = gap.put(Concat((self.neutral, self.neutral)))
        title = "Any words" if self._admitted(several) is not None else "Any word"
        return _Found(_Rank.BETWEEN, f"{title} may now come {where}", tree, found.sentence)

    def _of_optional(self, unit: RuleUnit) -> Iterator[_Found]:
        """A part that could be left out."""
        without = unit.put(Empty())
        if shortest_common(build_positions(self._plain(without)), self.forms[1]) is not None:
            return
        found = self._admitted(without, refused=True)
        if found is not None:
            title = f"Now required: {name_of(unit.node)}{unit.near}"
            yield _Found(_Rank.REQUIRED, title, without, found.sentence, refused=True)

    def _of_wildcard(self, unit: RuleUnit) -> Iterator[_Found]:
        """A place where any word could stand."""
        if not (isinstance(unit.node, Repeat) and unit.node.least == 0):
            without, found = self._left_out(unit)
            if found is not None:
                title = f"No longer required: a word{unit.near}"
                yield _Found(_Rank.LEFT_OUT, title, without, found.sentence)
        filled = unit.put(_PLACE)
        found, still = self._admitted(filled, refused=True), self._still_accepted(filled)
        if found is None or still is None:
            return  # where no word at all helps, another part of the rule changed
        words = found.words - still.words
        if OTHER_WORD in found.unnamed - still.unnamed:
            # Words that the written rule names may stand there because another part reads them.
            left = still.words - named_words(self.trees[0]) or still.words
            title = _only(left, still.unnamed, unit.near)
            yield _Found(_Rank.NARROWED, title, filled, found.sentence, refused=True, only=self._opening_nothing(left))
        elif words:
            # An example has one of these words: another text may be refused for another change of the rule.
            filled = unit.put(choice([Word(word) for word in sorted(words)]))
            found = self._admitted(filled, refused=True)
            if found is not None:
                anywhere = " anywhere" if isinstance(unit.node, Repeat) and unit.node.most is None else ""
                title = f"Now refused{anywhere}{unit.near}: {words_in_quotes(words)}"
                yield _Found(_Rank.NARROWED, title, filled, found.sentence, refused=True, without=words)

    def _opening_nothing(self, words: frozenset[str]) -> frozenset[str]:
        """Those of some words by which the new form accepts no sentence that the old one does not."""
        if not self._open(words):
            return words
        return frozenset(word for word in sorted(words)[:_MOST] if not self._open(frozenset({word})))

    def _open(self, words: frozenset[str]) -> bool:
        """Whether the new form accepts a sentence that neither the old one accepts nor itself without these words."""
        old, new = self.trees
        without = rebuild(new, lambda leaf: _NO_WORD if isinstance(leaf, Word) and leaf.text in words else leaf)
        return shortest_escape(self.forms[1], build_positions(choice([old, without]))) is not None

    def _admitted(self, tree: Node, *, refused: bool = False) -> Admitted | None:
        """What the new form accepts of an expression and the old one did not; `refused`: the other way round."""
        forms = self.forms if refused else self.forms[::-1]
        return admitted_words(*self._machine(tree), *forms)

    def _machine(self, tree: Node) -> tuple[PositionAutomaton, int]:
        """An expression, and the positions in it that are asked about."""
        machine = position_transducer(tagged(self._plain(tree)))
        place = sum(1 << state for state, output in enumerate(machine.outputs) if output not in _PLAIN)
        return machine.automaton, place

    def _still_accepted(self, tree: Node) -> Admitted | None:
        """What the new form accepts of an expression, whatever the old one does."""
        machine, place = self._machine(tree)
        return admitted_words(machine, place, self.forms[1], _NO_SENTENCE)

    def _plain(self, tree: Node) -> Node:
        """The expression with its classes put in, and as few neutral words for its any words as it takes."""
        return self._expanded(shortened(tree, self.neutral))

    def _expanded(self, tree: Node) -> Node:
        return expand(tree, self.classes, self.lowercase)
