"""The linear layer over words and rules, and an auxiliary encoder next to it, both with the rules as they are: as much
of each as held-out texts confirm.

The layer is fitted first (linear_layer.py), and measured alone and as a share of the scores next to the rules. An
encoder is trained in addition on the first fold, and on the others and on all texts only where F1 is higher there for
some mean of both than for the layer alone. F1 on dev, first seed, layer alone / half encoder: ATIS 398 texts
89.2 / 90.0; a quarter encoder: SNIPS 1,308 texts 86.4 / 87.3, MITR 200 texts 72.0 / 72.5. Both learn from the texts
with other values in their spans, too (training/varied_texts.py): 91.3, 90.7, 72.6.

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
    without_layer,
)
from re2nn_core.services.fine_tuning.slot_filling.step_size import SpanStepSize, span_counts, step_between
from re2nn_core.services.fine_tuning.step import most_certain
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.part_progress import OnProgress, Part, PartProgress
from re2nn_core.training.tag_auxiliary import learned_parameters, train_auxiliary
from re2nn_core.training.tagged_examples import TagExamples

AGAINST = 0.5  # standard errors of a loss that speak against a mean with the rules
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


@dataclass(frozen=True)
class MeasuredMean:
    """What a mean gains on held-out texts against the rules."""

    mean: Mean
    gain: SpanStepSize

    def certain(self, errors: float) -> float:
        """F1 gained, less so many standard errors."""
        return self.gain.certain(errors)


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
    progress = PartProgress(_parts(texts, config), folder, on_progress=on_progress, should_stop=should_stop)
    work = _Work(bundle, bundle.network.linear, config, progress)
    measured = work.measured(texts)
    best = _chosen(measured)
    if best is None:
        work.restart(bundle.network)
        progress.end()
        return without_layer(bundle), TagLinearLayer(0.0, measured[0].gain)
    kept = replace(bundle, trained=True, copies=work.members(texts, best.mean))
    progress.end()
    settings = without_encoder(kept) if best.mean in WITH_RULES else kept.config
    return with_tagger_config(kept, settings), TagLinearLayer(best.mean.share, best.gain, best.mean.encoder)


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


def _parts(texts: LayerTexts, config: TrainConfig) -> list[Part]:
    """Every fit that may be done: of each fold, and of all texts, as far as the last fold has not learned from them."""
    folds = [(f"fold {number + 1} of {len(texts.learned)}", str(number)) for number in range(len(texts.learned))]
    every = [] if texts.last_is_every else [_layer_part("all texts", EVERY)]
    members = range(1 if texts.last_is_every else 0, config.copies)
    return [
        *(part for fold, name in folds for part in (_layer_part(fold, name), _encoder_part(fold, name, config))),
        *every,
        *(
            _encoder_part(f"all texts, {number + 1} of {config.copies}", f"{EVERY}{number}", config)
            for number in members
        ),
    ]


def _layer_part(texts: str, name: str) -> Part:
    return Part(f"layer{name}", f"linear layer, {texts}", STEPS, "step")


def _encoder_part(texts: str, name: str, config: TrainConfig) -> Part:
    return Part(f"encoder{name}", f"auxiliary encoder, {texts}", config.epochs, "epoch", EPOCH)


class _Work:
    """Fits of one network to one fold after another, each from the rules on."""

    def __init__(self, bundle: TaggerBundle, layer: TagLinear, config: TrainConfig, progress: PartProgress) -> None:
        self.bundle, self.layer, self.config, self.progress = bundle, layer, config, progress
        self._start = self._learned(bundle.network)
        self._last: tuple[Fitted, dict[str, Tensor]] | None = None  # layer and encoder of the last fold

    def restart(self, network: FstRnn) -> None:
        """The rules, without an auxiliary encoder and a layer."""
        network.load_state_dict(self._start, strict=False)
        network.eval()
        if network.linear is not None:
            network.linear.share.fill_(0.0)

    def measured(self, texts: LayerTexts) -> list[MeasuredMean]:
        """What is gained against the rules by each mean, the layer alone first, on held-out texts."""
        rules: list[Tensor] = []
        counts: dict[Mean, list[Tensor]] = {mean: [] for mean in (ALONE, *WITH_RULES, *WITH_ENCODER)}
        tried = self.bundle.network.auxiliary is not None
        for fold, (learned, held) in enumerate(zip(texts.learned, texts.held_out, strict=True)):
            self.restart(self.bundle.network)
            rules.append(span_counts([self.bundle.network], held, True))
            fitted = self._fit(learned, str(fold))
            self._count(counts, (ALONE, *WITH_RULES), fitted, held)
            if tried:
                self._train(self.bundle.network, learned, 0, str(fold))
                self._count(counts, WITH_ENCODER, fitted, held)
                tried = fold > 0 or _gains(counts, rules)
        gains = _between(counts, rules)
        return gains if tried else [one for one in gains if not one.mean.encoder]

    def _count(
        self, counts: Mapping[Mean, list[Tensor]], means: Sequence[Mean], fitted: Fitted, held: TagExamples
    ) -> None:
        """Add the spans of held-out texts by the network as it is and the layer."""
        self._last = fitted, self._learned(self.bundle.network)
        layer = LayerOfNetworks(self.bundle)
        for mean in means:
            layer.take(fitted, mean.share)
            counts[mean].append(span_counts([self.bundle.network], held, False))
        layer.take(fitted, 0.0)

    def members(self, texts: LayerTexts, mean: Mean) -> tuple[FstRnn, ...]:
        """Fit layer and encoders to every text; the networks in addition to the bundle's own."""
        network = self.bundle.network
        last = self._last if texts.last_is_every else None
        self.restart(network)
        fitted = last[0] if last else self._fit(texts.every, EVERY)
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

    def _fit(self, texts: TagExamples, name: str) -> Fitted:
        """The layer for texts, as it was kept where it is finished."""
        part = f"layer{name}"
        kept = self.progress.finished(part)
        if kept is None:
            weights, chain = fitted_layer(self.bundle.network, self.layer, texts, partial(self.progress.passed, part))
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


def _gains(counts: Mapping[Mean, Sequence[Tensor]], rules: Sequence[Tensor]) -> bool:
    """Whether some mean with the encoder is better than the layer alone on the folds so far."""
    reached = {one.mean: one.gain.f1 for one in _between(counts, rules)}
    return max(f1 for mean, f1 in reached.items() if mean.encoder) > reached[ALONE]
