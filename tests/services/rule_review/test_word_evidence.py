"""Words of which labelled texts say enough, and changes of which they do not."""

from __future__ import annotations

import pytest

from re2nn_core.services.rule_review.change_effects import is_thin
from re2nn_core.services.rule_review.word_evidence import annotated_words, words_with_evidence
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

TEXTS = (("a", "a", "b"), ("b", "c"), ("d",))


@pytest.mark.parametrize(
    ("held", "expected"),
    [((), {"b"}), ((1,), {"b", "c"}), ((2,), {"b", "d"}), ((9,), {"b"})],
    ids=["two texts", "one held-out text", "another one", "a text that is not there"],
)
def test_a_word_of_one_training_text_is_none(held: tuple[int, ...], expected: set[str]) -> None:
    assert words_with_evidence(TEXTS, held) == expected


@pytest.mark.parametrize(("fixed", "broken", "thin"), [(1, 0, True), (2, 0, True), (2, 1, False), (5, 0, False)])
def test_one_or_two_texts_are_thin_evidence(fixed: int, broken: int, *, thin: bool) -> None:
    assert is_thin(fixed, broken) is thin


def test_annotated_words_say_what_they_are_however_rare() -> None:
    """The city of a single text is no junk where somebody annotated it; the words around it are not meant."""
    text = "fly to new Ulm today"
    found = annotated_words([(text, (Span(7, 14, "city"),)), ("rome", None)], Tokenization())
    assert found == {"new", "ulm"}
