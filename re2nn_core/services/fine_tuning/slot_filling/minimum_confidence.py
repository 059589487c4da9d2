"""How sure an auxiliary encoder that has learned apart must be, so that it adds no more to what the rules say than
helps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from re2nn_core.network.slot_filling.bundle import TaggerBundle, with_tagger_config
from re2nn_core.network.slot_filling.predict import run_taggers
from re2nn_core.training.span_scores import span_scores
from re2nn_core.training.tagged_examples import TagExamples

MINIMUM_CONFIDENCES = (0.5, 0.6, 0.7, 0.8, 0.9)


def choose_minimum_confidence(
    bundle: TaggerBundle, held_out: Sequence[TagExamples]
) -> tuple[TaggerBundle, float | None]:
    """Where the auxiliary encoder is detached: the bundle with the minimum confidence that does best on texts held out,
    the greatest of equals, so that what helps nothing adds little; and the F1 that it reaches. `held_out`: dev, on
    which all networks predict together, or for each network its own share. Otherwise the bundle as it is."""
    apart_from_it = len(held_out) in (1, len(bundle.networks))  # one mean network has learned from every share
    if not bundle.config.detached or not apart_from_it or not any(map(len, held_out)):
        return bundle, None
    tried = []
    for minimum in sorted({bundle.config.minimum_confidence, *MINIMUM_CONFIDENCES}):
        candidate = with_tagger_config(bundle, replace(bundle.config, minimum_confidence=minimum))
        tried.append((_measured(candidate, held_out), candidate))
    best, chosen = max(reversed(tried), key=lambda pair: pair[0])
    return with_tagger_config(chosen, chosen.config), best


def _measured(bundle: TaggerBundle, held_out: Sequence[TagExamples]) -> float:
    if len(held_out) == 1:
        return held_out[0].measure(bundle.networks)[0]
    gold: list[Sequence[str]] = []
    predictions: list[Sequence[str]] = []
    for network, share in zip(bundle.networks, held_out, strict=True):
        gold += share.tags
        found = run_taggers([network], share.codes, context=share.context, with_confidences=False)
        predictions += [prediction.tags for prediction in found]
    return span_scores(gold, predictions).f1
