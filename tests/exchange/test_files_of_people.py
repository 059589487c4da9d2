"""Files as people have them, which came in wrong without a word, or without saying what to do."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from io import StringIO

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, read_slot_corpus
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

ROWS = 24
CITIES = ("Oslo", "New York")
TAGS = {"Oslo": "O O B-city O", "New York": "O O B-city I-city O"}


def lines(*rows: object) -> bytes:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode()


def table(names: Sequence[str], *columns: Sequence[str], rows: int = ROWS) -> bytes:
    """A table with these cells over and over; {n} is the number of the row."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerows([names] if names else [])
    writer.writerows([column[n % len(column)].replace("{n}", str(n)) for column in columns] for n in range(rows))
    return out.getvalue().encode()


def labels(data: bytes, name: str = "file.csv") -> CorpusRead:
    read = read_corpus(data, name)
    assert read.columns is not None
    return read


def slots(data: bytes, name: str = "file.csv") -> SlotCorpusRead:
    return read_slot_corpus(data, name, tokenization=Tokenization())


@pytest.mark.parametrize("sign", [",", ", ", ";", "|", " "])
def test_tags_between_commas_are_those_of_the_words(sign: str) -> None:
    """ "O,O,B-city,O" became the label of the text."""
    data = table(
        ("sentence", "tags"), [f"to see {c} now" for c in CITIES], [t.replace(" ", sign) for t in TAGS.values()]
    )
    read = slots(data)
    assert [example.spans for example in read.corpus][:2] == [(Span(7, 11, "city"),), (Span(7, 15, "city"),)]


@pytest.mark.parametrize("sign", [",", "|"])
def test_tags_that_are_not_as_many_as_the_words_are_no_labels(sign: str) -> None:
    data = table(("text", "label"), ["to see Oslo now."], ["O O B-city O O".replace(" ", sign)])
    with pytest.raises(DataFileError, match="tags of words in its column 'label', .* line 2 has 4 words and 5 tags"):
        labels(data)


@pytest.mark.parametrize(
    "rows",
    [
        lines(*({"doc_key": f"{n}", "sentences": [["to", "Oslo"]], "ner": [[[1, 1, "city"]]]} for n in range(9))),
        table(("tweet_id", "created_at"), ["17000{n}"], ["2024-03-0{n}"], rows=9),
    ],
)
def test_numbers_of_rows_are_no_texts(rows: bytes) -> None:
    """The texts were "0", "1", "2"."""
    with pytest.raises(DataFileError, match="has no column of texts that can be read: .* or names of rows"):
        labels(rows, "file.jsonl" if rows.startswith(b"{") else "file.csv")


@pytest.mark.parametrize(
    "span",
    [
        {"BeginOffset": 7, "EndOffset": 11, "Type": "city", "Text": "Oslo", "Score": 0.9},
        {"offset": 7, "length": 4, "category": "city"},
        {"start_char": 7, "end_char": 11, "label": "city"},
        {"startIndex": 7.0, "endIndex": 11.0, "label": "city"},
        {"begin": "7", "end": "11", "tag": "city"},
    ],
)
@pytest.mark.parametrize("key", ["entities", "Entities", "spans"])
def test_spans_of_several_programs(key: str, span: dict[str, object]) -> None:
    """Some became labels of a project for classification, others were refused."""
    read = slots(lines(*({"text": "to see Oslo now", key: [span]} for _ in range(3))), "file.jsonl")
    assert [example.spans for example in read.corpus] == [(Span(7, 11, "city"),)] * 3


def test_offsets_of_a_table_with_a_decimal_point() -> None:
    data = table(
        ("text", "start", "end", "label"), ["{n} is Oslo", "{n} is"], ["5.0", ""], ["9.0", ""], ["city", ""], rows=8
    )
    assert [example.spans for example in slots(data).corpus][:2] == [(Span(5, 9, "city"),), ()]


