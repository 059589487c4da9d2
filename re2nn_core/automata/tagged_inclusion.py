"""Inclusion and overlap of rules that tag words: as inclusion.py, over sentences whose words carry a tag.

A transducer's language are the pairs of a sentence and one tag for each of its words that some accepting path gives
(Jiang et al., EMNLP 2021, section 2.2). Two rules say the same where these languages are equal.
"""

from __future__ import annotations

from dataclasses import dataclass

from re2nn_core.automata.inclusion import (
    PAIR_BUDGET,
    JointColumns,
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
    """A letter (word, tag) for each column, and for either side the states that it enters."""

    letters: tuple[tuple[str, str], ...]
    masks: tuple[tuple[int, ...], tuple[int, ...]]


def shortest_tagged_escape(
    left: PositionTransducer, right: PositionTransducer, *, budget: int = PAIR_BUDGET
) -> TaggedSentence | None:
    """A shortest tagged sentence of `left` that is none of `right`; None if there is none. StateBudgetError."""
    columns = _tagged_columns(left, right, joint_columns((left.automaton, right.automaton)))
    path = escape_path(left.automaton, right.automaton, columns.masks, budget=budget)
    return None if path is None else _sentence([columns.letters[column] for column in path])


def shortest_dispute(
    left: PositionTransducer, right: PositionTransducer, *, budget: int = PAIR_BUDGET
) -> tuple[str, ...] | None:
    """A shortest sentence that both accept and in which they give one word different tags of slots; None if there is
    none. StateBudgetError."""

    def clashes(one: int, other: int) -> bool:
        a, b = left.outputs[one], right.outputs[other]
        return a is not None and b is not None and a != b and slot_of(a) is not None and slot_of(b) is not None

    return shortest_clash(left.automaton, right.automaton, clashes, budget=budget)


def _tagged_columns(left: PositionTransducer, right: PositionTransducer, words: JointColumns) -> _TaggedColumns:
    by_tag = _states_by_tag(left), _states_by_tag(right)
    found = {}
    for word, *masks in zip(words.words, *words.masks, strict=True):
        for tag, left_states in sorted(by_tag[0].items()):
            pair = masks[0] & left_states, masks[1] & by_tag[1].get(tag, 0)
            # A letter that the left cannot read starts no escape.
            if pair[0]:
                found[word, tag] = pair
    lefts, rights = tuple(pair[0] for pair in found.values()), tuple(pair[1] for pair in found.values())
    return _TaggedColumns(tuple(found), (lefts, rights))


def _states_by_tag(machine: PositionTransducer) -> dict[str, int]:
    found: dict[str, int] = {}
    for state, output in enumerate(machine.outputs):
        if output is not None:
            found[output] = found.get(output, 0) | 1 << state
    return found


def _sentence(letters: list[tuple[str, str]]) -> TaggedSentence:
    return TaggedSentence(tuple(word for word, _ in letters), tuple(tag for _, tag in letters))
