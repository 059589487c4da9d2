"""The linear layer over words and rules, and an auxiliary encoder next to it, both with the rules as they are: as much
of each as held-out texts confirm.

The layer is fitted first (linear_layer.py), and measured alone and as a share of the scores next to the rules. An
encoder is trained in addition on the first fold, and on the others and on all texts only where F1 is higher there for
some mean of both than for the layer alone. F1 on dev, first seed, layer alone / half encoder: ATIS 398 texts
89.2 / 90.0; a quarter encoder: SNIPS 1,308 texts 86.4 / 87.3, MITR 200 texts 72.0 / 72.5. Both learn from the texts
with other values in their spans, too (training/varied_texts.py): 91.3, 90.7, 72.6.

There are two layers, one that reads the vectors of words and one that reads those of words in their sentence. The
latter needs the sentence encoder for each prediction. With few texts it is the better one, which few held-out texts
cannot show (F1 on dev of the layer alone, words / in context: MITR 200 texts 70.2 / 71.6, SNIPS 50 texts 61.5 / 63.6,
200 texts 73.7 / 76.3, ATIS 200 texts 86.7 / 87.0, 398 texts 89.8 / 90.4). So it is kept unless held-out texts say that
it is not worth the time.

With few texts a mean of layer and rules hardly ever loses, and held-out texts seldom show that it gains: it is kept
unless they speak against it. F1 on dev against the rules, four draws of 20 and of 50 texts: ATIS +4.1 to +9.2, SNIPS
+1.2 to +8.5, MITR -0.4 to +1.1; three of 5 and of 10, where held-out texts often do not differ: SNIPS -0.5 to +2.4,
MITR -2.9 to +0.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import torch
from torch import Tensor

from re2nn_core.network.auxiliary.tag_linear import TagLinear
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.ensemble import twin_of
from re2nn_core.network.slot_filling.bundle import TaggerBundle, with_tagger_config
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.services.fine_tuning.slot_filling.linear_fit import STEPS, Fitted, fitted_layer
from re2nn_core.services.fine_tuning.slot_filling.linear_layer import (
    SHARES,
    LayerOfNetworks,
    TagLinearLayer,
    of_words,
    without_layer,
)
from re2nn_core.services.fine_tuning.slot_filling.step_size import SpanStepSize, span_counts, step_between
from re2nn_core.services.fine_tuning.step import CERTAIN, most_certain
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.part_progress import OnProgress, Part, PartProgress
from re2nn_core.training.tag_auxiliary import learned_parameters, train_auxiliary
from re2nn_core.training.tagged_examples import TagExamples

AGAINST = 0.5  # standard errors of a loss that speak against a mean with the rules
WORTH_CONTEXT = 0.003  # so much more F1 is worth the time that predictions take with vectors in context
EVERY = "every"  # in the names of fits to all texts
EPOCH = 4  # about how many steps of the layer take as long as an epoch of the encoder
FOLD_TEXTS = 1000  # of all folds that are measured, about: with more texts fewer folds are enough


@dataclass(frozen=True)
class LayerTexts:
    """A share of the texts for each fold that is measured: what is `learned`, what is `held_out` from it; `every`: what
    is kept is fitted to these."""

    learned: Sequence[TagExamples]
    held_out: Sequence[TagExamples]
    every: TagExamples

    @property
    def last_is_every(self) -> bool:
        """Whether the last fold has learned from every text, as it has where dev is held out."""
        return len(self.every) == len(self.learned[-1])


@dataclass(frozen=True)
class Mean:
    """The linear layer's `share` of the scores, the rest those of the rules, with an auxiliary encoder or without."""

    share: float
    encoder: bool


ALONE, WITH_RULES = Mean(1.0, False), (Mean(0.75, False), Mean(0.5, False))
WITH_ENCODER = tuple(Mean(share, True) for share in SHARES[1:])
EVERY_MEAN = (ALONE, *WITH_RULES, *WITH_ENCODER)
Counts: TypeAlias = dict[Mean, list[Tensor]]


