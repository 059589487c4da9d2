"""The drawing of a transducer with the colours of its slots."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from pages._automaton.drawing import Drawable
from re2nn_core.plots.transducer import drawn_arcs, tag_machine_dot, tag_machine_refusal
from re2nn_core.services.values.automata import AnyTransducer, IndependentTransducer
from re2nn_core.text.counting import counted

_GRAPH = '[data-testid="stGraphVizChart"] svg'


def drawable_transducer(machine: AnyTransducer, name: str, key: str, colours: Mapping[str, str]) -> Drawable:
    """A transducer and its arcs."""
    return Drawable(
        name,
        key,
        list(drawn_arcs(machine)),
        machine.finals,
        tag_machine_refusal(machine),
        partial(tag_machine_dot, machine, colours),
        f"Transducer with {counted(len(machine), 'state')}",
        f'<div class="re2-muted">{_legend(machine)}</div>',
        slot_style(colours),
    )


def _legend(machine: AnyTransducer) -> str:
    if isinstance(machine, IndependentTransducer):
        return "A word gets the tag of the state that it leads to; no tag: the word belongs to no slot."
    return "The tag of a word follows the slash; no tag: the word belongs to no slot."


def slot_style(colours: Mapping[str, str], of: str = "") -> str:
    """Arcs and circles of a slot in its colour. These rules stand in front of those for what is alive or marked; `of`
    goes into their selectors, where they have to win over others."""
    rules = "".join(
        f"{_GRAPH} .arc.slot{number}{of} path {{ stroke: {colour}; stroke-opacity: 1; stroke-width: 1.6; }} "
        f"{_GRAPH} .arc.slot{number}{of} polygon {{ fill: {colour}; stroke: {colour}; fill-opacity: 1; "
        f"stroke-opacity: 1; }} "
        f"{_GRAPH} .state.slot{number} path {{ stroke: {colour}; stroke-width: 2; }} "
        for number, colour in enumerate(colours.values())
    )
    boxes = f"{_GRAPH} .state path {{ fill: transparent; stroke: currentColor; }} "
    alive = (
        f"{_GRAPH} .state.alive path {{ stroke: #2a8fb3; stroke-width: 3; "
        "fill: color-mix(in srgb, #2a8fb3 28%, transparent); } "
    )
    return f"<style>{boxes}{rules}{alive}</style>"
