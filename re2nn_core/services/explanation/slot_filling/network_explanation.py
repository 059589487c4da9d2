"""What a tagger says about one sentence, taken apart: sums over rules, paths with tags, how much each word counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from re2nn_core.automata.positions import PositionAutomaton
from re2nn_core.automata.symbols import complements_of, show_symbol
from re2nn_core.explain.rule_paths import symbols_reading
from re2nn_core.network.classification.best_paths import best_paths, trellis
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.batching import make_batch
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.network.slot_filling.predict import choose_tags, evaluating, tag_names
from re2nn_core.network.slot_filling.score_parts import TagScoreParts, tag_score_parts
from re2nn_core.services.explanation.classification.explanation import PathStep, RulePath
from re2nn_core.services.explanation.classification.network_explanation import (
    MOST_PATHS,
    UNKNOWN,
    WORTH_SHOWING,
    limits_of,
)
from re2nn_core.services.prediction.slot_filling.encoding import TagEncoder
from re2nn_core.text.kinds import spelling
from re2nn_core.text.spans import token_spans

_MASK = "unknown"
Words = tuple[str, ...]
WRITTEN_FROM = 0.5


@dataclass(frozen=True, eq=False)
class MeanTagPrediction:
    """Of one sentence: numbers [words] of the tags; probabilities, logits [words, tags], the mean where several
    networks predict."""

    numbers: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    logits: NDArray[np.float64]


def tag_batch(bundle: TaggerBundle, sentences: Sequence[Words], encoder: TagEncoder) -> Batch:
    """Sentences as a batch; they have to come longest first. EncoderUnavailable."""
    codes = [bundle.vocabulary.encode(sentence) for sentence in sentences]
    return make_batch(codes, bundle.network.device, encoder.context(sentences))


def tag_prediction(bundle: TaggerBundle, batch: Batch) -> MeanTagPrediction:
    """The prediction for the one sentence of a batch."""
    torch.set_num_threads(1)
    inside = batch.inside()
    if not batch.lengths[0]:
        empty = np.zeros((0, len(bundle.network.tags)))
        return MeanTagPrediction(np.zeros(0, dtype=np.int64), empty, empty)
    with evaluating(bundle.networks), torch.no_grad():
        logits = [network(batch) for network in bundle.networks]
        best, probabilities = choose_tags(bundle.networks, logits, inside, with_probabilities=True)
        mean = torch.stack(logits).mean(0)[0]
    shares = mean.softmax(1) if probabilities is None else probabilities[0]
    return MeanTagPrediction(best[0].cpu().numpy(), shares.double().cpu().numpy(), mean.double().cpu().numpy())


def tag_parts_of(bundle: TaggerBundle, batch: Batch) -> TagScoreParts:
    """The parts of a sentence's scores; of several networks the mean of each part."""
    with evaluating(bundle.networks):
        every = [tag_score_parts(network, batch) for network in bundle.networks]
    names = ("by_vote", "by_head", "auxiliary", "rest", "logits")
    return TagScoreParts(*(np.mean([getattr(one, name) for one in every], axis=0) for name in names))


def span_heats(
    bundle: TaggerBundle, sentence: Words, numbers: Sequence[int], encoder: TagEncoder
) -> NDArray[np.float64]:
    """[words, words]: how much the score of the first word's tag falls when a word that nobody knows stands in the
    place of the second."""
    count = len(sentence)
    if not count:
        return np.zeros((0, 0))
    own = bundle.vocabulary.encode(sentence)
    codes = [own, *([*own[:place], UNKNOWN, *own[place + 1 :]] for place in range(count))]
    masked = [(*sentence[:place], _MASK, *sentence[place + 1 :]) for place in range(count)]
    batch = make_batch(codes, bundle.network.device, encoder.context([sentence, *masked]))
    with evaluating(bundle.networks), torch.no_grad():
        logits = torch.stack([network(batch) for network in bundle.networks]).mean(0)  # [1 + words, words, tags]
    picked = logits[:, torch.arange(count), torch.as_tensor(list(numbers))].double().cpu().numpy()
    fallen: NDArray[np.float64] = (picked[0] - picked[1:]).T
    return fallen


def heat_of_spans(tags: Sequence[str], heats: NDArray[np.float64]) -> list[tuple[str, int, int, tuple[float, ...]]]:
    """Slot, first word, end and heats of each span."""
    return [
        (span.slot, span.start, span.end, tuple(heats[span.start : span.end].mean(0).tolist()))
        for span in token_spans(tags)
    ]


