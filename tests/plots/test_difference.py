"""Pictures of differences: one place for each state, marks told three ways, words escaped, and a sound layout."""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree import ElementTree

import pytest
from automata_strategies import trees
from hypothesis import given, settings
from PIL import Image

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.difference import MachineDifference, Mark, machine_difference
from re2nn_core.automata.folding import fold
from re2nn_core.automata.plain import PlainMachine, plain_of_pseudo, plain_of_transducer
from re2nn_core.automata.transducer import minimal_transducer
from re2nn_core.plots.difference_dot import difference_dot
from re2nn_core.plots.difference_files import FORMATS, difference_file
from re2nn_core.plots.difference_png import difference_png
from re2nn_core.plots.difference_scene import RADIUS, Scene, scene_of, short, smooth
from re2nn_core.plots.difference_svg import DASHES, difference_svg
from re2nn_core.plots.layered import ROW_GAP, placed
from re2nn_core.plots.layers import Box, Edge, in_layers
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tagging import WILDCARD, tagged
from re2nn_core.rules.tree import Node

TITLES = ("before", "after")
PAIRS = [
    ("a b c", "a b c"),
    ("$* ( a | b ) $*", "$* ( a | c d ) $*"),
    ("a b", "c"),
    ("( a | b ) c", "( a | b | d ) ( c | e )"),
    ("a", "a+ ( b | % )? EOS"),
]


def machine(expression: str) -> PlainMachine:
    return plain_of_pseudo(pseudo_dfa(parse_expression(expression)))


def difference(left: str, right: str) -> MachineDifference:
    return machine_difference(machine(left), machine(right))


def scene(left: str, right: str) -> Scene:
    return scene_of(difference(left, right))


def panels(svg: str) -> list[ElementTree.Element]:
    """The two machines of a picture; reading it also proves that it is sound XML."""
    return [g for g in ElementTree.fromstring(svg) if g.tag.endswith("}g")]  # noqa: S314 - our own text


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_each_state_has_the_same_place_on_either_side(left: str, right: str) -> None:
    found = difference(left, right)
    sides = panels(difference_svg(scene_of(found), TITLES))
    for place, node in enumerate(scene_of(found).nodes):
        at = (f"{node.at[0]:.1f}", f"{node.at[1]:.1f}")
        for side, panel in enumerate(sides):
            drawn = [e for e in panel if e.tag.endswith("ellipse") and (e.get("cx"), e.get("cy")) == at]
            there = (found.nodes[place].before, found.nodes[place].after)[side] is not None
            assert bool(drawn) == there


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_each_side_shows_its_own_arcs(left: str, right: str) -> None:
    sides = panels(difference_svg(scene(left, right), TITLES))
    for panel, own in zip(sides, (machine(left), machine(right)), strict=True):
        assert len([e for e in panel if e.tag.endswith("}g")]) == len(own.arcs)


def test_marks_are_told_by_colour_line_and_letter() -> None:
    svg = difference_svg(scene("( a | b ) c x", "( a | d ) c"), TITLES)
    svg += difference_svg(scene("( a | b ) c", "( a | d ) c y"), TITLES)
    assert {"± a  - b", "± a  + d", "= c", "- x", "+ y"} <= set(re.findall(r"<text[^>]*>([^<]*)</text>", svg))
    styles = dict(re.findall(r"\.(kept|added|removed|changed)\{stroke:([^}]*)\}", svg))
    assert len(set(styles.values())) == 4
    assert "stroke-dasharray" in styles["removed"]
    assert "stroke-dasharray" not in styles["added"]
    assert DASHES[Mark.REMOVED] != DASHES[Mark.CHANGED]


@pytest.mark.parametrize("hostile", ["<script>", 'a\\"b', "&amp;", "]]>", "naïve中文", "a{{b}}"])
def test_words_are_escaped(hostile: str) -> None:
    quoted = hostile.replace("\\", "\\\\").replace('"', '\\"')
    found = scene(f'"{quoted}" c', "c")
    texts = ["".join(e.itertext()) for e in ElementTree.fromstring(difference_svg(found, TITLES)).iter()]  # noqa: S314
    assert any(text == f"- {hostile}" for text in texts)
    assert "<script>" not in difference_svg(found, (hostile, "b"))
    assert "<script>" not in difference_dot(found, (hostile, "b"))


def test_signs_that_nobody_sees_are_shown() -> None:
    assert short(frozenset({"a\u202eb"})) == "a�b"
    assert short(frozenset("abcdefg")) == "a | b | c … 7"
    assert short(frozenset("abcd")) == "a | b | c | d"


