"""The encoder as a part of a network: it gives what it gave, its layers learn, and a model folder keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.network.auxiliary import tuned_encoder as module
from re2nn_core.network.auxiliary.tuned_encoder import TunedEncoder
from re2nn_core.network.configuration.slot_filling import TaggerConfig
from re2nn_core.network.recurrence.batching import make_batch
from re2nn_core.network.slot_filling.bundle import TaggerParts, build_tagger, load_tagger, save_tagger
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

WEIGHTS = {"embeddings.word_embeddings.weight": torch.eye(8)[:, :4] + 1, "layer.weight": torch.ones(4)}
MARKS = (6, 7)


def small_states(numbers: Tensor, present: Tensor, weights: Mapping[str, Tensor]) -> Tensor:
    """In place of the encoder: each piece's row, scaled by the layer, and the number of its sentence's pieces."""
    rows = weights["embeddings.word_embeddings.weight"][numbers] * weights["layer.weight"]
    return rows * present.sum(1)[:, None, None]


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> TunedEncoder:
    monkeypatch.setattr(module, "states_of_padded", small_states)
    return TunedEncoder(WEIGHTS, MARKS)


def test_a_word_is_the_mean_of_its_pieces_in_its_sentence(encoder: TunedEncoder) -> None:
    pieces = torch.tensor([[0, 1, -1], [2, -1, -1], [3, -1, -1], [-1, -1, -1]])
    found = encoder(pieces, [2, 2])  # two sentences of two words; the last word has no piece
    rows = WEIGHTS["embeddings.word_embeddings.weight"]
    assert torch.equal(found[0], (rows[0] + rows[1]) / 2 * 5)  # three pieces between two marks
    assert torch.equal(found[1], rows[2] * 5)
    assert torch.equal(found[2], rows[3] * 3)
    assert not found[3].any()


def test_layers_learn_and_tables_do_not(encoder: TunedEncoder) -> None:
    encoder(torch.tensor([[0, 1]]), [1]).sum().backward()
    assert [name for name, _ in encoder.named_parameters()] == ["layer_weight"]
    assert all(parameter.grad is not None for parameter in encoder.parameters())


def test_a_model_folder_keeps_it(encoder: TunedEncoder, tmp_path: Path) -> None:
    vocabulary = build_vocabulary([("to", "oslo")])
    config = TaggerConfig(vectors="context", tune_encoder=True, auxiliary_states=3)
    parts = TaggerParts("$* to [ $ ]<city> $*", "", Tokenization(), vocabulary, config)
    bundle = build_tagger(parts, np.ones((len(vocabulary), 4), dtype=np.float32), encoder)
    with torch.no_grad():
        encoder.layer_weight.mul_(2)
        bundle.network.auxiliary.out.fill_(0.1)  # type: ignore[union-attr]
    save_tagger(tmp_path / "model", bundle)
    loaded = load_tagger(tmp_path / "model")
    batch = make_batch([[3, 4], [4]], torch.device("cpu"), [np.array([[0, -1], [1, 2]]), np.array([[3, -1]])])
    assert torch.equal(loaded.network(batch), bundle.network(batch))
    loaded.network.encoder.layer_weight.data.zero_()  # type: ignore[union-attr]
    assert not torch.equal(loaded.network(batch), bundle.network(batch))


@pytest.mark.skipif(not encoder_is_installed(), reason="the weights of the sentence encoder are not installed")
def test_it_gives_what_the_encoder_gives() -> None:
    from re2nn_core.embeddings.context import in_context
    from re2nn_core.embeddings.encoder import encoder
    from re2nn_core.embeddings.pieces import marks, pieces_of

    sentences = [("fly", "to", "reykjavik", "on", "friday"), ("hello",)]
    _, weights = encoder()
    pieces = np.concatenate([pieces_of(sentence) for sentence in sentences])
    with torch.no_grad():
        found = TunedEncoder(weights, marks())(torch.from_numpy(pieces).long(), [5, 1]).numpy()
    assert np.allclose(found, np.concatenate(in_context(sentences)), atol=1e-5)
