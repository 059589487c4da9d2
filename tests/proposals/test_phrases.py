"""Phrases that add no text to others are not written."""

from __future__ import annotations

import random
from itertools import product

from re2nn_core.proposals.grouping import anywhere
from re2nn_core.proposals.phrases import END, ONE, SOME, START, without_covered
from re2nn_core.reconstruction.classification.mined_phrases import holds
from re2nn_core.rules.printer import print_expression


def test_an_alternative_that_another_covers_is_not_written() -> None:
    """`s | what $ s | what $* s | for $* s` is `s`."""
    phrases = [("s",), ("what", ONE, "s"), ("what", SOME, "s"), ("for", SOME, "s")]
    assert print_expression(anywhere(phrases)) == "$* s $*"
    assert without_covered(phrases[1:]) == (("what", SOME, "s"), ("for", SOME, "s"))
    assert without_covered([(START, "how"), ("how", "much"), (START, "how", "much")]) == (
        (START, "how"),
        ("how", "much"),
    )
    assert without_covered([("a", "b"), ("a", "b")]) == (("a", "b"),)
    short = (START, "how", "is", ONE, END)
    assert without_covered([short, (START, "how")]) == ((START, "how"),)
    assert without_covered([("is", ONE, ONE), short]) == (("is", ONE, ONE), short)


def test_the_others_hold_the_same_texts() -> None:
    drawn = random.Random(0)
    parts = ("a", "b", ONE)
    every = [(START, "a"), *((one,) for one in "ab")]
    every += [(x, y) for x, y in product("ab", repeat=2)] + [(x, y, z) for x, y, z in product("ab", parts, "ab")]
    every += [(x, SOME, y) for x, y in product("ab", repeat=2)] + [("a", "b", SOME, "a")]
    for _ in range(200):
        phrases = drawn.sample(every, 4)
        kept = without_covered(phrases)
        for _ in range(20):
            text = [drawn.choice("abc") for _ in range(drawn.randint(0, 6))]
            assert any(holds(text, one) for one in kept) == any(holds(text, one) for one in phrases), (text, phrases)
