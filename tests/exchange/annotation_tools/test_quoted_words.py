"""Spans and the words that a file quotes for them: in every format offsets are checked, mended or the row refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRows, WantedParts
from re2nn_core.exchange.counted_offsets import SpanInFile
from re2nn_core.exchange.found_spans import NUMBER, TRIMMED, UNCERTAIN, spans_in_text
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import slot_parts
from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, looks_like_slots, read_slot_corpus
from re2nn_core.exchange.tables.table import RefusedError
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

EMOJI = "😀😀 a b c"
OWN = {"start": 5, "end": 6, "text": "a"}  # "a" by UTF-16 units, "b" by characters


def read(data: Any, name: str = "texts.json") -> SlotCorpusRead:
    written = data if isinstance(data, str) else json.dumps(data)
    return read_slot_corpus(written.encode(), name, tokenization=Tokenization("whitespace"))


def label_studio(text: str, value: dict[str, Any]) -> list[Any]:
    return [{"data": {"text": text}, "annotations": [{"result": [{"type": "labels", "value": value}]}]}]


def forms(text: str, start: int, end: int, quoted: str | None, slot: str = "letter") -> dict[str, Any]:
    """One marked text in each of the forms that quote words."""
    words = {} if quoted is None else {"text": quoted}
    span = {"start": start, "end": end, **words, "labels": [slot]}
    plain = {"start": start, "end": end, **words, "label": slot}
    cell = json.dumps([span]).replace('"', '""')
    return {
        "label studio": label_studio(text, span),
        "json_min": [{"text": text, "id": 1, "label": [span], "annotator": 1}],
        "csv": f'text,id,label\n"{text}",1,"{cell}"\n',
        "tsv": f"text\tid\tlabel\n{text}\t1\t{json.dumps([span])}\n",
        "entities": {"text": text, "entities": [plain]},
        "spans": {"text": text, "spans": [plain]},
        "prodigy": {"text": text, "spans": [plain], "answer": "accept"},
        "doccano": {
            "text": text,
            "relations": [],
            "entities": [{"start_offset": start, "end_offset": end, "label": slot, **words}],
        },
    }


FORMS = tuple(forms("a", 0, 1, None))


@pytest.mark.parametrize("form", FORMS)
def test_utf16_offsets_are_read_as_characters(form: str) -> None:
    found = read(forms(EMOJI, 5, 6, "a")[form])
    assert found.corpus.examples[0].spans == (Span(3, 4, "letter"),)
    assert any("1 row with offsets in UTF-16 units, which were converted to characters" in note for note in found.notes)


@pytest.mark.parametrize("form", FORMS)
def test_offsets_past_the_end_are_mended_too(form: str) -> None:
    found = read(forms("😀 go to Porto", 9, 14, "Porto")[form])
    assert found.corpus.examples[0].spans == (Span(8, 13, "letter"),)


@pytest.mark.parametrize("form", FORMS)
def test_words_that_are_not_there_are_refused(form: str) -> None:
    good, bad = forms("to b", 3, 4, "b")[form], forms("to a", 3, 4, "x")[form]
    if isinstance(good, str):
        rows = good + bad.split("\n", 1)[1]
    else:
        rows = json.dumps([*(good if isinstance(good, list) else [good]), *(bad if isinstance(bad, list) else [bad])])
    found = read(rows)
    assert found.corpus.texts == ("to b",)
    assert "the offsets 3 to 4 are 'a' in the text, but the span quotes 'x'; the text was changed after" in str(
        found.bad_rows[0]
    )


@pytest.mark.parametrize("form", FORMS)
def test_without_quoted_words_nothing_can_tell(form: str) -> None:
    found = read(forms(EMOJI, 5, 6, None)[form])
    assert found.corpus.examples[0].spans == (Span(5, 6, "letter"),)
    assert any(UNCERTAIN in note for note in found.notes)
    # An emoji behind all spans moves none of them.
    assert not any(UNCERTAIN in note for note in read(forms("a b 😀", 0, 1, None)[form]).notes)


@pytest.mark.parametrize("form", FORMS)
def test_blanks_at_the_ends_are_left_out(form: str) -> None:
    found = read(forms("by Jo Doe now", 2, 10, " Jo Doe ", "actor")[form])
    assert found.corpus.examples[0].spans == (Span(3, 9, "actor"),)
    assert any(TRIMMED in note for note in found.notes)


@pytest.mark.parametrize("form", FORMS)
def test_names_with_blanks_are_slots(form: str) -> None:
    data = forms("go to Rome", 6, 10, "Rome", "Place Name")[form]
    assert looks_like_slots((data if isinstance(data, str) else json.dumps(data)).encode(), "texts.json")
    found = read(data)
    assert found.corpus.examples[0].spans == (Span(6, 10, "Place_Name"),)
    note = "Names of slots hold no blanks: 'Place Name' is read as 'Place_Name'. Exports have the old names with "
    assert f"{note}--slot-blanks." in found.notes


@pytest.mark.parametrize("form", FORMS)
def test_numbers_stand_for_names(form: str) -> None:
    assert any(NUMBER in note for note in read(forms("go to Rome", 6, 10, "Rome", "7")[form]).notes)


def test_tags_with_blanks_and_names_that_become_one() -> None:
    rows = [
        {"tokens": ["to", "New", "York"], "tags": ["O", "B-Place Name", "I-Place Name"]},
        {"text": "to Rome", "spans": [[3, 7, "Place_Name"]]},
    ]
    found = read("\n".join(map(json.dumps, rows)), "texts.jsonl")
    assert [example.spans for example in found.corpus] == [(Span(3, 11, "Place_Name"),), (Span(3, 7, "Place_Name"),)]
    assert "Several names of the file became one slot: 'Place_Name'." in found.notes


@pytest.mark.parametrize(
    ("text", "found", "expected", "remark"),
    [
        # One unit for a whole row: the second span is true as characters by chance.
        ("😀 aa a", [(3, 5, "aa"), (6, 7, "a")], [(2, 4), (5, 6)], "UTF-16 units"),
        ("é to Oslo", [(6, 10, "Oslo")], [(5, 9)], "bytes"),
        # Spans without words go by the unit of the others.
        ("😀 a b", [(3, 4, "a"), (5, 6, None)], [(2, 3), (4, 5)], "UTF-16 units"),
        ("to\r\nOslo", [(4, 8, "Oslo")], [(4, 8)], None),
        ("New\nYork", [(0, 8, "New\\nYork")], [(0, 8)], None),
        ("New\r\nYork", [(0, 9, "New\nYork")], [(0, 9)], None),
    ],
)
def test_units(text: str, found: list[Any], expected: list[Any], remark: str | None) -> None:
    reported: list[str] = []
    spans = spans_in_text(text, [SpanInFile(start, end, "x", quoted) for start, end, quoted in found], reported.append)
    assert [(span.start, span.end) for span in spans] == expected
    assert reported == ([] if remark is None else [f"with offsets in {remark}, which were converted to characters"])


@pytest.mark.parametrize(
    ("text", "found", "message"),
    [
        # In UTF-16 units all but one of the quoted words are right, so nothing is said of the others.
        (
            "😀 Oslo to Rome",
            [(3, 7, "Oslo"), (11, 15, "Roma")],
            "^the offsets 11 to 15, in UTF-16 units, are 'Rome' in the text, but the span quotes 'Roma'; the text was",
        ),
        ("é Oslo, Rome", [(3, 7, "Oslo"), (9, 13, "Roma")], "^the offsets 9 to 13, in bytes, are 'Rome' in the text"),
        ("😀 Oslo to Rome", [(2, 6, "Oslo"), (10, 14, "Roma")], "^the offsets 10 to 14 are 'Rome' in the text"),
    ],
)
def test_contradictions_are_reported_in_the_unit_of_the_other_spans(text: str, found: list[Any], message: str) -> None:
    with pytest.raises(RefusedError, match=message) as refused:
        spans_in_text(text, [SpanInFile(start, end, "x", quoted) for start, end, quoted in found], lambda _: None)
    assert str(refused.value).count("quotes") == 1


@pytest.mark.parametrize("quoted", ["oslo", "OSLO", " Oslo "])
def test_quoted_words_may_differ_in_capitals_and_blanks(quoted: str) -> None:
    assert spans_in_text("to Oslo", [SpanInFile(3, 7, "city", quoted)], lambda _: None) == (Span(3, 7, "city"),)


def test_all_contradictions_are_reported() -> None:
    spans = [SpanInFile(0, 1, "x", "q"), SpanInFile(2, 3, "x", "r")]
    with pytest.raises(RefusedError, match="0 to 1 are 'a' in the text, but the span quotes 'q'.*2 to 3 are 'b'"):
        spans_in_text("a b", spans, lambda _: None)


def test_remarks_of_the_last_part_of_a_large_file(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from re2nn_core.exchange import large_files

    monkeypatch.setattr(large_files, "LARGE", 1_000)
    monkeypatch.setattr(large_files, "PART", 2_000)
    plain = {"text": "to Oslo", "spans": [{"start": 3, "end": 7, "label": "city", "text": "Oslo"}]}
    rows = [*[plain] * 200, {"text": EMOJI, "spans": [{**OWN, "label": "letter"}]}]
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    parts = list(slot_parts(path, path.name, Tokenization("whitespace"), FileReading()))
    assert len(parts) > 2
    notes = [note for part in parts for note in part.notes]
    assert notes == ["1 row with offsets in UTF-16 units, which were converted to characters (first on line 201)."]
    assert AnnotatedRows(WantedParts()).all_notes() == []
