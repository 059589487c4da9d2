"""An auxiliary encoder counts as much as helps on texts held out, and no more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from support.networks.explained import as_trained
from support.networks.small_system import small_corpus, small_system

from re2nn_core.network.classification.bundle import Bundle, load_bundle, with_config
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.auxiliary_weight import (
    auxiliary_in_words,
    auxiliary_weight_in_words,
    choose_auxiliary_weight,
)
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import EncodedExamples

TEXTS = ("how much is the flight", "fly to boston", "planes", "the price is", "is the", "to the")


def with_auxiliary(copies: int = 0) -> Bundle:
    """Rules without noise and an auxiliary encoder them that says the label 'other', loudly enough to be heard from one
    half on."""
    bundle = as_trained(size=0.0, copies=copies, dimensions=4, auxiliary="rnn", auxiliary_states=3)
    for network in bundle.networks:
        assert network.auxiliary is not None
        with torch.no_grad():
            network.auxiliary.bias[network.logic.labels.index("other")] = 2.5 * bundle.config.logit_scale
    return bundle


def examples(bundle: Bundle, label: str | None) -> EncodedExamples:
    """Texts with one label, or with that of the rules."""
    predictions = small_system().predictions(TEXTS)
    labels = [bundle.network.logic.labels.index(label or prediction or "") for prediction in predictions]
    return EncodedExamples([bundle.vocabulary.encode(text.split()) for text in TEXTS], labels)


def test_a_reader_that_helps_counts_and_one_that_harms_does_not() -> None:
    bundle = with_auxiliary()
    chosen, accuracy = choose_auxiliary_weight(bundle, [examples(bundle, "other")])
    assert (chosen.config.auxiliary_weight, accuracy) == (1.0, 1.0)
    assert chosen.network.config.auxiliary_weight == 1.0
    chosen, accuracy = choose_auxiliary_weight(with_auxiliary(), [examples(bundle, None)])
    assert (chosen.config.auxiliary_weight, accuracy) == (0.0, 1.0)


def test_of_equal_shares_dev_takes_the_largest_and_parts_of_few_texts_the_smallest() -> None:
    """From one half on the auxiliary encoder is heard, so one half and one are right as often."""
    one = examples(with_auxiliary(), "other")
    for held_out, copies, share in (([one], 0, 1.0), ([one, one], 1, 0.5)):
        assert choose_auxiliary_weight(with_auxiliary(copies=copies), held_out)[0].config.auxiliary_weight == share


@pytest.mark.parametrize(
    ("by_the_rules", "dev", "parts"),
    [
        pytest.param(52, 1.0, 0.0, id="52 and 48 of 100 texts cannot be told apart"),
        pytest.param(56, 0.25, 0.0, id="56 and 44 can: the auxiliary encoder is not heard at one quarter"),
        pytest.param(48, 1.0, 0.5, id="the auxiliary encoder is right more often"),
    ],
)
def test_dev_takes_the_largest_share_that_it_can_hardly_tell_from_the_best(
    by_the_rules: int, dev: float, parts: float
) -> None:
    """From one half on the auxiliary encoder is heard, and says 'other' of every text."""
    bundle = with_auxiliary()
    rules, auxiliary = examples(bundle, None), examples(bundle, "other")
    texts = EncodedExamples(
        [rules.codes[0]] * 100, [rules.labels[0]] * by_the_rules + [auxiliary.labels[0]] * (100 - by_the_rules)
    )
    chosen, accuracy = choose_auxiliary_weight(bundle, [texts])
    heard = dev >= 0.5
    assert (chosen.config.auxiliary_weight, accuracy) == (dev, (100 - by_the_rules if heard else by_the_rules) / 100)
    assert choose_auxiliary_weight(with_auxiliary(copies=1), [texts, texts])[0].config.auxiliary_weight == parts


def test_each_network_predicts_for_the_texts_held_out_from_it() -> None:
    """Two parts of six texts: with the auxiliary encoder one is right wholly, without it the other."""
    bundle = with_auxiliary(copies=1)
    one, other = examples(bundle, "other"), examples(bundle, None)
    _, accuracy = choose_auxiliary_weight(bundle, [one, other])
    assert accuracy == pytest.approx(0.5)
    _, accuracy = choose_auxiliary_weight(bundle, [one, one])
    assert accuracy == 1.0


def test_without_a_reader_or_texts_all_stays_as_it_is() -> None:
    bundle = as_trained()
    assert choose_auxiliary_weight(bundle, [examples(with_auxiliary(), "other")]) == (bundle, None)
    bundle = with_auxiliary()
    nothing = EncodedExamples([], [])
    assert choose_auxiliary_weight(bundle, [nothing]) == (bundle, None)
    one = examples(bundle, "other")
    assert choose_auxiliary_weight(bundle, [one, one, one]) == (bundle, None)  # one mean of three that saw every text
    assert bundle.config.auxiliary_weight == 1.0


@pytest.mark.parametrize("turns", [False, True])
def test_training_tells_how_much_the_reader_counts(tmp_path: Path, turns: bool) -> None:
    copies = 2 if turns else 1
    train = TrainConfig(
        device="cpu", epochs=3, batch_size=8, copies=copies, average="predictions", auxiliary_learning_rate=0.02
    )
    network = NetworkConfig(vectors="builtin", auxiliary="gru", auxiliary_states=4)
    report = train_system(small_system(), small_corpus(), network, train, folder=tmp_path)
    bundle = load_bundle(tmp_path)
    share = bundle.config.auxiliary_weight
    counts = {0.0: "counts nothing", 0.25: "counts a quarter", 0.5: "counts half", 1.0: "counts fully"}[share]
    why = "the weight with the highest out-of-fold accuracy"
    if not turns:
        why = "the largest weight that is not clearly worse than the best one on held-out texts"
    auxiliary = " The auxiliary encoder (GRU)"
    assert report.recipe.endswith(f"{auxiliary} {counts}: {why}.")
    assert report.dev is not None
    assert report.dev >= report.history[report.best_epoch].dev  # that of the chosen share


def test_before_the_start_the_reader_is_named_where_there_will_be_one() -> None:
    reported = "An auxiliary encoder (BiLSTM) is trained; its scores are added to those of the rules."
    assert auxiliary_in_words(NetworkConfig(auxiliary="bilstm")) == reported
    assert auxiliary_in_words(NetworkConfig()) == ""


def test_a_share_that_was_set_by_hand_is_told_as_a_number() -> None:
    bundle = with_auxiliary()
    bundle = with_config(bundle, replace(bundle.config, auxiliary_weight=8.0))
    reported = "The auxiliary encoder (RNN) counts 8 times: the weight with the highest"
    assert auxiliary_weight_in_words(bundle, turns=True).startswith(reported)
    assert auxiliary_weight_in_words(as_trained(), turns=True) == ""
