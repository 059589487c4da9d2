"""A linear layer for slots that reads words in their sentences: what it is fitted to, when it is kept, and saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from support.networks.tagger_samples import sample_project, sample_system

from re2nn_core.embeddings import context as context_module
from re2nn_core.embeddings.choose import ENCODER, ChosenVectors
from re2nn_core.embeddings.encoder import DIMENSIONS, LAST, MIDDLE
from re2nn_core.errors import InputError
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.onnx_graph.slot_filling import tagger_as_onnx
from re2nn_core.network.slot_filling.bundle import TaggerBundle, load_tagger
from re2nn_core.services.fine_tuning.slot_filling import layer_and_encoder, linear_fit
from re2nn_core.services.fine_tuning.slot_filling.layer_and_encoder import ALONE, worth_context
from re2nn_core.services.fine_tuning.slot_filling.linear_fit import fitted_layer, main_directions
from re2nn_core.services.fine_tuning.slot_filling.linear_layer import LayerOfNetworks, of_words
from re2nn_core.services.fine_tuning.slot_filling.step_size import SpanStepSize
from re2nn_core.services.fine_tuning.slot_filling.training import SlotTrainReport, train_tagger
from re2nn_core.services.prediction.slot_filling import untrained_tagger
from re2nn_core.services.prediction.slot_filling.encoding import TagEncoder, predict_tags
from re2nn_core.services.prediction.slot_filling.untrained_tagger import start_tagger
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tagged_texts import TaggedText, tagged_texts
from re2nn_core.training import tag_auxiliary
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.span_scores import span_scores
from re2nn_core.training.tagged_examples import TagExamples
from re2nn_core.training.varied_texts import varied_copies, with_copies

CONFIG = TaggerConfig(auxiliary_states=6, word_dimensions=4, linear=True, linear_vectors="context")
SHORT = TrainConfig(device="cpu", epochs=1, batch_size=8, copies=2, average="predictions")
TEXTS = Corpus(tuple(one for one in sample_project("flight_slots").corpus if one.spans is not None)[::8])
WORD_DIMENSIONS = 5


def vectors_by_hash(words: Sequence[str], dimensions: int) -> np.ndarray:
    """[words, dimensions]: the same of a word each time."""
    seeds = [sum(ord(sign) * 31**place for place, sign in enumerate(word)) % 2**32 for word in words]
    rows = [np.random.default_rng(seed).normal(0, 1, dimensions) for seed in seeds]
    return np.array(rows, np.float32).reshape(len(rows), dimensions)


def hashed_in_context(
    sentences: Sequence[Sequence[str]], *, layers: Sequence[int], on_progress: object = None
) -> list[np.ndarray]:
    """In place of the encoder: a word's vector in its sentence is that of its neighbour on the left and itself."""
    assert tuple(layers) == MIDDLE
    pairs = [[f"{left} {word}" for left, word in zip(("", *one), one, strict=False)] for one in sentences]
    return [vectors_by_hash(one, DIMENSIONS) for one in pairs]


@pytest.fixture(autouse=True)
def encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_module, "in_context", hashed_in_context)
    given = ChosenVectors(np.zeros((0, 0)), ENCODER, "")
    monkeypatch.setattr(
        untrained_tagger,
        "word_vectors",
        lambda words, *_: replace(given, vectors=vectors_by_hash(words, WORD_DIMENSIONS)),
    )


def material(config: TaggerConfig = CONFIG) -> tuple[TaggerBundle, TagExamples, list[TaggedText]]:
    system = sample_system("flight_slots")
    texts = tagged_texts(tuple(TEXTS)[:40], system.tokenization)
    bundle = start_tagger(system, TEXTS, texts, config)
    return bundle, TagEncoder(bundle).examples(texts), texts


def train(folder: Path, config: TaggerConfig = CONFIG) -> SlotTrainReport:
    return train_tagger(sample_system("flight_slots"), TEXTS, config, SHORT, folder=folder)


def test_copies_have_vectors_of_their_own_words_in_their_own_sentences() -> None:
    _, texts, _ = material()
    every = with_copies(texts, 0)
    assert len(every) == 4 * len(texts)
    assert every.context is not None
    for words, vectors in zip(every.words, every.context, strict=True):
        assert np.allclose(vectors, hashed_in_context([words], layers=MIDDLE)[0], atol=0.01)
    assert [one.context for one in varied_copies(texts.of_words(), 0)] == [None] * 3


def test_rules_and_auxiliary_encoder_do_not_read_the_vectors_in_context() -> None:
    network, texts = (part := material())[0].network, part[1]
    plain = texts.of_words()
    for (with_context, _), (without, _) in zip(
        texts.with_gold(network.device), plain.with_gold(network.device), strict=True
    ):
        assert torch.equal(network(with_context.batch), network(without.batch))
    pairs = zip(tag_auxiliary.read_texts(network, texts), tag_auxiliary.read_texts(network, plain), strict=True)
    assert all(torch.equal(one.vectors, other.vectors) for one, other in pairs)


