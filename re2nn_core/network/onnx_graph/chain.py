"""The linear chain over tags (slot_filling/crf.py): its best sequence and its marginals, as loops over words."""

from __future__ import annotations

from collections.abc import Callable

import torch

from re2nn_core.network.onnx_graph.builder import FLOAT, INTEGER, TRUTH, Graph
from re2nn_core.network.slot_filling.crf import LinearChain

FROM_SECOND = (1, 2**31 - 1)  # all words but the first


def best_sequence(graph: Graph, chain: LinearChain, emissions: str, inside: str) -> str:
    """[batch, time]: tag numbers from emissions [batch, time, tags]; inside [batch, time, 1]. At least two words."""
    tags = chain.start.shape[0]
    transitions, end = graph.constant(chain.transitions), graph.constant(chain.end)
    same = graph.constant(torch.arange(tags))

    def forward(body: Graph, states: list[str], word: list[str]) -> tuple[list[str], list[str]]:
        paths = body.op("Add", body.op("Unsqueeze", states[0], body.axes(2)), transitions)
        highest = body.op("ReduceMax", paths, body.axes(1), keepdims=0)
        scores = body.op("Sub", highest, body.op("ReduceMax", highest, body.axes(1), keepdims=1))
        state = body.op("Where", word[1], body.op("Add", scores, word[0]), states[0])
        return [state], [body.op("Where", word[1], body.op("ArgMax", paths, axis=1, keepdims=0), same)]

    def back(body: Graph, states: list[str], word: list[str]) -> tuple[list[str], list[str]]:
        tag = body.op("GatherElements", word[0], states[0], axis=1)
        return [tag], [tag]

    last, sources = graph.scan(
        forward, [(_first(graph, chain, emissions), FLOAT)], _words(graph, emissions, inside), [INTEGER]
    )
    tag = graph.op("ArgMax", graph.op("Add", last[0], end), axis=1, keepdims=1)  # [batch, 1]
    _, before = graph.scan(back, [(tag, INTEGER)], [(sources[0], INTEGER)], [INTEGER], backward=True)
    return graph.op("Concat", graph.op("Squeeze", before[0], graph.axes(2)), tag, axis=1)


def marginals(graph: Graph, chain: LinearChain, emissions: str, inside: str) -> str:
    """[batch, time, tags]: the probability of each tag at each word. At least two words."""
    rows, columns = graph.constant(chain.transitions[None]), graph.constant(chain.transitions.T[None])

    def forward(body: Graph, states: list[str], word: list[str]) -> tuple[list[str], list[str]]:
        summed = _summed(body, columns, states[0])
        level = body.op("Sub", summed, body.op("ReduceMax", summed, body.axes(1), keepdims=1))
        state = body.op("Where", word[1], body.op("Add", level, word[0]), states[0])
        return [state], [state]

    def backward(body: Graph, states: list[str], word: list[str]) -> tuple[list[str], list[str]]:
        summed = _summed(body, rows, body.op("Add", states[0], word[0]))
        level = body.op("Sub", summed, body.op("ReduceMax", summed, body.axes(1), keepdims=1))
        state = body.op("Where", word[1], level, states[0])
        return [state], [state]

    first = _first(graph, chain, emissions)
    words = _words(graph, emissions, inside)
    _, later = graph.scan(forward, [(first, FLOAT)], words, [FLOAT])
    alpha = graph.op("Concat", graph.op("Unsqueeze", first, graph.axes(1)), later[0], axis=1)
    last = graph.rows(graph.constant(chain.end), first, chain.end.shape[0])
    _, earlier = graph.scan(backward, [(last, FLOAT)], words, [FLOAT], backward=True)
    beta = graph.op("Concat", earlier[0], graph.op("Unsqueeze", last, graph.axes(1)), axis=1)
    return graph.op("Softmax", graph.op("Add", alpha, beta), axis=2)


def _first(graph: Graph, chain: LinearChain, emissions: str) -> str:
    """[batch, tags]: scores at the first word."""
    return graph.op("Add", graph.op("Gather", emissions, graph.constant(0), axis=1), graph.constant(chain.start))


def _words(graph: Graph, emissions: str, inside: str) -> list[tuple[str, int]]:
    """Emissions and what is inside, from the second word on."""
    cut: Callable[[str], str] = lambda value: graph.op(  # noqa: E731
        "Slice", value, graph.axes(FROM_SECOND[0]), graph.axes(FROM_SECOND[1]), graph.axes(1)
    )
    return [(cut(emissions), FLOAT), (cut(inside), TRUTH)]


def _summed(body: Graph, transitions: str, state: str) -> str:
    """[batch, tags]: logarithms of sums over the last axis of transitions [1, tags, tags] and state [batch, tags]."""
    joined = body.op("Add", transitions, body.op("Unsqueeze", state, body.axes(1)))
    top = body.op("ReduceMax", joined, body.axes(2), keepdims=1)
    total = body.op("ReduceSum", body.op("Exp", body.op("Sub", joined, top)), body.axes(2), keepdims=0)
    return body.op("Add", body.op("Log", total), body.op("Squeeze", top, body.axes(2)))
