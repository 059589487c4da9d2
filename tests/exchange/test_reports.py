"""What the report of a file says: labels that may not be meant, intents next to entities, splits in names of files."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from re2nn_core.exchange.annotation_tools.nlu_json import ENTITIES_LEFT, INTENT_LEFT
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.slot_filling.corpora import looks_like_slots, read_slot_corpus
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

MERGED = "each value has empty cells below it, as merged cells of a spreadsheet are saved"
RASA = {
    "text": "fly to oslo",
    "intent": "trip",
    "entities": [{"start": 7, "end": 11, "value": "oslo", "entity": "city"}],
}
SNIPS = {"trip": [{"data": [{"text": "fly to "}, {"text": "oslo", "entity": "city"}]}]}


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["NA", "pos"], "'NA' became a label; if it means that there is none, empty these cells in the file."),
        (["null", "n/a", "pos"], "'null' and 'n/a' became a label"),
        (["POS", "pos", "neg"], "The labels 'POS' and 'pos' differ in capitals alone."),
        (["0.0", "1.0"], "The labels are numbers and were kept as they are written, such as '0.0'."),
        (["price", "speed", "price, speed", "speed; price"], "'price, speed' and 1 more label join several labels"),
        (["a|b", "a", "b", "b|a", "c"], "'a|b' and 1 more label join several labels"),
        (["x+y", "X", "y", "Y/x"], "'x+y' and 1 more label join several labels in one cell."),
        (["a, b", "b, c", "a, c"], "'a, b' and 2 more labels join several labels"),
        (["a#b", "b#a", "b"], "'a#b' and 1 more label join several labels"),
        (["a|b", "c|d", "e"], "'a|b' and 1 more label became one label each; if the sign in between"),
        (["shipping;urgent", "late"], "'shipping;urgent' became one label each"),
        # A sign of lists, with a part that several values share; any sign between labels of other texts.
        (["billing, vip", "login", "delivery, vip"], "'billing, vip' and 1 more label became one label each; if the"),
        (["billing + vip", "login", "delivery + vip"], "'billing + vip' and 1 more label became one label each"),
        (["sad & angry", "sad", "angry"], "'sad & angry' became one label each; if the sign in between"),
        (["sad and angry", "sad", "angry"], "'sad and angry' became one label each"),
        (["sad-angry", "sad", "angry"], "'sad-angry' became one label each"),
        (["1-2", "1", "2", "5"], ""),
        # Words and signs for none, all of them named.
        (["unlabeled", "pos"], "'unlabeled' became a label; if it means that there is none"),
        (["Not labelled", "pos"], "'Not labelled' became a label"),
        (["(none)", "pos"], "'(none)' became a label"),
        (["N/A", "nan", "None", "null", "-", "??", "pos"], "'N/A', 'nan', 'None', 'null', '-' and '??' became a label"),
        (["+", "-"], ""),
        (["*", "**", "***"], ""),
        # One label in several spellings.
        (
            ["sign-in", "sign in", "sign_in", "other"],
            "The labels 'sign in', 'sign-in' and 'sign_in' differ in capitals",
        ),
        (["billing", "Billing.", "other"], "The labels 'Billing.' and 'billing' differ in capitals, blanks or signs"),
        (["\u0441ancel", "cancel", "other"], r"The labels 'cancel' and '\u0441ancel' look alike and are different"),
        (["A", "A-", "A+"], ""),
        (["C", "C#", "C++"], ""),
        (
            ["fees &amp; more", "other"],
            "'fees &amp; more' has escapes of HTML, which stand for signs ('fees & more'), and became a label",
        ),
        # A spreadsheet makes dates of 2-3.
        (["1-2", "6-9", "02. Mrz", "10. Jan"], "'02. Mrz' and 1 more label look like a date, which spreadsheets"),
        (["1-2", "3-Feb"], "'3-Feb' looks like a date"),
        (["may", "march 4 us"], ""),
        (["\\N", "pos"], r"'\\N' became a label"),
        (["spam"], "'spam' is the only label of these texts: training needs texts of two labels at least."),
        (["1"], "'1' is the only label of these texts"),
        (["n/a"], "'n/a' is the only label of these texts"),
        (["a|b"], "'a|b' is the only label of these texts"),
        (["C#", "C++", "F#"], ""),
        (["price, speed", "price", "service"], ""),
        (["price, speed", "food, drink", "other"], ""),
        (["billing/refund", "account/refund", "billing/other", "account/other"], ""),
        (["and/or", "and", "or"], ""),
        (["pos", "neg"], ""),
        (["POS", "NEG"], ""),
    ],
)
def test_labels_that_may_not_be_meant(labels: list[str], said: str) -> None:
    rows = "".join(f'text number {n},"{labels[n % len(labels)]}"\n' for n in range(30))
    read = read_corpus(f"text,label\n{rows}".encode(), "texts.csv")
    assert read.columns is not None
    assert [remark.startswith(said) for remark in read.columns.remarks] == ([True] if said else [])


@pytest.mark.parametrize(
    ("labels", "name", "said"),
    [
        (["pay", "", "send", "", "", "return", ""], "label", f"In 'label' {MERGED}: 4 of 7 rows have no label."),
        (["pay", "", "send", "", "pay", ""], "Group", f"In 'Group' {MERGED}: 3 of 6 rows have no label."),
        (
            ["pay", "", "", "", "", "", "", "", "", "", "", "send", ""],
            "kind of case",
            f"In 'kind of case' {MERGED}: 11 of",
        ),
        (["pay", "", "send", "return", "", "ask", ""], "label", f"In 'label' {MERGED}: 3 of 7 rows have no label."),
        (["", "pay", "", "send", ""], "label", ""),  # the first row has nothing above it
        (["pay", "pay", "send", "", ""], "label", ""),
        (["pay", "", "pay", "", "send", ""], "label", ""),  # merged cells that stand together would be one
        (["pay", "send", "return", "", "", ""], "label", ""),
        (["pay", "", "", "", ""], "label", ""),
        (["pay", "send", "pay", "send"], "label", ""),
    ],
)
def test_labels_above_empty_cells(labels: list[str], name: str, said: str) -> None:
    rows = "".join(f"{label},text number {number}\n" for number, label in enumerate(labels))
    read = read_corpus(f"{name},text\n{rows}".encode(), "texts.csv")
    assert read.columns is not None
    found = [remark for remark in read.columns.remarks if MERGED in remark]
    assert [remark.startswith(said) for remark in found] == ([True] if said else [])


@pytest.mark.parametrize("content", [{"rasa_nlu_data": {"common_examples": [RASA] * 3}}, SNIPS])
def test_intents_and_entities_are_never_lost_unsaid(content: object) -> None:
    data = json.dumps(content).encode()
    slots = read_slot_corpus(data, "nlu.json", tokenization=Tokenization())
    assert slots.corpus.examples[0].spans == (Span(7, 11, "city"),)
    assert any(INTENT_LEFT in note and "--task classification" in note for note in slots.notes)
    labels = read_corpus(data, "nlu.json")
    assert labels.corpus.labels == ("trip",)
    assert any(ENTITIES_LEFT in note and "--task slots" in note for note in labels.notes)


def test_columns_of_words_and_tags_are_reported() -> None:
    rows = "Sentence #,Word,POS,Tag\n" + "Sentence: 1,Rome,NNP,B-geo\n,is,VBZ,O\nSentence: 2,So,RB,O\n,far,RB,O\n" * 3
    read = read_slot_corpus(rows.encode(), "words.csv", tokenization=Tokenization("whitespace"))
    assert read.columns is not None
    assert read.columns.in_words("spans") == "text: Word; spans: Tag, 12 of 12 filled; split: none; not read: POS"


def test_comments_of_conll_are_quoted() -> None:
    read = read_slot_corpus(b"# made in May\nto O\nOslo B-city\n", "a.conll", tokenization=Tokenization("whitespace"))
    assert "1 line was left out as comment or -DOCSTART- ('# made in May')." in read.notes


@pytest.mark.parametrize(
    "spans",
    [
        pa.array([[{"start": 3, "end": 7, "label": "city"}], []]),
        pa.array(['[[3, 7, "city"]]', "[]"]),
        pa.array([[["3", "7", "city"]], []]),
        pa.array([{"start": [3], "end": [7], "label": ["city"]}, {"start": [], "end": [], "label": []}]),
        pa.array([[{"start_offset": 3, "end_offset": 7, "type": "city", "text": "Oslo"}], []]),
    ],
)
def test_spans_of_a_single_parquet_file_are_read(spans: pa.Array) -> None:
    sink = io.BytesIO()
    pq.write_table(pa.table({"text": ["to Oslo", "hello"], "spans": spans}), sink)
    assert looks_like_slots(sink.getvalue(), "texts.parquet")
    read = read_slot_corpus(sink.getvalue(), "texts.parquet", tokenization=Tokenization("whitespace"))
    assert [example.spans for example in read.corpus] == [(Span(3, 7, "city"),), ()]
    assert read.columns is not None
    assert (read.columns.text, read.columns.label) == ("text", "spans")


@pytest.mark.parametrize(
    ("names", "splits"),
    [
        (("trips_train", "trips_dev", "trips_test"), ["train", "dev", "test"]),
        (("trips-training", "trips-validation", "trips-testing"), ["train", "dev", "test"]),
        (("trips", "more"), [None, None]),
    ],
)
def test_splits_in_names_of_files(names: tuple[str, ...], splits: list[str | None], tmp_path: Path) -> None:
    for name in names:
        (tmp_path / f"{name}.csv").write_text(f"text,label\nfly to {name},trip\nhow much is {name},fare\n")
    read = read_corpus(tmp_path)
    assert [example.split for example in read.corpus][::2] == splits
    assert read.columns is not None
    assert read.columns.split == ("split (file names)" if any(splits) else None)


def test_a_split_that_no_file_has_is_not_reported() -> None:
    rows = "".join(json.dumps({"text": f"text {n}", "label": ["a"]}) + "\n" for n in range(3))
    read = read_corpus(rows.encode(), "doccano.jsonl")
    assert read.columns is not None
    assert read.columns.in_words() == "text: text; label: label, 1 value, 3 of 3 filled; split: none"


@pytest.mark.parametrize(
    ("indent", "line", "noted"),
    [(None, 4, True), (0, 14, False), (2, 14, False)],
    ids=["one line", "lines", "indented"],
)
def test_a_row_of_an_array_is_found_again(indent: int | None, line: int, noted: bool) -> None:
    rows = [{"text": f"text {n}", "label": "a"} if n != 3 else {"text": "", "label": "a"} for n in range(9)]
    read = read_corpus(json.dumps(rows, indent=indent).encode(), "texts.json")
    assert [bad.line for bad in read.bad_rows] == [line]
    assert ("The file is one line; numbers of lines count its objects." in read.notes) == noted
