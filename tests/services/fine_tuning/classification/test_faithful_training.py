"""Training that ends near rules, and the threshold explorer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from support.networks.small_system import LOGIC, RULES, small_corpus, small_system
from support.processor_time import takes_less_than

from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.network.classification.bundle import Bundle, load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.faithful_training import NEAR
from re2nn_core.services.fine_tuning.classification.training import TrainReport, train_system
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction, reconstruct
from re2nn_core.services.rule_review.classification.thresholds import ThresholdSweep, sweep_thresholds
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig

QUICK = TrainConfig(
    device="cpu", epochs=25, batch_size=8, learning_rate=0.01, l2_to_initial=1e-4, copies=1, faithful=True, threads=1
)
NETWORK = NetworkConfig(vectors="none", train_words=True, dropout=0.0)


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> tuple[TrainReport, Bundle]:
    folder = tmp_path_factory.mktemp("model")
    report = train_system(small_system(), small_corpus(), NETWORK, QUICK, folder=folder)
    return report, load_bundle(folder)


@pytest.fixture(scope="module")
def found(near: tuple[TrainReport, Bundle]) -> Reconstruction:
    return reconstruct(near[1], small_corpus())


def test_the_network_predicts_as_the_rules_read_back(near, found):
    _, bundle = near
    assert bundle.faithful
    system, _ = read_system(found.rules_text, found.logic_text, bundle.tokenization)
    for split in ("train", "dev"):
        texts = small_corpus().of_split(split).texts
        same = sum(a == b for a, b in zip(predict(bundle, texts).predictions, system.predictions(texts), strict=True))
        assert same >= NEAR * len(texts)


def test_the_rules_that_people_wrote_are_what_is_compared_with(near, found):
    _, bundle = near
    assert bundle.written == (RULES, LOGIC)
    assert bundle.rules_text != RULES
    by_split = {one.split: one for one in found.accuracy}
    system = small_system()
    dev = small_corpus().of_split("dev")
    right = sum(a == e.label for a, e in zip(system.predictions(dev.texts), dev, strict=True))
    assert by_split["dev"].original == right / len(dev)
    assert by_split["dev"].reconstructed > by_split["dev"].original
    assert {rule.name for rule in found.rules} == {"go", "to_city", "price", "much"}
    assert found.changed + len(found.new_rules) >= 1
    for rule in found.rules:
        assert rule.kept_original == (rule.edges == 0)


def test_the_report_says_what_was_done(near):
    report, bundle = near
    assert any(note.startswith("Faithful training: ") for note in report.notes)
    assert bundle.figures["dev"] == report.dev
    assert bundle.figures["test"] == report.test
    texts = small_corpus().of_split("test")
    right = sum(a == e.label for a, e in zip(predict(bundle, texts.texts).predictions, texts, strict=True))
    assert report.test == pytest.approx(right / len(texts))


def test_nothing_but_rules_is_left_of_a_reader_beside(tmp_path):
    network = replace(NETWORK, vectors="builtin", auxiliary="rnn", auxiliary_states=4)
    report = train_system(small_system(), small_corpus(), network, replace(QUICK, epochs=5), folder=tmp_path)
    assert load_bundle(tmp_path).config.auxiliary == "none"
    assert report.epochs == 5
    assert "The auxiliary encoder (" not in report.recipe  # the sentence about its weight


def test_test_texts_take_no_part(near, tmp_path):
    """With other labels on test texts the same network comes out."""
    turned = [
        replace(e, label={"travel": "money", "money": "travel"}[e.label]) if e.split == "test" else e
        for e in small_corpus()
    ]
    train_system(small_system(), Corpus(tuple(turned)), NETWORK, QUICK, folder=tmp_path)
    other = load_bundle(tmp_path)
    assert other.rules_text == near[1].rules_text
    for name, value in near[1].network.state_dict().items():
        assert torch.equal(value, other.network.state_dict()[name]), name


def test_new_rules_come_from_train_texts(near):
    free = replace(QUICK, faithful=False)
    assert not free.faithful
    bundle = untrained(small_system(), small_corpus().texts)
    found = reconstruct(bundle, small_corpus())
    assert [(rule.name, rule.label) for rule in found.new_rules] == [("money.new", "money")]
    assert "cost" in found.new_rules[0].text
    by_split = {one.split: one for one in found.accuracy}
    assert by_split["test"].reconstructed > by_split["test"].original
    assert found.in_words == (
        "4 rules kept, 0 changed, 1 new; 0 edges changed, by 0 words. Rules name 1 word more than the written ones."
    )


def test_texts_of_another_project_are_told():
    bundle = untrained(small_system(), small_corpus().texts)
    other = Corpus((Example("a text", "weather", "dev"),))
    expected = r"theirs are weather, the network's travel, money\.\nThis may be the network of another project"
    with pytest.raises(InputError, match=expected):
        reconstruct(bundle, other)
    with pytest.raises(InputError, match=expected):
        sweep_thresholds(bundle, other)


@pytest.fixture(scope="module")
def explorer(tmp_path_factory: pytest.TempPathFactory) -> ThresholdSweep:
    folder: Path = tmp_path_factory.mktemp("free")
    train_system(small_system(), small_corpus(), NETWORK, replace(QUICK, faithful=False), folder=folder)
    return sweep_thresholds(load_bundle(folder), small_corpus())


def test_a_threshold_gives_rules_that_are_as_right_as_it_says(explorer):
    for threshold in (0.3, 0.5, 0.8):
        at = explorer.at(threshold)
        assert at.threshold == threshold
        system, _ = read_system(at.rules_text, explorer.bundle.logic_text, explorer.bundle.tokenization)
        for one in at.accuracy:
            part = small_corpus().of_split(one.split)
            predictions, network = system.predictions(part.texts), predict(explorer.bundle, part.texts).predictions
            right = sum(a == e.label for a, e in zip(predictions, part, strict=True))
            assert one.reconstructed == pytest.approx(right / len(part))
            assert one.agreement == pytest.approx(np.mean([a == b for a, b in zip(predictions, network, strict=True)]))
        assert [one.split for one in at.accuracy] == ["dev", "train", "test"]


def test_dev_chooses_the_threshold_that_is_most_often_right(explorer):
    best = max(at.accuracy[0].reconstructed for at in explorer.curve())
    assert explorer.at(explorer.chosen).accuracy[0].reconstructed == best


def test_one_machine_may_move_alone(explorer):
    at = explorer.at(explorer.chosen, "price")
    assert at.changed == 1
    every = explorer.at(explorer.chosen)
    assert every.changed <= len(every.moved)  # what nothing moved is no change
    assert [machine.why for machine in at.machines if machine.name != "price"] == ["", "", ""]
    with pytest.raises(NotFoundError, match=r"has no automaton 'nothing'\. It has: go, to_city, price, much"):
        explorer.at(0.5, "nothing")


def test_a_threshold_that_leaves_nothing_is_told():
    bundle = untrained(small_system(), small_corpus().texts)
    with torch.no_grad():
        for weights in (bundle.network.reader.word_factors, bundle.network.reader.wildcard):
            weights.mul_(0.3)
    found = sweep_thresholds(bundle, small_corpus()).at(0.9)
    assert found.changed == 0
    assert found.in_words == (
        "At threshold 0.90 nothing is left of every rule (go, to_city, price, much): shown as written. "
        "Lower the threshold to see their reconstruction."
    )
    assert all(machine.why == "it would accept nothing" for machine in found.machines)
    with pytest.raises(InputError, match=r"The threshold must be a number from 0 to 1 \(got 1\.5\)"):
        sweep_thresholds(bundle, small_corpus()).at(1.5)


def test_moving_the_threshold_is_quick(explorer):
    others = iter((0.45, 0.46, 0.47))
    assert takes_less_than(0.5, lambda: explorer._at(next(others)))
