"""The auxiliary encoder of labels: silent at the start, learning by itself, kept where the network is changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from support.networks.small_system import small_corpus, small_system
from torch import Tensor, nn

from re2nn_core.errors import InputError
from re2nn_core.network.auxiliary.auxiliary_encoder import SIZE
from re2nn_core.network.classification.bundle import Bundle, build_bundle, load_bundle, save_bundle
from re2nn_core.network.configuration.classification import AUXILIARY_ENCODERS, NetworkConfig
from re2nn_core.network.configuration.recurrence import CONTEXT
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.batching import make_batch
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import build_vocabulary
from re2nn_core.training.examples import EncodedExamples

DIMENSIONS = 6
SENTENCES = (("how", "much", "is", "it"), ("fly", "home"), ())
kinds = pytest.mark.parametrize("kind", AUXILIARY_ENCODERS)


def bundle_of(kind: str, *, matches: bool = False, **chosen: object) -> Bundle:
    """A network; where its reader speaks, with an output layer as if it had been trained."""
    system = small_system()
    vocabulary = build_vocabulary([*words_of_all(small_corpus().texts, system.tokenization), *SENTENCES])
    vectors = np.random.default_rng(0).normal(size=(len(vocabulary), DIMENSIONS)).astype(np.float32)
    config = NetworkConfig(**{"auxiliary": kind, "auxiliary_states": 5, "dropout": 0.0, **chosen})
    texts = (system.rules_text, system.logic_text, system.tokenization)
    bundle = build_bundle(*texts, vocabulary, config, vectors, "random", extra_labels=("other",))
    if matches:
        make_predict(bundle)
    return bundle


def make_predict(bundle: Bundle) -> None:
    random, beside = torch.Generator().manual_seed(1), bundle.network.auxiliary
    assert beside is not None
    with torch.no_grad():
        for weights in (beside.out, beside.bias):
            weights.copy_(torch.randn(weights.shape, generator=random))


def batch_of(bundle: Bundle) -> Batch:
    return make_batch([bundle.vocabulary.encode(sentence) for sentence in SENTENCES], bundle.network.device)


def said(bundle: Bundle) -> Tensor:
    """[batch, labels]"""
    with torch.no_grad():
        found = bundle.network.auxiliary_logits(batch_of(bundle))
    assert found is not None
    return found


def alone(bundle: Bundle, sentence: tuple[str, ...]) -> Tensor:
    """[labels]: torch's own reader over one sentence, and the largest of each of its states."""
    beside = bundle.network.auxiliary
    assert beside is not None
    if not sentence:
        return beside.bias
    vectors = bundle.network.reader.vectors[bundle.vocabulary.encode(sentence)]
    states, _ = beside.states.cell(SIZE * vectors)
    largest: Tensor = states.amax(0) @ beside.out + beside.bias
    return largest


@kinds
def test_it_reads_as_torch_reads_each_sentence_alone(kind: str) -> None:
    bundle = bundle_of(kind, matches=True)
    with torch.no_grad():
        expected = torch.stack([alone(bundle, sentence) for sentence in SENTENCES])
    assert torch.allclose(said(bundle), expected, atol=1e-6)


def test_words_in_their_sentences_are_read_as_the_rules_read_them() -> None:
    """Their vectors have the mean and the size of those that the arcs learn from."""
    bundle = bundle_of("rnn", matches=True, vectors=CONTEXT)
    reader = bundle.network.reader
    codes = [bundle.vocabulary.encode(sentence) for sentence in SENTENCES]
    rows = [reader.vectors[code].numpy() for code in codes]
    reader.context_mean.fill_(0.5)
    reader.context_scale.fill_(2.0)
    context = [(own / 2 + 0.5).astype(np.float32) for own in rows]
    with torch.no_grad():
        found = bundle.network.auxiliary_logits(make_batch(codes, bundle.network.device, context))
    assert found is not None
    assert torch.allclose(found, said(bundle), atol=1e-5)


def test_the_rules_and_the_reader_learn_apart() -> None:
    """Each has its own loss: what the rules get right already teaches the reader all the same."""
    bundle = bundle_of("gru")
    network, batch = bundle.network, batch_of(bundle)
    # Each label has a text: the others take no part in the loss.
    targets = torch.arange(len(SENTENCES)) % len(network.logic.labels)
    examples = EncodedExamples([bundle.vocabulary.encode(one) for one in SENTENCES], targets.tolist())
    (numbered,) = examples.shuffled(len(SENTENCES), network.device, torch.Generator())
    loss = examples.loss(network, numbered)
    rules, beside = network.parts(numbered.batch)
    assert beside is not None
    targets = targets[numbered.places]
    apart = nn.functional.cross_entropy(rules, targets) + nn.functional.cross_entropy(beside, targets)
    assert float(loss.detach()) == pytest.approx(float(apart.detach()))
    assert not beside.any()
    with torch.no_grad():
        make_predict(bundle)
        rules, beside = network.parts(batch)
        assert beside is not None
        assert torch.equal(network(batch), rules + beside)


def test_without_word_vectors_there_is_none() -> None:
    bundle = bundle_of("gru")
    texts = (bundle.rules_text, bundle.logic_text, bundle.tokenization, bundle.vocabulary)
    bare = build_bundle(*texts, bundle.config)
    assert (bare.network.auxiliary, bare.config.auxiliary) == (None, "none")
    undecomposed = bundle_of("gru", decomposed=False)
    assert (undecomposed.network.auxiliary, undecomposed.config.auxiliary) == (None, "none")


def test_it_comes_back_from_disk(tmp_path: Path) -> None:
    bundle = replace(bundle_of("bilstm", matches=True), trained=True, copies=(bundle_of("bilstm").network,))
    save_bundle(tmp_path, bundle)
    texts = small_corpus().texts
    assert np.array_equal(predict(load_bundle(tmp_path), texts).label_scores, predict(bundle, texts).label_scores)


@pytest.mark.parametrize(
    ("chosen", "reported"),
    [
        ({"auxiliary": "cnn"}, "auxiliary must be 'none' or one of rnn, gru, lstm, birnn, bigru, bilstm (got 'cnn')"),
        ({"auxiliary_states": 0}, "auxiliary_states must be 1 or more (got 0)"),
    ],
)
def test_other_settings_are_refused(chosen: dict[str, object], reported: str) -> None:
    with pytest.raises(InputError) as caught:
        NetworkConfig(**chosen)
    assert str(caught.value) == reported
