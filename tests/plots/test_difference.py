"""Pictures of differences: one place for each state, marks told three ways, words escaped, and a sound layout."""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from PIL import Image
from support.rules.automata_strategies import trees

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.differences.difference import MachineDifference, Mark, machine_difference
from re2nn_core.automata.differences.folding import fold
from re2nn_core.automata.differences.plain import PlainMachine, plain_of_pseudo, plain_of_transducer
from re2nn_core.automata.transducer import minimal_transducer
from re2nn_core.plots.difference_dot import difference_dot
from re2nn_core.plots.difference_files import FORMATS, difference_file
from re2nn_core.plots.difference_legend import SAMPLE, TAGS, laid_legend, legend_of
from re2nn_core.plots.difference_png import difference_png
from re2nn_core.plots.difference_scene import (
    LETTER_ROOM,
    THICKEST,
    THINNEST,
    Scene,
    scene_of,
)
from re2nn_core.plots.difference_svg import DASHES, difference_svg
from re2nn_core.plots.layered import LABEL_HEIGHT, ROW_GAP, placed
from re2nn_core.plots.layers import Box, Edge, in_layers
from re2nn_core.plots.scene_geometry import LOOP_HEIGHT, RADIUS, short, smooth, width_of
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
    assert {"± a  − b", "± a  + d", "= c", "− x", "+ y"} <= set(re.findall(r"<text[^>]*>([^<]*)</text>", svg))
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
    assert any(text == f"− {hostile}" for text in texts)
    assert "<script>" not in difference_svg(found, (hostile, "b"))
    assert "<script>" not in difference_dot(found, (hostile, "b"))


@settings(max_examples=25, deadline=None)
@given(trees(), trees())
def test_the_sign_of_a_state_has_room_of_its_own(left: Node, right: Node) -> None:
    """No other state, and no words of a loop, stand where the sign below a state says what became of it."""
    machines = [plain_of_pseudo(pseudo_dfa(tree)) for tree in (left, right)]
    found = scene_of(machine_difference(*machines))
    looped = {arc.source for arc in found.arcs if arc.source == arc.target}
    for node in (node for node in found.nodes if node.mark is not Mark.KEPT):
        x, y = node.at
        for number, other in enumerate(found.nodes):
            above = RADIUS + (LOOP_HEIGHT + LABEL_HEIGHT if number in looped else 0)
            beside = abs(other.at[0] - x) >= other.half_width
            assert other is node or beside or other.at[1] < y or other.at[1] - above >= y + RADIUS + LETTER_ROOM


def test_signs_are_drawn_above_lines_and_states() -> None:
    kinds = [
        (e.tag.rpartition("}")[2], "".join(e.itertext())) for e in panels(difference_svg(scene("a b", "c"), TITLES))[0]
    ]
    signs = [place for place, (_, text) in enumerate(kinds) if text in ("+", "−", "±")]
    assert signs
    assert min(signs) > max(place for place, (kind, _) in enumerate(kinds) if kind in ("ellipse", "g"))


def test_signs_that_nobody_sees_are_shown() -> None:
    assert short(frozenset({"a\u202eb"})) == "a�b"
    assert short(frozenset("abcdefg")) == "a | b | c and 4 more"
    assert short(frozenset("abcd")) == "a | b | c | d"


def test_a_tag_stands_behind_the_words() -> None:
    found = [
        plain_of_transducer(minimal_transducer(tagged(parse_expression(text))), WILDCARD)
        for text in ("to [ oslo ]<city>", "to [ oslo ]<town>")
    ]
    svg = difference_svg(scene_of(machine_difference(*found)), TITLES)
    assert ">± oslo / B-city</text>" in svg
    assert ">± oslo / B-town</text>" in svg
    assert TAGS.split(";")[0] in svg
    assert TAGS.split(";")[0] not in difference_svg(scene("a", "b"), TITLES)


def test_a_line_says_of_each_word_what_became_of_it() -> None:
    found = [
        plain_of_transducer(minimal_transducer(tagged(parse_expression(text))), WILDCARD)
        for text in ("( [ a ]<x> | [ b ]<x> | c ) d", "( [ a ]<x> | [ b ]<y> | c | [ e ]<x> ) d")
    ]
    labels = [arc.labels for arc in scene_of(machine_difference(*found)).arcs]
    assert labels[0] == ("± c, a / B-x  ± b / B-x", "± c, a / B-x  ± b / B-y  + e / B-x")


def test_a_picture_is_told_in_words() -> None:
    """For a reader who does not see it: title and description, and a name for each state and arrow."""
    root = ElementTree.fromstring(difference_svg(scene("( a | b ) c", "( a | d ) c e"), TITLES))  # noqa: S314
    assert root.get("role") == "img"
    named = {e.get("id"): "".join(e.itertext()) for e in root if e.get("id")}
    assert (root.get("aria-labelledby") or "").split() == list(named)
    reported = named["all"]
    assert (
        "States of both sides: 2 kept, 1 added, 1 changed. Transitions of both sides: 1 kept, 1 added, 1 changed."
        in reported
    )
    assert "changed: from 0 to 1: in A ± a  − b; in B ± a  + d." in reported
    assert "changed: in state 2 a sentence may end in A alone." in reported
    assert "added: state 3." in reported
    assert "added: from 2 to 3: in B + e." in reported
    titles = {"".join(e.itertext()) for e in root.iter() if e.tag.endswith("title")}
    assert "kept: from 1 to 2: = c" in titles
    assert "state 0, kept" in titles


