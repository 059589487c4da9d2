"""Slot data with faults: the good rows are kept, each bad one is named with its line, the reason and what to do."""

from __future__ import annotations

import json

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.slot_filling.corpora import EXPECTED, read_slot_corpus
from re2nn_core.text.tokenization import Tokenization, TokenizerKind

GOOD = {"text": "good", "spans": []}


def refused(*rows: dict[str, object], kind: TokenizerKind = "whitespace") -> list[str]:
    """The reasons, of rows that stand between two good ones."""
    data = "".join(f"{json.dumps(row)}\n" for row in (GOOD, *rows, GOOD)).encode()
    read = read_slot_corpus(data, "texts.jsonl", tokenization=Tokenization(kind))
    assert [example.text for example in read.corpus] == ["good", "good"]
    assert [bad.line for bad in read.bad_rows] == list(range(2, len(rows) + 2))
    return [bad.reason for bad in read.bad_rows]


def message(data: bytes) -> str:
    with pytest.raises(DataFileError) as caught:
        read_slot_corpus(data, "texts", tokenization=Tokenization())
    return str(caught.value)


def test_spans_that_words_cannot_carry() -> None:
    text = "from new york"
    assert refused(
        {"text": text, "spans": [[6, 13, "city"]]},
        {"text": text, "spans": [[5, 13, "city"], [9, 13, "state"]]},
        {"text": text, "spans": [[5, 14, "city"]]},
        {"text": text, "spans": [[0, 3, "a"], [5, 40, "b"], [5, 13, "c"]]},
    ) == [
        "[6, 13, \"city\"] ('ew york') begins at 6, where no word begins; the nearest borders are 5 and 13 "
        "('new york'): correct the offsets",
        '[5, 13, "city"] and [9, 13, "state"] overlap; a word fills one slot at most, so remove one of them',
        '[5, 14, "city"] ends past the text, which has 13 characters; count characters, not bytes, from 0; '
        "the end is the one after the last",
        "[0, 3, \"a\"] ('fro') ends at 3, where no word ends; the nearest borders are 0 and 4 ('from'): correct the "
        'offsets; [5, 40, "b"] ends past the text, which has 13 characters; '
        "count characters, not bytes, from 0; the end is the one after the last; "
        '[5, 13, "c"] and [5, 40, "b"] overlap; a word fills one slot at most, so remove one of them',
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"tokens": ["a", "b"], "tags": ["O"]}, "has 2 words but 1 tag; each word needs one"),
        ({"tags": ["O"]}, "'tokens' is missing; a list of texts is expected"),
        ({"tokens": ["a"], "tags": "O"}, "'tags' holds 'O'; a list of texts is expected"),
        ({"tokens": ["a"], "tags": [None]}, "'tags' holds null in place 1; a text is expected"),
        ({"tokens": [], "tags": []}, "the sentence has no words"),
        ({"tokens": ["a", ""], "tags": ["O", "O"]}, "word 2 is empty"),
        (
            {"tokens": ["new york"], "tags": ["B-city"]},
            "word 1, 'new york', holds a blank; cut it in two, or give the text with spans",
        ),
        ({"tokens": ["a"], "tags": ["city"]}, "tag 1, 'city', is no tag: O, B-slot or I-slot is expected"),
        ({"tokens": ["a"], "tags": ["B-"]}, "tag 1, 'B-', is no tag: O, B-slot or I-slot is expected"),
        (
            {"tokens": ["a b", "c"], "tags": ["X", "o", "O"]},
            "has 2 words but 3 tags; each word needs one; word 1, 'a b', holds a blank; cut it in two, or give the "
            "text with spans; tag 1, 'X', is no tag: O, B-slot or I-slot is expected; and 1 more",
        ),
        (
            {"text": "a  b", "tokens": ["a", "b"], "tags": ["O", "O"]},
            "'text' is not its tokens with one blank between; leave it out, or give it with 'spans'",
        ),
        ({"tokens": ["a"], "tags": ["O"], "spans": []}, "has both 'tags' and 'spans'; keep one of them"),
        ({"text": "a", "entities": [], "spans": []}, "has spans under 'spans' and 'entities'; keep one of them"),
        ({"spans": []}, "has no 'text' with 'spans' and no 'tokens' with 'tags'"),
        ({"text": ["a"], "spans": []}, "'text' holds a list; a text is expected"),
        ({"text": " ", "spans": []}, "the text is empty"),
        ({"text": "a\x00", "spans": []}, "column 'text' holds a NUL byte, character 2"),
        ({"text": "\ud800", "spans": []}, "column 'text' holds half a surrogate pair (\\ud800), character 1"),
        ({"text": "a", "split": "holdout"}, "split 'holdout' is not one of train, dev, test"),
        ({"text": "a", "split": ["train"]}, "split 'a list' is not one of train"),
        ({"text": "a", "spans": [[0, 1]]}, "'spans', place 1: holds a list; [start, end, slot] or "),
        (
            {"text": "a", "spans": [{"start": 0, "end": 1}]},
            "'spans', place 1: has no slot: its keys are 'start', 'end'; expected are start (or start_offset), end (or "
            "end_offset) and slot (or label, type, entity)",
        ),
        (
            {"text": "a", "spans": [{"begin": 0, "finish": 1, "label": "x"}]},
            "'spans', place 1: has no end: its keys are 'begin', 'finish', 'label'; expected are start ",
        ),
        ({"text": "a", "spans": [{}]}, "'spans', place 1: has no start and no end and no slot: it holds nothing; "),
        ({"text": "a", "spans": [[0, 1, None]]}, "'spans', place 1: null names no slot; [start, end, slot] or "),
        (
            {"text": "a", "spans": "none"},
            "'spans' holds 'none'; a list such as [[3, 7, \"city\"]] is expected, [] for a text without slots, null "
            "for a text without annotation",
        ),
        ({"text": "a", "spans": 7}, "'spans' holds the number 7; a list such as"),
        ({"text": "a", "spans": True}, "'spans' holds true; a list such as"),
        ({"text": "a", "entities": {"start": 0}}, "'entities' holds an object; a list such as"),
        ({"text": "a", "spans": "none", "entities": []}, "has spans under 'entities' and 'spans'; keep one of them"),
        ({"text": "a", "spans": [[0, "x", "a"]]}, "'spans', place 1: 'x' is no offset: a whole number from 0 on"),
        ({"text": "a", "spans": [[-1, 1, "a"]]}, "'spans', place 1: '-1' is no offset"),
        ({"text": "a", "spans": [[0, 1.5, "a"]]}, "'spans', place 1: '1.5' is no offset"),
        ({"text": "a", "spans": [[0, None, "a"]]}, "'spans', place 1: null is no offset"),
        ({"text": "a", "spans": [{"label": "a", "end": 1}]}, "'spans', place 1: has no start: its keys are 'label', "),
        ({"text": "a", "spans": [[1, 1, "a"]]}, "a span has a start from 0 on and an end after it"),
        ({"text": "a", "spans": [[0, 1, " "]]}, "'spans', place 1: the name of a slot holds at least one character"),
    ],
)
def test_rows_that_make_no_example(row: dict[str, object], reason: str) -> None:
    assert refused(row)[0].startswith(reason)


