"""Everything in the package that can tell which outputs a rule may give the words of a sentence, one function each.

An engine takes cases, many at once, and gives for each word of each the set of its outputs, all empty where the rule
does not accept the sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import torch
from support.networks.tagger_samples import batch_of, system_of_trees, tagger_of
from support.rules import tagging_oracles
from support.rules.accept_cases import all_cases
from support.rules.tagged_rules import MACHINES, TagCase, tag_cases

from re2nn_core.automata.output_sets import TagReader, TagSets, tag_sets
from re2nn_core.automata.reverse import reverse_tree
from re2nn_core.automata.transducer import minimal_transducer
from re2nn_core.network.slot_filling.transducer_inference import (
    fst_label_scores,
    fst_tensors,
    independent_label_scores,
    independent_tensors,
)
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tagging import WILDCARD, has_slots, tagged, tags_of_tree
from re2nn_core.rules.tree import CaseWord, Node, leaves_of, named_words
from re2nn_core.tensors.tagged_factors import TransducerKind, tag_factors
from re2nn_core.text.vocabulary import Vocabulary, build_vocabulary
from re2nn_core.text.word_patterns.classes import jointly_named


@dataclass(frozen=True)
class SlotEngine:
    name: str
    predictions: Callable[[Sequence[TagCase]], list[TagSets]]


FILES = ("tagging", *dict.fromkeys(case.file for case in all_cases()))


@cache
def every_case() -> dict[str, list[TagCase]]:
    """For each file its cases: the table of tagging, and that of acceptance, whose rules say the wildcard wherever they
    accept; those that capture or tag are left out."""
    found: dict[str, list[TagCase]] = {file: [] for file in FILES}
    found["tagging"] = tag_cases()
    for case in (case for case in all_cases() if not has_slots(case.rule.expanded)):
        tree = case.rule.expanded
        for sentence, accepted in zip(case.sentences, case.predictions, strict=True):
            sequences = frozenset({(WILDCARD,) * len(sentence)} if accepted else ())
            name = f"{case.name}: {' '.join(sentence)}"
            found[case.file].append(TagCase(name, tree, sentence, sequences))
    return found


def expected(case: TagCase) -> TagSets:
    """The prediction of the table, as engines give it."""
    return tuple(frozenset(row[place] for row in case.sequences) for place in range(len(case.sentence)))


def by_machine(make: Callable[[Node], object]) -> Callable[[Sequence[TagCase]], list[TagSets]]:
    """By what `make` makes of a tagged tree."""

    def predictions(cases: Sequence[TagCase]) -> list[TagSets]:
        return [or_empty(tag_sets(make(tagged(case.tree)), case.sentence), case) for case in cases]

    return predictions


def or_empty(sets: TagSets | None, case: TagCase) -> TagSets:
    return (frozenset(),) * len(case.sentence) if sets is None else sets


def definition(cases: Sequence[TagCase]) -> list[TagSets]:
    return [or_empty(tagging_oracles.tag_sets(case.tree, case.sentence), case) for case in cases]


def printed_rules(cases: Sequence[TagCase]) -> list[TagSets]:
    """What is printed says the same when it is read again."""
    trees = [parse_expression(print_expression(case.tree)) for case in cases]
    put_in = [expand(t, {}, lowercase=True) if any(isinstance(n, CaseWord) for n in leaves_of(t)) else t for t in trees]
    read = [TagCase(c.name, tree, c.sentence, c.sequences) for c, tree in zip(cases, put_in, strict=True)]
    return definition(read)


def reversed_rules(cases: Sequence[TagCase]) -> list[TagSets]:
    """Rules with their tags, and sentences, both from the end to the beginning."""
    found = []
    for case in cases:
        machine = MACHINES["positions"](reverse_tree(tagged(case.tree)))
        found.append(or_empty(tag_sets(machine, case.sentence[::-1]), case)[::-1])
    return found


def many_rules(cases: Sequence[TagCase]) -> list[TagSets]:
    """All rules and all sentences at once."""
    trees = list(dict.fromkeys(case.tree for case in cases))
    read = TagReader([tagged(tree) for tree in trees]).read([case.sentence for case in cases])
    return [_own(case, trees, readings) for case, readings in zip(cases, read, strict=True)]


def rule_system(cases: Sequence[TagCase]) -> list[TagSets]:
    """As many_rules, from the system that the application asks."""
    trees = list(dict.fromkeys(case.tree for case in cases))
    read = system_of_trees(trees).readings([case.sentence for case in cases])
    return [_own(case, trees, readings) for case, readings in zip(cases, read, strict=True)]


def _own(case: TagCase, trees: Sequence[Node], readings: Sequence[object]) -> TagSets:
    """What a case's own rule says among all that accept its sentence."""
    rule = trees.index(case.tree)
    return or_empty(next((reading.sets for reading in readings if reading.rule == rule), None), case)