def test_a_tag_stands_behind_the_words() -> None:
    found = [
        plain_of_transducer(minimal_transducer(tagged(parse_expression(text))), WILDCARD)
        for text in ("to [ oslo ]<city>", "to [ oslo ]<town>")
    ]
    svg = difference_svg(scene_of(machine_difference(*found)), TITLES)
    assert "- oslo / B-city" in svg
    assert "+ oslo / B-town" in svg


def test_dot_keeps_places_and_marks() -> None:
    dot = difference_dot(scene("( a | b ) c", "( a | d ) c e"), TITLES)
    places = re.findall(r'([ab])(\d+) \[label=[^\n]*pos="([\d.]+),(-[\d.]+)!"', dot)
    by_side = {side: {n: (float(x), float(y)) for s, n, x, y in places if s == side} for side in "ab"}
    shift = {
        (round(by_side["b"][n][0] - x), round(by_side["b"][n][1] - y)) for n, (x, y) in by_side["a"].items()
        if n in by_side["b"]
    }  # fmt: skip
    assert len(shift) == 1
    assert 'tooltip="arc changed"' in dot
    assert dot.count("subgraph cluster_") == 2


def test_png_is_a_picture_of_the_size_of_the_sheet() -> None:
    small = Image.open(BytesIO(difference_png(scene("a", "b"), TITLES)))
    assert small.size[0] > 1000
    colours = {colour for _, colour in small.convert("RGB").getcolors(1 << 24) or []}
    assert (179, 64, 47) in colours
    assert (29, 122, 79) in colours


@pytest.mark.parametrize("format", FORMATS)
def test_files_of_every_format(format: str) -> None:
    data = difference_file(scene("a", "b"), TITLES, format)
    assert data.startswith({"svg": b"<svg", "png": b"\x89PNG", "dot": b"digraph"}[format])


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="one of svg, png, dot"):
        difference_file(scene("a", "b"), TITLES, "gif")


def test_a_weight_that_changed_makes_a_thick_line() -> None:
    found = difference("( a | b ) c", "( a | d ) c")
    drawn = scene_of(found, weights={0: (1.0, 0.1), 1: (1.0, 0.95)})
    assert drawn.arcs[0].thickness > 2 * drawn.arcs[1].thickness
    assert drawn.arcs[0].weights == (1.0, 0.1)


def test_folded_states_say_how_many_they_are() -> None:
    long = " ".join(f"w{number}" for number in range(160))
    found = difference(long, long.replace("w80", "( w80 | new )"))
    names = [node.names for node in scene_of(found, fold(found)).nodes]
    assert ("78 states", "78 states") in names


# Layout


@settings(max_examples=60, deadline=None)
@given(trees(9), trees(9))
def test_nothing_stands_on_anything_else(left: Node, right: Node) -> None:
    found = scene_of(machine_difference(*(plain_of_pseudo(pseudo_dfa(tree)) for tree in (left, right))))
    columns: dict[float, list[float]] = {}
    for node in found.nodes:
        columns.setdefault(node.at[0], []).append(node.at[1])
    for heights in columns.values():
        ordered = sorted(heights)
        assert all(b - a >= 2 * RADIUS + ROW_GAP - 1e-6 for a, b in zip(ordered, ordered[1:], strict=False))
    across = sorted(columns)
    assert all(b - a >= 2 * RADIUS for a, b in zip(across, across[1:], strict=False))
    assert all(-1 <= y <= found.height + 1 for node in found.nodes for y in (node.at[1],))


def test_arcs_lead_to_the_right_but_those_that_lead_back() -> None:
    boxes = [Box(30, 15, 15)] * 4
    edges = [Edge(0, 1, 20), Edge(1, 2), Edge(2, 0), Edge(2, 3), Edge(3, 3)]
    layered = in_layers(boxes, edges, label_height=10, labelled=True)
    assert layered.layer[:4] == (0, 2, 4, 6)
    assert layered.turned == {2}
    places = placed(boxes, edges).places
    assert [x for x, _ in places] == sorted(x for x, _ in places)


def test_a_label_has_a_place_of_its_own() -> None:
    found = placed([Box(30, 15, 15)] * 2, [Edge(0, 1, 80), Edge(0, 1, 60)])
    assert all(label is not None for label in found.labels)
    heights = sorted(label[1] for label in found.labels if label is not None)
    assert heights[1] - heights[0] >= 15


def test_a_chain_is_drawn_straight() -> None:
    boxes = [Box(30, 15, 15)] * 6
    heights = {y for _, y in placed(boxes, [Edge(n, n + 1, 20) for n in range(5)]).places}
    assert max(heights) - min(heights) < 1e-6


def test_a_smooth_line_goes_through_its_points() -> None:
    points = [(0.0, 0.0), (10.0, 5.0), (20.0, 5.0)]
    assert smooth(points)[::3] == tuple(points)
