"""Transitions of a drawing as one: a row of states without a branch is drawn as a single transition with all its words.

`less expensive than` is then one line with three words. A state stays where something else begins, ends or repeats: the
start, final states, those with a loop, and those that several transitions enter or leave.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from re2nn_core.plots.scene_geometry import NO_COUNTS, Counts, printable, short
from re2nn_core.plots.transducer import DrawnArc

_SHOWN_STEPS = 5  # of a row that are written out
_SHOWN_WORDS = 2  # of a transition within a row


@dataclass(frozen=True)
class ArcRow:
    """Transitions one behind the other, by their places among all; mostly one. `fallback` is that of the states in
    between, where they have one."""

    source: int
    target: int
    members: tuple[int, ...]
    fallback: int | None = None


def each_alone(arcs: Sequence[DrawnArc]) -> tuple[ArcRow, ...]:
    """Nothing folded."""
    return tuple(ArcRow(arc.source, arc.target, (place,)) for place, arc in enumerate(arcs))


def folded_rows(
    keep: Collection[int], arcs: Sequence[DrawnArc], fallbacks: Sequence[int | None] = ()
) -> tuple[ArcRow, ...]:
    """Rows in the order of their first transition. States in `keep` stay, the start and the final ones among them;
    `fallbacks` has that of each state: states within one row have the same."""
    entering: dict[int, list[int]] = {}
    leaving: dict[int, list[int]] = {}
    for place, arc in enumerate(arcs):
        entering.setdefault(arc.target, []).append(place)
        leaving.setdefault(arc.source, []).append(place)
    fallback = dict(enumerate(fallbacks))
    plain = {
        state: arcs[places[0]].source
        for state, places in entering.items()
        if len(places) == 1
        and len(leaving.get(state, ())) == 1
        and state not in keep
        and arcs[places[0]].source != state
    }
    inner = {
        state for state, before in plain.items() if before not in plain or fallback.get(before) == fallback.get(state)
    }

    def row(place: int) -> Iterator[int]:
        yield place
        while (state := arcs[place].target) in inner:
            [place] = leaving[state]
            yield place

    rows = (tuple(row(place)) for place, arc in enumerate(arcs) if arc.source not in inner)
    return tuple(
        ArcRow(
            arcs[members[0]].source,
            arcs[members[-1]].target,
            members,
            fallback.get(arcs[members[0]].target) if len(members) > 1 else None,
        )
        for members in rows
    )


def row_label(row: ArcRow, arcs: Sequence[DrawnArc], counts: Counts = NO_COUNTS) -> str:
    """What is written at a row: the words of its transitions in their order, those that repeat once; behind a stroke
    the tag that they give; and the fallback of the states within."""
    if len(row.members) == 1:
        arc = arcs[row.members[0]]
        return printable(short(arc.symbols, counts=counts)) + _tag(arc.tag)
    tags = {arcs[place].tag for place in row.members}
    slots = {tag[2:] for tag in tags}
    one = f" / {next(iter(slots))}" if len(slots) == 1 and all(tags) else ""
    steps: list[tuple[str, int]] = []
    for place in row.members:
        text = _step(arcs[place], counts) + ("" if one else _tag(arcs[place].tag))
        if steps and steps[-1][0] == text:
            steps[-1] = text, steps[-1][1] + 1
        else:
            steps.append((text, 1))
    parts = [text + (f" ×{times}" if times > 1 else "") for text, times in steps]
    if len(parts) > _SHOWN_STEPS:
        parts = [*parts[: _SHOWN_STEPS - 2], f"… {len(parts) - _SHOWN_STEPS + 1} more …", parts[-1]]
    back = "" if row.fallback is None else f" ↩{row.fallback}"
    return " ".join(parts) + one + back


def _step(arc: DrawnArc, counts: Counts) -> str:
    text = printable(short(arc.symbols, _SHOWN_WORDS, counts))
    return f"({text})" if len(arc.symbols) > 1 else text


def _tag(tag: str) -> str:
    return f" / {printable(tag)}" if tag else ""