def tag_paths_of(
    bundle: TaggerBundle,
    before: TaggerBundle,
    batch: Batch,
    sentence: Words,
    rule: int,
    automaton: PositionAutomaton | None,
) -> list[RulePath]:
    """The best paths of a sentence through one rule with the tags they give; `automaton`: the rule's positions, where
    the network's states are these."""
    found = best_paths(trellis(bundle.network.reader, _terms(bundle, batch), rule), MOST_PATHS)
    old = trellis(before.network.reader, _terms(before, batch), rule)
    begin = bundle.network.blocks[rule][0]
    names = dict(zip(bundle.network.tags, tag_names(bundle.network), strict=True))

    def step(place: int, source: int, target: int, edge: float) -> PathStep:
        weight = float(old.edges[place, source, target])
        named = bool(old.named[place, source, target])
        symbol = _read_by(automaton, target, sentence[place], named) if weight >= WRITTEN_FROM else None
        output = bundle.factors.outputs[begin + target]
        tag = None if output is None else names.get(output, output)
        return PathStep(spelling(sentence[place]), source, target, symbol, weight, edge, tag)

    return [
        RulePath(
            bundle.network.names[rule],
            bundle.ruleset.rules[rule].label,
            path.weight,
            path.start,
            path.end,
            tuple(
                step(place, path.states[place], path.states[place + 1], edge) for place, edge in enumerate(path.edges)
            ),
        )
        for path in found
        if path.weight >= WORTH_SHOWING * found[0].weight
    ]


def _read_by(automaton: PositionAutomaton | None, target: int, word: str, named: bool) -> str:
    """What a written edge reads a word by."""
    if automaton is not None:
        symbols = automaton.symbols[target]
        reading = symbols_reading(word, complements_of(symbols))
        return next((show_symbol(symbol) for symbol in reading if symbol in symbols), "$")
    return word if named else "$"


def _terms(bundle: TaggerBundle, batch: Batch) -> torch.Tensor:
    """[words, rank] of the one sentence of a batch."""
    with torch.no_grad():
        context = bundle.network.of_rules(batch).context
        encoder = bundle.network.encoder
        if encoder is not None and context is not None:
            context = encoder(context.long(), batch.lengths)
        return bundle.network.reader.word_terms(batch.words[0], context)


def chain_parts(bundle: TaggerBundle, numbers: Sequence[int]) -> NDArray[np.float64]:
    """[words, tags]: what the chain adds to each tag of a word between the tags that its neighbours have."""
    count = len(bundle.network.tags)
    parts = np.zeros((len(numbers), count))
    chains = [network.chain for network in bundle.networks if network.chain is not None]
    if not chains or not len(numbers):
        return parts
    moves = np.mean([chain.transitions.detach().cpu().numpy() for chain in chains], axis=0)
    start = np.mean([chain.start.detach().cpu().numpy() for chain in chains], axis=0)
    end = np.mean([chain.end.detach().cpu().numpy() for chain in chains], axis=0)
    for place, _ in enumerate(numbers):
        parts[place] += start if place == 0 else moves[numbers[place - 1]]
        parts[place] += end if place == len(numbers) - 1 else moves[:, numbers[place + 1]]
    return parts


def slot_limits_of(bundle: TaggerBundle) -> list[str]:
    """What cannot be computed exactly of such a network, in words."""
    config = bundle.config
    if not bundle.trained:
        return []
    found = limits_of(config, len(bundle.networks), trained=True)
    if config.auxiliary != "none":
        found.append(
            "What the auxiliary encoder adds to a score is listed as outside the rules and is not broken down any "
            "further."
        )
    if config.linear:
        found.append("What the linear layer over words and rules adds is listed as outside the rules.")
    if config.detached:
        found.append("Where a rule matches a word, the rules decide: their votes count as one decision.")
    if config.decoding == "crf":
        found.append(
            "A chain (CRF) chooses all tags of the sentence together, so a word's tag may not be the one with its "
            "highest score. What the chain adds for the tags of its neighbours is listed next to the score."
        )
    if config.activation != "clamp":
        found.append(f"States are not clamped here (activation {config.activation!r}): paths are near the score only.")
    if config.minimum_confidence:
        found.append(
            f"A tag other than O is given only where its probability is {config.minimum_confidence:.2f} or more."
        )
    if config.tune_encoder:
        found.append("The encoder has learned too: a word's weights come from its vectors in this sentence.")
    return found
