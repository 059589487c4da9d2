"""What a network is for: to be read back as rules, or to be right as often as it can; and the settings that follow.

Found on train and dev of the three published sets, with the encoder's vectors of words in their sentences (dev, ATIS /
QC / SMS): with fifty texts, rules that keep their arcs and logits four times the scores 91.9 / 71.7 / 95.5, against
91.8 / 70.0 / 94.1 for arcs anywhere; with five thousand, arcs anywhere and three networks that predict together 97.7 /
93.0 / 99.6, against 97.9 / 91.8 / 99.5 for one. In between, with a tenth of the texts, arcs anywhere did better on dev
of QC and SMS (496 and 450 texts: 83.9 against 78.4, 98.2 against 97.1; means of two seeds), were level on dev of ATIS
(398 texts: 93.8, 93.6), and worse where clusters of ATIS texts were held out as a whole. There three networks that
predict together do better than one, too, or as well (dev of other seeds: QC 85.4 against 83.1, two; SMS with a vector
for each word 98.3 against 98.4, eight), and a state head or larger steps do not (QC 83.3, 83.2).

An auxiliary encoder, counted as auxiliary_weight.py says, with networks that predict together (dev of seeds from 10
on, ATIS / QC / SMS): with 1% of the texts an RNN at a rate of 0.01 91.1 / 79.3 / 93.9 against 91.9 / 68.7 / 93.7
without it (QC: an LSTM at 0.005 75.0, rates of 0.005 and 0.002 for the RNN 76.3 and 71.6); with a tenth an LSTM at
0.002 94.7 / 88.1 / 98.6 against 93.7 / 86.6 / 98.5 (QC: an RNN at 0.005 87.4, a BiRNN at 0.002 87.0); with all of QC
92.8 against 91.8 (one seed). Where the encoder does not know the words, an auxiliary encoder of vectors made from the
texts themselves was right less often (413 texts of the sample about flights, held out: 74.3 with it, 77.7 without), so
there is none.

Interpretable rules: weights of words in addition to the rules (linear_layer.py), by the encoder's vectors of words,
averaged over the texts that have them (prediction/classification/encoding.py), or by vectors made from the texts. 413
texts of the sample about flights, rules and layer alone, three orders, out-of-fold / dev: rules 71.2 / 74.5; vectors of
words alone 82.5 / 83.3, averaged 86.1 / 88.2, in their sentences, as for accuracy, 88.1 / 88.2. All texts of TREC /
ATIS with vectors made from them, dev: 82.8 / 97.1, without the layer 81.4 / 94.2. For every number of texts held-out
ones decide whether it is added (tests/benchmarks/records/few_texts.md has 20 to 1,000 of them).

Without a labelled text an auxiliary encoder can learn the rules' own predictions, while the rules stay as they are: it
sees words that these do not name. Dev of ATIS / QC / SMS, one seed, three BiGRUs that count eight times: 92.8 / 62.0 /
93.8 against 91.8 / 58.4 / 92.6 of the rules. Found with two seeds more, means: counting once 92.6 / 59.1 / 92.4, four
times 92.8 / 61.3 / 93.0; three LSTMs (three seeds) four times 92.4 / 61.4 / 92.3. Since then what rules leave over
weighs less (prediction/classification/pseudo_labels.py), which changes SMS alone. These sets have 4,000 to 5,000 texts:
with the 413 of the sample about flights (ten labels, test) it was right on 31.4 in the place of 70.6, so with few there
is none.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.network.configuration.setting_titles import setting_in_words
from re2nn_core.services.fine_tuning.objective import Objective
from re2nn_core.services.fine_tuning.training_plan import FEWEST

TINY = 200  # with fewer training texts logits stay small
MANY = 3000  # predictions of the rules that can teach an auxiliary encoder; one taught by fewer knows nothing
TAUGHT_SHARE = 8.0  # how much an auxiliary encoder counts that the rules alone have taught
SOME = 400  # so many can find new arcs, fewer only improve the written ones; several networks find different ones


def settings_for(
    objective: Objective, examples: int, *, in_context: bool | None = None, auxiliary: bool = True, predicted: int = 0
) -> dict[str, Any]:
    """The settings of NetworkConfig that differ from its defaults, for a number of training texts. `in_context`:
    whether the encoder knows the words of the texts (None: it is taken to, where it is installed). `auxiliary`: whether
    an ordinary encoder may stand beside the rules; the published networks have none. `predicted`: so many texts without
    a label are learned, too, with the rules' predictions.

    interpretable
                every rule keeps its own states and arcs, so that it can be written down again after training; words
                have weights in addition, at any place: a linear layer over vectors that do not depend on the sentence,
                where it gains on held-out texts
    accuracy    a linear layer over the whole text, where it gains on held-out texts (linear_layer.py);
                where the encoder is installed, word vectors that depend on the sentence, an auxiliary encoder, and
                networks that predict together (`training_settings_for`); from 400 texts on a machine a label, arcs
                anywhere, and states to spare
    """
    known = _knows(in_context)
    if objective == "interpretable":
        return {"linear": True} if auxiliary and examples else {}
    linear = {"linear": True} if auxiliary and examples and not _taught(examples, predicted) else {}
    begin: dict[str, Any] = {"vectors": CONTEXT if known else "auto", **linear}
    if auxiliary and known and _taught(examples, predicted):
        return {**begin, "logit_scale": 4.0, "auxiliary": "bigru", "auxiliary_weight": TAUGHT_SHARE}
    if auxiliary and known and examples:  # without a text there is nothing that an auxiliary encoder could learn
        begin["auxiliary"] = "rnn" if examples < TINY else "lstm"
    if examples < TINY:
        return {**begin, "logit_scale": 4.0}
    if examples < SOME:
        return begin
    return {**begin, "machines": "label", "block_diagonal": False, "extra_states": 60}


def _taught(examples: int, predicted: int) -> bool:
    """Whether the rules' predictions are what an auxiliary encoder learns, since there are too few labels to learn
    from."""
    return examples < FEWEST and predicted >= MANY


def _knows(in_context: bool | None) -> bool:
    return encoder_is_installed() if in_context is None else in_context


def network_in_words(config: NetworkConfig) -> str:
    """The settings of a network that are other than those of interpretable rules, in a sentence; empty where none
    is."""
    usual = NetworkConfig(**settings_for("interpretable", 1))
    given = {field.name: getattr(config, field.name) for field in fields(config) if field.name != "seed"}
    given["vectors"] = Path(config.vectors).name  # of a file no more than its name: the folder is this machine's
    changed = [setting_in_words(name, value) for name, value in given.items() if value != getattr(usual, name)]
    return f"Network ({', '.join(changed)})." if changed else ""


def training_settings_for(
    objective: Objective, examples: int, *, in_context: bool | None = None, auxiliary: bool = True, predicted: int = 0
) -> dict[str, Any]:
    """The settings of TrainConfig that differ from its defaults: for accuracy, an ensemble, and with few texts a large
    learning rate of the auxiliary encoder. `in_context`, `auxiliary` and `predicted` as for `settings_for`."""
    if objective != "accuracy":
        return {}
    taught = _taught(examples, predicted)
    auxiliary = auxiliary and (examples > 0 or taught) and _knows(in_context)
    rate = {"auxiliary_learning_rate": 0.01} if auxiliary and not taught and examples < TINY else {}
    return {"average": "predictions", **rate} if auxiliary or examples >= SOME else {}
