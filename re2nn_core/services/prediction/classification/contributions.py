"""What each rule is worth: where it fires, how often it is right there, and how accurate the rest would be without it.

Both for the trained network and for the rules as written, which the network was before its training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.classification.leaving_out import run_without_each
from re2nn_core.rules.logic.label_logic import decide_all
from re2nn_core.services.prediction.classification.encoding import encode
from re2nn_core.services.prediction.classification.predictor import predicting
from re2nn_core.services.prediction.new_words import knowing
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import words_of_all

FIRES_ABOVE = 0.5


@dataclass(frozen=True)
class Contribution:
    """One rule on labelled texts. `fires`: its score is above 1/2; `right`: these carry the rule's label, `wrong`: they
    carry another one; `without`: the accuracy, a share of 1, if the rule kept silent."""

    fires: int
    right: int
    without: float

    @property
    def wrong(self) -> int:
        return self.fires - self.right


@dataclass(frozen=True)
class RuleContribution:
    """One rule in the trained network, and as it was written."""

    name: str
    label: str
    trained: Contribution
    written: Contribution


@dataclass(frozen=True)
class Contributions:
    """All rules that the label logic names, in the order of the network. `trained` and `written` are the accuracies
    with every rule."""

    texts: int
    trained: float
    written: float
    rules: tuple[RuleContribution, ...]


def rule_contributions(bundle: Bundle, corpus: Corpus) -> Contributions:
    """Measure every rule on the labelled texts of a corpus. InputError where there are none, or where the network has
    one machine a label, so that its rules have no scores."""
    examples = [example for example in corpus if example.label is not None]
    if not examples:
        raise InputError("None of the texts has a label, so rules cannot be measured.\nLabel some texts.")
    if bundle.config.machines != "rule":
        raise InputError(
            f"This model was trained with --automata {bundle.config.machines}, so its rules have no scores of their "
            "own.\nTrain with one automaton for each rule (the default) to see what each is worth."
        )
    if bundle.copies:
        raise InputError(
            f"This model is an ensemble of {1 + len(bundle.copies)} networks, so its rules have several "
            "scores each.\nTrain with “Combine members by: weights” (--average weights) to see what each is worth."
        )
    texts = [example.text for example in examples]
    gold = np.asarray([example.label for example in examples], dtype=np.str_)
    names = bundle.network.names
    label_of = {rule.name: rule.label for rule in bundle.ruleset.rules}
    # [texts, rules]: the text carries the rule's label
    fitting = gold[:, None] == np.asarray([label_of[name] for name in names], dtype=np.str_)[None, :]
    trained = _by_network(bundle, texts, gold, fitting)
    written = _by_rules(bundle, texts, gold, fitting)
    return Contributions(
        len(examples),
        trained[0],
        written[0],
        tuple(
            RuleContribution(name, label_of[name], trained[1][place], written[1][place])
            for place, name in enumerate(names)
        ),
    )


Measured = tuple[float, list[Contribution]]  # the accuracy with all rules, and each rule


def _by_network(bundle: Bundle, texts: Sequence[str], gold: NDArray[np.str_], fitting: NDArray[np.bool_]) -> Measured:
    known = knowing(bundle, words_of_all(texts, bundle.tokenization))
    encoded = encode(known, texts)
    found = run_without_each(known.network, encoded.codes, **predicting(bundle), context=encoded.context)
    right = _right(bundle.network.logic.labels, gold)
    without = [right(predictions) for predictions in found.without]
    return right(found.predictions), _each(found.machine_scores > FIRES_ABOVE, fitting, without)


def _by_rules(bundle: Bundle, texts: Sequence[str], gold: NDArray[np.str_], fitting: NDArray[np.bool_]) -> Measured:
    """The rules as written, symbolically: what the untrained network does exactly."""
    system = RuleSystem(bundle.ruleset, bundle.logic, bundle.tokenization, bundle.rules_text, bundle.logic_text)
    right = _right(system.logic.labels, gold)
    matched = system.matched(texts)  # [texts, all rules]
    columns = [system.rule_names.index(name) for name in bundle.network.names]
    without = []
    for column in columns:
        silenced = matched.copy()
        silenced[:, column] = False
        without.append(right(decide_all(system.logic, system.rule_names, silenced)))
    return right(decide_all(system.logic, system.rule_names, matched)), _each(matched[:, columns], fitting, without)


def _right(labels: Sequence[str], gold: NDArray[np.str_]) -> Callable[[NDArray[np.int64]], float]:
    """From predictions [texts], indices into the labels or -1, to their accuracy."""
    number = {label: place for place, label in enumerate(labels)}
    # -2 for a label that is no prediction of this system, so that it is never equal to "no prediction", -1.
    known = np.asarray([number.get(str(label), -2) for label in gold], dtype=np.int64)
    return lambda predictions: float((predictions == known).mean())


def _each(matched: NDArray[np.bool_], fitting: NDArray[np.bool_], without: Sequence[float]) -> list[Contribution]:
    """One entry a rule from fired, fitting [texts, rules]."""
    fires, right = matched.sum(0), (matched & fitting).sum(0)
    return [Contribution(int(fires[n]), int(right[n]), share) for n, share in enumerate(without)]
