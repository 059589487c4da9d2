"""A linear layer over the text as a whole in addition to rules and network, where it is right more often on texts that
it was not fitted to.

It is fitted to what each network learns from and measured on what this one has not: the gain of the layer over the
network without it is counted text by text, as that of training is (step_size.py). So is that of a layer which is fitted
to phrases of the rules too (taught_phrases.py), and the better one is kept, fitted to all texts that are learned from.
Where a cross-validation has too few texts of each label (step_size.py), one that is fitted to the phrases alone comes
first, and texts must gain twice the error over it: what they teach is how often each label was drawn.
With a small weight it decides between equal labels alone, and where no rule matches; the smallest weight is taken that
is as good as any, since with few texts a large one that gains more does so by chance
(tests/benchmarks/records/few_texts.md). Each phrase counts as a text does; half or twice as much changes little, and
texts without a label that the rules predict do not help in addition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np
import torch
from torch import Tensor

from re2nn_core.network.auxiliary.text_linear import TextLinear, Weights
from re2nn_core.network.classification.bundle import Bundle, with_config
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.classification.predict import batches_for
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.reconstruction.progress import OnProgress, part_of
from re2nn_core.services.fine_tuning.classification.linear_fit import Places, TextFeatures, fit_folds
from re2nn_core.services.fine_tuning.classification.step_size import StepSize, step_between
from re2nn_core.services.fine_tuning.step import CERTAIN, CERTAIN_FURTHER
from re2nn_core.services.prediction.precision import at_this_rate
from re2nn_core.text.counting import counted
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import EncodedExamples, logits_of, right_by_logits
from re2nn_core.training.learner import ShouldStop, parameters_of

WEIGHTS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


def fits_layer(config: NetworkConfig, train: TrainConfig) -> bool:
    """Whether a linear layer is fitted behind the epochs of a training; a faithful network has none, for rules cannot
    express it."""
    return config.linear and not train.faithful


@dataclass(frozen=True)
class LinearLayer:
    """The `weight` of the layer, 0 where it is left out, and what it fixes and breaks at it, or at the best one;
    `phrases`: so many of the rules and names of labels it was fitted to, `alone` or with the texts; right [held-out
    texts]: what is predicted rightly, without the layer where it is left out."""

    weight: float
    gain: StepSize
    phrases: int = 0
    alone: bool = False
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
        phrases = f"fitted to {counted(self.phrases, 'phrase')} of rules and label names"
        fitted = f", {phrases} alone," if self.alone else f", also {phrases}," if self.phrases else ""
        why = " With so few texts of each label, texts would teach how often it was drawn." if self.alone else ""
        return f"A linear layer over the whole text{fitted} is added with weight {self.weight:g}: {gain}.{why}"


KnownFits: TypeAlias = dict[str, list[Weights]]


@dataclass(frozen=True)
class LinearTexts:
    """What a layer is chosen by: `every` text that the kept layer is fitted to; the `folds` of these that are learned
    from, by their places, and what is held out from each, or one of each for all networks together; `phrases` that it
    may be fitted to, too. `few`: too few texts of each label. `of`: which of texts and phrases are fitted to."""

    every: EncodedExamples
    folds: Sequence[Places]
    held_out: Sequence[EncodedExamples]
    phrases: EncodedExamples
    few: bool = False
    of: Literal["texts", "phrases", "both"] = "texts"

    @property
    def tell(self) -> bool:
        """Whether there is something to measure a layer by."""
        labels = [{self.every.labels[place] for place in places} - {-1} for places in self.folds]
        return any(map(len, self.held_out)) and all(len(present) > 1 for present in labels)

    def with_phrases(self) -> LinearTexts:
        """The same with phrases behind all texts that are learned from."""
        behind = range(len(self.every), len(self.every) + len(self.phrases))
        folds = [[*places, *behind] for places in self.folds]
        return replace(self, every=_joined(self.every, self.phrases), folds=folds, of="both")

    def phrases_alone(self) -> LinearTexts:
        """The same held-out texts, but nothing is learned from texts."""
        return replace(self, every=self.phrases, folds=[range(len(self.phrases))] * len(self.folds), of="phrases")

    @property
    def ways(self) -> list[LinearTexts]:
        """What a layer may be fitted to, what is tried first in front."""
        if not len(self.phrases):
            return [self]
        return [self.phrases_alone() if self.few else self, self.with_phrases()]


@dataclass(frozen=True)
class _Fitting:
    """A layer that is fitted to texts and measured on others, of a bundle's networks, whose own layers are zeros yet.
    `logits`: those of each network that measures a fold's held-out texts; `known`: what was fitted before,
    by LinearTexts.of. Cancelled when `should_stop()`."""

    bundle: Bundle
    texts: LinearTexts
    logits: Sequence[Sequence[Tensor]]
    known: KnownFits = field(default_factory=dict)
    should_stop: ShouldStop | None = None
    on_progress: OnProgress = lambda *_: None

    @property
    def layer(self) -> TextLinear:
        """That of the first network; the others' count words alike."""
        if self.bundle.network.linear is None:
            raise ValueError("the network has no place for a linear layer")
        return self.bundle.network.linear

    def best(self, without: Tensor) -> tuple[StepSize, Tensor]:
        """The weight that is as good as any (smallest_as_good) over right predictions `without` a layer, and those with
        it, [held-out texts]."""
        self.layer.set_rarity(self.texts.every.codes)
        fitted = zip(self.texts.held_out, self._fits(), strict=False)  # the last one is fitted to all texts
        added = [_features(self.bundle.network, self.layer, part).scores(weights) for part, weights in fitted]
        tried = [self.right(weight, added) for weight in WEIGHTS]
        steps = [step_between(weight, right, without) for weight, right in zip(WEIGHTS, tried, strict=True)]
        kept = smallest_as_good(steps, tried)
        return steps[kept], tried[kept]

    def _fits(self) -> list[Weights]:
        """What is fitted to each fold, and to all texts: its features do not depend on what the network learns."""
        every, of = self.texts.every, self.texts.of
        if of not in self.known:
            features = _features(self.bundle.network, self.layer, every)
            folds = (*self.texts.folds, range(len(every)))
            self.known[of] = fit_folds(
                features, folds, len(self.layer.bias), should_stop=self.should_stop, on_progress=self.on_progress
            )
        return self.known[of]

    def right(self, weight: float, added: Sequence[Tensor] = ()) -> Tensor:
        """[held-out texts]: which are predicted rightly with so much `added` by the layer fitted to each fold,
        [held-out texts of a fold, labels], none for 0."""
        untrained = not (self.bundle.trained or weight)
        found = []
        for fold, part in enumerate(self.texts.held_out):
            logits = [one + weight * added[fold] if weight else one for one in self.logits[fold]]
            found.append(right_by_logits(self.bundle.network, logits, part, untrained=untrained))
        return torch.cat(found)

    def keep(self, weight: float) -> None:
        """Take what is fitted to all texts."""
        self.layer.set_rarity(self.texts.every.codes)
        for network in self.bundle.networks:
            if network.linear is not None:
                network.linear.set_weights(self._fits()[-1], weight)


