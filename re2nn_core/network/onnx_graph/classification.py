"""Classifiers (classification/classifier.py) as ONNX: word numbers and lengths in, labels and probabilities out."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from re2nn_core.errors import InputError
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.classification.soft_logic import DEFAULT_SCORE, penalty_matrix
from re2nn_core.network.onnx_graph.auxiliary import text_auxiliary, text_linear
from re2nn_core.network.onnx_graph.builder import FLOAT, INTEGER, Graph, onnx_bytes
from re2nn_core.network.onnx_graph.recurrence import (
    add_scan,
    gated,
    inside_of,
    padded,
    reversed_words,
    step_of,
    term_table,
)
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer
from re2nn_core.network.recurrence.semiring_loop import MaxProduct


def classifier_as_onnx(networks: Sequence[FaRnn], *, abstain: bool, near: float) -> bytes:
    """The file of one network, or of several whose mean predicts; `abstain` and `near` as in
    classification/predict.py.

    Inputs: words [batch, time] and lengths [batch]. Outputs: label [batch], -1 for no prediction; probabilities
    [batch, labels]. InputError for networks that read words in their sentence.
    """
    if networks[0].reader.takes_context:
        refuse_context("vectors")
    graph = Graph()
    words = padded(graph, "words", 1)
    inside, places = inside_of(graph, words, "lengths")
    with torch.no_grad():
        logits = [_logits(graph, network.eval(), words, inside, places) for network in networks]
    every = [graph.op("Softmax", one, axis=1) for one in logits]
    if len(networks) == 1:
        graph.op("Identity", every[0], output="probabilities")
        _best(graph, logits[0], networks[0].config.logit_scale, abstain=abstain, near=near)
    else:
        mean = graph.op("Mean", *every, output="probabilities")
        graph.op("ArgMax", mean, axis=1, keepdims=0, output="label")
    inputs = {"words": (INTEGER, ("batch", "time")), "lengths": (INTEGER, ("batch",))}
    labels = len(networks[0].logic.labels)
    return onnx_bytes(graph, inputs, {"label": (INTEGER, ("batch",)), "probabilities": (FLOAT, ("batch", labels))})


def refuse_context(setting: str, *, instead: str = "other word vectors") -> None:
    """InputError for a network whose words have other vectors in each sentence by that setting."""
    raise InputError(
        f"This network reads word vectors in their sentence ({setting}: context), from a sentence encoder that ONNX "
        f"files of RE2NN do not contain. Export it with --format folder or spacy, or train with {instead}."
    )


def _logits(graph: Graph, network: FaRnn, words: str, inside: str, places: str) -> str:
    """[batch, labels]; see FaRnn.logits."""
    each = graph.op("Unsqueeze", inside, graph.axes(2))
    states, scores = [], []
    for number, reader in enumerate(network.readers):
        read = words if not number else reversed_words(graph, words, "lengths", inside, places)
        weights = reader.weights() if reader.decomposed else None
        step = gated(graph, step_of(graph, reader, weights, Graph.clamp), reader.gates, reader.start)
        state = add_scan(graph, step, term_table(reader), reader.start, read, each)
        states.append(state)
        scores.append(_machine_scores(graph, reader, state))
    mean = scores[0] if len(scores) == 1 else graph.op("Mean", *scores)
    total = _apart(graph, network, _aggregated(graph, network, mean))
    config = network.config
    if config.state_head:
        joined = states[0] if len(states) == 1 else graph.op("Concat", *states, axis=1)
        total = graph.op("Add", total, graph.op("MatMul", joined, graph.constant(network.head)))
    logits = graph.op("Mul", graph.op("Add", total, graph.constant(network.bias)), graph.constant(config.logit_scale))
    if network.auxiliary is not None:
        added = text_auxiliary(graph, network.auxiliary, network.reader.vectors, words, "lengths", each)
        logits = graph.op("Add", logits, graph.op("Mul", added, graph.constant(config.auxiliary_weight)))
    if network.linear is not None:
        logits = graph.op("Add", logits, text_linear(graph, network.linear, network.reader.vectors, words, each))
    return logits


def _apart(graph: Graph, network: FaRnn, scores: str) -> str:
    """[batch, labels] from label scores: those behind an earlier label that matches too lose the margin; see
    soft_logic.after_earlier."""
    if not network.config.tie_margin:
        return scores
    labels = len(network.logic.labels)
    earlier = torch.ones(labels, labels, dtype=torch.bool).tril(-1)  # [label, earlier label]
    held = graph.op("Unsqueeze", graph.clamp(scores), graph.axes(1))  # [batch, 1, labels]
    before = graph.op("Where", graph.constant(earlier), held, graph.constant(0.0))  # [batch, label, earlier label]
    most = graph.op("ReduceMax", before, graph.axes(2), keepdims=0)
    return graph.op("Sub", scores, graph.op("Mul", most, graph.constant(network.config.tie_margin)))


def _machine_scores(graph: Graph, reader: RecurrentLayer, state: str) -> str:
    """[batch, machines] from last states [batch, states]."""
    final = reader.final * reader.final_mask
    if isinstance(reader.semiring, MaxProduct):
        paths = graph.op("Mul", graph.op("Unsqueeze", state, graph.axes(1)), graph.constant(final))
        return graph.clamp(graph.op("ReduceMax", paths, graph.axes(2), keepdims=0))
    return graph.clamp(graph.op("MatMul", state, graph.constant(final.T)))


def _aggregated(graph: Graph, network: FaRnn, scores: str) -> str:
    """[batch, labels]: what the label logic makes of machine scores [batch, machines]."""
    layers, units = network.layers, network.units
    if layers is None:
        values = scores
        for depth in range(units.depths):
            weights, bias = units.get_buffer(f"weights{depth}"), units.get_buffer(f"bias{depth}")
            sums = graph.op("Gemm", values, graph.constant(weights), graph.constant(bias))
            values = graph.op("Concat", values, graph.clamp(sums), axis=1)
        return graph.op("Gemm", values, graph.constant(units.readout), graph.constant(units.readout_bias))
    truths = scores
    for weights, bias in (
        (layers.clause_weights, layers.clause_bias),
        (layers.label_weights, layers.label_bias),
    ):
        sums = graph.op("Gemm", truths, graph.constant(weights.T), graph.constant(bias))
        truths = graph.clamp(sums) if layers.activation else sums
    return _with_priorities(graph, network, truths)


def _with_priorities(graph: Graph, network: FaRnn, truths: str) -> str:
    """[batch, labels] from the labels' truths; see soft_logic.with_priorities."""
    logic = network.logic
    plain = graph.op("Sub", truths, graph.op("MatMul", truths, graph.constant(penalty_matrix(logic))))
    if logic.default is None:
        return plain
    raised = torch.zeros(len(logic.labels))
    raised[logic.labels.index(logic.default)] = DEFAULT_SCORE
    return graph.op("Add", graph.op("Mul", plain, graph.constant(1 - raised)), graph.constant(raised))


def _best(graph: Graph, logits: str, scale: float, *, abstain: bool, near: float) -> None:
    """The output `label` [batch]; see classification/predict.py, best_labels."""
    highest = graph.op("ReduceMax", logits, graph.axes(1), keepdims=1)
    least = graph.op("Sub", highest, graph.constant(near * scale))
    closest = graph.op("Cast", graph.op("GreaterOrEqual", logits, least), to=INTEGER)
    best = graph.op("ArgMax", closest, axis=1, keepdims=0)
    if not abstain:
        graph.op("Identity", best, output="label")
        return
    silent = graph.op("Less", graph.op("Squeeze", highest, graph.axes(1)), graph.constant(DEFAULT_SCORE * scale))
    graph.op("Where", silent, graph.constant(-1), best, output="label")
