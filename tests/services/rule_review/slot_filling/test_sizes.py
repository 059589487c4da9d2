"""Reconstructions of rules for slots with some of their changes."""

from __future__ import annotations

from support.projects.finished_tagger_run import finished_slot_run, slot_project

from re2nn_core.reconstruction.slot_filling.predicted_texts import predicted_tags
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import TaggerPredictions
from re2nn_core.services.rule_review.decisions import learned_change
from re2nn_core.services.rule_review.slot_filling.sizes import slots_of_size
from re2nn_core.services.rule_review.slot_filling.stored_reconstruction import reconstruct_slot_run
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.store import Store, texts_of
from re2nn_core.text.corpus import Corpus


def test_sizes_go_from_the_written_rules_to_all_changes_and_are_measured_as_they_tag(store: Store) -> None:
    project = slot_project(store, unannotated=1)
    run = finished_slot_run(store, project)
    records = texts_of(store, project.id)
    made = reconstruct_slot_run(run, records)
    found, bundle = made.reconstruction, tagger_of(run)
    assert [len(size.names) for size in made.sizes] == [0, 1, 2, 3]
    assert [size.words for size in made.sizes] == sorted(size.words for size in made.sizes)
    first, last = made.sizes[0].figures[0], made.sizes[-1].figures
    assert first.reconstructed == first.original
    assert last == found.scores
    of_dev = [one.reconstructed.f1 for size in made.sizes for one in size.figures if one.split == "dev"]
    assert of_dev == sorted(of_dev)
    predictions = TaggerPredictions(bundle)
    texts = predicted_tags(bundle, Corpus(span_examples_of(records, bundle.parts.known_slots)), predictions)
    written = predictions.rules(bundle.parts.rules_text, bundle.parts.logic_text)
    for size in made.sizes[:-1]:
        own = slots_of_size(found, size, written)
        now = predictions.rules(own.rules_text, own.logic_text)
        tags = now.tags_of_words([text.words for text in texts.texts])
        for figures in size.figures:
            rows = [
                (given, by)
                for one, given, by in zip(records, tags, texts.by_network, strict=True)
                if (one.split or "train") == figures.split
            ]
            words = [a == b for given, by in rows for a, b in zip(given, by, strict=True)]
            assert figures.agreement_words == sum(words) / len(words)
        assert {rule.name for rule in own.rules if not rule.kept_original} == set(size.names)
        whole = dict(predictions.rules(found.rules_text, found.logic_text).trees)
        for name in size.names:
            before = dict(written.trees)[name]
            assert learned_change(name, before, dict(now.trees)[name]) == learned_change(name, before, whole[name])
