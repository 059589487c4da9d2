"""Slot data in: every form that people have it in makes the same examples; and out again."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.slot_filling.corpora import (
    looks_like_slots,
    read_slot_corpus,
    slots_without_data,
    unknown_slots,
)
from re2nn_core.exchange.slot_filling.write import render_conll, render_slot_jsonl, write_slots
from re2nn_core.exchange.tables.write import render_table
from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import Span, spans_of
from re2nn_core.text.tokenization import Tokenization, tokenize

WHITESPACE = Tokenization()
FLY = Example("fly to New York on monday", None, "train", (Span(7, 15, "city"), Span(19, 25, "day")))
TAGGED = {"tokens": FLY.text.split(), "tags": ["O", "O", "B-city", "I-city", "O", "B-day"]}
CONLL = "fly O\nto O\nNew B-city\nYork I-city\non O\nmonday B-day\n"


def line(**values: object) -> bytes:
    return json.dumps(values).encode() + b"\n"


@pytest.mark.parametrize(
    "data",
    [
        line(**TAGGED),
        line(**TAGGED, text=FLY.text, intent="flight", id=7),
        line(text=FLY.text, spans=[[19, 25, "day"], [7, 15, "city"]]),
        line(
            text=FLY.text, entities=[{"start": 7, "end": 15, "label": "city"}, {"start": 19, "end": 25, "slot": "day"}]
        ),
        line(text=FLY.text, label=[[7, 15, "city"], [19, 25, "day"]], tokens=[{"text": "fly"}]),
        line(
            text=FLY.text,
            entities=[
                {"label": "city", "start_offset": 7, "end_offset": 15},
                {"label": "day", "start_offset": 19, "end_offset": 25},
            ],
        ),
        b"[\n" + line(**TAGGED).strip() + b"\n]",
        CONLL.encode(),
        CONLL.replace(" ", "\t").encode(),
        b"-DOCSTART- -X- O O\n\n" + CONLL.replace(" ", " NN x ").encode() + b"\n\n",
        b"# id = 3\n" + CONLL.replace("\n", "\r\n").encode(),
        CONLL.encode("utf-16"),
        CONLL.replace("York I-city", "York E-city").replace("B-day", "S-day").encode(),
        CONLL.replace("York I-city", "York L-city").replace("B-day", "U-day").encode(),
        CONLL.replace("B-", "I-").encode(),
    ],
)
def test_every_form_makes_the_same_example(data: bytes) -> None:
    read = read_slot_corpus(data, "texts", tokenization=WHITESPACE, split="train")
    assert read.corpus.examples == (FLY,)
    assert read.bad_rows == ()
    assert looks_like_slots(data)


def test_splits_lines_and_what_nobody_labelled() -> None:
    data = (
        line(text="a b", spans=[[0, 1, "x"]], split="Validation")
        + b"\n"
        + line(text="a  b", spans=[], split="test")
        + line(text=" c", spans=None)
        + line(text="d")
        + line(tokens=["e", 7])
        + line(tokens=["f"], tags=["O"], split="")
    )
    read = read_slot_corpus(data, "texts.jsonl", tokenization=WHITESPACE, split="train")
    assert read.corpus.examples == (
        Example("a b", None, "dev", (Span(0, 1, "x"),)),
        Example("a  b", None, "test", ()),
        Example(" c", None, "train", None),
        Example("d", None, "train", None),
        Example("e 7", None, "train", None),
        Example("f", None, "train", ()),
    )
    assert read.lines == (1, 3, 4, 5, 6, 7)
    assert (read.format, read.has_words) == ("jsonl", True)
    assert read.notes == (
        "1 blank line left out.",
        "2 texts given as tokens, 4 as plain text (first on line 1): all are tokenized at white space, so spans "
        "that begin or end inside a word are refused. Choose another tokenizer, or put the two kinds into separate "
        "files.",
    )
    conll = read_slot_corpus(b"a O\n\n\nb B-x\n", "texts.conll", tokenization=WHITESPACE)
    assert (conll.lines, conll.format, conll.has_words) == ((1, 4), "conll", True)
    assert not read_slot_corpus(line(text="d", spans=[]), tokenization=WHITESPACE).has_words


def test_what_was_read_otherwise_than_it_stands_is_noted() -> None:
    data = b"a S-x\n\nb O\nc I-x\nd I-y\n\ne I-x\n"
    read = read_slot_corpus(data, "texts", tokenization=WHITESPACE)
    assert read.notes == (
        "1 text with tags of another scheme (S-, E-, U-, L- or M-; first on line 1): read as the same spans in BIO.",
        "2 texts with an I- tag that continues no span of its slot, read as B- as conlleval does; first on line 3, "
        "word 2: 'I-x' continues nothing; it is read as 'B-x'.",
    )
    assert read.corpus.examples[1].spans == (Span(2, 3, "x"), Span(4, 5, "y"))
    rows = line(text="a", spans=[], id=1, meta={}) + line(text="a", spans=[[0, 1, "Cities"]], id=2)
    read = read_slot_corpus(rows, "texts", tokenization=WHITESPACE, known_slots=["cities"])
    assert read.notes == (
        "Slot 'Cities' (1 text) is new; the nearest known one is 'cities'.",
        "1 text found more than once, first 'a'.",
        "1 text found with different spans, first 'a'.",
    )
    assert read.columns is not None
    assert read.columns.in_words("spans") == "text: text; spans: spans, 2 of 2 filled; split: none; not read: id, meta"


def test_a_span_that_ends_is_not_continued_in_other_schemes() -> None:
    read = read_slot_corpus(b"a S-x\nb E-x\nc B-x\nd M-x\ne E-x\nf I-x\n", "texts", tokenization=WHITESPACE)
    spans = [(span.start // 2, (span.end + 1) // 2) for span in read.corpus.examples[0].spans or ()]
    assert spans == [(0, 1), (1, 2), (2, 5), (5, 6)]


def test_slots_that_rules_or_data_lack() -> None:
    other = Example("x", spans=(Span(0, 1, "dayy"),))
    found = unknown_slots([FLY, other, FLY], ["day", "hour"])
    assert [(slot.slot, slot.texts, slot.nearest) for slot in found] == [("city", 2, None), ("dayy", 1, "day")]
    assert slots_without_data([FLY], ["hour", "day", "city", "hour", "meal"]) == ("hour", "meal")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"text,label\nfly to oslo,flight\n",
        b"flight\tfly to oslo O\nfare\thow much\n",
        b"fly to oslo\tB-52\nnext text\tB-1\n",
        b"just a text\nand another O\n",
        b"a O\nb O\n",
        line(text="a", label="flight"),
        line(text="a", label=["flight", "fare"]) + line(text="b", tags=["travel", "work"]),
        b"PAR1" + bytes(100),
        bytes(range(256)),
        b'{"text": "a", "spans": [[0, 1\n',
        b"text,spans\na,none\nb,[ no\n"[:-5],
        b"spans\n[[0, 1, 2]]\n",
    ],
)
def test_other_data_does_not_look_like_slots(data: bytes) -> None:
    assert not looks_like_slots(data)


def test_a_long_file_is_looked_at_only_at_its_beginning() -> None:
    data = line(**TAGGED) * 2_000
    assert looks_like_slots(data)
    assert looks_like_slots(b"[" + b",".join([line(**TAGGED)] * 2_000) + b"]")
    assert looks_like_slots((CONLL + "\n").encode() * 5_000)
    assert looks_like_slots((CONLL + "\n").encode("utf-16"))


PIECES = st.sampled_from(
    ["Fly", "a", "#", "{", '"', "b:", "😀", "北京", "e\u0301", "O", "B-x", "\ufeff", "-", "'", "\\"]
)
SENTENCES = st.lists(PIECES, min_size=1, max_size=6)
TAGS = st.sampled_from(["O", "B-a", "I-a", "B-b/c", "I-b/c"])


@settings(deadline=None)
@given(st.lists(st.tuples(SENTENCES, st.data()), min_size=1, max_size=4))
def test_what_is_written_is_read_back(drawn: list[tuple[list[str], st.DataObject]]) -> None:
    examples = []
    for words, data in drawn:
        text = " ".join(words)
        tags = data.draw(st.lists(TAGS, min_size=len(words), max_size=len(words)))
        examples.append(Example(text, None, "dev", spans_of(tags, tokenize(text, WHITESPACE))))
    by_words = read_slot_corpus(render_conll(examples, WHITESPACE), tokenization=WHITESPACE, split="dev")
    assert list(by_words.corpus) == examples
    assert list(read_slot_corpus(render_slot_jsonl(examples), tokenization=WHITESPACE).corpus) == examples


@given(st.text(min_size=1).filter(str.strip), st.sampled_from(["train", "dev", "test", None]), st.booleans())
def test_json_lines_keep_any_text(text: str, split: str | None, labelled: bool) -> None:
    if "\x00" in text:
        return
    tokens = tokenize(text, Tokenization("characters"))
    spans = tuple(Span(token.start, token.end, "x") for token in tokens[::2]) if labelled else None
    example = Example(text, None, split, spans)
    read = read_slot_corpus(render_slot_jsonl([example]), tokenization=Tokenization("characters"))
    assert read.corpus.examples == (example,)


def test_files_are_written_whole_and_other_formats_refused(tmp_path: Path) -> None:
    write_slots(tmp_path / "a.conll", [FLY], "conll", WHITESPACE)
    assert (tmp_path / "a.conll").read_text() == CONLL.replace(" ", "\t")
    stream = io.BytesIO()
    write_slots(stream, [FLY], "jsonl")
    assert stream.getvalue() == (
        b'{"text": "fly to New York on monday", "spans": [[7, 15, "city"], [19, 25, "day"]], "split": "train"}\n'
    )
    with pytest.raises(DataFileError, match=r"'csv' is no format for slots\. Choose one of jsonl, conll\."):
        write_slots(stream, [FLY], "csv")


@pytest.mark.parametrize(
    ("example", "reason"),
    [
        (Example("a b"), "Text 2 is not labelled, and CoNLL cannot say so. Leave it out, or choose JSON lines."),
        (Example(" \t", spans=()), "Text 2 has no words, so CoNLL cannot hold it. Choose JSON lines."),
        (Example("ab", spans=(Span(0, 1, "x"),)), "Text 2: [0, 1, \"x\"] ('a') ends at 1, where no word ends; "),
        (Example("a\x00", spans=()), "Text 2: column 'text' holds a NUL byte, character 2. Correct this text, "),
    ],
)
def test_what_conll_cannot_hold_is_refused(example: Example, reason: str) -> None:
    with pytest.raises(DataFileError) as caught:
        render_conll([FLY, example], WHITESPACE)
    assert str(caught.value).startswith(reason)


TABLES = (
    'text,spans,split\n"to oslo","[[3, 7, ""city""]]",Train\nhello,[],test\nto rome,,\n',
    'id;body;entities;fold\n1;to oslo;"[{""start"": 3, ""end"": 7, ""label"": ""city""}]";train\n'
    "2;hello;[];test\n3;to rome; null ;\n",
    'text\tanswer\tspans\tconfidence\trules_spans\tdiffers\tsplit\nto oslo\tcity: oslo\t[[3,7,"city",0.93]]\t0.93\t[]\t'
    "yes\ttrain\nhello\t\t[]\t1e-05\t[]\tno\ttest\nto rome\t\t\t\t[]\tno\t\n",
    # As a spreadsheet writes TSV.
    'text\tspans\tsplit\nto oslo\t"[[3,7,""city""]]"\ttrain\nhello\t[]\ttest\nto rome\t\t\n',
)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_tables_with_a_column_of_spans(table: str, encoding: str) -> None:
    data = table.encode(encoding)
    assert looks_like_slots(data)
    read = read_slot_corpus(data, "texts", tokenization=WHITESPACE)
    assert read.corpus.examples == (
        Example("to oslo", None, "train", (Span(3, 7, "city"),)),
        Example("hello", None, "test", ()),
        Example("to rome"),
    )
    assert (read.bad_rows, read.has_words) == ((), False)
    assert read.format == ("tsv" if "\t" in table else "csv")


def test_a_table_whose_texts_stand_in_a_column_that_is_named() -> None:
    data = b'question,note,spans\nto oslo,x y,"[[3,7,""city""]]"\n'
    assert read_slot_corpus(data, tokenization=WHITESPACE).corpus.texts == ("to oslo",)
    read = read_slot_corpus(data, tokenization=WHITESPACE, text_column="note", with_spans=False)
    assert read.corpus.examples == (Example("x y"),)
    with pytest.raises(DataFileError, match="has no column 'other' for the texts"):
        read_slot_corpus(data, tokenization=WHITESPACE, text_column="other")
    with pytest.raises(DataFileError, match="has no 'other'; a text is expected there "):
        read_slot_corpus(line(**TAGGED), "texts", tokenization=WHITESPACE, text_column="other")


def test_a_parquet_file_with_spans() -> None:
    rows = [("to oslo", '[[3,7,"city"]]'), ("a", "[]"), ("b", None)]
    data = render_table(("text", "spans"), rows, "parquet")
    assert looks_like_slots(data)
    read = read_slot_corpus(data, tokenization=WHITESPACE)
    assert [example.spans for example in read.corpus] == [(Span(3, 7, "city"),), (), None]
    assert not looks_like_slots(render_table(("text", "label"), [("spans", "b")], "parquet"))


def test_faults_in_the_cells_of_a_table() -> None:
    data = 'text,spans,split\na,"[[0, 1, ""x""]]",\n'
    data += 'b,none,\nc,"[[0, 1",\nd,"[[0, 9, ""x""]]",\ne,[],holdout\nf,{},\n,[],\n'
    read = read_slot_corpus(data.encode(), "texts.csv", tokenization=WHITESPACE)
    assert read.corpus.texts == ("a",)
    reasons = {bad.line: bad.reason for bad in read.bad_rows}
    assert list(reasons) == [3, 4, 5, 6, 7, 8]
    assert reasons[3].startswith("'spans' is not JSON: ")
    assert "[] for a text without slots, an empty cell for a text without annotation" in reasons[3]
    assert reasons[4].startswith("'spans' is not JSON: ")
    assert reasons[5].startswith('[0, 9, "x"] ends past the text')
    assert reasons[6].startswith("split 'holdout' is not one of train")
    assert reasons[7].startswith("'spans' holds an object; a list such as")
    assert reasons[8] == "the text is empty"
    alone = read_slot_corpus(data.encode(), "texts.csv", tokenization=WHITESPACE, with_spans=False)
    assert alone.corpus.texts == ("a", "b", "c", "d", "f")


def test_a_table_without_spans_says_so() -> None:
    with pytest.raises(DataFileError, match=r"'texts.csv' is a table, and its first row names no column of spans\."):
        read_slot_corpus(b"text,label\na,b\n", "texts.csv", tokenization=WHITESPACE)


def test_texts_alone_are_read_whatever_is_wrong_with_their_marks() -> None:
    data = line(text="to oslo", spans=[[3, 70, "city"]]) + line(tokens=["to", "oslo"], tags=["B-x"]) + line(**TAGGED)
    assert len(read_slot_corpus(data, tokenization=WHITESPACE).corpus) == 1
    wrong = line(text="a", spans="none") + line(text="b", tags=["O"], spans=[[0]]) + line(tokens=["c"], tags="x")
    found = read_slot_corpus(wrong, tokenization=WHITESPACE, with_spans=False)
    assert (found.corpus.texts, found.bad_rows) == (("a", "b", "c"), ())
    read = read_slot_corpus(data, tokenization=WHITESPACE, with_spans=False)
    assert read.corpus.examples == (Example("to oslo"), Example("to oslo"), Example(FLY.text))
    assert read.bad_rows == ()
