"""A network that `re2nn export-model --format onnx` wrote, run by onnxruntime: without torch and without rules.

    from re2nn_core.onnx_model import OnnxModel

    OnnxModel.load("exported").predict(["fly to oslo"])

It needs the extra `onnx`. Programs in other languages do the same by what `model.json` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError, JsonError, ModelError
from re2nn_core.files import checked_path, error_in_words, read_json_object
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.given_texts import checked_texts
from re2nn_core.text.spans import Span, spans_of
from re2nn_core.text.tokenization import Tokenization, tokenize, words_of_all
from re2nn_core.text.vocabulary import Vocabulary

GRAPH, DESCRIPTION = "model.onnx", "model.json"
FORMAT = 1
INSTALL = "pip install 're2nn-studio[onnx]'"
_BATCH = 256
Codes = Sequence[Sequence[int]]


@dataclass(frozen=True, eq=False, repr=False)
class OnnxModel:
    """`names`: the labels, or the tags from O on, in the order of the outputs."""

    session: Any
    task: Task
    names: tuple[str, ...]
    vocabulary: Vocabulary
    tokenization: Tokenization

    def __repr__(self) -> str:
        kind = "tag" if self.task is Task.SLOT_FILLING else "label"
        return f"<OnnxModel for {self.task.in_words}: {counted(len(self.names), kind)}>"

    @staticmethod
    def load(folder: Path | str, threads: int = 1) -> OnnxModel:
        """The network of a folder. ModelError for a folder that holds none, or one of another version; InputError
        where onnxruntime is not installed."""
        path = checked_path(folder, "The folder of the exported network")
        try:
            description = read_json_object(path / DESCRIPTION)
            graph = (path / GRAPH).read_bytes()
        except (OSError, JsonError) as error:
            reason = f"{error.filename}: {error_in_words(error)}" if isinstance(error, OSError) else f"{error}."
            raise ModelError(
                f"{path} holds no exported network: {reason} Give a folder that "
                "`re2nn export-model --format onnx` wrote."
            ) from error
        return OnnxModel.of(graph, description, threads)

    @staticmethod
    def of(graph: bytes, description: Mapping[str, Any], threads: int = 1) -> OnnxModel:
        """The network of the two files' contents. ModelError, InputError."""
        if (found := description.get("format")) != FORMAT:
            raise ModelError(
                f"{DESCRIPTION} has format {found!r}, this version reads format {FORMAT}. Export the model again."
            )
        try:
            return OnnxModel(
                _session(graph, threads),
                Task(description["task"]),
                tuple(description["outputs"]),
                Vocabulary(tuple(description["words"])),
                Tokenization(**{**description["tokenizer"], "cased": frozenset(description["tokenizer"]["cased"])}),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{DESCRIPTION} is damaged: {error}. Export the model again.") from error

    def predict(self, texts: Sequence[str]) -> list[str | None] | list[tuple[Span, ...]]:
        """The label of each text, None for no prediction; of a network for slots the spans, in characters.
        InputError."""
        texts = checked_texts(texts)
        if self.task is Task.SLOT_FILLING:
            tokens = [tokenize(text, self.tokenization) for text in texts]
            return [spans_of(tags, own) for tags, own in zip(self.tags(texts), tokens, strict=True)]
        labels: list[str | None] = [None] * len(texts)
        for places, _, (numbers, _) in self._batches(texts):
            for place, number in zip(places, numbers.tolist(), strict=True):
                labels[place] = None if number < 0 else self.names[number]
        return labels

    def tags(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """For each text the tag of each token; of a network for slots. InputError."""
        texts = checked_texts(texts)
        found: list[tuple[str, ...]] = [()] * len(texts)
        for places, lengths, (numbers, _) in self._batches(texts):
            for place, length, row in zip(places, lengths, numbers, strict=True):
                found[place] = tuple(self.names[number] for number in row[:length])
        return found

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float32] | list[NDArray[np.float32]]:
        """[texts, labels]: probabilities; of a network for slots [tokens, tags] for each text. InputError."""
        texts = checked_texts(texts)
        found = [np.zeros(0, dtype=np.float32)] * len(texts)
        for places, lengths, (_, shares) in self._batches(texts):
            for place, length, row in zip(places, lengths, shares, strict=True):
                found[place] = row[:length] if self.task is Task.SLOT_FILLING else row
        if self.task is Task.SLOT_FILLING:
            return found
        return np.stack(found) if found else np.zeros((0, len(self.names)), dtype=np.float32)

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[list[int], list[int], list[NDArray[Any]]]]:
        """Places of texts, their lengths in words, and the outputs for them; texts of about equal length together."""
        codes = [self.vocabulary.encode(words) for words in words_of_all(texts, self.tokenization)]
        order = sorted(range(len(codes)), key=lambda place: len(codes[place]))
        for begin in range(0, len(order), _BATCH):
            places = order[begin : begin + _BATCH]
            lengths = [len(codes[place]) for place in places]
            words = np.zeros((len(places), max(lengths)), dtype=np.int64)
            for row, place in enumerate(places):
                words[row, : lengths[row]] = codes[place]
            yield places, lengths, self.session.run(None, {"words": words, "lengths": np.array(lengths)})


def _session(graph: bytes, threads: int) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise InputError(f"Running ONNX needs the package onnxruntime. Install it with {INSTALL}.") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = threads
    try:
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own errors have no parent but this
        raise ModelError(f"{GRAPH} cannot be run: {error}. Export the model again.") from error
