"""What slot rules were worth on annotated texts, and what their predictions are worth by that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.projects.span_samples import EXAMPLES, marked, system

from re2nn_core.services.annotation.slot_filling import rules_behind
from re2nn_core.services.prediction.precision import Precision
from re2nn_core.services.prediction.slot_filling.prediction_files import span_reasons
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, predict_slot_texts
from re2nn_core.services.prediction.slot_filling.rule_precision import MeasuredSlotRules, measure_slot_rules
from re2nn_core.text.corpus import Example

COMBINED = "a := [ one ]<x> $*\nb := one<:>OO two<:>I-x\n"


def measured(examples: tuple[Example, ...] = EXAMPLES, rules: str | None = None, logic: str = "") -> SpanPredictions:
    used = system(logic=logic) if rules is None else system(rules, logic)
    found = predict_slot_texts(used, None, [example.text for example in examples])
    worth = measure_slot_rules(found.by_rules, found.givers, [example.spans for example in examples])
    return replace(found, measured=worth)


def spans(correct: int, count: int) -> Precision:
    return Precision(correct, count, "span")


def test_each_rule_is_measured_for_each_slot_where_it_decides() -> None:
    """ "to rome please" is annotated by nobody; "bergen monday" is the span of `to`, so `day` is not measured there."""
    assert measured().measured == MeasuredSlotRules(
        (
            (("day", "day"), spans(1, 2)),
            (("from_to", "from_city"), spans(1, 1)),
            (("from_to", "to_city"), spans(1, 1)),
            (("to", "to_city"), spans(2, 3)),
        )
    )


def test_a_priority_gives_a_span_to_another_rule() -> None:
    found = measured(logic='priorities = ["day > to_city"]').measured
    assert (found.of("day", "day"), found.of("to", "to_city")) == (spans(2, 3), spans(2, 2))


def test_a_span_that_several_rules_make_together_is_measured_by_itself() -> None:
    found = measured((marked("one two", ("one two", "x")), marked("one two", ("one", "x"))), COMBINED)
    assert found.measured == MeasuredSlotRules(combined=spans(1, 2))
    assert [found.least_precision(place) for place in range(2)] == [spans(1, 2)] * 2


def test_without_annotated_texts_nothing_is_measured() -> None:
    bare = measured(tuple(Example(example.text) for example in EXAMPLES))
    assert not bare.measured.known
    assert np.isnan(bare.certainty).all()
    assert not any(one.precision for place in range(6) for one in span_reasons(bare, place))


def test_a_text_is_worth_its_least_precise_span() -> None:
    """Of two rules with one span it is the one that can be trusted most; a text without a span has none."""
    found = measured()
    assert [found.least_precision(place) for place in range(6)] == [
        *(spans(2, 3), spans(1, 2), spans(2, 3), spans(1, 2), None, spans(2, 3))
    ]
    assert found.certainty == pytest.approx([2 / 3, 0.5, 2 / 3, 0.5, np.nan, 2 / 3], nan_ok=True)
    assert [one.precision for one in span_reasons(found, 1)] == [spans(1, 1), spans(2, 3), spans(1, 2)]


def test_where_one_span_is_not_measured_the_text_is_not() -> None:
    found = measured((marked("fly to oslo", ("oslo", "to_city")), Example("to oslo"), Example("from rome to oslo")))
    assert [found.least_precision(place) for place in range(3)] == [spans(1, 1), spans(1, 1), None]


def test_a_networks_spans_have_a_confidence_and_no_precision() -> None:
    by_network = replace(measured(), trained=True, confidence=np.full(6, 0.5, dtype=np.float32))
    assert by_network.least_precision(0) is None
    assert by_network.certainty.tolist() == [0.5] * 6
    [one] = span_reasons(by_network, 0)
    assert one.precision is None
    assert [rule.precision for rule in one.rules] == [spans(2, 3)]


def test_rules_beside_a_text_to_annotate_have_theirs() -> None:
    assert [(rule.name, rule.precision) for rule in rules_behind(measured(), 1)] == [
        ("to", (spans(2, 3),)),
        ("from_to", (spans(1, 1), spans(1, 1))),
        ("day", (spans(1, 2),)),
    ]