@pytest.mark.parametrize("marked", ["[Oslo](city)", "{Oslo|city}", "<city>Oslo</city>"])
def test_spans_between_marks_in_a_table_are_reported(marked: str) -> None:
    texts = [f"to see {marked} in {{n}} days", "to see you on day {n}", "to see the sights of {n}"]
    read = labels(table(("text", "intent"), texts, ["fly", "ask"]))
    assert read.columns is not None
    (remark,) = read.columns.remarks
    assert remark.startswith(f"8 texts with slots written into them, such as {marked}: they were kept")


@pytest.mark.parametrize("text", ["see [the page](https://a.b/c)", "a {b} | c", "<b>bold</b> words", "a|b"])
def test_other_signs_are_no_marks(text: str) -> None:
    read = labels(table(("text", "intent"), [f"{text} in {{n}} days"], ["fly", "ask"]))
    assert read.columns is not None
    assert not any("slots written" in remark for remark in read.columns.remarks)


def test_names_above_numbers_of_rows_are_names() -> None:
    """Long questions above answers became a text."""
    names = ("Respondent", "Q1 I am satisfied with the service", "Q3 What could we do better?", "Age group")
    cells = [str(n + 1) for n in range(ROWS)]
    read = labels(table(names, cells, ["Agree", "Neutral"], ["more lights in room {n}"], ["18-25", "26-40"]))
    assert len(read.corpus) == ROWS
    assert read.columns is not None
    assert read.columns.text == "Q3 What could we do better?"


@pytest.mark.parametrize(("name", "codes"), [("isco", ["7411", "2310", "5223"]), ("code", ["0110", "0220"])])
def test_codes_are_asked_about(name: str, codes: list[str]) -> None:
    read = labels(table(("text", name), ["the work of {n}"], codes))
    assert read.columns is not None
    assert (read.columns.label, read.columns.candidates) == (None, (name,))


@pytest.mark.parametrize("cells", [[str(1700 + n) for n in range(12)], ["1.5", "2.5"]])
def test_measures_are_not_asked_about(cells: list[str]) -> None:
    read = labels(table(("text", "size"), ["the work of {n}"], cells))
    assert read.columns is not None
    assert (read.columns.label, read.columns.candidates) == (None, ())


def test_labels_with_0_or_1_for_each() -> None:
    found = {"bug": 0, "praise": 0}
    rows = [{"text": f"text {n}", "labels": found | {("bug", "praise")[n % 2]: 1}} for n in range(8)]
    read = labels(lines(*rows, {"text": "both", "labels": {"bug": 1, "praise": 1}}), "file.jsonl")
    assert read.corpus.labels == ("bug", "praise")
    assert "'labels' holds an object" in read.bad_rows[0].reason


@pytest.mark.parametrize("label", [{"id": 1, "name": "bug"}, {"value": 0, "confidence": 1}, {"id": 1, "rank": 0}])
def test_other_objects_are_no_labels_with_0_or_1(label: dict[str, object]) -> None:
    read = labels(lines(*({"text": f"text {n}", "label": label} for n in range(8))), "file.jsonl")
    assert not {"id", "value", "confidence", "rank"} & set(read.corpus.labels)


def test_tags_between_blanks_are_reported() -> None:
    read = labels(
        table(("Description", "Tags"), ["the text of ticket {n}"], ["bug", "bug vip", "praise vip", "praise"])
    )
    assert read.columns is not None
    (remark,) = read.columns.remarks
    assert remark.startswith("'bug vip' and 1 more label became one label each; if the blanks are between several")


def test_the_path_into_what_is_left_out_is_one_that_there_is() -> None:
    rows = [{"text": f"text {n}", "entities": {"city": ["Oslo", "Kiel"]}} for n in range(8)]
    read = labels(lines(*rows), "file.jsonl")
    assert any("such as --label-column entities.city.0; a text has one label" in note for note in read.notes)
    chosen = read_corpus(lines(*rows), "file.jsonl", label_column="entities.city.0")
    assert chosen.corpus.labels == ("Oslo",)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("{'text': 'to Oslo', 'label': 'fly'}", "objects as Python prints them"),
        ('<s label="fly">to Oslo</s>', "elements of XML, one a line"),
        ("to:O Oslo:B-city now:O", "words with their tags behind a slash or another sign"),
        ("to_O Oslo_B-city now_O", "words with their tags behind a slash or another sign"),
    ],
)
def test_lines_of_other_kinds_are_refused_by_their_name(line: str, kind: str) -> None:
    """Each line became a text, with the marks in it."""
    with pytest.raises(DataFileError, match=f"looks like {kind}, which are not read here"):
        read_corpus(f"{line}\n{line}\n".encode(), "file.txt")


