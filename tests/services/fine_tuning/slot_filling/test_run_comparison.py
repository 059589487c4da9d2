"""Two finished runs for slots side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.projects.finished_tagger_run import finished_slot_run, slot_project, waiting_slot_run

from re2nn_core.services.fine_tuning.run_comparison import SettingPair, differing_settings
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_training
from re2nn_core.services.fine_tuning.slot_filling.run_comparison import OtherSpans, compare_slot_runs, slot_pairs
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions, predict_slot_texts
from re2nn_core.services.rule_systems.slot_filling.stored_spans import spans_of_record
from re2nn_core.services.rule_systems.slot_filling.systems import slot_system_of
from re2nn_core.store import Store, latest_version, texts_of
from re2nn_core.text.spans import Span

CITY, DAY, NIGHT = Span(0, 4, "city"), Span(10, 14, "day"), Span(10, 14, "night")


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        ((CITY, DAY), (CITY,), "first"),
        ((), (CITY,), "second"),
        ((CITY,), (DAY,), "neither"),
        ((CITY, NIGHT), (CITY,), "second"),  # a wrong span and a missed one against a missed one
    ],
)
def test_the_run_with_fewer_mistakes_wins(first, second, winner) -> None:
    assert OtherSpans(0, (CITY, DAY), first, second, (), ()).winner == winner


def test_slots_are_those_on_which_they_differ() -> None:
    assert OtherSpans(0, (), (CITY, DAY), (CITY, NIGHT), (), ()).slots == {"day", "night"}


def test_the_largest_difference_stands_in_front() -> None:
    pairs = slot_pairs([(CITY,), (DAY,)], [(CITY,), ()], [(CITY,), (DAY, CITY)])
    assert [pair.slot for pair in pairs] == ["day", "city"]
    assert (pairs[0].change, pairs[1].change) == pytest.approx((1.0, -1 / 3))


def test_two_runs_of_a_project(store: Store) -> None:
    project = slot_project(store, unannotated=1)
    run = finished_slot_run(store, project)
    records = texts_of(store, project.id)
    system = slot_system_of(project, latest_version(store, project.id))
    texts = [record.text for record in records]
    trained = predict_slot_texts(system, tagger_of(run), texts)
    written = predict_slot_texts(system, None, texts)
    gold = [spans_of_record(record) for record in records]
    places = [place for place, record in enumerate(records) if record.split == "test" or record.label is None]
    found = compare_slot_runs(written, trained, gold, places)
    assert found.texts == 14
    assert found.first.f1 == pytest.approx(run.result["zero_shot"]["test"])
    assert found.second.f1 == pytest.approx(run.result["test"])
    assert all(records[other.place].split == "test" and other.first == other.first_rules for other in found.differing)
    assert {other.winner for other in found.differing} >= {"second"}
    with pytest.raises(ValueError, match="the same texts alone"):
        compare_slot_runs(written, _shorter(trained), gold, places)


def _shorter(predicted: SpanPredictions) -> SpanPredictions:
    return replace(predicted, texts=predicted.texts[:-1])


def test_settings_differ_from_the_defaults_of_slots(store: Store) -> None:
    project = slot_project(store)
    first = waiting_slot_run(store, project)
    second = replace(first, config={**first.config, "train": {}})
    pairs = {pair.name: pair for pair in differing_settings(first, second)}
    assert pairs["epochs"] == SettingPair("train", "epochs", 6, slot_training("interpretable", 0).epochs)
    assert "decay" not in pairs  # both have the default
