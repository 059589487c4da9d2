"""What a tagger is made of (Jiang et al., EMNLP 2021, sections 3.3 to 3.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from re2nn_core.errors import InputError
from re2nn_core.network.configuration.classification import NetworkConfig, check_setting


@dataclass(frozen=True, kw_only=True)
class TaggerConfig:
    """transducer      positions: one state a place in a rule, independent by construction. ifst: the minimal transducer
                    made independent by the paper's algorithm 6
    activation      clamp: states stay in [0, 1], which is exact. tanh, none: as in the paper, near the rules only
    cell            rnn (equations 1 and 2) or gru: gates in both directions (appendix D), open at the start
    rank            None: exact factors. A number: factors of that rank by alternating least squares, for comparison
    vectors         word vectors: auto (encoder if installed, else builtin), none, builtin, encoder, a file, or context
                    (the encoder's vector of each word in its sentence, equation 4)
    tune_encoder    context only. True: the encoder learns too
    eta             None: word vectors are added through a map that starts at zero, which keeps equality.
                    A share: v = eta E_R[x] + (1 - eta) u G with G from the pseudo-inverse (equations 3 and 4)
    context_start   context with eta only: the static vectors that G is solved from: aggregate (mean of each word's
                    vectors over the texts) or random
    initial         rules, or random weights of the same shapes, for comparison
    extra_states    states without arcs that training may connect (dummy states); they start silent
    keep_blocks     True: arcs are learned inside each rule only, which is what makes reading back work
    train_words     True: the word factors E_R are trained too (the paper keeps them fixed)
    train_wildcard  False: the arcs of `$` stay as they are
    train_ends      False: start and final weights stay as they are
    threshold       tau: the wildcard tag scores at most this, so it is taken where no other tag scores more
    decoding        softmax (algorithm 3: each word by itself) or crf (algorithm 4: a chain that starts neutral)
    residual        none, gru or lstm: a second, ordinary reader of both directions whose scores start at zero
    residual_states its states in each direction
    apart           True: the residual reader learns by itself, as if there were no rules, and where a rule claims a
                    word the rules decide: a large logit_scale then keeps few examples from spoiling good rules
    doubt           a tag other than O is given only where its probability is at least this
    word_dimensions numbers that the residual reader learns for each word of the training texts; 0 for none
    word_dropout    share of words that it takes for unknown in training
    logit_scale     scores of the rules count this much
    dropout         share of entries dropped in training, of word vectors and of the residual reader
    leak            gradient outside [0, 1], where states are clamped
    seed            of random weights
    """

    transducer: Literal["positions", "ifst"] = "positions"
    activation: Literal["clamp", "tanh", "none"] = "clamp"
    cell: Literal["rnn", "gru"] = "rnn"
    rank: int | None = None
    vectors: str = "auto"
    tune_encoder: bool = False
    eta: float | None = None
    context_start: Literal["aggregate", "random"] = "aggregate"
    initial: Literal["rules", "random"] = "rules"
    extra_states: int = 0
    keep_blocks: bool = True
    train_words: bool = False
    train_wildcard: bool = True
    train_ends: bool = True
    threshold: float = 0.1
    decoding: Literal["softmax", "crf"] = "crf"
    residual: Literal["none", "gru", "lstm"] = "lstm"
    residual_states: int = 128
    apart: bool = False
    doubt: float = 0.0
    word_dimensions: int = 50
    word_dropout: float = 0.1
    logit_scale: float = 6.0
    dropout: float = 0.4
    leak: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            given = getattr(self, name)
            check_setting(given in choices, name, " or ".join(repr(choice) for choice in choices), given)
        check_setting(self.rank is None or self.rank >= 1, "rank", "1 or more, or none for exact factors", self.rank)
        check_setting(self.eta is None or 0 <= self.eta <= 1, "eta", "from 0 to 1, or none", self.eta)
        check_setting(self.extra_states >= 0, "extra_states", "0 or more", self.extra_states)
        check_setting(0 < self.threshold < 1, "threshold", "between 0 and 1", self.threshold)
        check_setting(self.residual_states >= 1, "residual_states", "1 or more", self.residual_states)
        check_setting(0 <= self.doubt < 1, "doubt", "from 0 to below 1", self.doubt)
        if self.apart and self.residual == "none":
            raise InputError("apart needs a residual reader (got residual 'none'): nothing else could learn by itself.")
        check_setting(self.word_dimensions >= 0, "word_dimensions", "0 or more", self.word_dimensions)
        check_setting(0 <= self.word_dropout < 1, "word_dropout", "from 0 to below 1", self.word_dropout)
        check_setting(self.logit_scale > 0, "logit_scale", "above 0", self.logit_scale)
        check_setting(0 <= self.dropout < 1, "dropout", "from 0 to below 1", self.dropout)
        check_setting(0 <= self.leak <= 1, "leak", "from 0 to 1", self.leak)
        if self.tune_encoder and self.vectors != "context":
            raise InputError(
                f"tune_encoder needs vectors 'context' (got {self.vectors!r}): only these come from the encoder as it "
                "reads a sentence. Set vectors to 'context', or leave tune_encoder off."
            )

    @property
    def is_exact(self) -> bool:
        """Whether the untrained network gives the rules' answers on every sentence."""
        near = self.activation != "clamp" or self.cell == "gru" or self.rank is not None
        # Of two tags with equal votes each has half the probability, so that any doubt may pass over both.
        return not near and not self.doubt and self.eta in (None, 1.0) and self.initial == "rules"

    def of_reader(self) -> NetworkConfig:
        """The settings of the recurrence, which is the classifier's."""
        return NetworkConfig(
            vectors=self.vectors,
            cell=self.cell,
            rank=self.rank,
            beta=self.eta,
            initial=self.initial,
            extra_states=self.extra_states,
            keep_blocks=self.keep_blocks,
            train_words=self.train_words,
            train_wildcard=self.train_wildcard,
            train_ends=self.train_ends,
            dropout=self.dropout,
            leak=self.leak,
            seed=self.seed,
        )


_CHOICES = {
    "transducer": ("positions", "ifst"),
    "activation": ("clamp", "tanh", "none"),
    "cell": ("rnn", "gru"),
    "context_start": ("aggregate", "random"),
    "initial": ("rules", "random"),
    "decoding": ("softmax", "crf"),
    "residual": ("none", "gru", "lstm"),
}
