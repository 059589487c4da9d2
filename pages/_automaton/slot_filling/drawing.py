"""Drawings by Graphviz with the colours of slots."""

from __future__ import annotations

from collections.abc import Mapping

_GRAPH = '[data-testid="stGraphVizChart"] svg'


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
