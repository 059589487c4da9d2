"""Two sequences beside each other."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as some

from re2nn_core.services.rule_systems.sequence_alignment import aligned

_LETTERS = some.text("abc", max_size=7)


def kept(first: str, second: str, weights: list[float]) -> str:
    return "".join(
        first[begin:end]
        for begin, end, start, stop in aligned(first, second, weights)
        if first[begin:end] == second[start:stop]
    )


def test_the_heavier_item_is_kept_where_both_cannot_be() -> None:
    assert kept("$a", "a$", [0.1, 1.0]) == "a"
    assert kept("$a", "a$", [1.0, 0.1]) == "$"
    assert list(aligned("xbc", "ybc", [1.0] * 3)) == [(0, 1, 0, 1), (1, 3, 1, 3)]
    assert list(aligned("", "", [])) == []


@given(_LETTERS, _LETTERS)
def test_steps_cover_both_sequences_and_keep_as_much_as_possible(first: str, second: str) -> None:
    steps = list(aligned(first, second, [1.0] * len(first)))
    assert "".join(first[begin:end] for begin, end, _, _ in steps) == first
    assert "".join(second[start:stop] for _, _, start, stop in steps) == second

    def common(length: int) -> bool:
        parts, others = ({"".join(own) for own in combinations(text, length)} for text in (first, second))
        return bool(parts & others)

    longest = max(length for length in range(len(first) + 1) if common(length))
    equal = [end - begin for begin, end, start, stop in steps if first[begin:end] == second[start:stop]]
    assert sum(equal) == longest
