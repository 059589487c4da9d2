"""The auxiliary encoder (auxiliary/auxiliary_encoder.py) by the layers RNN, GRU and LSTM of ONNX."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from re2nn_core.network.auxiliary.auxiliary_encoder import SIZE, TextAuxiliary, WordAuxiliary
from re2nn_core.network.auxiliary.encoder import Recurrent
from re2nn_core.network.auxiliary.tag_linear import NEAR, PLACES, VECTORS, TagLinear, without_wildcard
from re2nn_core.network.auxiliary.text_linear import WORDS, TextLinear
from re2nn_core.network.onnx_graph.builder import Graph

INTEGER_32 = 6  # TensorProto.INT32, which the layers take lengths as
LEAST = 1e-12  # torch's normalize divides by no less
# The order of gates in ONNX, as numbers of torch's: ifgo becomes iofc, rzn becomes zrh.
_GATES = {"RNN": (0,), "GRU": (1, 0, 2), "LSTM": (0, 3, 1, 2)}


def text_auxiliary(graph: Graph, layer: TextAuxiliary, vectors: Tensor, words: str, lengths: str, inside: str) -> str:
    """[batch, labels]: scores by the largest entry of each state; words [batch, time], inside [batch, time, 1]."""
    features = graph.op("Gather", graph.constant(SIZE * vectors, "vectors"), words, axis=0)
    states = _states(graph, layer.states, features, lengths)
    masked = graph.op("Where", inside, states, graph.constant(-torch.inf))
    largest = graph.op("ReduceMax", masked, graph.axes(1), keepdims=0)
    empty = graph.op("Equal", graph.op("Unsqueeze", lengths, graph.axes(1)), graph.constant(0))
    pooled = graph.op("Where", empty, graph.constant(0.0), largest)
    return graph.op("Add", graph.op("MatMul", pooled, graph.constant(layer.out)), graph.constant(layer.bias))


def text_linear(graph: Graph, layer: TextLinear, vectors: Tensor, words: str, inside: str) -> str:
    """[batch, labels]: scores of the linear layer; words [batch, time], inside [batch, time, 1]."""
    mean = _of_length_one(graph, _over_words(graph, vectors, words, inside))
    rarity = graph.op("Gather", graph.constant(layer.idf[:, None], "idf"), words, axis=0)
    counted = graph.op("Where", inside, rarity, graph.constant(0.0))  # [batch, time, 1]
    square = graph.op("ReduceSum", graph.op("Mul", counted, counted), graph.axes(1), keepdims=0)  # [batch, 1]
    by_word = _over_words(graph, WORDS * layer.idf[:, None] * layer.by_word, words, inside)
    by_word = graph.op("Div", by_word, graph.op("Max", graph.op("Sqrt", square), graph.constant(LEAST)))
    by_vector = graph.op("MatMul", mean, graph.constant(layer.by_vector))
    return graph.op("Add", graph.op("Add", by_vector, by_word), graph.constant(layer.bias))


def _over_words(graph: Graph, table: Tensor, words: str, inside: str) -> str:
    """[batch, columns]: the sum of the words' rows of a table [vocabulary, columns]."""
    rows = graph.op("Gather", graph.constant(table), words, axis=0)
    return graph.op("ReduceSum", graph.op("Where", inside, rows, graph.constant(0.0)), graph.axes(1), keepdims=0)


def _of_length_one(graph: Graph, rows: str) -> str:
    """[batch, columns], as torch's normalize gives it."""
    square = graph.op("ReduceSum", graph.op("Mul", rows, rows), graph.axes(1), keepdims=1)
    return graph.op("Div", rows, graph.op("Max", graph.op("Sqrt", square), graph.constant(LEAST)))


def word_auxiliary(
    graph: Graph, layer: WordAuxiliary, vectors: Tensor, words: str, lengths: str, votes: str | None
) -> str:
    """[batch, time, tags]; words [batch, time], votes [batch, time, tags], None where it is detached."""
    numbers = torch.arange(len(vectors), device=vectors.device)
    rows = torch.where(layer.seen, numbers, len(layer.own) - 1)
    table = torch.cat([SIZE * vectors, layer.own[rows]], 1)  # of each word what it is everywhere
    features = graph.op("Gather", graph.constant(table, "vectors"), words, axis=0)
    if votes is not None:
        features = graph.op("Concat", features, votes, axis=2)
    return graph.op("MatMul", _states(graph, layer.states, features, lengths), graph.constant(layer.out))


