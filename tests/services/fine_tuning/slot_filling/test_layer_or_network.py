"""With the objective interpretable a linear layer predicts where it is better than the trained network of the rules,
which goes with it and is reconstructed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from re2nn_core.embeddings.choose import ChosenVectors, word_vectors
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.ensemble import twin_of
from re2nn_core.network.slot_filling.bundle import load_tagger, save_tagger
from re2nn_core.network.slot_filling.tagger import FstRnn
from re2nn_core.reconstruction.slot_filling.weighted import weighted_rules
from re2nn_core.services.fine_tuning.slot_filling import layer_or_network, learned_predictions
from re2nn_core.services.fine_tuning.slot_filling.layer_or_network import WITH_NETWORK, predicts_better
from re2nn_core.services.fine_tuning.slot_filling.linear_layer import TagLinearLayer
from re2nn_core.services.fine_tuning.slot_filling.objectives import RULES_ALONE, slot_network
from re2nn_core.services.fine_tuning.slot_filling.split import SlotSplit, plan_in_words, split_slots, texts_of_layer
from re2nn_core.services.fine_tuning.slot_filling.step_size import SpanStepSize
from re2nn_core.services.fine_tuning.slot_filling.training import SlotTrainReport, train_tagger
from re2nn_core.services.prediction.slot_filling import untrained_tagger
from re2nn_core.services.prediction.slot_filling.encoding import predict_tags
from re2nn_core.services.rule_reconstruction.not_reconstructed import not_reconstructed
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig

RULES = "goes := $* to [ $ ]<city> $*\nairline := $* [ delta | united ]<airline> $*\n"
CITIES = ("oslo", "bern", "rome", "paris", "london", "boston", "denver", "madrid", "lima", "cairo")
FRAMES = ("i fly into {} today", "take me to {} please", "land at {} soon", "near {} if possible")
INTERPRETABLE = replace(slot_network("interpretable", 40), vectors="none")
STILL = {"learning_rate": 0.0, "embedding_learning_rate": 0.0, "head_learning_rate": 0.0, "epochs": 1}
MOVING = {"learning_rate": 0.1, "embedding_learning_rate": 0.1, "head_learning_rate": 0.1, "epochs": 30}


def trips(frames: Sequence[str] = FRAMES, split: str = "train") -> list[Example]:
    """Texts with a city each, which is its slot; most stand behind words that no rule names."""
    texts = [(frame.format(city), city) for frame in frames for city in CITIES]
    return [
        Example(text, None, split, spans=(Span(text.index(city), text.index(city) + len(city), "city"),))
        for text, city in texts
    ]


def trained(folder: Path, texts: Sequence[Example], config: object = INTERPRETABLE, **how: object) -> SlotTrainReport:
    system = read_slot_system(RULES, "", Tokenization())[0]
    settings = TrainConfig(**{**STILL, **how}, device="cpu")  # type: ignore[arg-type]
    return train_tagger(system, Corpus(tuple(texts)), config, settings, folder=folder)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a layer with a network that training has moved."""
    folder = tmp_path_factory.mktemp("model")
    texts = trips()
    # A slot of a text that the network is measured on, and the layer learns.
    texts[4] = replace(texts[4], spans=(Span(0, 1, "who"), *(texts[4].spans or ())))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layer_or_network, "CERTAIN_FURTHER", 100.0)  # the layer is taken, whatever the network gains
        trained(folder, texts, **MOVING)
    return folder


def test_where_training_keeps_the_rules_a_layer_over_words_comes_to_them(tmp_path: Path) -> None:
    report = trained(tmp_path, trips())
    bundle = load_tagger(tmp_path)
    assert report.linear_weight > 0
    assert (report.best_epoch, report.epochs) == (0, 1)
    assert report.dev is not None
    assert report.zero_shot["dev"] is not None
    assert report.dev > report.zero_shot["dev"] + 0.3
    assert WITH_NETWORK not in report.recipe
    assert (bundle.kept_rules, bundle.rules_network, bundle.learned) == (True, None, bundle)
    assert predict_tags(bundle, ["near tokio if possible"])[0].tags == ("O", "B-city", "O", "O")


