"""Tags of sentences by one tagger, or by several together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from re2nn_core.network.recurrence.batching import Context, batches_by_length
from re2nn_core.network.slot_filling.crf import LinearChain, mean_chain
from re2nn_core.network.slot_filling.tagger import OUTSIDE_NUMBER, FstRnn
from re2nn_core.rules.tagging import WILDCARD
from re2nn_core.text.spans import OUTSIDE

OnProgress = Callable[[int, int], None]
BATCH = 256


@dataclass(frozen=True)
class TagPrediction:
    """tags: of each word its tag, the wildcard read as O; `token_confidences` [words]: the probability of each of these
    tags."""

    tags: tuple[str, ...]
    token_confidences: NDArray[np.float32]


def run_taggers(
    networks: Sequence[FstRnn],
    codes: Sequence[Sequence[int]],
    *,
    context: Sequence[Context] | None = None,
    with_confidences: bool = True,
    on_progress: OnProgress | None = None,
) -> list[TagPrediction]:
    """The predictions for encoded sentences: the best sequence by the mean of the networks' scores and chains; of
    networks without a chain the tag with the highest mean probability at each word."""
    torch.set_num_threads(1)  # small matrices: more threads gain nothing and wait for each other on a busy machine
    first = networks[0]
    names = tag_names(first)
    predictions = [TagPrediction((), np.zeros(0, dtype=np.float32))] * len(codes)
    done = 0
    with evaluating(networks), torch.no_grad():
        for numbered in batches_by_length(codes, BATCH, first.device, context):
            batch, inside = numbered.batch, numbered.batch.inside()
            logits = [network(batch) for network in networks]
            best, probabilities = choose_tags(networks, logits, inside, with_probabilities=with_confidences)
            confidences = None if probabilities is None else _confidences(best, probabilities).cpu().numpy()
            for row, (place, tags) in enumerate(zip(numbered.places, best.tolist(), strict=True)):
                length = batch.lengths[row]
                own = np.ones(length, dtype=np.float32) if confidences is None else confidences[row, :length]
                predictions[place] = TagPrediction(tuple(names[tag] for tag in tags[:length]), own)
            done += len(numbered.places)
            if on_progress is not None:
                on_progress(done, len(codes))
    return predictions


def probabilities_of_tags(
    networks: Sequence[FstRnn], codes: Sequence[Sequence[int]], *, context: Sequence[Context] | None = None
) -> list[NDArray[np.float32]]:
    """For each encoded sentence [words, tags]: probabilities of the tags from O on; the wildcard counts as O."""
    torch.set_num_threads(1)
    found = [np.zeros((0, len(networks[0].tags) - OUTSIDE_NUMBER), dtype=np.float32)] * len(codes)
    with evaluating(networks), torch.no_grad():
        for numbered in batches_by_length(codes, BATCH, networks[0].device, context):
            batch, inside = numbered.batch, numbered.batch.inside()
            every = _probabilities(networks, chain_of(networks), [network(batch) for network in networks], inside)
            every[:, :, OUTSIDE_NUMBER] += every[:, :, :OUTSIDE_NUMBER].sum(2)
            kept = every[:, :, OUTSIDE_NUMBER:].cpu().numpy()
            for row, place in enumerate(numbered.places):
                found[place] = kept[row, : batch.lengths[row]]
    return found


def tag_names(network: FstRnn) -> list[str]:
    """The tags of a network by number, as predictions name them."""
    return [OUTSIDE if tag == WILDCARD else tag for tag in network.tags]


def choose_tags(
    networks: Sequence[FstRnn], logits: Sequence[Tensor], inside: Tensor, *, with_probabilities: bool
) -> tuple[Tensor, Tensor | None]:
    """[batch, time]: tag numbers, from each network's logits [batch, time, tags]; and [batch, time, tags]: their
    probabilities, where they are wanted or decide.

    The tags that are the likeliest each for itself are not always a sequence that the chain knows: by mean
    probabilities F1 on dev was 70.3, by the best sequence 71.8 (MITR, 200 texts, three networks)."""
    minimum, chain = networks[0].config.minimum_confidence, chain_of(networks)
    probabilities = None
    if with_probabilities or minimum or (chain is None and len(networks) > 1):
        probabilities = _probabilities(networks, chain, logits, inside)
    if chain is not None:
        best = chain.best(mean_of(logits), inside)
    else:
        best = (logits[0] if len(networks) == 1 or probabilities is None else probabilities).argmax(2) * inside
    if minimum and probabilities is not None:
        confident = probabilities.gather(2, best[:, :, None])[:, :, 0] >= minimum
        best = torch.where(confident, best, OUTSIDE_NUMBER * inside)
    return best, probabilities


def chain_of(networks: Sequence[FstRnn]) -> LinearChain | None:
    """The chain by which networks decide together; None where each word is tagged by itself."""
    chains = [network.chain for network in networks if network.chain is not None]
    return mean_chain(chains) if len(chains) > 1 else next(iter(chains), None)


def mean_of(logits: Sequence[Tensor]) -> Tensor:
    """[batch, time, tags], of each network's."""
    return logits[0] if len(logits) == 1 else torch.stack(list(logits)).mean(0)


def _probabilities(
    networks: Sequence[FstRnn], chain: LinearChain | None, logits: Sequence[Tensor], inside: Tensor
) -> Tensor:
    """[batch, time, tags]: by mean scores and chain, or the mean of what networks without a chain say."""
    if chain is not None:
        return chain.marginals(mean_of(logits), inside)
    every = [network.probabilities(part, inside) for network, part in zip(networks, logits, strict=True)]
    return torch.stack(every).mean(0)


def _confidences(best: Tensor, probabilities: Tensor) -> Tensor:
    """[batch, time]: the probability of each prediction; that of O is the sum of both tags that predict O."""
    outside = probabilities[:, :, : OUTSIDE_NUMBER + 1].sum(2)
    return torch.where(best <= OUTSIDE_NUMBER, outside, probabilities.gather(2, best[:, :, None])[:, :, 0])


@contextmanager
def evaluating(networks: Sequence[FstRnn]) -> Iterator[None]:
    """Networks without dropout, for a while."""
    training = [network.training for network in networks]
    for network in networks:
        network.eval()
    try:
        yield
    finally:
        for network, was in zip(networks, training, strict=True):
            network.train(was)
