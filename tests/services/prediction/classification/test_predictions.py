"""Many texts at once: answers and their grounds, filters, export."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from support.networks.small_system import LOGIC, small_corpus, small_system

from re2nn_core.exchange.read import read_table
from re2nn_core.services.explanation.classification.reasons import confidence_percent, reasons_for
from re2nn_core.services.prediction.classification.predictions import (
    Predictions,
    RowFilter,
    SourceRows,
    accuracy_of,
    export,
    predict_texts,
    select,
    source_of,
    wrong_answers,
)
from re2nn_core.services.prediction.classification.predictor import untrained

TEXTS = ["a flight to rome", "how much is a flight", "nothing at all", "the price please"]


@pytest.fixture(scope="module")
def answered() -> Predictions:
    return predict_texts(small_system(), None, TEXTS)


@pytest.fixture(scope="module")
def silent() -> Predictions:
    """Rules without a default label."""
    return predict_texts(small_system(logic=""), None, TEXTS)


def biased() -> Predictions:
    """A network that says money more often than its rules do."""
    system = small_system()
    bundle = untrained(system, TEXTS)
    with torch.no_grad():
        bundle.network.bias[bundle.logic.labels.index("money")] = 5
    return predict_texts(system, bundle, TEXTS)


def test_the_untrained_network_never_differs_from_its_rules(answered):
    assert [answered.answer(place) for place in range(4)] == ["travel", "money", "travel", "money"]
    assert not answered.differing.any()


def test_what_decided_is_named(answered, silent):
    assert answered.grounds == ("go", "much", "default label", "price")
    assert silent.grounds[2] == "no rule"
    assert silent.answer(2) is None


def test_a_network_without_a_rule_behind_it_says_so():
    found = biased()
    assert found.differing.tolist() == [True, False, True, False]
    assert found.ground(2) == "network"
    assert found.grounds[2] == "network alone"


def test_progress_counts_all_texts():
    told = []
    predict_texts(small_system(), None, small_corpus().texts, on_progress=lambda *given: told.append(given))
    assert told[-1] == (64, 64)


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
def test_filters(answered, wanted, places):
    assert select(answered, wanted).tolist() == places


def test_filter_for_texts_without_an_answer(silent):
    assert select(silent, RowFilter(labels=("",))).tolist() == [2]


def test_filter_by_confidence(silent):
    sure = np.round(silent.confidence, 2)
    assert select(silent, RowFilter(lowest=0.5)).tolist() == np.flatnonzero(sure >= 0.5).tolist()
    assert 2 in select(silent, RowFilter(highest=0.5))


def test_right_and_wrong_count_labelled_texts_alone(answered):
    gold = ["travel", "travel", None, "money"]
    assert wrong_answers(answered, gold).tolist() == [False, True, False, False]
    assert accuracy_of(answered, gold) == pytest.approx(2 / 3)
    assert select(answered, RowFilter(wrong=True), gold).tolist() == [1]
    assert accuracy_of(answered, [None] * 4) is None


def test_a_label_that_nobody_knows_is_wrong(answered):
    assert wrong_answers(answered, ["other", None, None, None]).tolist() == [True, False, False, False]


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
def test_export_keeps_the_other_columns(answered, format):
    source = SourceRows(("number", "text", "answer"), tuple((str(n), text, "mine") for n, text in enumerate(TEXTS)))
    table = read_table(export(answered, [1, 3], source, format), f"out.{format}")
    assert table.columns == (
        "number", "text", "answer", "answer_2", "confidence", "decided_by", "rules_answer", "differs",
    )  # fmt: skip
    assert table.column("number") == ("1", "3")
    assert table.column("answer_2") == ("money", "money")
    assert table.column("decided_by") == ("much", "price")


def test_export_guards_cells_that_a_spreadsheet_would_run():
    found = predict_texts(small_system(), None, ["=1+1 flight", "@cmd"])
    assert b"'=1+1 flight" in export(found, [0, 1], None, "csv")
    assert b"'@cmd" in export(found, [0, 1], None, "csv")


def test_source_is_cut_to_the_rows_that_were_kept():
    table = read_table(b"text,label\na flight,travel\n,travel\nhow much,money\n", "t.csv")
    assert source_of(table, [2, 4]).rows == (("a flight", "travel"), ("how much", "money"))


def test_reasons_name_rules_words_and_labels(answered):
    reasons = reasons_for(answered, 1)
    assert [(hit.name, hit.speaks) for hit in reasons.hits] == [("much", True), ("go", False)]
    assert reasons.sentence == "Matched by much. go matched as well, for another label."
    assert [reasons.text[start:end] for start, end, _ in reasons.marks] == ["how", "much"]
    assert reasons.ranked[0][0] == "money"


def test_reasons_of_a_difference():
    reasons = reasons_for(biased(), 2)
    assert reasons.sentence.startswith("The rules say travel; the trained network says money")


def test_only_a_weighed_answer_has_a_percentage(answered, silent):
    assert reasons_for(answered, 0).sureness.endswith("% sure")
    by_default, none = reasons_for(answered, 2), reasons_for(silent, 2)
    assert (by_default.sureness, by_default.scored) == ("default label, no rule matches", ())
    assert (none.sureness, none.scored) == ("", ())
    assert [confidence_percent(answered, 2), confidence_percent(silent, 2)] == [None, None]
    assert confidence_percent(answered, 0) == round(100 * float(answered.confidence[0]))


def test_reasons_without_any_rule(answered, silent):
    assert reasons_for(answered, 2).sentence == "No rule decides this text, so it gets the default label."
    assert reasons_for(silent, 2).sentence == "No rule matches this text, and there is no default label."


def test_labels_that_only_the_rules_know_are_kept():
    """A run trained before a label was added: the rules of now know one label more."""
    old = untrained(small_system(), TEXTS)
    rules = "[travel]\ngo := $* ( flight | flights ) $*\n[seat]\nplace := $* nothing $*\n"
    found = predict_texts(small_system(rules, ""), old, TEXTS)
    assert found.labels == ("travel", "money", "seat")
    assert found.rules_answer(2) == "seat"
    assert found.scores.shape == (4, 3)
    assert "default" in LOGIC