def test_in_cross_validation_the_gain_is_over_the_rules_on_the_same_texts(tmp_path: Path) -> None:
    """The figure of the rules was the mean of the folds, that of the layer was of all texts together."""
    texts = [*trips(), *trips(("fly to {}",))[:7]]
    report = trained(tmp_path, texts)
    before, after = report.zero_shot["dev"], report.dev
    assert before is not None
    assert after is not None
    assert f"F1 changes by {100 * (after - before):+.1f} on {len(texts)} held-out texts" in report.recipe


def test_in_cross_validation_the_interval_of_the_rules_is_of_the_same_texts(both: Path) -> None:
    """It was that of every fifth text, which the network was measured on."""
    dev, *_ = load_tagger(both).figures["figures"]
    assert dev["texts"] == len(trips())
    assert dev["spans"][0] > len(trips()) / 2


def test_word_vectors_are_loaded_once_for_network_and_layer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """They were loaded for each, which took seconds."""
    asked: list[str] = []

    def load(words: Sequence[str], sentences: Sequence[Sequence[str]], source: str) -> ChosenVectors:
        asked.append(source)
        return word_vectors(words, sentences, source)

    monkeypatch.setattr(untrained_tagger, "word_vectors", load)
    trained(tmp_path, trips(), replace(INTERPRETABLE, vectors="builtin"))
    assert asked == ["builtin"]


def test_without_the_layer_the_rules_stay_alone(tmp_path: Path) -> None:
    report = trained(tmp_path, trips(), replace(RULES_ALONE, vectors="none"))
    assert report.linear_weight == 0
    assert not load_tagger(tmp_path).trained


def test_a_trained_network_goes_with_the_layer(both: Path) -> None:
    bundle = load_tagger(both)
    recipe = bundle.figures["recipe"]
    assert (
        f"{WITH_NETWORK} The network: against the rules, F1 changes by" in recipe
        or f"{WITH_NETWORK} The network: weights" in recipe
    )
    assert recipe.index("linear layer") < recipe.index(WITH_NETWORK), "what predicts comes first"
    assert bundle.rules_network is not None
    assert bundle.learned is bundle.rules_network
    assert (bundle.config.linear, bundle.rules_network.network.linear) == (True, None)
    assert set(bundle.network.tags) - set(bundle.rules_network.network.tags) == {"B-who"}
    assert (bundle.kept_rules, bundle.rules_network.kept_rules) == (True, False)
    own, learned = (weighted_rules(one.networks, one.vocabulary) for one in (bundle, bundle.rules_network))
    assert abs(own[0].arcs([0], 1) - learned[0].arcs([0], 1)).max() > 0.01


def test_both_are_read_as_they_were_written(both: Path, tmp_path: Path) -> None:
    bundle = load_tagger(both)
    save_tagger(tmp_path / "copy", bundle)
    again = load_tagger(tmp_path / "copy")
    assert again.rules_network is not None
    for one, other in ((bundle, again), (bundle.learned, again.learned)):
        assert same_weights(one.network, other.network)


def test_all_networks_of_an_ensemble_go_with_the_layer(both: Path, tmp_path: Path) -> None:
    bundle = load_tagger(both)
    copy = twin_of(bundle.learned.network)
    with torch.no_grad():
        next(copy.parameters()).add_(1.0)
    save_tagger(tmp_path / "copy", replace(bundle, rules_network=replace(bundle.learned, copies=(copy,))))
    network, again = load_tagger(tmp_path / "copy").learned.networks
    assert same_weights(network, bundle.learned.network)
    assert same_weights(again, copy)
    assert not same_weights(again, network)


def test_both_learn_the_same_new_words(both: Path) -> None:
    bundle = load_tagger(both)
    width = bundle.network.reader.vectors.shape[1]
    grown = bundle.with_words(["zagreb"], np.zeros((1, width), np.float32))
    assert "zagreb" in grown.vocabulary.words
    assert grown.learned.vocabulary == grown.vocabulary


def same_weights(one: FstRnn, other: FstRnn) -> bool:
    own, found = one.state_dict(), other.state_dict()
    return own.keys() == found.keys() and all(torch.equal(own[name], found[name]) for name in own)


