"""The settings that classifiers and taggers share: those of the recurrence and of the auxiliary encoder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from re2nn_core.errors import InputError

CONTEXT = "context"  # word vectors that depend on the sentence


@dataclass(frozen=True, kw_only=True)
class RecurrenceConfig:
    """vectors         word vectors: auto (encoder if installed, else builtin), none, builtin, encoder, a file, or
                    context (the encoder's vector of each word in its sentence)
    cell            rnn (equation 5; for slots equations 1 and 2) or gru: update and reset gates (equation 7; for slots
                    in both directions, appendix D), open at the start
    rank            None: exact factors. A number: factors of that rank by alternating least squares, for comparison
    rule_weight     None: word vectors are added through a map that starts at zero, which keeps equality. A share, the
                    papers' beta (equation 6) or eta (for slots, equations 3 and 4):
                    z = weight v + (1 - weight) u G with G from the pseudo-inverse
    initial         rules, or random weights of the same shapes, for comparison
    extra_states    additional states without transitions, which training may connect (K' in the paper)
    block_diagonal  True: transitions are learned within each automaton only, as reconstruction needs
    train_words     True: the word factors E_R are trained too (the papers keep them fixed)
    train_wildcard  False: the transitions of the wildcard are not trained
    train_ends      False: start and final weights are not trained
    auxiliary       none, or an ordinary encoder that is trained in addition to the rules; its scores start at zero and
                    are added to the logits
    auxiliary_states
                    its states in each direction
    logit_scale     scores of the rules count this much in the logits; too small a scale collapses to the largest class
    dropout         share of word-vector entries dropped in training, of a word the same throughout a batch (of its
                    vectors in context, each time others)
    clamp_gradient_slope
                    gradient outside [0, 1], where states are clamped
    seed            of random weights
    """

    vectors: str = "auto"
    cell: Literal["rnn", "gru"] = "rnn"
    rank: int | None = None
    rule_weight: float | None = None
    initial: Literal["rules", "random"] = "rules"
    extra_states: int = 0
    block_diagonal: bool = True
    train_words: bool = False
    train_wildcard: bool = True
    train_ends: bool = True
    auxiliary: str = "none"
    auxiliary_states: int = 150
    logit_scale: float = 8.0
    dropout: float = 0.2
    clamp_gradient_slope: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice(self, "cell", ("rnn", "gru"))
        check_choice(self, "initial", ("rules", "random"))
        weight, slope = self.rule_weight, self.clamp_gradient_slope
        check_setting(weight is None or 0 <= weight <= 1, "rule_weight", "from 0 to 1, or none", weight)
        check_setting(self.rank is None or self.rank >= 1, "rank", "1 or more, or none for exact factors", self.rank)
        check_setting(self.extra_states >= 0, "extra_states", "0 or more", self.extra_states)
        check_setting(self.auxiliary_states >= 1, "auxiliary_states", "1 or more", self.auxiliary_states)
        check_setting(self.logit_scale > 0, "logit_scale", "above 0", self.logit_scale)
        check_setting(0 <= self.dropout < 1, "dropout", "from 0 to below 1", self.dropout)
        check_setting(0 <= slope <= 1, "clamp_gradient_slope", "from 0 to 1", slope)


def check_setting(fine: bool, name: str, expected: str, given: object) -> None:
    """InputError for a setting that is not fine."""
    if not fine:
        raise InputError(f"{name} must be {expected} (got {given!r})")


def check_choice(config: object, name: str, choices: tuple[str, ...]) -> None:
    """InputError for a setting that is none of its choices."""
    given = getattr(config, name)
    check_setting(given in choices, name, " or ".join(map(repr, choices)), given)