def test_rows_of_turns_are_reported_with_their_roles() -> None:
    """The texts of agents came in next to those of users, and their rows were called merged cells."""
    data = table(("turn", "speaker", "utterance", "intent"), ["{n}"], ["user", "agent"], ["text {n}"], ["bug", ""])
    read = labels(data)
    assert read.columns is not None
    (remark,) = [one for one in read.columns.remarks if "empty" in one or "speaker" in one]
    assert remark.startswith("The texts are those of all in 'speaker' (agent, user). If those of one are meant, keep")
    alone = labels(table(("text", "label"), ["text {n}"], ["user", "agent"]))
    assert alone.columns is not None
    assert alone.columns.remarks == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [("customer care", "customer\u00a0care"), ("caf\u00e9", "cafe\u0301"), ("bug", "bug\u200b"), ("A1", "\uff211")],
)
def test_labels_that_look_alike_are_reported(first: str, second: str) -> None:
    read = labels(table(("text", "label"), ["text {n}"], [first, second, "other"]))
    assert read.columns is not None
    (remark,) = read.columns.remarks
    assert (
        remark
        == f"The labels {ascii(first)} and {ascii(second)} look alike and are different: write one of them in all rows."
        or remark.startswith(f"The labels {ascii(second)} and {ascii(first)} look alike")
    )


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("Größe passt".encode().decode("latin-1"), "for 'Größe'"),
        ("Größe passt".encode().decode("cp1252"), "such as 'GrÃ¶ÃŸe' for 'Größe'"),
        ("it’s late".encode().decode("cp1252"), "for 'it’s'"),
        ("Привет всем".encode().decode("cp1252", "replace"), "for 'Привет'"),
        ("caf\\u00e9 is open", "escapes such as \\u00e9, which stand for characters ('é')"),
        ("São Paulo, Ângela, Überall", ""),
        ("C:\\users\\ann", ""),
    ],
)
def test_texts_of_a_wrong_encoding_and_escapes_are_reported(text: str, reported: str) -> None:
    read = labels(table(("text", "label"), [f"{text} {{n}}"], ["a", "b"]))
    assert read.columns is not None
    assert len(read.columns.remarks) == bool(reported)
    assert all(reported in remark for remark in read.columns.remarks)


def test_records_of_names_and_values_are_refused_by_their_name() -> None:
    """The labels were "text" and "label"."""
    data = "".join(f"text: the ticket {n}\nlabel: {'ab'[n % 2]}\n\n" for n in range(ROWS))
    with pytest.raises(DataFileError, match="looks like texts and labels one below the other, each with its name in"):
        read_corpus(data.encode(), "file.txt")


def test_objects_under_data_are_no_tasks_for_that() -> None:
    """Posts of Reddit were read as tasks of Label Studio: their titles and flairs were gone without a word."""
    posts = [
        {"kind": "t3", "data": {"title": f"my ticket {n}", "selftext": "", "link_flair_text": ("bug", "praise")[n % 2]}}
        for n in range(ROWS)
    ]
    read = labels(json.dumps({"kind": "Listing", "data": {"children": posts}}).encode(), "file.json")
    assert read.columns is not None
    assert (read.columns.text, read.columns.candidates) == ("data.title", ("data.link_flair_text",))


@pytest.mark.parametrize(
    "rows",
    [
        [{"tokens": [{"text": word, "tag": "O"} for word in ("to", f"town{n}", "now")]} for n in range(8)],
        [{"data": [{"text": "fly to "}, {"text": f"town{n}", "entity": "city"}]} for n in range(8)],
    ],
)
def test_pieces_of_texts_are_no_texts(rows: list[object]) -> None:
    """The second or third piece became the text."""
    with pytest.raises(
        DataFileError, match="has no texts that can be read: under '(tokens|data)' each text is a list of"
    ):
        labels(lines(*rows), "file.jsonl")