def test_the_network_is_reconstructed_and_the_layer_measured(both: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle, asked = load_tagger(both), []
    reconstruct = learned_predictions.reconstruct_slots

    def watched(given: object, **how: object) -> object:
        asked.append(given)
        return reconstruct(given, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(learned_predictions, "reconstruct_slots", watched)
    found = learned_predictions.reconstruct_tagger(bundle, Corpus(tuple(trips())))
    assert asked[0] is bundle.rules_network
    assert found.scores[0].network.f1 > 0.9  # that of the layer


def test_nobody_is_told_to_train_a_network_that_is_there(both: Path) -> None:
    bundle = load_tagger(both)
    assert not_reconstructed(bundle)[0].endswith("the linear layer over words and rules.")
    as_of_accuracy = replace(bundle, rules_network=None, figures={**bundle.figures, "epochs": 0})
    assert "--no-linear" in not_reconstructed(as_of_accuracy)[0]


def test_nobody_is_told_to_train_a_network_that_training_did_not_keep(tmp_path: Path) -> None:
    trained(tmp_path, trips())
    assert not_reconstructed(load_tagger(tmp_path))[0].endswith("the linear layer over words and rules.")


def test_the_card_of_a_layer_names_no_epoch_of_the_network(both: Path) -> None:
    assert "- Epoch kept: none of 30; the rules as written, with a linear layer\n" in (both / "README.md").read_text()


def gains(gain: float, error: float, share: float = 1.0) -> SpanStepSize:
    return SpanStepSize(share, gain, error, 40, 0.7)


@pytest.mark.parametrize(
    ("layer", "network", "better"),
    [
        (gains(0.10, 0.02), gains(0.10, 0.05), True),  # the network's gain is less certain
        (gains(0.10, 0.02), gains(0.12, 0.01), False),
        (gains(0.10, 0.02), gains(0.30, 0.01, share=0.0), True),  # the network was not kept
        (gains(0.10, 0.02), None, True),
        (gains(0.10, 0.02, share=0.0), None, False),
        (None, gains(0.10, 0.02), False),
    ],
)
def test_what_is_more_certain_predicts(layer: SpanStepSize | None, network: SpanStepSize | None, better: bool) -> None:
    found = None if layer is None else TagLinearLayer(layer.share, layer, encoder=False)
    assert predicts_better(found, network) == better


def test_dev_measures_the_layer_or_all_texts_in_turn() -> None:
    train, dev = trips(FRAMES[:2]), trips(FRAMES[2:], "dev")
    with_dev = split_slots(Corpus((*train, *dev)))
    assert texts_of_layer(with_dev) == with_dev
    without = split_slots(Corpus(tuple(train)))
    assert texts_of_layer(without) == SlotSplit((*without.train, *without.dev), (), (), turns=5)
    assert len(texts_of_layer(without).train) == len(train)


def planned(config: TaggerConfig, dev: bool = True) -> str:
    texts = (*trips(FRAMES[:2]), *(trips(FRAMES[2:], "dev") if dev else ()))
    return plan_in_words(split_slots(Corpus(texts)), TrainConfig(), config)


def test_the_plan_names_the_layer_and_the_texts_that_choose_it() -> None:
    """It was silent on the layer, and its figures were said to be of held-out texts, as the network's are of fewer."""
    assert "it is better than the trained network on 20 dev texts. That network is then kept" in planned(INTERPRETABLE)
    assert "the trained network in 5-fold cross-validation of 20 texts." in planned(INTERPRETABLE, dev=False)
    assert "linear layer" not in planned(RULES_ALONE)


@pytest.mark.parametrize("changed", [{"auxiliary": "lstm"}, {"cell": "gru"}])
def test_where_no_layer_can_be_fitted_the_plan_says_so(changed: dict[str, str]) -> None:
    """`re2nn train --linear --auxiliary lstm` fitted none, without a word."""
    assert "No linear layer is fitted: it needs Decoding: crf, or a network without" in planned(
        replace(INTERPRETABLE, **changed)  # type: ignore[arg-type]
    )
