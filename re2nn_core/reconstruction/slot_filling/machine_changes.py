"""A rule that tags words as places that read words, and the changes that can be made to it.

A place reads one word, gives it an output, and lies in one state of the rule's block in the network. Several places may
lie in one state: those of a minimal transducer that are entered by different words, and those that a change adds.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from re2nn_core.automata.independent import IndependentTransducer, independent
from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.automata.symbols import ANY, END, START, Symbol
from re2nn_core.automata.transducer import PositionTransducer, minimal_transducer, position_transducer
from re2nn_core.rules.tree import Node
from re2nn_core.tensors.tagged_factors import TransducerKind

_ANCHORS = frozenset((START, END))


@dataclass(frozen=True)
class RuleMachine:
    """`states[p]` is the state of the network's block that place p lies in; place 0 is the start and reads nothing."""

    transducer: PositionTransducer
    states: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.states) != len(self.transducer):
            raise ValueError(f"{len(self.transducer)} places need as many states (got {len(self.states)})")

    def __len__(self) -> int:
        return len(self.states)

    @property
    def symbols(self) -> tuple[frozenset[Symbol], ...]:
        return self.transducer.automaton.symbols

    @property
    def outputs(self) -> tuple[str | None, ...]:
        return self.transducer.outputs

    @property
    def reading(self) -> list[int]:
        """The places that read words."""
        return [place for place, output in enumerate(self.outputs) if output is not None]

    def follows(self, source: int, target: int) -> bool:
        """Whether a word of the target may stand behind one of the source."""
        return bool(self.transducer.automaton.follow[source] >> target & 1)

    def in_front_of(self, place: int) -> list[int]:
        """The places that a place may follow."""
        return [source for source in range(len(self)) if self.follows(source, place)]

    def like(self, place: int) -> list[int]:
        """The places that the same ones may stand behind, such as the start and a leading `$*`."""
        follow = self.transducer.automaton.follow
        return [other for other in range(len(self)) if follow[other] == follow[place] and self._reads(other)]

    def _reads(self, place: int) -> bool:
        return place == 0 or self.outputs[place] is not None

    def in_state(self, state: int) -> list[int]:
        """The places that lie in a state."""
        return [place for place, own in enumerate(self.states) if own == state]


def rule_machine(tree: Node, name: str, kind: TransducerKind) -> RuleMachine:
    """The machine of a tagged tree, its states those of the network. StateBudgetError."""
    if kind == "positions":
        transducer = position_transducer(tree, name)
        return RuleMachine(transducer, tuple(range(len(transducer))))
    return _of_independent(independent(minimal_transducer(tree, rule=name)))


def _of_independent(machine: IndependentTransducer) -> RuleMachine:
    """A place for each state and set of words that leads there."""
    entered: dict[tuple[int, frozenset[Symbol]], int] = {}  # the states that such a place is entered from
    for arc in machine.arcs:
        for part in (arc.symbols - _ANCHORS, arc.symbols & _ANCHORS):
            if part:
                key = (arc.target, part)
                entered[key] = entered.get(key, 0) | 1 << arc.source
    states = (machine.start, *(state for state, _ in entered))
    follow = [
        sum(1 << place for place, sources in enumerate(entered.values(), start=1) if sources >> state & 1)
        for state in states
    ]
    final = sum(1 << place for place, state in enumerate(states) if state in machine.finals)
    symbols = (frozenset[Symbol](), *(part for _, part in entered))
    outputs = (None, *(None if read & _ANCHORS else machine.outputs[state] for state, read in entered))
    return RuleMachine(PositionTransducer(PositionAutomaton(symbols, tuple(follow), final), outputs), states)


def machine_reading(machine: RuleMachine, place: int, symbols: frozenset[Symbol]) -> RuleMachine:
    """The place reads other words."""
    every = list(machine.symbols)
    every[place] = frozenset({ANY}) if ANY in symbols else symbols
    return _with(machine, replace(machine.transducer.automaton, symbols=tuple(every)))


def tagging(machine: RuleMachine, place: int, output: str) -> RuleMachine:
    """The place gives another output."""
    outputs = list(machine.outputs)
    outputs[place] = output
    return RuleMachine(PositionTransducer(machine.transducer.automaton, tuple(outputs)), machine.states)


def joined_machine(machine: RuleMachine, sources: Collection[int], targets: Sequence[int]) -> RuleMachine:
    """The targets may stand behind the sources, with the words that they read."""
    follow = list(machine.transducer.automaton.follow)
    for source in sources:
        for target in targets:
            follow[source] |= 1 << target
    return _with(machine, replace(machine.transducer.automaton, follow=tuple(follow)))


def without(machine: RuleMachine, place: int) -> RuleMachine:
    """Nothing leads to the place any more."""
    automaton = machine.transducer.automaton
    return _with(machine, replace(automaton, follow=tuple(after & ~(1 << place) for after in automaton.follow)))


def ending(machine: RuleMachine, place: int) -> RuleMachine:
    """A sentence may end behind the place."""
    automaton = machine.transducer.automaton
    return _with(machine, replace(automaton, final=automaton.final | 1 << place))


def beginning(machine: RuleMachine, place: int) -> RuleMachine:
    """A sentence may begin as if the place had been read."""
    follow = list(machine.transducer.automaton.follow)
    follow[0] |= follow[place]
    return _with(machine, replace(machine.transducer.automaton, follow=tuple(follow)))


def with_place(
    machine: RuleMachine, sources: Collection[int], like: int, symbols: frozenset[Symbol], output: str
) -> RuleMachine:
    """One more place in the state of another: behind the sources, in front of what stands behind that one."""
    automaton = machine.transducer.automaton
    new = 1 << len(machine)
    follow = list(automaton.follow)
    for source in sources:
        follow[source] |= new
    follow.append(automaton.follow[like] | (new if like in sources else 0))
    final = automaton.final | (new if automaton.final >> like & 1 else 0)
    read = frozenset({ANY}) if ANY in symbols else symbols
    grown = PositionAutomaton((*automaton.symbols, read), tuple(follow), final)
    return RuleMachine(PositionTransducer(grown, (*machine.outputs, output)), (*machine.states, machine.states[like]))


def _with(machine: RuleMachine, automaton: PositionAutomaton) -> RuleMachine:
    return RuleMachine(PositionTransducer(automaton, machine.outputs), machine.states)
