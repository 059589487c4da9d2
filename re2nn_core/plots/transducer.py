"""A transducer as a Graphviz drawing: what an arc reads, behind a stroke the tag that the word gets.

Of an independent transducer the tags stand in the states, since there every word that leads to a state gets the same
one. A word for which the machine says nothing (the wildcard) has no tag. Each slot has its colour, and its name stands
beside it everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from re2nn_core.automata.independent import AnyTransducer, IndependentTransducer
from re2nn_core.automata.symbols import Symbol
from re2nn_core.errors import InputError
from re2nn_core.plots.automaton import NOTHING, Highlight, arc_label, arc_line, digraph, quote, size_refusal, state_line
from re2nn_core.rules.tagging import WILDCARD, slot_of

NO_COLOURS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class DrawnArc:
    """An arc to draw or to list; `tag` is empty where it gives none."""

    source: int
    target: int
    symbols: frozenset[Symbol]
    tag: str


def drawn_arcs(machine: AnyTransducer) -> Iterator[DrawnArc]:
    """The arcs with their tags; those of an independent transducer with the tags of the states they lead to."""
    arcs = machine.transducer.arcs if isinstance(machine, IndependentTransducer) else machine.arcs
    for arc in arcs:
        yield DrawnArc(arc.source, arc.target, arc.symbols, shown_tag(arc.output))


def shown_tag(output: str | None) -> str:
    """A tag as people read it: nothing for the wildcard and where no word is read."""
    return "" if output is None or output == WILDCARD else output


def tag_machine_refusal(machine: AnyTransducer) -> str | None:
    """Why the machine is not drawn, and what to do instead; None where it can be drawn."""
    return size_refusal(len(machine), sum(1 for _ in drawn_arcs(machine)), "slot")


def tag_machine_dot(
    machine: AnyTransducer, colours: Mapping[str, str] = NO_COLOURS, highlight: Highlight = NOTHING
) -> str:
    """The machine as DOT; `colours` has one for each slot, as #rrggbb. InputError for one too large to draw."""
    reason = tag_machine_refusal(machine)
    if reason is not None:
        raise InputError(reason)
    classes = {slot: f"slot{number}" for number, slot in enumerate(colours)}
    inside = isinstance(machine, IndependentTransducer)
    tags = [shown_tag(output) for output in machine.outputs] if isinstance(machine, IndependentTransducer) else []
    boxes = frozenset(state for state, tag in enumerate(tags) if tag)
    lines = []
    for state in range(len(machine)):
        slot = slot_of(tags[state]) if state in boxes else None
        lines.append(
            state_line(
                state,
                final=state in machine.finals,
                alive=state in highlight.alive,
                label=f"{state}\n{tags[state]}" if state in boxes else None,
                colour=colours.get(slot or ""),
                kind=classes.get(slot or "", ""),
            )
        )
    for arc in drawn_arcs(machine):
        slot = slot_of(arc.tag) if arc.tag else None
        label = arc_label(arc.symbols) + (f" / {arc.tag}" if arc.tag and not inside else "")
        colour, kind = colours.get(slot or ""), classes.get(slot or "", "")
        label = quote(f" {highlight.numbers((arc.source, arc.target))}{label} ")
        lines.append(arc_line(arc.source, arc.target, label, highlight, colour=colour, kind=kind, boxes=boxes))
    return digraph(f"{'b' if machine.start in boxes else 's'}{machine.start}", lines)
