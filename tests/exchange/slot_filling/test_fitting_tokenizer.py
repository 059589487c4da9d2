"""The tokenizer that is chosen for a file of spans, and what is said to those who chose another one."""

from __future__ import annotations

import json

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.exchange.slot_filling.fitting_tokenizer import FirstTexts, FittingTokenizer, fitting_tokenizer
from re2nn_core.text.tokenization import Tokenization, TokenizerKind

HYPHEN = {"text": "a Kiel-based firm", "spans": [[2, 6, "city"]]}
CLITIC = {"text": "Kiel's old town", "spans": [[0, 4, "city"]]}
UNIT = {"text": "5kg of rice", "spans": [[0, 1, "number"], [1, 3, "unit"]]}
SIGN = {"text": "(Kiel) is near", "spans": [[1, 5, "city"]]}
CHINESE = {"text": "去奥斯陆", "spans": [[1, 4, "city"]]}
INSIDE = {"text": "to Kielce", "spans": [[3, 7, "city"]]}
BLANKS = {"text": "to Kiel, now", "spans": [[3, 8, "city"]]}


def lines(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def chosen(data: bytes) -> FittingTokenizer:
    def read(tokenization: Tokenization) -> FirstTexts:
        found = read_slot_corpus(data, "texts.jsonl", tokenization=tokenization)
        return FirstTexts(found.corpus.texts, found.texts_left_out(), found.has_words)

    return fitting_tokenizer(read)


@pytest.mark.parametrize(
    ("rows", "kind", "more"),
    [
        ([HYPHEN, SIGN], "word-parts", "1 text"),
        ([HYPHEN, CLITIC, UNIT, SIGN, INSIDE], "word-parts", "3 texts"),
        ([HYPHEN], "word-parts", "1 text"),
        ([SIGN, INSIDE], "punctuation", ""),
        ([INSIDE], "punctuation", ""),
        ([CHINESE], "characters", ""),
        ([CHINESE, {"text": "a long text in another language, with blanks", "spans": []}], "characters", "1 text"),
        ([BLANKS, {"text": "b", "spans": []}], "punctuation", ""),
        ([{"text": "a", "spans": [[0, 9, "x"]]}], "punctuation", ""),
        ([{"tokens": ["Kiel-based"], "tags": ["O"]}], "whitespace", ""),
    ],
)
def test_the_plainest_tokenizer_that_leaves_fewest_texts_out(rows: list[object], kind: str, more: str) -> None:
    found = chosen(lines(*rows))
    assert found.kind == kind
    note = f"would leave out {more} more, whose spans begin or end inside its words."
    assert found.note.endswith(note) if more else found.note == ""


@pytest.mark.parametrize(
    ("rows", "kind", "said"),
    [
        (
            [HYPHEN, CLITIC, UNIT, SIGN],
            "punctuation",
            "3 texts with a span that begins or ends inside a word of the tokenizer 'punctuation': with --tokenizer "
            "word-parts all of them can be read.",
        ),
        ([SIGN, BLANKS], "whitespace", "'whitespace': with --tokenizer punctuation it can be read."),
        ([HYPHEN, CHINESE, INSIDE, SIGN], "punctuation", "with --tokenizer word-parts 2 of them can be read."),
        ([INSIDE, SIGN], "punctuation", ""),
        ([{"text": "to Kiel", "spans": [[3, 90, "x"]]}, SIGN], "punctuation", ""),
    ],
)
def test_another_tokenizer_is_named_where_one_could_read_more(
    rows: list[object], kind: TokenizerKind, said: str
) -> None:
    notes = read_slot_corpus(lines(*rows), "texts", tokenization=Tokenization(kind)).notes
    reported = [note for note in notes if "--tokenizer" in note]
    assert [note.endswith(said) for note in reported] == [True] * bool(said), notes


def test_it_is_named_where_no_text_could_be_read() -> None:
    with pytest.raises(DataFileError, match="with --tokenizer word-parts it can be read"):
        read_slot_corpus(lines(HYPHEN), "texts", tokenization=Tokenization("punctuation"))
