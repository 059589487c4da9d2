"""Names and comments for the word classes of rules that were read back: `@together.near_68@`, and beside it how many
words these are, which of them weigh most, and what they have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from re2nn_core.automata.symbols import ANY, NUMBER, PUNCTUATION, Symbol, show_symbols, symbol_order
from re2nn_core.reconstruction.weights.thresholded_arcs import KINDS, ThresholdedMachine
from re2nn_core.reconstruction.weights.weighted import WeightedMachine
from re2nn_core.rules.ruleset import RuleSet, WordClass
from re2nn_core.rules.tree import Any, Choice, Number, Punctuation, Word, WordList
from re2nn_core.rules.word_lists.expansion import expanded_list
from re2nn_core.text.counting import counted

LEAST = 0.2  # weight; no threshold is lower
SHOWN = 3  # strongest words
FEW = 3  # words in which a class may differ from one that is reported beside it
SIGNS: dict[type, Symbol] = {Any: ANY, Number: NUMBER, Punctuation: PUNCTUATION}
_DISTINCTIVE = re.compile(r"[^\W\d_][\w\-]+")  # what may stand in a class name and says something there


@dataclass(frozen=True)
class ClassWords:
    """What is known of a set of words: those that weigh most in front; `description` as `WordSets` gives it."""

    strongest: tuple[str, ...]
    description: str = ""


DescribeWords = Callable[[frozenset[Symbol]], ClassWords]
Strongest = dict[tuple[int, int], tuple[str, ...]]
Describe = Callable[[Sequence[str]], str]


def nothing_in_common(_: Sequence[str]) -> str:
    """Where nothing is known of the words."""
    return ""


def no_class_words(_: frozenset[Symbol]) -> ClassWords:
    """Where no weights are known."""
    return ClassWords(())


def strongest_words(machine: WeightedMachine) -> Strongest:
    """The words of each pair of states that weigh at least LEAST there, by falling weight."""
    words = machine.vocabulary.words
    found: Strongest = {}
    for source, target in zip(*np.nonzero((machine.arcs[KINDS:] >= LEAST).any(0)), strict=True):
        weights = machine.arcs[KINDS:, source, target]  # [words]
        order = np.argsort(-weights, kind="stable")[: int((weights >= LEAST).sum())]
        found[int(source), int(target)] = tuple(words[KINDS + place] for place in order)
    return found


def class_words_by_weights(strongest: Strongest, found: ThresholdedMachine, describe: Describe) -> DescribeWords:
    """By the weights of the arc whose words are nearest to those of the class."""

    def describe_words(symbols: frozenset[Symbol]) -> ClassWords:
        arcs = [arc for arc in found.arcs if ANY not in arc.symbols]
        nearest = min(arcs, key=lambda arc: (len(arc.symbols ^ symbols), arc.source, arc.target), default=None)
        by_weight = () if nearest is None else strongest.get((nearest.source, nearest.target), ())
        return ClassWords(
            tuple(word for word in by_weight if word in symbols),
            describe([symbol for symbol in sorted(symbols, key=symbol_order) if isinstance(symbol, str)]),
        )

    return describe_words


def class_name(stem: str, symbols: frozenset[Symbol], words: ClassWords, taken: Collection[str]) -> str:
    """A name after the rule, what the words are or the strongest of them, and how many they are; not among `taken`."""
    kind = re.match(r"mostly (?!words in -)([^;]+)", words.description)
    telling = (word for word in words.strongest if _DISTINCTIVE.fullmatch(word))
    name = f"{stem}.{kind.group(1).replace(' ', '_') if kind else next(telling, 'words')}_{len(symbols)}"
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def class_note(
    symbols: frozenset[Symbol], words: ClassWords, others: Mapping[str, frozenset[Symbol]], *, each: str = "word"
) -> str:
    """What stands beside a class in the file; `others`: the words of classes that it may be compared with. `each`: what
    its members are."""
    reported = [counted(len(symbols), each)]
    if words.strongest:
        reported.append(f"strongest: {', '.join(words.strongest[:SHOWN])}")
    reported += (part for part in words.description.split("; ") if part.startswith(("mostly ", "like: ")))
    near = min(others, key=lambda name: len(others[name] ^ symbols), default=None)
    if near is not None and len(others[near] ^ symbols) <= FEW:
        reported.append(f"as @{near}@{_but(symbols, others[near])}")
    return "; ".join(reported)


def _but(symbols: frozenset[Symbol], other: frozenset[Symbol]) -> str:
    came, went = show_symbols(symbols - other), show_symbols(other - symbols)
    return "".join(f", {how} {', '.join(words)}" for how, words in (("with", came), ("without", went)) if words)


def class_sets(ruleset: RuleSet, *, lowercase: bool = True) -> dict[str, frozenset[Symbol]]:
    """The words and signs of the rule set's classes of single words; `lowercase` folds those of lists, as rules do."""
    found: dict[str, frozenset[Symbol]] = {}
    for entry in ruleset.entries:
        if isinstance(entry, WordClass):
            tree = expanded_list(entry.tree, lowercase=lowercase) if isinstance(entry.tree, WordList) else entry.tree
            options = tree.options if isinstance(tree, Choice) else (tree,)
            symbols = [option.text if isinstance(option, Word) else SIGNS.get(type(option)) for option in options]
            if None not in symbols:
                found[entry.name] = frozenset(symbol for symbol in symbols if symbol is not None)
    return found


def class_words_by_counts(counts: Mapping[str, float], describe: Describe) -> DescribeWords:
    """By how often each word, or phrase, stands where the class is read."""

    def describe_words(symbols: frozenset[Symbol]) -> ClassWords:
        names = sorted(str(symbol) for symbol in symbols)
        single = [name for name in names if " " not in name]
        # What some of the phrases have in common says little of all of them.
        return ClassWords(by_weight(names, counts), describe(single) if len(single) == len(names) else "")

    return describe_words


def by_weight(words: list[str], weights: Mapping[str, float]) -> tuple[str, ...]:
    """Words by falling weight, those without one left out; of equals the one that stands first."""
    known = [word for word in words if word in weights]
    order = np.argsort([-weights[word] for word in known], kind="stable")
    return tuple(known[place] for place in order)
