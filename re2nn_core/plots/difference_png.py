"""A scene as PNG, drawn here so that no other program is needed; the same picture as the SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import pairwise
from math import atan2, cos, hypot, sin
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from re2nn_core.automata.differences.difference import Mark
from re2nn_core.plots.difference_legend import SAMPLE
from re2nn_core.plots.difference_scene import THINNEST, Scene, SceneArc, SceneNode, head_of
from re2nn_core.plots.difference_svg import COLOURS, DASHES, INK, SIDES, Sheet, sheet_of
from re2nn_core.plots.layered import Point
from re2nn_core.plots.scene_geometry import RADIUS

MOST_PIXELS = 16_000_000
SCALE = 2.0
_PIECES = 10  # straight pieces of a Bezier piece
_LABELS_FROM = 0.8  # pixels a point; with fewer nobody can read a label
# Tried in this order; the last one is inside the library and has no Chinese.
_FONTS = ("NotoSansCJK-Regular.ttc", "wqy-microhei.ttc", "DejaVuSans.ttf", "Arial Unicode.ttf", "msyh.ttc")


def difference_png(scene: Scene, titles: tuple[str, str]) -> bytes:
    """The picture as PNG, smaller where it would pass MOST_PIXELS."""
    sheet = sheet_of(scene)
    scale = min(SCALE, (MOST_PIXELS / (sheet.width * sheet.height)) ** 0.5)
    # A small picture is drawn twice as large and shrunk, so that slanted lines have no steps.
    finer = 2 if sheet.width * sheet.height * (2 * scale) ** 2 <= MOST_PIXELS else 1
    scale *= finer
    image = Image.new("RGB", (max(1, round(sheet.width * scale)), max(1, round(sheet.height * scale))), "white")
    pen = _Pen(ImageDraw.Draw(image), scale)
    for side in SIDES:
        at = sheet.panels[side]
        pen.at = (0.0, 0.0)
        pen.text((at[0], at[1] - 16), titles[side], INK, 13, centred=False)
        pen.at = at
        for arc in scene.arcs:
            if arc.labels[side]:
                _line(pen, arc)
        for number, node in enumerate(scene.nodes):
            if node.names[side]:
                _state(pen, node, side, start=number == 0)
        for node in scene.nodes:
            if node.names[side] and node.mark is not Mark.KEPT:
                x, y = node.at
                pen.text((x, y + RADIUS + 7), node.mark.value, COLOURS[node.mark], 13, halo=True)
        if scale >= _LABELS_FROM:
            for arc in scene.arcs:
                if arc.labels[side] and arc.labelled:
                    pen.text(arc.label_at, arc.labels[side], COLOURS[arc.mark], 10, halo=True)
    _key(pen, sheet)
    out = BytesIO()
    (image.reduce(finer) if finer > 1 else image).save(out, "PNG", compress_level=2)
    return out.getvalue()


class _Pen:
    """Draws in points from `at` on; `scale` pixels are a point."""

    def __init__(self, draw: ImageDraw.ImageDraw, scale: float) -> None:
        self.draw, self.scale = draw, scale
        self.at: Point = (0.0, 0.0)

    def pixel(self, point: Point) -> Point:
        return (self.at[0] + point[0]) * self.scale, (self.at[1] + point[1]) * self.scale

    def line(self, points: Sequence[Point], mark: Mark, thickness: float) -> None:
        width = max(1, round(thickness * self.scale))
        for piece in _dashed(points, DASHES[mark]):
            self.draw.line([self.pixel(point) for point in piece], fill=COLOURS[mark], width=width, joint="curve")

    def ellipse(self, at: Point, across: float, down: float, mark: Mark) -> None:
        box = [*self.pixel((at[0] - across, at[1] - down)), *self.pixel((at[0] + across, at[1] + down))]
        self.draw.ellipse(box, fill="white", outline=COLOURS[mark], width=max(1, round(1.3 * self.scale)))

    def head(self, tip: Point, before: Point, mark: Mark, size: float = head_of(THINNEST)) -> None:
        angle = atan2(tip[1] - before[1], tip[0] - before[0])
        wings = [(tip[0] - size * cos(angle + turn), tip[1] - size * sin(angle + turn)) for turn in (-0.45, 0.45)]
        self.draw.polygon([self.pixel(point) for point in (tip, *wings)], fill=COLOURS[mark])

    def text(self, at: Point, text: str, colour: str, size: int, *, centred: bool = True, halo: bool = False) -> None:
        shown = "".join(sign if sign.isprintable() else "�" for sign in text)
        font = _font(max(4, round(size * self.scale)))
        if halo:  # a white ground instead of an outline around each letter, which takes ten times as long
            (x, y), half, up = self.pixel(at), font.getlength(shown) / 2 + self.scale, size * self.scale * 0.62
            self.draw.rectangle([x - half, y - up, x + half, y + up], fill="white")
        self.draw.text(self.pixel(at), shown, fill=colour, font=font, anchor="mm" if centred else "lm")


def _key(pen: _Pen, sheet: Sheet) -> None:
    pen.at = sheet.key_at
    for entry in sheet.key.entries:
        pen.line([(entry.x, entry.y), (entry.x + SAMPLE, entry.y)], entry.mark, entry.thickness)
        pen.text((entry.x + SAMPLE + 5, entry.y), entry.meaning, INK, 10, centred=False)
    for y, note in sheet.key.notes:
        pen.text((0.0, y), note, INK, 10, centred=False)


def _line(pen: _Pen, arc: SceneArc) -> None:
    points = list(flattened(arc.curve))
    pen.line(points, arc.mark, arc.thickness)
    pen.head(points[-1], points[-2], arc.mark, head_of(arc.thickness))


def _state(pen: _Pen, node: SceneNode, side: int, *, start: bool) -> None:
    x, y = node.at
    if start:
        begin = x - node.half_width
        pen.line([(begin - 14, y), (begin - 2, y)], Mark.KEPT, 1.2)
        pen.head((begin - 1, y), (begin - 14, y), Mark.KEPT)
    pen.ellipse(node.at, node.half_width, RADIUS, node.mark)
    if node.final[side]:
        pen.ellipse(node.at, node.half_width - 3, RADIUS - 3, node.mark)
    pen.text(node.at, node.names[side], INK, 11)


def flattened(curve: Sequence[Point]) -> Iterator[Point]:
    """Points on the curve, near enough to each other to be joined by straight lines."""
    yield curve[0]
    for begin in range(0, len(curve) - 1, 3):
        a, b, c, d = curve[begin : begin + 4]
        for step in range(1, _PIECES + 1):
            t = step / _PIECES
            s = 1 - t
            weighed = (s**3, a), (3 * s * s * t, b), (3 * s * t * t, c), (t**3, d)
            yield sum(weight * x for weight, (x, _) in weighed), sum(weight * y for weight, (_, y) in weighed)


def _dashed(points: Sequence[Point], dashes: Sequence[int]) -> Iterator[list[Point]]:
    """The line cut into the dashes that are drawn."""
    if not dashes:
        yield list(points)
        return
    place, left = 0, float(dashes[0])
    piece = [points[0]]
    for begin, end in pairwise(points):
        length = hypot(end[0] - begin[0], end[1] - begin[1])
        done = 0.0
        while length - done > left:
            done += left
            share = done / length
            cut = begin[0] + (end[0] - begin[0]) * share, begin[1] + (end[1] - begin[1]) * share
            if place % 2 == 0:
                yield [*piece, cut]
            piece, place = [cut], place + 1
            left = float(dashes[place % len(dashes)])
        left -= length - done
        piece.append(end)
    if place % 2 == 0 and len(piece) > 1:
        yield piece


@cache
def _font(size: int) -> Any:
    for name in _FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
