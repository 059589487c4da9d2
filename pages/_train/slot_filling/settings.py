"""The settings of a tagger and of its training as inputs, each with what it does in plain words. All have good
defaults: nobody needs to open this panel."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages._train.known_settings import TRAIN as LABEL_TRAIN
from pages._train.known_settings import Setting
from pages._train.settings import AIM_KEY, AIM_NAMES, CAPTION, grid
from re2nn_core.services.fine_tuning.objective import OBJECTIVES, Objective
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.services.values.networks import TaggerConfig
from re2nn_core.training.config import TrainConfig

# What reads differently where spans are learned: meaning, and what the authors of FSTRNN take.
_OTHERWISE = {
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
}
# Nobody learns from texts that are not marked; the reader beside learns at the rate of the head.
_LEFT_OUT = ("auxiliary_learning_rate", "unlabelled", "faithful")


def _here(setting: Setting) -> Setting:
    if setting.name not in _OTHERWISE:
        return setting
    meaning, paper = _OTHERWISE[setting.name]
    return replace(setting, meaning=meaning, paper=paper)


TRAIN = tuple(_here(setting) for setting in LABEL_TRAIN if setting.name not in _LEFT_OUT)
NETWORK = (
    Setting(
        "vectors",
        "Word vectors",
        "What the network knows of words that no rule names. auto: the sentence encoder if it is installed, else "
        "builtin (learned from your own texts); context: the encoder's vectors of each word in its sentence, slower; "
        "none: rules' words only.",
        "GloVe or fastText, kept fixed, or BERT",
        ("auto", "builtin", "encoder", "context", "none"),
    ),
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
    Setting(
        "extra_states",
        "Extra states",
        "Empty states that training may connect to learn new patterns.",
        "0, 30, 60 or 90, chosen on dev",
        highest=200,
    ),
    Setting(
        "block_diagonal",
        "Keep rules apart",
        "Arcs are learned inside each rule only. Reading the network back as rules needs this.",
        "off",
    ),
    Setting(
        "train_words",
        "Train the rules' words",
        "The words of the rules may lose or gain weight, too.",
        "off",
    ),
    Setting("logit_scale", "Sharpness", "How sure a rule's vote makes the network before training.", "1", step=0.5),
    Setting(
        "dropout",
        "Dropout",
        "Share of the word vectors, and of the reader beside the rules, that is hidden at random while it learns.",
        "none is told",
        step=0.05,
    ),
    Setting(
        "clamp_gradient_slope",
        "Leak",
        "How much an over-full state still learns, from 0 to 1.",
        "states are not clamped",
        step=0.05,
    ),
    Setting("seed", "Random seed", "Of all weights that do not come from the rules.", "four seeds"),
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
    Setting(
        "cell",
        "Cell",
        "rnn reads word by word as the transducer does; gru adds gates that may hold a state or forget it.",
        "both, as FSTRNN and FSTGRU",
        ("rnn", "gru"),
    ),
    Setting(
        "rank",
        "Rank",
        "Empty for exact factors. A smaller number than the exact one makes the network smaller and no longer equal to "
        "the rules.",
        "150",
        step=1,
        highest=10_000,
    ),
    Setting(
        "rule_weight",
        "Share of the rules' words",
        "Empty keeps the untrained network exactly equal to the rules. A share from 0 to 1 mixes word vectors in from "
        "the start, as the paper does, and is equal only nearly.",
        "0.1, 0.3, 0.5, 0.7 or 0.9, chosen on dev",
        step=0.05,
        highest=1,
    ),
    Setting(
        "context_start",
        "Words at the start",
        "Vectors in context with such a share only: the static vectors that the map is solved from. aggregate: the "
        "mean of each word's vectors over the texts; random: drawn.",
        "either, by dev",
        ("aggregate", "random"),
    ),
    Setting(
        "initial",
        "Begins as",
        "The rules, or random weights of the same shape, to see what rules are worth.",
        "rules; random for comparison",
        ("rules", "random"),
    ),
    Setting(
        "threshold",
        "Score of the wildcard",
        "The tag of words that rules leave open scores at most this, so that it is taken only where no other tag does.",
        "0.1",
        step=0.05,
        highest=0.99,
    ),
    Setting("train_wildcard", "Train $ arcs", "Whether the arcs that read any word are trained.", "on"),
    Setting("train_ends", "Train starts and ends", "Whether first and final states are trained.", "on"),
)
_AIM_HELP = (
    "Rules that can be read back: the rules' network alone learns, each rule its own arcs. The highest accuracy: an "
    "ordinary network learns beside the rules, and a chain over the tags; it finds more, and what it learns cannot be "
    "written as rules. It changes what the settings below begin with."
)


def draw_slot_settings(examples: int, *, in_context: bool) -> tuple[TaggerConfig, TrainConfig]:
    """All settings but the device, folded away, for so many training texts; `in_context`: the encoder knows their
    words. InputError for values that do not go together."""
    aim: Objective = st.segmented_control(
        "Train for",
        OBJECTIVES,
        default=OBJECTIVES[0],
        required=True,
        format_func=lambda name: AIM_NAMES[name],
        key=AIM_KEY,
        persist_state="session",
        help=_AIM_HELP,
    )
    with st.expander("All settings", icon=":material/tune:"):
        st.caption(CAPTION)
        learning, parts, variants = st.tabs(["Learning", "Network", "Variants"])
        begins, taught = slot_network(aim, examples, in_context=in_context), slot_training(aim, examples)
        with learning:
            train = grid(TRAIN, taught, f"slots_train_{aim}")
        with parts:
            network = grid(NETWORK, begins, f"slots_{aim}")
        with variants:
            st.caption("Other networks of the same family, for comparison. Not all of them can be read back as rules.")
            network |= grid(VARIANTS, begins, f"slots_{aim}")
    return TaggerConfig(**network), TrainConfig(**train)
