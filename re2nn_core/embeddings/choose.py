"""The word vectors of a network, from the source that the user chose or from the best one at hand.

Whatever the source, the rows are moved so that their mean is zero and scaled so that their mean length is
one: a network can then be trained alike on any of them, and a row of zeros stands for "nothing known". The
unknown kinds of the vocabulary have such a row. A word that the source does not have takes the mean of up to
three words that it has and that are spelled alike; without any such word it has a row of zeros. The message
says how many words that concerns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from re2nn_core.embeddings.builtin import NAME as BUILTIN
from re2nn_core.embeddings.builtin import default_vectors, spelling_vectors
from re2nn_core.embeddings.encoder_files import WEIGHTS_DIGEST, EncoderUnavailable, encoder_is_installed
from re2nn_core.embeddings.kept_vectors import keep_vectors, kept_vectors
from re2nn_core.embeddings.language import ENOUGH
from re2nn_core.embeddings.vectors import read_vectors
from re2nn_core.errors import DataFileError
from re2nn_core.exchange.tables.table import Progress
from re2nn_core.text.case_words import without_case
from re2nn_core.text.counting import counted
from re2nn_core.text.vocabulary import UNKNOWN_KINDS

SOURCES = ("auto", "none", "encoder", "builtin")
ENCODER = "all-MiniLM-L6-v2"
STATIC = "static"

SPELLING_DIMENSIONS = 256
_ALIKE = 0.5  # how near, as a cosine, spellings have to be
_NEIGHBOURS = 3
_CHUNK = 512
_SAMPLED = 100  # one of so many words that the encoder has whole
# Rows of the encoder for words that this process asked for before; some 1.5 MB a thousand words.
_encoded: dict[str, NDArray[np.float32]] = {}
_MOST_ENCODED = 50_000


@dataclass(frozen=True, eq=False)
class ChosenVectors:
    """A row for each word, [words, dimensions]; the name of the source; what the user should know of it."""

    vectors: NDArray[np.float32]
    name: str
    message: str


@dataclass(frozen=True, eq=False)
class KnownVectors:
    """Words that a source has, and a row of length 1 for each, [words, dimensions], around their mean; `remark`: what
    of a file could not be used."""

    words: tuple[str, ...]
    rows: NDArray[np.float32]
    name: str
    remark: str = ""


@dataclass(frozen=True, eq=False)
class _Raw:
    """Rows as the source has them, for distinct plain words; `known` marks the words it has."""

    words: tuple[str, ...]
    rows: NDArray[np.float32]
    known: NDArray[np.bool_]
    name: str


def word_vectors(
    words: Sequence[str],
    sentences: Sequence[Sequence[str]],
    source: str | Path = "auto",
    *,
    on_progress: Progress | None = None,
) -> ChosenVectors:
    """Vectors for distinct words; `sentences` are the texts that "builtin" may learn from.

    `source` is "auto" (the encoder if it is installed, else builtin), "none", "encoder", "builtin" or a file
    of vectors. Raises EncoderUnavailable or DataFileError.
    """
    plain = tuple(dict.fromkeys(without_case(word) for word in words if word not in UNKNOWN_KINDS))
    if source == "none" or not plain:
        nothing = np.zeros((len(words), 0), dtype=np.float32)
        return ChosenVectors(nothing, "none", "No word vectors are used.")
    raw, remark = _raw(plain, sentences, source, on_progress)
    return _placed(words, raw, sentences, remark)


def known_vectors(
    words: Sequence[str],
    sentences: Sequence[Sequence[str]],
    source: str | Path = "auto",
    *,
    on_progress: Progress | None = None,
) -> KnownVectors:
    """The vectors that a source has for distinct words: one of `word_vectors`, but none "none"; or "static", the input
    vectors of the encoder, with all the words that it has whole. Raises EncoderUnavailable or DataFileError."""
    remark = ""
    if source == STATIC:
        raw = _from_input_vectors(words)
    else:
        raw, remark = _raw(tuple(words), sentences, source, on_progress)
    # A row of zeros, as some files have for what they do not know, would be near to whatever is far from the mean.
    something = raw.rows.any(axis=1)
    if nothing := [word for word, empty in zip(raw.words, raw.known & ~something, strict=True) if empty]:
        remark = f"{remark} {counted(len(nothing), 'word')} ('{nothing[0]}') with a vector of zeros left out.".strip()
    raw = replace(raw, known=raw.known & something)
    rows = _standardised(raw.rows, raw.known)[raw.known]
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    known = tuple(word for word, has in zip(raw.words, raw.known, strict=True) if has)
    return KnownVectors(known, rows, raw.name, remark)


def encoder_vectors(words: Sequence[str]) -> KnownVectors:
    """The encoder's vectors of distinct words, of length 1, around the mean of a sample of the words that it has whole:
    the vector of a word does not depend on those that are asked for beside it. EncoderUnavailable."""
    from re2nn_core.embeddings.encoder import whole_words

    sample = whole_words()[::_SAMPLED]
    raw = _from_encoder(tuple(dict.fromkeys((*words, *sample))), None)
    place = {word: row for row, word in enumerate(raw.words)}
    mean = raw.rows[[place[word] for word in sample]].mean(axis=0)
    known = [word for word in words if raw.known[place[word]]]
    rows = raw.rows[[place[word] for word in known]] - mean
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return KnownVectors(tuple(known), np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0), ENCODER)


def encoder_rows(words: tuple[str, ...]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """[words, dimensions]: the encoder's vectors of distinct words as it has them; [words]: which it has whole.
    EncoderUnavailable."""
    raw = _from_encoder(words, None)
    return raw.rows, raw.known


def _raw(
    plain: tuple[str, ...], sentences: Sequence[Sequence[str]], source: str | Path, on_progress: Progress | None
) -> tuple[_Raw, str]:
    """The rows of a source, and a remark."""
    if source == "auto":
        return _from_best(plain, sentences, on_progress)
    if source == "encoder":
        return _from_encoder(plain, on_progress), ""
    if source == "builtin":
        return _from_builtin(plain, sentences), ""
    return _from_file(plain, Path(source), on_progress)


def _from_best(
    words: tuple[str, ...], sentences: Sequence[Sequence[str]], on_progress: Progress | None
) -> tuple[_Raw, str]:
    """The encoder's vectors if it is there and knows the language, else those made here; and the reason."""
    if not encoder_is_installed():
        return _from_builtin(words, sentences), "The sentence encoder is not installed."
    try:
        raw = _from_encoder(words, on_progress)
    except EncoderUnavailable as error:
        return _from_builtin(words, sentences), str(error)
    share = float(raw.known.mean())
    if share < ENOUGH:
        reason = f"The sentence encoder knows only {share:.0%} of the words and was not used."
        return _from_builtin(words, sentences), reason
    return raw, ""


