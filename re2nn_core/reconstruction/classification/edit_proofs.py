"""What an edit of a rule does to its language, against a rule that was read back.

The language of a rule for labels are its sentences; that of a rule for slots are sentences whose words carry a tag
(automata/tagged_inclusion.py). Both are asked the same questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from re2nn_core.automata.inclusion import shortest_common_escape, shortest_escape, unnamed_mask
from re2nn_core.automata.positions import PositionAutomaton, build_positions
from re2nn_core.automata.tagged_inclusion import shortest_tagged_common_escape, shortest_tagged_escape
from re2nn_core.automata.transducer import PositionTransducer, position_transducer
from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.tagging import tagged, with_slot_case
from re2nn_core.rules.tree import Node, choice

# One proof looks at no more pairs; the machines behind a change that an analyst can read need a few hundred.
PAIRS = 20_000

Machine = TypeVar("Machine")


@dataclass(frozen=True)
class Language(Generic[Machine]):
    """A kind of language. `machine` reads what any of some trees (classes put in) reads; `escape` and `common_escape`
    give None where nothing escapes; `states` is the automaton of a machine."""

    machine: Callable[[Sequence[Node]], Machine]
    escape: Callable[..., Any]
    common_escape: Callable[..., Any]
    states: Callable[[Machine], PositionAutomaton]


SENTENCES = Language[PositionAutomaton](
    lambda trees: build_positions(choice(list(trees))), shortest_escape, shortest_common_escape, lambda machine: machine
)


def tagged_sentences(known_slots: Sequence[str] = ()) -> Language[PositionTransducer]:
    """Sentences whose words carry a tag; `known_slots`: how the data spell slots."""

    def machine(trees: Sequence[Node]) -> PositionTransducer:
        return position_transducer(choice([tagged(with_slot_case(tree, known_slots)) for tree in trees]))

    return Language(machine, shortest_tagged_escape, shortest_tagged_common_escape, lambda made: made.automaton)


class Proofs(Generic[Machine]):
    """A written rule and a learned one, classes put in, and what an edit of the first is to the second. A question that
    needs too many pairs of states is predicted with no, and counted as `undecided`."""

    def __init__(self, language: Language[Machine], written: Node, learned: Node) -> None:
        self.language, self.undecided = language, 0
        self.written, self.learned = language.machine([written]), language.machine([learned])
        self.either = language.machine([written, learned])

    def groups(self) -> list[frozenset[str]]:
        """Words of the learned rule that neither machine tells apart, without those that it reads as any other."""
        learned, written = self.language.states(self.learned), self.language.states(self.written)
        common = tuple(unnamed_mask(machine, 0) for machine in (learned, written))
        groups: dict[tuple[int, int], set[str]] = {}
        for word in sorted(learned.words):
            groups.setdefault((learned.entered_by(word), written.entered_by(word)), set()).add(word)
        return [frozenset(words) for masks, words in groups.items() if masks != common]

    def lets_in(self, edited: Node) -> bool:
        """Whether all that the edit lets in is learned, and it lets anything in."""
        after = self.language.machine([edited])
        return self._nothing(self.language.escape, after, self.either) and not self._nothing(
            self.language.escape, after, self.written
        )

    def shuts_out(self, edited: Node) -> bool:
        """Whether nothing that the edit shuts out is learned."""
        return self._nothing(self.language.common_escape, self.written, self.learned, self.language.machine([edited]))

    def _nothing(self, search: Callable[..., object], *machines: Machine) -> bool:
        """Whether a search finds nothing; one that looks at too many pairs decides nothing."""
        try:
            return search(*machines, budget=PAIRS) is None
        except StateBudgetError:
            self.undecided += 1
            return False


def is_partial_change(language: Language[Machine], written: Node, learned: Node, now: Node) -> bool | None:
    """Whether a rule (classes put in, as all three) reads nothing but what the written or the learned one reads, and
    all that both read: it has changed towards the learned one and no other way. None where that needs too many pairs of
    states."""
    first, last, either, own = (language.machine(trees) for trees in ([written], [learned], [written, learned], [now]))
    try:
        if language.escape(own, either, budget=PAIRS) is not None:
            return False
        return language.common_escape(first, last, own, budget=PAIRS) is None
    except StateBudgetError:
        return None


AnyLanguage = Language[Any]
AnyProofs = Proofs[Any]
