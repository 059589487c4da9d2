"""The sentence encoder all-MiniLM-L6-v2 in plain PyTorch: vectors for words.

BERT (Devlin et al., 2019) with 6 layers of 384 states, distilled (Wang et al., 2020) and tuned for sentences
(Reimers and Gurevych, 2019). A text's vector is the mean of its pieces' last states, scaled to length 1.

On an x86 processor texts are read by oneDNN, which torch brings along: its products in single precision took 0.81 CPU
seconds for 413 texts on an AMD EPYC where torch's usual ones, by MKL, took 1.55, and differ by rounding alone.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from re2nn_core.embeddings.encoder_files import EncoderFiles, EncoderUnavailable, find_encoder_files
from re2nn_core.embeddings.language import read_pieces
from re2nn_core.embeddings.wordpiece import WordPiece

__all__ = [
    "DIMENSIONS",
    "EncoderUnavailable",
    "LAST",
    "MIDDLE",
    "encode_words",
    "encoder",
    "encoder_to_read",
    "words_spelled_out",
    "states_of",
    "static_vectors",
    "whole_words",
    "states_of_padded",
]

DIMENSIONS = 384
_LAYERS = 6
_HEADS = 12
LAST = (_LAYERS,)
# Layers whose states tell more of words and their neighbours than the last ones do, which were tuned for whole texts.
MIDDLE = (3, 4)
_EPSILON = 1e-12
_X86 = ("x86_64", "AMD64")  # names of the processors whose products oneDNN makes at least as quickly


@dataclass(frozen=True, eq=False)
class _Encoder:
    weights: dict[str, Tensor]
    pieces: WordPiece

    @cached_property
    def weights_to_read(self) -> dict[str, Tensor]:
        """The weights, matrices of layers as oneDNN takes them."""
        if platform.machine() not in _X86 or not torch.backends.mkldnn.is_available():
            return self.weights
        return {
            name: weight.to_mkldnn() if name.startswith("encoder.") and weight.dim() == 2 else weight
            for name, weight in self.weights.items()
        }


def encode_words(
    words: Sequence[str], *, batch_size: int = 128, on_progress: Callable[[float], None] | None = None
) -> NDArray[np.float32]:
    """The vectors of words (or of longer texts), [words, 384], each of length 1.

    Raises EncoderUnavailable if the package with the weights is absent or damaged.
    """
    pieces, weights = encoder_to_read()
    numbers = [pieces.encode(word) for word in words]
    # Words of one length share a batch, so that hardly any padding is computed.
    order = sorted(range(len(words)), key=lambda place: len(numbers[place]))
    vectors = np.zeros((len(words), DIMENSIONS), dtype=np.float32)
    for first in range(0, len(order), batch_size):
        batch = order[first : first + batch_size]
        with torch.inference_mode():
            vectors[batch] = _encode([numbers[place] for place in batch], weights).numpy()
        if on_progress is not None:
            on_progress(min(1.0, (first + batch_size) / len(order)))
    return vectors


def static_vectors(words: Sequence[str]) -> NDArray[np.float32]:
    """The mean of the input vectors of a word's pieces, [words, 384]: no layer of the encoder is run, so that thousands
    of words take less than a second. Zeros for a word without any piece. EncoderUnavailable."""
    pieces, weights = encoder()
    table = weights["embeddings.word_embeddings.weight"].numpy()
    rows = np.zeros((len(words), DIMENSIONS), dtype=np.float32)
    numbers = [pieces.cut_word(word) for word in words]
    whole = [place for place, own in enumerate(numbers) if len(own) == 1]
    rows[whole] = table[[numbers[place][0] for place in whole]]
    for place, own in enumerate(numbers):
        if len(own) > 1:
            rows[place] = table[own].mean(axis=0)
    return rows


def whole_words() -> tuple[str, ...]:
    """The words of letters that the encoder has as one piece each."""
    pieces, _ = encoder()
    return tuple(piece for piece in pieces.pieces if len(piece) > 1 and piece.isalpha())


def words_spelled_out(words: Sequence[str]) -> NDArray[np.bool_]:
    """True for words that the encoder's vocabulary can spell out whole; it was made for English. [words]."""
    pieces, _ = encoder()
    unknown = pieces.index["[UNK]"]
    return np.array([unknown not in pieces.encode(word) for word in words], dtype=np.bool_)


def encoder() -> tuple[WordPiece, dict[str, Tensor]]:
    """How the encoder cuts words into pieces, and its weights by name. EncoderUnavailable."""
    loaded = _load(find_encoder_files())
    return loaded.pieces, loaded.weights