def choose_linear_layer(
    bundle: Bundle,
    texts: LinearTexts,
    members: Sequence[Mapping[str, Tensor]] = (),
    known: KnownFits | None = None,
    should_stop: ShouldStop | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[Bundle, LinearLayer | None]:
    """The bundle with a linear layer of the weight that suits held-out texts best, or without one. Where each fold has
    a network of its own, or weights in `members`, of the network that has not learned from it, that one is measured;
    else all networks together. None where there is nothing to measure it by. `known`: fits to the same texts, of other
    weights of the network, which are used and added to. `on_progress` is told how far the fits are. Cancelled when
    `should_stop()`."""
    if bundle.network.linear is None:
        return bundle, None
    if not texts.tell:
        return without_layer(bundle), None
    logits = _held_out_logits(bundle.networks, texts.held_out, members)
    plain = _Fitting(bundle, texts, logits, {} if known is None else known, should_stop)
    without = plain.right(0.0)
    share = 100 // len(texts.ways)
    ways = [
        replace(plain, texts=way, on_progress=part_of(on_progress, (number * share, number * share + share)))
        for number, way in enumerate(texts.ways)
    ]
    tried = [fitting.best(without) for fitting in ways]
    if on_progress is not None:
        on_progress(1, 1)  # a fit may have ended early
    kept = _further(tried, without) if texts.few else tried.index(max(tried, key=lambda one: _certain(one[0])))
    if kept is None or _certain(tried[kept][0]) <= 0:
        best = max((step for step, _ in tried), key=_certain)
        return without_layer(bundle), LinearLayer(0.0, best, right=without)
    step, right = tried[kept]
    ways[kept].keep(step.share)
    of = ways[kept].texts.of
    count = 0 if of == "texts" else len(texts.phrases)
    return replace(bundle, trained=True), LinearLayer(step.share, step, count, of == "phrases", right)


def _further(tried: Sequence[tuple[StepSize, Tensor]], without: Tensor) -> int | None:
    """The place of what gains for certain over what is kept before it, or over predictions `without` a layer; where it
    is fitted to texts, by CERTAIN_FURTHER errors. None where nothing does. The last one is fitted to texts."""
    kept, right = None, without
    for place, (_, predicted) in enumerate(tried):
        errors = CERTAIN_FURTHER if place == len(tried) - 1 else CERTAIN
        if step_between(1.0, predicted, right).certain(errors) > 0:
            kept, right = place, predicted
    return kept


def _held_out_logits(
    networks: Sequence[FaRnn], held_out: Sequence[EncodedExamples], members: Sequence[Mapping[str, Tensor]]
) -> list[list[Tensor]]:
    """For each fold the logits [held-out texts, labels] of each network that measures it (choose_linear_layer)."""
    if not members:
        own = len(held_out) == len(networks) > 1
        return [
            [logits_of(network, part) for network in (networks[fold : fold + 1] if own else networks)]
            for fold, part in enumerate(held_out)
        ]
    kept, found = parameters_of(networks[0]), []
    for parameters, part in zip(members, held_out, strict=True):
        networks[0].load_state_dict(dict(parameters), strict=False)
        found.append([logits_of(networks[0], part)])
    networks[0].load_state_dict({name: kept[name] for name in members[0]}, strict=False)
    return found


def smallest_as_good(steps: Sequence[StepSize], right: Sequence[Tensor]) -> int:
    """The place of the first of some `steps` that gains for certain and that the one with the most certain gain is not
    certainly better than; of that one where there is none (the rule of one standard error of Breiman et al.,
    Classification and Regression Trees, 1984). right [steps][held-out texts]: what each predicts rightly."""
    best = steps.index(max(steps, key=_certain))
    further = [step_between(1.0, right[best], before) for before in right[:best]]
    as_good = (place for place, step in enumerate(further) if _certain(step) <= 0 < _certain(steps[place]))
    return next(as_good, best)


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


def _features(network: FaRnn, linear: TextLinear, texts: EncodedExamples) -> TextFeatures:
    """What a layer reads of labelled texts."""
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
    counted = torch.cat(values).numpy()
    return TextFeatures(mean.numpy(), *where, counted, len(linear.by_word), np.array(texts.labels, dtype=np.int64))
