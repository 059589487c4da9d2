"""Spans and tags say the same, whatever cut the text; what cannot be said is reported with the nearest borders."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from re2nn_core.errors import InputError
from re2nn_core.text import chinese
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import (
    Span,
    check_tags,
    read_spans,
    span_faults,
    spans_of,
    tags_of,
    token_spans,
    write_spans,
)
from re2nn_core.text.tokenization import TOKENIZER_KINDS, Tokenization, tokenize

KINDS = [kind for kind in TOKENIZER_KINDS if kind != "jieba" or chinese.jieba_is_installed()]
PIECES = [
    "a",
    "Fly",
    " ",
    "  ",
    "\t",
    "北京",
    "东",
    "🙂",
    "👩‍👧",
    "e\u0301",
    "，",
    "３",
    "don't",
    "İ",
    "Σ",
    "\ud83d",
    "-",
    "\n",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
TAGS = st.sampled_from(["O", "B-a", "I-a", "B-b.c", "I-b.c", "I-B-a"])


def conlleval(tags: list[str]) -> list[tuple[str, int, int]]:
    """As the published scorer has it: does a chunk end before this tag, does one start with it?"""
    chunks, begin = [], 0
    before, kind_before = "O", ""
    for place, tag in enumerate([*tags, "O"]):
        prefix, kind = ("O", "") if tag == "O" else tuple(tag.split("-", 1))
        ends = before in "BI" and (prefix in "BO" or kind != kind_before)
        starts = prefix == "B" or (prefix == "I" and (before == "O" or kind != kind_before))
        if ends:
            chunks.append((kind_before, begin, place))
        if starts:
            begin = place
        before, kind_before = prefix, kind
    return chunks


@given(st.lists(TAGS, max_size=8))
@example(["I-a", "I-a", "B-a", "I-b.c", "O", "I-b.c"])
def test_tags_are_read_as_conlleval_reads_them(tags: list[str]) -> None:
    assert [(span.slot, span.start, span.end) for span in token_spans(tags)] == conlleval(tags)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(KINDS), st.booleans(), st.data())
def test_tags_and_spans_round_trip_under_every_tokenizer(
    text: str, kind: str, lowercase: bool, data: st.DataObject
) -> None:
    tokens = tokenize(text, Tokenization(kind, lowercase))
    for token in tokens:
        piece = text[token.start : token.end]
        assert token.text == normalize("NFC", piece.lower() if lowercase else piece)
    tags = data.draw(st.lists(TAGS, min_size=len(tokens), max_size=len(tokens)))
    spans = spans_of(tags, tokens)
    repaired = tags_of(spans, tokens, text)
    repairs = {fault.place: fault.repaired for fault in check_tags(tags)}
    assert repaired == tuple(repairs.get(place, tag) for place, tag in enumerate(tags))
    assert spans_of(repaired, tokens) == spans
    assert check_tags(repaired) == ()
    assert Example(text, spans=spans).spans == spans
    assert read_spans(write_spans(reversed(spans))) == spans


def test_an_inside_without_a_beginning_is_named() -> None:
    faults = check_tags(["O", "I-city", "I-city", "B-day", "I-city"])
    assert [str(fault) for fault in faults] == [
        "word 2: 'I-city' continues nothing; it is read as 'B-city'",
        "word 5: 'I-city' continues nothing; it is read as 'B-city'",
    ]


@pytest.mark.parametrize("tag", ["OO", "b-city", "B-", "city", "", "B-new york", "S-city", "o"])
def test_a_tag_of_another_shape_is_refused(tag: str) -> None:
    with pytest.raises(InputError, match="is not a tag: O, B-slot or I-slot is expected"):
        token_spans([tag])


def faults(text: str, *spans: tuple[int, int, str], kind: str = "whitespace") -> list[str]:
    return list(span_faults([Span(*span) for span in spans], tokenize(text, Tokenization(kind)), text))


def test_spans_off_the_borders_of_words_name_the_nearest() -> None:
    text = "fly to New  York now"
    assert faults(text, (7, 16, "city")) == []
    assert faults(text, (8, 16, "city")) == [
        "[8, 16, \"city\"] ('ew  York') begins at 8, where no word begins; the nearest borders are 7 and 16 "
        "('New  York'): correct the offsets"
    ]
    assert faults(text, (6, 11, "city")) == [
        "[6, 11, \"city\"] (' New ') begins at 6, where no word begins and ends at 11, where no word ends; the nearest "
        "borders are 7 and 10 ('New'): correct the offsets"
    ]
    assert faults("to Oslo, now", (3, 7, "city"))[0].endswith(
        "choose a tokenizer that cuts there (punctuation or characters), or correct the offsets"
    )
    assert faults("去奥斯陆", (1, 4, "city"), kind="punctuation")[0].endswith(
        "cuts there (characters), or correct the offsets"
    )
    assert faults("Oslo-based", (0, 4, "city"), kind="punctuation")[0].endswith(
        "choose a tokenizer that cuts there (word-parts), or correct the offsets"
    )
    assert "the nearest borders are 4 and 6 ('cd')" in faults("ab  cd", (3, 4, "x"))[0]
    assert "the text has no words" in faults("   ", (0, 2, "city"))[0]
    assert faults("to Oslo!", (3, 7, "city"), kind="punctuation") == []
    assert "the nearest borders are 3 and 8 ('Oslo!')" in faults("to Oslo!", (3, 7, "city"))[0]


def test_spans_past_the_end_or_over_each_other_are_named_together() -> None:
    assert faults("to Oslo", (3, 7, "city"), (3, 7, "city"), (0, 7, "way"), (3, 9, "day")) == [
        '[3, 9, "day"] ends past the text, which has 7 characters; count characters, not bytes, from 0; '
        "the end is the one after the last",
        '[0, 7, "way"] and [3, 7, "city"] overlap; a word fills one slot at most, so remove one of them',
        '[3, 7, "city"] occurs twice; remove one of the two',
        '[0, 7, "way"] and [3, 9, "day"] overlap; a word fills one slot at most, so remove one of them',
    ]
    with pytest.raises(InputError, match=r"ends past the text.*\n.*overlap"):
        tags_of([Span(0, 2, "a"), Span(1, 9, "b")], tokenize("to Oslo", Tokenization()))


def test_a_span_inside_a_longer_one_is_found_behind_another() -> None:
    assert len(faults("a b c d", (0, 7, "x"), (2, 3, "y"), (4, 5, "z"))) == 2


def test_spans_and_examples_are_checked() -> None:
    for start, end in ((-1, 2), (3, 3), (4, 2)):
        with pytest.raises(ValueError, match="a start from 0 on and an end after it"):
            Span(start, end, "a")
    for slot in ("", "new york", "a\tb"):
        with pytest.raises(ValueError, match="holds at least one character and no blanks"):
            Span(0, 1, slot)
    with pytest.raises(ValueError, match=r'must be in order and must not overlap \(got \[3, 4, "a"\], \[0, 1, "a"\]\)'):
        Example("abcd", spans=(Span(3, 4, "a"), Span(0, 1, "a")))
    with pytest.raises(ValueError, match=r'\[3, 5, "a"\] ends past the text, which has 4 characters'):
        Example("abcd", spans=(Span(3, 5, "a"),))
    with pytest.raises(ValueError, match=r"one tag for each word \(got 1 tags, 2 words\)"):
        spans_of(["O"], tokenize("a b", Tokenization()))
    corpus = Corpus((Example("ab", spans=(Span(0, 1, "y"), Span(1, 2, "x"))), Example("a"), Example("a", spans=())))
    assert corpus.slots == ("y", "x")


def test_spans_are_written_the_same_whatever_their_order() -> None:
    spans = (Span(7, 11, "城市"), Span(0, 3, 'a"b'))
    assert write_spans(spans) == '[[0,3,"a\\"b"],[7,11,"城市"]]' == write_spans(spans[::-1])
    assert (write_spans(()), read_spans("[]"), read_spans(' [ [7, 11, "x"] , [0,3,"y"]] ')) == (
        "[]",
        (),
        (Span(0, 3, "y"), Span(7, 11, "x")),
    )


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("flight", "Expecting value"),
        ("{}", "a list is expected"),
        ("[1]", "a span is two whole numbers and a name"),
        ('[[true,2,"a"]]', "a span is two whole numbers and a name"),
        ('[["1",2,"a"]]', "a span is two whole numbers and a name"),
        ('[[0,1.5,"a"]]', "a span is two whole numbers and a name"),
        ('[[2,1,"a"]]', "a start from 0 on"),
        ("[" * 100_000, "nested too deeply"),
        ("[" + "9" * 5_000 + "]", "digits"),
        ('[[0,3,"a"],[1,2,"b"]]', "overlap"),
        ('[[0,3,"a"],[0,3,"a"]]', "occurs twice"),
    ],
)
def test_what_no_spans_were_written_as_is_refused(written: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        read_spans(written)
    assert len(str(caught.value)) < 300
