"""How a word gets one tag from what the rules that accept its sentence claim for it.

Each rule votes at each word for the tags that some accepting path of it gives that word. A tag is silent where a tag
of higher priority has a vote; of the others the one with most votes is taken, of equals O, then the one that the rules
name first; a word without votes is O. Where a word is claimed for the begin and for the inside of a slot, the spans
are chosen among those that readings of the rules give (reading_choice.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from re2nn_core.automata.output_sets import RuleTags, reading_spans
from re2nn_core.automata.transducer import PositionTransducer, position_transducer
from re2nn_core.rules.logic.priorities import SlotLogic
from re2nn_core.rules.tagging import WILDCARD, tags_of_tree
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_systems.slot_filling.reading_choice import among_readings
from re2nn_core.text.spans import OUTSIDE, Span

Tags = tuple[str, ...]


class TagDecider:
    """Decides the tags of words for rules that give these tags; what it has decided once it keeps. `trees` gives the
    tagged tree of each rule, which only sentences with several readings ask for."""

    def __init__(self, tags: Tags, logic: SlotLogic, trees: Callable[[], Sequence[Node]]) -> None:
        self.tags, self.silent, self._longest = tags, silenced(logic, tags), logic.longest
        self._make_trees = trees
        self._decided: dict[tuple[frozenset[str], ...], tuple[str, bool]] = {}
        self._machines: dict[int, PositionTransducer] = {}

    def decide(self, words: Sequence[str], readings: Sequence[RuleTags]) -> Tags:
        """One tag for each word of a sentence, from what the rules that accept it claim."""
        if not readings:
            return (OUTSIDE,) * len(words)
        merged = self._merged_tags(readings)
        tags = tuple(tag for tag, _ in merged)
        return self._chosen(words, tags, readings) if any(several for _, several in merged) else tags

    def divided(self, words: Sequence[str], tags: Tags, readings: Sequence[RuleTags]) -> Tags:
        """The tags that were decided word by word, divided into spans as `decide` does it."""
        return (
            self._chosen(words, tags, readings) if any(several for _, several in self._merged_tags(readings)) else tags
        )

    def _merged_tags(self, readings: Sequence[RuleTags]) -> list[tuple[str, bool]]:
        """For each word its tag, and whether it is claimed for both the begin and the inside of a slot."""
        decided, merged = self._decided, []
        for claims in zip(*(reading.sets for reading in readings), strict=True):
            if claims not in decided:
                tags = frozenset[str]().union(*claims)
                several = any(f"I-{tag[2:]}" in tags for tag in tags if tag.startswith("B-"))
                decided[claims] = decide_tag(claims, self.tags, self.silent), several
            merged.append(decided[claims])
        return merged

    def _chosen(self, words: Sequence[str], tags: Tags, readings: Sequence[RuleTags]) -> Tags:
        if self.by_words:
            return tags
        spans = frozenset[Span]().union(*(reading_spans(self._machine(reading.rule), words) for reading in readings))
        return among_readings(tags, spans, longest=self._longest)

    def _machine(self, rule: int) -> PositionTransducer:
        if rule not in self._machines:
            self._machines[rule] = position_transducer(self._trees[rule])
        return self._machines[rule]

    @cached_property
    def _trees(self) -> Sequence[Node]:
        return self._make_trees()

    @cached_property
    def by_words(self) -> bool:
        """Whether a rule gives words the tag O: rules as published tag words, not spans."""
        return any(OUTSIDE in tags_of_tree(tree) for tree in self._trees)


def silenced(logic: SlotLogic, tags: Tags) -> dict[str, frozenset[str]]:
    """For each tag that has priority over others those others, which are silent where it has a vote."""
    found: dict[str, set[str]] = {}
    for strong, weak in logic.silences(tags):
        found.setdefault(tags[strong], set()).add(tags[weak])
    return {tag: frozenset(weak) for tag, weak in found.items()}


def votes_left(claims: Sequence[frozenset[str]], silent: Mapping[str, frozenset[str]]) -> dict[str, int]:
    """How many rules vote for each tag of a word; tags that a stronger one silences are left out."""
    votes: dict[str, int] = {}
    for tags in claims:
        for tag in tags:
            if tag != WILDCARD:
                votes[tag] = votes.get(tag, 0) + 1
    silenced = frozenset[str]().union(*(silent.get(tag, frozenset()) for tag in votes))
    return {tag: count for tag, count in votes.items() if tag not in silenced}


def decide_tag(claims: Sequence[frozenset[str]], order: Sequence[str], silent: Mapping[str, frozenset[str]]) -> str:
    """The tag of a word from what each rule claims, as the module says."""
    votes = votes_left(claims, silent)
    return max((tag for tag in order if tag in votes), key=votes.__getitem__, default=OUTSIDE)
