"""RuleClassifier and RuleTagger in scikit-learn's own tools, and what its checks say of them."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np
import pytest
import support.command_line as labels
import support.tagging_command_line as slots
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks

import re2nn_core as re2nn
from re2nn_core.errors import InputError
from re2nn_core.sklearn import NO_PREDICTION, RuleClassifier, RuleTagger

TEXTS = [text for _, text in labels.TEXTS] * 5
LABELS = [label for label, _ in labels.TEXTS] * 5
CITIES = ["fly to oslo", "to new york please", "hello"] * 8
SPANS = [[(7, 11, "to_city")], [(3, 11, "to_city")], []] * 8
CITY_RULES = "to := $* to [ oslo | new york ]<to_city> $*"
ESTIMATORS = {
    "classifier": RuleClassifier(labels.RULES, logic=labels.LOGIC, epochs=2),
    "tagger": RuleTagger(CITY_RULES, epochs=2),
}


_NUMBERS = "fits or predicts a matrix of numbers, which holds no texts"
_TARGETS = "wants its error about y, and the matrix of numbers is refused first"
# The checks of scikit-learn that fail, each with the reason; all others pass.
EXPECTED = {
    **dict.fromkeys(
        (
            "check_complex_data",
            "check_dict_unchanged",
            "check_dont_overwrite_parameters",
            "check_dtype_object",
            "check_estimators_dtypes",
            "check_estimators_fit_returns_self",
            "check_estimators_overwrite_params",
            "check_estimators_pickle",
            "check_f_contiguous_array_estimator",
            "check_fit1d",
            "check_fit2d_1feature",
            "check_fit2d_1sample",
            "check_fit2d_predict1d",
            "check_fit_check_is_fitted",
            "check_fit_idempotent",
            "check_fit_score_takes_y",
            "check_methods_sample_order_invariance",
            "check_methods_subset_invariance",
            "check_n_features_in",
            "check_n_features_in_after_fitting",
            "check_pipeline_consistency",
            "check_positive_only_tag_during_fit",
            "check_readonly_memmap_input",
        ),
        _NUMBERS,
    ),
    **dict.fromkeys(
        ("check_estimator_sparse_array", "check_estimator_sparse_matrix", "check_estimator_sparse_tag"),
        "a sparse matrix holds no texts; the error says so in other words than the check expects",
    ),
    "check_estimators_empty_data_messages": "rules that are not trained need no texts, so an empty X is fitted",
    "check_estimators_nan_inf": "there is no text that is not finite; numbers of any kind are refused",
}
EXPECTED_OF_LABELS = {
    **dict.fromkeys(
        (
            "check_classifier_data_not_an_array",
            "check_classifiers_classes",
            "check_classifiers_one_label",
            "check_classifiers_train",
        ),
        _NUMBERS,
    ),
    **dict.fromkeys(
        (
            "check_classifiers_regression_target",
            "check_requires_y_none",
            "check_supervised_y_2d",
            "check_supervised_y_no_nan",
        ),
        _TARGETS,
    ),
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_check_of_scikit_learn_passes_but_the_expected_ones(name: str) -> None:
    """Of estimators whose X are texts check_estimator leaves nearly all checks out; here X are said to be matrices."""
    expected = EXPECTED | (EXPECTED_OF_LABELS if name == "classifier" else {})
    found = estimator_checks.check_estimator(
        _of_matrices(ESTIMATORS[name]), expected_failed_checks=expected, on_skip=None, on_fail=None
    )
    failed = {one["check_name"]: repr(one["exception"]) for one in found if one["status"] == "failed"}
    assert failed == {}
    assert {one["check_name"] for one in found if one["status"] == "xfail"} == expected.keys(), "one passes by now"
    assert sum(one["status"] == "passed" for one in found) > 10


def test_check_estimator_passes_as_it_stands() -> None:
    for estimator in ESTIMATORS.values():
        with pytest.warns(SkipTestWarning, match="which requires input"):
            estimator_checks.check_estimator(clone(estimator))


def _of_matrices(estimator: Any) -> Any:
    """The same with the tags of an estimator of matrices."""

    class OfMatrices(type(estimator)):  # type: ignore[misc] - one of two classes
        def __sklearn_tags__(self) -> Any:
            tags = super().__sklearn_tags__()
            tags.input_tags.two_d_array, tags.no_validation = True, False
            return tags

    return OfMatrices(**estimator.get_params())


@pytest.mark.parametrize(("name", "texts", "targets"), [("classifier", TEXTS, LABELS), ("tagger", CITIES, SPANS)])
def test_what_the_checks_with_numbers_ask_holds_for_texts(name: str, texts: list[str], targets: list[Any]) -> None:
    """check_fit_idempotent, _dict_unchanged, _overwrite_params, _methods_subset_invariance, _sample_order_invariance,
    _fit2d_1sample, _pickle, _fit_returns_self, _readonly_memmap_input and _fit_check_is_fitted."""
    estimator = clone(ESTIMATORS[name])
    before = dict(estimator.get_params())
    with pytest.raises(NotFittedError):
        estimator.predict(texts)
    fixed = np.array(texts)
    fixed.flags.writeable = False
    assert estimator.fit(fixed, targets) is estimator
    assert estimator.get_params() == before
    after = dict(vars(estimator))
    predicted = list(estimator.predict(fixed))
    assert vars(estimator) == after
    assert [*estimator.predict(texts[:7]), *estimator.predict(texts[7:])] == predicted
    assert list(estimator.predict(texts[::-1])) == predicted[::-1]
    assert [one for text in texts for one in estimator.predict([text])] == predicted
    assert list(deepcopy(estimator).predict(texts)) == predicted
    assert list(estimator.fit(texts, targets).predict(texts)) == predicted


def test_rules_without_labels_predict_as_they_are_written() -> None:
    found = RuleClassifier(labels.RULES, logic=labels.LOGIC).fit(TEXTS)
    model = re2nn.compile(labels.RULES, logic=labels.LOGIC)
    assert found.predict(TEXTS).tolist() == model.predict(TEXTS)
    assert found.classes_.tolist() == ["fare", "flight"]
    assert found.score(TEXTS, LABELS) == 5 / 6
    shares = found.predict_proba(np.array(TEXTS))
    assert np.abs(shares - model.predict_proba(TEXTS)[:, [model.labels.index(x) for x in found.classes_]]).max() < 1e-5


def test_texts_that_no_rule_matches_have_a_class_of_their_own() -> None:
    found = RuleClassifier(labels.RULES).fit(TEXTS)
    assert found.classes_.tolist() == [NO_PREDICTION, "fare", "flight"]
    assert found.predict(["i want to go home"]).tolist() == [NO_PREDICTION]
    assert found.predict_proba(["i want to go home"]).tolist() == [[1, 0, 0]]
    assert NO_PREDICTION not in clone(found).fit(TEXTS, LABELS).classes_


def test_training_predicts_what_python_does() -> None:
    found = RuleClassifier(labels.RULES, logic=labels.LOGIC, epochs=4, seed=3).fit(TEXTS, LABELS)
    rules = re2nn.compile(labels.RULES, logic=labels.LOGIC)
    model = re2nn.train(rules, zip(TEXTS, LABELS, strict=True), epochs=4, seed=3)
    assert found.predict(TEXTS).tolist() == model.predict(TEXTS)
    order = [model.labels.index(label) for label in found.classes_]
    assert np.abs(found.predict_proba(TEXTS) - model.predict_proba(TEXTS)[:, order]).max() < 1e-5
    assert is_classifier(found)
    again = deepcopy(found)  # as joblib copies it to another process
    assert np.array_equal(again.predict_proba(TEXTS), found.predict_proba(TEXTS))


@pytest.mark.filterwarnings("ignore:No rule has the label 'other'")
def test_a_label_that_no_rule_has_is_a_class_after_training() -> None:
    found = RuleClassifier(labels.RULES, logic=labels.LOGIC, epochs=2).fit(
        [*TEXTS, "hello"] * 2, [*LABELS, "other"] * 2
    )
    assert found.classes_.tolist() == ["fare", "flight", "other"]
    assert found.predict_proba(TEXTS).shape == (len(TEXTS), 3)


def test_pipeline_and_cross_validation() -> None:
    capital = [text.upper() for text in TEXTS]
    lower = FunctionTransformer(lambda texts: [text.lower() for text in texts])
    line = make_pipeline(lower, RuleClassifier(labels.RULES, logic=labels.LOGIC, lowercase=False, epochs=2))
    assert line.fit(capital).score(capital, LABELS) == 5 / 6
    assert min(cross_val_score(line, capital, LABELS, cv=2)) >= 0.5


@pytest.mark.filterwarnings("ignore:No rule has the label 'flight'")
def test_a_grid_of_settings_is_searched() -> None:
    rules = {"rules": [labels.RULES, "[fare]\nprice := $* cost $*"], "epochs": [2]}
    search = GridSearchCV(RuleClassifier(logic='default = "fare"'), rules, cv=2, error_score="raise").fit(TEXTS, LABELS)
    assert search.best_params_["rules"] == labels.RULES
    assert search.best_estimator_.model_.bundle is not None


def test_probabilities_are_calibrated() -> None:
    found = CalibratedClassifierCV(RuleClassifier(labels.RULES, logic=labels.LOGIC, epochs=2), cv=2)
    shares = found.fit(TEXTS, LABELS).predict_proba(TEXTS)
    assert found.classes_.tolist() == ["fare", "flight"]
    assert np.allclose(shares.sum(1), 1)
    assert f1_score(LABELS, found.predict(TEXTS), pos_label="fare") > 0.5


def test_a_tagger_of_rules_predicts_their_spans() -> None:
    found = RuleTagger(CITY_RULES).fit(CITIES)
    assert found.predict(CITIES) == SPANS
    assert found.score(CITIES, SPANS) == 1
    assert found.score(["fly to oslo", "to rome"], [[(7, 11, "to_city")], [(3, 7, "to_city")]]) == 2 / 3
    assert found.score(["hello"], [[]]) == 1
    assert found.classes_.tolist() == ["O", "B-to_city", "I-to_city"]
    assert [share.shape for share in found.predict_proba(["to oslo", ""])] == [(2, 3), (0, 3)]


def test_a_tagger_is_trained_and_searched() -> None:
    search = GridSearchCV(RuleTagger(CITY_RULES), {"epochs": [2]}, cv=2, error_score="raise").fit(CITIES, SPANS)
    assert search.best_score_ > 0.5
    model = re2nn.train(re2nn.compile(CITY_RULES), zip(CITIES, SPANS, strict=True), epochs=2, seed=0)
    spans = [[(span.start, span.end, span.slot) for span in one] for one in model.predict(CITIES)]
    assert search.predict(CITIES) == spans


_FLIGHTS = partial(RuleClassifier, labels.RULES)
BAD: dict[str, tuple[Callable[[], Any], str]] = {
    "no rules": (lambda: RuleClassifier().fit(TEXTS), "RuleClassifier takes rules or a model, one of them. Write"),
    "numbers": (lambda: _FLIGHTS().fit(np.zeros((3, 2))), "The texts are a table of shape (3, 2), not a list. Give a"),
    "missing": (lambda: _FLIGHTS().fit([None, "a"]), "Text 1 of 2 is no string (got NoneType None)."),
    "one text": (lambda: _FLIGHTS().fit("flights"), "The texts are one str, not a list."),
    "labels": (lambda: _FLIGHTS().fit(["a"], [1]), "y holds 1, which is no string. Labels are strings, as the rules"),
    "few": (lambda: _FLIGHTS().fit(["a"], ["flight"]), "labelled training text"),
    "slots": (lambda: RuleTagger(labels.RULES).fit(TEXTS), "captures"),
    "spans": (lambda: RuleTagger(slots.SLOT_RULES).fit(["a"], [["b"]]), "Give spans as (start, end, slot)."),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_used_is_reported(name: str) -> None:
    call, message = BAD[name]
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_before_fit_nothing_is_predicted() -> None:
    with pytest.raises(NotFittedError, match="This RuleClassifier instance is not fitted yet"):
        _FLIGHTS().predict(TEXTS)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[30, 2\]"):
        _FLIGHTS().fit(TEXTS, ["fare", "flight"])
