"""The settings of a tagger and of its training as inputs, each with what it does in plain words. All have good
defaults: nobody needs to open this panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pages._train import known_settings as known
from pages._train.known_settings import Setting
from pages._train.settings import begin_settings, grid
from re2nn_core.guide.glossary import definition
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.services.values.networks import SETTING_TITLES as TITLES
from re2nn_core.services.values.networks import TaggerConfig
from re2nn_core.training.config import TrainConfig

# What reads differently where spans are learned: meaning (None: the same), and what the authors of FSTRNN take.
_OTHERWISE: dict[str, tuple[str | None, str]] = {
    "patience": ("Stop after this number of epochs without a better F1 on dev.", "no figure is given"),
    "learning_rate": ("Learning rate of the transition weights.", "0.0003, 0.001 or 0.003, by dev"),
    "head_learning_rate": (
        "Learning rate of all other parts: votes of rules, output layer, auxiliary encoder and CRF.",
        "the same rate for all weights",
    ),
    "encoder_learning_rate": (
        "Learning rate of the sentence encoder's own weights, where it is tuned.",
        "not specified; the encoder (BERT) is tuned",
    ),
    "copies": ("Networks trained from the same rules. 0 means one.", "one"),
    "average": (
        "weights: average them into one network. predictions: keep all networks and average their predictions; "
        "more accurate, but slower, and such a model cannot be reconstructed as one.",
        "one network",
    ),
    "vectors": (
        "Representation of words that no rule names. auto: the sentence encoder if installed, else builtin "
        "(trained on your texts). context: encoder vectors of each word in its sentence, slower. none: only "
        "words of the rules.",
        "GloVe or fastText, not trained, or BERT",
    ),
    "extra_states": (None, "0, 30, 60 or 90, chosen on dev"),
    "train_words": (None, "off"),
    "logit_scale": ("Confidence of a matched rule before training.", "1"),
    "dropout": (
        "Share of word vector entries, and of the auxiliary encoder, that is set to zero at random in training.",
        "not specified",
    ),
    "seed": ("Initial weights that do not come from the rules.", "four seeds"),
    "cell": (
        "rnn steps through words as the transducer does; gru adds gates.",
        "both, as FSTRNN and FSTGRU",
    ),
    "rank": (None, "150"),
    "rule_weight": (None, "0.1, 0.3, 0.5, 0.7 or 0.9, chosen on dev"),
}
# Nobody learns from texts that are not marked; the auxiliary encoder learns at the rate of the head.
_LEFT_OUT = ("auxiliary_learning_rate", "unlabelled", "faithful")


def _known(settings: Sequence[Setting], *names: str) -> tuple[Setting, ...]:
    """Those of the labels' settings that a tagger has as well, as they read here."""
    by_name = {setting.name: setting for setting in settings}
    return tuple(_here(by_name[name]) for name in names)


def _here(setting: Setting) -> Setting:
    if setting.name not in _OTHERWISE:
        return setting
    meaning, paper = _OTHERWISE[setting.name]
    return replace(setting, meaning=meaning or setting.meaning, paper=paper)


