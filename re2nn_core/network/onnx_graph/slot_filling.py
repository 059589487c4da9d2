"""Taggers (slot_filling/tagger.py) as ONNX: word numbers and lengths in, tags and probabilities of each word out."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from re2nn_core.network.onnx_graph.auxiliary import tag_linear, word_auxiliary
from re2nn_core.network.onnx_graph.builder import FLOAT, INTEGER, Graph, onnx_bytes
from re2nn_core.network.onnx_graph.chain import best_sequence, marginals
from re2nn_core.network.onnx_graph.classification import refuse_context
from re2nn_core.network.onnx_graph.recurrence import gated, inside_of, padded, run_all, step_of, term_table
from re2nn_core.network.recurrence.semiring_loop import Weights
from re2nn_core.network.slot_filling.crf import LinearChain
from re2nn_core.network.slot_filling.predict import chain_of
from re2nn_core.network.slot_filling.recurrent_layer import TransducerLayer
from re2nn_core.network.slot_filling.tagger import CLAIMED, OUTSIDE_NUMBER, FstRnn

PADDING = 2  # a chain joins a word and the next one


def tagger_as_onnx(networks: Sequence[FstRnn]) -> bytes:
    """The file of one network, or of several whose mean predicts.

    Inputs: words [batch, time] and lengths [batch]. Outputs: tags [batch, time], numbers of tags from O on, 0 behind
    the end of a text; probabilities [batch, time, tags from O on], in which the wildcard counts as O, zeros behind the
    end. InputError for networks that read words in their sentence.
    """
    if networks[0].reader.takes_context:
        refuse_context("vectors")
    if networks[0].linear_in_context:
        refuse_context("linear_vectors", instead="--linear-vectors words")
    graph = Graph()
    words = padded(graph, "words", PADDING)
    inside, _ = inside_of(graph, words, "lengths")
    each = graph.op("Unsqueeze", inside, graph.axes(2))
    with torch.no_grad():
        logits = [_logits(graph, network.eval(), words, each) for network in networks]
        best, probabilities = _decided(graph, chain_of(networks), logits, each)
    minimum = networks[0].config.minimum_confidence
    if minimum:
        chosen = graph.op("GatherElements", probabilities, graph.op("Unsqueeze", best, graph.axes(2)), axis=2)
        confident = graph.op("GreaterOrEqual", graph.op("Squeeze", chosen, graph.axes(2)), graph.constant(minimum))
        best = graph.op("Where", confident, best, graph.constant(OUTSIDE_NUMBER))
    _write_outputs(graph, best, probabilities, inside, each)
    inputs = {"words": (INTEGER, ("batch", "time")), "lengths": (INTEGER, ("batch",))}
    tags = len(networks[0].tags) - OUTSIDE_NUMBER
    outputs = {"tags": (INTEGER, ("batch", "time")), "probabilities": (FLOAT, ("batch", "time", tags))}
    return onnx_bytes(graph, inputs, outputs)


def _write_outputs(graph: Graph, best: str, probabilities: str, inside: str, each: str) -> None:
    """Tags from O on, without the padding."""
    behind = [graph.axes(0), graph.axes(-PADDING), graph.axes(1)]
    numbers = graph.op("Max", graph.op("Sub", best, graph.constant(OUTSIDE_NUMBER)), graph.constant(0))
    numbers = graph.op("Where", inside, numbers, graph.constant(0))
    graph.op("Slice", numbers, *behind, output="tags")
    last = graph.axes(2)
    outside = graph.op("Slice", probabilities, graph.axes(0), graph.axes(OUTSIDE_NUMBER + 1), last)
    outside = graph.op("ReduceSum", outside, last, keepdims=1)
    others = graph.op("Slice", probabilities, graph.axes(OUTSIDE_NUMBER + 1), graph.axes(2**31 - 1), last)
    joined = graph.op("Where", each, graph.op("Concat", outside, others, axis=2), graph.constant(0.0))
    graph.op("Slice", joined, *behind, output="probabilities")


def _squash(reader: TransducerLayer, graph: Graph, value: str) -> str:
    """The activation of states. The axes stay."""
    if reader.activation == "clamp":
        return graph.clamp(value)
    return graph.op("Tanh", value) if reader.activation == "tanh" else value


def _logits(graph: Graph, network: FstRnn, words: str, each: str) -> str:
    """[batch, time, tags]; see FstRnn.read."""
    reader, config = network.reader, network.config

    def squash(body: Graph, value: str) -> str:
        return _squash(reader, body, value)

    table, weights = term_table(reader), reader.weights()
    final = (reader.final * reader.final_mask).sum(0)
    turned = Weights(weights.targets, weights.sources, weights.wildcard.T)
    forward = gated(graph, step_of(graph, reader, weights, squash), reader.gates, reader.start)
    backward = gated(graph, step_of(graph, reader, turned, squash), reader.backward_gates, final)
    alpha = run_all(graph, forward, table, reader.start, words, each)
    beta = run_all(graph, backward, table, final, words, each, backward=True)
    gamma = graph.op("Mul", alpha, beta)
    emitted = squash(graph, graph.op("MatMul", gamma, graph.constant(network.emitting)))
    votes = _votes(graph, network, emitted)
    scores = graph.op("Add", votes, graph.op("MatMul", gamma, graph.constant(network.head)))
    highest = torch.full((len(network.tags),), torch.inf)
    highest[0] = config.threshold
    scores = graph.op("Sub", graph.op("Min", scores, graph.constant(highest)), graph.constant(network.later))
    if config.detached:
        scores = _decisions(graph, scores, len(network.tags))
    logits = graph.op("Add", graph.op("Mul", scores, graph.constant(config.logit_scale)), graph.constant(network.bias))
    decided = graph.op("Max", graph.op("ArgMax", scores, axis=2, keepdims=0), graph.constant(OUTSIDE_NUMBER))
    if network.auxiliary is not None:
        given = None if config.detached else _rules_given(graph, network, votes, decided)
        added = word_auxiliary(graph, network.auxiliary, reader.vectors, words, "lengths", given)
        logits = graph.op("Add", logits, added)
    share = 0.0 if network.linear is None else float(network.linear.share)
    if network.linear is None or not share:
        return logits
    linear = tag_linear(graph, network.linear, reader.vectors, words, (decided, emitted), each)
    kept = graph.op("Mul", logits, graph.constant(1 - share))
    return graph.op("Add", kept, graph.op("Mul", linear, graph.constant(share)))


def _rules_given(graph: Graph, network: FstRnn, votes: str, decided: str) -> str:
    """[batch, time, tags]; see FstRnn.rules_given."""
    if network.config.auxiliary_rules == "votes":
        return votes
    tags = graph.constant(len(network.tags))
    return graph.op("OneHot", decided, tags, graph.constant(torch.tensor([0.0, 1.0])), axis=-1)


def _votes(graph: Graph, network: FstRnn, emitted: str) -> str:
    """[batch, time, tags] from emitted [batch, time, emitters]; see FstRnn.silenced."""
    voting = network.trust[:, None] * network.voting
    votes = graph.op("MatMul", emitted, graph.constant(voting))
    if not bool(network.silencing.any()):
        return votes
    silent = graph.clamp(graph.op("MatMul", votes, graph.constant(network.silencing)))
    return graph.op("Mul", votes, graph.op("Sub", graph.constant(1.0), silent))


def _decisions(graph: Graph, scores: str, tags: int) -> str:
    """[batch, time, tags]; see rule_decisions."""
    others = graph.op("Slice", scores, graph.axes(1), graph.axes(2**31 - 1), graph.axes(2))
    best = graph.op("Add", graph.op("ArgMax", others, axis=2, keepdims=0), graph.constant(1))
    chosen = graph.op("OneHot", best, graph.constant(tags), graph.constant(torch.tensor([0.0, 1.0])), axis=-1)
    highest = graph.op("ReduceMax", others, graph.axes(2), keepdims=1)
    return graph.op("Mul", chosen, graph.op("Cast", graph.op("Greater", highest, graph.constant(CLAIMED)), to=FLOAT))


def _decided(graph: Graph, chain: LinearChain | None, logits: Sequence[str], each: str) -> tuple[str, str]:
    """[batch, time] tags and [batch, time, tags] probabilities; see choose_tags."""
    if chain is not None:
        mean = _mean(graph, logits)
        return best_sequence(graph, chain, mean, each), marginals(graph, chain, mean, each)
    probabilities = _mean(graph, [graph.op("Softmax", one, axis=2) for one in logits])
    decisive = logits[0] if len(logits) == 1 else probabilities
    return graph.op("ArgMax", decisive, axis=2, keepdims=0), probabilities


def _mean(graph: Graph, values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else graph.op("Mean", *values)
