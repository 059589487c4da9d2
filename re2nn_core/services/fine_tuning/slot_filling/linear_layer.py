"""A linear layer over each word and its neighbours in addition to rules and network, where F1 of spans is higher on
texts that it was not fitted to.

It is fitted to what each network learns from and measured on what this one has not, as the layer for labels is
(classification/linear_layer.py); what is kept is fitted to all texts that are learned from. A share of
the scores is its own then, or all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from re2nn_core.network.slot_filling.bundle import TaggerBundle, with_tagger_config
from re2nn_core.network.slot_filling.crf import LinearChain
from re2nn_core.services.fine_tuning.slot_filling.linear_fit import Chain, Fitted, fitted_layer
from re2nn_core.services.fine_tuning.slot_filling.step_size import SpanStepSize, span_counts, step_between
from re2nn_core.services.fine_tuning.step import CERTAIN, advice_for_more, more_texts, most_certain
from re2nn_core.text.counting import counted
from re2nn_core.training.tagged_examples import TagExamples

SHARES = (1.0, 0.75, 0.5, 0.25)


@dataclass(frozen=True)
class TagLinearLayer:
    """The `share` of the layer, 0 where it is left out, and what F1 gains at it, or at the best one. `encoder`: whether
    the rest has an auxiliary encoder next to the rules; `in_context`: whether it reads words in their sentence."""

    share: float
    gain: SpanStepSize
    encoder: bool = True
    in_context: bool = False

    @property
    def in_words(self) -> str:
        """Sentences for the user."""
        texts = counted(self.gain.texts, "held-out text")
        gain = f"F1 changes by {100 * self.gain.gain:+.1f} on {texts} (standard error {100 * self.gain.error:.1f})"
        more = advice_for_more(more_texts(self.gain.gain, self.gain.error, self.gain.texts), "spans")
        if not self.share:
            return (
                f"A linear layer over words and rules is left out: {gain}, too little to be certain of a gain. {more}"
            )
        over = "words in context and rules" if self.in_context else "words and rules"
        if self.share == 1:
            return f"Predictions are those of a linear layer over {over}: {gain}."
        rest = "rules and auxiliary encoder" if self.encoder else "the rules"
        certain = "." if self.gain.certain(CERTAIN) > 0 else f", no certain loss. {more}"
        return (
            f"{self.share:.0%} of the scores are those of a linear layer over {over}, the rest those of "
            f"{rest}: {gain}{certain}"
        )


def choose_tag_linear_layer(
    bundle: TaggerBundle, learned: Sequence[TagExamples], held_out: Sequence[TagExamples], every: TagExamples
) -> tuple[TaggerBundle, TagLinearLayer | None]:
    """The bundle with a linear layer of the share that suits held-out texts best, or without one. `learned` and
    `held_out`: a share of the texts for each fold, or one for all networks together; `every`: what the kept layer is
    fitted to. Where each fold has a network of its own, that one is measured; else all networks together. None where
    there is nothing to measure it by."""
    if bundle.network.linear is None:
        return bundle, None
    if not any(map(len, held_out)):
        return without_layer(bundle), None
    fitted = [fitted_layer(bundle.network, bundle.network.linear, part) for part in learned]
    own = len(held_out) == len(bundle.networks) > 1
    networks = LayerOfNetworks(bundle)

    def counts(share: float) -> Tensor:
        """[held-out texts, 3]"""
        found = []
        for fold, (fit, part) in enumerate(zip(fitted, held_out, strict=True)):
            networks.take(fit, share)
            group = [bundle.networks[fold]] if own else bundle.networks
            found.append(span_counts(group, part, untrained=not (bundle.trained or share)))
        return torch.cat(found)

    without = counts(0.0)
    steps = [step_between(share, counts(share), without) for share in SHARES]
    best = most_certain(steps)
    if best is None:
        networks.take(fitted[0], 0.0)
        return without_layer(bundle), TagLinearLayer(0.0, steps[0])
    networks.take(fitted_layer(bundle.network, bundle.network.linear, every), best.share)
    kept = replace(bundle, trained=True, copies=() if best.share == 1 else bundle.copies)
    return with_tagger_config(kept, replace(kept.config, minimum_confidence=0.0)), TagLinearLayer(best.share, best)


class LayerOfNetworks:
    """Networks whose scores become those of a layer by a share."""

    def __init__(self, bundle: TaggerBundle) -> None:
        self.bundle = bundle
        self._chains = [_copied(network.chain) for network in bundle.networks if network.chain is not None]

    def take(self, fitted: Fitted, share: float) -> None:
        """Take the layer for a share of the scores; what it is unsure of is its own to say, without a minimum."""
        weights, chain = fitted
        config = self.bundle.config
        for network, before in zip(self.bundle.networks, self._chains, strict=True):
            network.config = replace(config, minimum_confidence=0.0) if share else config
            if network.linear is not None and network.chain is not None:
                network.linear.set_weights(weights, share)
                for name, value in network.chain.named_parameters():
                    value.data.copy_(before[name].lerp(chain[name].to(value.device), share))


def _copied(chain: LinearChain) -> Chain:
    return {name: value.detach().clone() for name, value in chain.named_parameters()}


def of_words(bundle: TaggerBundle) -> TaggerBundle:
    """The same networks, whose linear layer reads no words in context."""
    for network in bundle.networks:
        network.linear = None if network.linear is None else network.linear.of_words()
    return with_tagger_config(bundle, replace(bundle.config, linear_vectors="words"))


def without_layer(bundle: TaggerBundle) -> TaggerBundle:
    """The same networks without a linear layer."""
    for network in bundle.networks:
        network.linear = None
    return with_tagger_config(bundle, replace(bundle.config, linear=False, linear_vectors="words"))
