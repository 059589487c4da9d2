"""Scores and errors of spans: seqeval's definitions, five kinds of error, and how often rules and network agree."""

from __future__ import annotations

import pytest
import torch
from support.tagging_command_line import GIVEN, RIGHT, SLOT_RULES, SLOT_TEXTS, SPANS

from re2nn_core.services.prediction.slot_filling.evaluation import evaluate_slots
from re2nn_core.services.prediction.slot_filling.untrained_tagger import untrained_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.span_scores import SpanScores


def system(rules: str = SLOT_RULES) -> SlotSystem:
    return read_slot_system(rules, None, Tokenization())[0]


def corpus(*more: Example) -> Corpus:
    marked = [Example(text, None, None, tuple(Span(*span) for span in spans)) for text, spans in SLOT_TEXTS]
    return Corpus((*marked, *more))


def test_rules_and_their_network_are_measured_alike() -> None:
    found = evaluate_slots(system(), corpus(Example("to oslo")))
    assert (found.sentences, found.labelled, found.agree, found.differing) == (7, 6, 7, ())
    assert found.agree_tokens == found.tokens == 29
    assert isinstance(found.rules, SpanScores)
    assert (found.rules.support, found.rules.found, found.rules.right) == (SPANS, GIVEN, RIGHT)
    assert found.rules == found.network
    assert found.rules.f1 == pytest.approx(2 * RIGHT / (SPANS + GIVEN))
    assert list(found.slots) == ["to_city", "day", "from_city"]
    assert (found.slots["day"].support, found.slots["day"].rules) == (3, found.slots["day"].network)
    assert found.rules_errors == found.network_errors
    assert [(e.place, e.kind) for e in found.rules_errors] == [(3, "boundary"), (4, "missed")]
    # Errors count characters.
    assert found.rules_errors[0].gold == Span(18, 30, "day")
    assert found.rules_errors[0].prediction == Span(18, 24, "day")


def test_a_planted_difference_is_seen() -> None:
    texts = corpus()
    bundle = untrained_tagger(system(), texts.texts)
    with torch.no_grad():
        bundle.network.bias[bundle.network.tags.index("B-day")] = 9
    found = evaluate_slots(system(), texts, bundle)
    assert 0 < len(found.differing) == found.sentences - found.agree
    assert found.agree_tokens < found.tokens
    assert found.network is not None
    assert found.rules is not None
    assert found.network.precision < found.rules.precision
    assert {error.kind for error in found.network_errors} >= {"invented"}


def test_nothing_is_marked() -> None:
    found = evaluate_slots(system(), Corpus((Example("to oslo"), Example("on friday"))))
    assert (found.labelled, found.rules, found.network, found.slots) == (0, None, None, {})
    assert found.rules_errors == ()
    assert found.agree == 2


def test_nothing_is_there_and_nothing_is_given() -> None:
    found = evaluate_slots(system(), Corpus((Example("hello", spans=()),)))
    assert found.rules == SpanScores(0.0, 0.0, 0.0, 0, 0, 0)
    assert found.slots == {}
