"""Words that test texts alone hold are not named by reconstructed rules."""

from __future__ import annotations

import numpy as np
import torch
from support.networks.small_system import small_corpus, small_system

from re2nn_core.reconstruction.classification.conduct import reconstruct_rules
from re2nn_core.reconstruction.weights.held_out_words import held_out_words, read_as_unknown
from re2nn_core.reconstruction.weights.weighted import WeightedMachine
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.services.rule_review.classification.thresholds import sweep_thresholds
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.vocabulary import build_vocabulary

SPLITS = ("train", "dev", "test", "test", None)
SENTENCES = (("a", "b"), ("c",), ("a", "d"), ("e", "f", "7"), ("f",))


def test_they_are_in_no_other_text_and_in_no_rule() -> None:
    vocabulary = build_vocabulary(SENTENCES, always=["e", "g"])
    corpus = Corpus(
        tuple(Example(" ".join(words), None, split) for words, split in zip(SENTENCES, SPLITS, strict=True))
    )
    found = held_out_words(vocabulary, corpus, SENTENCES, ["e", "g"])
    assert {word for word, alone in zip(vocabulary.words, found, strict=True) if alone} == {"d", "7"}


def test_they_weigh_what_unknown_words_of_their_kind_do() -> None:
    vocabulary = build_vocabulary([("d", "7")])
    arcs = np.arange(len(vocabulary), dtype=np.float32)[:, None, None]
    machine = WeightedMachine("m", vocabulary, arcs, np.ones(1), np.ones(1))
    hidden = np.asarray([word in ("d", "7") for word in vocabulary.words])
    read = read_as_unknown(machine, hidden).arcs[:, 0, 0]
    assert (read[vocabulary.index["d"]], read[vocabulary.index["7"]]) == (0, 1)
    assert read[:3].tolist() == [0, 1, 2]


def test_a_reconstruction_names_learned_words_of_train_alone() -> None:
    """The network reads `cost`, of train texts, and `toll`, of a test text, as it reads `price`."""
    corpus = Corpus((*small_corpus(), Example("the toll of oslo please", "money", "test")))
    bundle = untrained(small_system(), corpus.texts)
    weights, index = bundle.network.reader.word_factors, bundle.vocabulary.index
    with torch.no_grad():
        weights[index["cost"]] = weights[index["toll"]] = weights[index["price"]]
    found = reconstruct_rules(bundle, corpus, lambda texts: predict(bundle, texts).predictions)
    assert "cost" in found.rules_text
    assert "toll" not in found.rules_text
    rules = sweep_thresholds(bundle, corpus).at(0.5).rules_text
    assert "cost" in rules
    assert "toll" not in rules
