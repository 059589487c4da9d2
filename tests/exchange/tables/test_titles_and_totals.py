"""What is above and below a table in reports: titles over names in any language, totals. One table of files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from re2nn_core.exchange import large_files
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.parts import label_parts

WORDS = ["das", "Paket", "kam", "leider", "viel", "zu", "spät", "an", "und", "der", "Fahrer", "war", "laut"]
TEXTS = [f"{WORDS[n % 13]} {WORDS[(3 * n) % 13]} {WORDS[(5 * n + 2) % 13]} {n}" for n in range(40)]
KINDS = ["Lieferung", "Preis", "Fahrer"]
LEFT_OUT = ("a total and no text", "repeats the names of the columns", "describes the columns and is no text")


def _file(above: str, row: str = "{text};{kind};{n},50", below: str = "") -> bytes:
    rows = [row.format(text=text, kind=KINDS[n % 3], n=n, word=WORDS[n % 13]) for n, text in enumerate(TEXTS)]
    return "\n".join([above, *rows, *([below] if below else []), ""]).encode()


@dataclass(frozen=True)
class Case:
    """A file whose 40 rows are read alone; `said` stands in its notes, `left_out` are the lines of totals."""

    name: str
    data: bytes
    said: str = ""
    left_out: tuple[int, ...] = ()
    ending: str = "csv"


TITLE = "above the names of columns left out, from line 1 on"
CASES = (
    Case("a padded title", _file("Bericht 2024;;\nText;Kategorie;Betrag"), f"1 line {TITLE} ('Bericht 2024')"),
    Case("a title padded too far", _file("Bericht;;\nText;Kategorie", "{text};{kind}"), f"1 line {TITLE} ('Bericht')"),
    Case(
        "unknown names below three lines",
        _file("Bericht;;\nStand 3.4.2024;;\n;;\nNr;Bemerkung;Art", "{n};{text};{kind}"),
        f"3 lines {TITLE} ('Bericht'; 'Stand 3.4.2024')",
    ),
    Case(
        "a title of one cell over unknown names",
        _file("Zestawienie\n\nTekst;Kategoria", "{text};{kind}"),
        f"1 line {TITLE} ('Zestawienie')",
    ),
    Case(
        "commas, accents and dates",
        _file("Informe,,\nTexto,Categoría,Fecha", "{text},{kind},2024-01-02"),
        f"1 line {TITLE} ('Informe')",
    ),
    Case(
        "tabs",
        _file("Umfrage\t\t\nKommentar\tArt\tPunkte", "{text}\t{kind}\t{n}", "Gesamt:\t\t780"),
        f"1 line {TITLE} ('Umfrage')",
        (43,),
        "tsv",
    ),
    Case("a total", _file("text;label;amount", below="Summe;;120"), left_out=(42,)),
    Case("a total in one cell", _file("text;label", "{text};{kind}", "Total: 40;"), left_out=(42,)),
    Case("a sum without a known word", _file("text;label;amount", below="Celkem;;800,00"), left_out=(42,)),
    Case("the number of rows", _file("text;label;amount", below="Anzahl;40;"), left_out=(42,)),
    Case(
        "names again",
        _file("text;label;amount") + _file("text;label;amount").split(b"\n", 1)[0] + b"\n",
        left_out=(42,),
    ),
    Case("names again in another language", _file("Kommentar;Art", "{text};{kind}", "Kommentar;Art"), left_out=(42,)),
    Case("a line of dashes", _file("text,label\n----,-----", "{text},{kind}"), left_out=(2,)),
    Case(
        "a line of one long row of dashes",
        _file("id | text | label\n---+----+---", "{n}| {text}|{kind}"),
        left_out=(2,),
    ),
    Case(
        "two rows of Qualtrics below the names",
        _file(
            'Status,Q1,Q2\nResponse Type,"Why, then?",Topic\n'
            '"{""ImportId"":""status""}","{""ImportId"":""QID1_TEXT""}","{""ImportId"":""QID2""}"',
            "IP Address,{text},{kind}",
        ),
        left_out=(2, 3),
    ),
    Case(
        "a row of SurveyMonkey below the names",
        _file(
            "Respondent ID,Start Date,What is it?,Which one?\n,,Open-Ended Response,Response",
            "1{n},2024-01-02,{text},{kind}",
        ),
        left_out=(2,),
    ),
    Case("two totals", _file("text;label;amount", below="Subtotal;;5\nGrand total;;9"), left_out=(42, 43)),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_only_the_rows_of_the_table_are_read(case: Case) -> None:
    read = read_corpus(case.data, f"report.{case.ending}")
    assert [text.strip() for text in read.corpus.texts] == TEXTS
    assert [example.label for example in read.corpus] == [KINDS[n % 3] for n in range(40)]
    assert any(case.said in note for note in (*read.notes, ""))
    assert tuple(bad.line for bad in read.bad_rows) == case.left_out
    assert all(any(said in bad.reason for said in LEFT_OUT) for bad in read.bad_rows)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.name not in ("a sum without a known word", "the number of rows")]
)
def test_a_file_in_parts_is_read_alike(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "LARGE", 10)
    monkeypatch.setattr(large_files, "PART", 1_000)
    path = tmp_path / f"report.{case.ending}"
    path.write_bytes(case.data)
    parts = list(label_parts(path, path.name, FileReading()))
    assert len(parts) > 1
    assert [example.text.strip() for part in parts for example in part.examples] == TEXTS
    left_out = tuple(bad.line for part in parts for bad in part.bad_rows)
    assert left_out == case.left_out


@pytest.mark.parametrize(
    ("data", "asked"),
    [
        (
            _file("Hitza;Mota", "{word};{kind}"),
            "Line 1 ('Hitza, Mota') may name the columns; it was read as a row.",
        ),
        (
            _file("Umfrage;\nHitza;Mota", "{word};{kind}"),
            "Line 1 ('Umfrage') has one cell where other rows have more; it was read as a row.",
        ),
    ],
)
def test_where_names_may_be_texts_the_note_asks(data: bytes, asked: str) -> None:
    read = read_corpus(data, "report.csv")
    assert any(note.startswith(asked) and "(--header)" in note for note in read.notes)
    named = read_corpus(data, "report.csv", header=True)
    assert (named.columns and named.columns.not_read, len(named.corpus)) == ((), 40)
    assert not any("may name" in note or "has one cell" in note for note in named.notes)


@pytest.mark.parametrize("last", ["Total;40", "TOTAL:;40", "Summe;780", "Grand Total;Preis", "Grand total:;40"])
def test_a_total_that_fills_its_row_is_no_text(last: str) -> None:
    row = "{text};{n}" if last.endswith("780") else "{text};{kind}"
    read = read_corpus(_file("text;label", row, last), "report.csv")
    assert read.corpus.texts == tuple(TEXTS)
    assert [(bad.line, LEFT_OUT[0] in bad.reason) for bad in read.bad_rows] == [(42, True)]


SMALL = ["zu spät", "zu teuer", "der Fahrer war laut", "schon wieder zu spät"]


@pytest.mark.parametrize("last", ["Total;;18", "Summe;;", "Gesamt;18;", "Total;4;"])
def test_a_total_behind_four_rows_is_no_text(last: str) -> None:
    rows = "".join(f"{text};{'ab'[n % 2]};{n + 3}\n" for n, text in enumerate(SMALL))
    read = read_corpus(f"text;label;amount\n{rows}{last}\n".encode(), "report.csv")
    assert read.corpus.texts == tuple(SMALL)
    assert [(bad.line, LEFT_OUT[0] in bad.reason) for bad in read.bad_rows] == [(6, True)]


@pytest.mark.parametrize("last", ["Total;a;3", "total;b;"])
def test_a_text_that_is_called_as_totals_are_is_kept_or_told(last: str) -> None:
    rows = "".join(f"{text};{'ab'[n % 2]};{n + 3}\n" for n, text in enumerate(SMALL))
    read = read_corpus(f"text;label;amount\n{rows}{last}\n".encode(), "report.csv")
    reported = [*read.notes, *(bad.reason for bad in read.bad_rows)]
    assert [len(read.corpus), any("otal')" in one for one in reported)] == [5 if last[0] == "T" else 4, True]


@pytest.mark.parametrize(
    ("below", "said"),
    [
        ("total nonsense;;", "The last row (line 42, 'total nonsense') has fewer cells"),
        ("late again 3;;", "The last row (line 42, 'late again 3') has fewer cells"),
        ("Source: export of 3.4.2024;;", "The last row (line 42, 'Source: export of 3.4.2024') has fewer cells"),
        ("total nonsense;Preis;3", ""),
    ],
)
def test_a_last_text_without_a_label_stays(below: str, said: str) -> None:
    read = read_corpus(_file("text;label;amount", below=below), "report.csv")
    assert read.corpus.texts == (*TEXTS, below.partition(";")[0])
    assert any("The last row" in note for note in read.notes) == bool(said)
    assert any(note.startswith(said) for note in read.notes) or not said


def test_what_was_exported_here_comes_back_with_a_total_as_its_last_text() -> None:
    read = read_corpus(_file("text,label,split", "{text},{kind},train", "Total,,"), "texts.csv")
    assert read.corpus.texts == (*TEXTS, "Total")
    assert any("The last row (line 42, 'Total')" in note for note in read.notes)