def test_words_of_a_file_that_the_tokenizer_cuts_otherwise() -> None:
    data = b'{"tokens": ["st.", "paul"], "tags": ["B-c", "I-c"]}\n{"tokens": ["oslo"], "tags": ["B-c"]}\n'
    read = read_slot_corpus(data, "texts", tokenization=Tokenization("punctuation"))
    assert [str(bad) for bad in read.bad_rows] == [
        "line 1: 'punctuation' cuts word 1, 'st.', otherwise ('st', '.'); words that come with tags are read with the "
        "tokenizer 'whitespace'"
    ]
    assert read.notes == (
        "1 text refused because 'punctuation' cuts their words otherwise than the file does. Choose the tokenizer "
        "'whitespace' to read them all.",
    )
    assert len(read_slot_corpus(data, "texts", tokenization=Tokenization()).corpus) == 2


def test_lines_of_conll_that_cannot_be_read_take_their_text_along() -> None:
    data = b"a O\nb\nc x\nd O\n\nNew York\tB-c\n\n\tO\n\ne B-c\n"
    read = read_slot_corpus(data, "texts.conll", tokenization=Tokenization())
    assert [example.text for example in read.corpus] == ["e"]
    assert [str(bad) for bad in read.bad_rows] == [
        "line 2: has one column, 'b'; a word and its tag are expected, so add the tag (O for none) (its text, lines 1 "
        "to 4, is left out)",
        "line 3: 'x' is no tag; O, B-slot or I-slot is expected",
        "line 6: 'New York' is not one word; a word holds no blanks",
        "line 8: the word is empty; one is expected before its tag 'O'",
    ]


def test_conll_without_blank_lines_is_one_giant_sentence() -> None:
    assert message(b"a O\nb B-c\n" * 150) == (
        "'texts' is one sentence of 300 words from line 1 to line 300: it has no blank line between its lines. Put "
        "a blank line after the last word of each text, so that the end of each text is known."
    )
    assert message(b"-DOCSTART- O\n\n" + b"a O\n" * 300).startswith("'texts' is one sentence of 300 words")
    for long in (b"a O\n" * 300 + b"\nb O\n", b"b O\n\n" + b"a O\n" * 300):
        assert len(read_slot_corpus(long, "texts", tokenization=Tokenization()).corpus) == 2
    assert len(read_slot_corpus(b"a O\n" * 200, "texts", tokenization=Tokenization()).corpus) == 1


@pytest.mark.parametrize(
    ("data", "start"),
    [
        (b"", "'texts' is empty"),
        (b"text,label\na,b\n", "'texts' holds no row that can be read: line 1: has one column, 'text,label'"),
        (b"PAR1" + bytes(100), "'texts' is a Parquet file without a column of spans. Slots are read from JSON lines"),
        (b"PK\x05\x06", "'texts' looks like an empty zip file"),
        (b'{"text": ""}\n', "'texts' holds no row that can be read: line 1: the text is empty."),
        (b"caf\xe9 B-x\n", "'texts', line 1: byte 0xE9 at offset 3 is not UTF-8."),
        (b"-DOCSTART- O\n\n# x\n", "'texts' holds no rows"),
    ],
)
def test_a_file_of_which_nothing_is_left(data: bytes, start: str) -> None:
    reported = message(data)
    assert reported.startswith(start)
    assert EXPECTED in reported or "is not UTF-8" in reported or "is empty: a file" in reported or "zip" in reported


def test_broken_json_lines_do_not_take_the_others_along() -> None:
    data = b'{"text": "a", "spans": []}\n{"text": "b", "spans": [[0,\n[1]\n{"text": "c", "text": "d"}\n'
    read = read_slot_corpus(data, "texts", tokenization=Tokenization())
    assert [str(bad) for bad in read.bad_rows] == [
        "line 2: is not JSON: Expecting value, character 28",
        "line 3: holds a list, not a JSON object",
        "line 4: has the key 'text' twice",
    ]
