"""What a network says about one sentence, taken apart: sums over rules, paths, and how much each word counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.symbols import show_symbol
from re2nn_core.explain.rule_paths import arc_reading
from re2nn_core.network.classification.best_paths import WeightedPath, best_paths, trellis
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.classification.predict import best_labels
from re2nn_core.network.classification.score_parts import ScoreParts, score_parts
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.recurrence import RecurrenceConfig
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.batching import make_batch
from re2nn_core.services.explanation.classification.explanation import PathStep, RulePath
from re2nn_core.services.prediction.classification.encoding import Contexts
from re2nn_core.services.prediction.classification.predictor import predicting
from re2nn_core.text.kinds import spelling

UNKNOWN = 0  # the number of a word that nobody knows
_MASK = "unknown"  # what the encoder reads in its place
WORTH_SHOWING = 0.05  # of the best path's weight
MOST_PATHS = 3
Sentence = Sequence[str]


@dataclass(frozen=True, eq=False)
class NetworkPrediction:
    """What the networks of a bundle predict for sentences: labels [sentences], -1 for none; scores [sentences, labels]:
    logits / scale, the mean where several predict; probabilities alike."""

    labels: NDArray[np.int64]
    scores: NDArray[np.float64]
    probabilities: NDArray[np.float64]


def batch_of(bundle: Bundle, sentences: Sequence[Sentence], contexts: Contexts) -> Batch:
    """Sentences as a batch; they have to come longest first. EncoderUnavailable."""
    codes = [bundle.vocabulary.encode(sentence) for sentence in sentences]
    context = contexts.of(sentences) if bundle.network.reader.takes_context else None
    return make_batch(codes, bundle.network.device, context)


def predictions(bundle: Bundle, batch: Batch) -> NetworkPrediction:
    """The predictions for a batch, in its order."""
    torch.set_num_threads(1)
    scale = bundle.config.logit_scale
    logits = []
    with torch.no_grad():
        for network in bundle.networks:
            network.eval()
            logits.append(network(batch).double())
    probabilities = torch.stack([torch.softmax(one, 1) for one in logits]).mean(0)
    if len(logits) == 1:
        labels = best_labels(logits[0], scale, **predicting(bundle))
    else:
        labels = probabilities.argmax(1).cpu().numpy()
    scores = torch.stack(logits).mean(0) / scale
    return NetworkPrediction(labels.astype(np.int64), scores.cpu().numpy(), probabilities.cpu().numpy())


def score_parts_of(bundle: Bundle, batch: Batch) -> ScoreParts:
    """The parts of a sentence's scores; of several networks the mean of each part."""
    every = []
    for network in bundle.networks:
        network.eval()
        every.append(score_parts(network, batch))
    return ScoreParts(
        *(
            np.mean([getattr(one, name) for one in every], axis=0)
            for name in ("machine_scores", "by_logic", "by_head", "logic", "outside", "scores")
        )
    )


def heats(bundle: Bundle, sentence: Sentence, label: int, contexts: Contexts) -> list[float]:
    """Of each word, how much the label's score falls when a word that nobody knows stands in its place."""
    if not len(sentence):
        return []
    masked = [(*sentence[:place], _MASK, *sentence[place + 1 :]) for place in range(len(sentence))]
    codes = [bundle.vocabulary.encode(sentence)]
    for place in range(len(sentence)):
        codes.append([*codes[0][:place], UNKNOWN, *codes[0][place + 1 :]])
    context = contexts.of([tuple(sentence), *masked]) if bundle.network.reader.takes_context else None
    scores = predictions(bundle, make_batch(codes, bundle.network.device, context)).scores[:, label]
    return [float(scores[0] - score) for score in scores[1:]]


def paths_of(
    bundle: Bundle, before: Bundle, batch: Batch, sentence: Sentence, machine: int, label: str
) -> list[RulePath]:
    """The best paths of a sentence through one machine, its weights beside those before training."""
    terms = _terms(bundle, batch)
    found = best_paths(trellis(bundle.network.reader, terms, machine), MOST_PATHS)
    old = trellis(before.network.reader, _terms(before, batch), machine)
    written = before.machines.machines[machine].dfa
    name = bundle.network.names[machine]
    return [
        RulePath(name, label, path.weight, path.start, path.end, _steps(path, sentence, written, old.edges.numpy()))
        for path in found
        if path.weight >= WORTH_SHOWING * found[0].weight
    ]


def _terms(bundle: Bundle, batch: Batch) -> torch.Tensor:
    """[words, rank] of the one sentence of a batch."""
    with torch.no_grad():
        return bundle.network.reader.word_terms(batch.words[0], batch.context)


def _steps(
    path: WeightedPath, sentence: Sentence, written: PseudoDfa, before: NDArray[np.float64]
) -> tuple[PathStep, ...]:
    steps = []
    for place, (word, edge) in enumerate(zip(sentence, path.edges, strict=True)):
        source, target = path.states[place], path.states[place + 1]
        symbol = arc_reading(written, source, target, word)
        shown = None if symbol is None else show_symbol(symbol)
        steps.append(PathStep(spelling(word), source, target, shown, float(before[place, source, target]), edge))
    return tuple(steps)


def rest_of(config: NetworkConfig, networks: int) -> str:
    """What a machine's score holds beside its best path, in words."""
    if config.scoring == "viterbi":
        found = ["other paths through the rule, of which at each state only the best one counts"]
    else:
        found = ["all other paths through the rule, which add, or subtract where a transition is below zero"]
    if not config.block_diagonal:
        found.append("transitions from other rules into this one")
    if config.cell == "gru":
        found.append("the gates after each word")
    if config.bidirectional:
        found.append("the direction from right to left, as the score is the mean of both")
    if networks > 1:
        found.append("the other networks, as the score is the mean of all")
    return "; ".join(found)


def limits_of(config: RecurrenceConfig, networks: int, *, trained: bool) -> list[str]:
    """What cannot be computed exactly of such a network, in words; of a tagger what it shares with classifiers."""
    classifier = config if isinstance(config, NetworkConfig) else NetworkConfig()
    found = []
    if networks > 1:
        found.append(
            f"The prediction is the mean probability of {networks} ensemble members: scores and their parts are means "
            "over the members, and paths are those of the first one."
        )
    if config.cell == "gru":
        found.append(
            "Gates (GRU) mix old and new states after each word, so a rule's score is more than the weights along a "
            "path. The sums over rules are still exact."
        )
    if classifier.bidirectional:
        found.append(
            "The network reads in both directions, and a rule's score is the mean of both. Paths are those from left "
            "to right."
        )
    if config.vectors == "context":
        found.append("A word's weights depend on its sentence: those shown hold for this sentence only.")
    if not config.block_diagonal:
        found.append(
            "Training could connect rules to each other; such transitions are on no path, and their part is not shown."
        )
    if config.extra_states:
        found.append("Extra states belong to no rule; their part of a score is listed as outside the rules.")
    if classifier.auxiliary != "none":
        found.append(
            "What the auxiliary encoder adds to a score is listed as outside the rules and is not broken down any "
            "further."
        )
    if classifier.linear:
        found.append("What the linear layer over the whole text adds is listed as outside the rules.")
    if classifier.machines == "label":
        found.append("All rules of a label form one automaton here, so they share one score.")
    starts_near = config.rank is not None or config.initial == "random" or config.rule_weight not in (None, 1.0)
    if trained and starts_near:
        found.append(
            "This network was not equal to its rules before training, so its weights then are not those of the rules."
        )
    return found
