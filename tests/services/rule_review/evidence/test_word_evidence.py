"""Words of which labelled texts say enough, and changes of which they do not."""

from __future__ import annotations

import pytest

from re2nn_core.services.rule_review.change_effects import weakness_of
from re2nn_core.services.rule_review.decisions import LearnedChange, adds_only_common
from re2nn_core.services.rule_review.evidence.word_evidence import annotated_words, words_with_evidence
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


@pytest.mark.parametrize(
    ("fixed", "broken", "only_common", "weakness"),
    [
        (2, 0, False, "few"),
        (2, 1, False, "few"),
        (4, 2, False, "few"),
        (0, 0, False, "few"),
        (3, 0, False, ""),
        (5, 1, False, ""),
        (3, 0, True, "common"),
        (5, 1, True, "common"),
        (5, 0, True, ""),
        (1, 0, True, "common"),
        (0, 0, True, "few"),
    ],
)
def test_a_gain_that_chance_may_explain_is_thin_evidence(
    fixed: int, broken: int, *, only_common: bool, weakness: str
) -> None:
    """Common words need more texts: a change that only adds "the" was recommended for three."""
    assert weakness_of(fixed, broken, only_common=only_common) == weakness


@pytest.mark.parametrize(
    ("added", "removed", "common"),
    [
        ({"the", "."}, (), True),
        ({"the", "refund"}, (), False),
        ({"the", "shop.example"}, (), True),
        ({"the"}, ("price",), False),
        ((), (), False),
    ],
    ids=["common words", "a word that tells", "a rare word", "a word went", "no word"],
)
def test_a_change_of_common_and_rare_words_alone_is_told(
    added: set[str], removed: tuple[str, ...], *, common: bool
) -> None:
    change = LearnedChange("price", "", frozenset(added), frozenset(removed))
    assert adds_only_common(change, {"the", ".", "refund", "price"}) is common


def test_annotated_words_say_what_they_are_however_rare() -> None:
    """The city of a single text is no junk where somebody annotated it; the words around it are not meant."""
    text = "fly to new Ulm today"
    found = annotated_words([(text, (Span(7, 14, "city"),)), ("rome", None)], Tokenization())
    assert found == {"new", "ulm"}


@pytest.mark.parametrize(("on_test", "weakness"), [((0, 0), ""), ((2, 1), ""), ((2, 2), "test"), ((0, 1), "test")])
def test_a_gain_on_dev_is_not_believed_where_test_disagrees(on_test: tuple[int, int], weakness: str) -> None:
    """Recommended on dev was Worse on test, in another view of the same change."""
    assert weakness_of(10, 3, on_test=on_test) == weakness
