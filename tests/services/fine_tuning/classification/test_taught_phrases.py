"""The linear layer is fitted to phrases of the rules and names of labels too, where that is right more often."""

from __future__ import annotations

from pathlib import Path

import torch
from support.networks.small_system import small_system

from re2nn_core.network.auxiliary.text_linear import TextLinear
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.taught_phrases import OF_ALL, taught_phrases
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig

HELD = {"learning_rate": 0.0, "embedding_learning_rate": 0.0, "head_learning_rate": 0.0, "epochs": 1, "device": "cpu"}
NETWORK = NetworkConfig(vectors="none", linear=True)
FLIGHTS = ("flight", "plane", "airline", "airport", "pilot", "runway", "cabin", "crew", "takeoff", "landing")
ROOMS = ("room", "bed", "suite", "lobby", "pillow", "towel", "blanket", "shower", "balcony", "hotel")
RULES = f"""\
[travel]
go := $* my ( {" | ".join(FLIGHTS)} ) $*
[stay]
sleep := $* my ( {" | ".join(ROOMS)} ) $*
[refund]
back := $* my money back $*
"""


def _texts(first: str, second: str) -> Corpus:
    """Texts that no rule matches: one of each word."""
    examples = [Example(f"the {word}", label) for words, label in ((FLIGHTS, first), (ROOMS, second)) for word in words]
    return Corpus(tuple(examples))


def test_a_label_without_a_training_text_is_predicted_by_the_words_of_its_rule(tmp_path: Path) -> None:
    """Nothing but the rules knows which word belongs to which label: each is in one text."""
    report = train_system(
        small_system(RULES, ""), _texts("travel", "stay"), NETWORK, TrainConfig(**HELD), folder=tmp_path
    )
    bundle = load_bundle(tmp_path)
    assert predict(bundle, ["the cabin", "a towel", "money please", "my money back"]).predictions == [
        "travel",
        "stay",
        "refund",
        "refund",
    ]
    assert "A linear layer over the whole text, also fitted to 24 phrases of rules and label names," in report.recipe
    assert report.dev == 1.0


def test_phrases_that_texts_contradict_are_left_out(tmp_path: Path) -> None:
    """Texts of flights are labelled as stays and the other way round."""
    corpus = Corpus(tuple(example for _ in range(2) for example in _texts("stay", "travel")))
    report = train_system(small_system(RULES, ""), corpus, NETWORK, TrainConfig(**HELD), folder=tmp_path)
    assert "phrases of rules" not in report.recipe
    assert report.linear_weight > 0
    assert predict(load_bundle(tmp_path), ["the cabin", "the towel"]).predictions == ["stay", "travel"]


def test_phrases_have_the_label_that_the_rules_predict() -> None:
    """A fare is no phrase of travel where the logic gives it to money; one letter and a number are no names."""
    rules = "[travel]\ngo := $* ( flight | fare ) $*\n[money]\nprice := $* fare $*\n"
    numbered = "[A]\na := $* aaa $*\n[2]\nb := $* bbb $*\n"
    system = small_system(rules + numbered, 'priorities = ["money > travel"]\n')
    assert taught_phrases(system, [*system.logic.labels, "bookRoom", "credit_limit"]) == [
        (("flight",), "travel"),
        (("fare",), "money"),
        (("aaa",), "A"),
        (("bbb",), "2"),
        (("travel",), "travel"),
        (("money",), "money"),
        (("book", "room"), "bookRoom"),
        (("credit", "limit"), "credit_limit"),
    ]


def test_of_very_many_rules_some_phrases_are_taken() -> None:
    words = [f"{a}{b}{c}x" for a in "abcdefghijklmno" for b in "abcdefghijklmno" for c in "abcdefghijklmnop"]
    rules = "".join(f"r{number} := $* {word} $*\n" for number, word in enumerate(words))
    assert len(taught_phrases(small_system(f"[x]\n{rules}", ""), [])) == len(words[::2]) <= OF_ALL


def test_rules_that_name_no_word_have_no_phrase() -> None:
    assert taught_phrases(small_system("[x]\nall := $*\n", ""), ["2"]) == []


def test_words_outside_the_vocabulary_count_nothing() -> None:
    """A label may be named by a word that no text has; its number stands for all words that are not known."""
    layer = TextLinear(5, 2, 2)
    layer.set_rarity([[0, 1, 2, 3], [3, 4]])
    assert torch.equal(layer.idf > 0, torch.tensor([False, False, False, True, True]))
