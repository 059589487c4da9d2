"""How good copies are that learn as one (member_stack.py): all of them are measured by one run after each epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from re2nn_core.network.classification.members import Members
from re2nn_core.network.recurrence.batching import longest_first
from re2nn_core.network.recurrence.member_batch import MemberBatch, member_batch, padded_texts
from re2nn_core.training.examples import EncodedExamples, accuracy_and_loss_of_logits

MOST = 512  # texts of a copy; more are as quickly measured one copy after the other
Parts = Sequence[tuple[EncodedExamples, EncodedExamples]]  # of each copy what it learns from, and its dev


@dataclass(frozen=True)
class Measures:
    """Of each copy its accuracy on training texts, and accuracy and mean loss on its dev; and accuracy and loss on the
    first one's dev of all copies together."""

    each: Sequence[tuple[float, float, float]]
    together: tuple[float, float]


@dataclass(frozen=True, eq=False)
class MemberMeasures:
    """What copies are measured on: `texts` and `dev` of each, as one batch; `places`: of each copy, where its texts
    stand in the batch, and behind them those of dev."""

    texts: Sequence[EncodedExamples]
    dev: Sequence[EncodedExamples]
    batch: MemberBatch
    places: Sequence[Tensor]

    def of(self, members: Members, parameters: Mapping[str, Tensor], *, untrained: bool) -> Measures:
        """The measures of copies with these parameters (Members); `untrained` as for `accuracy_and_loss`."""
        network = members.first
        network.eval()
        with torch.no_grad():
            rows = members.logits(parameters, self.batch)
        logits = [own[places] for own, places in zip(rows, self.places, strict=True)]
        each, on_dev = [], []
        for found, texts, dev in zip(logits, self.texts, self.dev, strict=True):
            learned, held = found[: len(texts)], found[len(texts) :]
            accuracy, _ = accuracy_and_loss_of_logits(network, [learned], texts, untrained=untrained)
            each.append((accuracy, *accuracy_and_loss_of_logits(network, [held], dev, untrained=untrained)))
            on_dev.append(held)
        same = all(dev is self.dev[0] for dev in self.dev)
        dev_of_all = on_dev if same else on_dev[:1]
        return Measures(each, accuracy_and_loss_of_logits(network, dev_of_all, self.dev[0], untrained=untrained))


def member_measures(parts: Parts, vocabulary: int) -> MemberMeasures | None:
    """What measures copies of these parts; None where these have more texts than are measured at once, or none."""
    texts, dev = [train.those_measured() for train, _ in parts], [held for _, held in parts]
    joined = [[*own.codes, *held.codes] for own, held in zip(texts, dev, strict=True)]
    if not all(0 < len(codes) <= MOST for codes in joined):
        return None
    contexts = [
        None if own.context is None else [*own.context, *(held.context or ())]
        for own, held in zip(texts, dev, strict=True)
    ]
    orders = [longest_first(codes, range(len(codes))) for codes in joined]
    padded = [padded_texts(codes, context) for codes, context in zip(joined, contexts, strict=True)]
    places = [torch.tensor(order).argsort() for order in orders]
    return MemberMeasures(texts, dev, member_batch(padded, orders, vocabulary), places)
