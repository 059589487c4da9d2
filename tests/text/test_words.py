"""Texts as words: offsets that point at the words, one way of cutting whatever is asked, kinds, vocabularies."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.rules import oracles

from re2nn_core.text import chinese
from re2nn_core.text.kinds import is_number, is_punctuation
from re2nn_core.text.tokenization import TOKENIZER_KINDS, Tokenization, tokenize, words, words_of_all
from re2nn_core.text.vocabulary import UNKNOWN_KINDS, Vocabulary, build_vocabulary, unknown_kind

# jieba is an extra; without it the others are tested.
KINDS = tuple(kind for kind in TOKENIZER_KINDS if kind != "jieba" or chinese.jieba_is_installed())
LETTERS = st.sampled_from([*"abÄ ß.,'-_7:ΣσİI\t\n日本🙂￥", "  ", "\u0307", "\ue001"])
TEXTS = st.one_of(st.text(max_size=20), st.lists(LETTERS, max_size=20).map("".join))


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(KINDS), st.booleans())
@example("A:Σ", "punctuation", True)
@example("İ a", "whitespace", True)
@example("订去İ北京的票", "jieba" if "jieba" in KINDS else "characters", True)
def test_words_are_the_tokens_without_their_places(text: str, kind: str, lowercase: bool) -> None:
    tokenization = Tokenization(kind, lowercase)
    tokens = tokenize(text, tokenization)
    assert words(text, tokenization) == tuple(token.text for token in tokens)
    for token in tokens:
        piece = text[token.start : token.end]
        assert token.text == unicodedata.normalize("NFC", piece.lower() if lowercase else piece)


@settings(deadline=None)
@given(TEXTS, st.sampled_from(KINDS))
def test_every_sign_but_blanks_is_in_one_token(text: str, kind: str) -> None:
    tokens = tokenize(text, Tokenization(kind, lowercase=False))
    places = [place for token in tokens for place in range(token.start, token.end)]
    for place in set(range(len(text))) - set(places):
        assert text[place].isspace() or text[place] in "\u200b\ufeff" or _stands_on_nothing(text, place, places, kind)
    assert len(places) == len(set(places))


def _stands_on_nothing(text: str, place: int, places: list[int], kind: str) -> bool:
    """A mark or a joiner with no word in front; jieba is not asked for words with marks."""
    is_mark = unicodedata.category(text[place]) in ("Mn", "Mc", "Me", "Cf")
    return is_mark and (place - 1 not in places or kind == "jieba")


@settings(deadline=None)
@given(TEXTS, st.sampled_from(KINDS))
def test_no_word_holds_a_blank(text: str, kind: str) -> None:
    """So that the unknown kinds of a vocabulary, whose names hold one, are never words of a text."""
    assert not set(words(text, Tokenization(kind))) & set(UNKNOWN_KINDS)
    assert all(" " in kind_name for kind_name in UNKNOWN_KINDS)


@pytest.mark.parametrize(
    ("text", "by_blanks", "by_signs"),
    [
        ("Fly to St. Paul, please!", "fly|to|st.|paul,|please!", "fly|to|st|.|paul|,|please|!"),
        ("o'clock dc-10 3.5", "o'clock|dc-10|3.5", "o'clock|dc-10|3.5"),
        ("what's 'up'", "what's|'up'", "what's|'|up|'"),
        ("  ", "", ""),
        ("a...b", "a...b", "a|.|.|.|b"),
    ],
)
def test_how_texts_are_cut(text: str, by_blanks: str, by_signs: str) -> None:
    assert "|".join(words(text, Tokenization("whitespace"))) == by_blanks
    assert "|".join(words(text, Tokenization("punctuation"))) == by_signs
    assert words_of_all([text, text], Tokenization()) == [words(text, Tokenization())] * 2


def test_tokenizer_must_exist() -> None:
    with pytest.raises(
        ValueError,
        match=r"^tokenizer kind must be one of whitespace, punctuation, characters, word-parts, jieba \(got 'sign'\)$",
    ):
        Tokenization("sign")


@given(st.text(alphabet="0123456789.,-٣७½²a%$", max_size=5))
def test_kinds_of_words(word: str) -> None:
    assert is_number(word) == oracles.is_number(word)
    assert is_punctuation(word) == oracles.is_punctuation(word)
    assert unknown_kind(word) == (1 if oracles.is_number(word) else 2 if oracles.is_punctuation(word) else 0)


def test_vocabulary_numbers_words_by_rules_then_by_frequency() -> None:
    vocabulary = build_vocabulary([("b", "a", "b"), ("c", "a", "b", "rule")], always=("rule", "7"))
    assert vocabulary.words == (*UNKNOWN_KINDS, "7", "rule", "b", "a", "c")
    assert vocabulary.kinds == (0, 1, 2, 1, 0, 0, 0, 0)
    assert vocabulary.encode(("a", "zz", "8", "?!", "7", "")) == [6, 0, 1, 2, 3, 0]


def test_vocabulary_is_checked() -> None:
    with pytest.raises(ValueError, match=r"^a vocabulary starts with the three unknown kinds$"):
        Vocabulary(("a", "b"))
    with pytest.raises(ValueError, match=r"^a vocabulary holds each word once$"):
        Vocabulary((*UNKNOWN_KINDS, "a", "a"))
