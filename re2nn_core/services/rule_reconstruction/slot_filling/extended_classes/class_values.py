"""The values that a word class of the rules lacks: phrases of annotated spans that the rules miss, and give where the
class has them.

Each such phrase is tried in all texts that have it (exchange.py). It is taken into the class where it saves most
errors, if it corrects twice as many texts as it does harm to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.reconstruction.progress import OnProgress
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.rules.ruleset import RuleSet, WordClass, expand
from re2nn_core.rules.tagging import slots_of
from re2nn_core.rules.tree import Capture, Choice, Concat, Node, Tagged, Word, class_names, leaves_of, walk
from re2nn_core.services.rule_reconstruction.slot_filling.extended_classes.exchange import (
    Exchange,
    ExchangeBench,
    Phrase,
    phrases_of,
)
from re2nn_core.text.like_words import is_like

AT_ONCE = 200  # phrases that are tried
LEAST_MEMBERS = 3  # of a class that has a meaning


@dataclass(frozen=True)
class OpenClass:
    """A class that rules read in spans of these slots, with the phrases that it lists. `word`: one of them that hardly
    any other rule names, which stands for all of them."""

    name: str
    members: frozenset[Phrase]
    slots: frozenset[str]
    word: str


@dataclass(frozen=True)
class Outcome:
    """A phrase tried in a class: how many errors fewer the text of this number has."""

    name: str
    phrase: Phrase
    text: int
    fewer: int


def open_classes(ruleset: RuleSet, *, lowercase: bool) -> tuple[OpenClass, ...]:
    """The classes that list a few phrases of nothing but words and that rules read in spans."""
    defined = {entry.name: entry.tree for entry in ruleset.entries if isinstance(entry, WordClass)}
    named = Counter(leaf.text for rule in ruleset.rules for leaf in leaves_of(rule.expanded) if isinstance(leaf, Word))
    found = []
    twice = Counter(entry.name for entry in ruleset.entries if isinstance(entry, WordClass))
    for name, tree in defined.items():
        members = frozenset() if is_like(name) or twice[name] > 1 else _phrases(expand(tree, defined, lowercase))
        slots = frozenset(slot for rule in ruleset.rules for slot in _slots_with(rule.tree, name))
        single = sorted(phrase[0] for phrase in members if len(phrase) == 1)
        if slots and single and len(members) >= LEAST_MEMBERS:
            found.append(OpenClass(name, members, slots, min(single, key=lambda word: named[word])))
    return tuple(found)


def _phrases(tree: Node) -> frozenset[Phrase]:
    """The alternatives of a class that are words in a row."""
    options = tree.options if isinstance(tree, Choice) else (tree,)
    rows = (option.parts if isinstance(option, Concat) else (option,) for option in options)
    return frozenset(
        tuple(part.text for part in row if isinstance(part, Word))
        for row in rows
        if all(isinstance(part, Word) for part in row)
    )


def _slots_with(tree: Node, name: str) -> Iterator[str]:
    for node in walk(tree):
        if isinstance(node, Capture | Tagged) and name in class_names(node.inner):
            yield from slots_of([node])


def tried_values(
    bench: ExchangeBench, classes: Sequence[OpenClass], on_progress: OnProgress, stop: Stop
) -> list[Outcome]:
    """Each phrase of a missed span, and each whole span, in each class of that slot, in the texts that have it; once
    `stop` is asked to, no more of them."""
    tried: dict[tuple[OpenClass, Phrase], None] = {}
    for text, given in zip(bench.texts, bench.given, strict=True):
        for span in sorted(text.spans):
            own = [one for one in classes if span.slot in one.slots]
            words = text.words[span.start : span.end]
            phrases = [one for one in phrases_of(words) if span not in given or one == words] if own else []
            tried |= dict.fromkeys((one, phrase) for one in own for phrase in phrases if phrase not in one.members)
    pairs, found = list(tried), list[Outcome]()
    for first in range(0, len(pairs), AT_ONCE):
        if stop.asked():
            break
        found += outcomes(bench, pairs[first : first + AT_ONCE])
        on_progress(first + AT_ONCE, max(len(pairs), first + AT_ONCE))
    return found


def outcomes(bench: ExchangeBench, tried: Sequence[tuple[OpenClass, Phrase]]) -> list[Outcome]:
    """What becomes of the texts that have a phrase, MOST_TEXTS for each."""
    own = [(one, phrase, text) for one, phrase in tried for text in bench.texts_with.get(phrase, ())]
    fewer = bench.errors_fewer([Exchange(text, (phrase,), one.word) for one, phrase, text in own])
    return [Outcome(one.name, phrase, text, less) for (one, phrase, text), less in zip(own, fewer, strict=True)]


def values_by_class(tried: Sequence[Outcome], among: Collection[int]) -> dict[str, dict[Phrase, int]]:
    """The phrases that each class is to have more, with the errors that each saves, by these texts alone; a phrase
    comes into one class."""
    gains: dict[Phrase, Counter[str]] = defaultdict(Counter)
    better: dict[tuple[str, Phrase], set[int]] = defaultdict(set)
    worse = Counter[tuple[str, Phrase]]()
    for one in tried:
        if one.text in among:
            gains[one.phrase][one.name] += one.fewer
            worse[one.name, one.phrase] += one.fewer < 0
            if one.fewer > 0:
                better[one.name, one.phrase].add(one.text)
    found: dict[str, dict[Phrase, int]] = defaultdict(dict)
    for phrase, by_class in gains.items():
        name, gain = max(by_class.items(), key=lambda pair: pair[1])
        if gain > 0 and len(better[name, phrase]) >= 2 * worse[name, phrase]:
            found[name][phrase] = gain
    return {name: _whole(values, {one: better[name, one] for one in values}) for name, values in found.items()}


def further_values(
    bench: ExchangeBench, own: OpenClass, tried: Sequence[Outcome], among: Collection[int]
) -> frozenset[Phrase]:
    """Whole spans of the slots of a class that do no harm in it, by these texts alone, though none may be corrected by
    them: where they stand other rules are right, or none matches."""
    spans = {
        bench.texts[text].words[span.start : span.end]
        for text in among
        for span in bench.texts[text].spans
        if span.slot in own.slots
    }
    gains = Counter[Phrase]()
    for one in tried:
        if one.name == own.name and one.text in among:
            gains[one.phrase] += one.fewer
    return frozenset(phrase for phrase, gain in gains.items() if gain >= 0 and phrase in spans)


def _whole(values: Mapping[Phrase, int], better: Mapping[Phrase, set[int]]) -> dict[Phrase, int]:
    """The values without parts of others that correct the same texts: *salt lake* next to *salt lake city*."""
    within: dict[Phrase, list[Phrase]] = defaultdict(list)
    for whole in values:
        for part in phrases_of(whole):
            if part != whole and part in values:
                within[part].append(whole)
    return {
        value: gain for value, gain in values.items() if not any(better[value] <= better[one] for one in within[value])
    }
