"""Figures before and after a training stand side by side only where they are of one kind, and say which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from support.networks.small_system import small_corpus, small_system
from support.projects.finished_tagger_run import NETWORK as SLOT_NETWORK
from support.projects.finished_tagger_run import RULES as SLOT_RULES
from support.projects.finished_tagger_run import TRAIN as SLOT_TRAIN
from support.projects.finished_tagger_run import slot_corpus

from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import load_tagger
from re2nn_core.services.fine_tuning.classification.training import TrainReport, train_system
from re2nn_core.services.fine_tuning.dev_figures import (
    FigurePair,
    dev_name,
    dev_of,
    figure_on,
    meanings_in_words,
    measured_on,
)
from re2nn_core.services.fine_tuning.slot_filling.dev_figures import slot_dev_name
from re2nn_core.services.fine_tuning.slot_filling.split import split_slots
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.fine_tuning.training_plan import Split, split_examples
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.services.rule_writing.classification.starter_rules import starter_rules
from re2nn_core.services.rule_writing.slot_filling.starter_rules import slot_starter_rules
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.span_scores import span_scores

QUICK = TrainConfig(device="cpu", epochs=4, batch_size=8, learning_rate=0.01, threads=1)
NETWORK = NetworkConfig(vectors="none", train_words=True, dropout=0.0)


def pairs_of(report: TrainReport) -> dict[str, FigurePair]:
    return {pair.name: pair for pair in report.figures}


def share(predictions: Sequence[str | None], texts: Sequence[Example]) -> float:
    return sum(a == e.label for a, e in zip(predictions, texts, strict=True)) / len(texts)


@pytest.mark.parametrize("near_rules", [False, True])
def test_shares_held_out_and_dev_learned_from_are_two_figures(tmp_path: Path, near_rules: bool) -> None:
    config = replace(QUICK, copies=2, faithful=near_rules)
    report = train_system(small_system(), small_corpus(), NETWORK, config, folder=tmp_path)
    found = pairs_of(report)
    assert list(found) == ["out-of-fold", "dev (also used for training)", "test"]
    corpus, rules, bundle = small_corpus(), small_system(), load_bundle(tmp_path)
    dev, test = corpus.of_split("dev"), corpus.of_split("test")
    every = [*corpus.of_split("train"), *dev]
    held, learned = found["out-of-fold"], found["dev (also used for training)"]
    assert held.untrained == pytest.approx(share(rules.predictions([e.text for e in every]), every))
    assert held.trained == report.history[report.best_epoch].dev
    assert held.near_rules is None  # the network that was brought near rules was held out from nothing
    assert learned.untrained == pytest.approx(share(rules.predictions(dev.texts), dev.examples))
    assert learned.kept == pytest.approx(share(predict(bundle, dev.texts).predictions, dev.examples))
    assert (learned.near_rules is not None) == near_rules
    assert found["test"].kept == pytest.approx(share(predict(bundle, test.texts).predictions, test.examples))
    assert report.dev == (learned.near_rules if near_rules else held.trained)


@pytest.mark.parametrize("near_rules", [False, True])
def test_dev_that_was_never_learned_from_is_just_dev(tmp_path: Path, near_rules: bool) -> None:
    config = replace(QUICK, copies=1, faithful=near_rules)
    report = train_system(small_system(), small_corpus(), NETWORK, config, folder=tmp_path)
    found = pairs_of(report)
    assert list(found) == ["dev", "test"]
    dev = small_corpus().of_split("dev")
    assert found["dev"].untrained == pytest.approx(share(small_system().predictions(dev.texts), dev.examples))
    assert found["dev"].kept == pytest.approx(
        share(predict(load_bundle(tmp_path), dev.texts).predictions, dev.examples)
    )


def test_names_are_known_before_the_training() -> None:
    texts = tuple(Example(f"text {number}", "ab"[number % 2], "train") for number in range(40))
    reported = tuple(Example(f"word{number % 2} {number}", "ab"[number % 2], "train") for number in range(40))
    suggested = starter_rules(Corpus(reported), Tokenization())
    assert dev_name(Split(texts, texts[:9], (), "dev"), TrainConfig()) == "out-of-fold"
    assert dev_name(Split(texts, texts[:9], (), "dev"), TrainConfig(copies=1)) == "dev"
    assert dev_name(split_examples(Corpus(texts)), TrainConfig(copies=1)) == "held-out fifth"
    assert dev_name(split_examples(Corpus(texts)), TrainConfig()) == "out-of-fold"
    assert dev_name(split_examples(Corpus(texts)), TrainConfig(copies=1), suggested) == "dev (used for suggesting)"
    assert dev_name(Split(texts, texts[:9], (), "dev"), TrainConfig(), suggested) == "dev (used for suggesting)"
    # Rules are never suggested from the split dev.
    assert dev_name(Split(texts, texts[:9], (), "dev"), TrainConfig(copies=1), suggested) == "dev"
    # So few labels are learned beside the rules' predictions, in no turns.
    assert dev_name(Split(texts[:9], texts[9:], (), "dev"), TrainConfig(unlabelled=1.0)) == "dev"


def test_figures_of_slots_on_texts_that_rules_were_suggested_from_are_not_called_held_out() -> None:
    texts = tuple(Example(f"to city {number}", None, "train", (Span(3, 7, "to"),)) for number in range(20))
    rules = slot_starter_rules(Corpus(texts), Tokenization())
    assert slot_dev_name(split_slots(Corpus(texts)), TaggerConfig(), TrainConfig()) == "held-out fifth"
    assert (
        slot_dev_name(split_slots(Corpus(texts)), TaggerConfig(), TrainConfig(), rules) == "dev (used for suggesting)"
    )
    dev = Corpus((*texts, *(replace(text, split="dev") for text in texts)))
    assert slot_dev_name(split_slots(dev), TaggerConfig(), TrainConfig(), rules) == "dev"


def test_each_figure_says_of_how_many_texts_it_is(tmp_path: Path) -> None:
    report = train_system(small_system(), small_corpus(), NETWORK, replace(QUICK, copies=1), folder=tmp_path)
    counts = {pair.name: pair.texts for pair in report.figures}
    assert counts == {split: len(small_corpus().of_split(split)) for split in ("dev", "test")}


def test_names_are_explained_where_they_are_not_plain() -> None:
    plain = [FigurePair("dev", 0.5, 0.6), FigurePair("test", 0.5, 0.6)]
    assert meanings_in_words(plain) == ""
    reported = meanings_in_words(
        [FigurePair("out-of-fold", 0.5, 0.6), FigurePair("dev (also used for training)", 0.5, 0.9)]
    )
    assert reported.splitlines() == [
        "out-of-fold: the average over the labelled train and dev texts, each measured with a network not trained on "
        "it.",
        "dev (also used for training): these texts were also used for training, so a gain here proves little.",
    ]


def test_a_run_has_dev_figures_of_one_kind() -> None:
    turns = [
        asdict(FigurePair("out-of-fold", 0.5, 0.7)),
        asdict(FigurePair("dev (also used for training)", 0.6, 0.9, 0.95)),
    ]
    old = {"zero_shot": {"dev": 0.5}, "dev": 0.95}
    assert dev_of({**old, "figures": turns}) == (0.6, 0.95)
    assert dev_of({**old, "dev": 0.7, "figures": [turns[0]]}) == (0.5, 0.7)
    assert dev_of(old) == (0.5, 0.95)
    assert dev_of({}) == (None, None)


def test_a_figure_has_an_interval_where_its_texts_tell_of_others() -> None:
    assert FigurePair("test", 0.5, 0.9, None, 60).interval == "80% to 95%"
    assert FigurePair("out-of-fold", 0.5, 0.6, 0.9, 60).interval == "80% to 95%"  # of the network that is kept
    for none in (
        FigurePair("test", 0.5, 0.9),
        FigurePair("test", 0.5, None, None, 60),
        FigurePair("dev (also used for training)", 0.5, 0.9, None, 60),
        FigurePair("dev (used for suggesting)", 0.5, 0.9, None, 60),
    ):
        assert none.interval == ""


@pytest.mark.parametrize(("copies", "apart"), [(1, False), (2, True)])
def test_slots_have_the_same_names(tmp_path: Path, copies: int, apart: bool) -> None:
    """Readers that learn apart take turns where there are few dev texts."""
    system, _ = read_slot_system(SLOT_RULES, "", Tokenization())
    more = {"auxiliary": "lstm", "auxiliary_states": 4, "detached": True} if apart else {}
    network = TaggerConfig(**{**SLOT_NETWORK, **more})  # type: ignore[arg-type]
    training = TrainConfig(**{**SLOT_TRAIN, "copies": copies, "epochs": 2, "threads": 1})  # type: ignore[arg-type]
    report = train_tagger(system, slot_corpus(), network, training, folder=tmp_path)
    names = ["out-of-fold", "dev (also used for training)", "test"] if apart else ["dev", "test"]
    assert [pair.name for pair in report.figures] == names
    assert slot_dev_name(split_slots(slot_corpus()), network, training) == names[0]
    dev = tagged_texts(slot_corpus().of_split("dev").examples, Tokenization())
    predictions = predict_tags(load_tagger(tmp_path), slot_corpus().of_split("dev").texts)
    by_rules = system.tags_of_words([text.words for text in dev])
    gold = [text.tags for text in dev]
    own = report.figures[-2]
    assert own.untrained == pytest.approx(span_scores(gold, by_rules).f1)
    assert own.trained == pytest.approx(span_scores(gold, [prediction.tags for prediction in predictions]).f1)


def test_a_figure_out_of_fold_is_on_no_texts_of_that_name() -> None:
    """Fine-tune had *F1 on out-of-fold*, and the menu of models *88.9% on out-of-fold*."""
    assert [figure_on("F1", where) for where in ("dev", "out-of-fold, 42 texts, rules", "held-out fifth")] == [
        "F1 on dev",
        "out-of-fold F1, 42 texts, rules",
        "F1 on held-out fifth",
    ]
    assert [measured_on("88.9%", where) for where in ("test, 74 texts", "out-of-fold")] == [
        "88.9% on test, 74 texts",
        "88.9% out-of-fold",
    ]