# The network's seed has a meaning of its own.
TRAIN = tuple(
    setting if setting.name == "seed" else _here(setting) for setting in known.TRAIN if setting.name not in _LEFT_OUT
)
NETWORK = (
    *_known(known.NETWORK, "vectors"),
    Setting(
        "tune_encoder",
        TITLES["tune_encoder"],
        "Only with context. The sentence encoder is trained, too; much slower without a GPU.",
        "on, where BERT is used",
    ),
    Setting(
        "auxiliary",
        TITLES["auxiliary"],
        f"{definition('Auxiliary encoder')} Starts without effect; it cannot be reconstructed.",
        "none",
        ("none", "gru", "lstm"),
    ),
    Setting(
        "auxiliary_states",
        TITLES["auxiliary_states"],
        "Size of its hidden state in each direction.",
        "100 to 200 in the compared networks",
        highest=2000,
    ),
    Setting(
        "detached",
        TITLES["detached"],
        "The auxiliary encoder is trained as if there were no rules, and the rules decide about the words "
        "that they claim. Suits few texts.",
        "no auxiliary encoder",
    ),
    Setting(
        "auxiliary_rules",
        TITLES["auxiliary_rules"],
        "What it is given of the rules. votes: their scores of all tags. tags: the one tag that they predict.",
        "no auxiliary encoder",
        ("votes", "tags"),
    ),
    Setting(
        "linear",
        TITLES["linear"],
        "Only with crf. A conditional random field on words, word vectors and the rules' tags, added where it gains on "
        "held-out texts. It cannot be reconstructed.",
        "none",
    ),
    Setting(
        "linear_vectors",
        TITLES["linear_vectors"],
        "words: word vectors. context: those of a sentence encoder in their sentence, unless they gain nothing on "
        "held-out texts; predictions are slower then.",
        "no linear layer",
        ("words", "context"),
    ),
    Setting(
        "minimum_confidence",
        TITLES["minimum_confidence"],
        "A slot is only predicted with at least this probability. 0 predicts the most probable tag.",
        "0",
        step=0.05,
        highest=0.99,
    ),
    Setting(
        "word_dimensions",
        TITLES["word_dimensions"],
        "Dimensions of the vectors that it learns for words of the training texts; 0 for none.",
        "no auxiliary encoder",
        highest=1000,
    ),
    Setting(
        "word_dropout",
        TITLES["word_dropout"],
        "Share of words that it treats as unknown in training.",
        "no auxiliary encoder",
        step=0.05,
    ),
    Setting(
        "decoding",
        TITLES["decoding"],
        "softmax: each tag is predicted separately; crf: a conditional random field scores tags that follow "
        "each other.",
        "both, as FSTRNN and FSTRNN-CRF",
        ("softmax", "crf"),
    ),
    *_known(
        known.NETWORK,
        "extra_states",
        "block_diagonal",
        "train_words",
        "logit_scale",
        "dropout",
        "clamp_gradient_slope",
        "seed",
    ),
)
VARIANTS = (
    Setting(
        "transducer",
        TITLES["transducer"],
        "positions: one state per place in a rule. ifst: the minimal transducer, made independent by the "
        "paper's algorithm 6. Both predict the same as the rules.",
        "ifst",
        ("positions", "ifst"),
    ),
    Setting(
        "activation",
        TITLES["activation"],
        "clamp keeps states between 0 and 1 and is exact. tanh and none only approximate the rules.",
        "tanh",
        ("clamp", "tanh", "none"),
    ),
    *_known(known.VARIANTS, "cell", "rank", "rule_weight"),
    Setting(
        "context_start",
        TITLES["context_start"],
        "Only for vectors in context with a rule weight: the static vectors that the map is solved from. "
        "aggregate: mean of each word's vectors over the texts; random: drawn at random.",
        "either, by dev",
        ("aggregate", "random"),
    ),
    *_known(known.VARIANTS, "initial"),
    Setting(
        "threshold",
        TITLES["threshold"],
        "Maximum score of the tag of words that rules leave open, so it is predicted only if no other tag "
        "scores higher.",
        "0.1",
        step=0.05,
        highest=0.99,
    ),
    *_known(known.VARIANTS, "train_wildcard", "train_ends"),
)
_OBJECTIVE_HELP = (
    "Interpretable rules: the network of the rules is trained, each rule separately, and can be reconstructed; a "
    "linear layer over words predicts where it is better. Highest accuracy: an auxiliary encoder and word vectors in "
    "context are added; more accurate and slower, and their part cannot be reconstructed. Sets the defaults below."
)


def draw_slot_settings(examples: int) -> tuple[TaggerConfig, TrainConfig]:
    """All settings but the device, folded away, for so many training texts. InputError for values that do not go
    together."""
    objective, (learning, parts, variants) = begin_settings(_OBJECTIVE_HELP)
    begins, taught = slot_network(objective, examples), slot_training(objective, examples)
    with learning:
        train = grid(TRAIN, taught, f"slots_train_{objective}")
    with parts:
        network = grid(NETWORK, begins, f"slots_{objective}")
    with variants:
        network |= grid(VARIANTS, begins, f"slots_{objective}")
    return TaggerConfig(**network), TrainConfig(**train)
