"""The recurrence (recurrence/recurrent_layer.py) as a Scan over words: one direction, from word numbers to states."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from re2nn_core.network.onnx_graph.builder import FLOAT, INTEGER, TRUTH, Graph
from re2nn_core.network.recurrence.gates import Gates
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.network.recurrence.semiring_loop import MaxProduct, Weights

# (graph, state [batch, states], the word's terms [batch, rank]) -> next state [batch, states]
Plain = Callable[[Graph, str, str], str]
Squash = Callable[[Graph, str], str]


def term_table(reader: RecurrentLayer) -> Tensor:
    """[vocabulary, rank]: what the recurrence reads of each word."""
    with torch.no_grad():
        return reader.word_terms(torch.arange(_vocabulary(reader), device=reader.start.device))


def _vocabulary(reader: RecurrentLayer) -> int:
    return len(reader.word_factors if reader.decomposed else reader.arc_weights)


def step_of(graph: Graph, reader: RecurrentLayer, weights: Weights | None, squash: Squash) -> Plain:
    """One word without gates. `weights`: D1, D2 and W as they are used; None where nothing is decomposed."""
    best = isinstance(reader.semiring, MaxProduct)
    if weights is None:
        return _arc_step(graph, reader, squash, best=best)
    wildcard, targets = graph.constant(weights.wildcard), graph.constant(weights.targets.T)
    sources = graph.constant(weights.sources if not best else weights.sources[None])

    def summed(body: Graph, state: str, word: str) -> str:
        chosen = body.op("Mul", body.op("MatMul", state, sources), word)
        total = body.op("Add", body.op("MatMul", state, wildcard), body.op("MatMul", chosen, targets))
        return squash(body, total)

    def largest(body: Graph, state: str, word: str) -> str:
        scaled = body.op("Mul", body.op("Unsqueeze", word, body.axes(1)), sources)  # [batch, states, rank]
        arcs = body.op("Add", body.op("MatMul", scaled, targets), wildcard)  # [batch, states, states]
        paths = body.op("Mul", body.op("Unsqueeze", state, body.axes(2)), arcs)
        return squash(body, body.op("ReduceMax", paths, body.axes(1), keepdims=0))

    return largest if best else summed


def _arc_step(graph: Graph, reader: RecurrentLayer, squash: Squash, *, best: bool) -> Plain:
    """Of a reader with a weight for each word and each transition: paths are added up, or the best one is taken."""
    sources, width = graph.constant(reader.arc_sources), len(reader.arc_sources)
    if best:
        targets = graph.constant(reader.arc_targets[None])
    else:
        joined = torch.zeros(width, len(reader.start))
        joined[torch.arange(width), reader.arc_targets.cpu()] = 1
        targets = graph.constant(joined)

    def step(body: Graph, state: str, word: str) -> str:
        along = body.op("Mul", body.op("Gather", state, sources, axis=1), word)  # [batch, arcs]
        if not best:
            return squash(body, body.op("MatMul", along, targets))
        places = body.op("Expand", targets, body.op("Shape", along))
        zeros = body.op("Mul", state, body.constant(0.0))
        return squash(body, body.op("ScatterElements", zeros, places, along, axis=1, reduction="max"))

    return step


def gated(graph: Graph, plain: Plain, gates: Gates | None, start: Tensor) -> Plain:
    """The step inside its gates (recurrence/gates.py); `start` [states] is h_0."""
    if gates is None:
        return plain
    first = graph.constant(start)
    weights = {name: graph.constant(value) for name, value in gates.named_parameters()}

    def gate(body: Graph, kind: str, state: str, word: str) -> str:
        given = body.op(
            "Add",
            body.op("MatMul", word, weights[f"{kind}_word"]),
            body.op("MatMul", state, weights[f"{kind}_state"]),
        )
        return body.op("Sigmoid", body.op("Add", given, weights[f"{kind}_bias"]))

    def step(body: Graph, state: str, word: str) -> str:
        taken = plain(body, _mixed(body, gate(body, "reset", state, word), first, state), word)
        return _mixed(body, gate(body, "update", state, word), state, taken)

    return step


def _mixed(body: Graph, share: str, one: str, other: str) -> str:
    """(1 - share) one + share other."""
    rest = body.op("Sub", body.constant(1.0), share)
    return body.op("Add", body.op("Mul", rest, one), body.op("Mul", share, other))


def add_scan(graph: Graph, step: Plain, table: Tensor, start: Tensor, words: str, inside: str) -> str:
    """[batch, states] after the last word of each text; words [batch, time], inside [batch, time, 1]."""
    states, _ = _scan(graph, step, table, start, words, inside)
    return states


def run_all(
    graph: Graph, step: Plain, table: Tensor, start: Tensor, words: str, inside: str, *, backward: bool = False
) -> str:
    """[batch, time, states]: after each word, or with `backward`, from the right, before each word is read."""
    return _scan(graph, step, table, start, words, inside, kept="before" if backward else "after")[1]


def _scan(
    graph: Graph, step: Plain, table: Tensor, start: Tensor, words: str, inside: str, *, kept: str = ""
) -> tuple[str, str]:
    terms = graph.constant(table, "terms")
    first = graph.rows(graph.constant(start), words, len(start))

    def read(body: Graph, states: list[str], word: list[str]) -> tuple[list[str], list[str]]:
        stepped = step(body, states[0], body.op("Gather", terms, word[0], axis=0))
        state = body.op("Where", word[1], stepped, states[0])
        return [state], [] if not kept else [state if kept == "after" else states[0]]

    outputs = [FLOAT] if kept else []
    last, every = graph.scan(
        read, [(first, FLOAT)], [(words, INTEGER), (inside, TRUTH)], outputs, backward=kept == "before"
    )
    return last[0], every[0] if every else ""


def padded(graph: Graph, words: str, columns: int) -> str:
    """[batch, time + columns]: unknown words behind, so that there is a word where all texts are empty."""
    filling = graph.op(
        "Expand",
        graph.constant(np.zeros((1, columns), dtype=np.int64)),
        graph.op("Concat", graph.dimension(words, 0), graph.axes(columns), axis=0),
    )
    return graph.op("Concat", words, filling, axis=1)


def inside_of(graph: Graph, words: str, lengths: str) -> tuple[str, str]:
    """[batch, time]: True for words; and [batch, time]: the place of each, from 0."""
    time = graph.op("Squeeze", graph.dimension(words, 1), graph.axes(0))
    places = graph.op("Range", graph.constant(0), time, graph.constant(1))  # [time]
    ends = graph.op("Unsqueeze", lengths, graph.axes(1))
    return graph.op("Less", places, ends), places


def reversed_words(graph: Graph, words: str, lengths: str, inside: str, places: str) -> str:
    """[batch, time]: each text from its last word to its first."""
    ends = graph.op("Sub", graph.op("Unsqueeze", lengths, graph.axes(1)), graph.constant(1))
    mirrored = graph.op("Where", inside, graph.op("Sub", ends, places), places)
    return graph.op("GatherElements", words, mirrored, axis=1)
