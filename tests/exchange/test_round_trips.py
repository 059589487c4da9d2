"""Every format: texts, labels, spans and splits come back as they were written, whatever signs stand in them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.docbin import spacy_is_installed
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.export import UnheldError, write_examples
from re2nn_core.exchange.formats import FILE_FORMATS, format_called, formats_for
from re2nn_core.exchange.slot_filling.corpora import read_slot_corpus
from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization, tokenize

WORDS = st.sampled_from(
    [
        "fly",
        "to",
        "Oslo",
        "北京",
        "我想去",
        "，",
        "。",
        "😀",
        "🇳🇴",
        "=1+1",
        "-5",
        "@home",
        "'quoted",
        '"said"',
        "é",
        "e\u0301",
    ]
    + ["{", "[1]", "null", "a,b", "O", "B-city", "#", "-DOCSTART-", "\u200b", "12", "'=x", "\\n", "text", "label"]
)
GAPS = st.sampled_from([" ", "  ", "\u3000", "   "])
BREAKS = st.sampled_from([" ", "  ", "\t", "\n", "\r\n", "\u2028", "\x0b"])
CUT = Tokenization("characters", lowercase=False)
NAMES = [format.name for format in FILE_FORMATS]
# A line of plain lines is only a text, whatever it looks like, where the format is said.
NAME_OF = {format.name: f"texts{format.ending or '.zip'}" for format in FILE_FORMATS}


@st.composite
def texts(draw: st.DrawFn, gaps: st.SearchStrategy[str]) -> str:
    words = draw(st.lists(WORDS, min_size=1, max_size=6))
    between = draw(st.lists(gaps, min_size=len(words), max_size=len(words)))
    text = "".join(word + gap for word, gap in zip(words, between, strict=True))
    text = text if draw(st.booleans()) else text.strip()
    return draw(st.sampled_from(["", "", " "])) + text


@st.composite
def labelled(draw: st.DrawFn, gaps: st.SearchStrategy[str]) -> Example:
    label = draw(st.sampled_from([None, "flight", "=fare", "票价", "a b", "7", "true"]))
    return Example(draw(texts(gaps)), label, draw(st.sampled_from([None, "train", "dev", "test"])))


@st.composite
def marked(draw: st.DrawFn, gaps: st.SearchStrategy[str]) -> Example:
    text = draw(texts(gaps))
    split = draw(st.sampled_from([None, "train", "dev", "test"]))
    tokens = tokenize(text, CUT)
    if not tokens or draw(st.integers(0, 4)) == 0:
        return Example(text, None, split, None)
    spans, place = [], 0
    while place < len(tokens) and draw(st.booleans()):
        first = draw(st.integers(place, len(tokens) - 1))
        last = draw(st.integers(first, len(tokens) - 1))
        spans.append(Span(tokens[first].start, tokens[last].end, draw(st.sampled_from(["city", "日期", "GPE"]))))
        place = last + 1
    return Example(text, None, split, tuple(spans))


def written(examples: Sequence[Example], format: str, task: str, cut: Tokenization = CUT) -> bytes:
    stream = io.BytesIO()
    numbered = ((number, example, None) for number, example in enumerate(examples, start=1))
    write_examples(stream, numbered, format_called(format), task, cut)
    return stream.getvalue()


def come_back(examples: Sequence[Example], format: str, task: str) -> tuple[Example, ...]:
    data = written(examples, format, task)
    if task == Task.SLOT_FILLING:
        chosen = None if format in ("csv", "tsv", "parquet") else format
        read = read_slot_corpus(data, NAME_OF[format], tokenization=CUT, format=chosen)
    else:
        read = read_corpus(data, NAME_OF[format], format=format)
    assert read.bad_rows == ()
    return read.corpus.examples


def needs_spacy(format: str) -> None:
    if format == "spacy" and not spacy_is_installed():
        pytest.skip("spaCy is not installed: pip install 're2nn-studio[spacy]'")


@pytest.mark.parametrize("format", [f.name for f in formats_for(Task.CLASSIFICATION) if f.name != "txt"])
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_labels_and_splits_come_back(format: str, data: st.DataObject) -> None:
    needs_spacy(format)
    gaps = GAPS if format == "tsv" else GAPS | BREAKS
    examples = data.draw(st.lists(labelled(gaps), min_size=1, max_size=5))
    assert come_back(examples, format, Task.CLASSIFICATION) == tuple(examples)


@pytest.mark.parametrize("format", [f.name for f in formats_for(Task.SLOT_FILLING) if f.name not in ("txt", "conll")])
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_spans_and_splits_come_back(format: str, data: st.DataObject) -> None:
    needs_spacy(format)
    gaps = GAPS if format == "tsv" else GAPS | BREAKS
    examples = data.draw(st.lists(marked(gaps), min_size=1, max_size=5))
    assert come_back(examples, format, Task.SLOT_FILLING) == tuple(examples)


@settings(deadline=None, max_examples=30)
@given(examples=st.lists(labelled(GAPS), min_size=1, max_size=5))
def test_plain_lines_bring_the_texts_back(examples: list[Example]) -> None:
    assert [e.text for e in come_back(examples, "txt", Task.CLASSIFICATION)] == [e.text for e in examples]


@settings(deadline=None, max_examples=30)
@given(examples=st.lists(marked(st.just(" ")).filter(lambda e: "-DOCSTART-" not in e.text), min_size=1, max_size=5))
def test_conll_brings_words_and_tags_back(examples: list[Example]) -> None:
    """Splits are left out, and blanks around words; the words stay the same, so they are cut at blanks."""
    cut = Tokenization("whitespace", lowercase=False)
    plain = [replace(e, text=" ".join(e.text.split()), spans=(), split=None) for e in examples]
    stream = io.BytesIO()
    write_examples(
        stream, ((n, e, None) for n, e in enumerate(plain, start=1)), format_called("conll"), Task.SLOT_FILLING, cut
    )
    back = read_slot_corpus(stream.getvalue(), "texts.conll", tokenization=cut)
    assert (back.corpus.examples, back.bad_rows) == (tuple(plain), ())


@pytest.mark.parametrize("format", NAMES)
def test_many_texts_come_back_in_their_order(format: str) -> None:
    """More than are written at once, the splits in turn."""
    needs_spacy(format)
    task = Task.SLOT_FILLING if format == "conll" else Task.CLASSIFICATION
    splits = (None,) if format in ("conll", "txt") else ("test", None, "train")
    count = 600 if format == "spacy" else 12_000
    spans = () if task == Task.SLOT_FILLING else None
    examples = [Example(f"text {n}", None, splits[n % len(splits)], spans) for n in range(count)]
    assert come_back(examples, format, task) == tuple(examples)


def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    fine, broken = Example("fine", "a"), Example("half a pair \ud800", "b")
    for format in formats_for(Task.CLASSIFICATION):
        needs = format.name != "spacy" or spacy_is_installed()
        target = tmp_path / f"out{format.ending}"
        rows = iter([(1, fine, None), (2, broken, None)])
        if needs:
            with pytest.raises(DataFileError, match=r"Text 2: column 'text' holds half a surrogate pair"):
                write_examples(target, rows, format, Task.CLASSIFICATION, CUT)
        assert list(tmp_path.iterdir()) == []
    kept = tmp_path / "kept.csv"
    kept.write_bytes(b"before")
    with pytest.raises(DataFileError):
        write_examples(kept, iter([(1, broken, None)]), format_called("csv"), Task.CLASSIFICATION, CUT)
    assert kept.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [kept]


def test_cells_that_look_like_formulas_are_guarded_in_tables_alone() -> None:
    examples = [Example('=HYPERLINK("x")', "+a", None)]
    assert b"'=HYPERLINK" in written(examples, "csv", Task.CLASSIFICATION)
    assert b"'=HYPERLINK" in written(examples, "tsv", Task.CLASSIFICATION)
    assert b"'=" not in written(examples, "jsonl", Task.CLASSIFICATION)
    assert come_back(examples, "csv", Task.CLASSIFICATION) == tuple(examples)
    assert come_back(examples, "tsv", Task.CLASSIFICATION) == tuple(examples)


def test_what_a_format_cannot_hold_is_said() -> None:
    with pytest.raises(DataFileError, match=r"CoNLL \(BIO\) cannot hold labels of whole texts"):
        written([Example("a", "x")], "conll", Task.CLASSIFICATION)
    with pytest.raises(DataFileError, match=r"Row 1: column 'text' holds a tab or a line break, which TSV cannot hold"):
        written([Example("a\tb", "x")], "tsv", Task.CLASSIFICATION)
    with pytest.raises(DataFileError, match="Text 1 is not labelled, and CoNLL cannot say so"):
        written([Example("a")], "conll", Task.SLOT_FILLING)
    with pytest.raises(DataFileError, match="Text 1 holds the word -DOCSTART-, which in CoNLL is a border"):
        written([Example("a -DOCSTART-", spans=())], "conll", Task.SLOT_FILLING, Tokenization())
    with pytest.raises(DataFileError, match="'doc' is not a format this writes. Choose one of csv, tsv, jsonl, txt"):
        format_called("doc")


@pytest.mark.parametrize(
    ("format", "task", "bad"),
    [
        ("tsv", Task.CLASSIFICATION, Example("a\ttab", "x")),
        ("txt", Task.CLASSIFICATION, Example("a\nbreak", "x")),
        ("conll", Task.SLOT_FILLING, Example("nobody marked it")),
        ("huggingface", Task.CLASSIFICATION, Example("half \ud800", "x")),
    ],
)
def test_what_a_format_cannot_hold_is_named_or_left_out(tmp_path: Path, format: str, task: str, bad: Example) -> None:
    good = Example("good", None, spans=()) if task == Task.SLOT_FILLING else Example("good", "x")
    numbered = [(number, bad if number in (1, 4) else good, None) for number in range(1, 6)]
    target = tmp_path / "out"
    with pytest.raises(DataFileError) as refused:
        write_examples(target, numbered, format_called(format), task, CUT)
    assert "It is text 1 “" in str(refused.value)
    assert "1 more text cannot be written: text 4 “" in str(refused.value)
    assert "--leave-out" not in str(refused.value)
    assert str(refused.value).endswith("Or have them left out.")
    assert isinstance(refused.value, UnheldError)
    assert refused.value.for_command.endswith("Or have them left out (--leave-out).")
    assert [one.number for one in refused.value.unheld] == [1, 4]
    assert list(tmp_path.iterdir()) == []
    left_out = write_examples(target, numbered, format_called(format), task, CUT, leave_out=True)
    assert [one.number for one in left_out] == [1, 4]
    assert target.is_dir() or target.read_text().count("good") == 3
    with pytest.raises(DataFileError, match="It is text 1 “"):
        write_examples(tmp_path / "none", numbered[:1], format_called(format), task, CUT, leave_out=True)
    assert not (tmp_path / "none").exists()
