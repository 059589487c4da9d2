"""A scene as DOT: two clusters, each state at the same place in both, for any Graphviz viewer (`neato -n2` keeps the
places, other layouts find their own)."""

from __future__ import annotations

from collections.abc import Iterator

from re2nn_core.automata.differences.difference import Mark
from re2nn_core.plots.automaton import quote
from re2nn_core.plots.difference_legend import arc_in_words, legend_notes, legend_of, state_in_words
from re2nn_core.plots.difference_scene import Scene, SceneArc, SceneNode
from re2nn_core.plots.difference_svg import COLOURS, INK, SIDES, sheet_of
from re2nn_core.plots.layered import Point
from re2nn_core.plots.scene_geometry import RADIUS

_STYLES = {Mark.KEPT: "solid", Mark.ADDED: "bold", Mark.REMOVED: "dashed", Mark.CHANGED: '"dashed,bold"'}
_HEAD = (
    'layout=neato; inputscale=72; splines=true; bgcolor="transparent";',
    f'node [shape=ellipse, fontname="sans-serif", fontsize=11, fixedsize=true, fontcolor="{INK}"];',
    f'edge [fontname="sans-serif", fontsize=10, fontcolor="{INK}", arrowsize=0.7];',
)


def difference_dot(scene: Scene, titles: tuple[str, str]) -> str:
    """Both machines as DOT text."""
    sheet = sheet_of(scene)
    lines = [f"  {line}" for line in _HEAD]
    for side in SIDES:
        at = sheet.panels[side]
        lines.append(f"  subgraph cluster_{'ab'[side]} {{ label={quote(titles[side])};")
        nodes = [_node(number, node, side, at) for number, node in enumerate(scene.nodes) if node.names[side]]
        lines += [f"    {line}" for line in (*nodes, *_arcs(scene, side))]
        lines.append("  }")
    legend = ", ".join(meaning for _, _, meaning in legend_of(scene))
    reported = quote(" ".join([f"{legend}.", *legend_notes(scene)]))
    lines.append(f'  label={reported}; labelloc=b; fontname="sans-serif"; fontsize=10;')
    return "digraph difference {\n" + "\n".join(lines) + "\n}\n"


def _node(number: int, node: SceneNode, side: int, at: Point) -> str:
    mark = node.mark
    x, y = at[0] + node.at[0], -(at[1] + node.at[1])
    name = node.names[side] + ("" if mark is Mark.KEPT else f" {mark.value}")
    rim = ", peripheries=2" if node.final[side] else ""
    size = f"width={max(2 * node.half_width, 7 * len(name) + 8) / 72:.2f}, height={2 * RADIUS / 72:.2f}"
    return (
        f'{"ab"[side]}{number} [label={quote(name)}, pos="{x:.1f},{y:.1f}!", {size}{rim}, '
        f'color="{COLOURS[mark]}", style={_STYLES[mark]}, tooltip={quote(state_in_words(node, side))}];'
    )


def _arcs(scene: Scene, side: int) -> Iterator[str]:
    for arc in scene.arcs:
        if arc.labels[side]:
            yield _arc(scene, arc, side)


def _arc(scene: Scene, arc: SceneArc, side: int) -> str:
    letter = "ab"[side]
    return (
        f"{letter}{arc.source} -> {letter}{arc.target} [label={quote(f' {arc.labels[side]} ')}, "
        f'color="{COLOURS[arc.mark]}", style={_STYLES[arc.mark]}, penwidth={arc.thickness:.1f}, '
        f"tooltip={quote(arc_in_words(scene, arc, side))}];"
    )
