"""Marking slots: what a text begins with, why it comes, and what others say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.projects.finished_tagger_run import finished_slot_run, slot_project

from re2nn_core.errors import InputError
from re2nn_core.services.annotation.classification import Order, build_queue
from re2nn_core.services.annotation.slot_filling import (
    SpanOpinion,
    offered_spans,
    opinions,
    rules_behind,
    spans_in_characters,
    spans_of_tokens,
    uncertain_tokens,
    why_annotated,
)
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, predict_slot_texts
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system, slot_system_of
from re2nn_core.store import ProjectRecord, Store, TextRecord, create_project, latest_version, record_label, texts_of
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization, tokenize

RULES = "from := $* from [ $ $? ]<from_city> $*\nto := $* to [ rome | paris ]<to_city> $*\n"
RULES += "day := $* [ friday ]<day> $*\n"
TEXTS = (
    Example("to rome on friday"),
    Example("from rome friday"),
    Example("Rome is nice", None, None, ()),
    Example("to rome", None, None, (Span(3, 7, "to_city"),)),
    Example("rome or rome", None, None, (Span(0, 4, "day"),)),
    Example("good morning"),
)


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    return create_project(
        store,
        name="Marks",
        task=Task.SLOT_FILLING,
        examples=Corpus(TEXTS),
        rules_text=RULES,
        logic_text="",
        author="tester",
    )


def predictions(store: Store, project: ProjectRecord) -> tuple[tuple[TextRecord, ...], SpanPredictions]:
    records = texts_of(store, project.id)
    system = slot_system_of(project, latest_version(store, project.id))
    return records, predict_slot_texts(system, None, [record.text for record in records])


def in_order(store: Store, project: ProjectRecord, order: Order, *, with_labelled: bool = False) -> list[str]:
    records, predicted = predictions(store, project)
    text = {record.id: record.text for record in records}
    return [text[text_id] for text_id in build_queue(records, predicted, order, with_labelled=with_labelled)]


def test_a_text_begins_with_the_marks_it_has_else_with_the_prediction(store: Store, project: ProjectRecord) -> None:
    records, predicted = predictions(store, project)
    assert offered_spans(records[0], predicted, 0) == (Span(3, 7, "to_city"), Span(11, 17, "day"))
    assert offered_spans(records[2], predicted, 2) == ()
    assert offered_spans(records[4], predicted, 4) == (Span(0, 4, "day"),)


def test_each_order_has_its_texts(store: Store, project: ProjectRecord) -> None:
    assert in_order(store, project, "uncertain") == ["from rome friday", "good morning", "to rome on friday"]
    assert in_order(store, project, "unlabelled") == ["to rome on friday", "from rome friday", "good morning"]
    # That a text holds nothing is an annotation of the data as well, and the rules agree with it here.
    assert in_order(store, project, "mismatch") == ["rome or rome"]
    assert in_order(store, project, "differ", with_labelled=True) == []


def test_the_reason_is_a_sentence(store: Store, project: ProjectRecord) -> None:
    records, predicted = predictions(store, project)

    def why(place: int, order: Order) -> str:
        return why_annotated(predicted, place, records[place], order)

    assert why(1, "uncertain") == "Rules disagree about “friday” (from_city or day)."
    assert why(5, "uncertain") == "The rules predict no span in it."
    assert why(0, "uncertain") == "The rules agree; their spans cover 2 of 4 words. Texts with fewer come first."
    assert why(4, "mismatch") == "Its spans say that “rome” is day; the rules do not."
    assert why(0, "unlabelled") == "It is not annotated yet."
    assert why(0, "random") == "Drawn at random."


def test_rules_tell_what_each_would_mark_alone(store: Store, project: ProjectRecord) -> None:
    _, predicted = predictions(store, project)
    found = rules_behind(predicted, 1)
    assert [(one.name, one.spans) for one in found] == [
        ("from", (Span(5, 16, "from_city"),)),
        ("day", (Span(10, 16, "day"),)),
    ]
    assert found[1].expression == "$* [ friday ]<day> $*"
    assert rules_behind(predicted, 5) == ()


def test_disputed_words_are_pointed_out(store: Store, project: ProjectRecord) -> None:
    _, predicted = predictions(store, project)
    assert [(one.word, one.reason) for one in uncertain_tokens(predicted, 1)] == [
        (2, "rules disagree: from_city or day")
    ]


def test_a_border_that_rules_dispute_is_told_as_one() -> None:
    system = read_slot_system("day := $* [ next? friday ]<day> $*\n", "", Tokenization())[0]
    predicted = predict_slot_texts(system, None, ["on next friday"])
    assert [one.reason for one in uncertain_tokens(predicted, 0)] == ["rules disagree: where day begins"]


def test_who_says_what(store: Store, project: ProjectRecord) -> None:
    records, predicted = predictions(store, project)
    assert opinions(records[4], predicted, 4) == (SpanOpinion("rules", ()), SpanOpinion("data", (Span(0, 4, "day"),)))
    record_label(store, records[4].id, "[]", "rules")  # a person may have any name
    [_, person] = opinions(texts_of(store, project.id)[4], predicted, 4)
    assert person == SpanOpinion("person", (), "rules")


def test_a_trained_network_is_told_apart(store: Store) -> None:
    project = slot_project(store, unannotated=1)
    records = texts_of(store, project.id)
    system = slot_system_of(project, latest_version(store, project.id))
    bundle = tagger_of(finished_slot_run(store, project))
    predicted = predict_slot_texts(system, bundle, [record.text for record in records])
    place = int(predicted.differing.argmax())
    assert [one.source for one in opinions(records[place], predicted, place)] == ["network", "rules", "data"]
    sentence = why_annotated(predicted, place, records[place], "differ")
    assert "The network says that " in sentence
    assert "the rules do not." in sentence or "The rules say that" in sentence
    assert why_annotated(predicted, 0, records[0], "uncertain").startswith("The least certain token")
    pointed = uncertain_tokens(predicted, place)
    assert 0 < len(pointed) <= 3
    assert min(predicted.token_confidences[place]) in [predicted.token_confidences[place][one.word] for one in pointed]


def test_a_mark_past_the_text_is_refused() -> None:
    tokens = tokenize("to rome", Tokenization())
    with pytest.raises(InputError, match="ends at word 3, but the text has 2 words"):
        spans_in_characters([Span(1, 3, "city")], tokens)


def test_a_span_inside_a_word_is_left_out() -> None:
    tokens = tokenize("to rome", Tokenization())
    assert spans_of_tokens((Span(0, 2, "x"), Span(4, 7, "y")), tokens) == (Span(0, 1, "x"),)


@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet="ab 。😀\u3000", max_size=12), data=st.data())
def test_words_and_characters_tell_the_same_marks(text: str, data: st.DataObject) -> None:
    tokens = tokenize(text, Tokenization("characters"))
    borders = sorted(data.draw(st.sets(st.integers(0, len(tokens)), max_size=4)))
    marks = tuple(Span(first, behind, "x") for first, behind in zip(borders[::2], borders[1::2], strict=False))
    assert spans_of_tokens(spans_in_characters(marks, tokens), tokens) == marks
