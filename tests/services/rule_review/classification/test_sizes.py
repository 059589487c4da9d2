"""Reconstructions of rules for labels with some of their changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.projects.finished_run import finished_run, learnable_project, plant_new_rules

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.reconstruction.classification.predicted_texts import PredictedTexts, predicted_texts
from re2nn_core.reconstruction.classification.report import Reconstruction
from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.rule_reconstruction.classification.reconstruction import KeptPredictions
from re2nn_core.services.rule_review.classification.sizes import label_sizes, labels_of_size
from re2nn_core.services.rule_review.classification.stored_reconstruction import (
    reconstruct_run,
    stored_reconstruction,
)
from re2nn_core.services.rule_review.decisions import learned_change
from re2nn_core.services.values.rules import read_rules
from re2nn_core.store import RunRecord, Store, texts_of
from re2nn_core.text.corpus import Corpus, Example


@pytest.fixture
def made(store: Store) -> tuple[Bundle, Reconstruction, PredictedTexts, RunRecord]:
    """A reconstruction with two new rules: `travel.new` fixes no text, `money.new` eight."""
    project = learnable_project(store)
    run = finished_run(store, project)
    records = texts_of(store, project.id)
    reconstruct_run(run, records)
    plant_new_rules(run)
    kept, bundle = stored_reconstruction(run.folder), bundle_of(run)
    assert kept is not None
    corpus = Corpus(tuple(Example(one.text, one.label, one.split) for one in records))
    return bundle, kept.reconstruction, predicted_texts(bundle, corpus, KeptPredictions(bundle)), run


def test_each_size_is_measured_as_its_rules_predict(
    made: tuple[Bundle, Reconstruction, PredictedTexts, RunRecord],
) -> None:
    bundle, found, texts, _ = made
    sizes = label_sizes(bundle, found, texts)
    assert [size.names for size in sizes] == [(), ("money.new",), ("money.new", "travel.new")]
    assert [size.words for size in sizes] == [0, 1, 2]
    assert sizes[-1].figures == found.accuracy
    gold = [one.label for one in texts.corpus]
    for size in sizes[:-1]:
        own = labels_of_size(found, size, bundle.written, lowercase=True)
        now = texts.read(own.rules_text, own.logic_text, lowercase=True).predictions
        for split, places in texts.splits:
            [figures] = [one for one in size.figures if one.split == split]
            share = sum(now[place] == gold[place] for place in places) / len(places)
            alike = sum(now[place] == texts.by_network[place] for place in places) / len(places)
            assert (figures.reconstructed, figures.agreement) == pytest.approx((share, alike))
    assert sizes[1].figures[0].reconstructed > sizes[0].figures[0].reconstructed


def test_a_reconstruction_of_a_size_has_its_changes_alone_and_they_are_the_same_changes(
    made: tuple[Bundle, Reconstruction, PredictedTexts, RunRecord],
) -> None:
    bundle, found, texts, _ = made
    none, one, _ = label_sizes(bundle, found, texts)
    nothing = labels_of_size(found, none, bundle.written, lowercase=True)
    assert (nothing.rules_text, nothing.logic_text) == bundle.written
    assert not nothing.changed
    assert not nothing.new_rules
    own = labels_of_size(found, one, bundle.written, lowercase=True)
    assert [rule.name for rule in own.new_rules] == ["money.new"]
    assert "travel.new" not in own.rules_text + own.logic_text
    # What was decided about a change stands, whatever size is chosen.
    trees = [
        {rule.name: rule.expanded for rule in read_rules(text).ruleset.rules}["money.new"]
        for text in (found.rules_text, own.rules_text)
    ]
    assert learned_change("money.new", None, trees[0]) == learned_change("money.new", None, trees[1])


def test_without_a_change_or_of_merged_rules_there_are_no_sizes(
    made: tuple[Bundle, Reconstruction, PredictedTexts, RunRecord],
) -> None:
    bundle, found, texts, _ = made
    assert label_sizes(bundle, replace(found, new_rules=()), texts) == ()
    assert label_sizes(bundle, replace(found, rules=found.rules[1:]), texts) == ()