def _from_encoder(words: tuple[str, ...], on_progress: Progress | None) -> _Raw:
    # Imported here: torch takes seconds to load, and files and builtin vectors do without it.
    from re2nn_core.embeddings.encoder import DIMENSIONS, encode_words, words_spelled_out

    # Trainings one after the other ask for nearly the same words, and a thousand of them take seconds.
    found = {word: row for word in words if (row := _encoded.get(word)) is not None}
    asked = [word for word in words if word not in found]
    found |= kept_vectors(asked, WEIGHTS_DIGEST, DIMENSIONS)
    missing = [word for word in asked if word not in found]
    computed = dict(zip(missing, encode_words(missing, on_progress=on_progress), strict=True))
    keep_vectors(computed, WEIGHTS_DIGEST)
    found |= computed
    if len(_encoded) + len(asked) > _MOST_ENCODED:
        _encoded.clear()
    _encoded.update(found)
    return _Raw(words, np.stack([found[word] for word in words]), words_spelled_out(words), ENCODER)


def _from_input_vectors(words: Sequence[str]) -> _Raw:
    from re2nn_core.embeddings.encoder import static_vectors, whole_words, words_spelled_out

    every = tuple(dict.fromkeys((*words, *whole_words())))
    return _Raw(every, static_vectors(every), words_spelled_out(every), STATIC)


def _from_builtin(words: tuple[str, ...], sentences: Sequence[Sequence[str]]) -> _Raw:
    rows = default_vectors(words, sentences).matrix
    return _Raw(words, rows, np.ones(len(words), dtype=np.bool_), BUILTIN)


def _from_file(words: tuple[str, ...], path: Path, on_progress: Progress | None) -> tuple[_Raw, str]:
    if not path.exists():
        raise DataFileError(
            f"'{path}' is no source of word vectors: there is no such file. "
            f"Choose a file of vectors or one of {', '.join(SOURCES)}."
        )
    read = read_vectors(path, words, on_progress=on_progress)
    index = {word: place for place, word in enumerate(words)}
    places = [index[word] for word in read.vectors.words]
    rows = np.zeros((len(words), read.dimensions), dtype=np.float32)
    known = np.zeros(len(words), dtype=np.bool_)
    rows[places], known[places] = read.vectors.matrix, True
    remarks = list(read.notes)
    if read.bad_row_count:
        count = counted(read.bad_row_count, "row")
        remarks.append(f"{count} of the file could not be read, first {read.bad_rows[0]}.")
    return _Raw(words, rows, known, path.name), " ".join(remarks)


