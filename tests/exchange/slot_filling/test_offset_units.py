"""What offsets count in files that quote no words: found by where spans begin and end, or said by a person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.counted_offsets import OFFSET_UNITS, OffsetUnit, unit_in_words
from re2nn_core.exchange.found_spans import UNCERTAIN
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts, slot_parts
from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, read_slot_corpus
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

FOUND = "Offsets count UTF-16 units: counted so, more spans begin and end where words do. If they count"
EMOJI, PLAIN = "😀 fly to Oslo", "go to Oslo"


def read(*rows: Any, name: str = "texts.jsonl", offsets: OffsetUnit | None = None) -> SlotCorpusRead:
    data = rows[0] if isinstance(rows[0], str) else "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return read_slot_corpus(data.encode(), name, tokenization=Tokenization("whitespace"), offsets=offsets)


def in_form(form: str, text: str, start: int, end: int) -> Any:
    span = {"start": start, "end": end}
    forms = {
        "spans": {"text": text, "spans": [[start, end, "city"]]},
        "entities": {"text": text, "entities": [{**span, "label": "city"}]},
        "doccano": {"text": text, "label": [[start, end, "city"]]},
        "unknown quote": {"text": text, "entities": [{**span, "label": "city", "remark": "Oslo"}]},
    }
    return forms[form]


@pytest.mark.parametrize("form", ["spans", "entities", "doccano", "unknown quote"])
def test_utf16_units_are_found_by_the_borders_of_words(form: str) -> None:
    found = read(in_form(form, EMOJI, 10, 14), in_form(form, PLAIN, 6, 10))
    assert [example.spans for example in found.corpus] == [(Span(9, 13, "city"),), (Span(6, 10, "city"),)]
    assert any(note.startswith(FOUND) and "write --offsets characters" in note for note in found.notes)


@pytest.mark.parametrize(
    "data",
    [
        # LUIS counts the last character in, Rasa quotes what the bot works with.
        {"luis_schema_version": "3.2", "utterances": [{"text": EMOJI, "entities": [
            {"entity": "city", "startPos": 10, "endPos": 13}]}]},
        {"rasa_nlu_data": {"common_examples": [{"text": EMOJI, "entities": [
            {"start": 10, "end": 14, "value": "OSL", "entity": "city"}]}]}},
    ],
)  # fmt: skip
def test_utf16_units_of_chatbot_tools(data: dict[str, Any]) -> None:
    found = read(data, name="bot.json")
    assert found.corpus.examples[0].spans == (Span(9, 13, "city"),)
    assert any(note.startswith(FOUND) for note in found.notes)


def test_utf16_units_of_a_table_with_one_span_a_row() -> None:
    found = read(f"text,start,end,label\n{EMOJI},10,14,city\n{PLAIN},6,10,city\n", name="spans.csv")
    assert [example.spans for example in found.corpus] == [(Span(9, 13, "city"),), (Span(6, 10, "city"),)]


def test_bytes_are_found_in_several_texts_alone() -> None:
    rows = [in_form("spans", f"été {n} à Oslo", 11, 15) for n in range(2)]
    assert [example.spans for example in read(*rows).corpus] == [(Span(8, 12, "city"),)] * 2
    with pytest.raises(DataFileError, match="ends past the text"):
        read(rows[0])


def test_characters_stay_where_they_fit_a_text() -> None:
    # As UTF-16 units the second one would begin inside of a word.
    rows = [in_form("spans", "😀 a b c", 3, 4), in_form("spans", "😀 fly to Oslo", 9, 13)]
    found = read(*rows)
    assert [example.spans for example in found.corpus] == [(Span(9, 13, "city"),)]
    advice = "write --offsets utf-16, else --offsets characters"
    assert any(UNCERTAIN in note and advice in note for note in found.notes)


@pytest.mark.parametrize(
    ("offsets", "text", "start", "end", "span"),
    [
        ("utf-16", "😀 a b c", 3, 4, Span(2, 3, "city")),
        ("utf-16", "😀 a b", 3, 6, Span(2, 5, "city")),
        ("bytes", "é a b", 3, 4, Span(2, 3, "city")),
        ("characters", "😀 a b c", 4, 5, Span(4, 5, "city")),
    ],
)
def test_a_person_says_what_offsets_count(offsets: OffsetUnit, text: str, start: int, end: int, span: Span) -> None:
    found = read(in_form("spans", text, start, end), offsets=offsets)
    assert found.corpus.examples[0].spans == (span,)
    assert not any(UNCERTAIN in note for note in found.notes)


@pytest.mark.parametrize(("start", "end"), [(3, 40), (1, 4)])
def test_offsets_past_the_end_or_inside_a_character_are_refused_in_the_unit_that_was_said(start: int, end: int) -> None:
    with pytest.raises(DataFileError, match="offsets in UTF-16 units are past the end of the text or inside a char"):
        read(in_form("spans", EMOJI, start, end), offsets="utf-16")


def test_large_files_are_read_in_the_unit_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from re2nn_core.exchange import large_files

    monkeypatch.setattr(large_files, "LARGE", 1_000)
    monkeypatch.setattr(large_files, "PART", 2_000)
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(f"{json.dumps(in_form('spans', EMOJI, 10, 14))}\n" for _ in range(200)))
    for reading in (FileReading(), FileReading(offsets="utf-16")):
        parts = list(slot_parts(path, path.name, Tokenization("whitespace"), reading))
        assert len(parts) > 2
        assert {example.spans for part in parts for example in part.examples} == {(Span(9, 13, "city"),)}
        assert any(note.startswith(FOUND) for note in parts[-1].notes) == (reading.offsets is None)


def test_labels_have_no_offsets() -> None:
    with pytest.raises(DataFileError, match="--offsets is for spans, and 'a.csv' is read for labels. Leave it out"):
        next(label_parts(b"text,label\na b,x\n", "a.csv", FileReading(offsets="utf-16")))


# Each a text, and its spans with the words that a file may quote for them.
TEXTS = (
    ("fly from Boston to New York, please", (("Boston", "city"), ("New York", "city"))),
    ("Denver, now", (("Denver", "city"),)),
    ("to Paris", (("Paris", "city"),)),
    ("to O", (("O", "city"),)),
)
CONVENTIONS = [unit for unit in OFFSET_UNITS if unit not in ("utf-16", "bytes")]


def counted(unit: OffsetUnit, text: str, words: str) -> tuple[int, int]:
    """Where the words are in a text, as a file counts it."""
    start = text.index(words)
    end = start + len(words)
    if unit.startswith("words"):
        start, end = len(text[:start].split()), len(text[:end].split())
    first = "from-1" in unit
    return start + first, end + first - unit.endswith("inclusive")


def written(unit: OffsetUnit, *, quoted: bool) -> list[dict[str, Any]]:
    rows = []
    for text, spans in TEXTS:
        found = []
        for words, slot in spans:
            start, end = counted(unit, text, words)
            found.append({"start": start, "end": end, "label": slot, **({"text": words} if quoted else {})})
        rows.append({"text": text, "entities": found})
    return rows


def right() -> list[tuple[Span, ...]]:
    places = [[(text.index(words), len(words), slot) for words, slot in spans] for text, spans in TEXTS]
    return [tuple(Span(start, start + length, slot) for start, length, slot in spans) for spans in places]


def read_cut(rows: list[dict[str, Any]], offsets: OffsetUnit | None = None) -> SlotCorpusRead:
    data = "\n".join(map(json.dumps, rows)).encode()
    return read_slot_corpus(data, "a.jsonl", tokenization=Tokenization("punctuation"), offsets=offsets)


@pytest.mark.parametrize("unit", CONVENTIONS)
def test_what_offsets_count_is_found_by_the_quoted_words_of_all_spans(unit: OffsetUnit) -> None:
    found = read_cut(written(unit, quoted=True))
    assert [example.spans for example in found.corpus] == right()
    reported = f"4 rows with offsets in {unit_in_words(unit)}, which were converted to characters (first on line 1)."
    assert (reported in found.notes) == (unit != "characters")
    assert not found.bad_rows


def test_a_file_with_a_span_that_counts_otherwise_is_refused() -> None:
    rows = [*written("characters-from-1", quoted=True), {"text": "to x", "entities": []}]
    rows[1]["entities"][0]["text"] = "Rome"
    found = read_cut(rows)
    assert found.corpus.texts == ("to x",)
    assert "are 'oston ' in the text, but the span quotes 'Boston'" in str(found.bad_rows[0])


def test_what_is_open_between_two_is_refused() -> None:
    # The second of two words from 1, or the third from 0.
    row = {"text": "a b b", "entities": [{"start": 2, "end": 3, "label": "x", "text": "b"}]}
    assert read_cut([row]).corpus.examples[0].spans == (Span(2, 3, "x"),)  # characters
    row = {"text": "aa bb bb", "entities": [{"start": 2, "end": 3, "label": "x", "text": "bb"}]}
    with pytest.raises(DataFileError, match="the offsets 2 to 3 are ' ' in the text, but the span quotes 'bb'"):
        read_cut([row])


@pytest.mark.parametrize("unit", ["characters-from-1-inclusive", "characters-inclusive", "characters-from-1"])
def test_without_quoted_words_a_person_is_asked(unit: OffsetUnit) -> None:
    rows = written(unit, quoted=False)
    with pytest.raises(DataFileError) as refused:
        read_cut(rows)
    assert (
        "Of 4 texts with spans, these begin and end where words do in 0 if offsets count characters from 0, and in all "
        f"if they count {unit_in_words(unit)}. The file quotes no words that show it: choose with --offsets {unit}, or "
        'give each span its words as "text".'
    ) in str(refused.value)
    assert [example.spans for example in read_cut(rows, offsets=unit).corpus] == right()


def test_numbers_of_words_without_quoted_ones_are_open() -> None:
    rows = [{"text": "please fly to Oslo today", "spans": [[3, 4, "city"]]}, {"text": "come", "spans": [[0, 1, "x"]]}]
    with pytest.raises(
        DataFileError, match="all if they count words. The file quotes .*: choose with --offsets words, "
    ):
        read_cut(rows)
    assert read_cut(rows, offsets="words").corpus.examples[0].spans == (Span(14, 18, "city"),)


def test_right_offsets_with_a_few_wrong_ones_are_not_in_doubt() -> None:
    rows = [{"text": f"go to Oslo {n}", "spans": [[6, 10, "city"]]} for n in range(9)]
    found = read_cut([*rows, {"text": "go to Oslo", "spans": [[7, 11, "city"]]}])
    assert len(found.corpus) == 9
    assert not any("--offsets" in note for note in found.notes)
