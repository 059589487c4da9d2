"""Prediction, evaluation, training, reading back and certificate on a small system."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from support.networks.small_system import LOGIC, RULES, small_corpus, small_system

from re2nn_core.errors import InputError
from re2nn_core.network.classification.bundle import Bundle, load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.automaton_views.classification import certification
from re2nn_core.services.automaton_views.classification.certification import (
    certify,
    check_certificate,
    write_certificate,
)
from re2nn_core.services.fine_tuning.classification.training import TrainReport, train_system
from re2nn_core.services.prediction.classification.evaluation import NO_PREDICTION, evaluate_model, score
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct
from re2nn_core.services.rule_systems.classification.deciding_rules import decided_by
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig

QUICK = TrainConfig(device="cpu", epochs=25, batch_size=8, learning_rate=0.01, l2_to_initial=1e-4, copies=1)
NETWORK = NetworkConfig(vectors="none", train_words=True, dropout=0.0)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[TrainReport, Bundle]:
    folder = tmp_path_factory.mktemp("model")
    report = train_system(small_system(), small_corpus(), NETWORK, QUICK, folder=folder)
    return report, load_bundle(folder)


def test_untrained_network_and_rules_agree_on_every_text():
    found = evaluate_model(small_system(), small_corpus())
    assert (found.sentences, found.agree, found.differing) == (64, 64, ())
    assert found.rules.accuracy == found.network.accuracy


def test_without_a_default_label_a_text_may_have_no_prediction():
    system = small_system(logic="")
    texts = ["nothing here", "how much"]
    assert system.predictions(texts) == [None, "money"]
    assert predict(untrained(system, texts), texts).predictions == [None, "money"]


def test_a_planted_difference_is_seen():
    bundle = untrained(small_system(), small_corpus().texts)
    with torch.no_grad():
        bundle.network.bias[bundle.logic.labels.index("money")] = 5
    found = evaluate_model(small_system(), small_corpus(), bundle)
    assert found.agree < found.sentences
    assert len(found.differing) == found.sentences - found.agree


def test_the_rules_that_speak_for_a_prediction_are_named():
    system = small_system()
    matched = system.matched(["the fare of a flight", "hello"])
    assert decided_by(system, matched[0], "money") == ("price",)
    assert decided_by(system, matched[0], "travel") == ("go",)
    assert decided_by(system, matched[1], "travel") == ()


def test_a_negated_rule_does_not_speak_for_the_label():
    system = small_system(logic='logic = ["go & !price -> travel"]')
    (matched,) = system.matched(["a flight"])
    assert decided_by(system, matched, "travel") == ("go",)


def test_scores_count_no_prediction_as_wrong():
    found = score(["a", "a", "b", None], ["a", None, "b", "b"])
    assert found.accuracy == pytest.approx(2 / 3)
    assert found.labels == ("a", "b", NO_PREDICTION)
    assert found.confusion == ((1, 0, 1), (0, 1, 0), (0, 0, 0))
    assert [(s.label, s.recall, s.support) for s in found.per_label] == [("a", 0.5, 2), ("b", 1.0, 1)]


def test_scores_without_labels_are_undefined():
    assert score([None], ["a"]).accuracy is None


def test_training_ends_above_the_rules_and_is_reported(trained: tuple[TrainReport, Bundle]):
    report, bundle = trained
    assert report.dev is not None
    assert report.zero_shot["dev"] is not None
    assert report.dev > report.zero_shot["dev"]
    assert report.train_size == 32
    assert bundle.trained
    assert bundle.figures["dev"] == report.dev
    assert not (Path(report.model) / "checkpoint").exists()


def test_reading_back_is_never_worse_on_dev_and_runs_again(trained: tuple[TrainReport, Bundle]):
    _, bundle = trained
    found = reconstruct(bundle, small_corpus())
    by_split = {accuracy.split: accuracy for accuracy in found.accuracy}
    assert list(by_split) == ["dev", "train", "test"]
    dev = by_split["dev"]
    assert dev.original is not None
    assert dev.reconstructed is not None
    assert dev.reconstructed >= dev.original
    again, warnings = read_system(found.rules_text, found.logic_text, Tokenization())
    corpus = small_corpus().of_split("dev")
    right = sum(a == e.label for a, e in zip(again.predictions(corpus.texts), corpus, strict=True))
    assert right / len(corpus) == dev.reconstructed
    for split, texts in ((one, small_corpus().of_split(one.split)) for one in found.accuracy):
        was, now = (
            [
                prediction == example.label
                for prediction, example in zip(system.predictions(texts.texts), texts, strict=True)
            ]
            for system in (small_system(), again)
        )
        assert split.labelled == len(texts)
        assert split.better == sum(after and not before for before, after in zip(was, now, strict=True))
        assert split.worse == sum(before and not after for before, after in zip(was, now, strict=True))
    assert dev.better > 0
    assert found.changed == sum(not rule.kept_original for rule in found.rules)


def test_an_untrained_network_reads_back_as_its_rules():
    bundle = untrained(small_system(), small_corpus().texts)
    found = reconstruct(bundle, small_corpus())
    assert found.changed == 0
    assert [rule.reconstructed_text for rule in found.rules] == [rule.original_text for rule in found.rules]


@pytest.mark.parametrize("mode", ["rule", "label"])
def test_a_changed_machine_is_written_in_its_place(mode: str):
    bundle = untrained(small_system(), small_corpus().texts, NetworkConfig(machines=mode, vectors="none", dropout=0.0))
    network = bundle.network
    with torch.no_grad():  # "cost" becomes as good as "fare"
        network.reader.word_factors[bundle.vocabulary.index["cost"]] = network.reader.word_factors[
            bundle.vocabulary.index["fare"]
        ]
    found = reconstruct(bundle, small_corpus())
    assert found.changed >= 1
    again, _ = read_system(found.rules_text, found.logic_text, Tokenization())
    assert again.predictions(["the cost of it"]) == ["money"]
    assert small_system().predictions(["the cost of it"]) == ["travel"]


def test_reading_back_needs_labels():
    bundle = untrained(small_system(), ["a"])
    with pytest.raises(InputError, match="None of the texts has a label, so no threshold can be chosen"):
        reconstruct(bundle, Corpus((Example("a"),)))


def only(corpus: Corpus, *, count: int, label: str | None = None) -> Corpus:
    kept = [e for e in corpus.of_split("train") if label is None or e.label == label]
    return Corpus((*kept[:count], *corpus.of_split("dev")))


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (only(small_corpus(), count=3), "There are 3 labelled training texts; training needs at least 10."),
        (only(small_corpus(), count=16, label="money"), "All 16 training texts have the label 'money'"),
    ],
)
def test_too_little_to_learn_from_is_told(tmp_path: Path, corpus: Corpus, message: str):
    with pytest.raises(InputError) as caught:
        train_system(small_system(), corpus, NETWORK, QUICK, folder=tmp_path)
    assert message in str(caught.value)
    assert not (tmp_path / "bundle.json").exists()


def test_labels_that_no_rule_knows_are_learned(tmp_path: Path):
    extra = tuple(
        Example(f"{word} hello there", "greeting", split)
        for word in ("oh", "well", "hi", "hey", "yes")
        for split in ("train", "dev", "test")
    )
    corpus = Corpus((*small_corpus(), *extra))
    report = train_system(small_system(), corpus, NETWORK, QUICK, folder=tmp_path)
    assert report.test is not None
    assert "greeting" in predict(load_bundle(tmp_path), ["oh hello there"]).labels
    assert predict(load_bundle(tmp_path), ["oh hello there"]).predictions == ["greeting"]


def test_a_test_label_that_nobody_knows_counts_as_wrong(tmp_path: Path):
    corpus = Corpus((*small_corpus(), Example("what", "unheard", "test")))
    report = train_system(small_system(), corpus, NETWORK, replace(QUICK, epochs=1), folder=tmp_path)
    assert report.test is not None
    assert report.test <= 16 / 17


def test_a_certificate_can_be_checked_again(tmp_path: Path):
    texts = small_corpus().texts
    certificate = certify(small_system(), texts)
    assert certificate.equal
    assert (certificate.sentences, certificate.agree, certificate.max_error) == (64, 64, 0)
    write_certificate(tmp_path / "c.json", certificate)
    assert check_certificate(tmp_path / "c.json", small_system(), texts) == (certificate, ())


def other_system(rules: str = RULES, logic: str = LOGIC) -> RuleSystem:
    return small_system(rules, logic)


@pytest.mark.parametrize(
    ("system", "texts", "fault"),
    [
        (
            other_system(rules=RULES.replace("fare", "cost")),
            small_corpus().texts,
            "the rules are not the certified ones",
        ),
        (other_system(logic=""), small_corpus().texts, "the label logic is not the certified one"),
        (other_system(), ("other",), "the texts are not the certified ones"),
    ],
)
def test_a_certificate_of_something_else_is_refused(
    tmp_path: Path, system: RuleSystem, texts: tuple[str, ...], fault: str
):
    write_certificate(tmp_path / "c.json", certify(small_system(), small_corpus().texts))
    _, faults = check_certificate(tmp_path / "c.json", system, texts)
    assert fault in faults


def test_a_network_that_differs_gets_no_certificate(monkeypatch: pytest.MonkeyPatch):
    def tampered(*arguments: object) -> Bundle:
        bundle = untrained(*arguments)
        with torch.no_grad():
            bundle.network.reader.final.zero_()
        return bundle

    monkeypatch.setattr(certification, "untrained", tampered)
    certificate = certify(small_system(), small_corpus().texts)
    assert not certificate.equal
    assert certificate.differing


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        ("", "is no certificate. Give a file that was written with re2nn certify"),
        ("[]", "is no certificate. Give a file that was written with re2nn certify"),
        (json.dumps({"format": 1}), "Write it again with re2nn certify"),
    ],
)
def test_a_file_that_is_no_certificate_is_told(tmp_path: Path, content: str, advice: str):
    (tmp_path / "c.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=advice):
        check_certificate(tmp_path / "c.json", small_system(), ("a",))


def test_without_a_default_label_the_baseline_is_the_rules_own(tmp_path: Path):
    """A text that no rule matches has no prediction in the baseline, though the network would give one."""
    system = small_system(logic="")
    dev = small_corpus().of_split("dev")
    right = sum(a == e.label for a, e in zip(system.predictions(dev.texts), dev, strict=True)) / len(dev)
    assert right < 1
    report = train_system(system, small_corpus(), NETWORK, replace(QUICK, epochs=1), folder=tmp_path)
    assert report.history[0].dev == pytest.approx(right)
    assert report.zero_shot["dev"] == pytest.approx(right)


def test_a_network_that_learned_nothing_still_is_the_rules(tmp_path: Path):
    nothing = replace(QUICK, epochs=2, learning_rate=0.0, embedding_learning_rate=0.0, head_learning_rate=0.0)
    system = small_system(logic='default = "travel"')
    report = train_system(system, small_corpus(), NETWORK, nothing, folder=tmp_path)
    assert report.best_epoch == 0
    assert not load_bundle(tmp_path).trained
    assert report.dev == report.zero_shot["dev"]


def test_a_single_label_is_scored_without_a_warning():
    found = score(["a", "a"], ["a", "a"])
    assert (found.accuracy, found.confusion) == (1.0, ((2,),))


def test_a_missing_certificate_is_told(tmp_path: Path):
    with pytest.raises(InputError, match="there is no such certificate"):
        check_certificate(tmp_path / "none.json", small_system(), ("a",))
