"""Rules as estimators of scikit-learn: `RuleClassifier` for labels, `RuleTagger` for slots.

They follow scikit-learn's interface: the constructor stores, `fit` checks. X is a list, array or Series of texts. With
`y=None` the rules predict as they are written; with `y` their network is trained on it. They work in `Pipeline`,
`GridSearchCV`, `cross_val_score` and `CalibratedClassifierCV`.

`check_estimator` makes matrices of numbers, which these estimators refuse, so it leaves out every check that calls
`fit`; scikit-learn does the same for its own estimators of texts. tests/api/test_sklearn.py runs all of its checks and
names those that fail, each with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from re2nn_core.api.classification import LabelModel
from re2nn_core.api.models import Model, compile, load
from re2nn_core.api.slot_filling import SlotModel
from re2nn_core.errors import InputError
from re2nn_core.task import Task
from re2nn_core.text.given_texts import checked_texts, is_table, shown_value
from re2nn_core.text.tokenization import Tokenization

NO_PREDICTION = "(no prediction)"  # the class of texts that no rule matches, where there is no default label
Spans = list[tuple[int, int, str]]


class _RuleEstimator(BaseEstimator):
    """What both estimators share: the parameters, and rules that become a model in `fit`.

    rules, logic   texts, or paths of files, as `re2nn_core.compile` takes them
    model          the folder of a model, instead of rules: its network predicts, and `y` trains its rules again
    tokenizer      with `lowercase`, how texts become words
    objective      interpretable or accuracy; it and the further settings are those of `re2nn train`. What is None is
                   chosen by the number of texts; `settings` are any other ones, by name
    """

    _task = Task.CLASSIFICATION

    def __init__(  # noqa: PLR0913 - scikit-learn reads the parameters off the constructor
        self,
        rules: str | Path = "",
        *,
        logic: str | Path | None = None,
        model: str | Path | None = None,
        tokenizer: str | Tokenization = "whitespace",
        lowercase: bool = True,
        objective: str = "interpretable",
        epochs: int | None = None,
        learning_rate: float | None = None,
        batch_size: int | None = None,
        seed: int = 0,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.rules = rules
        self.logic = logic
        self.model = model
        self.tokenizer = tokenizer
        self.lowercase = lowercase
        self.objective = objective
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.seed = seed
        self.settings = settings

    def _fitted(self, texts: Sequence[str], targets: Sequence[Any] | None) -> Model:
        """The model of the rules, trained on the targets where there are some. InputError, RuleError, LogicError."""
        model = self._begin()
        if targets is None:
            return model
        from re2nn_core.api.training import train  # loads torch, which rules do without

        check_consistent_length(texts, targets)
        named = {name: getattr(self, name) for name in ("epochs", "learning_rate", "batch_size", "seed")}
        given = {name: value for name, value in named.items() if value is not None} | {**(self.settings or {})}
        return train(model, zip(texts, targets, strict=True), objective=self.objective, **given)

    def _begin(self) -> Model:
        """The model as it is before training."""
        name = type(self).__name__
        if bool(self.rules) == (self.model is not None):
            raise InputError(
                f"{name} takes rules or a model, one of them. Write {name}(rules=...) or {name}(model=...)."
            )
        if self.model is None:
            return compile(
                self.rules, logic=self.logic, tokenizer=self.tokenizer, lowercase=self.lowercase, task=self._task
            )
        found = load(self.model)
        if found.task is not self._task:
            raise InputError(f"{self.model} is a model for {found.task.in_words}; {name} is for {self._task.in_words}.")
        return found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.one_d_array = tags.no_validation = True
        tags.input_tags.two_d_array = tags.target_tags.required = False
        return tags


class RuleClassifier(ClassifierMixin, _RuleEstimator):
    """Rules that label texts.

    classes_   [classes]: the labels of the rules and of `y`, sorted; NO_PREDICTION too where no rule may match
    model_     the `re2nn_core.LabelModel` behind it
    """

    def fit(self, X: Iterable[str], y: Iterable[str] | None = None) -> RuleClassifier:
        """Train the network of the rules on texts and their labels; without labels the rules predict as they are.
        InputError; RuleError, LogicError for rules with errors."""
        texts = checked_texts(X)
        labels = None if y is None else [_label(label) for label in _column(y)]
        self.model_ = cast(LabelModel, self._fitted(texts, labels))
        names = {*self.model_.labels}
        if not self.model_.trained and self.model_.system.logic.default is None:
            names.add(NO_PREDICTION)
        self.classes_ = np.array(sorted(names), dtype=object)
        return self

    def predict(self, X: Iterable[str]) -> NDArray[np.object_]:
        """[texts]: a label each. InputError; NotFittedError."""
        check_is_fitted(self, "model_")
        labels = self.model_.predict(checked_texts(X))
        return np.array([NO_PREDICTION if label is None else label for label in labels], dtype=object)

    def predict_proba(self, X: Iterable[str]) -> NDArray[np.float64]:
        """[texts, classes]: probabilities, which sum to 1. InputError; NotFittedError."""
        check_is_fitted(self, "model_")
        texts = checked_texts(X)
        place = {name: number for number, name in enumerate(self.classes_)}
        shares = np.zeros((len(texts), len(place)))
        shares[:, [place[label] for label in self.model_.labels]] = self.model_.predict_proba(texts)
        if NO_PREDICTION in place:
            without = [label is None for label in self.model_.predict(texts)]
            shares[without] = 0
            shares[without, place[NO_PREDICTION]] = 1
        return shares / np.maximum(shares.sum(1, keepdims=True), np.finfo(np.float64).tiny)


class RuleTagger(_RuleEstimator):
    """Rules that find spans in texts; a target is a list of (start, end, slot), counted in characters.

    classes_   the tags that a word can have, O first
    model_     the `re2nn_core.SlotModel` behind it
    """

    _task = Task.SLOT_FILLING

    def fit(self, X: Iterable[str], y: Iterable[Spans] | None = None) -> RuleTagger:
        """Train the network of the rules on texts and their spans; without spans the rules predict as they are.
        InputError; RuleError, LogicError for rules with errors."""
        texts = checked_texts(X)
        targets = (
            None if y is None else [list(one) if isinstance(one, tuple | np.ndarray) else one for one in _column(y)]
        )
        self.model_ = cast(SlotModel, self._fitted(texts, targets))
        self.classes_ = np.array(self.model_.tags, dtype=object)
        return self

    def predict(self, X: Iterable[str]) -> list[Spans]:
        """The spans of each text. InputError; NotFittedError."""
        check_is_fitted(self, "model_")
        return [[(one.start, one.end, one.slot) for one in spans] for spans in self.model_.predict(checked_texts(X))]

    def predict_proba(self, X: Iterable[str]) -> list[NDArray[np.float32]]:
        """For each text [tokens, classes]: probabilities of the tags. InputError; NotFittedError."""
        check_is_fitted(self, "model_")
        return self.model_.predict_proba(checked_texts(X))

    def score(self, X: Iterable[str], y: Iterable[Spans]) -> float:
        """F1 of spans: a span is correct if its borders and its slot are. 1 where there is none to find and none is
        predicted. InputError; NotFittedError."""
        predicted = [set(spans) for spans in self.predict(X)]
        correct = [{(int(start), int(end), str(slot)) for start, end, slot in spans} for spans in y]
        check_consistent_length(predicted, correct)
        found = sum(len(left & right) for left, right in zip(predicted, correct, strict=True))
        total = sum(map(len, predicted)) + sum(map(len, correct))
        return 2 * found / total if total else 1.0


def _column(given: Any) -> Any:
    """y as it is. InputError for what is no list of labels."""
    if is_table(given):
        raise InputError(
            f"y is a table of shape {given.shape}, not a list of labels. "
            'Give one column: y.ravel() of an array, or table["label"].'
        )
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise InputError(f"y is no list (got {shown_value(given)}). Give a label for each text: fit(texts, labels).")
    return given


def _label(given: Any) -> str | None:
    """A label, or None for a text without one. InputError for a label that is no string."""
    if given is not None and not isinstance(given, str):
        raise InputError(
            f"y holds {given!r}, which is no string. Labels are strings, as the rules write them; None for no label."
        )
    return None if given is None else str(given)
