"""How a network is trained."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch

from re2nn_core.errors import InputError
from re2nn_core.network.configuration.recurrence import check_choice, check_setting

DEVICES = ("auto", "cuda", "mps", "cpu")
MOST_COPIES = 20


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """epochs           passes over the examples, at most
    batch_size       texts in one batch
    learning_rate    of transitions, start and final weights (Adam)
    embedding_learning_rate
                     of the map from word vectors to transitions, G
    head_learning_rate
                     of the state head, the bias and trained aggregation layers; of a tagger's auxiliary encoder
                     and chain
    encoder_learning_rate
                     of the sentence encoder, where it is trained too
    auxiliary_learning_rate
                     of a classifier's auxiliary encoder
    decay            all rates are multiplied by this after each epoch; 1 keeps them
    patience         epochs without improvement on dev before training stops; in a cross-validation of rules alone, a
                     quarter of them once nearly all texts are learned
    l2_to_initial    L2 pull to the rules: weight of the squared distance from the initial weights
    copies           number of ensemble members. 0: five, in cross-validation, where examples and dev texts are few;
                     else one, or three where predictions are averaged
    average          weights: one network with the mean weights of the members. predictions: all members are kept and
                     predict together, which is more accurate and as many times slower
    unlabelled       weight of an unlabelled text with a prediction of the rules (self-training); a labelled text
                     has 1, and 0 leaves unlabelled texts out. Texts that no rule matches weigh no more than the others
                     together
    faithful         True: rules are reconstructed from the trained network, and training continues close to their
                     network, so that the reconstruction matches the final network; accuracy is usually lower
    seed             of batch order and dropout
    device           auto takes a CUDA GPU, then Apple's, then the CPU
    threads          CPU threads. The matrices are small: one thread is as fast as two on an idle computer, and much
                     faster on a busy one. 0: torch's default
    """

    epochs: int = 60
    batch_size: int = 64
    learning_rate: float = 1e-3
    embedding_learning_rate: float = 5e-3
    head_learning_rate: float = 5e-3
    encoder_learning_rate: float = 5e-5
    auxiliary_learning_rate: float = 2e-3
    decay: float = 1.0
    patience: int = 12
    l2_to_initial: float = 0.0
    copies: int = 0
    average: Literal["weights", "predictions"] = "weights"
    unlabelled: float = 0.0
    faithful: bool = False
    seed: int = 0
    device: str = "auto"
    threads: int = 1

    def __post_init__(self) -> None:
        for name in ("epochs", "batch_size", "patience"):
            check_setting(getattr(self, name) >= 1, name, "at least 1", getattr(self, name))
        check_setting(0 <= self.copies <= MOST_COPIES, "members", f"from 0 to {MOST_COPIES}", self.copies)
        check_setting(0 < self.decay <= 1, "decay", "above 0 and at most 1", self.decay)
        check_choice(self, "average", ("weights", "predictions"))
        for name in (
            "learning_rate",
            "embedding_learning_rate",
            "head_learning_rate",
            "encoder_learning_rate",
            "auxiliary_learning_rate",
            "l2_to_initial",
            "unlabelled",
        ):
            check_setting(0 <= getattr(self, name) < math.inf, name, "0 or more", getattr(self, name))
        check_setting(self.device in DEVICES, "device", f"one of {', '.join(DEVICES)}", self.device)


def available_devices() -> tuple[str, ...]:
    """The devices that this machine has, the quickest first."""
    found = ["cpu"]
    if torch.backends.mps.is_available():
        found.insert(0, "mps")
    if torch.cuda.is_available():
        found.insert(0, "cuda")
    return tuple(found)


def resolve_device(name: str) -> torch.device:
    """The device of a name; InputError where this machine has none of that kind."""
    present = available_devices()
    if name == "auto":
        return torch.device(present[0])
    if name not in present:
        raise InputError(
            f"device {name!r} is not on this machine, which has: {', '.join(present)}. Choose one of these, or auto."
        )
    return torch.device(name)
