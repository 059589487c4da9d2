"""A rule among votes on a few texts, and weights that propose changes of it."""

from __future__ import annotations

import numpy as np
from support.networks.tagger_samples import system_of

from re2nn_core.reconstruction.slot_filling.change_choice import ChosenChanges, choose_changes
from re2nn_core.reconstruction.slot_filling.machine_changes import RuleMachine, rule_machine
from re2nn_core.reconstruction.slot_filling.proposed_changes import (
    Proposals,
    ProposedMove,
)
from re2nn_core.reconstruction.slot_filling.vote_table import Ballot, MarkedText, material
from re2nn_core.reconstruction.slot_filling.votes import Members
from re2nn_core.reconstruction.slot_filling.weighted import Block, WeightedRule
from re2nn_core.text.vocabulary import Vocabulary, build_vocabulary

RULE = "$* from [ ( oslo | rome ) ]<x> $*"
WORDS = ("paris", "london", "bern", "table", "please", "to")
TAGS = ("OO", "O", "B-x", "I-x", "B-y", "I-y")
TO_CITY, FROM = 3, 2  # the places of the rule: start, $*, from, the city, $*


def vocabulary_of(rule: str) -> Vocabulary:
    return build_vocabulary([WORDS], always=system_of(f"[slots]\n{rule}").ruleset.words)


def texts_of(*written: str, dev: int = 0, labelled: bool = True) -> list[MarkedText]:
    """Texts as words, those of a slot followed by a colon and its tag; the first `dev` of them are dev texts."""
    found = []
    for place, text in enumerate(written):
        parts = [part.partition(":") for part in text.split()]
        words, tags = tuple(word for word, _, _ in parts), tuple(tag or "O" for _, _, tag in parts)
        found.append(MarkedText(words, tags, labelled, place < dev, tags))
    return found


def weights_of(machine: RuleMachine, vocabulary: Vocabulary, extra: dict[tuple[str, int, int], float]) -> WeightedRule:
    """The weights of a rule as it is written, and further ones of words from one place to another."""
    states = len(machine)
    arcs = np.zeros((len(vocabulary), states, states), dtype=np.float32)
    for target in machine.reading:
        for source in machine.in_front_of(target):
            arcs[Members(vocabulary).read(machine.symbols[target]), source, target] = 1
    for (word, source, target), weight in extra.items():
        arcs[vocabulary.index[word], source, target] = weight
    none = np.zeros(states, dtype=np.float32)
    head = np.zeros((states, len(TAGS)), dtype=np.float32)
    return WeightedRule((_Dense(arcs, none.copy(), none.copy(), head),))


class _Dense(Block):
    """Weights as they are, without factors."""

    def __init__(self, dense: np.ndarray, start: np.ndarray, final: np.ndarray, head: np.ndarray) -> None:
        empty = np.zeros((0, 0), dtype=np.float32)
        super().__init__(empty, empty, empty, empty, start, final, head)
        object.__setattr__(self, "dense", dense)

    def arcs(self, sources, target):  # type: ignore[no-untyped-def, override]
        return self.dense[:, list(sources), target].mean(1)  # type: ignore[attr-defined]

    def strongest(self, sources):  # type: ignore[no-untyped-def, override]
        return self.dense[3:, list(sources)].mean(1).max(0)  # type: ignore[attr-defined]


class Small:
    """One rule among votes on a few texts."""

    def __init__(self, texts: list[MarkedText], rule: str = RULE, logic: str = "") -> None:
        system = system_of(f"[slots]\n{rule}", logic)
        self.vocabulary = vocabulary_of(rule)
        self.machine = rule_machine(system.trees[0][1], "rule", "positions")
        self.ballot = Ballot(material(texts, self.vocabulary, TAGS), [self.machine.transducer], system.logic)

    def best(self, move: ProposedMove, extra: dict[tuple[str, int, int], float], **more: object):  # type: ignore[no-untyped-def]
        weights = weights_of(self.machine, self.vocabulary, extra)
        block = replace_head(weights, more.get("head", {}))  # type: ignore[arg-type]
        hidden = np.asarray([word in more.get("hidden", ()) for word in self.vocabulary.words])  # type: ignore[operator]
        return Proposals(self.ballot, [block], hidden).best(self.machine, move)

    def chosen(self, extra: dict[tuple[str, int, int], float], size: object = None) -> ChosenChanges:
        weights = weights_of(self.machine, self.vocabulary, extra)
        return choose_changes(self.ballot, [self.machine], [weights], size or (lambda rule, machine: 1))  # type: ignore[arg-type]


def replace_head(weights: WeightedRule, head: dict[tuple[int, str], float]) -> WeightedRule:
    for (state, tag), weight in head.items():
        weights.blocks[0].head[state, TAGS.index(tag)] = weight
    return weights


def into_city(**weights: float) -> dict[tuple[str, int, int], float]:
    return {(word, FROM, TO_CITY): weight for word, weight in weights.items()}


CITIES = ("from paris:B-x", "from london:B-x please", "from table", "from oslo:B-x", "from bern:B-x to")
