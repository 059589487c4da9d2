"""Many texts at once: predictions and their grounds, filters, export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch
from support.networks.small_system import LOGIC, small_corpus, small_system

from re2nn_core.exchange.read import read_table
from re2nn_core.services.explanation.classification.reasons import reasons_for
from re2nn_core.services.prediction.classification.predictions import (
    Predictions,
    RowFilter,
    accuracy_of,
    export,
    predict_texts,
    select,
    wrong_predictions,
)
from re2nn_core.services.prediction.classification.predictor import untrained
from re2nn_core.services.prediction.classification.rule_precision import measure_rules
from re2nn_core.services.prediction.table_rows import SourceRows, source_of
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.text.tokenization import Tokenization

TEXTS = ["a flight to rome", "how much is a flight", "nothing at all", "the price please"]


@pytest.fixture(scope="module")
def predicted() -> Predictions:
    return predict_texts(small_system(), None, TEXTS)


@pytest.fixture(scope="module")
def silent() -> Predictions:
    """Rules without a default label."""
    return predict_texts(small_system(logic=""), None, TEXTS)


def measured(predicted: Predictions, gold: Sequence[str | None]) -> Predictions:
    """With the precision that the rules have on the same texts."""
    return replace(predicted, measured=measure_rules(predicted.system, predicted.matched, gold))


def biased() -> Predictions:
    """A trained network that says money more often than its rules do."""
    system = small_system()
    bundle = untrained(system, TEXTS)
    with torch.no_grad():
        bundle.network.bias[bundle.logic.labels.index("money")] = 5
    return replace(predict_texts(system, bundle, TEXTS), trained=True)


def test_the_untrained_network_never_differs_from_its_rules(predicted):
    assert [predicted.prediction(place) for place in range(4)] == ["travel", "money", "travel", "money"]
    assert not predicted.differing.any()


def test_what_decided_is_named(predicted, silent):
    assert tuple(map(predicted.ground_in_words, range(4))) == ("go", "much", "default label", "price")
    assert silent.ground_in_words(2) == "no rule"
    assert silent.prediction(2) is None


def test_a_network_without_a_rule_behind_it_says_so():
    found = biased()
    assert found.differing.tolist() == [True, False, True, False]
    assert found.ground(2) == "network"
    assert found.ground_in_words(2) == "network alone"


def test_progress_counts_all_texts():
    reported = []
    predict_texts(small_system(), None, small_corpus().texts, on_progress=lambda *given: reported.append(given))
    assert reported[-1] == (64, 64)


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        (RowFilter(), [0, 1, 2, 3]),
        (RowFilter(labels=("money",)), [1, 3]),
        (RowFilter(labels=("money", "travel")), [0, 1, 2, 3]),
        (RowFilter(search="FLIGHT"), [0, 1]),
        (RowFilter(search="flight", labels=("travel",)), [0]),
        (RowFilter(differing=True), []),
        (RowFilter(labels=("no such label",)), []),
    ],
)
def test_filters(predicted, wanted, places):
    assert select(predicted, wanted).tolist() == places


def test_filter_for_texts_without_a_prediction(silent):
    assert select(silent, RowFilter(labels=("",))).tolist() == [2]


def test_filter_by_the_confidence_of_a_network():
    found = biased()
    shown = np.round(found.confidence, 2)
    assert select(found, RowFilter(lowest=0.5)).tolist() == np.flatnonzero(shown >= 0.5).tolist()
    assert select(found, RowFilter(highest=0.98)).tolist() == np.flatnonzero(shown <= 0.98).tolist()


def test_filter_by_the_precision_of_rules(predicted):
    gold = ("travel", "money", None, "travel")
    found = measured(predicted, gold)
    assert select(found, RowFilter(lowest=0.5)).tolist() == [0, 1]
    assert select(found, RowFilter(highest=0.5)).tolist() == [3]
    assert select(found, RowFilter()).tolist() == [0, 1, 2, 3]  # what nobody has measured too
    assert select(predicted, RowFilter(lowest=0.01)).tolist() == []


def test_right_and_wrong_count_labelled_texts_alone(predicted):
    gold = ["travel", "travel", None, "money"]
    assert wrong_predictions(predicted, gold).tolist() == [False, True, False, False]
    assert accuracy_of(predicted, gold) == pytest.approx(2 / 3)
    assert select(predicted, RowFilter(wrong=True), gold).tolist() == [1]
    assert accuracy_of(predicted, [None] * 4) is None


def test_a_label_that_nobody_knows_is_wrong(predicted):
    assert wrong_predictions(predicted, ["other", None, None, None]).tolist() == [True, False, False, False]


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
def test_export_keeps_the_other_columns(predicted, format):
    source = SourceRows(("number", "text", "prediction"), tuple((str(n), text, "mine") for n, text in enumerate(TEXTS)))
    table = read_table(export(predicted, [1, 3], source, format), f"out.{format}")
    assert table.columns == (
        "number", "text", "prediction", "prediction_2", "decided_by",
    )  # fmt: skip
    assert table.column("number") == ("1", "3")
    assert table.column("prediction_2") == ("money", "money")
    assert table.column("decided_by") == ("much", "price")


def test_export_guards_cells_that_a_spreadsheet_would_run():
    found = predict_texts(small_system(), None, ["=1+1 flight", "@cmd"])
    assert b"'=1+1 flight" in export(found, [0, 1], None, "csv")
    assert b"'@cmd" in export(found, [0, 1], None, "csv")


def test_source_is_cut_to_the_rows_that_were_kept():
    table = read_table(b"text,label\na flight,travel\n,travel\nhow much,money\n", "t.csv")
    assert source_of(table, [2, 4]).rows == (("a flight", "travel"), ("how much", "money"))


def test_reasons_name_rules_words_and_labels(predicted):
    reasons = reasons_for(predicted, 1)
    assert [(hit.name, hit.matches) for hit in reasons.matches] == [("much", True), ("go", False)]
    assert reasons.sentence == "Matched by much. go also matched, for travel, but money has priority over travel."
    assert [reasons.text[start:end] for start, end, _ in reasons.marks] == ["how", "much"]
    assert reasons.ranked[0][0] == "money"


def test_words_of_every_rule_that_decides_are_marked():
    """Only the words of the first rule were, so that the web address that decided was not."""
    rules = '[spam]\nfirst := $* congrats $*\nsecond := $* re"[a-z]+[.]example" $*\n[ham]\nthird := $* see $*\n'
    system = read_system(rules, 'labels = ["spam", "ham"]\n', Tokenization())[0]
    found = reasons_for(predict_texts(system, None, ["congrats see shop.example"]), 0)
    assert [(hit.name, hit.matches) for hit in found.matches] == [("first", True), ("second", True), ("third", False)]
    assert [found.text[start:end] for start, end, _ in found.marks] == ["congrats", "shop.example"]


@pytest.mark.parametrize(
    ("logic", "reason"),
    [
        ('priorities = ["money > travel"]', "money has priority over travel"),
        ('labels = ["money", "travel"]', "money comes before travel in the label logic"),
        ('logic = ["go & !much -> travel"]', "the formula of travel does not hold"),
        (
            'priorities = ["travel > money"]\nfirst = ["much -> money"]',
            "much predicts first (label logic): where it matches, no other label counts",
        ),
    ],
)
def test_reasons_say_why_rules_of_other_labels_did_not_decide(logic: str, reason: str):
    reasons = reasons_for(predict_texts(small_system(logic=logic), None, TEXTS[1:2]), 0)
    assert reasons.sentence == f"Matched by much. go also matched, for travel, but {reason}."


def test_reasons_of_a_difference():
    reasons = reasons_for(biased(), 2)
    assert reasons.sentence.startswith("The rules predict travel; the trained network predicts money")


def test_a_file_holds_what_the_screen_shows(predicted):
    """Rules have a precision where one was measured, a network its confidence; nothing else is a number."""
    by_rules = measured(predicted, ["travel", "travel", None, "money"])
    columns = ("rules_precision", "rules_precision_low", "rules_precision_high", "rules_precision_texts")

    def cells(found: Predictions, places: Sequence[int] = range(4), of: Sequence[str] = columns) -> list:
        table = read_table(export(found, places, None, "csv"), "out.csv")
        return list(zip(*(table.column(name) for name in of if name in table.columns), strict=True))

    right, wrong, blank = ("1.0000", "0.2065", "1.0000", "1"), ("0.0000", "0.0000", "0.7935", "1"), ("",) * 4
    assert cells(by_rules) == [right, wrong, blank, right]
    # Where nothing was measured there are no columns of it.
    assert cells(by_rules, [2]) == cells(predicted) == cells(biased()) == []
    assert cells(predicted, of=["confidence", "rules_prediction", "rules_differ"]) == []
    assert cells(biased(), of=["confidence"]) == [(f"{share:.4f}",) for share in biased().confidence]
    assert cells(biased(), of=["rules_prediction", "rules_differ"])[0] == ("travel", "yes")


def test_a_file_says_whether_each_prediction_is_the_label_of_the_text(predicted):
    source = SourceRows(("text", "label"), tuple(zip(TEXTS, ("travel", "travel", None, "money"), strict=True)))
    gold = ("travel", "travel", None, "money")
    table = read_table(export(predicted, range(4), source, "csv", gold), "out.csv")
    assert table.columns == ("text", "label", "prediction", "prediction_correct", "decided_by")
    assert table.column("prediction_correct") == ("yes", "no", "", "yes")


def test_what_a_prediction_is_worth_in_words(predicted, silent):
    by_rules = measured(predicted, ["travel", "money", None, "travel"])
    assert [reasons_for(by_rules, place).certainty for place in range(4)] == [
        "precision 100% (21% to 100%), 1 text",
        "precision 100% (21% to 100%), 1 text",
        "default label, no rule matches",
        "precision 0% (0% to 79%), 1 text",
    ]
    assert [(hit.name, hit.precision is None) for hit in reasons_for(by_rules, 1).matches] == [
        ("much", False),
        ("go", False),
    ]
    assert reasons_for(predicted, 0).certainty == reasons_for(silent, 2).certainty == ""
    assert reasons_for(biased(), 0).certainty == f"confidence {biased().confidence[0]:.2f}"
    assert [bool(reasons_for(found, 0).scored) for found in (predicted, biased())] == [False, True]
    of_default = reasons_for(measured(predicted, [None, None, "money", None]), 2)
    assert of_default.certainty == "default label, no rule matches, precision 0% (0% to 79%), 1 text"


def test_reasons_without_any_rule(predicted, silent):
    assert reasons_for(predicted, 2).sentence == "No rule decides this text, so it gets the default label."
    assert reasons_for(silent, 2).sentence == "No rule matches this text, and there is no default label."


def test_labels_that_only_the_rules_know_are_kept():
    """A run trained before a label was added: the rules of now know one label more."""
    old = untrained(small_system(), TEXTS)
    rules = "[travel]\ngo := $* ( flight | flights ) $*\n[seat]\nplace := $* nothing $*\n"
    found = predict_texts(small_system(rules, ""), old, TEXTS)
    assert found.labels == ("travel", "money", "seat")
    assert found.rules_prediction(2) == "seat"
    assert found.scores.shape == (4, 3)
    assert "default" in LOGIC
