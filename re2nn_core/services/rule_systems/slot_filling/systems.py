"""A symbolic rule system for slots: rules with captures or tags, their priorities, and the tags they give words
(decided in decided_tags.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from re2nn_core.automata.output_sets import RuleTags, TagReader
from re2nn_core.errors import Fault, InputError
from re2nn_core.rules.logic.priorities import SlotLogic, ordered_tags, read_slot_logic
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet, tokenization_for
from re2nn_core.rules.tagging import (
    has_slots,
    slot_of,
    slots_of,
    tagged,
    tags_of_tree,
    with_slot_case,
)
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_systems.slot_filling.decided_tags import TagDecider, silenced, votes_left
from re2nn_core.text.spans import Span, spans_of
from re2nn_core.text.tokenization import Tokenization, tokenize

if TYPE_CHECKING:
    from re2nn_core.store import ProjectRecord, RuleVersion

Tags = tuple[str, ...]


@lru_cache(maxsize=512)  # of systems that are compared nearly all rules are the same
def _tagged(tree: Node, known_slots: tuple[str, ...]) -> Node:
    return tagged(with_slot_case(tree, known_slots))


@dataclass(frozen=True)
class SlotSystem:
    """Rules and priorities as read, and as written. `known_slots`: how the data spell slots, where the case of letters
    in the rules does not count; empty where it does."""

    ruleset: RuleSet
    logic: SlotLogic
    tokenization: Tokenization
    rules_text: str
    logic_text: str
    known_slots: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokenization", tokenization_for(self.ruleset, self.tokenization))

    @cached_property
    def trees(self) -> tuple[tuple[str, Node], ...]:
        """(name, tagged tree) of each rule."""
        return tuple((rule.name, _tagged(rule.expanded, tuple(self.known_slots))) for rule in self.ruleset.rules)

    @property
    def rule_names(self) -> tuple[str, ...]:
        return tuple(rule.name for rule in self.ruleset.rules)

    @cached_property
    def tags(self) -> Tags:
        """The wildcard, O, then the tags in the order in which the rules name them."""
        return ordered_tags([tags_of_tree(tree) for _, tree in self.trees])

    @cached_property
    def slots(self) -> Tags:
        """The slots in the order in which the rules name them."""
        return slots_of([tree for _, tree in self.trees])

    @cached_property
    def spelt(self) -> dict[str, str]:
        """How the data spell the slots that the rules write otherwise."""
        pairs = ((slot, spelt_slot(slot, self.known_slots)) for slot in slots_of(self.ruleset))
        return {slot: found for slot, found in pairs if slot != found}

    @cached_property
    def reader(self) -> TagReader:
        """StateBudgetError names the rule that is too large."""
        return TagReader([tree for _, tree in self.trees], self.rule_names)

    @cached_property
    def silent(self) -> dict[str, frozenset[str]]:
        """The tags that a tag silences."""
        return silenced(self.logic, self.tags)

    def readings(self, sentences: Sequence[Sequence[str]]) -> list[list[RuleTags]]:
        """For each sentence the rules that accept it, with the tags that they may give each word."""
        return self.reader.read(sentences)

    def tags_of_words(self, sentences: Sequence[Sequence[str]]) -> list[Tags]:
        """One tag for each word of each sentence."""
        read = self.readings(sentences)
        return [self.decide(words, readings) for words, readings in zip(sentences, read, strict=True)]

    def spans(self, texts: Sequence[str]) -> list[tuple[Span, ...]]:
        """The spans of each text, in characters of it."""
        tokens = [tokenize(text, self.tokenization) for text in texts]
        predictions = self.tags_of_words([tuple(token.text for token in one) for one in tokens])
        return [spans_of(tags, one) for tags, one in zip(predictions, tokens, strict=True)]

    def decide(self, words: Sequence[str], readings: Sequence[RuleTags]) -> Tags:
        """One tag for each word of a sentence, from what the rules that accept it claim."""
        return self._decider.decide(words, readings)

    def divided(self, sentences: Sequence[Sequence[str]], predictions: Sequence[Tags]) -> list[Tags]:
        """What an untrained network of the rules decided word by word, divided into spans as the rules divide it."""
        found = list(predictions)
        # One word of a slot between words of none has one reading.
        places = [place for place, tags in enumerate(predictions) if any(map(_neighbours, tags, tags[1:]))]
        if places and not self._decider.by_words:
            read = self.readings([sentences[place] for place in places])
            for place, readings in zip(places, read, strict=True):
                found[place] = self._decider.divided(sentences[place], predictions[place], readings)
        return found

    def disputed(self, claims: tuple[frozenset[str], ...]) -> bool:
        """Whether more than one claim on a word is left behind all priorities; `claims` are those of each rule."""
        known = self._disputed
        if claims not in known:
            known[claims] = len(votes_left(claims, self.silent)) > 1
        return known[claims]

    @cached_property
    def _disputed(self) -> dict[tuple[frozenset[str], ...], bool]:
        """What `disputed` has found so far."""
        return {}

    @cached_property
    def _decider(self) -> TagDecider:
        return TagDecider(self.tags, self.logic, lambda: [tree for _, tree in self.trees])


def _neighbours(tag: str, following: str) -> bool:
    slot = slot_of(tag)
    return slot is not None and slot == slot_of(following)


def spelt_slot(slot: str, known: Sequence[str]) -> str:
    """The slot as it is spelt among the known ones, whatever the case of its letters; as it is where it is new."""
    return slot if slot in known else next((name for name in known if name.casefold() == slot.casefold()), slot)


def slot_system_without_rules(tokenization: Tokenization, rules_text: str = "", logic_text: str = "") -> SlotSystem:
    """The system of no rule at all, whose text has comments alone. LogicError for priorities between slots, of which
    there are none."""
    return SlotSystem(RuleSet(()), read_slot_logic(logic_text, ()), tokenization, rules_text, logic_text)


def read_slot_system(
    rules_text: str,
    logic_text: str | None,
    tokenization: Tokenization,
    *,
    known_slots: Sequence[str] = (),
    rules_file: str = "<rules>",
    logic_file: str = "<logic>",
) -> tuple[SlotSystem, tuple[Fault, ...]]:
    """The system of a rule text and a text of priorities (TOML, may be empty), with the warnings of the rule text.
    `known_slots`: the slots of the data, to spell those of the rules where only the case of letters differs.

    RuleError, LogicError; InputError for rules that capture nothing.
    """
    read = read_rules(rules_text, file=rules_file, lowercase=tokenization.lowercase)
    if not any(has_slots(rule.expanded) for rule in read.ruleset.rules):
        raise InputError(
            f"{rules_file}: no rule captures a word. Write [ ... ]<slot> around what fills a slot, as in: "
            "$* from [ $ ]<city> $*"
        )
    text = logic_text or ""
    bare = SlotSystem(read.ruleset, SlotLogic(), tokenization, rules_text, text, tuple(known_slots))
    logic = read_slot_logic(text, bare.slots, file=logic_file)
    return SlotSystem(read.ruleset, logic, tokenization, rules_text, text, tuple(known_slots)), read.warnings


def slot_system_of(project: ProjectRecord, version: RuleVersion, known_slots: Sequence[str] = ()) -> SlotSystem:
    """The rules of a version, read; `known_slots` as known_slots_of tells them. RuleError and LogicError with every
    fault; InputError where none captures a word."""
    system, _ = read_slot_system(
        version.rules_text,
        version.logic_text,
        project.tokenization,
        known_slots=known_slots,
        rules_file="rules",
        logic_file="label logic",
    )
    return system
