"""A linear layer over the text as a whole in addition to rules and network, where it is right more often on texts that
it was not fitted to.

It is fitted to what each network learns from and measured on what this one has not: the gain of the layer over the
network without it is counted text by text, as that of training is (step_size.py). What is kept is fitted to all texts
that are learned from. With a small weight it decides between equal labels alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from re2nn_core.network.auxiliary.text_linear import TextLinear, Weights, fit_linear
from re2nn_core.network.classification.bundle import Bundle, with_config
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.classification.predict import batches_for
from re2nn_core.services.fine_tuning.classification.step_size import StepSize, step_between
from re2nn_core.services.fine_tuning.step import CERTAIN, at_this_rate
from re2nn_core.text.counting import counted
from re2nn_core.training.examples import EncodedExamples, right_predictions

WEIGHTS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True)
class LinearLayer:
    """The `weight` of the layer, 0 where it is left out, and what it fixes and breaks at it, or at the best one."""

    weight: float
    gain: StepSize

    @property
    def in_words(self) -> str:
        """A sentence for the user."""
        changes = f"{self.gain.fixed:,} fixed and {self.gain.broken:,} broken"
        gain = f"{changes} of {counted(self.gain.texts, 'held-out text')}"
        if not self.weight:
            more = self.gain.more_texts
            advice = "" if more is None else f" {at_this_rate(more)}."
            left_out = f"A linear layer over the whole text is left out: {gain}, too few to be certain of a gain."
            return left_out + advice
        return f"A linear layer over the whole text is added with weight {self.weight:g}: {gain}."


def choose_linear_layer(
    bundle: Bundle, learned: Sequence[EncodedExamples], held_out: Sequence[EncodedExamples], every: EncodedExamples
) -> tuple[Bundle, LinearLayer | None]:
    """The bundle with a linear layer of the weight that suits held-out texts best, or without one. `learned` and
    `held_out`: a share for each fold, or one for all networks together; `every`: what the kept layer is fitted to.
    Where each fold has a network of its own, that one is measured; else all networks together. None where there is
    nothing to measure it by."""
    layers = [network.linear for network in bundle.networks if network.linear is not None]
    if not layers:
        return bundle, None
    if not any(map(len, held_out)) or any(len(set(part.labels) - {-1}) < 2 for part in learned):
        return _without_layer(bundle), None
    layers[0].set_rarity(every.codes)  # the copies share it
    fitted = [_fitted(bundle.network, layers[0], part) for part in learned]
    own = len(held_out) == len(bundle.networks) > 1

    def right(weight: float) -> Tensor:
        """[held-out texts]"""
        found = []
        for fold, (weights, part) in enumerate(zip(fitted, held_out, strict=True)):
            for layer in layers:
                layer.set_weights(weights, weight)
            group = [bundle.networks[fold]] if own else bundle.networks
            found.append(right_predictions(group, part, untrained=not (bundle.trained or weight)))
        return torch.cat(found)

    without = right(0.0)
    steps = [step_between(weight, right(weight), without) for weight in WEIGHTS]
    best = max(steps, key=lambda step: step.certain(CERTAIN))
    if best.certain(CERTAIN) <= 0:
        return _without_layer(bundle), LinearLayer(0.0, best)
    last = _fitted(bundle.network, layers[0], every)
    for layer in layers:
        layer.set_weights(last, best.share)
    return replace(bundle, trained=True), LinearLayer(best.share, best)


def _without_layer(bundle: Bundle) -> Bundle:
    for network in bundle.networks:
        network.linear = None
    return with_config(bundle, replace(bundle.config, linear=False))


def _fitted(network: FaRnn, linear: TextLinear, texts: EncodedExamples) -> Weights:
    """The weights of the layer for labelled texts."""
    mean = torch.zeros(len(texts), len(linear.by_vector))
    places, words, values = [], [], []
    with torch.no_grad():
        for numbered in batches_for(network, texts.codes, texts.context):
            batch, rows = numbered.batch, torch.tensor(numbered.places)
            vectors, rarity = linear.features(batch.words, network.reader.word_vectors(batch), batch.lengths)
            mean[rows] = vectors.float().cpu()
            row, time = rarity.cpu().nonzero(as_tuple=True)
            places.append(rows[row])
            words.append(batch.words.cpu()[row, time])
            values.append(rarity.cpu()[row, time])
    where = torch.stack([torch.cat(places), torch.cat(words)])
    size = (len(texts), len(linear.by_word))
    sparse = torch.sparse_coo_tensor(where, torch.cat(values), size, check_invariants=False).coalesce()
    known = (torch.tensor(texts.labels) >= 0).nonzero()[:, 0]
    targets = torch.tensor(texts.labels)[known]
    return fit_linear(mean[known], sparse.index_select(0, known).coalesce(), targets, len(linear.bias))
