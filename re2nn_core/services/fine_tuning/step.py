"""The way from the rules to the trained weights, and how much of it held-out texts confirm.

The epoch that is best on held-out texts is the luckiest of many, and with few texts luck is all that there may be. So
what a training gains on these texts against the rules, measured text by text, must be larger than its standard error.
Weights on the way are candidates too; where the trained ones show no such gain, these must show one of twice the error,
because they are further tries. So must all of a further training (classification/learning.py). Confirmed by one error
it hurt where texts are few: dev against the rules, interpretable, means of four draws of 50 ATIS texts -0.3, now +0.1;
of 20 TREC texts 0.0, now +0.5. Of 20 to 200 texts of SMS and TREC the means are otherwise the same (+0.6 to +4.6).

For labels, of a step that few texts confirm only a part is taken (`confirmed_share`): the fewer texts, the larger a
share of them a whole step must fix (tests/benchmarks/records/few_texts.md has what it gains and costs).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from torch import Tensor

from re2nn_core.services.prediction.precision import at_this_rate
from re2nn_core.training.examples import Taught
from re2nn_core.training.loop import TrainResult

SHARES = (1.0, 0.75, 0.5, 0.25)  # of the way from the rules to the trained weights; of equal ones the first is taken
CERTAIN = 1.0  # standard errors that the gain must exceed
NEARLY = 0.9  # of a step; so much of it is all of it
CERTAIN_FURTHER = 2.0  # the same of a further try: a part of the way where all of it is not certain, another training
_ROUNDING = 1e-6  # of a number of texts
Examples = TypeVar("Examples")
Measured = TypeVar("Measured")


class Gain(Protocol):
    """What a candidate gains against the rules."""

    def certain(self, errors: float) -> float:
        """The gain less so many of its standard errors."""


AnyGain = TypeVar("AnyGain", bound=Gain)


def most_certain(gains: Sequence[AnyGain], *, further: bool = False) -> AnyGain | None:
    """The candidate whose gain is the most certain, None where none is. `gains`: that of all the way is the first.
    `further`: another training showed no certain gain on the same texts."""
    errors = CERTAIN if not further and gains[0].certain(CERTAIN) > 0 else CERTAIN_FURTHER
    best = max(gains, key=lambda gain: gain.certain(errors))
    return best if best.certain(errors) > 0 else None


def confirmed_share(gain: float, error: float) -> float:
    """How much of a step to take whose gain is so large against its standard error: 1 - (error / gain)² / 2, but not
    less than 0. That is the mean of all of it and of what an estimate shrunk to zero leaves (James and Stein, Fourth
    Berkeley Symposium 1, 1961): half of it where the gain is one error, three quarters for two texts fixed and none
    broken."""
    return max(0.0, 1 - (error / gain) ** 2 / 2) if gain > 0 else 0.0


def more_texts(gain: float, error: float, texts: int) -> int | None:
    """How many more held-out texts would show a gain that is too small against its standard error on so many; None
    where nothing is gained. With the texts a gain in texts grows as their number does, and its error as the root of it.
    Rounded up to two digits."""
    if gain <= 0:
        return None
    errors = CERTAIN if gain <= CERTAIN * error else CERTAIN_FURTHER
    more = math.floor(texts * ((errors * error / gain) ** 2 - 1) + _ROUNDING) + 1
    if more <= 0:
        return None
    digits = 10 ** max(0, len(str(more)) - 2)
    return -(-more // digits) * digits


def advice_for_more(more: int | None, what: str) -> str:
    """What to do where nothing is certain. `what`: where rules are missing."""
    if more is None:
        return f"Annotate more texts, or write rules for the {what} that are missed."
    return f"{at_this_rate(more)}; or write rules for the {what} that are missed."


class Way(Generic[Taught]):
    """The way of trained networks back to the rules that all of them began with; `networks` are moved on it."""

    def __init__(self, networks: Sequence[Taught], result: TrainResult[Taught]) -> None:
        self.networks, self.result = networks, result
        self._trained = [_parameters(network, result.initial) for network in networks]

    def on_held_out(
        self,
        share: float,
        held_out: Sequence[Examples],
        measure: Callable[[Sequence[Taught], Examples, bool], Measured],
    ) -> list[Measured]:
        """What is measured at a share of the way. `held_out`: a share of the texts for each member of the training,
        which has not learned from it, or one for all networks together; `measure`: of networks on texts, and whether
        they are the rules."""
        together = len(held_out) == 1
        groups: list[Sequence[Mapping[str, Tensor]]] = (
            [self._trained] if together else [[member] for member in self.result.members]
        )
        networks = self.networks if together else self.networks[:1]
        found = []
        for group, own in zip(groups, held_out, strict=True):
            for network, parameters in zip(networks, group, strict=True):
                _move(network, self.result.initial, parameters, share)
            found.append(measure(networks, own, not share))
        return found

    def go(self, share: float) -> None:
        """Give all networks the weights at a share of the way."""
        for network, parameters in zip(self.networks, self._trained, strict=True):
            _move(network, self.result.initial, parameters, share)


def _parameters(network: Taught, named: Mapping[str, Tensor]) -> dict[str, Tensor]:
    own = dict(network.named_parameters())
    return {name: own[name].detach().clone() for name in named}


def _move(network: Taught, initial: Mapping[str, Tensor], trained: Mapping[str, Tensor], share: float) -> None:
    """Weights so far on the way from the initial to the trained ones."""
    between = {name: value.lerp(trained[name].to(value.device), share) for name, value in initial.items()}
    network.load_state_dict(between, strict=False)
    network.eval()
