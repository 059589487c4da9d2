"""Vectors made from spelling and use: what is near what, and that they never change."""

import numpy as np

from re2nn_core.embeddings.builtin import default_vectors, spelling_vectors
from re2nn_core.embeddings.vectors import WordVectors

CITIES = ("boston", "denver", "dallas", "oakland")
DAYS = ("monday", "tuesday", "friday")
SENTENCES = [
    tuple(f"{opening} a flight from {city} to {other} on {day}".split())
    for opening in ("show me", "i want", "please find")
    for city in CITIES
    for other in CITIES
    for day in DAYS
    if city != other
]
WORDS = tuple(sorted({word for sentence in SENTENCES for word in sentence}))


def nearest(vectors: WordVectors, word: str, count: int) -> set[str]:
    matrix = vectors.matrix / np.maximum(np.linalg.norm(vectors.matrix, axis=1, keepdims=True), 1e-9)
    likeness = matrix @ matrix[vectors.words.index(word)]
    return {vectors.words[place] for place in np.argsort(-likeness)[1 : count + 1]}


def test_words_used_alike_are_near() -> None:
    vectors = default_vectors(WORDS, SENTENCES)
    assert vectors.matrix.shape == (len(WORDS), 128)
    assert vectors.name == "builtin"
    for city in CITIES:
        assert nearest(vectors, city, 3) == set(CITIES) - {city}
    assert nearest(vectors, "monday", 2) == {"tuesday", "friday"}


def test_unseen_words_are_near_words_spelled_alike() -> None:
    words = (*WORDS, "flights", "1984", "1985", "?", "!")
    vectors = default_vectors(words, SENTENCES)
    assert nearest(vectors, "flights", 1) == {"flight"}
    assert nearest(vectors, "1984", 1) == {"1985"}
    assert nearest(vectors, "?", 1) == {"!"}


def test_the_same_input_gives_the_same_vectors() -> None:
    first, second = (default_vectors(WORDS, SENTENCES).matrix for _ in range(2))
    np.testing.assert_array_equal(first, second)
    # The same on every machine, too: these numbers are from the first day.
    expected = [-0.3297, -0.7253, 0.1978, -0.0659, 0.4616, 0.3297]
    np.testing.assert_allclose(spelling_vectors(["flight"], 6)[0], expected, atol=1e-4)


def test_words_without_texts_and_texts_without_words() -> None:
    alone = default_vectors(("flight", "你好"), [])
    np.testing.assert_allclose(np.linalg.norm(alone.matrix, axis=1), 0.6, atol=1e-5)
    assert not alone.matrix[:, 64:].any()
    assert default_vectors((), SENTENCES).matrix.shape == (0, 128)
    assert default_vectors(("flight",), [("other",)]).matrix.shape == (1, 128)


def test_spelling_vectors_have_length_one_and_hardly_collide() -> None:
    vectors = spelling_vectors([f"word{number:05d}" for number in range(300)] + ["zebra"], 256)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert abs(vectors[-1] @ vectors[:-1].T).max() < 0.35