def test_a_label_hides_the_line_below_it_and_nothing_beside() -> None:
    """By an outline of its letters: the width of a box would be a guess, and leave gaps in the line."""
    drawn = scene("a long | label", "b")
    svg = difference_svg(drawn, TITLES)
    assert ".g{paint-order:stroke;stroke:#fff;" in svg
    assert svg.count("<rect") == 1  # the ground of the whole
    labels = sum(bool(side) for arc in drawn.arcs for side in arc.labels)
    signs = sum(bool(name) for node in drawn.nodes if node.mark is not Mark.KEPT for name in node.names)
    assert svg.count('<text class="t g ') == labels + signs


def test_the_key_is_broken_where_the_picture_is_narrow() -> None:
    wide, narrow = (laid_legend(scene("a", "b"), width) for width in (2_000.0, 300.0))
    assert narrow.height > wide.height
    assert all(width_of(note) <= 300 for _, note in narrow.notes)
    assert all(entry.x + SAMPLE + 5 + width_of(entry.meaning) <= 300 for entry in narrow.entries)


def test_dot_keeps_places_and_marks() -> None:
    dot = difference_dot(scene("( a | b ) c", "( a | d ) c e"), TITLES)
    places = re.findall(r'([ab])(\d+) \[label=[^\n]*pos="([\d.]+),(-[\d.]+)!"', dot)
    by_side = {side: {n: (float(x), float(y)) for s, n, x, y in places if s == side} for side in "ab"}
    shift = {
        (round(by_side["b"][n][0] - x), round(by_side["b"][n][1] - y)) for n, (x, y) in by_side["a"].items()
        if n in by_side["b"]
    }  # fmt: skip
    assert len(shift) == 1
    assert 'tooltip="changed: from 0 to 1: ± a  − b"' in dot
    assert "± changed: other words or tags" in dot
    assert dot.count("subgraph cluster_") == 2


def test_png_is_a_picture_of_the_size_of_the_sheet() -> None:
    small = Image.open(BytesIO(difference_png(scene("a", "b c"), TITLES)))
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


def test_lines_are_as_thick_as_their_weight_changed() -> None:
    """Measured by the largest change, so that small changes can be told apart too."""
    found = difference("( a | b ) c d", "( a | d ) c d")
    drawn = scene_of(found, weights={0: (1.0, 0.9), 1: (1.0, 0.95), 2: (1.0, 1.0)})
    assert [round(arc.thickness, 2) for arc in drawn.arcs] == [THICKEST, (THICKEST + THINNEST) / 2, THINNEST]
    assert drawn.arcs[0].weights == (1.0, 0.9)
    svg = difference_svg(drawn, TITLES)
    assert "weight changed by 0.10</text>" in svg
    assert "Thickness: change of the weight by training" in svg
    assert "from 0 to 0.10 (maximum here)." in " ".join(re.findall(r"<desc[^>]*>([^<]*)", svg))
    assert "+ added, thick" not in svg
    assert "weight 1.00 before and 0.90 after" in svg


def test_an_arc_without_a_weight_is_thin_and_counted() -> None:
    drawn = scene_of(difference("( a | b ) c d", "( a | d ) c d"), weights={0: (1.0, 0.5)})
    assert drawn.arcs[1].thickness == THINNEST
    assert drawn.weighed is not None
    assert (
        "2 of 3 transitions have no weight in the network, which lacks one of their states: thin"
        in drawn.weighed.in_words
    )


def test_an_arrow_that_came_is_no_thinner_for_want_of_a_weight() -> None:
    """The network cannot have weights for a state that the written rule has not."""
    drawn = scene_of(difference("a b", "a b | a c d"), weights={0: (1.0, 1.0)})
    came = [arc.thickness for arc in drawn.arcs if arc.mark is Mark.ADDED]
    assert came
    assert set(came) == {2 * THINNEST}


@pytest.mark.parametrize(
    ("weights", "reported", "points"),
    [
        ({}, "No weights: the network has none of these transitions", 2 * THINNEST),
        ({0: (1.0, 0.999)}, "No weight changed by 0.01 or more", THINNEST),
    ],
)
def test_where_there_is_no_weight_to_see_the_key_says_so(
    weights: dict[int, tuple[float, float]], reported: str, points: float
) -> None:
    drawn = scene_of(difference("a", "b"), weights=weights)
    assert {arc.thickness for arc in drawn.arcs} == {points}
    assert reported in difference_svg(drawn, TITLES)
    assert "weight changed by" not in difference_svg(drawn, TITLES).replace("No weight changed by", "")


def test_without_weights_thickness_says_what_came() -> None:
    svg = difference_svg(scene("a", "b c"), TITLES)
    assert "+ added, thick" in svg
    assert "weight changed" not in svg
    assert "Thickness" not in svg


MARKS = {
    "words changed": ("a b", "a c", {"kept", "changed"}),
    "an alternative came": ("( a | b )", "( a | b | d e )", {"kept", "added"}),
    "one went and one came": ("a b", "c", {"kept", "removed", "added"}),
}


@pytest.mark.parametrize(("left", "right", "expected"), MARKS.values(), ids=list(MARKS))
def test_the_legend_has_the_marks_that_are_drawn_and_no_others(left: str, right: str, expected: set[str]) -> None:
    assert {mark.word for mark, _, _ in legend_of(scene(left, right))} == expected


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


def test_the_most_frequent_words_are_written_out() -> None:
    words = [f"{letter}word" for letter in "abcdefghij"]
    before, after = (f"to ( {' | '.join(own)} )" for own in (words[:1], words))
    found = machine_difference(machine(before), machine(after))
    counts = {"jword": 9, "hword": 5, "aword": 1}
    labels = [scene_of(found, counts=given).arcs[1].labels[1] for given in (counts, {})]
    assert labels[0].startswith("± aword  + jword | hword | bword")
    assert labels[1].startswith("± aword  + bword | cword")
