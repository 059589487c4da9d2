"""Two machines side by side, drawn in the same places, so that what came and what went is seen at a glance.

The states of both are matched from the start on, by the symbols that their arcs share. Each side then draws
the union of both, the other side's own states and arcs invisible, and every arc label in a box of one size,
so that Graphviz has no reason to place anything differently.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.symbols import Symbol, show_symbols
from re2nn_core.plots.automaton import LONGEST_SYMBOL, digraph, refusal

_COMMON, _OWN = 3, 4  # how many symbols of an arc are written out
_INK, _QUIET, _GONE, _NEW = "#23282b", "#6b7478", "#c4514b", "#2e9e6b"
_SIGN_WIDTH, _LINE_HEIGHT = 6, 13  # of 10 point letters, rounded up
_HEAD = (
    'rankdir=LR; bgcolor="transparent"; nodesep=0.2; ranksep=0.35; pad=0.1;',
    f'node [shape=circle, fontname="sans-serif", fontsize=11, width=0.42, fixedsize=true, color="{_INK}", '
    f'fontcolor="{_INK}", style=filled, fillcolor="white"];',
    f'edge [fontname="sans-serif", fontsize=10, color="{_QUIET}", fontcolor="{_INK}", arrowsize=0.7];',
)

Symbols = frozenset[Symbol]
_EMPTY: Symbols = frozenset()


@dataclass(frozen=True)
class Drawing:
    """Both sides as DOT; None and why not where the two are too large to be drawn."""

    left: str | None
    right: str | None
    refusal: str = ""


@dataclass(frozen=True)
class _Union:
    """Nodes as (state on the left, state on the right), None where a side has no such state; arcs between
    them."""

    nodes: tuple[tuple[int | None, int | None], ...]
    arcs: Mapping[tuple[int, int], tuple[Symbols, Symbols]]


def draw_difference(left: PseudoDfa, right: PseudoDfa) -> Drawing:
    """Both machines in the same places."""
    for machine in (left, right):
        reason = refusal(machine)
        if reason is not None:
            return Drawing(None, None, reason)
    union = _union(left, right, matched_states(left, right))
    return Drawing(_dot(union, left.finals, 0), _dot(union, right.finals, 1))


def matched_states(left: PseudoDfa, right: PseudoDfa) -> dict[int, int]:
    """State of the left -> state of the right: starts first, then, breadth first, the targets whose arcs
    share the most symbols. States that nothing leads to on both sides stay unmatched."""
    arcs_left, arcs_right = _by_source(left), _by_source(right)
    matched = {0: 0}
    taken = {0}
    waiting = deque([0])
    while waiting:
        state = waiting.popleft()
        pairs = [
            (-len(symbols & others), one, other)
            for one, symbols in arcs_left.get(state, {}).items()
            for other, others in arcs_right.get(matched[state], {}).items()
            if symbols & others
        ]
        for _, one, other in sorted(pairs):
            if one not in matched and other not in taken:
                matched[one] = other
                taken.add(other)
                waiting.append(one)
    return matched


def _by_source(machine: PseudoDfa) -> dict[int, dict[int, Symbols]]:
    arcs: dict[int, dict[int, Symbols]] = {}
    for source, target, symbols in machine.arcs():
        arcs.setdefault(source, {})[target] = symbols
    return arcs


def _union(left: PseudoDfa, right: PseudoDfa, matched: Mapping[int, int]) -> _Union:
    nodes: list[tuple[int | None, int | None]] = [(state, matched.get(state)) for state in range(len(left))]
    nodes += [(None, state) for state in range(len(right)) if state not in matched.values()]
    number: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for place, pair in enumerate(nodes):
        for side, state in enumerate(pair):
            if state is not None:
                number[side][state] = place
    arcs: dict[tuple[int, int], tuple[Symbols, Symbols]] = {}
    for side, machine in enumerate((left, right)):
        for source, target, symbols in machine.arcs():
            key = number[side][source], number[side][target]
            both = list(arcs.get(key, (_EMPTY, _EMPTY)))
            both[side] = symbols
            arcs[key] = (both[0], both[1])
    return _Union(tuple(nodes), arcs)


def _dot(union: _Union, finals: Collection[int], side: int) -> str:
    lines = [_node(place, pair, finals, side) for place, pair in enumerate(union.nodes)]
    lines += [_arc(source, target, both, side) for (source, target), both in sorted(union.arcs.items())]
    return digraph("n0", lines, _HEAD)


def _node(place: int, pair: tuple[int | None, int | None], finals: Collection[int], side: int) -> str:
    state = pair[side]
    if state is None:
        return f'n{place} [label="", style=invis];'
    own = pair[1 - side] is None
    classes = "state" + (f" {_kind(side)}" if own else "")
    shape = "doublecircle, width=0.36" if state in finals else "circle"
    mark = f', color="{_colour(side)}", penwidth=2.5' if own else ""
    return f'n{place} [label="{state}", shape={shape}{mark}, class="{classes}", tooltip="state {state}"];'


def _arc(source: int, target: int, both: tuple[Symbols, Symbols], side: int) -> str:
    here, there = both[side], both[1 - side]
    box = _box(both)
    if not here:
        return f"n{source} -> n{target} [label=<{_table([], box)}>, style=invis];"
    lines = []
    if here & there:
        lines.append(_line("", here & there, _COMMON, _INK))
    if here - there:
        lines.append(_line("− " if side == 0 else "+ ", here - there, _OWN, _colour(side)))
    own = not there
    style = f', color="{_colour(side)}", penwidth=2' + (", style=dashed" if side == 0 else "") if own else ""
    classes = "arc" + (f" {_kind(side)}" if own else "")
    return f'n{source} -> n{target} [label=<{_table(lines, box)}>{style}, class="{classes}", tooltip="arc"];'


def _box(both: tuple[Symbols, Symbols]) -> tuple[int, int]:
    """Width and height that hold the label of either side."""
    left, right = both
    texts = [_text("", left & right, _COMMON), _text("− ", left - right, _OWN), _text("+ ", right - left, _OWN)]
    height = (bool(left & right) + bool(left ^ right)) * _LINE_HEIGHT
    return max(map(len, texts)) * _SIGN_WIDTH + 12, height + 2


def _table(lines: list[str], box: tuple[int, int]) -> str:
    cells = "".join(f"<TR><TD>{line}</TD></TR>" for line in lines or [" "])
    return (
        f'<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0" FIXEDSIZE="TRUE" WIDTH="{box[0]}" '
        f'HEIGHT="{box[1]}">{cells}</TABLE>'
    )


def _line(sign: str, symbols: Symbols, most: int, colour: str) -> str:
    return f'<FONT COLOR="{colour}">{escape(_text(sign, symbols, most))}</FONT>'


def _text(sign: str, symbols: Symbols, most: int) -> str:
    if not symbols:
        return ""
    return sign + " | ".join(_shown(symbols, most))


def _shown(symbols: Symbols, most: int) -> Iterator[str]:
    shown = show_symbols(symbols)
    kept = shown if len(shown) <= most + 1 else shown[:most]
    for word in kept:
        printable = "".join(sign if sign.isprintable() else "�" for sign in word)
        yield printable if len(printable) <= LONGEST_SYMBOL else printable[: LONGEST_SYMBOL - 1] + "…"
    if len(kept) < len(shown):
        yield f"+{len(shown) - len(kept)}"


def _kind(side: int) -> str:
    return "gone" if side == 0 else "new"


def _colour(side: int) -> str:
    return _GONE if side == 0 else _NEW
