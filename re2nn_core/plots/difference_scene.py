"""Two machines as a scene to draw: one place for each state of the union, one line for each arc, on both sides.

SVG, PNG, DOT and the component of the page all draw from the same scene, so that they show the same. What became of an
arc is reported three times: by colour, by the style of its line, and by the letter in front of its label.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.automata.differences.difference import (
    NO_TAG,
    ArcDifference,
    MachineDifference,
    Mark,
    NodeDifference,
    tags_in_words,
)
from re2nn_core.automata.differences.folding import (
    READABLE_STATES,
    Folded,
    FoldedArc,
    fold,
    joint_mark,
    unfolded,
    worth_folding,
)
from re2nn_core.automata.differences.plain import Symbols
from re2nn_core.automata.symbols import SKIP, Symbol
from re2nn_core.plots.layered import LABEL_HEIGHT, LABELLED_EDGES, Point, placed
from re2nn_core.plots.layers import Box, Edge
from re2nn_core.plots.scene_geometry import (
    LOOP_HEIGHT,
    NO_COUNTS,
    RADIUS,
    Counts,
    Outline,
    curve_between,
    half_width,
    short,
    width_of,
)
from re2nn_core.text.counting import counted

LETTER_ROOM = 15.0  # below a state that is not as it was, for the sign that says so
_FOLDED_SHOWN = 2  # arcs of a folded one that are written out
THINNEST, THICKEST = 1.2, 6.0
SMALLEST_CHANGE = 0.01  # where no weight changed by more, lines are all thin

Change = Mapping[int, tuple[float, float]]  # place of an arc -> its weight before and after
LEFT, RIGHT = 0, 1


@dataclass(frozen=True)
class SceneNode:
    """A state, or several folded into one. `names` is what stands in it on either side, empty where it is not there."""

    at: Point
    half_width: float
    names: tuple[str, str]
    final: tuple[bool, bool]
    mark: Mark
    members: tuple[int, ...]


@dataclass(frozen=True)
class SceneArc:
    """An arc; `curve` are the points of cubic Bezier pieces, the first one's start included. `labels` are what stands
    beside it on either side, empty where it is not there; `members` are arcs of the difference."""

    source: int
    target: int
    mark: Mark
    curve: tuple[Point, ...]
    labels: tuple[str, str]
    label_at: Point
    members: tuple[int, ...]
    thickness: float
    weights: tuple[float, float] | None
    labelled: bool = True  # False where there is no room for its label


@dataclass(frozen=True)
class Scene:
    """All that is drawn, in points; y grows downwards. `weighed` says what the thickness of lines tells; None where
    no weights were given."""

    nodes: tuple[SceneNode, ...]
    arcs: tuple[SceneArc, ...]
    width: float
    height: float
    weighed: Weighed | None = None
    tagged: bool = False  # whether some word gets a tag


@dataclass(frozen=True)
class Weighed:
    """What weights of a network do to lines. The thickest stands for `most`, the largest change of a weight here;
    `known` of the arcs have a weight at all, of `arcs`. `rule` is the one whose weights these are, where the picture
    has another one on the other side."""

    most: float
    known: int
    arcs: int
    rule: str = ""

    def thickness(self, weight: tuple[float, float] | None, mark: Mark) -> float:
        """In points; a line is as much thicker than the thinnest as its weight changed, measured by `most`. One that
        came or went between states without a weight is drawn as without weights: thin lines are those that stayed."""
        if weight is None:
            return thickness(mark)
        if not self.shows:
            return THINNEST
        return THINNEST + (THICKEST - THINNEST) * abs(weight[1] - weight[0]) / self.most

    @property
    def shows(self) -> bool:
        """Whether lines differ in thickness at all."""
        return self.most >= SMALLEST_CHANGE

    @property
    def in_words(self) -> str:
        """The legend in words."""
        if not self.known:
            return "No weights: the network has none of these transitions; added and removed lines are thicker."
        without = self.arcs - self.known
        none = (
            f" {without:,} of {self.arcs:,} transitions have no weight in the network, which lacks one of their "
            "states: thin if kept, medium if added or removed."
            if without
            else ""
        )
        whose = f"The weights are those of rule '{self.rule}' of A alone. " if self.rule else ""
        if not self.shows:
            return f"{whose}No weight changed by {SMALLEST_CHANGE:g} or more, so all lines are thin.{none}"
        return (
            f"{whose}Thickness: change of the weight by training, mean over the words of a transition, "
            f"from 0 to {self.most:.2f} (maximum here).{none}"
        )


def moved(weights: Change | None) -> frozenset[int]:
    """Places of arcs whose weight changed so much that it can be seen."""
    return frozenset(
        place for place, (before, after) in (weights or {}).items() if abs(after - before) >= SMALLEST_CHANGE
    )


def head_of(thickness: float) -> float:
    """How long the head of a line of this thickness is, in points: a thick one would hide a small head."""
    return 9.0 + 2 * max(0.0, thickness - 2 * THINNEST)


def scene_of(
    difference: MachineDifference,
    folded: Folded | None = None,
    weights: Change | None = None,
    counts: Counts = NO_COUNTS,
) -> Scene:
    """A difference, folded or as it is. `weights` are those of a trained network; the more one changed the thicker the
    line, measured by the largest change here. Of many words the first by their `counts` are written out."""
    shape = unfolded(difference) if folded is None else folded
    loops = {arc.source: arc for arc in shape.arcs if arc.source == arc.target}
    texts = [_labels(arc, difference, counts) for arc in shape.arcs]
    loop_text = {arc.source: text for arc, text in zip(shape.arcs, texts, strict=True) if arc.source == arc.target}
    nodes = [_node(group, difference) for group in shape.groups]
    boxes = []
    for number, node in enumerate(nodes):
        room = LOOP_HEIGHT + LABEL_HEIGHT if number in loops else 0.0
        width = max(2 * node.half_width, _width(loop_text[number]) if number in loops else 0.0)
        letter = 0.0 if node.mark is Mark.KEPT else LETTER_ROOM
        boxes.append(Box(width, RADIUS + room, RADIUS + letter))
    edges = [Edge(arc.source, arc.target, _width(text)) for arc, text in zip(shape.arcs, texts, strict=True)]
    placement = placed(boxes, edges)
    nodes = [_placed_node(node, at) for node, at in zip(nodes, placement.places, strict=True)]
    arcs = []
    changes = [_weight(arc, weights) for arc in shape.arcs]
    weighed = None if weights is None else _weighed(changes)
    for number, (arc, text) in enumerate(zip(shape.arcs, texts, strict=True)):
        ends = (_outline(nodes[arc.source]), _outline(nodes[arc.target]))
        curve, label_at = curve_between(*ends, placement, number, loop=arc.source == arc.target)
        weight = changes[number]
        arcs.append(
            SceneArc(
                arc.source,
                arc.target,
                arc.mark,
                curve,
                text,
                label_at,
                arc.members,
                thickness(arc.mark) if weighed is None else weighed.thickness(weight, arc.mark),
                weight,
                arc.mark is not Mark.KEPT or len(shape.arcs) <= LABELLED_EDGES,
            )
        )
    return Scene(tuple(nodes), tuple(arcs), placement.width, placement.height, weighed, difference.tagged)


def readable_scene(difference: MachineDifference, most: int = READABLE_STATES, counts: Counts = NO_COUNTS) -> Scene:
    """A difference, folded where it has more states than `most` and folding makes it much smaller."""
    small = fold(difference)
    folds = worth_folding(small) and sum(map(len, small.groups)) > most
    return scene_of(difference, small if folds else None, counts=counts)


def _node(group: Sequence[int], difference: MachineDifference) -> SceneNode:
    members = [difference.nodes[node] for node in group]
    if len(members) == 1:
        [node] = members
        number = str(group[0])
        names = ("" if node.before is None else number, "" if node.after is None else number)
        final = node.final_before, node.final_after
    else:
        names = (_count(node.before for node in members), _count(node.after for node in members))
        final = any(node.final_before for node in members), any(node.final_after for node in members)
    return SceneNode((0.0, 0.0), half_width(names), names, final, _node_mark(members), tuple(group))


def _node_mark(members: Sequence[NodeDifference]) -> Mark:
    return joint_mark(node.mark for node in members)


def _outline(node: SceneNode) -> Outline:
    return Outline(node.at, node.half_width)


def _count(states: Iterable[int | None]) -> str:
    count = sum(state is not None for state in states)
    return counted(count, "state") if count else ""


def _placed_node(node: SceneNode, at: Point) -> SceneNode:
    return SceneNode(at, node.half_width, node.names, node.final, node.mark, node.members)


def _labels(arc: FoldedArc, difference: MachineDifference, counts: Counts) -> tuple[str, str]:
    members = [difference.arcs[place] for place in arc.members]
    return _side_label(members, LEFT, counts), _side_label(members, RIGHT, counts)


def _side_label(members: Sequence[ArcDifference], side: int, counts: Counts) -> str:
    own = [arc for arc in members if (arc.before, arc.after)[side]]
    shown = ", ".join(difference_label(arc, side, counts) for arc in own[:_FOLDED_SHOWN])
    more = len(own) - _FOLDED_SHOWN
    return f"{shown}, {more} more" if more > 0 else shown


def difference_label(arc: ArcDifference, side: int, counts: Counts = NO_COUNTS) -> str:
    """What stands beside an arc on one side: its letter, what it reads on both, what gives another tag than on the
    other side, what it reads here alone; behind a stroke the tag. Where it needs no word, this."""
    letter = arc.mark.value
    if arc.needs_no_word(side):
        return SKIP.text
    if arc.mark is not Mark.CHANGED:
        return f"{letter} {_with_tags(arc, arc.symbols, side, counts)}"
    sign, own = (Mark.REMOVED.value, arc.removed) if side == LEFT else (Mark.ADDED.value, arc.added)
    kept = _with_tags(arc, arc.kept, side, counts)
    retagged = _with_tags(arc, arc.retagged, side, counts, silent=f" / {NO_TAG}")
    again = f"{letter} " if kept and retagged else ""
    here = f"{sign} {_with_tags(arc, own, side, counts)}" if own else ""
    parts = [kept, again + retagged, here]
    return f"{letter} {'  '.join(filter(None, parts))}"


def _with_tags(arc: ArcDifference, symbols: Symbols, side: int, counts: Counts, silent: str = "") -> str:
    """Some of the symbols with what they give; those that give the same together."""
    groups: dict[tuple[str, ...], set[Symbol]] = {}
    for symbol in symbols & arc.tags[side].keys():
        groups.setdefault(arc.tags[side][symbol], set()).add(symbol)
    reported = (
        short(frozenset(own), counts=counts) + (silent if not any(tags) else f" / {tags_in_words(tags)}")
        for tags, own in sorted(groups.items(), key=lambda group: group[0])
    )
    return ", ".join(reported)


def _width(labels: tuple[str, str]) -> float:
    return max(map(width_of, labels)) + 8


def _weight(arc: FoldedArc, weights: Change | None) -> tuple[float, float] | None:
    known = [weights[place] for place in arc.members if place in weights] if weights else []
    return max(known, key=lambda pair: abs(pair[1] - pair[0]), default=None)


def _weighed(changes: Sequence[tuple[float, float] | None]) -> Weighed:
    known = [abs(pair[1] - pair[0]) for pair in changes if pair is not None]
    return Weighed(max(known, default=0.0), len(known), len(changes))


def thickness(mark: Mark) -> float:
    """Of a line without weights, in points."""
    return THINNEST if mark is Mark.KEPT else 2 * THINNEST
