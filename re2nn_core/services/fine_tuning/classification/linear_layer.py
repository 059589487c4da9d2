"""A linear layer over the text as a whole in addition to rules and network, where it is right more often on texts that
it was not fitted to.

It is fitted to what each network learns from and measured on what this one has not: the gain of the layer over the
network without it is counted text by text, as that of training is (step_size.py). So is that of a layer which is fitted
to phrases of the rules too (taught_phrases.py), and the better one is kept, fitted to all texts that are learned from.
With a small weight it decides between equal labels alone, and where no rule matches. Each phrase counts as a text does;
half or twice as much changes little, and texts without a label that the rules predict do not help in addition
(tests/benchmarks/README.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import torch
from scipy.sparse import csr_matrix
from torch import Tensor

from re2nn_core.network.auxiliary.text_linear import TextLinear, Weights
from re2nn_core.network.classification.bundle import Bundle, with_config
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.classification.predict import batches_for
from re2nn_core.services.fine_tuning.classification.linear_fit import fit_linear
from re2nn_core.services.fine_tuning.classification.step_size import StepSize, step_between
from re2nn_core.services.fine_tuning.step import CERTAIN
from re2nn_core.text.counting import at_this_rate, counted
from re2nn_core.training.examples import EncodedExamples, right_predictions
from re2nn_core.training.learner import parameters_of

WEIGHTS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True)
class LinearLayer:
    """The `weight` of the layer, 0 where it is left out, and what it fixes and breaks at it, or at the best one;
    `phrases`: so many of the rules and names of labels it was fitted to; right [held-out texts]: what is predicted
    rightly, without the layer where it is left out."""

    weight: float
    gain: StepSize
    phrases: int = 0
    right: Tensor | None = field(default=None, repr=False, compare=False)

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
        fitted = f", also fitted to {counted(self.phrases, 'phrase')} of rules and label names,"
        return (
            f"A linear layer over the whole text{fitted if self.phrases else ''} "
            f"is added with weight {self.weight:g}: {gain}."
        )


KnownFits: TypeAlias = dict[int, list[Weights]]


@dataclass(frozen=True)
class _Fitting:
    """What a layer is fitted to and measured on: as for `choose_linear_layer`; `layers`: that of each network;
    `members`: the weights of the network that has not learned from each fold, where one network is kept; `known`: what
    was fitted before, by the number of texts in all."""

    bundle: Bundle
    layers: list[TextLinear]
    learned: Sequence[EncodedExamples]
    held_out: Sequence[EncodedExamples]
    every: EncodedExamples
    members: Sequence[Mapping[str, Tensor]] = ()
    known: KnownFits = field(default_factory=dict)

    def with_phrases(self, phrases: EncodedExamples) -> _Fitting:
        """The same with phrases behind all texts that are learned from."""
        learned = [_joined(part, phrases) for part in self.learned]
        return replace(self, learned=learned, every=_joined(self.every, phrases))

    def best(self, without: Tensor) -> tuple[StepSize, Tensor]:
        """The weight with the most certain gain over right predictions `without` a layer, and those with it, [held-out
        texts]."""
        self.layers[0].set_rarity(self.every.codes)  # the copies share it
        *fitted, _ = self._fits()
        tried = [self.right(fitted, weight) for weight in WEIGHTS]
        steps = [step_between(weight, right, without) for weight, right in zip(WEIGHTS, tried, strict=True)]
        best = max(steps, key=_certain)
        return best, tried[steps.index(best)]

    def _fits(self) -> list[Weights]:
        """What is fitted to each part, and to all texts: its features do not depend on what the network learns."""
        texts = len(self.every)
        if texts not in self.known:
            parts = (*self.learned, self.every)
            self.known[texts] = [_fitted(self.bundle.network, self.layers[0], part) for part in parts]
        return self.known[texts]

    def right(self, fitted: Sequence[Weights], weight: float) -> Tensor:
        """[held-out texts]: which are predicted rightly with so much of the layer fitted to each part, none for 0."""
        networks, untrained = self.bundle.networks, not (self.bundle.trained or weight)
        own = len(self.held_out) == len(networks) > 1
        kept = parameters_of(networks[0])
        found = []
        for fold, part in enumerate(self.held_out):
            if self.members:
                networks[0].load_state_dict(dict(self.members[fold]), strict=False)
            for layer in self.layers if fitted else ():
                layer.set_weights(fitted[fold], weight)
            found.append(right_predictions([networks[fold]] if own else networks, part, untrained=untrained))
        if self.members:
            networks[0].load_state_dict({name: kept[name] for name in self.members[0]}, strict=False)
        return torch.cat(found)

    def keep(self, weight: float) -> None:
        """Fit what is kept, to all texts."""
        self.layers[0].set_rarity(self.every.codes)
        last = self._fits()[-1]
        for layer in self.layers:
            layer.set_weights(last, weight)


def choose_linear_layer(
    bundle: Bundle,
    learned: Sequence[EncodedExamples],
    held_out: Sequence[EncodedExamples],
    every: EncodedExamples,
    phrases: EncodedExamples,
    members: Sequence[Mapping[str, Tensor]] = (),
    known: KnownFits | None = None,
) -> tuple[Bundle, LinearLayer | None]:
    """The bundle with a linear layer of the weight that suits held-out texts best, or without one. `learned` and
    `held_out`: a share for each fold, or one for all networks together; `every`: what the kept layer is fitted to, with
    or without the `phrases`. Where each fold has a network of its own, or weights in `members`, that one is measured;
    else all networks together. None where there is nothing to measure it by. `known`: fits to the same texts, of other
    weights of the network, which are used and added to."""
    layers = [network.linear for network in bundle.networks if network.linear is not None]
    if not layers:
        return bundle, None
    if not any(map(len, held_out)) or any(len(set(part.labels) - {-1}) < 2 for part in learned):
        return without_layer(bundle), None
    alone = _Fitting(bundle, layers, learned, held_out, every, members, {} if known is None else known)
    without = alone.right([], 0.0)  # the layer is zeros yet
    tried = [(*alone.best(without), 0, alone)]
    if len(phrases):
        taught = alone.with_phrases(phrases)
        tried.append((*taught.best(without), len(phrases), taught))
    best, right, fitted_to, fitting = max(tried, key=lambda one: _certain(one[0]))
    if _certain(best) <= 0:
        return without_layer(bundle), LinearLayer(0.0, best, right=without)
    fitting.keep(best.share)
    return replace(bundle, trained=True), LinearLayer(best.share, best, fitted_to, right)


def _certain(step: StepSize) -> float:
    return step.certain(CERTAIN)


def _joined(texts: EncodedExamples, phrases: EncodedExamples) -> EncodedExamples:
    """Both, the phrases behind."""
    context = None if texts.context is None else [*texts.context, *(phrases.context or ())]
    return EncodedExamples([*texts.codes, *phrases.codes], [*texts.labels, *phrases.labels], context=context)


def without_layer(bundle: Bundle) -> Bundle:
    """The bundle without the place for a linear layer."""
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
    where = torch.cat(places).numpy(), torch.cat(words).numpy()
    sparse = csr_matrix((torch.cat(values).numpy(), where), shape=(len(texts), len(linear.by_word)))
    targets = np.array(texts.labels)
    known = targets >= 0
    return fit_linear(mean.numpy()[known], sparse[known], targets[known], len(linear.bias))
