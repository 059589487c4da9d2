"""Figures of a training, before and after, under names that say what they are measured on.

    dev                           texts that are not used for training; they decide when to stop and what of it is kept
    out-of-fold                   the mean over folds of the labelled texts, each by a network not trained on it
    held-out fifth                every fifth training text, held out where there are no dev texts and no folds
    dev (used for suggesting)     the same, where the rules of the network were suggested from these texts
    dev (also used for training)  dev texts that the network was trained on, so that a good figure proves little
    test                          texts that had no part in anything

Only figures of one name can be compared with each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from re2nn_core.services.fine_tuning.training_plan import FEWEST, Split, choose_training_plan
from re2nn_core.services.prediction.precision import interval_in_words
from re2nn_core.services.rule_writing.suggested_rules import holds_suggested_rules
from re2nn_core.training.config import TrainConfig

DEV, HELD_OUT, LEARNED_FROM, TEST = "dev", "out-of-fold", "dev (also used for training)", "test"
HELD_OUT_FIFTH = "held-out fifth"
USED_FOR_SUGGESTING = "dev (used for suggesting)"
PROVE_LITTLE = (LEARNED_FROM, USED_FOR_SUGGESTING)
_FORMER = {"dev (out-of-fold)": HELD_OUT, "dev, held out": HELD_OUT, "dev, learned from": LEARNED_FROM}


def figure_today(name: str) -> str:
    """The name of a figure, which may be stored as in a former version."""
    return _FORMER.get(name, name)


def figure_on(measure: str, where: str) -> str:
    """`F1 on dev`, `out-of-fold F1, 40 texts`: *out-of-fold* says how a figure is measured, not on which texts."""
    return (
        f"{HELD_OUT} {measure}{where.removeprefix(HELD_OUT)}" if where.startswith(HELD_OUT) else f"{measure} on {where}"
    )


def measured_on(share: str, where: str) -> str:
    """`93.5% on dev`, `93.5% out-of-fold, 40 texts`."""
    return f"{share} {where}" if where.startswith(HELD_OUT) else f"{share} on {where}"


def dev_of_plan(in_words: str) -> str:
    """The name of the dev figure of a training, by its plan in words, which may be of a former version."""
    return HELD_OUT if any(name in in_words for name in (HELD_OUT, *_FORMER)) else DEV


@dataclass(frozen=True)
class FigurePair:
    """One figure of the untrained and of the trained network, on the same texts; None where it was not measured.
    `near_rules`: of the network that was brought near rules after that, which is the one that is kept. `texts`: how
    many were measured, None for a training from before this was kept. `spans`: of F1, as many independent spans as the
    untrained and the kept figure are worth (f1_interval.py), None where it is not known; None for shares of texts."""

    name: str
    untrained: float | None
    trained: float | None
    near_rules: float | None = None
    texts: int | None = None
    spans: tuple[float | None, float | None] | None = None

    @property
    def kept(self) -> float | None:
        """Of the network that is kept."""
        return self.trained if self.near_rules is None else self.near_rules

    @property
    def interval(self) -> str:
        """Where the kept figure lies on all texts of their kind, in words; empty where these texts do not tell."""
        count = self.texts if self.spans is None else self.spans[1]
        if self.kept is None or not count or self.name in PROVE_LITTLE:
            return ""
        return interval_in_words(self.kept, count)


def with_figures(pairs: Iterable[FigurePair]) -> tuple[FigurePair, ...]:
    """Those that say anything of a trained network."""
    return tuple(pair for pair in pairs if pair.kept is not None)


def held_out_name(rules_text: str, *, turns: bool) -> str:
    """What a figure on texts held out from training texts is called, for a network that begins as these rules: rules
    are suggested from training texts, which then are held out from the network alone. `turns`: all take turns at being
    held out; otherwise every fifth one is."""
    if holds_suggested_rules(rules_text):
        return USED_FOR_SUGGESTING
    return HELD_OUT if turns else HELD_OUT_FIFTH


def dev_name(split: Split, config: TrainConfig, rules_text: str = "") -> str:
    """What the dev figure of each epoch is called, for labels and a network that begins as these rules."""
    learned = len(split.train) >= FEWEST  # fewer are learned beside the rules' predictions, and take no turns
    turns = learned and choose_training_plan(config, split).turns
    return held_out_name(rules_text, turns=turns) if split.decided_by == "held out" or turns else DEV


IN_WORDS = {
    HELD_OUT: "the average over the labelled train and dev texts, each measured with a network not trained on it",
    HELD_OUT_FIFTH: "every fifth labelled train text, none of which is used for training",
    LEARNED_FROM: "these texts were also used for training, so a gain here proves little",
    USED_FOR_SUGGESTING: "the rules were suggested from these texts, so a gain here proves little",
}


def meanings_in_words(pairs: Iterable[FigurePair]) -> str:
    """What names other than dev and test mean; empty where there are none."""
    return "\n".join(f"{pair.name}: {IN_WORDS[pair.name]}." for pair in pairs if pair.name in IN_WORDS)


def with_layer_in_words(*, turns: bool) -> str:
    """What the figure of rules with a linear layer is of, where the epochs are of a trained network without it; the
    rest of a sentence that begins with the figure. `turns`: it is of all texts, the epochs of a fifth of them."""
    if turns:
        return (
            "is of your rules with the linear layer, in cross-validation of all labelled train texts; the epochs are "
            "of the network without it, on every fifth of these texts."
        )
    return "is of your rules with the linear layer; the epochs are of the network without it."


def rules_miss_nothing(result: Mapping[str, Any]) -> bool:
    """Whether the rules, before the training that left this, predicted every measured text correctly."""
    measured = (dev_of(result)[0], (result.get("zero_shot") or {}).get("test"))
    return {figure for figure in measured if figure is not None} == {1.0}


def dev_of(result: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """The dev figures of a run before and after its training, both of one kind, from what is kept of it. Of a network
    that was brought near rules after it took turns there is only one on texts that it has learned from; then both are
    of these."""
    before, after = (result.get("zero_shot") or {}).get("dev"), result.get("dev")
    for pair in result.get("figures") or ():
        if pair.get("near_rules") is not None and figure_today(pair["name"]) == LEARNED_FROM:
            return pair["untrained"], pair["near_rules"]
    return before, after
