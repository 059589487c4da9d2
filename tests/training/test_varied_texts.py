"""Copies of texts with other values in their spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from re2nn_core.text.spans import token_spans
from re2nn_core.training import varied_texts as module
from re2nn_core.training.tagged_examples import TagExamples
from re2nn_core.training.varied_texts import varied_copies

# Words are their own names here: 1 to, 2 from, 3 oslo, 4 new, 5 york, 6 on, 7 monday, 8 please
NUMBERS = {"O": 1, "B-city": 2, "I-city": 3, "B-day": 4}
TEXTS = [
    ([1, 3], ["O", "B-city"]),
    ([2, 4, 5, 1, 3, 8], ["O", "B-city", "I-city", "O", "B-city", "O"]),
    ([6, 7, 2, 3], ["O", "B-day", "O", "B-city"]),
    ([8], ["O"]),
]


def examples(texts: Sequence[tuple[list[int], list[str]]]) -> TagExamples:
    tags = [tags for _, tags in texts]
    return TagExamples([codes for codes, _ in texts], [[NUMBERS[tag] for tag in one] for one in tags], tags)


def outside(codes: Sequence[int], tags: Sequence[str]) -> list[int | str]:
    """The words between spans, and the slot of each span in its place."""
    slots = {span.start: span.slot for span in token_spans(tags)}
    return [slots.get(place, code) for place, code in enumerate(codes) if place in slots or tags[place] == "O"]


def test_words_between_spans_and_the_order_of_slots_stay() -> None:
    texts = examples(TEXTS)
    copies = varied_copies(texts, 0)
    assert len(copies) == module.MOST
    for copy in copies:
        for codes, numbers, tags, (own, own_tags) in zip(copy.codes, copy.numbers, copy.tags, TEXTS, strict=True):
            assert outside(codes, tags) == outside(own, own_tags)
            assert list(numbers) == [NUMBERS[tag] for tag in tags]


def test_values_are_exchanged_within_their_slot_alone_and_the_frequent_ones_stay_frequent() -> None:
    texts = examples(TEXTS * 100)
    found: dict[str, list[tuple[int, ...]]] = {}
    for copy in varied_copies(texts, 0):
        for codes, tags in zip(copy.codes, copy.tags, strict=True):
            for span in token_spans(tags):
                found.setdefault(span.slot, []).append(tuple(codes[span.start : span.end]))
    assert set(found["city"]) == {(3,), (4, 5)}
    assert set(found["day"]) == {(7,)}
    assert found["city"].count((3,)) / len(found["city"]) == pytest.approx(0.75, abs=0.03)
    changed = [codes for codes in varied_copies(texts, 0)[0].codes[::4] if tuple(codes) != (1, 3)]
    assert len(changed) == pytest.approx(100 * module.EXCHANGED / 4, abs=12)


def test_slots_that_share_values_lend_each_other_theirs_and_other_slots_do_not() -> None:
    names = ("from", "to", "day")
    numbers = {"O": 1} | {
        f"{kind}-{name}": 10 * place + add for place, name in enumerate(names, 2) for kind, add in (("B", 0), ("I", 1))
    }
    rows = [("from", 30), ("from", 31), ("from", 32), ("to", 30), ("to", 31), ("to", 33), ("day", 33), ("day", 40)]
    tags = [["O", f"B-{name}"] for name, _ in rows]
    texts = TagExamples(
        [[9, code] for _, code in rows] * 50, [[numbers[tag] for tag in one] for one in tags] * 50, tags * 50
    )
    found: dict[str, set[int]] = {name: set() for name in names}
    for copy in varied_copies(texts, 0):
        for codes, own_numbers, own_tags in zip(copy.codes, copy.numbers, copy.tags, strict=True):
            assert list(own_numbers) == [numbers[tag] for tag in own_tags]
            found[own_tags[1][2:]].add(codes[1])
    assert found == {"from": {30, 31, 32, 33}, "to": {30, 31, 32, 33}, "day": {33, 40}}


def test_a_value_of_two_words_is_not_lent_to_a_slot_that_never_has_any() -> None:
    rows = [("B-from", [30]), ("B-from", [31]), ("B-to", [30]), ("B-to", [31]), ("B-to", [32, 33])]
    numbers = {"B-from": 2, "B-to": 3, "I-to": 4}
    tags = [[first, *("I" + first[1:] for _ in codes[1:])] for first, codes in rows]
    texts = TagExamples(
        [codes for _, codes in rows] * 20, [[numbers[tag] for tag in one] for one in tags] * 20, tags * 20
    )
    copies = varied_copies(texts, 0)
    assert {
        len(codes) for copy in copies for codes, own in zip(copy.codes, copy.tags, strict=True) if own[0] == "B-from"
    } == {1}
    assert {len(codes) for copy in copies for codes in copy.codes} == {1, 2}


def test_the_same_seed_gives_the_same_copies_and_another_one_others() -> None:
    texts = examples(TEXTS * 10)
    first, again, other = (varied_copies(texts, seed)[0].codes for seed in (0, 0, 1))
    assert first == again != other


@pytest.mark.parametrize(("texts", "copies"), [(0, 0), (1, 3), (3000, 3), (4000, 2), (7000, 1), (20_000, 0)])
def test_many_texts_have_fewer_copies(texts: int, copies: int) -> None:
    assert len(varied_copies(examples([TEXTS[0]] * texts), 0)) == copies


def test_words_with_vectors_in_context_have_none() -> None:
    texts = examples(TEXTS)
    context = [np.zeros((len(codes), 2), dtype=np.float32) for codes in texts.codes]
    assert varied_copies(replace(texts, context=context), 0) == []
