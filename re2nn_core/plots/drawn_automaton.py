"""Any automaton or transducer as what its drawing is made of, and which of its lines a word of a sentence takes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TypeAlias

from re2nn_core.automata.dfa import ExactDfa, PseudoDfa
from re2nn_core.automata.fallbacks import Fallbacks, fallbacks_of
from re2nn_core.automata.independent import AnyTransducer, IndependentTransducer
from re2nn_core.automata.symbols import ANY, NUMBER, PUNCTUATION
from re2nn_core.plots.automaton_scene import Drawing
from re2nn_core.plots.scene_geometry import NO_COUNTS, Counts
from re2nn_core.plots.transducer import DrawnArc, drawn_arcs, shown_tag

AnyMachine: TypeAlias = PseudoDfa | ExactDfa | AnyTransducer
_SPECIALS = frozenset((ANY, NUMBER, PUNCTUATION))


def all_arcs(machine: AnyMachine) -> list[DrawnArc]:
    """Every transition, as a table lists them."""
    if isinstance(machine, PseudoDfa | ExactDfa):
        return [DrawnArc(source, target, symbols, "") for source, target, symbols in machine.shown_arcs()]
    return list(drawn_arcs(machine))


class DrawnMachine:
    """A machine with its drawing. An exact one has fallbacks in place of transitions that states have in common; tags
    of an independent transducer are in its states."""

    def __init__(
        self, machine: AnyMachine, title: str, *, counts: Counts = NO_COUNTS, folded: bool = False, noun: str = ""
    ) -> None:
        self.machine = machine
        fallbacks = self._fallbacks
        arcs = all_arcs(machine)
        if fallbacks is not None:
            arcs = [DrawnArc(source, target, symbols, "") for source, target, symbols in fallbacks.arcs]
        inside = machine if isinstance(machine, IndependentTransducer) else None
        self.drawing = Drawing(
            title,
            noun or ("automaton" if isinstance(machine, PseudoDfa | ExactDfa) else "transducer"),
            len(machine),
            0 if isinstance(machine, PseudoDfa | ExactDfa) else machine.start,
            machine.finals,
            [DrawnArc(arc.source, arc.target, arc.symbols, "") for arc in arcs] if inside else arcs,
            fallbacks=fallbacks.of if fallbacks is not None else (),
            folded=folded,
            counts=counts,
            tags=[shown_tag(output) for output in inside.outputs] if inside else (),
        )

    @cached_property
    def _fallbacks(self) -> Fallbacks | None:
        return fallbacks_of(self.machine) if isinstance(self.machine, ExactDfa) else None

    @property
    def falls_back(self) -> bool:
        """Whether some state has a fallback."""
        return any(other is not None for other in self.drawing.fallbacks)

    def lines(self, word: str, taken: Iterable[tuple[int, int]], tag: str | None = None) -> list[int]:
        """The lines, by their places in `drawing.rows`, that a word takes between states; `tag`: those alone that give
        it."""
        found = []
        for source, target in taken:
            state = source
            if self._fallbacks is not None and isinstance(self.machine, ExactDfa):
                state = self._fallbacks.source(self.machine, source, word)
            between = self._between.get((state, target), [])
            reading = [place for place in between if self._reads(place, word)]
            tagged = [place for place in reading if tag is None or self.drawing.arcs[place].tag == tag]
            found += [self._line_of[place] for place in tagged or reading or between]
        return sorted(set(found))

    def lines_of(self, arc: DrawnArc) -> list[int]:
        """The lines that have words of a transition as a table lists it."""
        words = [symbol for symbol in arc.symbols if isinstance(symbol, str)]
        return sorted(
            {line for word in words or [""] for line in self.lines(word, [(arc.source, arc.target)], arc.tag)}
        )

    def _reads(self, place: int, word: str) -> bool:
        symbols = self.drawing.arcs[place].symbols
        return word in symbols or not _SPECIALS.isdisjoint(symbols)

    @cached_property
    def _between(self) -> dict[tuple[int, int], list[int]]:
        found: dict[tuple[int, int], list[int]] = {}
        for place, arc in enumerate(self.drawing.arcs):
            found.setdefault((arc.source, arc.target), []).append(place)
        return found

    @cached_property
    def _line_of(self) -> dict[int, int]:
        return {place: number for number, row in enumerate(self.drawing.rows) for place in row.members}
