"""Figures of a training, before and after, under names that say what they are measured on.

    dev                 texts that the network has never learned from; they only decided when to stop
    dev, held out       the mean over shares of the labelled texts, each one by a network that has not learned it
    dev, learned from   dev texts that the network has learned from: it should be right there, and that proves little
    test                texts that had no part in anything

Only figures of one name can be compared with each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from re2nn_core.services.fine_tuning.training_plan import FEWEST, Split, choose_training_plan
from re2nn_core.training.config import TrainConfig

DEV, HELD_OUT, LEARNED_FROM, TEST = "dev", "dev, held out", "dev, learned from", "test"


@dataclass(frozen=True)
class FigurePair:
    """One figure of the untrained and of the trained network, on the same texts; None where it was not measured.
    `near_rules`: of the network that was brought near rules after that, which is the one that is kept."""

    name: str
    untrained: float | None
    trained: float | None
    near_rules: float | None = None

    @property
    def kept(self) -> float | None:
        """Of the network that is kept."""
        return self.trained if self.near_rules is None else self.near_rules


def with_figures(pairs: Iterable[FigurePair]) -> tuple[FigurePair, ...]:
    """Those that say anything of a trained network."""
    return tuple(pair for pair in pairs if pair.kept is not None)


def dev_name(split: Split, config: TrainConfig) -> str:
    """What the dev figure of each epoch is called, for labels."""
    learned = len(split.train) >= FEWEST  # fewer are learned beside the rules' answers, and take no turns
    turns = learned and choose_training_plan(config, split).turns
    return HELD_OUT if split.decided_by == "held out" or turns else DEV


_MEANS = {
    HELD_OUT: "is the mean over shares of the labelled texts, each measured without having learned from it",
    LEARNED_FROM: "is of texts that the network has learned from, so that a gain there proves little",
}


def names_in_words(pairs: Iterable[FigurePair]) -> str:
    """What names other than dev and test mean; empty where there are none."""
    told = [f"'{pair.name}' {_MEANS[pair.name]}" for pair in pairs if pair.name in _MEANS]
    return f"{'; '.join(told)}." if told else ""


def dev_of(result: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """The dev figures of a run before and after its training, both of one kind, from what is kept of it. Of a network
    that was brought near rules after it took turns there is only one on texts that it has learned from; then both are
    of these."""
    before, after = (result.get("zero_shot") or {}).get("dev"), result.get("dev")
    for pair in result.get("figures") or ():
        if pair.get("near_rules") is not None and pair["name"] == LEARNED_FROM:
            return pair["untrained"], pair["near_rules"]
    return before, after
