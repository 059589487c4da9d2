"""A linear layer over words and rules stands in the place of a share of the tagger where F1 is higher on held-out
texts, and not else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from support.networks.tagger_samples import batch_of

from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.slot_filling.bundle import TaggerBundle, load_tagger
from re2nn_core.network.slot_filling.score_parts import tag_score_parts
from re2nn_core.services.fine_tuning.slot_filling import linear_fit as module
from re2nn_core.services.fine_tuning.slot_filling.linear_fit import fitted_layer
from re2nn_core.services.fine_tuning.slot_filling.linear_layer import LayerOfNetworks
from re2nn_core.services.fine_tuning.slot_filling.training import SlotTrainReport, train_tagger
from re2nn_core.services.prediction.slot_filling.encoding import TagEncoder, predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import start_tagger
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, read_slot_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.varied_texts import varied_copies

RULES = "goes := $* to [ $ ]<city> $*\nairline := $* [ delta | united ]<airline> $*\n"
CITIES = ("oslo", "bern", "rome", "paris", "london", "boston", "denver", "madrid", "lima", "cairo")
WITHOUT_EPOCHS = {"learning_rate": 0.0, "embedding_learning_rate": 0.0, "head_learning_rate": 0.0, "epochs": 1}
LAYER = TaggerConfig(vectors="none", auxiliary="none", linear=True)


def rules() -> SlotSystem:
    return read_slot_system(RULES, "", Tokenization())[0]


def trips(frame: str, cities: Sequence[str] = CITIES) -> list[Example]:
    """Texts with a city each, which is its slot."""
    texts = [frame.format(city) for city in cities]
    return [
        Example(text, None, "train", spans=(Span(text.index(city), text.index(city) + len(city), "city"),))
        for text, city in zip(texts, cities, strict=True)
    ]


def trained(texts: Sequence[Example], folder: Path, config: TaggerConfig = LAYER) -> SlotTrainReport:
    return train_tagger(
        rules(), Corpus(tuple(texts)), config, TrainConfig(**WITHOUT_EPOCHS, device="cpu"), folder=folder
    )


def tags_of(bundle: TaggerBundle, text: str) -> str:
    return " ".join(predict_tags(bundle, [text])[0].tags)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained on texts whose cities stand behind a word that no rule names."""
    folder = tmp_path_factory.mktemp("model")
    report = trained([*trips("i fly into {} today"), *trips("take me to {} please"), *trips("land at {} soon")], folder)
    assert report.linear_weight > 0
    assert "linear layer over words and rules: F1 changes by +" in report.recipe
    assert (report.best_epoch, report.dev) == (0, pytest.approx(1.0))
    return folder


def test_a_layer_is_kept_where_words_that_no_rule_names_tell_the_slots(folder: Path) -> None:
    bundle = load_tagger(folder)
    assert bundle.trained
    assert tags_of(bundle, "i fly into tokio today") == "O O O B-city O"
    assert tags_of(bundle, "take me to tokio please") == "O O O B-city O"


def test_a_slot_without_a_text_keeps_its_rules(folder: Path) -> None:
    assert tags_of(load_tagger(folder), "take delta to oslo") == "O B-airline O B-city"


def test_what_the_layer_adds_stands_outside_of_the_rules(folder: Path) -> None:
    network = load_tagger(folder).network
    batch = batch_of(load_tagger(folder).vocabulary, [("fly", "into", "oslo")])
    parts = tag_score_parts(network, batch)
    assert parts.total == pytest.approx(parts.logits, abs=1e-4)
    assert abs(parts.auxiliary).max() > 1


def test_training_twice_gives_the_same_layer(tmp_path: Path, folder: Path) -> None:
    texts = [*trips("i fly into {} today"), *trips("take me to {} please"), *trips("land at {} soon")]
    trained(texts, tmp_path)
    one, other = (load_tagger(place).network.state_dict() for place in (tmp_path, folder))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_layer_is_left_out_where_rules_are_right_already(tmp_path: Path) -> None:
    report = trained([*trips("take me to {} please"), *trips("to {}")], tmp_path)
    bundle = load_tagger(tmp_path)
    assert (report.linear_weight, bundle.network.linear, bundle.config.linear) == (0.0, None, False)
    assert "A linear layer over words and rules is left out: F1 changes by +0.0 on 20 held-out texts" in report.recipe
    assert not bundle.trained


def test_values_are_learned_at_the_places_of_the_others_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cities of one word stand in one frame, those of two in another one."""
    examples = [
        *trips("i fly into {} today", CITIES[:5]),
        *trips("land at {} soon", [f"new {city}" for city in CITIES]),
    ]
    texts = tagged_texts(tuple(examples), Tokenization())
    bundle = start_tagger(rules(), Corpus(tuple(examples)), texts, LAYER)
    read, layer = TagEncoder(bundle).examples(texts), bundle.network.linear
    assert layer is not None
    others = varied_copies(read, seed=1)[0]

    def loss() -> float:
        """Of copies that the layer was not fitted to."""
        LayerOfNetworks(bundle).take(fitted_layer(bundle.network, layer, read), 1.0)
        return others.measure([bundle.network])[1]

    with_copies = loss()
    monkeypatch.setattr(module, "with_copies", lambda texts, _: texts)
    assert with_copies < 0.8 * loss()
