"""Labelling: order of texts, annotations, undo, progress."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.networks.small_system import small_system
from support.projects.finished_run import learnable_project

from re2nn_core.errors import InputError
from re2nn_core.services.annotation.classification import (
    annotate,
    annotate_all,
    belongs,
    build_queue,
    changed_since,
    choices,
    next_open,
    offered,
    predicted_rule,
    progress,
    send_to_labelling,
    undo_label,
    why_shown,
)
from re2nn_core.services.prediction.classification.predictions import Predictions, predict_texts
from re2nn_core.services.prediction.classification.rule_precision import MeasuredRules
from re2nn_core.services.prediction.precision import Precision
from re2nn_core.store import Store, TextRecord, get_text, texts_of


@pytest.fixture
def project_id(store: Store) -> int:
    return learnable_project(store, unlabelled=3).id


def predicted_for(records: tuple[TextRecord, ...], logic: str = "") -> Predictions:
    return predict_texts(small_system(logic=logic), None, [record.text for record in records])


def test_uncertain_texts_come_first(store, project_id):
    records = texts_of(store, project_id)
    predicted = predicted_for(records)
    queue = build_queue(records, predicted, "uncertain", with_labelled=True)
    places = {record.id: place for place, record in enumerate(records)}
    confidence = [float(predicted.confidence[places[text_id]]) for text_id in queue]
    assert len(queue) == len(records)
    assert confidence == sorted(confidence)


def test_texts_with_a_label_wait_until_they_are_asked_for(store, project_id):
    records = texts_of(store, project_id)
    queue = build_queue(records, predicted_for(records), "uncertain", with_labelled=False)
    assert set(queue) == {record.id for record in records if record.label is None}


def test_unlabelled_texts_come_in_their_order(store, project_id):
    records = texts_of(store, project_id)
    queue = build_queue(records, predicted_for(records), "unlabelled", with_labelled=True)
    assert list(queue) == [record.id for record in records if record.label is None]


def test_mismatches_are_texts_whose_prediction_is_not_their_label(store, project_id):
    records = texts_of(store, project_id)
    predicted = predicted_for(records)
    queue = build_queue(records, predicted, "mismatch", with_labelled=False)
    wrong = {r.id for p, r in enumerate(records) if r.label is not None and predicted.prediction(p) != r.label}
    assert set(queue) == wrong
    assert wrong


def test_rules_and_their_own_network_never_differ(store, project_id):
    records = texts_of(store, project_id)
    assert build_queue(records, predicted_for(records), "differ", with_labelled=True) == ()


def test_random_order_follows_its_seed(store, project_id):
    records = texts_of(store, project_id)
    predicted = predicted_for(records)
    first, again, other = (build_queue(records, predicted, "random", with_labelled=True, seed=n) for n in (1, 1, 2))
    assert first == again
    assert first != other
    assert sorted(first) == sorted(other)


def test_a_judged_text_leaves_the_queue(store, project_id):
    records = texts_of(store, project_id)
    annotate(store, records[0].id, "money", "Ann")
    records = texts_of(store, project_id)
    assert records[0].id not in build_queue(records, predicted_for(records), "uncertain", with_labelled=True)


def test_next_open_passes_over_what_others_did_meanwhile(store, project_id):
    queue = [record.id for record in texts_of(store, project_id)[:4]]
    annotate(store, queue[1], "money", "Bob")
    assert next_open(store, queue, 1) == 2
    annotate_all(store, [(text_id, "money") for text_id in queue], "Bob")
    assert next_open(store, queue, 0) == 4


@pytest.mark.parametrize(
    ("order", "start"),
    [
        ("unlabelled", "It has no label yet."),
        ("random", "Drawn at random."),
        ("uncertain", "No rule matches it"),
        ("differ", "Rules and network differ: no prediction against no prediction."),
    ],
)
def test_why_a_text_is_shown(store, project_id, order, start):
    records = texts_of(store, project_id)
    place = len(records) - 1
    assert why_shown(predicted_for(records), place, records[place], order).startswith(start)


def test_why_names_both_labels_of_a_mismatch(store, project_id):
    records = texts_of(store, project_id)
    predicted = predicted_for(records)
    place = next(p for p, r in enumerate(records) if r.label is not None and predicted.prediction(p) != r.label)
    said = why_shown(predicted, place, records[place], "mismatch")
    assert (
        said
        == f"The label is {records[place].label}; the prediction is {predicted.prediction(place) or 'no prediction'}."
    )


def test_an_unsure_prediction_names_its_rival():
    by_rules = predict_texts(small_system(logic=""), None, ["how much is a flight"])
    record = TextRecord(1, 1, 0, "how much is a flight", None, None, None, None)
    by_network = replace(by_rules, trained=True)
    assert why_shown(by_network, 0, record, "uncertain") == "Low confidence: travel 0.50, money 0.50."
    # Rules weigh nothing: they have a precision, where one was measured.
    assert why_shown(by_rules, 0, record, "uncertain") == "Decided by go."
    measured = replace(by_rules, measured=MeasuredRules((("go", Precision(39, 42)),)))
    said = "Decided by go, precision 93% (81% to 98%), 42 texts."
    assert why_shown(measured, 0, record, "uncertain") == said


def test_ten_labels_keep_their_digits_on_every_text():
    labels = [f"l{number}" for number in range(12)]
    assert choices(labels, ("l3", None)) == tuple(labels[:10])
    assert choices(["a", "b"], (None, "b")) == ("a", "b")


def test_prediction_and_stored_label_always_have_a_button():
    labels = [f"l{number}" for number in range(12)]
    assert choices(labels, ("l11", "unheard of")) == (*labels[:10], "l11", "unheard of")


def test_the_stored_label_is_offered_before_the_prediction(store, project_id):
    records = texts_of(store, project_id)
    predicted = predicted_for(records)
    place = next(
        p for p, r in enumerate(records) if r.label is not None and predicted.prediction(p) not in (r.label, None)
    )
    record = records[place]
    assert offered(record, predicted, place) == record.label
    assert offered(replace(record, label=None), predicted, place) == predicted.prediction(place)
    assert predicted_rule(predicted, place) == "rules"


def test_a_text_without_a_label_is_told_so_among_the_mismatches(store, project_id):
    records = texts_of(store, project_id)
    predicted = predicted_for(records)
    place = next(p for p, _ in enumerate(records) if predicted.prediction(p) == "travel")
    record = replace(records[place], label=None)
    assert why_shown(predicted, place, record, "mismatch") == "It has no label; the prediction is travel."
    assert not belongs(record, predicted, place, "mismatch", with_labelled=True)


def test_why_names_the_default_label_without_a_percentage(store, project_id):
    records = texts_of(store, project_id)
    predicted = predicted_for(records, logic='default = "travel"\n')
    said = why_shown(predicted, len(records) - 1, records[-1], "uncertain")
    assert said == "No rule decides it: travel is the default label."


def test_a_change_since_the_text_was_drawn_is_seen(store, project_id):
    drawn = texts_of(store, project_id)[0]
    assert changed_since(store, drawn) is None
    annotate(store, drawn.id, "money", "Bob")
    now = changed_since(store, drawn)
    assert (now.label, now.annotator) == ("money", "Bob")


def test_undo_takes_the_last_judgement_back(store, project_id):
    text = texts_of(store, project_id)[0]
    annotate(store, text.id, "money", "Ann")
    undone = undo_label(store, project_id, "Ann")
    assert (undone.text_ids, undone.label) == ((text.id,), "money")
    assert get_text(store, text.id).label == text.gold
    assert undo_label(store, project_id, "Ann") is None


def test_undo_is_ones_own(store, project_id):
    text = texts_of(store, project_id)[0]
    annotate(store, text.id, "money", "Ann")
    assert undo_label(store, project_id, "Bob") is None


def test_undo_takes_a_bulk_acceptance_back_as_a_whole(store, project_id):
    ids = [record.id for record in texts_of(store, project_id)[:3]]
    assert annotate_all(store, [(text_id, "money") for text_id in ids], "Ann") == 3
    assert undo_label(store, project_id, "Ann").text_ids == tuple(ids)
    assert all(get_text(store, text_id).annotator is None for text_id in ids)


def test_an_empty_label_is_refused(store, project_id):
    with pytest.raises(InputError, match="label"):
        annotate(store, texts_of(store, project_id)[0].id, "  ", "Ann")


def test_progress_counts_people_and_labels(store, project_id):
    records = texts_of(store, project_id)
    annotate_all(store, [(record.id, "money") for record in records[-2:]], "Ann")
    annotate(store, records[0].id, "money", "Bob")
    found = progress(store, project_id)
    assert (found.texts, found.labelled) == (67, 66)
    assert found.people == (("Ann", 2), ("Bob", 1))
    assert (found.of("Bob"), found.of("Nobody"), found.annotated) == (1, 0, 3)


def test_texts_sent_to_labelling_are_not_doubled(store, project_id):
    known = texts_of(store, project_id)[0]
    added = send_to_labelling(
        store, project_id, ["new one", known.text, "new one"], ["money", None, "travel"], person="Ann"
    )
    assert (added.new, added.known) == (1, 1)
    assert added.text_ids[1] == known.id
    new = get_text(store, added.text_ids[0])
    assert (new.text, new.gold, new.split) == ("new one", "money", None)
