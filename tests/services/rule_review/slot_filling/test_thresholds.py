"""The threshold explorer for slots: what it says of rules at a threshold is what these rules do when they are read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from support.processor_time import takes_less_than
from support.projects.finished_tagger_run import finished_slot_run, slot_corpus, slot_project, with_vienna

from re2nn_core.errors import InputError
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.classification.threshold_choice import THRESHOLDS
from re2nn_core.reconstruction.slot_filling.weighted import weighted_rules
from re2nn_core.services.fine_tuning.slot_filling.runs import tagger_of
from re2nn_core.services.rule_review.slot_filling.tally import SlotTally
from re2nn_core.services.rule_review.slot_filling.threshold_file import FILE, stored_slot_sweep
from re2nn_core.services.rule_review.slot_filling.thresholds import SlotThresholdSweep, sweep_slot_thresholds
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.store import TextRecord, open_store
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.spans import Span, write_spans
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.training.span_scores import span_scores


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> TaggerBundle:
    with open_store(tmp_path_factory.mktemp("trained") / "re2nn.sqlite3") as store:
        return tagger_of(finished_slot_run(store, slot_project(store)))


@pytest.fixture(scope="module")
def explorer(bundle: TaggerBundle) -> SlotThresholdSweep:
    with pytest.MonkeyPatch.context() as patch:
        weights = with_vienna(bundle.vocabulary, weighted_rules(bundle.networks, bundle.vocabulary))
        patch.setattr("re2nn_core.services.rule_review.slot_filling.thresholds.weighted_rules", lambda *_: weights)
        return sweep_slot_thresholds(bundle, slot_corpus())


def test_at_each_threshold_the_printed_rules_have_the_told_scores(
    explorer: SlotThresholdSweep, bundle: TaggerBundle
) -> None:
    dev = [example for example in slot_corpus() if example.split == "dev"]
    texts = tagged_texts(dev, bundle.tokenization)
    for threshold in explorer.thresholds:
        at = explorer.at(threshold)
        parts = bundle.parts
        read = read_slot_system(at.system.rules_text, parts.logic_text, parts.tokenization)[0]
        predictions = read.tags_of_words([text.words for text in texts])
        assert at.scores[0].split == "dev"
        assert at.scores[0].reconstructed == span_scores([text.tags or () for text in texts], predictions), threshold


def test_a_rule_that_tags_every_sentence_as_before_has_not_changed(
    bundle: TaggerBundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has learned to read `to` again behind `to`, which the `$*` before reads anyway: “1 rule changed” was said."""
    first, *others = weighted_rules(bundle.networks, bundle.vocabulary)
    [block] = first.blocks
    words = np.zeros((len(bundle.vocabulary), 1))
    words[bundle.vocabulary.words.index("to")] = 1.0
    behind = np.eye(len(block.left))[:, [2]]
    left, right = (np.hstack([factors, behind]) for factors in (block.left, block.right))
    learned = replace(block, words=np.hstack([block.words, words]), left=left, right=right)
    planted = [replace(first, blocks=(learned,)), *others]
    monkeypatch.setattr("re2nn_core.services.rule_review.slot_filling.thresholds.weighted_rules", lambda *_: planted)
    assert [at.moved for at in sweep_slot_thresholds(bundle, slot_corpus()).curve()] == [()] * len(THRESHOLDS)


def test_a_word_comes_where_its_weight_reaches_the_threshold(explorer: SlotThresholdSweep) -> None:
    # 1.24 for oslo and 0.11 for vienna, as trained: the half of both is 0.68.
    reads = {at.threshold: "vienna" in at.system.rules_text for at in explorer.curve()}
    assert [threshold for threshold, there in reads.items() if there] == [t for t in explorer.thresholds if t < 0.68]
    low, high = explorer.at(0.4), explorer.at(0.9)
    assert (low.changed, high.changed) == (1, 0)
    assert low.rules[0].why == ""
    assert high.rules[0].why.startswith("what it has learned weighs up to 0.")
    assert high.rules[0].why.endswith(", below the threshold 0.90")
    assert explorer.rules[0].learned.weight > 0.67
    # vienna is a train word: dev does not move by it, train does.
    scores = {one.split: one for one in low.scores}
    assert scores["train"].reconstructed.f1 > scores["train"].original.f1
    assert scores["train"].agreement > {one.split: one for one in high.scores}["train"].agreement
    assert explorer.chosen == 0.2


