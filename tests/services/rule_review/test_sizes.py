"""The order in which changes come into a reconstruction of some size, and how many each size has."""

from __future__ import annotations

from itertools import permutations

from re2nn_core.services.rule_review.sizes import (
    MOST_SIZES,
    ReconstructionSize,
    Texts,
    counts_of_changes,
    fitting_sizes,
    gain_first,
    never_worse,
    worth_first,
)


def test_the_sizes_go_from_no_change_to_all() -> None:
    assert counts_of_changes(0) == (0,)
    assert counts_of_changes(3) == (0, 1, 2, 3)
    many = counts_of_changes(100)
    assert len(many) == MOST_SIZES + 1
    assert (many[0], many[-1]) == (0, 100)
    assert list(many) == sorted(set(many))


def test_what_fixes_most_for_its_words_comes_first_and_the_same_texts_count_once() -> None:
    fixed = {"long": Texts(range(8)), "short": Texts({0, 1, 2}), "same": Texts({0, 1}), "bad": Texts()}
    broken = {"long": Texts(), "short": Texts(), "same": Texts(), "bad": Texts({9})}
    words = {"long": 9, "short": 1, "same": 1, "bad": 0}
    # By themselves "same" fixes one text for each word and "long" 0.8; what "short" fixed already is nothing new.
    assert worth_first(fixed, broken, words) == ("short", "long", "same", "bad")


def test_words_of_a_class_that_a_change_before_has_cost_nothing() -> None:
    cities = [f"city{number}" for number in range(9)]
    words = {"from": cities, "to": cities, "other": ["a", "b"], "bad": []}

    def order(**gains: int) -> tuple[str, ...]:
        return gain_first(words, {"bad": -1, **gains}.__getitem__, lambda _: None)

    assert order(**{"from": 20, "to": 4, "other": 5}) == ("from", "to", "other", "bad")
    assert order(**{"from": 4, "to": 4, "other": 5}) == ("other", "from", "to", "bad")


def test_a_size_that_reaches_less_than_a_smaller_one_is_not_offered_but_none_and_all_are() -> None:
    reached = (5, 3, 6, 6, 4, 5, 2)
    sizes = [ReconstructionSize((), words, (of,)) for words, of in enumerate(reached)]
    assert [size.words for size in never_worse(sizes, sum)] == [0, 2, 3, 6]


def test_each_change_is_the_best_one_behind_those_before_it() -> None:
    """Against the definition, tried on all orders."""
    fixed = {"a": Texts({1, 2, 3}), "b": Texts({3, 4}), "c": Texts({5}), "d": Texts({1, 2, 6, 7})}
    broken = {"a": Texts({8}), "b": Texts(), "c": Texts({8, 9}), "d": Texts()}
    words = {"a": 1, "b": 2, "c": 0, "d": 4}

    def values(order: tuple[str, ...]) -> list[float]:
        found = []
        for place, name in enumerate(order):
            before = order[:place]
            new = fixed[name].difference(*(fixed[one] for one in before))
            gone = broken[name].difference(*(broken[one] for one in before))
            gain = len(new) - len(gone)
            found.append(gain / (1 + words[name]) if gain > 0 else gain)
        return found

    assert values(worth_first(fixed, broken, words)) == max(values(order) for order in permutations(fixed))


def test_sizes_of_other_changes_are_not_taken() -> None:
    sizes = (ReconstructionSize[int]((), 0, ()), ReconstructionSize[int](("a",), 2, ()))
    assert fitting_sizes(sizes, frozenset({"a"})) == sizes
    assert fitting_sizes(sizes, frozenset({"a", "b"})) == ()
    assert fitting_sizes((), frozenset()) == ()
