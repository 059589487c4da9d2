"""Reading rules takes time in step with their number and length, and messages stay short."""

from __future__ import annotations

import gc
import time
from contextlib import suppress

import pytest

from re2nn_core.errors import RuleError
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.warnings.cut_words import words_the_tokenizer_cuts
from re2nn_core.text.tokenization import Tokenization

MANY = 4_000


def _distinct(number: int) -> str:
    return "[x]\n" + "".join(f"$* w{i} ( a{i} | b{i} ) $*\n" for i in range(number))


def _empty_sections(number: int) -> str:
    return "[x]\n" + "$* a $*\n" * number + "".join(f"[e{i}]\n" for i in range(number))


def _unknown_classes(number: int) -> str:
    classes = "".join(f"@c{i}@=( a{i} )\n" for i in range(number))
    return f"{classes}[x]\n" + "".join(f"$* @d{i}@ $*\n" for i in range(number))


def _odd_words(number: int) -> str:
    return "[x]\n$* ( " + " | ".join(f"^w{i}" for i in range(number)) + " ) $*\n"


def _read(text: str) -> float:
    started = time.process_time()
    try:
        read = read_rules(text, file=f"{len(text)}{started}")
        words_the_tokenizer_cuts(read.ruleset, Tokenization())
        found = list(read.warnings)
    except RuleError as error:
        found = list(error.faults)
    assert all(len(fault.render()) < 1_500 for fault in found)
    return time.process_time() - started


@pytest.mark.long
@pytest.mark.parametrize("write", [_distinct, _empty_sections, _unknown_classes, _odd_words])
def test_four_times_as_much_takes_about_four_times_as_long(write) -> None:  # type: ignore[no-untyped-def]
    # The best of three: what else the machine does only adds to a time.
    few, many = (min(_read(write(number)) for _ in range(3)) for number in (MANY, 4 * MANY))
    assert many < 9 * few + 0.5  # 16 times where it is quadratic


def test_a_long_line_is_quoted_around_the_place_at_fault() -> None:
    with pytest.raises(RuleError) as caught:
        read_rules("[x]\n" + "a " * 50_000 + "( b " + "c " * 50_000)
    reported = str(caught.value)
    assert "'(' is never closed" in reported
    assert "…a a" in reported
    assert "( b c c" in reported
    assert reported.count("\n") == 3
    assert len(reported) < 800
    place, source, caret, _ = reported.split("\n")
    assert source[caret.index("^")] == "("
    assert place.startswith("<rules>:2:100001:")


def test_a_long_word_is_cut_in_the_message() -> None:
    with pytest.raises(RuleError) as caught:
        read_rules("[x]\n$* @" + "a" * 300_000 + "! @ b")
    assert len(str(caught.value)) < 1_500


@pytest.mark.parametrize("text", ["[x]\n$* collected $*", "[x]\n$* ( collected"])
def test_the_garbage_collector_is_left_as_it_was(text: str) -> None:
    for collecting in (True, False):
        (gc.enable if collecting else gc.disable)()
        try:
            with suppress(RuleError):
                read_rules(text, file=f"{collecting}")
            assert gc.isenabled() == collecting
        finally:
            gc.enable()
