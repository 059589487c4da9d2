"""The same words in other texts: which texts are proposed, with which spans, and that nothing is overwritten."""

from __future__ import annotations

import pytest

from re2nn_core.services.annotation.classification import annotate_all, progress, undo_label
from re2nn_core.services.annotation.equal_spans import (
    SHOWN_AT_ONCE,
    EqualSpans,
    equal_spans,
    occurrences,
    proposal_sentence,
)
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, predict_slot_texts
from re2nn_core.services.rule_systems.slot_filling.systems import slot_system_of
from re2nn_core.store import ProjectRecord, Store, create_project, latest_version, record_label, texts_of
from re2nn_core.task import Task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span

RULES = "to := $* to [ rome | paris ]<to_city> $*\nday := $* [ friday ]<day> $*\n"
TEXTS = (
    Example("to rome on friday"),
    Example("from rome friday"),
    Example("Rome is nice", None, None, ()),
    Example("to rome", None, None, (Span(3, 7, "to_city"),)),
    Example("rome or rome", None, None, (Span(0, 4, "day"),)),
    Example("good morning"),
)


def project_of(store: Store, texts: tuple[Example, ...] = TEXTS) -> ProjectRecord:
    return create_project(
        store,
        name="Spans",
        task=Task.SLOT_FILLING,
        examples=Corpus(texts),
        rules_text=RULES,
        logic_text="",
        author="tester",
    )


def predictions(store: Store, project: ProjectRecord) -> SpanPredictions:
    system = slot_system_of(project, latest_version(store, project.id))
    return predict_slot_texts(system, None, [record.text for record in texts_of(store, project.id)])


def found(store: Store, project: ProjectRecord, word: str, slot: str, declined: tuple[int, ...] = ()) -> EqualSpans:
    records, predicted = texts_of(store, project.id), predictions(store, project)
    return equal_spans(records, predicted, records[3].id, (word,), slot, declined=declined)


def test_nothing_that_is_there_is_overwritten(store: Store) -> None:
    project = project_of(store)
    records = texts_of(store, project.id)
    record_label(store, records[1].id, "[]", "Ann")
    there = found(store, project, "rome", "to_city")
    # Of the six texts one is the text itself, Ann has annotated one, one has no rome, and one is marked so already.
    assert {one.text_id: one.label for one in there.proposals} == {
        records[2].id: '[[0,4,"to_city"]]',
        records[4].id: '[[0,4,"day"],[8,12,"to_city"]]',
    }
    assert [one.new for one in there.proposals] == [(Span(0, 1, "to_city"),), (Span(2, 3, "to_city"),)]
    assert there.proposals[1].spans == (Span(0, 1, "day"), Span(2, 3, "to_city"))
    assert there.taken == 1
    annotate_all(store, [(one.text_id, one.label) for one in there.proposals], "Bob")
    assert progress(store, project.id).of("Bob") == 2
    undone = undo_label(store, project.id, "Bob")
    assert undone is not None
    assert undone.text_ids == (records[2].id, records[4].id)
    assert texts_of(store, project.id)[4].label == '[[0,4,"day"]]'


def test_texts_without_an_annotation_keep_what_is_predicted(store: Store) -> None:
    project = project_of(store)
    records = texts_of(store, project.id)
    assert found(store, project, "friday", "when") == EqualSpans((), taken=2)
    [one] = found(store, project, "on", "word").proposals
    assert (one.text_id, one.label) == (records[0].id, '[[3,7,"to_city"],[8,10,"word"],[11,17,"day"]]')
    assert one.new == (Span(2, 3, "word"),)


def test_declined_texts_are_not_proposed_again(store: Store) -> None:
    project = project_of(store)
    first, *others = found(store, project, "rome", "to_city").proposals
    assert list(found(store, project, "rome", "to_city", (first.text_id,)).proposals) == others


def test_a_long_list_is_shown_in_parts(store: Store) -> None:
    project = project_of(store, (*TEXTS, *(Example(f"late train {number}") for number in range(25))))
    there = found(store, project, "train", "thing")
    assert (len(there.shown), len(there.proposals), SHOWN_AT_ONCE) == (20, 25, 20)


@pytest.mark.parametrize(
    ("word", "slot", "sentence"),
    [
        (
            "rome",
            "to_city",
            "“rome” has no span in 3 other texts without an annotation. Select the texts in which it is to_city: each "
            "is saved as annotated by you, with the spans shown. 1 text with another span there stays as before.",
        ),
        (
            "good",
            "mood",
            "“good” has no span in 1 other text without an annotation. Select the texts in which it is mood: each is "
            "saved as annotated by you, with the spans shown.",
        ),
        (
            "friday",
            "when",
            "No other text without an annotation contains “friday” without a span. 2 texts with another span there "
            "stay as before.",
        ),
        ("never", "when", "No other text without an annotation contains “never” without a span."),
    ],
)
def test_the_question(store: Store, word: str, slot: str, sentence: str) -> None:
    assert proposal_sentence(found(store, project_of(store), word, slot), f"“{word}”", slot) == sentence


@pytest.mark.parametrize(
    ("words", "phrase", "expected"),
    [("a b a", "a", (0, 2)), ("a a a", "a a", (0,)), ("a b", "b c", ()), ("a", "", ()), ("", "a", ())],
)
def test_occurrences(words: str, phrase: str, expected: tuple[int, ...]) -> None:
    assert occurrences(words.split(), phrase.split()) == expected
