"""Inclusion and overlap of rules that tag words: as inclusion.py, over sentences whose words carry a tag.

A transducer's language are the pairs of a sentence and one tag for each of its words that some accepting path gives
(Jiang et al., EMNLP 2021, section 2.2). Two rules say the same where these languages are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.automata.inclusion import (
    PAIR_BUDGET,
    common_escape_path,
    escape_path,
    joint_columns,
    shortest_clash,
)
from re2nn_core.automata.transducer import PositionTransducer
from re2nn_core.rules.tagging import slot_of


@dataclass(frozen=True)
class TaggedSentence:
    """Words, and the tag of each."""

    words: tuple[str, ...]
    tags: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.words) != len(self.tags):
            raise ValueError(f"{len(self.words)} words need as many tags (got {len(self.tags)})")


@dataclass(frozen=True)
class _TaggedColumns:
    """A letter (word, tag) for each column, and for each machine the states that it enters."""

    letters: tuple[tuple[str, str], ...]
    masks: tuple[tuple[int, ...], ...]

    def sentence(self, path: tuple[int, ...] | None) -> TaggedSentence | None:
        """What the columns of a path say."""
        if path is None:
            return None
        letters = [self.letters[column] for column in path]
        return TaggedSentence(tuple(word for word, _ in letters), tuple(tag for _, tag in letters))


def shortest_tagged_escape(
    left: PositionTransducer, right: PositionTransducer, *, marking: bool = False, budget: int = PAIR_BUDGET
) -> TaggedSentence | None:
    """A shortest tagged sentence of `left` that is none of `right`; None if there is none. `marking`: one in which some
    word fills a slot. StateBudgetError."""
    columns = _tagged_columns((left, right))
    wanted = [slot_of(tag) is not None for _, tag in columns.letters] if marking else None
    return columns.sentence(escape_path(left.automaton, right.automaton, columns.masks, wanted=wanted, budget=budget))


def shortest_tagged_common_escape(
    one: PositionTransducer, other: PositionTransducer, right: PositionTransducer, *, budget: int = PAIR_BUDGET
) -> TaggedSentence | None:
    """A shortest tagged sentence of both `one` and `other` that is none of `right`; None if there is none.
    StateBudgetError."""
    columns = _tagged_columns((one, other, right))
    automata = one.automaton, other.automaton, right.automaton
    return columns.sentence(common_escape_path(*automata, columns.masks, budget=budget))


def shortest_dispute(
    left: PositionTransducer, right: PositionTransducer, *, budget: int = PAIR_BUDGET
) -> tuple[str, ...] | None:
    """A shortest sentence that both accept and in which they give one word different tags of slots; None if there is
    none. StateBudgetError."""

    def clashes(one: int, other: int) -> bool:
        a, b = left.outputs[one], right.outputs[other]
        return a is not None and b is not None and a != b and slot_of(a) is not None and slot_of(b) is not None

    return shortest_clash(left.automaton, right.automaton, clashes, budget=budget)


def _tagged_columns(machines: Sequence[PositionTransducer]) -> _TaggedColumns:
    words = joint_columns([machine.automaton for machine in machines])
    by_tag = [_states_by_tag(machine) for machine in machines]
    found = {}
    for word, *entered in zip(words.words, *words.masks, strict=True):
        for tag in sorted(by_tag[0]):
            masks = tuple(mask & states.get(tag, 0) for mask, states in zip(entered, by_tag, strict=True))
            # A letter that the first cannot read starts no escape.
            if masks[0]:
                found[word, tag] = masks
    by_machine = [tuple(masks[place] for masks in found.values()) for place in range(len(machines))]
    return _TaggedColumns(tuple(found), tuple(by_machine))


def _states_by_tag(machine: PositionTransducer) -> dict[str, int]:
    found: dict[str, int] = {}
    for state, output in enumerate(machine.outputs):
        if output is not None:
            found[output] = found.get(output, 0) | 1 << state
    return found
