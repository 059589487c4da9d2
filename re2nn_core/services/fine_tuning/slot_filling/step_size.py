"""How far training moves from the rules: as far as held-out texts confirm by the F1 of their spans, or not at all
(step.py).

F1 is a ratio of two sums over texts, 2 right / (found + there). Taken at the rules' F1, the difference of two such
ratios is a sum of what each text adds to it (linearisation of a ratio; Cochran, Sampling Techniques, 1977, chapter
6). Its standard error counts, as for labels, the texts alone that differ: with a span a text it is that of McNemar,
and a single text is never certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from re2nn_core.network.slot_filling.bundle import TaggerBundle, with_tagger_config
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.services.fine_tuning.step import SHARES, Way, advice_for_more, more_texts, most_certain
from re2nn_core.services.prediction.f1_interval import spans_worth
from re2nn_core.text.counting import counted
from re2nn_core.training.loop import TrainResult
from re2nn_core.training.span_scores import TagSequences, scores_of_counts, spans_in
from re2nn_core.training.tagged_examples import TagExamples


@dataclass(frozen=True)
class SpanStepSize:
    """`share` of the way from the rules to the trained weights, 0 for the rules. On the `texts` that the networks have
    not learned from, F1 of spans (a share of 1) is so much higher than the rules', with a standard `error`, at this
    step, or at the full one where the rules are kept; `f1`: there, of what is kept. `worth`: as many independent spans
    as the F1 of the rules and of what is kept are worth (f1_interval.py)."""

    share: float
    gain: float
    error: float
    texts: int
    f1: float
    worth: tuple[float | None, float | None] = (None, None)

    @property
    def in_words(self) -> str:
        """Sentences for the user."""
        texts = counted(self.texts, "held-out text")
        gain = f"F1 changes by {100 * self.gain:+.1f} on {texts} (standard error {100 * self.error:.1f})"
        if not self.share:
            return (
                f"The network stays equal to the rules: with the trained one {gain}, which is too little to be certain "
                "of a gain. "
                f"{advice_for_more(more_texts(self.gain, self.error, self.texts), 'spans')}"
            )
        if self.share == 1:
            return f"Against the rules, {gain}."
        return f"Weights are {self.share:.0%} of the way from the rules to the trained ones, where {gain}."

    def certain(self, errors: float) -> float:
        """F1 gained, less so many standard errors."""
        return self.gain - errors * self.error


def choose_span_step_size(
    bundle: TaggerBundle, started: TaggerBundle, result: TrainResult[FstRnn], held_out: Sequence[TagExamples]
) -> tuple[TaggerBundle, SpanStepSize | None]:
    """The trained networks of a bundle at the step that held-out texts confirm. `started`: as training began;
    `held_out`: a share for each member of the training, which has not learned from it, or one for all networks
    together. Where the step is 0, the bundle has the rules' network alone. The bundle as it is and None where there is
    no held-out text. An auxiliary encoder that learns apart leaves the rules as they are: it is kept whole or not at
    all."""
    if not any(map(len, held_out)):
        return bundle, None
    way = Way(bundle.networks, result)

    def counts(share: float) -> Tensor:
        """[held-out texts, 3]"""
        return torch.cat(way.on_held_out(share, held_out, span_counts))

    rules = counts(0.0)
    steps = [step_between(share, counts(share), rules) for share in (SHARES[:1] if bundle.config.detached else SHARES)]
    best = most_certain(steps) or replace(steps[0], share=0.0, f1=_f1(rules), worth=(steps[0].worth[0],) * 2)
    way.go(best.share)
    if best.share:
        return bundle, best
    return with_tagger_config(replace(bundle, copies=(), trained=False), started.config), best


def span_counts(networks: Sequence[FstRnn], texts: TagExamples, untrained: bool) -> Tensor:
    """[texts, 3]: the spans of each text that are right, that are found and that there are."""
    return counts_of_tags(texts.predicted(networks, untrained=untrained) if len(texts) else [], texts.tags)


def counts_of_tags(found: TagSequences, gold: TagSequences) -> Tensor:
    """[texts, 3]: the same of predicted and annotated tags."""
    pairs = [(spans_in(tags), spans_in(own)) for tags, own in zip(found, gold, strict=True)]
    counts = [(len(given & there), len(given), len(there)) for given, there in pairs]
    return torch.tensor(counts, dtype=torch.float64).reshape(len(counts), 3)


def step_between(share: float, counts: Tensor, rules: Tensor) -> SpanStepSize:
    """What a model gains against the rules by the counts of both [held-out texts, 3], of `span_counts`."""
    level = _f1(rules)
    added = (_beyond(counts, level) - _beyond(rules, level)) / max(1.0, float(counts[:, 1:].sum()))  # [held-out texts]
    gain, error = float(added.sum()), float((added**2).sum().sqrt())
    return SpanStepSize(share, gain, error, len(counts), _f1(counts), (worth_of(rules), worth_of(counts)))


def worth_of(counts: Tensor) -> float | None:
    """As many independent spans as tell as much of F1; of counts [texts, 3], of `span_counts`. None without a span."""
    return spans_worth(counts[:, 0].numpy(), counts[:, 1:].sum(dim=1).numpy())


def _beyond(counts: Tensor, level: float) -> Tensor:
    """[texts]: how far each is from an F1, in spans; of counts [texts, 3]."""
    return 2 * counts[:, 0] - level * counts[:, 1:].sum(dim=1)


def _f1(counts: Tensor) -> float:
    right, found, there = map(int, counts.sum(dim=0).tolist())
    return scores_of_counts(there, found, right).f1
