"""A scene as SVG: both machines, each state in the same place on either side, and a key of the marks.

Words come from people, so every text is escaped. The styles are in the file, which needs nothing else to be shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from re2nn_core.automata.differences.difference import Mark
from re2nn_core.plots.difference_legend import ROW, SAMPLE, Key, arc_in_words, described, laid_legend, state_in_words
from re2nn_core.plots.difference_scene import (
    LEFT,
    RIGHT,
    THICKEST,
    THINNEST,
    Scene,
    SceneArc,
    SceneNode,
    head_of,
)
from re2nn_core.plots.layered import Point
from re2nn_core.plots.scene_geometry import RADIUS, path_of

INK, QUIET = "#23282b", "#6b7478"
COLOURS = {Mark.KEPT: QUIET, Mark.ADDED: "#1d7a4f", Mark.REMOVED: "#b3402f", Mark.CHANGED: "#7a4f9c"}
DASHES = {Mark.KEPT: (), Mark.ADDED: (), Mark.REMOVED: (7, 4), Mark.CHANGED: (9, 3, 2, 3)}
MARGIN, TITLE, GAP = 18.0, 26.0, 34.0
NARROWEST = 620.0
WIDEST = 900.0  # two panels that are wider stand one below the other
SIDES = (LEFT, RIGHT)
_WIDTHS = round(THICKEST - THINNEST) + 1  # heads of so many sizes


@dataclass(frozen=True)
class Sheet:
    """Where the two panels stand on a picture, the key below them, and how large it all is."""

    panels: tuple[Point, Point]
    width: float
    height: float
    key: Key
    key_at: Point


def sheet_of(scene: Scene, widest: float = WIDEST, sides: Sequence[int] = SIDES) -> Sheet:
    """Side by side, or one below the other where that would be too wide; one of the sides alone where asked for."""
    top = MARGIN + TITLE
    if len(sides) == 1:
        second = (MARGIN, top)
        width, height = scene.width + 2 * MARGIN, top + scene.height + MARGIN
    elif scene.width <= widest:
        second = (MARGIN + max(scene.width, 180) + GAP, top)
        width, height = second[0] + max(scene.width, 180) + MARGIN, top + scene.height + MARGIN
    else:
        second = (MARGIN, top + scene.height + GAP + TITLE)
        width, height = scene.width + 2 * MARGIN, second[1] + scene.height + MARGIN
    width = max(width, NARROWEST)
    key = laid_legend(scene, width - 2 * MARGIN)
    return Sheet(((MARGIN, top), second), width, height + key.height + MARGIN, key, (MARGIN, height + ROW / 2))


def difference_svg(
    scene: Scene, titles: tuple[str, str], *, widest: float = WIDEST, sides: Sequence[int] = SIDES
) -> str:
    """The picture as SVG text; panels wider than `widest` stand one below the other. `sides`: those that are drawn."""
    sheet = sheet_of(scene, widest, sides)
    size = f'width="{sheet.width:.0f}" height="{sheet.height:.0f}" viewBox="0 0 {sheet.width:.0f} {sheet.height:.0f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="what all" '
        'font-family="sans-serif" font-size="10">',
        f'<title id="what">{_text(f"{titles[LEFT]}, and {titles[RIGHT]}")}</title>',
        f'<desc id="all">{_text(described(scene))}</desc>',
        f"<style>{_style()}</style><defs>{''.join(_heads())}</defs>",
        f'<rect width="{sheet.width:.0f}" height="{sheet.height:.0f}" fill="#fff"/>',
    ]
    for side in sides:
        lines += _panel(scene, side, titles[side], sheet.panels[side])
    lines += _key(sheet)
    return "\n".join([*lines, "</svg>", ""])


def embedded_svg(
    scene: Scene, titles: tuple[str, str], name: str, *, widest: float, sides: Sequence[int] = SIDES
) -> str:
    """The picture as a part of an HTML page; `name` tells its ids from those of other pictures there."""
    picture = difference_svg(scene, titles, widest=widest, sides=sides)
    # Quotation marks of labels are escaped, so that these are attributes.
    for old, new in (
        ('aria-labelledby="what all"', f'aria-labelledby="{name}what {name}all"'),
        ('<title id="', f'<title id="{name}'),
        ('<desc id="', f'<desc id="{name}'),
        ('<marker id="', f'<marker id="{name}'),
        ('marker-end="url(#', f'marker-end="url(#{name}'),
    ):
        picture = picture.replace(old, new)
    return picture


def _style() -> str:
    rules = [
        f"text{{fill:{INK}}}.a path{{fill:none}}.t{{text-anchor:middle}}.s{{stroke-width:1.3;fill:#fff}}"
        # A white outline below the letters hides the line they stand on, whatever the letters are as wide as.
        ".g{paint-order:stroke;stroke:#fff;stroke-width:7.5;stroke-linejoin:round}.k{stroke-width:3}"
    ]
    for mark in Mark:
        dash = f";stroke-dasharray:{' '.join(map(str, DASHES[mark]))}" if DASHES[mark] else ""
        colour = COLOURS[mark]
        rules.append(f".{mark.word}{{stroke:{colour}{dash}}}.l{mark.word}{{fill:{colour}}}")
    return "".join(rules)


def _heads() -> Iterator[str]:
    for mark in Mark:
        for wide in range(_WIDTHS):
            size = head_of(THINNEST + wide)
            yield (
                f'<marker id="h{wide}{mark.word}" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" '
                f'markerWidth="{size:.1f}" markerHeight="{size:.1f}" orient="auto">'
                f'<path d="M0 0L8 4L0 8z" fill="{COLOURS[mark]}"/></marker>'
            )


def _panel(scene: Scene, side: int, title: str, at: Point) -> Iterator[str]:
    yield f'<text x="{at[0]:.0f}" y="{at[1] - 12:.0f}" font-size="13" font-weight="600">{_text(title)}</text>'
    yield f'<g transform="translate({at[0]:.1f} {at[1]:.1f})">'
    for arc in scene.arcs:
        if arc.labels[side]:
            yield from _arc(scene, arc, side)
    for number, node in enumerate(scene.nodes):
        if node.names[side]:
            yield from _state(node, side, start=number == 0)
    # Last, so that no line runs through what is to be read.
    for node in scene.nodes:
        if node.names[side] and node.mark is not Mark.KEPT:
            yield _letter(node)
    for arc in scene.arcs:
        if arc.labels[side] and arc.labelled:
            yield _label(arc, side)
    yield "</g>"


def _arc(scene: Scene, arc: SceneArc, side: int) -> Iterator[str]:
    mark, wide = arc.mark, round(arc.thickness - THINNEST)
    yield (
        f'<g class="a"><path d="{path_of(arc.curve)}" class="{mark.word}" stroke-width="{arc.thickness:.1f}" '
        f'marker-end="url(#h{wide}{mark.word})"><title>{_text(arc_in_words(scene, arc, side))}</title></path></g>'
    )


def _label(arc: SceneArc, side: int) -> str:
    """What stands at an arc."""
    x, y = arc.label_at
    return f'<text class="t g l{arc.mark.word}" x="{x:.1f}" y="{y + 3.5:.1f}">{_text(arc.labels[side])}</text>'


def _state(node: SceneNode, side: int, *, start: bool) -> Iterator[str]:
    x, y = node.at
    mark = node.mark
    place = f'cx="{x:.1f}" cy="{y:.1f}"'
    if start:
        begin = x - node.half_width
        yield f'<path d="M{begin - 14:.1f} {y:.1f}H{begin - 2:.1f}" class="kept" marker-end="url(#h0kept)"/>'
    reported = f"<title>{_text(state_in_words(node, side))}</title>"
    yield f'<ellipse class="s {mark.word}" {place} rx="{node.half_width:.1f}" ry="{RADIUS}">{reported}</ellipse>'
    if node.final[side]:
        yield f'<ellipse class="s {mark.word}" {place} rx="{node.half_width - 3:.1f}" ry="{RADIUS - 3}"/>'
    yield f'<text class="t" font-size="11" x="{x:.1f}" y="{y + 4:.1f}">{_text(node.names[side])}</text>'


def _letter(node: SceneNode) -> str:
    """The sign below a state that is not as it was."""
    x, y = node.at
    letter = f'<text class="t g k l{node.mark.word}" font-size="13" font-weight="700"'
    return f'{letter} x="{x:.1f}" y="{y + RADIUS + 12:.1f}">{node.mark.value}</text>'


def _key(sheet: Sheet) -> Iterator[str]:
    left, top = sheet.key_at
    for entry in sheet.key.entries:
        x, y = left + entry.x, top + entry.y
        yield f'<path d="M{x:.0f} {y:.0f}h{SAMPLE:.0f}" class="{entry.mark.word}" stroke-width="{entry.thickness}"/>'
        yield f'<text x="{x + SAMPLE + 5:.0f}" y="{y + 3.5:.0f}">{_text(entry.meaning)}</text>'
    for y, note in sheet.key.notes:
        yield f'<text x="{left:.0f}" y="{top + y + 3.5:.0f}">{_text(note)}</text>'


def _text(text: str) -> str:
    """Text for SVG; signs that XML does not know are gone already, as every label is printable."""
    return escape("".join(sign if sign.isprintable() else "�" for sign in text))