@dataclass(frozen=True)
class MeasuredMean:
    """What a mean gains on held-out texts against the rules."""

    mean: Mean
    gain: SpanStepSize

    def certain(self, errors: float) -> float:
        """F1 gained, less so many standard errors."""
        return self.gain.certain(errors)


Kinds: TypeAlias = Mapping[bool, Sequence[MeasuredMean]]  # of the layer in context, or of words alone


def folds_measured(texts: int, folds: int) -> int:
    """How many of so many folds are measured: all of them with few texts, one with many."""
    return max(1, min(folds, round(FOLD_TEXTS / max(1, texts))))


def choose_layer_and_encoder(
    bundle: TaggerBundle,
    texts: LayerTexts,
    config: TrainConfig,
    *,
    on_progress: OnProgress | None = None,
    should_stop: Callable[[], bool] | None = None,
    folder: Path | None = None,
) -> tuple[TaggerBundle, TagLinearLayer | None]:
    """The untrained bundle with layer and auxiliary encoder of the share that suits held-out texts best, or the bundle
    as it is, without a layer. `config.copies` encoders are averaged. `folder`: of the checkpoint. Cancelled when
    `should_stop()`."""
    if bundle.network.linear is None or not any(map(len, texts.held_out)):
        return without_layer(bundle), None
    progress = PartProgress(_parts(texts, config, bundle), folder, on_progress=on_progress, should_stop=should_stop)
    work = _Work(bundle, bundle.network.linear, config, progress)
    kinds, more = work.measured(texts)
    in_context = more is not None and worth_context(more)
    measured = kinds[in_context]
    best = _chosen(measured)
    if best is None:
        work.restart(bundle.network)
        progress.end()
        return without_layer(bundle), TagLinearLayer(0.0, measured[0].gain)
    kept = replace(bundle, trained=True, copies=work.members(texts, best.mean, in_context))
    progress.end()
    kept = kept if in_context else of_words(kept)
    settings = without_encoder(kept) if best.mean in WITH_RULES else kept.config
    layer = TagLinearLayer(best.mean.share, best.gain, best.mean.encoder, in_context)
    return with_tagger_config(kept, settings), layer


def kinds_of(bundle: TaggerBundle) -> tuple[bool, ...]:
    """Whether in context, of each layer that is measured."""
    return (False, True) if bundle.network.linear_in_context else (False,)


def worth_context(more: SpanStepSize) -> bool:
    """Whether vectors in context may be worth the time, by what they gain against those of words."""
    return more.certain(-CERTAIN) >= WORTH_CONTEXT


def without_encoder(bundle: TaggerBundle) -> TaggerConfig:
    """The configuration of networks whose auxiliary encoder is taken away."""
    for network in bundle.networks:
        network.auxiliary = None
    return replace(bundle.config, auxiliary="none")


def _chosen(measured: Sequence[MeasuredMean]) -> MeasuredMean | None:
    """A certain mean with the encoder, or the layer alone; in the place of the latter, or of none, a mean with the
    rules: few texts make it surer, because it is nearer to them."""
    best = most_certain([one for one in measured if one.mean not in WITH_RULES])
    if best is not None and best.mean.encoder:
        return best
    return most_certain([one for one in measured if not one.mean.encoder]) or _unharmed(measured)


def _unharmed(measured: Sequence[MeasuredMean]) -> MeasuredMean | None:
    """The first mean with the rules, unless held-out texts speak against it or do not differ."""
    found = next(one for one in measured if one.mean == WITH_RULES[0])
    return found if found.gain.error and found.certain(-AGAINST) > 0 else None


