"""The settings of a classifier. The defaults are those that `learning` runs on dev found stable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from re2nn_core.errors import InputError
from re2nn_core.network.configuration.recurrence import RecurrenceConfig, check_choice, check_setting

AUXILIARY_ENCODERS = ("rnn", "gru", "lstm", "birnn", "bigru", "bilstm")


@dataclass(frozen=True, kw_only=True)
class NetworkConfig(RecurrenceConfig):
    """The settings of the recurrence, and:

    machines        rule: one automaton for each rule, as reconstruction needs. label: one for each label, as published
    bidirectional   a second layer runs the reversed rules from the right, scores are averaged
    scoring         forward (sums over paths) or viterbi (the best path)
    decomposed      False: one weight for each word and transition instead of factors (section 3.1); no word vectors
    normalize       True: factors scaled to equal average norms (the paper's appendix B); the tensor stays
    state_head      True: labels are also predicted from all last states, by weights that start at zero
    aggregation     logic: the labels' formulas as written, by clamped sums. layers: the same in normal form as two
                    linear layers, clauses and labels, at most 10,000 clauses (the paper's MLP, section 3.5)
    aggregation_activation
                    layers only. False: the layers are not clamped; they form one linear map, which only approximates
                    the rules: a label counts its matching rules, where one should do
    train_aggregation
                    layers only. True: the layers' weights are trained, at the rate of the head; False: they stay
    auxiliary       none, rnn, gru, lstm, birnn, bigru or bilstm; trained separately.
                    It needs word vectors
    auxiliary_weight
                    its initial weight. After training 0, 0.25, 0.5 or 1 replaces it where held-out accuracy is higher
                    (services/fine_tuning/classification/auxiliary_weight.py)
    linear          True: training ends with a linear layer over a text's mean word vector and its words, as one would
                    use it without rules (auxiliary/text_linear.py), where that gains on held-out texts; fitted to
                    phrases of the rules and label names too, where this gains more
    tie_margin      how far a label stays behind an earlier one that matches too, as a share of a score, so that steps
                    of training leave equal labels in their order (soft_logic.py, after_earlier); 0: training takes 0.25
    """

    machines: Literal["rule", "label"] = "rule"
    bidirectional: bool = False
    scoring: Literal["forward", "viterbi"] = "forward"
    decomposed: bool = True
    normalize: bool = False
    state_head: bool = True
    aggregation: Literal["logic", "layers"] = "logic"
    aggregation_activation: bool = True
    train_aggregation: bool = False
    auxiliary: Literal["none", "rnn", "gru", "lstm", "birnn", "bigru", "bilstm"] = "none"
    auxiliary_weight: float = 1.0
    linear: bool = False
    tie_margin: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self, "machines", ("rule", "label"))
        check_choice(self, "scoring", ("forward", "viterbi"))
        check_choice(self, "aggregation", ("logic", "layers"))
        known = f"'none' or one of {', '.join(AUXILIARY_ENCODERS)}"
        check_setting(self.auxiliary in ("none", *AUXILIARY_ENCODERS), "auxiliary", known, self.auxiliary)
        check_setting(0 <= self.auxiliary_weight <= 10, "auxiliary_weight", "from 0 to 10", self.auxiliary_weight)
        check_setting(0 <= self.tie_margin < 0.5, "tie_margin", "from 0 to below 0.5", self.tie_margin)
        if self.aggregation == "logic":
            _check_needs_layers(self.train_aggregation, "train_aggregation = True")
            _check_needs_layers(not self.aggregation_activation, "aggregation_activation = False")


def _check_needs_layers(wanted: bool, setting: str) -> None:
    if wanted:
        raise InputError(
            f"{setting} needs aggregation 'layers' (got 'logic', which computes the formulas as they are written and "
            f"has no weights).\nSet aggregation to 'layers' too, or leave {setting.partition(' ')[0]} as it is."
        )
