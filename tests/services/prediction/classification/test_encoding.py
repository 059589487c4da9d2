"""Networks that take words in their sentences, and networks that predict together: trained, kept, asked again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from support.networks.small_system import small_corpus, small_system

from re2nn_core.embeddings import context as embeddings_context
from re2nn_core.embeddings.kept_vectors import CACHE_VARIABLE
from re2nn_core.errors import InputError
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.classification.predict import run_network
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.rule_patching import add_rules, check_edit, disable_rule, unedited
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.prediction.classification import encoding
from re2nn_core.services.prediction.classification.contributions import rule_contributions
from re2nn_core.services.prediction.classification.encoding import (
    Contexts,
    averaged_vectors,
    contexts_here,
    encode,
    kept_contexts,
    mean_vectors,
    standard_of,
)
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_systems.added_rules import Addition
from re2nn_core.training.config import TrainConfig

DIMENSIONS = 12
IN_CONTEXT = NetworkConfig(vectors="context", dropout=0.0)
QUICK = TrainConfig(device="cpu", epochs=12, batch_size=8, learning_rate=0.01, embedding_learning_rate=0.05, copies=1)


def drawn(word: str) -> NDArray[np.float32]:
    seed = sum(ord(letter) * 31**place for place, letter in enumerate(word)) % 2**32
    return np.random.default_rng(seed).normal(size=DIMENSIONS).astype(np.float32)


def fake(sentences: Sequence[Sequence[str]], **_: object) -> list[NDArray[np.float32]]:
    """In place of the encoder: a vector for the word, and a little of the word before it."""
    return [
        np.array([drawn(w) + 0.3 * drawn(before) for before, w in zip(("", *s), s, strict=False)], np.float32).reshape(
            len(s), DIMENSIONS
        )
        for s in sentences
    ]


@pytest.fixture(autouse=True)
def fake_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings_context, "in_context", fake)


def test_a_sentence_is_read_once(monkeypatch: pytest.MonkeyPatch):
    asked: list[tuple[str, ...]] = []

    def counting(sentences: Sequence[Sequence[str]], **_: object) -> list[NDArray[np.float32]]:
        asked.extend(tuple(sentence) for sentence in sentences)
        return fake(sentences)

    monkeypatch.setattr(embeddings_context, "in_context", counting)
    contexts = Contexts()
    contexts.of([("a", "b"), ("c",), ("a", "b")])
    contexts.of([("c",), ("d",)])
    assert asked == [("a", "b"), ("c",), ("d",)]


def test_the_standard_has_mean_zero_and_mean_length_one():
    contexts = Contexts()
    sentences = [("a", "b", "c"), (), ("b", "d")]
    standard = standard_of(contexts.of(sentences))
    rows = np.concatenate([(rows - standard.mean) * standard.scale for rows in contexts.of(sentences)])
    assert np.allclose(rows.mean(0), 0, atol=1e-3)
    assert np.linalg.norm(rows, axis=1).mean() == pytest.approx(1, abs=1e-3)
    assert standard_of([]).scale == 1


def test_a_word_is_on_average_what_it_is_in_its_sentences():
    contexts = Contexts()
    sentences = [("a", "b"), ("c", "b")]
    standard = standard_of(contexts.of(sentences))
    rows = mean_vectors(["b", "unseen"], sentences, contexts, standard)
    expected = (drawn("b") + 0.15 * drawn("a") + 0.15 * drawn("c") - standard.mean) * standard.scale
    assert np.allclose(rows[0], expected, atol=1e-2)
    alone = (drawn("unseen") + 0.3 * drawn("") - standard.mean) * standard.scale
    assert np.allclose(rows[1], alone, atol=1e-2)


def test_a_word_of_several_sentences_is_averaged_over_them_and_what_it_is_alone():
    contexts = Contexts()
    sentences = [("a", "b", "a"), ("c", "b"), ("d", "d")]
    standard = standard_of(contexts.of(sentences))
    alone = np.stack([drawn(f"alone {word}") for word in ("a", "b", "d", "unseen")])
    rows = averaged_vectors(["a", "b", "d", "unseen"], alone, sentences, contexts)
    # By definition: each place of the word in turn.
    vectors = [vector for s, own in zip(sentences, contexts.of(sentences), strict=True) for vector in own[list_of(s)]]
    placed = [(np.asarray(vector, np.float32) - standard.mean) * standard.scale for vector in vectors]
    assert np.allclose(rows[1], (placed[0] + placed[1] + alone[1]) / 3, atol=1e-3)
    # A word of one sentence, however often it stands there, would know this sentence.
    for place in (0, 2, 3):
        assert np.array_equal(rows[place], alone[place])


def list_of(sentence: tuple[str, ...]) -> list[int]:
    """The places of the word b."""
    return [place for place, word in enumerate(sentence) if word == "b"]


@pytest.mark.parametrize(
    "config",
    [
        IN_CONTEXT,
        replace(IN_CONTEXT, bidirectional=True),
        replace(IN_CONTEXT, cell="gru"),
        replace(IN_CONTEXT, scoring="viterbi"),
        replace(IN_CONTEXT, block_diagonal=False, machines="label", extra_states=3),
    ],
    ids=["rnn", "both ways", "gru", "viterbi", "dense"],
)
def test_a_network_learns_from_words_in_their_sentences_and_predicts_the_same_when_loaded(
    tmp_path: Path, config: NetworkConfig
):
    corpus = small_corpus()
    report = train_system(small_system(), corpus, config, QUICK, folder=tmp_path)
    assert report.zero_shot["dev"] is not None
    assert report.dev is not None
    assert report.dev > report.zero_shot["dev"]
    bundle = load_bundle(tmp_path)
    test = corpus.of_split("test")
    predictions = predict(bundle, test.texts).predictions
    assert sum(a == e.label for a, e in zip(predictions, test, strict=True)) / len(test) == report.test


def test_the_sentence_matters_to_the_prediction(tmp_path: Path):
    train_system(small_system(), small_corpus(), IN_CONTEXT, QUICK, folder=tmp_path)
    bundle = load_bundle(tmp_path)
    texts = small_corpus().texts
    encoded = encode(bundle, texts)
    seen = run_network(bundle.network, encoded.codes, abstain=False, context=encoded.context)
    blind = run_network(bundle.network, encoded.codes, abstain=False)
    assert not np.allclose(seen.probabilities, blind.probabilities, atol=1e-3)
    assert np.allclose(seen.probabilities, predict(bundle, texts).label_scores, atol=1e-6)


def test_many_texts_are_read_in_stretches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    train_system(small_system(), small_corpus(), IN_CONTEXT, replace(QUICK, epochs=2), folder=tmp_path)
    bundle = load_bundle(tmp_path)
    whole = predict(bundle, small_corpus().texts)
    monkeypatch.setattr(encoding, "AT_ONCE", 7)
    reported: list[tuple[int, int]] = []
    parts = predict(bundle, small_corpus().texts, on_progress=lambda done, total: reported.append((done, total)))
    assert parts.predictions == whole.predictions
    assert np.allclose(parts.label_scores, whole.label_scores, atol=1e-6)
    assert reported[-1] == (64, 64)
    assert [done for done, _ in reported] == sorted(done for done, _ in reported)


def test_before_training_the_sentence_plays_no_part(tmp_path: Path):
    nothing = replace(QUICK, epochs=1, learning_rate=0.0, embedding_learning_rate=0.0, head_learning_rate=0.0)
    train_system(small_system(), small_corpus(), IN_CONTEXT, nothing, folder=tmp_path)
    texts = small_corpus().texts
    assert predict(load_bundle(tmp_path), texts).predictions == small_system().predictions(texts)


def test_copies_that_predict_together_are_kept_and_asked_together(tmp_path: Path):
    together = replace(QUICK, copies=3, average="predictions", epochs=4)
    corpus = small_corpus()
    many = tuple(corpus) * 15  # enough dev texts for these to decide
    system = small_system()
    report = train_system(system, replace(corpus, examples=many), IN_CONTEXT, together, folder=tmp_path)
    assert "3 ensemble members that see the texts in different orders" in report.recipe
    bundle = load_bundle(tmp_path)
    assert len(bundle.copies) == 2
    assert not torch.equal(bundle.network.reader.sources, bundle.copies[0].reader.sources)
    assert not torch.equal(bundle.copies[0].reader.sources, bundle.copies[1].reader.sources)
    texts = corpus.texts
    encoded = encode(bundle, texts)
    each = [
        run_network(network, encoded.codes, abstain=False, context=encoded.context).probabilities
        for network in bundle.networks
    ]
    found = predict(bundle, texts)
    assert np.allclose(found.label_scores, np.mean(each, axis=0), atol=1e-6)
    test = corpus.of_split("test")
    right = sum(a == e.label for a, e in zip(predict(bundle, test.texts).predictions, test, strict=True))
    assert right / len(test) == report.test
    assert report.parameters == 3 * sum(p.numel() for p in bundle.network.parameters() if p.requires_grad)
    with pytest.raises(InputError, match="This model is an ensemble of 3 networks"):
        rule_contributions(bundle, corpus)
    with pytest.raises(
        InputError, match="This model is an ensemble of 3 networks; only a single network can be edited"
    ):
        disable_rule(unedited(bundle), "price")


def test_copies_that_learned_nothing_are_not_kept(tmp_path: Path):
    nothing = replace(
        QUICK,
        copies=3,
        average="predictions",
        epochs=1,
        learning_rate=0.0,
        embedding_learning_rate=0.0,
        head_learning_rate=0.0,
    )
    train_system(small_system(), small_corpus(), IN_CONTEXT, nothing, folder=tmp_path)
    bundle = load_bundle(tmp_path)
    assert (bundle.copies, bundle.trained) == ((), False)


def test_an_edit_leaves_the_other_rules_of_a_network_with_words_in_their_sentences_alone(tmp_path: Path):
    train_system(small_system(), small_corpus(), IN_CONTEXT, QUICK, folder=tmp_path)
    before = unedited(load_bundle(tmp_path))
    texts = small_corpus().texts
    off = check_edit(before, disable_rule(before, "price"), texts)
    assert (off.same_weights, off.untouched) == (True, ("go", "to_city", "much"))
    assert off.max_difference < 1e-6
    more = check_edit(before, add_rules(before, Addition("[baggage]\nbags := $* bag $*\n")), texts)
    assert more.same_weights
    assert more.max_difference < 1e-6
    assert more.changed_predictions == ()


def test_kept_contexts_read_a_sentence_once_for_several_trainings(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Sequence[str]] = []

    def counting(sentences: Sequence[Sequence[str]], **_: object) -> list[NDArray[np.float32]]:
        read.extend(sentences)
        return fake(sentences)

    monkeypatch.setattr(embeddings_context, "in_context", counting)
    with kept_contexts():
        first = contexts_here()
        first.of([("book", "a", "flight")])
        with kept_contexts():
            assert contexts_here() is first
            contexts_here().of([("book", "a", "flight"), ("play",)])
        assert contexts_here() is first
    assert read == [("book", "a", "flight"), ("play",)]
    assert contexts_here() is not first


def test_vectors_kept_on_disk_are_not_read_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(embeddings_context, "DIMENSIONS", DIMENSIONS)
    sentences = [("a", "b"), ("c",)]
    read = Contexts(on_disk=True).of(sentences)
    asked: list[tuple[str, ...]] = []

    def counting(sentences: Sequence[Sequence[str]], **_: object) -> list[NDArray[np.float32]]:
        asked.extend(tuple(sentence) for sentence in sentences)
        return fake(sentences)

    monkeypatch.setattr(embeddings_context, "in_context", counting)
    again = Contexts(on_disk=True).of([*sentences, ("d",)])
    assert asked == [("d",)]
    assert all(np.array_equal(one, other) for one, other in zip(read, again, strict=False))
    Contexts(middle=True, on_disk=True).of([("c",)])  # of other layers
    Contexts().of([("c",)])  # a prediction keeps nothing and finds nothing
    assert asked == [("d",), ("c",), ("c",)]
