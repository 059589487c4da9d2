"""The tokenizer that cuts words into their parts: where it cuts, and that it cuts finer than the others."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from re2nn_core.rules.read import read_rules
from re2nn_core.rules.warnings.cut_words import words_the_tokenizer_cuts
from re2nn_core.text.spans import Span, spans_of, tags_of
from re2nn_core.text.tokenization import Tokenization, tokenize, word_borders, words
from re2nn_core.text.word_parts import cut_parts

PARTS = Tokenization("word-parts")
SIGNS = st.sampled_from(
    [*"aesdtnrvlmSTĀß5٣½_.,-'’’--  北º", "\u0301", "n't", "'s", "re", "kg", "th", "l'", "\u200d", "🙂"]
)
TEXTS = st.one_of(st.text(max_size=20), st.lists(SIGNS, max_size=20).map("".join))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rome's old town", "rome|'s|old|town"),
        ("a Rome-based firm", "a|rome|-|based|firm"),
        ("5kg or 2.5kg, 7PM", "5|kg|or|2.5|kg|,|7|pm"),
        ("don't can’t couldn't've WE'LL", "do|n't|ca|n’t|could|n't|'ve|we|'ll"),
        ("l'Italie d'un qu'on dell'arte", "l|'|italie|d|'|un|qu|'|on|dell|'|arte"),
        ("2nd 1st 1990s mp3 B12 3.5 5½ 5º", "2nd|1st|1990s|mp3|b12|3.5|5½|5º"),
        ("O'Brien o'clock y'all rock'n'roll", "o'brien|o'clock|y'all|rock'n'roll"),
        ("10-12 COVID-19 mother-in-law's", "10|-|12|covid|-|19|mother|-|in|-|law|'s"),
        ("Rome 's the boys' 's' n't", "rome|'s|the|boys|'|'s|'|n't"),
        ("U.S. e.g. 1'000", "u.s|.|e.g|.|1'000"),
        ("5m² 1\ufe0f\u20e3 cafe\u0301's", "5|m²|1\ufe0f\u20e3|cafe\u0301|'s"),
        ("北京's 5月 3kg的", "北|京|'s|5|月|3|kg|的"),
        ("d'1kg-Sack", "d|'|1|kg|-|sack"),
    ],
)
def test_where_words_are_cut(text: str, expected: str) -> None:
    assert "|".join(words(text, PARTS)) == normalize("NFC", expected)
    assert "|".join(text[start:end].lower() for start, end in word_borders(text, PARTS)) == expected


@settings(max_examples=500, deadline=None)
@given(TEXTS)
@example("x'S")
@example("'S\u0301")
def test_words_are_those_of_the_characters_cut_further(text: str) -> None:
    """But where a clitic stands alone, whose apostrophe they cut off."""
    own = word_borders(text, PARTS)
    alone = {start for start, end in own if end - start > 1 and text[start] in "'’"}
    begins, ends = {start for start, _ in own}, {end for _, end in own}
    for start, end in word_borders(text, Tokenization("characters")):
        assert start in begins or start - 1 in alone
        assert end in ends or end - 1 in alone


@settings(max_examples=500, deadline=None)
@given(TEXTS)
@example("'re n't l'n't 5'kg")
@example("0.N'T")
def test_each_word_is_one_word_when_it_stands_alone(text: str) -> None:
    """So that a rule can name it: the words of rules are cut as the texts are."""
    for token in tokenize(text, PARTS):
        assert words(token.text, PARTS) == (token.text,)


@given(st.lists(SIGNS, min_size=1, max_size=8).map("".join))
def test_parts_joined_are_the_word(word: str) -> None:
    assert "".join(cut_parts(word)) == word


@settings(deadline=None)
@given(TEXTS, st.data())
def test_tags_of_spans_say_the_spans_again(text: str, data: st.DataObject) -> None:
    tokens = tokenize(text, PARTS)
    spans = tuple(Span(token.start, token.end, "x") for token in tokens if data.draw(st.booleans()))
    assert spans_of(tags_of(spans, tokens, text), tokens) == spans


def test_rules_name_the_parts_and_are_warned_of_whole_words() -> None:
    rules = read_rules("[a]\n$* rome 's $* ( do n't | 5 kg )\n$* rome's 5kg don't\n").ruleset
    found = words_the_tokenizer_cuts(rules, PARTS)
    assert [(fault.line, fault.advice.split(":")[0]) for fault in found] == [
        (3, "Write rome 's"),
        (3, "Write 5 kg"),
        (3, "Write do n't"),
    ]
