"""What a training for slots would learn from: counts, warnings, what is missing."""

from __future__ import annotations

from dataclasses import replace

from support.projects.finished_tagger_run import RULES, slot_project

from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.services.fine_tuning.slot_filling.examples import SlotExamples, slot_examples_of
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.store import Store, TextRecord, record_label, texts_of
from re2nn_core.text.spans import Span, write_spans
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig


def system(rules: str = RULES) -> SlotSystem:
    return read_slot_system(rules, "", Tokenization())[0]


def records(store: Store, unannotated: int = 1) -> tuple[TextRecord, ...]:
    return texts_of(store, slot_project(store, unannotated=unannotated).id)


def of_slot(found: SlotExamples, slot: str):
    return next(entry for entry in found.slots if entry.slot == slot)


def test_spans_are_counted_by_slot_and_source(store: Store) -> None:
    texts = records(store, unannotated=2)
    open_text = texts[-1]
    begin = open_text.text.index("rome")
    record_label(store, open_text.id, write_spans([Span(begin, begin + 4, "to_city")]), "Ann")
    found = slot_examples_of(texts_of(store, open_text.project_id), system())
    to_city = of_slot(found, "to_city")
    assert (to_city.by_people, to_city.with_data, to_city.train, to_city.texts) == (1, 24, 25, 25)
    assert (to_city.dev, to_city.test, to_city.rules) == (12, 12, ("to",))
    assert (found.train, found.spans, found.empty, found.unannotated, found.missing) == (29, 41, 4, 1, None)
    assert [entry.slot for entry in found.slots] == ["to_city", "from_city", "day"]
    recipe = found.recipe(TaggerConfig(), TrainConfig())
    assert recipe == "29 training texts; 14 dev texts decide when to stop; auxiliary encoder: LSTM."


def test_two_spans_of_a_slot_in_a_text_are_two(store: Store) -> None:
    texts = records(store)
    twice = write_spans([Span(0, 1, "day"), Span(2, 8, "day")])
    found = slot_examples_of([replace(texts[0], label=twice, annotator="Ann"), *texts[1:]], system())
    assert (of_slot(found, "day").by_people, of_slot(found, "day").train, of_slot(found, "day").texts) == (2, 9, 8)


def test_what_may_spoil_a_training_is_said(store: Store) -> None:
    texts = records(store)
    label = write_spans([Span(0, 1, "seat")])
    rules = RULES + "who := $* [ we ]<people> $*\n"
    found = slot_examples_of([replace(texts[0], label=label), *texts[1:]], system(rules))
    assert found.warnings == (
        "Fewer than 5 training spans: seat. Annotate a few more of these.",
        "No training span: people. Only a written rule can find these.",
        "No rule captures seat. The network has to learn this from texts alone, which takes one trained for the "
        "highest accuracy.",
    )
    assert found.rough(TaggerConfig(), TrainConfig()) == "Only 20 spans in dev texts: the F1 on them is rough."


def test_without_dev_texts_some_are_held_out(store: Store) -> None:
    texts = [record for record in records(store) if record.split == "train"]
    found = slot_examples_of(texts, system())
    assert (found.train, len(found.split.train), len(found.split.dev)) == (28, 23, 5)
    assert found.split.held_out
    assert found.dev_title == "held-out"
    assert sum(slot.dev for slot in found.slots) == sum(len(text.spans or ()) for text in found.split.dev) == 8
    assert "every fifth annotated text is held-out" in found.recipe(TaggerConfig(), TrainConfig())
    assert found.rough(TaggerConfig(), TrainConfig()) == "Only 8 spans in held-out texts: the F1 on them is rough."
    assert found.decides(TaggerConfig())


def test_a_reader_that_learns_apart_takes_all_texts(store: Store) -> None:
    texts = records(store)
    apart = TaggerConfig(detached=True)
    found = slot_examples_of([record for record in texts if record.split == "train"], system())
    alone, copies = TrainConfig(), TrainConfig(copies=5)
    for train, turns in ((alone, 0), (copies, 5)):
        learned = found.learned(apart, train)
        assert (len(learned.train), learned.dev, learned.turns) == (28, (), turns)
        assert found.rough(apart, train) == ""
    assert not found.decides(apart)
    with_dev = slot_examples_of(texts, system())
    assert len(with_dev.learned(apart, alone).dev) == 14
    assert len(with_dev.learned(apart, copies).train) == 28 + 14
    assert with_dev.recipe(apart, replace(copies, average="predictions")).startswith(
        "42 training texts, including those of dev; "
    )


def test_too_little_to_learn_from_is_said_before_it_starts(store: Store) -> None:
    texts = records(store)
    few = slot_examples_of(texts[:3], system())
    assert few.missing == "There are 3 annotated training texts; at least 10 are needed. Annotate more texts first."
    without = slot_examples_of([replace(record, label="[]") for record in texts], system())
    assert without.missing.startswith("None of the 29 annotated training texts has a span.")