@pytest.mark.parametrize("pair", ["span", "indices", "offsets"])
def test_offsets_in_a_list_of_two(pair: str) -> None:
    rows = [{"text": "to see Oslo now", "entities": [{pair: [7, 11], "type": "city"}]}] * 3
    assert [example.spans for example in slots(lines(*rows), "file.jsonl").corpus] == [(Span(7, 11, "city"),)] * 3


@pytest.mark.parametrize("name", ["spans", "entities", "slots"])
@pytest.mark.parametrize("cells", [["7:11:city", "0:2:city"], ["Oslo", "Kiel"]])
def test_spans_of_an_unknown_form_are_no_labels(name: str, cells: list[str]) -> None:
    """ "7:11:city" became the label of the text."""
    read = labels(table(("text", name), ["see Oslo or Kiel on day {n}"], cells))
    assert read.columns is not None
    reason = f'label: none ({name}: no lists of spans such as [[3, 7, "city"]])'
    assert reason in read.columns.in_words()


def test_columns_that_are_ticked_are_asked_about() -> None:
    read = labels(table(("message", "bug", "praise"), ["the text of {n}"], ["x", ""], ["", "x", ""]))
    assert read.columns is not None
    assert "'bug' (1 value, 12 of 24 filled), 'praise' (1 value, 8 of 24 filled)" in read.columns.question
    assert "In 4 of 24 rows several of them are ticked" in read.columns.question


def test_a_column_that_is_ticked_has_its_reason() -> None:
    read = labels(table(("message", "bug"), ["the text of {n}"], ["x", ""]))
    assert read.columns is not None
    assert "label: none (bug: one value, else empty)" in read.columns.in_words()


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        (
            '=HYPERLINK("http://a.b/{n}","the text of {n}")',
            "24 texts with formulas of a spreadsheet, such as =HYPERLINK(",
        ),
        ("= 5 apples in {n} days", ""),
        ("=) thank you {n}", ""),
    ],
)
def test_formulas_in_place_of_texts_are_reported(text: str, reported: str) -> None:
    read = labels(table(("text", "label"), [text], ["a", "b"]))
    assert read.columns is not None
    assert len(read.columns.remarks) == bool(reported)
    assert all(remark.startswith(reported) for remark in read.columns.remarks)


@pytest.mark.parametrize("missing", ["nan", "NULL", "None", "N/A"])
def test_words_for_a_missing_text_are_reported(missing: str) -> None:
    texts = [missing, *(f"none of the {n} texts is here" for n in range(11))]
    read = labels(table(("text", "label"), texts, ["a", "b", "c"]))
    assert read.columns is not None
    (remark,) = read.columns.remarks
    assert remark.startswith(f"2 texts such as {missing!r}, as programs write a missing one: they were kept.")


def test_where_labels_come_from_is_no_role() -> None:
    read = labels(table(("text", "label", "label_source"), ["text {n}"], ["a", "b"], ["human", "model"]))
    assert read.columns is not None
    assert read.columns.remarks == ()


@pytest.mark.parametrize(
    "names",
    [{"label_names": ["no", "yes"]}, {"id2label": {"0": "no", "1": "yes"}}, {"classes": ["no", "yes"]}],
)
def test_numbers_of_labels_are_read_by_the_names_in_the_file(names: dict[str, object]) -> None:
    """The labels were 0 and 1, and their names were left out without a word."""
    rows = [{"text": f"text {n}", "label": n % 2} for n in range(8)]
    read = labels(json.dumps({**names, "data": rows}).encode(), "file.json")
    assert read.corpus.labels == ("no", "yes")
    assert f"Numbers of labels were read by their names under '{next(iter(names))}'." in read.notes


@pytest.mark.parametrize("names", [{"label_names": ["no"]}, {"label_names": ["a", "a"]}, {"authors": ["no", "yes"]}])
def test_numbers_without_a_name_stay(names: dict[str, object]) -> None:
    rows = [{"text": f"text {n}", "label": n % 2} for n in range(8)]
    assert labels(json.dumps({**names, "data": rows}).encode(), "file.json").corpus.labels == ("0", "1")
