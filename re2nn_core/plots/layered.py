"""The second half of a layered drawing: the order within the layers, and where everything stands.

Orders are found by sweeping to and fro, each item put at the mean place of its neighbours in the layer before; of all
sweeps the one with the fewest crossings is kept. Heights are then pulled towards those of the neighbours, in the order
found and with the room each item needs, which for one layer is a least-squares problem with a chain of constraints,
solved exactly by pooling neighbours that collide.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.plots.layers import Box, Edge, Layered, in_layers

SWEEPS = 8
PULLS = 8
COUNTED = 6_000  # links; with more of them crossings are not counted
LABELLED_EDGES = 420
ROW_GAP, LAYER_GAP, LABEL_GAP = 9.0, 64.0, 14.0
LABEL_HEIGHT = 15.0
STRAIGHT = 6  # how much more a link between two stations pulls than one to a node

Point = tuple[float, float]


@dataclass(frozen=True)
class Placement:
    """Where nodes stand, and the points that edges go through from source to target, both ends at the middle of the
    nodes; none for a loop. `labels` are the middles of the labels that have a place of their own, else None."""

    places: tuple[Point, ...]
    routes: tuple[tuple[Point, ...], ...]
    labels: tuple[Point | None, ...]
    width: float
    height: float


def placed(boxes: Sequence[Box], edges: Sequence[Edge]) -> Placement:
    """A layered drawing from left to right; node 0 is the start."""
    labelled = len(edges) <= LABELLED_EDGES
    layered = in_layers(boxes, edges, label_height=LABEL_HEIGHT, labelled=labelled)
    orders, before, behind = _ordered(layered)
    heights = _heights(layered, orders, before, behind)
    across, width = _across(layered, orders, LABEL_GAP if labelled else LAYER_GAP)
    top = min(heights[item] - box.above for item, box in enumerate(layered.boxes))
    bottom = max(heights[item] + box.below for item, box in enumerate(layered.boxes))
    points = [(across[layered.layer[item]], heights[item] - top) for item in range(len(layered.boxes))]
    routes = tuple(
        tuple(points[item] for item in (reversed(chain) if number in layered.turned else chain))
        for number, chain in enumerate(layered.chains)
    )
    labels = tuple(points[item] if item >= 0 else None for item in layered.stations)
    return Placement(tuple(points[: layered.nodes]), routes, labels, width, bottom - top)


Neighbours = list[list[int]]


def _ordered(layered: Layered) -> tuple[list[list[int]], Neighbours, Neighbours]:
    """The order of each layer, and the neighbours of each item in the layer before and behind."""
    before: Neighbours = [[] for _ in layered.boxes]
    behind: Neighbours = [[] for _ in layered.boxes]
    for chain in layered.chains:
        for left, right in zip(chain, chain[1:], strict=False):
            if layered.layer[right] - layered.layer[left] == 1:
                behind[left].append(right)
                before[right].append(left)
    orders: list[list[int]] = [[] for _ in range(layered.layers)]
    for item in range(len(layered.boxes)):
        orders[layered.layer[item]].append(item)
    place = _places(orders, len(layered.boxes))
    count = sum(map(len, behind)) <= COUNTED
    best, fewest = [list(order) for order in orders], _crossings(orders, behind, place) if count else 0
    for sweep in range(SWEEPS):
        forwards = sweep % 2 == 0
        for number in range(1, len(orders)) if forwards else range(len(orders) - 2, -1, -1):
            _sort_layer(orders[number], before if forwards else behind, place)
        if not count:
            best = orders
        elif (crossings := _crossings(orders, behind, place)) < fewest:
            best, fewest = [list(order) for order in orders], crossings
    return best, before, behind


def _places(orders: Sequence[Sequence[int]], items: int) -> list[int]:
    place = [0] * items
    for order in orders:
        for number, item in enumerate(order):
            place[item] = number
    return place


def _sort_layer(order: list[int], neighbours: Neighbours, place: list[int]) -> None:
    """By the mean place of the neighbours; an item without any stays about where it is."""
    means = {
        item: sum(place[other] for other in neighbours[item]) / len(neighbours[item])
        if neighbours[item]
        else float(place[item])
        for item in order
    }
    order.sort(key=means.__getitem__)
    for number, item in enumerate(order):
        place[item] = number


def _crossings(orders: Sequence[Sequence[int]], behind: Neighbours, place: Sequence[int]) -> int:
    """How many pairs of links cross."""
    total = 0
    for order in orders:
        seen: list[int] = []
        for item in order:
            targets = sorted(place[other] for other in behind[item])
            total += sum(len(seen) - bisect_right(seen, target) for target in targets)
            for target in targets:
                insort(seen, target)
    return total


def _heights(layered: Layered, orders: list[list[int]], before: Neighbours, behind: Neighbours) -> list[float]:
    heights = [0.0] * len(layered.boxes)
    for order in orders:
        _stack(order, layered.boxes, heights)
    for pull in range(PULLS):
        forwards = pull % 2 == 0
        for number in range(1, len(orders)) if forwards else range(len(orders) - 2, -1, -1):
            order = orders[number]
            wanted = [_wanted(item, before if forwards else behind, heights, layered.nodes) for item in order]
            _balance(order, layered.boxes, wanted, heights)
    return heights


def _stack(order: Sequence[int], boxes: Sequence[Box], heights: list[float]) -> None:
    """One below the other, their middle at 0."""
    at = 0.0
    for item in order:
        heights[item] = at + boxes[item].above
        at = heights[item] + boxes[item].below + ROW_GAP
    for item in order:
        heights[item] -= at / 2


def _wanted(item: int, neighbours: Neighbours, heights: Sequence[float], nodes: int) -> float:
    """The mean height of the neighbours; stations hold to stations, so that long arcs are straight."""
    total = weight = 0.0
    for other in neighbours[item]:
        pull = STRAIGHT if item >= nodes and other >= nodes else 1
        total += pull * heights[other]
        weight += pull
    return total / weight if weight else heights[item]


def _balance(order: Sequence[int], boxes: Sequence[Box], wanted: Sequence[float], heights: list[float]) -> None:
    """Heights nearest to the wanted ones, in the least squares, that leave each item its room."""
    offsets, at = [], 0.0
    for place, item in enumerate(order):
        if place:
            at += boxes[order[place - 1]].below + ROW_GAP + boxes[item].above
        offsets.append(at)
    # Less their offsets the heights must not fall: pool neighbours that do, each pool at its mean.
    pools: list[tuple[float, int]] = []
    for want, offset in zip(wanted, offsets, strict=True):
        total, count = want - offset, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            earlier, members = pools.pop()
            total, count = total + earlier, count + members
        pools.append((total, count))
    place = 0
    for total, count in pools:
        for _ in range(count):
            heights[order[place]] = total / count + offsets[place]
            place += 1


def _across(layered: Layered, orders: Sequence[Sequence[int]], gap: float) -> tuple[list[float], float]:
    """The middle of each layer, and the width of all."""
    middles, at = [], 0.0
    for order in orders:
        width = max((layered.boxes[item].width for item in order), default=0.0)
        middles.append(at + width / 2)
        at += width + gap
    return middles, at - gap
