"""Many texts of a queue at once: the predictions that a rule or a label accepts."""

from __future__ import annotations

import pytest
from support.projects.small_predictions import predictions
from support.projects.span_samples import RULES as SLOT_RULES
from support.projects.span_samples import annotated_project

from re2nn_core.errors import InputError
from re2nn_core.services.annotation import bulk_accept, queue_work
from re2nn_core.services.annotation.bulk_accept import accept_matches, label_matches, slot_matches
from re2nn_core.services.prediction.classification.predictions import Predictions
from re2nn_core.services.prediction.slot_filling.predictions import predict_slot_texts
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.store import (
    ProjectRecord,
    Store,
    TextRecord,
    get_text,
    lease_next,
    open_queue,
    texts_of,
)


def test_a_rule_decides_texts_that_get_its_label(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], predicted: Predictions
) -> None:
    open_queue(store, project.id, [record.id for record in records])
    hits = label_matches(store, project.id, "Rita", predicted, rule="to_place")
    said = [p for p in range(8) if "to_place" in predicted.deciding(p)]
    by_definition = [p for p in said if records[p].label in (None, predicted.prediction(p))]
    assert list(hits.places) == by_definition
    assert hits.predictions == (("flight", len(by_definition)),)
    number = predicted.system.rule_names.index("to_place")
    assert hits.others == int(predicted.matched[:, number].sum()) - len(by_definition) > 0
    assert set(hits.sample()) == set(hits.places)
    lease = lease_next(store, project.id, "Ann")  # between the look and the acceptance
    assert lease is not None
    assert lease.text.id == records[by_definition[0]].id
    assert accept_matches(store, "Rita", hits, predicted) == len(hits) - 1
    assert get_text(store, lease.text.id).annotator is None
    undone = queue_work.take_back(store, project.id, "Rita")
    assert undone is not None
    assert len(undone.text_ids) == len(hits) - 1


def test_texts_with_another_label_in_the_data_are_not_overwritten(store: Store, project: ProjectRecord) -> None:
    records = texts_of(store, project.id)
    predicted = predictions("[baggage]\nall := $* to $*\n", records)
    assert len(label_matches(store, project.id, "Rita", predicted, label="baggage")) == 0
    open_queue(store, project.id, [record.id for record in records])
    hits = label_matches(store, project.id, "Rita", predicted, label="baggage")
    assert [records[place].text for place in hits.places] == ["bags to rome"]
    assert hits.others == 3


def test_a_sample_is_ten_drawn_at_random(store: Store, project: ProjectRecord, predicted: Predictions) -> None:
    hits = bulk_accept.BulkMatches(tuple(range(100)), {}, (), 0)
    assert len(hits.sample()) == 10
    assert hits.sample() == hits.sample()
    assert hits.sample(1) != hits.sample(2)
    assert set(hits.sample(3)) <= set(range(100))
    with pytest.raises(InputError, match="There is no rule 'nothing' in these rules. Choose one of: fly, to_place"):
        label_matches(store, project.id, "Rita", predicted, rule="nothing")


def test_a_rule_decides_texts_whose_marks_it_has(store: Store) -> None:
    made = annotated_project(store)
    records = texts_of(store, made.id)
    open_queue(store, made.id, [record.id for record in records])
    system = read_slot_system(SLOT_RULES, "", made.tokenization)[0]
    predicted = predict_slot_texts(system, None, [record.text for record in records])
    for rule in system.rule_names:
        hits = slot_matches(store, made.id, "Rita", predicted, rule=rule)
        alone = bulk_accept.spans_of_rule(predicted, rule)
        hit = [p for p, spans in enumerate(alone) if spans]
        decided = [p for p in hit if set(alone[p]) <= set(predicted.spans[p])]
        assert list(hits.places) == [p for p in decided if records[p].label in (None, predicted.prediction(p))]
        assert hits.others == len(hit) - len(hits)
    slot = predicted.slots[0]
    hits = slot_matches(store, made.id, "Rita", predicted, label=slot)
    assert accept_matches(store, "Rita", hits, predicted) == len(hits) > 0
    for place in hits.places:
        assert get_text(store, records[place].id).label == predicted.prediction(place)
