"""The settings of a tagger and of its training as inputs, each with what it does in plain words. All have good
defaults: nobody needs to open this panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pages._train import known_settings as known
from pages._train.known_settings import Setting
from pages._train.settings import begin_settings, grid
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.services.values.networks import TaggerConfig
from re2nn_core.training.config import TrainConfig

# What reads differently where spans are learned: meaning (None: the same), and what the authors of FSTRNN take.
_OTHERWISE: dict[str, tuple[str | None, str]] = {
    "patience": ("It stops after so many epochs without a better F1 on dev.", "no figure is given"),
    "learning_rate": ("How far the arcs of the transducers move at each step.", "0.0003, 0.001 or 0.003, by dev"),
    "head_learning_rate": (
        "How fast the parts learn that are not arcs: what a rule's vote counts, the head, the reader beside the rules "
        "and the chain over tags.",
        "the same rate for all weights",
    ),
    "encoder_learning_rate": (
        "How far the sentence encoder's own weights move, where it is tuned.",
        "no figure is given; the encoder (BERT) is tuned",
    ),
    "copies": ("Networks trained side by side from the same rules. 0 is one.", "one"),
    "average": (
        "weights: they end as one network. answers: all are kept and answer together, more often right, slower, and "
        "not read back as one.",
        "one network",
    ),
    "vectors": (
        "What the network knows of words that no rule names. auto: the sentence encoder if it is installed, else "
        "builtin (learned from your own texts); context: the encoder's vectors of each word in its sentence, slower; "
        "none: rules' words only.",
        "GloVe or fastText, kept fixed, or BERT",
    ),
    "extra_states": (None, "0, 30, 60 or 90, chosen on dev"),
    "train_words": (None, "off"),
    "logit_scale": ("How sure a rule's vote makes the network before training.", "1"),
    "dropout": (
        "Share of the word vectors, and of the reader beside the rules, that is hidden at random while it learns.",
        "none is told",
    ),
    "seed": ("Of all weights that do not come from the rules.", "four seeds"),
    "cell": (
        "rnn reads word by word as the transducer does; gru adds gates that may hold a state or forget it.",
        "both, as FSTRNN and FSTGRU",
    ),
    "rank": (None, "150"),
    "rule_weight": (None, "0.1, 0.3, 0.5, 0.7 or 0.9, chosen on dev"),
}
# Nobody learns from texts that are not marked; the reader beside learns at the rate of the head.
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
        "Tune the encoder",
        "Context only. The sentence encoder learns along, which is much slower without a GPU.",
        "on, where BERT is used",
    ),
    Setting(
        "auxiliary",
        "Reader beside the rules",
        "An ordinary network of both directions that adds to what the rules say. It starts at zero, so that training "
        "begins with the rules; what it learns cannot be read back.",
        "none",
        ("none", "gru", "lstm"),
    ),
    Setting(
        "auxiliary_states",
        "States of the reader",
        "Of the reader beside the rules, in each direction.",
        "100 to 200 in the networks it compares",
        highest=2000,
    ),
    Setting(
        "detached",
        "Reader learns by itself",
        "The reader beside the rules learns as if there were none, and where a rule claims a word the rules decide: "
        "few examples cannot spoil good rules then.",
        "there is none",
    ),
    Setting(
        "minimum_confidence",
        "Least probability",
        "A slot is given only where its probability is at least this; 0 gives the likeliest.",
        "0",
        step=0.05,
        highest=0.99,
    ),
    Setting(
        "word_dimensions",
        "Word vectors of the reader",
        "So many numbers that the reader beside the rules learns for each word of the training texts; 0 for none.",
        "there is none",
        highest=1000,
    ),
    Setting(
        "word_dropout",
        "Words hidden from the reader",
        "Share of words that the reader beside the rules takes for unknown while it learns.",
        "there is none",
        step=0.05,
    ),
    Setting(
        "decoding",
        "Decoding",
        "softmax: each word gets its tag by itself; crf: a chain over the tags, which learns what follows what.",
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
        "Transducer",
        "positions: a state for each place in a rule. ifst: the minimal transducer, made independent by the paper's "
        "algorithm 6. Both give the rules' answers.",
        "ifst",
        ("positions", "ifst"),
    ),
    Setting(
        "activation",
        "Clamp the states",
        "clamp keeps states from 0 to 1, which is exact. tanh and none are near the rules only.",
        "tanh",
        ("clamp", "tanh", "none"),
    ),
    *_known(known.VARIANTS, "cell", "rank", "rule_weight"),
    Setting(
        "context_start",
        "Words at the start",
        "Vectors in context with such a share only: the static vectors that the map is solved from. aggregate: the "
        "mean of each word's vectors over the texts; random: drawn.",
        "either, by dev",
        ("aggregate", "random"),
    ),
    *_known(known.VARIANTS, "initial"),
    Setting(
        "threshold",
        "Score of the wildcard",
        "The tag of words that rules leave open scores at most this, so that it is taken only where no other tag does.",
        "0.1",
        step=0.05,
        highest=0.99,
    ),
    *_known(known.VARIANTS, "train_wildcard", "train_ends"),
)
_AIM_HELP = (
    "Rules that can be read back: the rules' network alone learns, each rule its own arcs. The highest accuracy: an "
    "ordinary network learns beside the rules, and a chain over the tags; it finds more, and what it learns cannot be "
    "written as rules. It changes what the settings below begin with."
)


def draw_slot_settings(examples: int, *, in_context: bool) -> tuple[TaggerConfig, TrainConfig]:
    """All settings but the device, folded away, for so many training texts; `in_context`: the encoder knows their
    words. InputError for values that do not go together."""
    aim, (learning, parts, variants) = begin_settings(_AIM_HELP)
    begins, taught = slot_network(aim, examples, in_context=in_context), slot_training(aim, examples)
    with learning:
        train = grid(TRAIN, taught, f"slots_train_{aim}")
    with parts:
        network = grid(NETWORK, begins, f"slots_{aim}")
    with variants:
        network |= grid(VARIANTS, begins, f"slots_{aim}")
    return TaggerConfig(**network), TrainConfig(**train)
