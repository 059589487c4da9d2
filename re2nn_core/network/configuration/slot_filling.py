"""The settings of a tagger (Jiang et al., EMNLP 2021, sections 3.3 to 3.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from re2nn_core.errors import InputError
from re2nn_core.network.configuration.recurrence import CONTEXT, RecurrenceConfig, check_choice, check_setting


@dataclass(frozen=True, kw_only=True)
class TaggerConfig(RecurrenceConfig):
    """The settings of the recurrence, and:

    transducer      positions: one state a place in a rule, independent by construction. ifst: the minimal transducer
                    made independent by the paper's algorithm 6
    activation      clamp: states stay in [0, 1], which is exact. tanh, none: as in the paper, only approximate
    tune_encoder    context only. True: the encoder is trained too
    context_start   context with rule_weight only: the static vectors that G is solved from: aggregate (mean of each
                    word's vectors over the texts) or random
    threshold       tau: the wildcard tag scores at most this, so it is taken where no other tag scores more
    decoding        softmax (algorithm 3: each word by itself) or crf (algorithm 4: a chain that starts neutral)
    auxiliary       none, gru or lstm, in both directions
    detached        True: the auxiliary encoder is trained as if there were no rules, and the rules decide where one
                    matches a word: with a large logit_scale, few examples cannot damage good rules
    auxiliary_rules what the auxiliary encoder is given of the rules: votes, their scores of all tags, or tags,
                    the one tag that they predict, which suits rules that stay as they are
    minimum_confidence
                    a tag other than O is predicted only where its probability is at least this
    linear          crf, or softmax without an auxiliary encoder. True: training ends with a linear layer over each
                    word, its neighbours and the rules' tags (auxiliary/tag_linear.py), where that gains on held-out
                    texts
    linear_vectors  what the linear layer reads of words: words, their vectors, or context, those of the sentence
                    encoder's middle layers in their sentence, unless held-out texts show that these gain nothing; then
                    each prediction runs the encoder
    word_dimensions dimensions of the auxiliary encoder's own embedding of each training word; 0 for none
    word_dropout    share of words replaced by the unknown word in training
    dropout         share of entries dropped in training, of word vectors and of the auxiliary encoder
    """

    transducer: Literal["positions", "ifst"] = "positions"
    activation: Literal["clamp", "tanh", "none"] = "clamp"
    tune_encoder: bool = False
    context_start: Literal["aggregate", "random"] = "aggregate"
    threshold: float = 0.1
    decoding: Literal["softmax", "crf"] = "crf"
    auxiliary: Literal["none", "gru", "lstm"] = "lstm"
    auxiliary_states: int = 128
    detached: bool = False
    auxiliary_rules: Literal["votes", "tags"] = "votes"
    minimum_confidence: float = 0.0
    linear: bool = False
    linear_vectors: Literal["words", "context"] = "words"
    word_dimensions: int = 50
    word_dropout: float = 0.1
    logit_scale: float = 6.0
    dropout: float = 0.4

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, choices in _CHOICES.items():
            check_choice(self, name, choices)
        check_setting(0 < self.threshold < 1, "threshold", "between 0 and 1", self.threshold)
        least = self.minimum_confidence
        check_setting(0 <= least < 1, "minimum_confidence", "from 0 to below 1", least)
        if self.detached and self.auxiliary == "none":
            raise InputError(
                "detached needs an auxiliary encoder (got auxiliary 'none'). Choose gru or lstm, or leave detached out."
            )
        check_setting(self.word_dimensions >= 0, "word_dimensions", "0 or more", self.word_dimensions)
        check_setting(0 <= self.word_dropout < 1, "word_dropout", "from 0 to below 1", self.word_dropout)
        if self.tune_encoder and self.vectors != CONTEXT:
            raise InputError(
                f"tune_encoder needs vectors 'context' (got {self.vectors!r}): only these come from the encoder as it "
                "reads a sentence. Set vectors to 'context', or leave tune_encoder off."
            )

    @property
    def is_exact(self) -> bool:
        """Whether the untrained network predicts what the rules do on every sentence."""
        near = self.activation != "clamp" or self.cell == "gru" or self.rank is not None
        # Of two tags with equal votes each has half the probability, so that a minimum may pass over both.
        return not near and not self.minimum_confidence and self.rule_weight in (None, 1.0) and self.initial == "rules"


_CHOICES = {
    "transducer": ("positions", "ifst"),
    "activation": ("clamp", "tanh", "none"),
    "context_start": ("aggregate", "random"),
    "decoding": ("softmax", "crf"),
    "auxiliary": ("none", "gru", "lstm"),
    "auxiliary_rules": ("votes", "tags"),
    "linear_vectors": ("words", CONTEXT),
}
