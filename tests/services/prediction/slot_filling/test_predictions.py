"""Spans by rules and by a trained tagger for many texts at once: where rules disagree, and which text comes first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.projects.finished_tagger_run import RULES, finished_slot_run, slot_corpus, slot_project

from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.prediction.slot_filling import predictions as module
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, predict_slot_texts
from re2nn_core.services.rule_systems.slot_filling.decided_tags import decide_tag, votes_left
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.store import open_store
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

TWO = "from := $* from [ $ $? ]<from_city> $*\nday := $* [ friday | on friday ]<day> $*\n"


def system(rules: str = RULES, logic: str = "") -> SlotSystem:
    return read_slot_system(rules, logic, Tokenization())[0]


def by_rules(*texts: str, rules: str = TWO, logic: str = "") -> SpanPredictions:
    return predict_slot_texts(system(rules, logic), None, texts)


def test_the_predictions_of_rules_are_the_systems_own() -> None:
    texts = slot_corpus().texts
    predicted = predict_slot_texts(system(), None, texts)
    assert list(predicted.spans) == system().spans(texts)
    assert predicted.by_rules == predicted.spans
    assert not predicted.trained
    assert not predicted.differing.any()
    assert predicted.prediction(texts.index("on foot to rome")) == '[[3,7,"day"],[11,15,"to_city"]]'


def test_a_word_that_rules_want_for_several_tags_is_disputed() -> None:
    predicted = by_rules("from rome friday", "friday", "nothing here")
    # from_city may read one word or two, and another rule wants the second of them for a day.
    [one] = predicted.disputes[0]
    assert (one.word, [claim.tag for claim in one.open]) == (2, ["I-from_city", "B-day"])
    assert predicted.disputes[1:] == ((), ())


def test_a_priority_ends_a_dispute() -> None:
    predicted = by_rules("from rome friday", logic='priorities = ["day > from_city"]')
    assert predicted.disputes == ((),)
    assert predicted.spans == ((Span(5, 9, "from_city"), Span(10, 16, "day")),)


def test_disputes_come_first_then_texts_without_a_mark_then_few_marks() -> None:
    order = by_rules("from rome friday", "good morning", "a b c friday", "friday").confidence
    assert np.argsort(order, kind="stable").tolist() == [0, 1, 2, 3]
    assert ((order >= 0) & (order <= 1)).all()


def test_no_texts_and_texts_without_words() -> None:
    assert len(by_rules()) == 0
    assert by_rules("", "  ").spans == ((), ())


def test_a_trained_network_predicts_beside_its_rules(tmp_path: Path) -> None:
    with open_store(tmp_path / "re2nn.sqlite3") as store:
        bundle = tagger_of(finished_slot_run(store, slot_project(store)))
    texts = slot_corpus().texts
    reported: list[tuple[int, int]] = []
    predicted = predict_slot_texts(system(), bundle, texts, on_progress=lambda *done: reported.append(done))
    assert predicted.trained
    assert list(predicted.by_rules) == system().spans(texts)
    differing = [place for place in range(len(texts)) if predicted.spans[place] != predicted.by_rules[place]]
    assert differing
    assert np.flatnonzero(predicted.differing).tolist() == differing
    assert reported[-1] == (len(texts), len(texts))
    for place, token_confidences in enumerate(predicted.token_confidences):
        assert len(token_confidences) == len(predicted.tokens[place])
        assert predicted.confidence[place] == np.float32(min(token_confidences))
    assert predicted.slots == ("to_city", "from_city", "day")


CLAIMS = st.lists(st.frozensets(st.sampled_from(["OO", "O", "B-x", "I-x", "B-y"])), max_size=4)


@settings(max_examples=60, deadline=None)
@given(claims=CLAIMS)
def test_the_tag_of_a_word_is_among_those_with_the_most_votes(claims: list[frozenset[str]]) -> None:
    order = ("OO", "O", "B-x", "I-x", "B-y")
    silent = {"B-x": frozenset({"O"}), "B-y": frozenset({"I-x"})}
    left = votes_left(claims, silent)
    said = {tag for tags in claims for tag in tags}
    assert "OO" not in left
    assert not (left.keys() & {weak for strong in said for weak in silent.get(strong, ())})
    decided = decide_tag(claims, order, silent)
    assert decided == "O" if not left else left[decided] == max(left.values())


def test_rules_tell_how_far_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, done = slot_corpus().texts[:5], []
    whole = predict_slot_texts(system(), None, texts)
    monkeypatch.setattr(module, "_AT_ONCE", 2)
    parts = predict_slot_texts(system(), None, texts, on_progress=lambda so_far, of: done.append((so_far, of)))
    assert done == [(2, 5), (4, 5), (5, 5)]
    assert (parts.spans, parts.disputes) == (whole.spans, whole.disputes)
    assert parts.confidence.tolist() == whole.confidence.tolist()