def encoder_to_read() -> tuple[WordPiece, dict[str, Tensor]]:
    """As `encoder`, with weights that are good for reading alone: without a gradient. EncoderUnavailable."""
    loaded = _load(find_encoder_files())
    return loaded.pieces, loaded.weights_to_read


def states_of(batch: Sequence[Sequence[int]], weights: dict[str, Tensor], layers: Sequence[int] = LAST) -> Tensor:
    """The states of each piece after these layers, their mean, [batch, longest, 384]; the rows of padding mean
    nothing."""
    numbers, present = _padded(batch)
    return states_of_padded(numbers, present, weights, layers)


@lru_cache(maxsize=1)
def _load(files: EncoderFiles) -> _Encoder:
    return _Encoder(load_file(files.weights), read_pieces(files.pieces))


def _encode(batch: Sequence[Sequence[int]], weights: dict[str, Tensor]) -> Tensor:
    """Mean of the last states over the pieces of each text, at length 1: [batch, 384]."""
    numbers, present = _padded(batch)
    states = states_of_padded(numbers, present, weights)
    mean = (states * present[..., None]).sum(1) / present.sum(1, keepdim=True)
    return functional.normalize(mean, dim=-1)


def _padded(batch: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """[batch, longest]: piece numbers, and 1 where there is a piece."""
    length = max(map(len, batch))
    numbers = torch.tensor([[*text, *[0] * (length - len(text))] for text in batch])
    present = torch.tensor([[1.0] * len(text) + [0.0] * (length - len(text)) for text in batch])
    return numbers, present


def states_of_padded(
    numbers: Tensor, present: Tensor, weights: dict[str, Tensor], layers: Sequence[int] = LAST
) -> Tensor:
    """The states of each piece after these layers (numbers from 1 on), their mean, [batch, time, 384], from piece
    numbers [batch, time]; `present` is 1 for pieces and 0 for padding. No layer behind the last one is run."""
    embedded = (
        weights["embeddings.word_embeddings.weight"][numbers]
        + weights["embeddings.position_embeddings.weight"][: numbers.shape[1]]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    states = _normalised(embedded, "embeddings", weights)
    visible = present[:, None, None, :].bool()
    found = []
    for layer in range(max(layers)):
        name = f"encoder.layer.{layer}"
        attended = _attention(states, visible, f"{name}.attention", weights)
        states = _normalised(states + attended, f"{name}.attention.output", weights)
        states = _normalised(states + _inner(states, name, weights), f"{name}.output", weights)
        if layer + 1 in layers:
            found.append(states)
    return found[0] if len(found) == 1 else torch.stack(found).mean(0)


def _attention(states: Tensor, visible: Tensor, name: str, weights: dict[str, Tensor]) -> Tensor:
    batch, time, size = states.shape
    given = _as_weights(states, f"{name}.self.query", weights)

    def heads(part: str) -> Tensor:  # [batch, heads, time, size / heads]
        whole = _dense(_linear(given, f"{name}.self.{part}", weights))
        return whole.view(batch, time, _HEADS, size // _HEADS).transpose(1, 2)

    mixed = functional.scaled_dot_product_attention(heads("query"), heads("key"), heads("value"), attn_mask=visible)
    joined = mixed.transpose(1, 2).reshape(batch, time, size)
    output = f"{name}.output.dense"
    return _dense(_linear(_as_weights(joined, output, weights), output, weights))


def _inner(states: Tensor, name: str, weights: dict[str, Tensor]) -> Tensor:
    """[batch, time, 384]: the two products of a layer behind its attention."""
    entering = f"{name}.intermediate.dense"
    inner = functional.gelu(_linear(_as_weights(states, entering, weights), entering, weights))
    return _dense(_linear(inner, f"{name}.output.dense", weights))


def _linear(states: Tensor, name: str, weights: dict[str, Tensor]) -> Tensor:
    return functional.linear(states, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _as_weights(states: Tensor, name: str, weights: dict[str, Tensor]) -> Tensor:
    """States laid out as the weights are that multiply them."""
    return states.to_mkldnn() if weights[f"{name}.weight"].is_mkldnn else states


def _dense(states: Tensor) -> Tensor:
    """States laid out as torch's other operations take them."""
    return states.to_dense() if states.is_mkldnn else states


def _normalised(states: Tensor, name: str, weights: dict[str, Tensor]) -> Tensor:
    scale, shift = weights[f"{name}.LayerNorm.weight"], weights[f"{name}.LayerNorm.bias"]
    return functional.layer_norm(states, (states.shape[-1],), scale, shift, _EPSILON)
