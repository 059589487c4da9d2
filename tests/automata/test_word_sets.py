"""Sets of words in their one form, against every word one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rules.automata_strategies import TEXT_WORDS

from re2nn_core.automata.symbols import ANY, NUMBER, PUNCTUATION, Complement, Symbol, reading, show_symbols
from re2nn_core.automata.word_sets import united, without_words

WORDS = (*TEXT_WORDS, "otherwise", "987", "‽")
SYMBOLS: st.SearchStrategy[Symbol] = st.one_of(
    st.sampled_from(["a", "b", "7", ",", ANY, NUMBER, PUNCTUATION]),
    st.frozensets(st.sampled_from(["a", "b", "7", ",", NUMBER, PUNCTUATION]), min_size=1, max_size=3).map(Complement),
)
SETS = st.frozensets(SYMBOLS, min_size=1, max_size=4)


def members(symbols: frozenset[Symbol]) -> set[str]:
    return {word for word in WORDS if reading(symbols, word)}


@given(SETS)
def test_one_form_reads_the_same_words(symbols: frozenset[Symbol]) -> None:
    assert members(united(symbols)) == members(symbols)
    assert united(united(symbols)) == united(symbols)


@given(SETS, st.frozensets(st.sampled_from(["a", "b", "7", ","])))
def test_words_that_are_taken_away_are_not_read(symbols: frozenset[Symbol], words: frozenset[Symbol]) -> None:
    assert members(without_words(symbols, words)) == members(symbols) - words


@pytest.mark.parametrize(
    ("symbols", "shown"),
    [
        (frozenset({"a", Complement({"a", "b"})}), ["[^ b ]"]),
        (frozenset({Complement({"a", "b"}), Complement({"b", "c"})}), ["[^ b ]"]),
        (frozenset({Complement({"a"}), Complement({"b"})}), ["$"]),
        (frozenset({Complement({NUMBER, "a"}), NUMBER}), ["[^ a ]"]),
        (frozenset({Complement({NUMBER}), "7"}), ["[^ % ]", "7"]),
    ],
)
def test_known_sets(symbols: frozenset[Symbol], shown: list[str]) -> None:
    assert show_symbols(united(symbols)) == shown
