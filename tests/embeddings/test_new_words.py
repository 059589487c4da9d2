"""Words that come after the vectors were chosen get the vectors that they would have had."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from re2nn_core.embeddings import new_words as module
from re2nn_core.embeddings.choose import ENCODER, word_vectors
from re2nn_core.embeddings.encoder_files import EncoderUnavailable
from re2nn_core.embeddings.new_words import new_word_vectors
from re2nn_core.text.case_words import cased_word

SENTENCES = (
    ("show", "flights", "from", "boston", "to", "denver"),
    ("show", "fares", "from", "denver", "to", "dallas"),
    ("what", "is", "the", "fare", "of", "the", "first", "flight"),
    ("list", "the", "airports", "of", "dallas", "and", "houston"),
    ("cheapest", "ticket", "to", "houston", "and", "back"),
)
WORDS = tuple(dict.fromkeys(word for sentence in SENTENCES for word in sentence))
Rows = NDArray[np.float32]


def random_rows(words: tuple[str, ...]) -> Rows:
    """What an encoder might give: the same row for a word whenever it is asked."""
    seeds = [sum(map(ord, word)) * 31 + len(word) for word in words]
    return np.stack([np.random.default_rng(seed).normal(size=12) for seed in seeds]).astype(np.float32)


def an_encoder(monkeypatch: pytest.MonkeyPatch, missing: str = "") -> None:
    monkeypatch.setattr(module, "encoder_is_installed", lambda: True)
    monkeypatch.setattr(
        module, "encoder_rows", lambda words: (random_rows(words), np.array([word != missing for word in words]))
    )


def test_built_in_vectors_tell_how_a_new_word_is_spelled() -> None:
    """As near to the row that it has when it is there from the start as usage, which nobody has seen, allows."""
    with_all = word_vectors((*WORDS, "airport", "tickets"), SENTENCES, "builtin").vectors
    known = word_vectors(WORDS, SENTENCES, "builtin").vectors
    new = new_word_vectors(["airport", "tickets"], WORDS, known, "builtin")
    for row, expected in zip(new, with_all[-2:], strict=True):
        part, wanted = row[:64], expected[:64]
        assert part @ wanted > 0.9 * np.linalg.norm(part) * np.linalg.norm(wanted)
    nearest = WORDS[int((known @ new[0]).argmax())]
    assert nearest == "airports"


def test_the_encoders_rows_are_moved_and_scaled_as_those_of_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    an_encoder(monkeypatch)
    shift = np.linspace(-1, 1, 12).astype(np.float32)
    rows = 0.3 * random_rows(WORDS) + shift
    new = new_word_vectors(["zurich", cased_word("Zurich")], WORDS, rows, ENCODER)
    np.testing.assert_allclose(new, 0.3 * random_rows(("zurich", "zurich")) + shift, atol=1e-5)


def test_a_word_that_the_encoder_lacks_is_like_words_spelled_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    an_encoder(monkeypatch, missing="flightss")
    rows = random_rows(WORDS)
    new = new_word_vectors(["flightss", "qqq"], WORDS, rows, ENCODER)
    spelled = new_word_vectors(["flightss"], WORDS, rows, "glove.txt")
    np.testing.assert_allclose(new[0], spelled[0], atol=1e-6)
    assert new[0].any()
    assert new[1].any()


def test_rows_that_are_not_the_encoders_are_not_mixed_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    an_encoder(monkeypatch)
    rows = np.random.default_rng(0).normal(size=(len(WORDS), 12)).astype(np.float32)
    new = new_word_vectors(["flightss", "qqq"], WORDS, rows, ENCODER)
    assert new[0].any()
    assert not new[1].any()


def test_a_damaged_encoder_stops_no_prediction(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(words: tuple[str, ...]) -> tuple[Rows, Rows]:
        raise EncoderUnavailable("The sentence encoder is damaged.")

    an_encoder(monkeypatch)
    monkeypatch.setattr(module, "encoder_rows", damaged)
    assert new_word_vectors(["flightss"], WORDS, random_rows(WORDS), ENCODER).any()


def test_nothing_is_known_of_a_word_unlike_all_others() -> None:
    new = new_word_vectors(["xx", "flightss"], WORDS, random_rows(WORDS), "glove.txt")
    assert not new[0].any()
    assert new[1].any()
    assert not new_word_vectors(["flightss"], WORDS, np.zeros((len(WORDS), 4), dtype=np.float32), "glove.txt").any()


def test_the_encoder_is_not_asked_for_words_with_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers, codes and addresses never end, and each would take milliseconds."""
    asked: list[str] = []

    def encode(words: tuple[str, ...]) -> tuple[Rows, NDArray[np.bool_]]:
        asked.extend(words)
        return random_rows(words), np.ones(len(words), dtype=np.bool_)

    monkeypatch.setattr(module, "encoder_is_installed", lambda: True)
    monkeypatch.setattr(module, "encoder_rows", encode)
    rows = random_rows(WORDS)
    new = new_word_vectors(["a4711", "zurich", "0800"], WORDS, rows, ENCODER)
    assert "zurich" in asked
    assert not {"a4711", "0800"} & set(asked)
    spelled = new_word_vectors(["a4711", "0800"], WORDS, rows, "glove.txt")
    np.testing.assert_allclose(new[[0, 2]], spelled, atol=1e-6)
    np.testing.assert_allclose(new[1], random_rows(("zurich",))[0], atol=1e-5)
    asked.clear()
    new_word_vectors(["4711"], WORDS, rows, ENCODER)
    assert not asked


def test_words_that_were_met_before_are_not_compared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """They keep their vectors, also once more words were met than are remembered."""
    spelled: list[str] = []
    original = module.spelling_vectors

    def counted(words: list[str], *given: object) -> Rows:
        spelled.extend(words)
        return original(words, *given)  # type: ignore[arg-type]

    module._remembered.cache_clear()
    monkeypatch.setattr(module, "_MOST_REMEMBERED", 3)
    monkeypatch.setattr(module, "spelling_vectors", counted)
    rows = random_rows(WORDS)
    first = new_word_vectors(["flightss", "fared"], WORDS, rows, "glove.txt")
    assert spelled[-2:] == ["flightss", "fared"]
    spelled.clear()
    again = new_word_vectors(["fared", "tickets", "flightss"], WORDS, rows, "glove.txt")
    assert spelled == ["tickets"]
    np.testing.assert_array_equal(again[[2, 0]], first)
    new_word_vectors(["showing", "lists"], WORDS, rows, "glove.txt")  # five of three
    np.testing.assert_array_equal(new_word_vectors(["flightss", "fared"], WORDS, rows, "glove.txt"), first)
    moved = new_word_vectors(["flightss"], WORDS, 2 * rows, "glove.txt")
    np.testing.assert_allclose(moved[0], 2 * first[0], rtol=1e-6)
