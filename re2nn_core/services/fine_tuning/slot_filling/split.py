"""Which marked texts a tagger learns from, which are held out from it, and what decides when to stop."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from re2nn_core.network.configuration.setting_titles import setting_in_words
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.training_plan import HELD_OUT, epochs_in_words
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.counting import counted
from re2nn_core.training.config import TrainConfig

TINY_DEV = 200  # fewer dev texts than this choose an epoch by chance
_AUXILIARY = {"gru": "auxiliary encoder: GRU", "lstm": "auxiliary encoder: LSTM"}  # nothing of "none"
T = TypeVar("T")


@dataclass(frozen=True)
class SlotSplit:
    """The texts with spans. `held_out`: there was no dev, and every fifth training text was taken for it. `turns`:
    the training texts are dealt into so many shares, each held out from one copy; 0 where none is."""

    train: tuple[Example, ...]
    dev: tuple[Example, ...]
    test: tuple[Example, ...]
    held_out: bool = False
    turns: int = 0

    @property
    def marked(self) -> int:
        """The marked training texts, with those held out from them."""
        return len(self.train) + (len(self.dev) if self.held_out else 0)


def split_slots(corpus: Corpus) -> SlotSplit:
    """Train (or unsplit), dev and test texts that somebody has marked and that hold a word."""
    marked = [example for example in corpus if example.spans is not None and example.text.strip()]
    train = tuple(example for example in marked if example.split in ("train", None))
    dev = tuple(example for example in marked if example.split == "dev")
    test = tuple(example for example in marked if example.split == "test")
    if dev or len(train) < 2 * HELD_OUT:
        return SlotSplit(train, dev, test)
    kept = tuple(example for place, example in enumerate(train) if place % HELD_OUT != HELD_OUT - 1)
    return SlotSplit(kept, train[HELD_OUT - 1 :: HELD_OUT], test, held_out=True)


def learned_split(split: SlotSplit, config: TaggerConfig, train: TrainConfig) -> SlotSplit:
    """The texts used for training. Where the auxiliary encoder is detached and there are few dev texts, these are used
    too: in cross-validation, and the out-of-fold predictions choose the minimum confidence."""
    if dev_decides(split, config):
        return split
    every = (*split.train, *split.dev)
    if layer_decides(config):
        return SlotSplit(every, (), split.test, turns=min(HELD_OUT, len(every)))
    if train.copies > 1:
        return SlotSplit(every, (), split.test, turns=max(2, min(train.copies, len(every))))
    return SlotSplit(every, (), split.test) if split.held_out else split


def layer_decides(config: TaggerConfig) -> bool:
    """Whether rules stay as they are, and a linear layer is fitted with an auxiliary encoder next to it
    (layer_and_encoder.py)."""
    added = config.linear and config.decoding == "crf"
    return added and not config.detached and not config.tune_encoder


def dev_decides(split: SlotSplit, config: TaggerConfig) -> bool:
    """Whether dev texts choose the epoch. A few of them would choose by chance; where the rules cannot be spoiled, the
    last epoch is taken then."""
    return not (config.detached or layer_decides(config)) or len(split.dev) >= TINY_DEV


def may_have_layer(config: TaggerConfig) -> bool:
    """Whether a linear layer may predict in the place of a network that is trained by these settings."""
    return config.linear and config.decoding == "softmax" and config.auxiliary == "none" and config.is_exact


def texts_of_layer(split: SlotSplit) -> SlotSplit:
    """The layer is measured on the dev texts, or by cross-validation of all others."""
    if split.dev and not split.held_out:
        return split
    every = (*split.train, *split.dev)
    return SlotSplit(every, (), split.test, turns=min(HELD_OUT, len(every)))


def shares_of(texts: Sequence[T], turns: int, seed: int) -> list[tuple[list[T], list[T]]]:
    """For each copy what it learns from, and its own share, which is held out from it."""
    pool = list(texts)
    random.Random(seed).shuffle(pool)
    shares = [pool[number::turns] for number in range(turns)]
    return [
        ([text for other, share in enumerate(shares) if other != number for text in share], shares[number])
        for number in range(turns)
    ]


def plan_in_words(split: SlotSplit, train: TrainConfig, config: TaggerConfig) -> str:
    """What is trained from what, and what decides when to stop, in sentences."""
    plan = network_plan_in_words(split, train, config)
    return f"{plan}{_layer(split, learned_split(split, config, train), config)}"


def network_plan_in_words(split: SlotSplit, train: TrainConfig, config: TaggerConfig) -> str:
    """The same without the linear layer that may predict in the place of the network."""
    learned = learned_split(split, config, train)
    texts = counted(len(learned.train), "training text")
    if learned.turns and split.dev and not split.held_out:
        texts = f"{counted(len(learned.train), 'training text')}, including those of dev"
    if layer_decides(config):
        auxiliary = ", ".join(["rules as they are", *_auxiliary(config)])
        return f"{texts}; {_chosen_on(learned)}; {auxiliary}."
    plan = "; ".join([texts, _stopping(learned, train, config), *_auxiliary(config)])
    return f"{plan}.{_copies(learned, train)}"


def _auxiliary(config: TaggerConfig) -> list[str]:
    """What there is of an auxiliary encoder."""
    if config.auxiliary == "none":
        return []
    return [_AUXILIARY[config.auxiliary] + (", trained separately and added to the rules" if config.detached else "")]


def _layer(split: SlotSplit, learned: SlotSplit, config: TaggerConfig) -> str:
    """Whether a linear layer predicts in the place of the network, and by which texts."""
    if not config.linear or config.decoding == "crf":
        return ""
    if not may_have_layer(config):
        return (
            f" No linear layer is fitted: it needs {setting_in_words('decoding', 'crf')}, or a network without an "
            "auxiliary encoder that begins as an exact copy of its rules."
        )
    texts = texts_of_layer(learned)
    every = f"{texts.turns}-fold cross-validation of {counted(len(texts.train), 'text')}"
    where = f"in {every}" if texts.turns else f"on {counted(len(split.dev), 'dev text')}"
    return (
        " A linear layer over words is fitted, too: it predicts, with the rules as they are, if it is better than the "
        f"trained network {where}. That network is then kept to be reconstructed."
    )


def _chosen_on(learned: SlotSplit) -> str:
    """What decides how much layer and auxiliary encoder count."""
    if learned.turns:
        return f"{learned.turns}-fold cross-validation chooses the shares"
    texts = counted(len(learned.dev), "held-out text" if learned.held_out else "dev text")
    return f"{texts} {'chooses' if len(learned.dev) == 1 else 'choose'} the shares"


def _stopping(learned: SlotSplit, train: TrainConfig, config: TaggerConfig) -> str:
    if not dev_decides(learned, config):
        return f"{epochs_in_words(train.epochs)}, since few dev texts would choose by chance"
    if learned.held_out:
        return f"every fifth annotated text is held-out and decides when to stop ({len(learned.dev):,})"
    return f"{len(learned.dev):,} dev {'text decides' if len(learned.dev) == 1 else 'texts decide'} when to stop"


def _copies(learned: SlotSplit, train: TrainConfig) -> str:
    if learned.turns:
        return f" {learned.turns}-fold cross-validation to choose the minimum confidence."
    return "" if train.copies <= 1 else f" {train.copies} ensemble members."
