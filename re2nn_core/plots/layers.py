"""The first half of a layered drawing (Sugiyama, Tagawa and Toda, IEEE Trans. SMC 1981): layers and stations.

Arcs that lead back are turned round, each node is put into the layer behind the longest way that leads to it, and an
arc over several layers gets a station in each layer between. With labels every second layer is theirs alone, so that a
label has a place of its own as a node has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_CHAIN = 40  # layers; a longer arc goes straight
MOST_STATIONS = 12_000


@dataclass(frozen=True)
class Box:
    """The room that a node needs: its width, and what it needs above and below its middle; in points."""

    width: float
    above: float
    below: float


@dataclass(frozen=True)
class Edge:
    """An arc between two nodes; `label` is the width of its label, 0 where it has none."""

    source: int
    target: int
    label: float = 0.0


@dataclass(frozen=True)
class Layered:
    """Nodes and stations in layers. `boxes` are those of the nodes, then those of the stations; `chains` has for each
    edge the items from its left end to its right end, empty for a loop; `turned` says which edges were turned round.
    `links` are the pairs of items in neighbouring layers that an edge joins."""

    boxes: tuple[Box, ...]
    layer: tuple[int, ...]
    chains: tuple[tuple[int, ...], ...]
    stations: tuple[int, ...]  # for each edge the item that holds its label, -1 where none does
    turned: frozenset[int]
    nodes: int

    @property
    def layers(self) -> int:
        return max(self.layer) + 1


def in_layers(boxes: Sequence[Box], edges: Sequence[Edge], *, label_height: float, labelled: bool) -> Layered:
    """Layers for nodes and edges; with `labelled` there is a layer for labels between any two of nodes."""
    turned = _leading_back(len(boxes), edges)
    ends = [
        (edge.target, edge.source) if number in turned else (edge.source, edge.target)
        for number, edge in enumerate(edges)
    ]
    layer = [number * (2 if labelled else 1) for number in _longest_ways(len(boxes), ends)]
    all_boxes, chains, stations = list(boxes), list[tuple[int, ...]](), list[int]()
    for edge, (left, right) in zip(edges, ends, strict=True):
        between = range(layer[left] + 1, layer[right])
        if left == right:
            chains.append(())
            stations.append(-1)
            continue
        if len(between) > LONGEST_CHAIN or len(all_boxes) - len(boxes) > MOST_STATIONS:
            chains.append((left, right))
            stations.append(-1)
            continue
        middle = between[len(between) // 2] if labelled and between else -1
        chain, own = [left], -1
        for number in between:
            if number == middle and edge.label:
                own = len(all_boxes)
                all_boxes.append(Box(edge.label, label_height / 2, label_height / 2))
            else:
                all_boxes.append(Box(0.0, 2.0, 2.0))
            chain.append(len(all_boxes) - 1)
            layer.append(number)
        chains.append((*chain, right))
        stations.append(own)
    return Layered(tuple(all_boxes), tuple(layer), tuple(chains), tuple(stations), turned, len(boxes))


def _leading_back(nodes: int, edges: Sequence[Edge]) -> frozenset[int]:
    """The edges that lead to a node which is still being walked through: without them there is no cycle."""
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
    for number, edge in enumerate(edges):
        if edge.source != edge.target:
            leaving[edge.source].append((edge.target, number))
    state = [0] * nodes  # 0 not seen, 1 on the way, 2 done
    found = set()
    for root in range(nodes):
        if state[root]:
            continue
        state[root] = 1
        stack = [(root, iter(leaving[root]))]
        while stack:
            node, ways = stack[-1]
            for target, number in ways:
                if state[target] == 1:
                    found.add(number)
                elif state[target] == 0:
                    state[target] = 1
                    stack.append((target, iter(leaving[target])))
                    break
            else:
                state[node] = 2
                stack.pop()
    return frozenset(found)


def _longest_ways(nodes: int, ends: Sequence[tuple[int, int]]) -> list[int]:
    """The number of steps of the longest way to each node; there are no cycles any more."""
    behind: list[list[int]] = [[] for _ in range(nodes)]
    waiting = [0] * nodes
    for left, right in ends:
        if left != right:
            behind[left].append(right)
            waiting[right] += 1
    layer = [0] * nodes
    queue = [node for node in range(nodes) if not waiting[node]]
    for node in queue:
        for target in behind[node]:
            layer[target] = max(layer[target], layer[node] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                queue.append(target)
    # A node that nothing leads to but the start stands right before what it leads to.
    for node in reversed(queue[1:]):
        if behind[node]:
            nearest = min(layer[target] for target in behind[node]) - 1
            if layer[node] == 0 and node != 0:
                layer[node] = max(nearest, 0)
    return layer
