"""What a network is made of. The defaults are those that `learning` runs on dev found stable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from re2nn_core.errors import InputError

BESIDE = ("rnn", "gru", "lstm", "birnn", "bigru", "bilstm")  # ordinary readers beside the rules
CONTEXT = "context"  # word vectors that depend on the sentence


@dataclass(frozen=True, kw_only=True)
class NetworkConfig:
    """machines        one machine a rule (readable back rule by rule) or one a label (smaller, as published)
    vectors         word vectors: auto (encoder if installed, else builtin), none, builtin, encoder, a file, or context
                    (the encoder's vector of each word in its sentence)
    cell            rnn (equation 5) or gru: update and reset gates (equation 7), open at the start
    bidirectional   a second reader runs the reversed rules from the right, scores are averaged
    scoring         forward (sums over paths) or viterbi (the best path)
    decomposed      False: one weight for each word and arc instead of factors (section 3.1); no word vectors
    rank            None: exact factors. A number: factors of that rank by alternating least squares, for comparison
    normalise       True: factors scaled to equal average norms (the paper's appendix B); the tensor stays
    beta            None: word vectors are added through a map that starts at zero, which keeps equality.
                    A share: z = beta v + (1 - beta) u G with G from the pseudo-inverse (equation 6)
    initial         rules, or random weights of the same shapes, for comparison
    extra_states    states without arcs that training may connect (K' in the paper); they start silent
    keep_blocks     True: arcs are learned inside each machine only, which is what makes reading back work
    train_words     True: the word factors E_R are trained too (the paper keeps them fixed)
    train_wildcard  False: the wildcard's arcs stay as they are
    train_ends      False: start and final weights stay as they are
    state_head      True: labels may also be read off all last states, by weights that start at zero
    aggregation     logic: the labels' formulas as written, by clamped sums. layers: the same in normal form as two
                    linear layers, clauses and labels, at most 10,000 clauses (the paper's MLP, section 3.5)
    aggregation_activation
                    layers only. False: nothing is clamped between and after the layers, which is one linear map and
                    only approximates the rules: a label counts its rules that accept, where any should do
                    (with one machine a label it has but one to count)
    train_aggregation
                    layers only. True: the layers' weights are trained, at the rate of the head; False: they stay
    logit_scale     logits are label scores times this; too small a scale collapses to the largest class
    dropout         share of word-vector entries dropped in training, of a word the same throughout a batch (of its
                    vectors in context, each time others)
    leak            gradient outside [0, 1], where states are clamped
    beside          none, or an ordinary reader beside the rules that learns by itself: rnn, gru, lstm, birnn, bigru or
                    bilstm. What it says is added to the logits; without word vectors there is none
    beside_states   its states in each direction
    beside_share    how much it counts. Training begins with this, and takes 0, 0.25, 0.5 or 1 in its place where that
                    suits texts held out better (services/beside_share.py)
    seed            of the extra states' random weights, and of the reader beside
    """

    machines: Literal["rule", "label"] = "rule"
    vectors: str = "auto"
    cell: Literal["rnn", "gru"] = "rnn"
    bidirectional: bool = False
    scoring: Literal["forward", "viterbi"] = "forward"
    decomposed: bool = True
    rank: int | None = None
    normalise: bool = False
    beta: float | None = None
    initial: Literal["rules", "random"] = "rules"
    extra_states: int = 0
    keep_blocks: bool = True
    train_words: bool = False
    train_wildcard: bool = True
    train_ends: bool = True
    state_head: bool = True
    aggregation: Literal["logic", "layers"] = "logic"
    aggregation_activation: bool = True
    train_aggregation: bool = False
    logit_scale: float = 8.0
    dropout: float = 0.2
    leak: float = 0.1
    beside: Literal["none", "rnn", "gru", "lstm", "birnn", "bigru", "bilstm"] = "none"
    beside_states: int = 150
    beside_share: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_setting(self.machines in ("rule", "label"), "machines", "'rule' or 'label'", self.machines)
        check_setting(self.cell in ("rnn", "gru"), "cell", "'rnn' or 'gru'", self.cell)
        check_setting(self.scoring in ("forward", "viterbi"), "scoring", "'forward' or 'viterbi'", self.scoring)
        check_setting(self.initial in ("rules", "random"), "initial", "'rules' or 'random'", self.initial)
        check_setting(self.beta is None or 0 <= self.beta <= 1, "beta", "from 0 to 1, or none", self.beta)
        check_setting(self.rank is None or self.rank >= 1, "rank", "1 or more, or none for exact factors", self.rank)
        check_setting(self.extra_states >= 0, "extra_states", "0 or more", self.extra_states)
        check_setting(self.logit_scale > 0, "logit_scale", "above 0", self.logit_scale)
        check_setting(0 <= self.dropout < 1, "dropout", "from 0 to below 1", self.dropout)
        check_setting(0 <= self.leak <= 1, "leak", "from 0 to 1", self.leak)
        check_setting(self.beside in ("none", *BESIDE), "beside", f"'none' or one of {', '.join(BESIDE)}", self.beside)
        check_setting(self.beside_states >= 1, "beside_states", "1 or more", self.beside_states)
        check_setting(0 <= self.beside_share <= 10, "beside_share", "from 0 to 10", self.beside_share)
        check_setting(self.aggregation in ("logic", "layers"), "aggregation", "'logic' or 'layers'", self.aggregation)
        if self.aggregation == "logic":
            _check_needs_layers(self.train_aggregation, "train_aggregation = True")
            _check_needs_layers(not self.aggregation_activation, "aggregation_activation = False")


def check_setting(fine: bool, name: str, expected: str, given: object) -> None:
    """InputError for a setting that is not fine."""
    if not fine:
        raise InputError(f"{name} must be {expected} (got {given!r})")


def _check_needs_layers(wanted: bool, setting: str) -> None:
    if wanted:
        raise InputError(
            f"{setting} needs aggregation 'layers' (got 'logic', which computes the formulas as they are written and "
            f"has no weights).\nSet aggregation to 'layers' too, or leave {setting.partition(' ')[0]} as it is."
        )


class Settings(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Config = TypeVar("Config", bound=Settings)


def config_from(kind: type[Config], values: Mapping[str, Any]) -> Config:
    """A configuration from stored or typed values; InputError names every key that does not exist."""
    known = {field.name for field in fields(kind)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise InputError(
            f"{kind.__name__} has no setting {', '.join(unknown)}; its settings are: {', '.join(sorted(known))}."
        )
    return kind(**values)