def _parts(texts: LayerTexts, config: TrainConfig, bundle: TaggerBundle) -> list[Part]:
    """Every fit that may be done: of each fold, and of all texts, as far as the last fold has not learned from them."""
    folds = [(f"fold {number + 1} of {len(texts.learned)}", str(number)) for number in range(len(texts.learned))]
    every = [] if texts.last_is_every else [_layer_part("all texts", EVERY)]
    kinds, encoder = kinds_of(bundle), bundle.network.auxiliary is not None
    members = range(1 if texts.last_is_every else 0, config.copies if encoder else 0)

    def of_fold(fold: str, name: str) -> list[Part]:
        layers = [_layer_part(fold, name, kind) for kind in kinds]
        return [*layers, _encoder_part(fold, name, config)] if encoder else layers

    return [
        *(part for fold, name in folds for part in of_fold(fold, name)),
        *every,
        *(
            _encoder_part(f"all texts, {number + 1} of {config.copies}", f"{EVERY}{number}", config)
            for number in members
        ),
    ]


def _layer_part(texts: str, name: str, in_context: bool = False) -> Part:
    """`name`: of the texts; the layer that is kept has one name, whichever it is."""
    vectors = " in context" if in_context else ""
    return Part(_layer_name(name, in_context), f"linear layer{vectors}, {texts}", STEPS, "step")


def _layer_name(name: str, in_context: bool) -> str:
    return f"layer{name}context" if in_context and name != EVERY else f"layer{name}"


def _encoder_part(texts: str, name: str, config: TrainConfig) -> Part:
    return Part(f"encoder{name}", f"auxiliary encoder, {texts}", config.epochs, "epoch", EPOCH)


class _Work:
    """Fits of one network to one fold after another, each from the rules on."""

    def __init__(self, bundle: TaggerBundle, layer: TagLinear, config: TrainConfig, progress: PartProgress) -> None:
        self.bundle, self.layer, self.config, self.progress = bundle, layer, config, progress
        self._start = self._learned(bundle.network)
        self._last: tuple[Mapping[bool, Fitted], dict[str, Tensor]] | None = None  # layers, encoder of the last fold

    def restart(self, network: FstRnn) -> None:
        """The rules, without an auxiliary encoder and a layer."""
        network.load_state_dict(self._start, strict=False)
        network.eval()
        if network.linear is not None:
            network.linear.share.fill_(0.0)

    def measured(self, texts: LayerTexts) -> tuple[Kinds, SpanStepSize | None]:
        """What is gained against the rules by each mean, the layer alone first, on held-out texts, with each layer; and
        what the layer in context gains against that of words, all means together."""
        rules: list[Tensor] = []
        kinds = kinds_of(self.bundle)
        counts: dict[bool, Counts] = {kind: {mean: [] for mean in EVERY_MEAN} for kind in kinds}
        tried = self.bundle.network.auxiliary is not None
        for fold, (learned, held) in enumerate(zip(texts.learned, texts.held_out, strict=True)):
            self.restart(self.bundle.network)
            rules.append(span_counts([self.bundle.network], held, True))
            fitted = {kind: self._fit(learned, str(fold), kind) for kind in kinds}
            self._count(counts, (ALONE, *WITH_RULES), fitted, held)
            if tried:
                self._train(self.bundle.network, learned, 0, str(fold))
                self._count(counts, WITH_ENCODER, fitted, held)
                tried = fold > 0 or any(_gains(own, rules) for own in counts.values())
        gains = {kind: _between(own, rules) for kind, own in counts.items()}
        more = _more_in_context(counts) if len(kinds) > 1 else None
        return gains if tried else {kind: _without_encoder(own) for kind, own in gains.items()}, more

    def _count(
        self, counts: Mapping[bool, Counts], means: Sequence[Mean], fitted: Mapping[bool, Fitted], held: TagExamples
    ) -> None:
        """Add the spans of held-out texts by the network as it is and each layer."""
        self._last = fitted, self._learned(self.bundle.network)
        layer = LayerOfNetworks(self.bundle)
        for kind, own in counts.items():
            for mean in means:
                layer.take(fitted[kind], mean.share)
                own[mean].append(span_counts([self.bundle.network], held, False))
            layer.take(fitted[kind], 0.0)

    def members(self, texts: LayerTexts, mean: Mean, in_context: bool) -> tuple[FstRnn, ...]:
        """Fit layer and encoders to every text; the networks in addition to the bundle's own."""
        network = self.bundle.network
        last = self._last if texts.last_is_every else None
        self.restart(network)
        fitted = last[0][in_context] if last else self._fit(texts.every, EVERY, in_context)
        networks = [network, *(twin_of(network) for _ in range(self.config.copies - 1 if mean.encoder else 0))]
        for number, one in enumerate(networks):
            if not mean.encoder:
                continue
            if last and not number:
                one.load_state_dict(last[1], strict=False)
            else:
                self._train(one, texts.every, number, f"{EVERY}{number}")
        LayerOfNetworks(replace(self.bundle, copies=tuple(networks[1:]))).take(fitted, mean.share)
        return tuple(networks[1:])

    def _learned(self, network: FstRnn) -> dict[str, Tensor]:
        return {name: value.detach().clone() for name, value in learned_parameters(network).items()}

    def _fit(self, texts: TagExamples, name: str, in_context: bool) -> Fitted:
        """The layer for texts, as it was kept where it is finished."""
        part = _layer_name(name, in_context)
        kept = self.progress.finished(part)
        if kept is None:
            passed = partial(self.progress.passed, part)
            weights, chain = fitted_layer(self.bundle.network, self.layer, texts, passed, in_context=in_context)
            self.progress.finish(part, _named(weights, "weights.") | _named(chain, "chain."))
            return weights, chain
        device = self.bundle.network.device
        return _of(kept, "weights.", device), _of(kept, "chain.", device)

    def _train(self, network: FstRnn, texts: TagExamples, number: int, name: str) -> None:
        self.restart(network)
        part = f"encoder{name}"
        kept = self.progress.finished(part)
        if kept is not None:
            network.load_state_dict(dict(kept), strict=False)
            return
        seed = self.config.seed + 1000 * number
        train_auxiliary(network, texts, self.config, seed, progress=self.progress, part=part)
        self.progress.finish(part, self._learned(network))


