"""Which texts are held out as test: a share of each label, the same each time, no text on both sides."""

from __future__ import annotations

from collections import Counter

import pytest

from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.held_out import HoldOut, held_out, may_hold_out
from re2nn_core.text.spans import Span


def corpus(**labels: int) -> Corpus:
    """So many texts of each label, in turns."""
    texts = [(n, label) for label, count in labels.items() for n in range(count)]
    return Corpus(tuple(Example(f"{label} {n}", label) for n, label in sorted(texts)))


def test_of_each_label_a_fifth_is_held_out() -> None:
    found, reported = held_out(corpus(a=500, b=50, c=5, d=1))
    drawn = Counter(example.label for example in found if example.split == "test")
    assert drawn == {"a": 100, "b": 10, "c": 1}
    assert reported == (
        "111 of 556 labelled texts put into test (20% of each label, at random with seed 0). No text of d is in test: "
        "of every 5 texts of a label 1 is drawn, and it has 1 text. Add texts, hold out a larger share, or name the "
        "splits in a column."
    )
    assert {example.split for example in found} == {"test", None}


NONE = "No text is in test: of every 5 texts of a label 1 is drawn, and they have at most "


@pytest.mark.parametrize(
    ("texts", "percent", "reason"),
    [
        (corpus(a=1, b=1), 20, f"{NONE}1 text."),
        (Corpus(tuple(Example(f"t{n}", ["greet", "book", "bye"][n % 3]) for n in range(3))), 20, f"{NONE}1 text."),
        (corpus(a=1), 50, "No text is in test: of every 2 texts of a label 1 is drawn, and it has 1 text."),
        (
            Corpus((Example("to Rome", None, None, (Span(3, 7, "city"),)), Example("hello", None, None, ()))),
            20,
            f"{NONE}1 text.",
        ),
        (corpus(a=10, b=1, c=1, d=1, e=1), 20, "No text of b, c, d and 1 more is in test: of every 5 texts"),
        (corpus(a=1), 40, "of every 5 texts of a label 2 are drawn, and it has 1 text."),
    ],
)
def test_why_labels_have_no_text_in_test(texts: Corpus, percent: int, reason: str) -> None:
    found, reported = held_out(texts, percent)
    assert reason in reported
    assert "Add texts, hold out a larger share, or name the splits in a column." in reported
    assert held_out(Corpus(tuple(corpus(a=10, b=10))), percent)[1].endswith("at random with seed 0).")
    assert len(found) == len(texts)


def test_the_same_texts_are_drawn_each_time_and_not_at_even_distances() -> None:
    places = [
        [place for place, example in enumerate(held_out(corpus(a=200))[0]) if example.split == "test"] for _ in range(2)
    ]
    assert places[0] == places[1]
    assert len({place % 5 for place in places[0]}) == 5


@pytest.mark.parametrize(("percent", "count"), [(10, 40), (15, 60), (33, 132), (50, 200)])
def test_other_shares(percent: int, count: int) -> None:
    found, _ = held_out(corpus(a=400), percent)
    assert sum(example.split == "test" for example in found) == count


def test_a_text_that_comes_again_stays_on_its_side() -> None:
    once = [Example(f"text {n}", "ab"[n % 2]) for n in range(100)]
    found, _ = held_out(Corpus((*once, *once, *once[::-1])))
    sides: dict[str, set[str | None]] = {}
    for example in found:
        sides.setdefault(example.text, set()).add(example.split)
    assert all(len(side) == 1 for side in sides.values())


def test_splits_that_are_named_and_texts_without_a_prediction_stay() -> None:
    given = [Example(f"t{n}", "a", "train") for n in range(20)] + [Example(f"u{n}") for n in range(20)]
    hold_out = HoldOut(50)
    assert [hold_out.take(example) for example in given] == given
    assert hold_out.in_words == "No text was put into test: no text has a label or spans and names no split."
    assert not may_hold_out(given)
    assert not may_hold_out([Example("u")])
    assert may_hold_out([Example("u"), Example("t", "a")])


def test_texts_with_the_same_slots_are_a_group() -> None:
    spans = [(Span(0, 1, "city"),), (Span(0, 1, "day"),), ()]
    given = Corpus(tuple(Example(f"text {n}", None, None, spans[n % 3]) for n in range(150)))
    drawn = Counter(example.spans for example in held_out(given)[0] if example.split == "test")
    assert drawn == dict.fromkeys(spans, 10)
