"""The words that a rule learned, in plain words above it."""

from __future__ import annotations

import re

import pytest

from re2nn_core.plots.review.learned_words import learned_as_html
from re2nn_core.services.rule_systems.inline_difference import InlinePiece as Piece

_KEPT, _CAME, _WENT = "kept", "added", "removed"
_MONTHS = tuple((f"m{number}", _CAME) for number in range(12))
CASES = {
    "a word": ((("late", _KEPT), (" | delayed", _CAME)), "Learned: delayed."),
    "words that follow each other": (
        (("a | ", _KEPT), ("money back", _CAME)),
        "Learned: money back.",
    ),
    "a word went and none came": ((("late | ", _KEPT), ("tardy", _WENT)), "Removed: tardy."),
    "a word that went": ((("please", _WENT), ("now", _CAME)), "Learned: now. Removed: please."),
    "signs have names": ((("( % | & )", _CAME),), "New rule. Learned: any number, any sign."),
    "repeats and wildcards are no words": ((("$* on? $+ the+ $?", _CAME),), "New rule. Learned: on the."),
    "a tag is no word": ((("oslo<:>B-city", _CAME),), "New rule. Learned: oslo."),
    "brackets are no words": ((("[ ( oslo ) ]<city>", _CAME),), "New rule. Learned: oslo."),
    "a word that moved": (
        (("$+ from home | ", _WENT), ("( from | get ) home", _CAME)),
        "Learned: get.",
    ),
    "a known word in another place stands last": (
        (("june | ", _KEPT), ("june | home", _CAME)),
        "Learned: home, june.",
    ),
    "nothing new": (
        (("a b", _WENT), ("b a", _CAME)),
        "Learned: no new word; words of the rule in another order or place.",
    ),
}


@pytest.mark.parametrize(("pieces", "expected"), CASES.values(), ids=list(CASES))
def test_the_words_are_named(pieces: tuple[tuple[str, str], ...], expected: str) -> None:
    assert text(*(Piece(*piece) for piece in pieces)) == expected  # type: ignore[arg-type]


def test_the_strongest_stand_in_front_and_the_rest_is_counted() -> None:
    words = " | ".join(f"w{chr(97 + number)}" for number in range(12))
    shown = text(Piece(f"{words} | 00", "added"), weights={"wh": 0.9, "00": 1.0})
    assert shown.startswith("New rule. Learned: wh, wa, ")
    assert shown.endswith(" and 5 more.")
    assert "00" not in shown  # numbers behind words


def test_a_class_of_one_kind_goes_by_its_name_and_another_by_its_words() -> None:
    months = Piece("@when.months_12<:>B-date@", "added", _MONTHS)  # type: ignore[arg-type]
    assert text(months) == "New rule. Learned: months (12 words)."
    own = Piece("@day@", "kept", (("monday", "kept"), ("noon", "added"), ("tuesday", "removed")))
    assert text(own) == "Learned: noon. Removed: tuesday."
    learned = Piece("@r.cost_2@", "added", (("fee", "added"), ("cost", "added")))
    assert text(learned) == "New rule. Learned: fee, cost."


SEEN = {"refund", "back", "the", "a"}
CAUTION = "Read the rule before you accept it: these words may be chance."
WORTH = {
    "what was seen once is named so": (
        "refund | fqz",
        "Learned: refund. Seen once (in one training text, in no held-out text): fqz.",
    ),
    "words that hold sentences together": ("refund | the | a", "Learned: refund. Common words: the, a."),
    "nothing but these": ("the | a", f"Learned: only common words: the, a. {CAUTION}"),
    "nothing but what was seen once": (
        "fqz",
        f"Seen once (in one training text, in no held-out text): fqz. {CAUTION}",
    ),
}


@pytest.mark.parametrize(("came", "expected"), WORTH.values(), ids=list(WORTH))
def test_words_that_say_little_stand_apart(came: str, expected: str) -> None:
    assert text(Piece("late", "kept"), Piece(f" | {came}", "added"), seen=SEEN) == expected


def test_many_words_are_grouped_by_what_they_are() -> None:
    urls = " | ".join(f"page{number}.example" for number in range(61))
    shown = text(Piece("late", "kept"), Piece(f" | {urls} | refund | 5th | 6th | 7th | 8th | 9th", "added"))
    assert shown == "Learned: URLs (61 words), ordinals (5 words), refund."


def text(*pieces: Piece, weights: dict[str, float] | None = None, seen: set[str] | None = None) -> str:
    return re.sub(r"<[^>]*>", "", learned_as_html(pieces, weights or {}, seen=seen))