def _named(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {f"{prefix}{name}": value for name, value in tensors.items()}


def _of(tensors: Mapping[str, Tensor], prefix: str, device: torch.device) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): one.to(device) for name, one in tensors.items() if name.startswith(prefix)}


def _between(counts: Mapping[Mean, Sequence[Tensor]], rules: Sequence[Tensor]) -> list[MeasuredMean]:
    """What is gained by each mean that was measured on all folds so far."""
    every, full = torch.cat(list(rules)), [mean for mean in counts if len(counts[mean]) == len(rules)]
    return [MeasuredMean(mean, step_between(mean.share, torch.cat(list(counts[mean])), every)) for mean in full]


def _more_in_context(counts: Mapping[bool, Counts]) -> SpanStepSize:
    """What the layer in context gains against that of words."""
    texts = torch.cat(counts[True][ALONE])
    context, words = (
        sum((torch.cat(one) for one in counts[kind].values() if sum(map(len, one)) == len(texts)), 0 * texts)
        for kind in (True, False)
    )
    return step_between(1.0, context, words)


def _without_encoder(measured: Sequence[MeasuredMean]) -> list[MeasuredMean]:
    return [one for one in measured if not one.mean.encoder]


def _gains(counts: Mapping[Mean, Sequence[Tensor]], rules: Sequence[Tensor]) -> bool:
    """Whether some mean with the encoder is better than the layer alone on the folds so far."""
    reached = {one.mean: one.gain.f1 for one in _between(counts, rules)}
    return max(f1 for mean, f1 in reached.items() if mean.encoder) > reached[ALONE]
