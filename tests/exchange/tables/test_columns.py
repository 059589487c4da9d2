"""Which columns are read, by what all rows hold, and how that is reported: one table of files."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.read import read_table
from re2nn_core.exchange.tables.columns import choose_columns

WORDS = ["where", "is", "the", "parcel", "that", "my", "sister", "sent", "to", "our", "old", "house", "last", "week"]
TEXTS = [f"{WORDS[n % 13]} {WORDS[(3 * n) % 13]} {WORDS[(5 * n + 2) % 13]} number {n}" for n in range(40)]


def _csv(header: str, rows: Sequence[str], above: str = "", separator: str = ",") -> bytes:
    return (above + "\n".join([header, *rows]) + "\n").replace(",", separator).encode()


def _rows(cells: str, odd: str = "") -> list[str]:
    """A row a text; `{n}` counts, {abc} and {ab} go round, and the first row ends as `odd` says."""
    filled = [cells.format(n=n, text=text, abc="abc"[n % 3], ab="ab"[n % 2], bit=n % 2) for n, text in enumerate(TEXTS)]
    return [filled[0] + odd, *filled[1:]]


@dataclass(frozen=True)
class Case:
    """A file with the columns to be read from it."""

    name: str
    data: bytes
    text: str
    label: str | None
    split: str | None = None


CASES = (
    Case(
        "longer texts in half of the rows",
        _csv("c0,c1,c10", [f"{text} b,{n % 3},{(text + ' ') * 2 if n % 2 else ''}" for n, text in enumerate(TEXTS)]),
        "c0",
        "c1",
    ),
    Case("one value in all rows", _csv("text,lang,reason", _rows("{text},en,{abc}")), "text", "reason"),
    Case(
        "the annotator's address",
        _csv("text,topicish,annotator", _rows("{text},{abc},ann@example.org")),
        "text",
        "topicish",
    ),
    Case("addresses of several", _csv("text,who,reason", _rows("{text},{ab}@example.org,{abc}")), "text", "reason"),
    Case("links of a few pages", _csv("text,page,reason", _rows("{text},https://x.org/{ab},{abc}")), "text", "reason"),
    Case(
        "hardly any cells",
        _csv("text,reason,note", [*_rows("{text},{abc},")[:-1], "last one,a,call back"]),
        "text",
        "reason",
    ),
    Case(
        "a known name with hardly any cells",
        _csv("text,mood_gold,mood_sentiment", [*_rows("{text},,{abc}")[1:], "first,c,a"]),
        "text",
        "mood_sentiment",
    ),
    Case(
        "hardly any texts in a known name",
        _csv("comment,what_they_wrote,kind", ["short one,x,a", *_rows(",{text},{abc}")]),
        "what_they_wrote",
        "kind",
    ),
    Case(
        "some labels under the plainest name",
        _csv("text,label", [*_rows("{text},")[5:], "one,a", "two,b"]),
        "text",
        "label",
    ),
    Case("one label for all under the plainest name", _csv("text,label", _rows("{text},spam")), "text", "label"),
    Case("0 and 1 alone", _csv("Review,Liked", _rows("{text},{bit}")), "Review", "Liked"),
    Case(
        "one to five stars",
        _csv("review,score", [f"{text},{n % 5 + 1}" for n, text in enumerate(TEXTS)]),
        "review",
        "score",
    ),
    Case("numbers beside words", _csv("review,kind,useful", _rows("{text},{abc},{bit}")), "review", "kind"),
    Case("two columns of scores", _csv("review,useful,funny", _rows("{text},{bit},{bit}")), "review", None),
    Case("prices", _csv("review,price", _rows("{text},{n}.5")), "review", None),
    Case(
        "dates of two kinds",
        _csv(
            "text,seen,reason",
            [f"{t},{'2024-01-02' if n % 2 else '3.1.2024'},{'xy'[n % 2]}" for n, t in enumerate(TEXTS)],
        ),
        "text",
        "reason",
    ),
    Case(
        "predictions beside labels",
        _csv("text,predicted_label,gold_label", _rows("{text},{ab},{abc}")),
        "text",
        "gold_label",
    ),
    Case("what a model said", _csv("text,model_label,human_label", _rows("{text},{ab},{abc}")), "text", "human_label"),
    Case("what they were before", _csv("text,old_label,new_label", _rows("{text},{ab},{abc}")), "text", "new_label"),
    Case(
        "predictions by another name",
        _csv("utterance,pred_intent,true_intent", _rows("{text},{ab},{abc}")),
        "utterance",
        "true_intent",
    ),
    Case(
        "a fold with a name of its own",
        _csv("text,reason,fold", _rows("{text},{abc},train", "ing")[:1] + _rows("{text},{abc},eval")[1:]),
        "text",
        "reason",
        "fold",
    ),
    Case("predictions alone", _csv("text,predicted_label", _rows("{text},{abc}")), "text", None),
    Case("the titles of reviews", _csv("title,review,reason", _rows("{abc},{text},{ab}")), "review", "reason"),
    Case("where it came from", _csv("text,channel,reason", _rows("{text},{ab},{abc}")), "text", "reason"),
    Case("names without a meaning", _csv("v1,v2,,", _rows("{ab},{text} and more,,")), "v2", "v1"),
    Case("a cell in a column without a name", _csv("v1,v2,,", _rows("{ab},{text} and more,,", odd="x")), "v2", "v1"),
    Case(
        "dates, and some that are missing",
        _csv(
            "text,seen,reason",
            [f"{t},{'n/a' if n == 7 else f'2024-01-{n + 1:02d}'},{'xy'[n % 2]}" for n, t in enumerate(TEXTS[:28])]
            + _rows("{text},2024-02-01,x")[:12],
        ),
        "text",
        "reason",
    ),
    Case(
        "short texts below names without a meaning",
        _csv("v1,v2,,", [*_rows("{ab},{text} more,,"), *["a,ok lar,,", "b,sorry,,"] * 25]),
        "v2",
        "v1",
    ),
    Case(
        "several cells in the rows above",
        _csv(
            "text,label,date", _rows("{text},{abc},2024-01-01"), above="Report:,May,\n# made by hand, today, quickly\n"
        ),
        "text",
        "label",
    ),
    Case(
        "names in the first row above a title",
        _csv("text;label;date", _rows("{text};{abc};2024-01-01"), above="Report;May;\n;;\n# by hand\n"),
        "text",
        "label",
    ),
    Case(
        "dates with their weekday",
        _csv("text,posted,reason", _rows("{text},Mon Apr 06 22:{n:02d}:45 PDT 2009,{abc}")),
        "text",
        "reason",
    ),
    Case("a comment above texts alone", _csv("text", TEXTS, above="# exported today\n"), "text", None),
    Case(
        "long lists beside the texts",
        _csv(
            "text,label,reason",
            [
                t + ',"[{""start"": 1, ""end"": 2, ""labels"": [""' + "x" * (200 + n) + '""]}]",' + "abc"[n % 3]
                for n, t in enumerate(TEXTS)
            ],
        ),
        "text",
        "reason",
    ),
    Case(
        "numbers of comments",
        _csv("title,selftext,num_comments,kind", _rows("{ab}{n},{text},{n},{abc}")),
        "selftext",
        "kind",
    ),
    Case("whether it is a question", _csv("wording,is_question,kind", _rows("{text},{bit},{abc}")), "wording", "kind"),
    Case("several labels in a cell", _csv("text,aspects", _rows("{text},{abc}|{ab}")), "text", "aspects"),
    Case("numbers of an answer", _csv("question,reply_to,points", _rows("{text},{n}000,{n}")), "question", None),
    Case("a column of splits", _csv("text,set,reason", _rows("{text},train,{abc}")), "text", "reason", "set"),
    Case(
        "a separator named in the first line",
        _csv("text;label", _rows("{text};{abc}"), above="sep=;\n"),
        "text",
        "label",
    ),
    Case("a quoted separator line", _csv("text\tlabel", _rows("{text}\t{abc}"), above='"sep=\t"\n'), "text", "label"),
    Case(
        "a comment above", _csv("text,label", _rows("{text},{abc}"), above="# exported 2024-01-01\n"), "text", "label"
    ),
    Case(
        "a title above",
        _csv("text,label,date", _rows("{text},{abc},2024-01-01"), above="Report of May,,\n,,\n"),
        "text",
        "label",
    ),
    Case(
        "a title above cells parted by semicolons",
        _csv("text;label", _rows("{text};{abc}"), above="Report\n\n"),
        "text",
        "label",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_columns_are_found(case: Case) -> None:
    found = choose_columns(read_table(case.data, "texts.csv"))
    assert (found.text, found.label, found.split) == (case.text, case.label, case.split)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_name_and_no_line_above_becomes_a_text(case: Case) -> None:
    texts = read_corpus(case.data, "texts.csv").corpus.texts
    assert not {"text", "v2", "Review", "review", "sep=", "# exported 2024-01-01", "Report of May"} & set(texts)
    lines = case.data.count(b"\n") - 1
    assert lines - 4 <= len(texts) <= lines or case.text == "what_they_wrote"


def test_what_was_chosen_is_reported_with_its_evidence() -> None:
    found = choose_columns(read_table(_csv("text,lang,reason", _rows("{text},en,{abc}")), "texts.csv"))
    assert found.in_words() == "text: text; label: reason, 3 values, 40 of 40 filled; split: none; not read: lang"
    assert found.not_read == ("lang",)


@pytest.mark.parametrize(
    ("names", "row", "texts", "labels"),
    [
        ("id,question1,question2,is_duplicate", "{n},{text},{text} then,{bit}", ("question1",), ()),
        ("premise,hypothesis,label", "{text},{text} now,{abc}", ("premise",), ()),
        ("title,body,label", "{text},{text} and much more of it,{abc}", ("title",), ()),
        ("text,author,label", "{text},ann {n},{abc}", (), ()),
        ("text,md5,label", "{text},{n:032d}f,{abc}", (), ()),
        ("text,category,subcategory", "{text},{ab},{abc}", (), ("subcategory",)),
        ("text,domain,intent", "{text},{ab},{abc}", (), ("domain",)),
        ("text,label,queue,priority", "{text},{ab},{abc},{ab}", (), ("queue", "priority")),
        ("text,label,predicted_label", "{text},{ab},{ab}", (), ()),
        ("text,label,country", "{text},{ab},{abc}", (), ()),
        ("text,label,is_question", "{text},{abc},{bit}", (), ()),
        ("text,label,response", "{text},{abc},yes", (), ()),
    ],
)
def test_columns_that_could_be_meant_too_are_named(
    names: str, row: str, texts: tuple[str, ...], labels: tuple[str, ...]
) -> None:
    found = choose_columns(read_table(_csv(names, _rows(row)), "texts.csv"))
    assert (found.other_texts, found.other_labels) == (texts, labels)
    for name in texts:
        joined = ",".join(column for column in names.split(",") if column in (found.text, name))
        choose = f"choose one with --text-column, or join them with --text-column {joined})"
        assert f"({name} could hold the texts too; {choose}" in found.in_words(options=True)
    assert "--" not in found.in_words()  # on a page the controls stand next to it
    if labels:
        others = ", ".join(labels)
        assert f"({others} could hold the labels too; choose one with --label-column)" in found.in_words(options=True)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("{text}<br />{n}", "40 texts with HTML, such as <br />: it was kept as it is."),
        ("{text} &amp; {n}", "40 texts with HTML, such as &amp;: it was kept as it is."),
        (
            '<a href=""http://example.org/a/long/way"">{text}</a>',
            '40 texts with HTML, such as <a href="http://example.org/a/…: it',
        ),
        ("{text} <3 & <you>", ""),
    ],
)
def test_html_in_texts_is_reported(text: str, note: str) -> None:
    found = choose_columns(read_table(_csv("text,label", _rows(f'"{text}",{{abc}}')), "texts.csv"))
    assert [remark.startswith(note) for remark in found.remarks] == ([True] if note else [])


def test_a_person_is_asked_where_several_columns_could_hold_the_labels() -> None:
    found = choose_columns(read_table(_csv("text,mood,reason", _rows("{text},{ab},{abc}")), "texts.csv"))
    assert (found.label, found.candidates) == (None, ("mood", "reason"))
    assert found.question == (
        "No column of labels was chosen, because these could hold them: 'mood' (2 values, 40 of 40 filled), "
        "'reason' (3 values, 40 of 40 filled)."
    )
    two = choose_columns(read_table(_csv("review,useful,funny", _rows("{text},{bit},{bit}")), "texts.csv"))
    assert two.candidates == ("useful", "funny")
    assert two.with_asked(None, "funny", None).question == ""


@pytest.mark.parametrize("name", ["author", "language", "annotator"])
def test_who_wrote_a_text_is_a_label_where_a_person_says_so(name: str) -> None:
    found = choose_columns(read_table(_csv(f"text,{name}", _rows("{text},{abc}")), "texts.csv"))
    assert (found.label, found.candidates) == (None, (name,))


def test_columns_that_a_person_names_come_first() -> None:
    found = choose_columns(read_table(_csv("text,mood,reason", _rows("{text},{ab},{abc}")), "texts.csv"))
    asked = found.with_asked(None, "reason", None)
    assert (asked.text, asked.label) == ("text", "reason")


def test_the_decision_is_made_on_all_rows() -> None:
    """The first thousand rows have one value in one column and none in the other."""
    rows = [
        f"{text} {n},{'b' if n > 1500 else ''},{'xy'[n % 2] if n > 1200 else 'x'}"
        for n in range(4000)
        for text in TEXTS[:1]
    ]
    found = choose_columns(read_table(_csv("text,late,steady", rows), "texts.csv"))
    assert found.label == "steady"
    assert {column.name: column.filled for column in found.columns} == {"text": 4000, "late": 2499, "steady": 4000}


CLASS = {"names": ["neg", "pos"], "_type": "ClassLabel"}
BY_NUMBER = {"names": {"0": "neg", "1": "pos"}, "_type": "ClassLabel"}


@pytest.mark.parametrize(
    ("column", "values", "feature"),
    [
        ("label", pa.array([1, 0, -1]), CLASS),
        ("intent", pa.array([1, 0, None], pa.int32()), CLASS),
        ("label", pa.array([1, 0, -1]), BY_NUMBER),
        ("labels", pa.array([[1], [0], []]), {"feature": CLASS, "_type": "Sequence"}),
        ("labels", pa.array([[1], [0], []]), [CLASS]),
    ],
)
def test_numbers_of_a_class_label_become_names(column: str, values: pa.Array, feature: object) -> None:
    info = json.dumps({"info": {"features": {column: feature}}}).encode()
    table = pa.table({"text": ["good", "bad", "so so"], column: values}).replace_schema_metadata({"huggingface": info})
    sink = io.BytesIO()
    pq.write_table(table, sink)
    read = read_corpus(sink.getvalue(), "texts.parquet")
    assert [example.label for example in read.corpus] == ["pos", "neg", None]


@pytest.mark.parametrize(
    "other",
    [
        pa.array([b"\xff\xd8"] * 2),
        pa.array([b"\xff\xd8\x00\x01"] * 2, pa.binary(4)),
        pa.array([b"\xff"] * 2, pa.large_binary()),
        pa.array([b"\xfe"] * 2).dictionary_encode(),
        pa.array([{"inner": b"\xff"}] * 2),
    ],
)
def test_bytes_in_a_column_that_nobody_reads_cost_no_row(other: pa.Array) -> None:
    sink = io.BytesIO()
    pq.write_table(pa.table({"text": ["good one", "bad one"], "label": ["a", "b"], "picture": other}), sink)
    read = read_corpus(sink.getvalue(), "texts.parquet")
    assert [(example.text, example.label) for example in read.corpus] == [("good one", "a"), ("bad one", "b")]
    assert read.bad_rows == ()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("'@home' is a show", "'@home' is a show"),
        ("'-' is a dash", "'-' is a dash"),
        ("'=x' and '+y' are formulas", "'=x' and '+y' are formulas"),
        ("'@home is where I am", "@home is where I am"),
        ("'-5 degrees, don't go", "-5 degrees, don't go"),
    ],
)
def test_an_apostrophe_that_a_later_one_closes_is_no_guard(text: str, kept: str) -> None:
    read = read_corpus(f'text,label\n"{text}",a\nplain,b\n'.encode(), "texts.csv")
    assert read.corpus.texts == (kept, "plain")


def test_one_word_a_row_without_a_column_of_texts_is_refused() -> None:
    data = b"word,tag\n" + b"London,B-geo\nis,O\nso,O\nold,O\n" * 10
    with pytest.raises(DataFileError, match=r"one word a row: its column 'tag' holds tags of words\. To read it as"):
        read_corpus(data, "words.csv")
    assert read_corpus(data, "words.csv", label_column="tag").corpus.labels == ("B-geo", "O")


@pytest.mark.parametrize("name", ["words.tsv", "words.txt"])
def test_words_with_types_in_place_of_tags_are_refused(name: str) -> None:
    data = b"Ann\tPERSON\nin\tO\nYork\tLOCATION\n\nBob\tPERSON\nsings\tO\nhere\tO\n"
    with pytest.raises(
        DataFileError, match=r"one word a row, with O or the name of a type, such as PERSON\. Write the"
    ):
        read_corpus(data, name)
    grades = b"text,grade\n" + b"it is good,A\nso so,O\nwell done then,A\nno,O\n" * 3
    assert read_corpus(grades, "grades.csv").corpus.labels == ("A", "O")


def test_a_few_rows_with_one_label_keep_it() -> None:
    read = read_corpus(b"text,label,count\na b,x,1\nc d,x,2\n", "texts.csv")
    assert [example.label for example in read.corpus] == ["x", "x"]