def test_a_layer_reads_words_in_context_or_words_alone() -> None:
    bundle, texts, _ = material()
    layer = bundle.network.linear
    assert layer is not None
    assert len(layer.by_vector) == WORD_DIMENSIONS + DIMENSIONS
    used = [
        fitted_layer(bundle.network, layer, texts, in_context=kind)[0]["by_vector"].any(1) for kind in (False, True)
    ]
    assert used[0].tolist() == [True] * WORD_DIMENSIONS + [False] * DIMENSIONS
    assert used[1].tolist() == [False] * WORD_DIMENSIONS + [True] * DIMENSIONS


def test_along_all_directions_the_fit_is_that_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where fewer words than dimensions leave no more directions than are kept."""
    bundle, texts, _ = material()
    layer = bundle.network.linear
    assert layer is not None
    found = []
    for kept in (DIMENSIONS - 1, DIMENSIONS):
        monkeypatch.setattr(linear_fit, "DIRECTIONS", kept)
        weights, chain = fitted_layer(bundle.network, layer, texts, in_context=True)
        LayerOfNetworks(bundle).take((weights, chain), 1.0)
        found.append(texts.predicted([bundle.network]))
    same = [one == other for one, other in zip(*found, strict=True)]
    assert sum(same) >= 0.9 * len(same)


def test_main_directions_are_those_in_which_vectors_differ_most(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    vectors = (random.normal(size=(200, 6)) * [1, 9, 1, 1, 8, 1] + 5).astype(np.float32)
    assert main_directions(vectors) is None
    monkeypatch.setattr(linear_fit, "DIRECTIONS", 2)
    found = main_directions(vectors)
    assert found is not None
    assert found.T @ found == pytest.approx(np.eye(2), abs=1e-5)
    assert np.abs(found[[1, 4]]).sum() > 0.95 * np.abs(found).sum()


def test_of_words_leaves_what_the_layer_makes_of_words() -> None:
    bundle, texts, _ = material()
    layer = bundle.network.linear
    assert layer is not None
    LayerOfNetworks(bundle).take(fitted_layer(bundle.network, layer, texts), 0.75)
    before = texts.predicted(bundle.networks)
    kept = of_words(bundle)
    assert (kept.network.takes_context, kept.config.linear_vectors) == (False, "words")
    assert texts.predicted(kept.networks) == texts.of_words().predicted(kept.networks) == before


@pytest.mark.parametrize(
    ("worth", "vectors"), [(-100.0, "context"), pytest.param(100.0, "words", marks=pytest.mark.long)]
)
def test_what_is_reported_is_what_the_saved_model_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worth: float, vectors: str
) -> None:
    monkeypatch.setattr(layer_and_encoder, "WORTH_CONTEXT", worth)
    monkeypatch.setattr(
        layer_and_encoder, "most_certain", lambda measured: next(one for one in measured if one.mean == ALONE)
    )
    report, bundle = train(tmp_path), load_tagger(tmp_path)
    assert (bundle.config.linear_vectors, bundle.network.takes_context) == (vectors, vectors == "context")
    assert ("words in context and rules" in report.recipe) == (vectors == "context")
    tested = [one for one in TEXTS if one.split == "test"]
    gold = [text.tags or () for text in tagged_texts(tested, bundle.tokenization)]
    found = predict_tags(bundle, [one.text for one in tested])
    assert span_scores(gold, [one.tags for one in found]).f1 == pytest.approx(report.test)
    if vectors == "context":
        with pytest.raises(InputError, match="linear_vectors: context"):
            tagger_as_onnx(bundle.networks)
    else:
        assert tagger_as_onnx(bundle.networks)


@pytest.mark.parametrize(
    ("more", "error", "worth"),
    [(0.01, 0.003, True), (-0.005, 0.012, True), (-0.012, 0.012, False), (-0.002, 0.003, False), (0.0, 0.0, False)],
    ids=["gain", "few texts cannot tell", "loss", "many texts show no gain", "no difference"],
)
def test_vectors_in_context_are_kept_unless_held_out_texts_say_that_they_are_not_worth_it(
    more: float, error: float, worth: bool
) -> None:
    assert worth_context(SpanStepSize(1.0, more, error, 200, 0.5)) == worth


@pytest.mark.parametrize(
    "config",
    [
        pytest.param(replace(CONFIG, linear=False), id="no layer"),
        pytest.param(replace(CONFIG, auxiliary="none"), id="trained rules", marks=pytest.mark.long),
    ],
)
def test_other_trainings_read_words_alone(tmp_path: Path, config: TaggerConfig) -> None:
    train(tmp_path, config)
    assert not load_tagger(tmp_path).network.takes_context
    assert load_tagger(tmp_path).config.linear_vectors == "words"


def test_words_without_the_encoder_s_vectors_are_read_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    given = ChosenVectors(np.zeros((0, 0)), "builtin", "")
    monkeypatch.setattr(
        untrained_tagger, "word_vectors", lambda words, *_: replace(given, vectors=vectors_by_hash(words, 5))
    )
    bundle, texts, _ = material()
    assert (bundle.config.linear_vectors, bundle.network.takes_context, texts.context) == ("words", False, None)
    assert LAST != MIDDLE