def tag_linear(graph: Graph, layer: TagLinear, vectors: Tensor, words: str, rules: tuple[str, str], inside: str) -> str:
    """[batch, time, tags]: scores of the linear layer over words; words [batch, time], inside [batch, time, 1]; rules:
    the tags that they decide [batch, time], and what each gives [batch, time, emitters]."""
    decided, emitted = rules
    tags, end = layer.tags, graph.axes(2)
    by_word = graph.op("Gather", graph.constant(layer.by_word), words, axis=0)
    by_tag = graph.op("Gather", graph.constant(layer.by_tag), decided, axis=0)
    near = graph.op("Gather", graph.constant(VECTORS * vectors @ layer.by_vector), words, axis=0)
    near = graph.op("Where", inside, near, graph.constant(0.0))
    edges = layer.edges.reshape(-1)
    own = graph.op("Sub", graph.op("Add", by_word, by_tag), graph.constant(edges))
    shifted = [
        _shifted(graph, graph.op("Slice", part, graph.axes(number * tags), graph.axes((number + 1) * tags), end), place)
        for part, places in ((graph.op("Where", inside, own, graph.constant(0.0)), PLACES), (near, NEAR))
        for number, place in enumerate(places)
    ]
    scores = graph.op("Sum", *shifted, graph.op("MatMul", emitted, graph.constant(layer.by_emitter)))
    bias = without_wildcard(layer.bias + layer.edges.sum(0))
    kept = torch.ones(tags)
    kept[0] = 0  # nothing but the bias counts for the wildcard
    return graph.op("Add", graph.op("Mul", scores, graph.constant(kept)), graph.constant(bias))


def _shifted(graph: Graph, values: str, place: int) -> str:
    """[batch, time, columns]; see tag_linear.shifted."""
    if not place:
        return values
    begin, end = (place, 2**31 - 1) if place > 0 else (0, place)
    part = graph.op("Slice", values, graph.axes(begin), graph.axes(end), graph.axes(1))
    return graph.op("Pad", part, graph.axes(0, max(0, -place), 0, 0, max(0, place), 0))


def _states(graph: Graph, layer: Recurrent, features: str, lengths: str) -> str:
    """[batch, time, states of both directions] from features [batch, time, width]. A text without words is read as one
    word, and what comes of that is taken away by whoever asks."""
    cell = layer.cell
    kind = type(cell).__name__
    directions = 2 if cell.bidirectional else 1
    given = graph.op("Cast", graph.op("Max", lengths, graph.constant(1)), to=INTEGER_32)
    attributes: dict[str, Any] = {"linear_before_reset": 1} if kind == "GRU" else {}
    read = graph.op(
        kind,
        graph.op("Transpose", features, perm=[1, 0, 2]),
        graph.constant(_weights(cell, kind, "weight_ih", directions)),
        graph.constant(_weights(cell, kind, "weight_hh", directions)),
        graph.constant(torch.cat([_weights(cell, kind, name, directions) for name in ("bias_ih", "bias_hh")], 1)),
        given,
        hidden_size=cell.hidden_size,
        direction="bidirectional" if directions == 2 else "forward",
        **attributes,
    )  # [time, directions, batch, states]
    together = graph.op("Transpose", read, perm=[2, 0, 1, 3])
    return graph.op("Reshape", together, graph.axes(0, 0, directions * cell.hidden_size))


def _weights(cell: nn.RNNBase, kind: str, name: str, directions: int) -> Tensor:
    """[directions, gates * states, ...] with the gates in the order of ONNX."""
    found = []
    for end in ("", "_reverse")[:directions]:
        parts = getattr(cell, f"{name}_l0{end}").detach().chunk(len(_GATES[kind]))
        found.append(torch.cat([parts[number] for number in _GATES[kind]]))
    return torch.stack(found)
