"""The words of which labelled texts say enough: asked for each of hundreds of changes on Compare."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from support.processor_time import takes_less_than

from pages._shared.cached import word_counts
from pages._shared.cached.word_counts import seen_words
from re2nn_core.store.records import TextRecord
from re2nn_core.text.tokenization import Tokenization

WORDS = Tokenization("punctuation")


@pytest.fixture(autouse=True)
def _somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_counts, "store", lambda: SimpleNamespace(url="test_word_counts"))


def records(texts: list[str], labelled: int) -> tuple[TextRecord, ...]:
    return tuple(
        TextRecord(place, 1, place, text, "a", None, "a" if place < labelled else None, None)
        for place, text in enumerate(texts)
    )


def test_they_depend_on_which_texts_have_a_label_and_which_are_held_out() -> None:
    texts = ["fly to rome", "fly to oslo", "rome by bus"]
    assert seen_words(records(texts, 2), frozenset(), WORDS) == {"fly", "to"}
    assert seen_words(records(texts, 3), frozenset(), WORDS) == {"fly", "to", "rome"}
    assert seen_words(records(texts, 3), frozenset({2}), WORDS) == {"fly", "to", "rome", "by", "bus"}


def test_asking_again_takes_no_time() -> None:
    many = records([f"fly to place {number}" for number in range(6_000)], 6_000)
    held = frozenset(range(1_500))
    assert seen_words(many, held, WORDS) is not None
    assert takes_less_than(1.0, lambda: [seen_words(many, held, WORDS) for _ in range(60)])
