"""The settings of network and training, each with what it does in plain words and what the authors of FA-RNN take."""

from __future__ import annotations

from dataclasses import dataclass

from re2nn_core.guide.glossary import definition
from re2nn_core.services.values.networks import AUXILIARY_ENCODERS
from re2nn_core.services.values.networks import SETTING_TITLES as TITLES


@dataclass(frozen=True)
class Setting:
    """One input. `paper`: what the authors of FA-RNN take. `options` for a choice; otherwise the default's type
    decides. `step` for numbers; a step of one or more makes a number that may stay empty a whole one."""

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
        "epochs",
        TITLES["epochs"],
        "How often all training texts are used. One pass is an epoch.",
        "no figure is given",
        highest=1000,
    ),
    Setting(
        "patience",
        TITLES["patience"],
        "Stop after this number of epochs without an improvement on dev.",
        "no figure is given",
        highest=1000,
    ),
    Setting(
        "batch_size",
        TITLES["batch_size"],
        "Texts per update of the weights.",
        "no figure is given",
        highest=4096,
    ),
    Setting(
        "learning_rate",
        TITLES["learning_rate"],
        "Learning rate of the transition weights.",
        "chosen on dev from 0.0001 to 0.01",
        step=1e-4,
    ),
    Setting(
        "embedding_learning_rate",
        TITLES["embedding_learning_rate"],
        "Learning rate of the map from word vectors to words of the rules.",
        "the same rate for all weights",
        step=1e-3,
    ),
    Setting(
        "head_learning_rate",
        TITLES["head_learning_rate"],
        "Learning rate of the layer that computes labels from all states.",
        "the same rate for all weights",
        step=1e-3,
    ),
    Setting(
        "encoder_learning_rate",
        TITLES["encoder_learning_rate"],
        "Learning rate of the sentence encoder's own weights, where it is trained. Labels do not train it.",
        "the encoder is not trained",
        step=1e-5,
    ),
    Setting(
        "auxiliary_learning_rate",
        TITLES["auxiliary_learning_rate"],
        "Learning rate of the auxiliary encoder, if there is one.",
        "no auxiliary encoder",
        step=1e-3,
    ),
    Setting(
        "decay",
        TITLES["decay"],
        "All learning rates are multiplied by this after each epoch. 1 keeps them constant.",
        "not specified",
        step=0.01,
        highest=1,
    ),
    Setting(
        "l2_to_initial",
        TITLES["l2_to_initial"],
        f"{definition('L2 pull to the rules')} 0 turns it off.",
        "0",
        step=1e-4,
    ),
    Setting(
        "copies",
        TITLES["copies"],
        f"{definition('Ensemble')} 0 chooses automatically: five with cross-validation if texts are few, else one.",
        "one",
        highest=20,
    ),
    Setting(
        "average",
        TITLES["average"],
        "weights: average them into one network. predictions: keep all networks and average their predictions; "
        "more accurate, but slower, and such a model cannot be reconstructed or edited as one.",
        "one network",
        ("weights", "predictions"),
    ),
    Setting(
        "unlabelled",
        TITLES["unlabelled"],
        "Unlabelled texts are trained on with the predictions of the rules and this weight. Helps weak rules, "
        "can harm strong ones. 0 ignores unlabelled texts.",
        "0 for its own networks; the compared networks use such texts when there are no labels",
        step=0.05,
        highest=1,
    ),
    Setting(
        "faithful",
        TITLES["faithful"],
        f"{definition('Faithful')} It becomes the network of its reconstructed rules; less accurate than without.",
        "off: rules are reconstructed with a threshold",
    ),
    Setting("seed", TITLES["seed"], "Order of texts and dropout. The same seed gives the same result.", "four seeds"),
    Setting(
        "threads",
        TITLES["threads"],
        "One thread is usually as fast as several for small networks and keeps the pages responsive. 0 means one.",
        "not specified",
        highest=64,
    ),
)
NETWORK = (
    Setting(
        "machines",
        TITLES["machines"],
        "One per rule can be reconstructed rule by rule; one per label is smaller.",
        "one automaton per rule",
        ("rule", "label"),
    ),
    Setting(
        "vectors",
        TITLES["vectors"],
        "Representation of words that no rule names. auto: the sentence encoder if installed, else builtin "
        "(trained on your texts). context: encoder vectors of each word in its sentence, more accurate and "
        "slower. none: only words of the rules.",
        "GloVe, not trained",
        ("auto", "builtin", "encoder", "context", "none"),
    ),
    Setting(
        "scoring",
        TITLES["scoring"],
        "forward sums over all paths of an automaton; viterbi takes the best path.",
        "forward; viterbi for comparison",
        ("forward", "viterbi"),
    ),
    Setting(
        "auxiliary",
        TITLES["auxiliary"],
        f"{definition('Auxiliary encoder')} More accurate where no rule matches, but it cannot be reconstructed.",
        "none",
        ("none", *AUXILIARY_ENCODERS),
    ),
    Setting(
        "auxiliary_weight",
        TITLES["auxiliary_weight"],
        "Initial weight. Training then chooses among this, 0, 0.25, 0.5 and 1 on held-out texts.",
        "none",
        step=0.25,
        highest=10,
    ),
    Setting("auxiliary_states", TITLES["auxiliary_states"], "Size of its hidden state.", "none", highest=1000),
    Setting(
        "linear",
        TITLES["linear"],
        "A logistic regression on the mean word vector and the words of a text, added where it gains on held-out "
        "texts. It cannot be reconstructed.",
        "none",
    ),
    Setting(
        "tie_margin",
        TITLES["tie_margin"],
        "Distance in training between the first of several labels that match and the others. 0: training takes 0.25.",
        "none",
        step=0.05,
        highest=0.45,
    ),
    Setting(
        "extra_states",
        TITLES["extra_states"],
        "Unused states that training may connect to learn new patterns.",
        "0 or 30, chosen on dev",
        highest=200,
    ),
    Setting(
        "block_diagonal",
        TITLES["block_diagonal"],
        f"{definition('Block-diagonal')} Required for reconstruction.",
        "off",
    ),
    Setting(
        "train_words",
        TITLES["train_words"],
        "The weights of words of the rules are trained, too.",
        "off; on for comparison",
    ),
    Setting(
        "state_head",
        TITLES["state_head"],
        "Labels are computed from all states, so partly matched rules count. Often more accurate, but this "
        "part cannot be reconstructed.",
        "off",
    ),
    Setting("logit_scale", TITLES["logit_scale"], "Confidence of a matched rule before training.", "1", step=0.5),
    Setting(
        "dropout",
        TITLES["dropout"],
        "Share of word vector entries that is set to zero at random in training.",
        "not specified",
        step=0.05,
    ),
    Setting(
        "clamp_gradient_slope",
        TITLES["clamp_gradient_slope"],
        "Slope of the gradient where a state is clamped, from 0 to 1.",
        "states are not clamped",
        step=0.05,
    ),
    Setting("seed", TITLES["seed"], "Initial weights of the extra states.", "four seeds"),
)
VARIANTS = (
    Setting(
        "cell",
        TITLES["cell"],
        "rnn steps through words as the automaton does; gru adds gates.",
        "both, as FA-RNN and FA-GRU",
        ("rnn", "gru"),
    ),
    Setting(
        "bidirectional",
        TITLES["bidirectional"],
        "A second network runs the reversed rules from the right.",
        "both, as FA-RNN and BiFA-RNN",
    ),
    Setting(
        "decomposed",
        TITLES["decomposed"],
        "Off: one weight for each word and transition. Larger, and without word vectors.",
        "on; off for comparison",
    ),
    Setting(
        "rank",
        TITLES["rank"],
        "Empty for exact factors. A smaller rank makes the network smaller, but only approximately equal to the rules.",
        "150 or 200",
        step=1,
        highest=10_000,
    ),
    Setting("normalize", TITLES["normalize"], "Scales the factors to equal norms, as in the paper.", "on"),
    Setting(
        "rule_weight",
        TITLES["rule_weight"],
        "Empty: the untrained network is exactly equal to the rules. From 0 to 1: word vectors are mixed in "
        "from the start, as in the paper, and the network only approximates the rules.",
        "0.3, 0.5, 0.7 or 1, chosen on dev",
        step=0.05,
        highest=1,
    ),
    Setting(
        "initial",
        TITLES["initial"],
        "The rules, or random weights of the same shape as a baseline.",
        "rules; random for comparison",
        ("rules", "random"),
    ),
    Setting(
        "aggregation",
        TITLES["aggregation"],
        "logic evaluates each label's formula as written; layers computes the same with two linear layers "
        "(rules to clauses, clauses to labels).",
        "layers",
        ("logic", "layers"),
    ),
    Setting(
        "aggregation_activation",
        TITLES["aggregation_activation"],
        "Only with layers. Off: the layers are linear and only approximate the rules, because matching rules "
        "are added up.",
        "on or off, whichever is better",
    ),
    Setting(
        "train_aggregation",
        TITLES["train_aggregation"],
        "Only with layers. The layers are trained with the learning rate of the output layer, which is 0 for "
        "few texts.",
        "on",
    ),
    Setting("train_wildcard", TITLES["train_wildcard"], "Train the transitions of the wildcard.", "on"),
    Setting("train_ends", TITLES["train_ends"], "Train which states are initial and final.", "on"),
)
DEVICE = Setting("device", TITLES["device"], "auto uses a GPU if there is one.", "not specified")