def vocabulary_for(cases: Sequence[TagCase]) -> Vocabulary:
    """The rules' words and those of every other sentence: the rest of the words are unknown ones."""
    named = frozenset().union(*(named_words(case.tree) for case in cases))
    return build_vocabulary([case.sentence for case in cases[::2]], always=jointly_named([named]))


def _scored(cases: Sequence[TagCase], scores: Callable[[Node, Vocabulary, Sequence[str], TagCase], object]) -> Iterator:
    for number, case in enumerate(cases):
        tree = tagged(case.tree)
        tags = (WILDCARD, *tags_of_tree(tree))
        vocabulary = vocabulary_for([case] if number % 2 else [TagCase("", case.tree, (), frozenset())])
        rows = scores(tree, vocabulary, tags, case)[0].tolist()
        yield tuple(frozenset(tag for tag, score in zip(tags, row, strict=True) if score > 0.5) for row in rows)


def algorithm_1(cases: Sequence[TagCase]) -> list[TagSets]:
    def scores(tree: Node, vocabulary: Vocabulary, tags: Sequence[str], case: TagCase) -> torch.Tensor:
        tensors = fst_tensors(minimal_transducer(tree), vocabulary, tags)
        return fst_label_scores(tensors, batch_of(vocabulary, [case.sentence]), "acceptance")

    return list(_scored(cases, scores))


def algorithm_2(kind: TransducerKind) -> Callable[[Sequence[TagCase]], list[TagSets]]:
    def scores(tree: Node, vocabulary: Vocabulary, tags: Sequence[str], case: TagCase) -> torch.Tensor:
        tensors = independent_tensors(tag_factors([("r", tree)], vocabulary, kind), tags)
        return independent_label_scores(tensors, batch_of(vocabulary, [case.sentence]), "acceptance")

    return lambda cases: list(_scored(cases, scores))


def network(**form: object) -> Callable[[Sequence[TagCase]], list[TagSets]]:
    """What each rule emits in one untrained tagger of all rules, for all sentences."""

    def predictions(cases: Sequence[TagCase]) -> list[TagSets]:
        trees = list(dict.fromkeys(case.tree for case in cases))
        vocabulary = vocabulary_for(cases)
        tagger = tagger_of(system_of_trees(trees), vocabulary, **form)
        numbers = sorted(range(len(cases)), key=lambda number: -len(cases[number].sentence))
        batch = batch_of(vocabulary, [cases[number].sentence for number in numbers])
        with torch.no_grad():
            reading = tagger.read(batch)
            emitted = tagger.padded(reading.emitted, reading.order, batch)  # [batch, time, emitters]
        found: dict[int, TagSets] = {}
        for row, number in enumerate(numbers):
            own = [(n, tag) for n, (rule, tag) in enumerate(tagger.emitters) if trees[rule] == cases[number].tree]
            places = emitted[row, : len(cases[number].sentence)].tolist()
            found[number] = tuple(frozenset(tag for n, tag in own if place[n] > 0.5) for place in places)
        return [found[number] for number in range(len(cases))]

    return predictions


SLOT_ENGINES = (
    SlotEngine("definition", definition),
    SlotEngine("printed rule", printed_rules),
    *(SlotEngine(name, by_machine(make)) for name, make in MACHINES.items()),
    SlotEngine("reversed rule", reversed_rules),
    SlotEngine("reader of many rules", many_rules),
    SlotEngine("rule system", rule_system),
    SlotEngine("algorithm 1", algorithm_1),
    SlotEngine("algorithm 2", algorithm_2("ifst")),
    SlotEngine("algorithm 2 on positions", algorithm_2("positions")),
    SlotEngine("network of positions", network()),
    SlotEngine("network of independent transducers", network(transducer="ifst")),
    SlotEngine("network with extra states", network(extra_states=4)),
    SlotEngine("network with extra states, blocks open", network(extra_states=2, block_diagonal=False)),
    SlotEngine("network with word vectors", network(vectors="given", train_words=True)),
    SlotEngine("network with the mixture at one", network(vectors="given", rule_weight=1.0, transducer="ifst")),
    SlotEngine("network with gates", network(cell="gru")),
    SlotEngine("network with all of it", network(vectors="given", auxiliary="lstm", decoding="crf", extra_states=1)),
)
