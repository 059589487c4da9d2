"""Tags of sentences by one tagger, or by several together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from re2nn_core.network.batching import Context, batches_by_length
from re2nn_core.network.tagger import FstRnn
from re2nn_core.rules.tagging import OUTSIDE, WILDCARD

OnProgress = Callable[[int, int], None]
BATCH = 256


@dataclass(frozen=True)
class Tagged:
    """tags: of each word its tag, the wildcard read as O; sureness [words]: the probability of each of these tags."""

    tags: tuple[str, ...]
    sureness: NDArray[np.float32]


def run_taggers(
    networks: Sequence[FstRnn],
    codes: Sequence[Sequence[int]],
    *,
    context: Sequence[Context] | None = None,
    with_sureness: bool = True,
    on_progress: OnProgress | None = None,
) -> list[Tagged]:
    """The answers for encoded sentences. One network answers by its best sequence; several by the tag with the highest
    mean probability at each word."""
    torch.set_num_threads(1)  # small matrices: more threads gain nothing and wait for each other on a busy machine
    first = networks[0]
    names = [OUTSIDE if tag == WILDCARD else tag for tag in first.tags]
    answers = [Tagged((), np.zeros(0, dtype=np.float32))] * len(codes)
    done = 0
    with evaluating(networks), torch.no_grad():
        for numbered in batches_by_length(codes, BATCH, first.device, context):
            batch, inside = numbered.batch, numbered.batch.inside()
            logits = [network(batch) for network in networks]  # each [batch, time, tags]
            probabilities = None
            if with_sureness or len(networks) > 1:
                every = [n.probabilities(part, inside) for n, part in zip(networks, logits, strict=True)]
                probabilities = torch.stack(every).mean(0)
            if len(networks) == 1 or probabilities is None:
                best = first.best(logits[0], inside)
            else:
                best = probabilities.argmax(2)
            sure = None if probabilities is None else probabilities.gather(2, best[:, :, None])[:, :, 0].cpu().numpy()
            for row, (place, tags) in enumerate(zip(numbered.places, best.tolist(), strict=True)):
                length = batch.lengths[row]
                own = np.ones(length, dtype=np.float32) if sure is None else sure[row, :length]
                answers[place] = Tagged(tuple(names[tag] for tag in tags[:length]), own)
            done += len(numbered.places)
            if on_progress is not None:
                on_progress(done, len(codes))
    return answers


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