def test_one_rule_moves_alone(explorer: SlotThresholdSweep) -> None:
    assert explorer.at(0.4, "to").changed == 1
    still = explorer.at(0.4, "day")
    assert (still.changed, "vienna" in still.system.rules_text) == (0, False)


def test_what_leaves_nothing_of_a_rule_says_so_and_loses_nothing(bundle: TaggerBundle) -> None:
    weak = replace(bundle)
    for network in weak.networks:
        network.reader.final.data *= 0.1  # no sentence may end anywhere any more
    try:
        at = sweep_slot_thresholds(weak, slot_corpus()).at(0.9)
    finally:
        for network in weak.networks:
            network.reader.final.data *= 10
    assert at.in_words == (
        "At threshold 0.90 nothing is left of every rule (to, from_to, day): shown as written. "
        "Lower the threshold to see their reconstruction."
    )
    assert at.scores[0].reconstructed == at.scores[0].original


def test_counts_of_texts_add_up_to_the_scores_of_all() -> None:
    """The twin: seqeval over all texts at once."""
    tags = ("O", "B-a", "I-a", "B-b", "I-b")
    random = Random(4)
    for _ in range(40):
        texts = [random.randrange(6) for _ in range(random.randrange(1, 8))]
        gold, predictions = ([tuple(random.choice(tags) for _ in range(n)) for n in texts] for _ in range(2))
        tally, places = SlotTally(gold, predictions), range(len(texts))
        assert tally.scores(tally.counts(predictions), places) == span_scores(gold, predictions)
        assert tally.scores(tally.counts(gold), places) == span_scores(gold, gold)
        assert tally.agreement(tally.counts(predictions), places) == 1.0


def test_what_was_found_out_is_kept_and_read_again_as_it_was(
    bundle: TaggerBundle, explorer: SlotThresholdSweep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [
        TextRecord(number, 1, number, example.text, None, example.split, write_spans(example.spans or ()), None)
        for number, example in enumerate(slot_corpus())
    ]
    explored: list[int] = []

    def counting(*_given: object, **_options: object) -> SlotThresholdSweep:
        explored.append(1)
        return explorer

    monkeypatch.setattr("re2nn_core.services.rule_review.slot_filling.threshold_file.sweep_slot_thresholds", counting)
    assert stored_slot_sweep(bundle, tmp_path, records) is explorer
    kept = stored_slot_sweep(bundle, tmp_path, records)
    assert kept is not explorer
    assert explored == [1]
    assert kept.chosen == explorer.chosen
    for known, reported in zip(explorer.curve(), kept.curve(), strict=True):
        assert (reported.rules_text, reported.rules, reported.scores) == (known.rules_text, known.rules, known.scores)
    assert kept.at(0.4, "to").rules_text == explorer.at(0.4, "to").rules_text
    assert kept.scores_at(0.4, "to") == explorer.scores_at(0.4, "to")
    # Other texts, or a file that is none, and it is made again.
    assert stored_slot_sweep(bundle, tmp_path, records[1:]) is explorer
    (tmp_path / FILE).write_text('{"format": 1}', encoding="utf-8")
    assert stored_slot_sweep(bundle, tmp_path, records) is explorer
    assert explored == [1, 1, 1]


def test_a_move_takes_less_than_half_a_second(explorer: SlotThresholdSweep) -> None:
    others = iter((0.4, 0.41, 0.42))  # what was told of a threshold is kept
    assert takes_less_than(0.5, lambda: explorer._at(next(others)))


def test_bad_input_is_told(explorer: SlotThresholdSweep, bundle: TaggerBundle) -> None:
    with pytest.raises(InputError, match="The threshold must be a number from 0 to 1 \\(got 2\\)"):
        explorer.at(2)
    with pytest.raises(InputError, match="There is no rule 'gone' in the network. It has: to, from_to, day."):
        explorer.at(0.5, "gone")
    unannotated = Corpus(tuple(replace(example, spans=None) for example in slot_corpus()))
    with pytest.raises(InputError, match="None of the texts is annotated, so no threshold can be measured."):
        sweep_slot_thresholds(bundle, unannotated)
    other = Corpus((replace(slot_corpus().examples[0], spans=(Span(0, 1, "dish"),)),))
    with pytest.raises(InputError, match="theirs are dish, the network's to_city, from_city, day.\nThis may be the"):
        sweep_slot_thresholds(bundle, other)
