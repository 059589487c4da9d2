"""The settings of network and training, each with what it does in plain words and what the authors of FA-RNN take."""

from __future__ import annotations

from dataclasses import dataclass

from re2nn_core.services.values.networks import AUXILIARY_ENCODERS


@dataclass(frozen=True)
class Setting:
    """One input. `paper`: what the authors of FA-RNN take. `options` for a choice; otherwise the default's type tells.
    `step` for numbers; a step of one or more makes a number that may stay empty a whole one."""

    name: str
    title: str
    meaning: str
    paper: str
    options: tuple[str, ...] = ()
    step: float | None = None
    highest: float | None = None

    @property
    def help(self) -> str:
        """The sentence shown beside the input."""
        return f"{self.meaning} In the paper: {self.paper}."


TRAIN = (
    Setting(
        "epochs", "Epochs, at most", "How often all examples are gone through.", "no figure is given", highest=1000
    ),
    Setting(
        "patience",
        "Patience",
        "It stops after so many epochs in a row that dev would not keep.",
        "no figure is given",
        highest=1000,
    ),
    Setting(
        "batch_size",
        "Texts a step",
        "How many texts are looked at before the weights move.",
        "no figure is given",
        highest=4096,
    ),
    Setting(
        "learning_rate",
        "Rate of arcs",
        "How far the arcs of the automata move at each step.",
        "chosen on dev from 0.0001 to 0.01",
        step=1e-4,
    ),
    Setting(
        "embedding_learning_rate",
        "Rate of word vectors",
        "How fast words learn to stand for similar words.",
        "the same rate for all weights",
        step=1e-3,
    ),
    Setting(
        "head_learning_rate",
        "Rate of the head",
        "How fast the part learns that reads labels off all states.",
        "the same rate for all weights",
        step=1e-3,
    ),
    Setting(
        "encoder_learning_rate",
        "Rate of the encoder",
        "How far the sentence encoder's own weights move, where it learns along; labels leave it as it is.",
        "the encoder is not trained",
        step=1e-5,
    ),
    Setting(
        "auxiliary_learning_rate",
        "Rate of the reader beside",
        "How fast a reader beside the rules learns, where there is one.",
        "there is none",
        step=1e-3,
    ),
    Setting(
        "decay",
        "Decay of the rates",
        "After each epoch all rates are multiplied by this. 1 keeps them as they are.",
        "not told",
        step=0.01,
        highest=1,
    ),
    Setting(
        "l2_to_initial",
        "Pull towards the rules",
        "How strongly arcs stay near the written rules; 0 lets them go.",
        "0, nothing pulls",
        step=1e-4,
    ),
    Setting(
        "copies",
        "Copies",
        "Networks trained side by side from the same rules and averaged. 0 leaves it to the program: five where "
        "examples and dev texts are few, each with other texts held out; otherwise one.",
        "one",
        highest=20,
    ),
    Setting(
        "average",
        "What of the copies is averaged",
        "weights: they end as one network. answers: all are kept and answer together, more often right, slower, and "
        "not read back or edited as one.",
        "one network; answers for no system of its own",
        ("weights", "answers"),
    ),
    Setting(
        "unlabelled",
        "Weight of texts without label",
        "These are learned with the rules' own answers, and count this much beside a labelled text; those that "
        "the default label or a rule for every text answers weigh together no more than the others. It may help weak "
        "rules and can harm strong ones; 0 leaves them out.",
        "0 for its own networks; the others learn from such texts in the comparison without labels",
        step=0.05,
        highest=1,
    ),
    Setting(
        "faithful",
        "End near rules",
        "The trained network is read back as rules and becomes the network of these, so that what page Compare shows "
        "is what it does. It is less often right than a free one.",
        "off: a threshold turned free networks into rules",
    ),
    Setting(
        "seed", "Random seed", "The order of texts and what is dropped; the same seed gives the same run.", "four seeds"
    ),
    Setting(
        "threads",
        "CPU threads",
        "One is as quick as more while networks are small, and leaves the pages theirs. 0 is one as well.",
        "not told",
        highest=64,
    ),
)
NETWORK = (
    Setting(
        "machines",
        "Machines",
        "One for each rule can be read back rule by rule; one for each label is smaller.",
        "one automaton a rule, all of them side by side",
        ("rule", "label"),
    ),
    Setting(
        "vectors",
        "Word vectors",
        "What the network knows of words that no rule names. auto: the sentence encoder if it is installed, else "
        "builtin (learned from your own texts); context: the encoder's vectors of each word in its sentence, more "
        "accurate, slower, and read back only roughly; none: rules' words only.",
        "GloVe, kept fixed",
        ("auto", "builtin", "encoder", "context", "none"),
    ),
    Setting(
        "scoring",
        "Scores",
        "forward adds up all paths through an automaton; viterbi takes the best path alone.",
        "forward; viterbi for comparison",
        ("forward", "viterbi"),
    ),
    Setting(
        "auxiliary",
        "Reader beside the rules",
        "An ordinary recurrent network that learns by itself and is added to what the rules say. Often right where no "
        "rule is; what it says cannot be read back as rules.",
        "none",
        ("none", *AUXILIARY_ENCODERS),
    ),
    Setting(
        "auxiliary_weight",
        "How much the reader counts",
        "Training begins with this. Of it, 0, 0.25, 0.5 and 1 it keeps what suits texts held out: the largest that dev "
        "can hardly tell from the best one, or, where so few texts take turns, the one right most often.",
        "none",
        step=0.25,
        highest=10,
    ),
    Setting("auxiliary_states", "Its states", "How much the reader beside the rules can hold.", "none", highest=1000),
    Setting(
        "extra_states",
        "Extra states",
        "Empty states that training may connect to learn new patterns.",
        "0 or 30, chosen on dev",
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
        "off; on for comparison",
    ),
    Setting(
        "state_head",
        "Read labels off all states",
        "Labels may use half-matched rules as hints. Often more accurate; such hints cannot be read back as rules.",
        "off",
    ),
    Setting("logit_scale", "Sharpness", "How sure a matched rule makes the network before training.", "1", step=0.5),
    Setting(
        "dropout",
        "Dropout",
        "Share of the word vectors that is hidden at random while it learns.",
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
    Setting("seed", "Random seed", "Of the extra states' first weights.", "four seeds"),
)
VARIANTS = (
    Setting(
        "cell",
        "Cell",
        "rnn reads word by word as the automaton does; gru adds gates that may hold a state or forget it.",
        "both, as FA-RNN and FA-GRU",
        ("rnn", "gru"),
    ),
    Setting(
        "bidirectional",
        "Read both ways",
        "A second reader runs the reversed rules from the right.",
        "both, as FA-RNN and BiFA-RNN",
    ),
    Setting(
        "decomposed",
        "Factors",
        "Off: one weight for each word and arc, larger and without word vectors.",
        "on; off for comparison",
    ),
    Setting(
        "rank",
        "Rank",
        "Empty for exact factors. A smaller number than the exact one makes the network smaller and no longer equal to "
        "the rules.",
        "150 or 200",
        step=1,
        highest=10_000,
    ),
    Setting("normalize", "Even out the factors", "Scales the factors to equal norms, as the paper does.", "on"),
    Setting(
        "rule_weight",
        "Share of the rules' words",
        "Empty keeps the untrained network exactly equal to the rules. A share from 0 to 1 mixes word vectors in from "
        "the start, as the paper does, and is equal only nearly.",
        "0.3, 0.5, 0.7 or 1, chosen on dev",
        step=0.05,
        highest=1,
    ),
    Setting(
        "initial",
        "Begins as",
        "The rules, or random weights of the same shape, to see what rules are worth.",
        "rules; random for comparison",
        ("rules", "random"),
    ),
    Setting(
        "aggregation",
        "Label logic",
        "logic computes each label's formula as it is written; layers computes the same as two linear layers, rules to "
        "clauses and clauses to labels, as the paper does.",
        "layers",
        ("logic", "layers"),
    ),
    Setting(
        "aggregation_activation",
        "Clamp the layers",
        "Layers only. Off: the layers are linear and only approximate the rules, for a label then counts its rules "
        "that match instead of asking whether any does.",
        "on or off, whichever does better",
    ),
    Setting(
        "train_aggregation",
        "Train the label logic",
        "Layers only. How rules make labels is learned too, at the rate of the head; with few examples that rate is 0 "
        "and nothing is learned.",
        "on",
    ),
    Setting("train_wildcard", "Train $ arcs", "Whether the arcs that read any word are trained.", "on"),
    Setting("train_ends", "Train starts and ends", "Whether first and final states are trained.", "on"),
)
DEVICE = Setting("device", "Runs on", "auto takes a GPU where there is one.", "not told")