def _placed(words: Sequence[str], raw: _Raw, sentences: Sequence[Sequence[str]], remark: str) -> ChosenVectors:
    """Centre, scale, fill in unknown words, and put the rows in the order of `words`."""
    rows = _standardised(raw.rows, raw.known)
    filled = _fill_in(raw.words, rows, raw.known)
    index = {word: place for place, word in enumerate(raw.words)}
    vectors = np.zeros((len(words), rows.shape[1]), dtype=np.float32)
    forms = [without_case(word) for word in words]
    plain = [place for place, word in enumerate(forms) if word in index]
    vectors[plain] = rows[[index[forms[place]] for place in plain]]
    message = " ".join(filter(None, [_coverage(raw, filled, sentences), remark]))
    return ChosenVectors(vectors, raw.name, message)


def _standardised(rows: NDArray[np.float32], known: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Known rows with mean zero and mean length one; the others zero."""
    result = np.zeros_like(rows)
    if known.any():
        centred = rows[known] - rows[known].mean(axis=0)
        length = float(np.linalg.norm(centred, axis=1).mean())
        result[known] = centred / length if length > 0 else 0.0
    return result


def _fill_in(words: Sequence[str], rows: NDArray[np.float32], known: NDArray[np.bool_]) -> int:
    """Give unknown words, in place, the mean of known ones that are spelled alike; how many got one."""
    unknown = np.flatnonzero(~known)
    if not len(unknown) or not known.any():
        return 0
    spelling = spelling_vectors(words, SPELLING_DIMENSIONS)
    filled = 0
    for first in range(0, len(unknown), _CHUNK):
        chunk = unknown[first : first + _CHUNK]
        rows[chunk] = spelled_alike(spelling[chunk], spelling[known], rows[known])
        filled += int(rows[chunk].any(1).sum())
    return filled


def spelled_alike(
    spelling: NDArray[np.float32], others: NDArray[np.float32], rows: NDArray[np.float32]
) -> NDArray[np.float32]:
    """[words, dimensions]: the mean of the rows [others, dimensions] of those that are spelled most alike; zeros where
    none is. spelling [words, n], others [others, n]."""
    return mean_of_alike(*most_alike(spelling, others), rows)


def most_alike(
    spelling: NDArray[np.float32], others: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Of the others, [others, n], the few that are spelled most like each word, [words, n]; and the share of each in
    their mean, 0 where it is not alike. Both [words, few]."""
    alike = spelling @ others.T
    count = min(_NEIGHBOURS, alike.shape[1])
    nearest = np.argpartition(-alike, count - 1, axis=1)[:, :count]
    weights = np.take_along_axis(alike, nearest, axis=1)
    weights = np.where(weights >= _ALIKE, weights, 0.0)
    total = weights.sum(axis=1, keepdims=True)
    return nearest, np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


def mean_of_alike(
    nearest: NDArray[np.int64], shares: NDArray[np.float32], rows: NDArray[np.float32]
) -> NDArray[np.float32]:
    """[words, dimensions]: the mean, by these shares, of the rows [others, dimensions] that `most_alike` names."""
    found: NDArray[np.float32] = np.einsum("wn,wnd->wd", shares, rows[nearest]).astype(np.float32)
    return found


def _coverage(raw: _Raw, filled: int, sentences: Sequence[Sequence[str]]) -> str:
    """What share of the words has a vector, counted once each and as often as the texts use them."""
    if raw.name == BUILTIN:
        return f"Word vectors were made here from spelling and {counted(len(sentences), 'text')} ({BUILTIN})."
    found, total = int(raw.known.sum()), len(raw.words)
    known = {word for word, has in zip(raw.words, raw.known, strict=True) if has}
    counts = Counter(word for sentence in sentences for word in sentence)
    running = sum(counts.values())
    used = sum(count for word, count in counts.items() if word in known)
    share = f", {used / running:.1%} of the running words" if running else ""
    message = f"{raw.name} has vectors for {found:,} of {total:,} words ({found / total:.1%}{share})."
    if found == total:
        return message
    rest = f"{filled:,} of the others take the mean of words spelled alike, {total - found - filled:,} have none."
    return f"{message} {rest}"
