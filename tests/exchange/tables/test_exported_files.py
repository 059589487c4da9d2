"""Files as other programs write them: helpdesks, forms, chatbots, databases. Which columns are read or asked about, and
what is refused by its name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.slot_filling.corpora import looks_like_slots, read_slot_corpus
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

BODIES = (
    "I cannot log in since this morning",
    "Please refund my order, the box was empty",
    "The app crashes as soon as I open it",
    "I have moved to another town",
    "Where do I find the invoice for March",
    "I was charged twice for the same month",
    "Would love to have a dark mode",
    "No mail with a new password comes",
)
TOPICS = ("account", "billing", "bug", "account", "billing", "billing", "feature", "account")


def read(data: Any, name: str) -> CorpusRead:
    if not isinstance(data, str):
        data = "\n".join(json.dumps(row) for row in data) if name.endswith(".jsonl") else json.dumps(data)
    return read_corpus(data.encode(), name)


def table(header: str, row: str, rows: int = 16) -> str:
    """Rows in which BODY and TOPIC are texts and labels, and N their number."""
    made = (
        row.replace("BODY", f'"{BODIES[n % 8]} {n}"').replace("TOPIC", TOPICS[n % 8]).replace("N", str(n))
        for n in range(rows)
    )
    return "\n".join((header, *made)) + "\n"


def half(filled: str, n: int) -> str:
    return filled if n % 2 else ""


JIRA = "Summary,Issue key,Comment,Description,Labels\n" + "".join(
    f"Ticket {n},SUP-{n},{half('a note of sam', n)},{BODIES[n % 8]} {n},{TOPICS[n % 8]}\n" for n in range(16)
)
REDDIT = [
    {"title": f"t {n}", "selftext": BODIES[n], "link_flair_text": TOPICS[n], "subreddit": "ab"[n % 2]} for n in range(8)
]
SCORED = [{"text": BODIES[n], "labels": [{"label": TOPICS[n], "score": 0.9}]} for n in range(8)]
INTERCOM = [
    {"id": str(n), "source": {"body": BODIES[n]}, "state": ("open", "closed")[n % 2], "tags": {"tags": [{"name": "x"}]}}
    for n in range(8)
]


@pytest.mark.parametrize(
    ("name", "data", "text", "label", "asked"),
    [
        # A comment on every second ticket is not its text.
        ("jira.csv", JIRA, "Description", "Labels", ()),
        # The state of a ticket is asked about, and no label without a word.
        ("intercom.jsonl", INTERCOM, "source.body", None, ("state",)),
        ("a.csv", table("id,status,message", "N,open,BODY").replace("1,open", "1,done"), "message", None, ("status",)),
        ("a.csv", table("Intent Display Name,Language,Phrase", "TOPIC,en,BODY"), "Phrase", "Intent Display Name", ()),
        ("names.csv", table("category_id,category_name,text", "N,TOPIC,BODY"), "text", "category_name", ()),
        # "anonymous" in each row is no text, though the column is called as texts are.
        ("forms.csv", table("ID;Email;Name;Why?", "N;anonymous;;BODY"), "Why?", None, ()),
        ("forms.csv", table("ID;Email;Post;Why?", "N;a;b;BODY"), "Why?", None, ()),
        ("kinds.csv", table("link_text,body_of_it", "TOPIC,BODY"), "body_of_it", "link_text", ()),
        ("reddit.jsonl", REDDIT, "selftext", None, ("subreddit", "link_flair_text")),
        # The names on top are names, whatever stands below.
        ("no.csv", "text,label\n\"yes, so\",a\nplain,b\nno,no\nfine,b\n", "text", "label", ()),
        ("labels.jsonl", SCORED, "text", None, ("labels.0.label",)),
    ],
)  # fmt: skip
def test_columns_of_exports(name: str, data: Any, text: str, label: str | None, asked: tuple[str, ...]) -> None:
    columns = read(data, name).columns
    assert columns is not None
    assert (columns.text, columns.label, columns.candidates) == (text, label, asked)


BOOK = ["book a room", "i want a bed"]
LEX = [{"name": "book", "sampleUtterances": BOOK}, {"name": "stop", "sampleUtterances": []}]


@pytest.mark.parametrize(
    ("data", "under"),
    [
        ({"metadata": {}, "resource": {"name": "Bot", "intents": LEX}}, "resource.intents.sampleUtterances"),
        (
            {"interactionModel": {"languageModel": {"intents": [{"name": "book", "samples": BOOK}]}}},
            "interactionModel.languageModel.intents.samples",
        ),
        (
            {"entities": [], "intents": [{"intent": "book", "examples": [{"text": t} for t in BOOK]}]},
            "intents.examples",
        ),
    ],
)  # fmt: skip
def test_examples_of_chatbots(data: Any, under: str) -> None:
    found = read(data, "bot.json")
    assert [(one.text, one.label) for one in found.corpus] == [("book a room", "book"), ("i want a bed", "book")]
    assert f"The texts are the rows under '{under}'; numbers of lines count these." in found.notes


def test_spans_of_automl_are_slots() -> None:
    row = {
        "textContent": "fly to oslo",
        "textSegmentAnnotations": [{"startOffset": 7, "endOffset": 11, "displayName": "c"}],
    }
    data = json.dumps(row).encode()
    assert looks_like_slots(data)
    found = read_slot_corpus(data, "a.jsonl", tokenization=Tokenization("whitespace"))
    assert found.corpus.examples[0].spans == (Span(7, 11, "c"),)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("dump.sql", "-- MySQL dump\n/*!40101 SET NAMES utf8 */;\nDROP TABLE IF EXISTS t;\n", "looks like SQL"),
        ("dump.txt", "SET NAMES utf8;\nSET a = 1;\nINSERT INTO t VALUES (1,'hi');\n", "looks like SQL"),
        ("copy.txt", "COPY public.t (id, text) FROM stdin;\n1\tCannot log in\n", "looks like SQL"),
        ("notes.sql", "select 1;\n", "looks like SQL"),
        ("a.mbox", "From a@x.org Mon May  1 10:00:00 2023\nFrom: a@x.org\nSubject: Hi\n\nPlease help.\n", "like mails"),
        ("a.eml", "From: a@x.org\nTo: b@x.org\nSubject: Hi\n more of it\n\nPlease help.\n", "looks like mails with"),
        ("cas.json", json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": []}), "looks like UIMA CAS JSON of INCEpTION"),
        ("table.csv", "<table><tr><td>text</td></tr></table>", "looks like a web page, not a table"),
        ("a.train", "<START:who> Ann <END> is in <START:city> Oslo <END> .\nto <START:city> Rome <END>\n", "spans in"),
        ("a.txt", "fly/O to/O oslo/B-city <=> flight\nhi/O <=> greet\n", "words with their tags behind a slash"),
        ("python.json", "[{'text': 'hi', 'label': 'a'}]", "are in double quotes there, as the package json of Python"),
        ("tags.txt", "O fly\nO to\nB-city Oslo\n\nO hi\n", "looks like tags in front of their words"),
        ("tags.tsv", "O\tfly\nB-city\tOslo\nI-city\tS\n\nO\thi\n", "looks like tags in front of their words"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_refused_by_its_name(name: str, data: str, said: str) -> None:
    with pytest.raises(DataFileError, match=said):
        read(data, name)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ("1^hello there^a\n2^bye now^b\n3^hi^a\n", "'^' 2 times"),
        ("1~hello there\n2~bye now\n3~hi\n", "'~' once"),
        ("hello there::a\nbye now::b\nhi::a\n", "'::' once"),
        ("hello there||a\nbye now||b\nhi||\n", "'||' once"),
        ("text          label\nhello there   greet\nbye now       bye\n", "several blanks once"),
    ],
)
def test_signs_that_may_part_cells_are_asked_about(data: str, what: str) -> None:
    notes = read(data, "texts.txt").notes
    assert any(note.startswith(f"Each line has {what}, and these part no cells here. If they are to") for note in notes)


@pytest.mark.parametrize("data", ["hello there\nbye now\nhi\n", "a ~ b\nc\nd ~ e\n", "hi\nto  you\nall\n"])
def test_plain_lines_have_no_such_signs(data: str) -> None:
    assert not any("part no cells" in note for note in read(data, "texts.txt").notes)


def test_the_names_of_a_second_table_are_no_text() -> None:
    found = read("text,label\nhello you,a\nbye you,b\n\nmessage,topic\nhi again,c\n", "sheets.csv")
    assert found.corpus.texts == ("hello you", "bye you", "hi again")
    assert [str(bad) for bad in found.bad_rows] == [
        "line 5: names columns as a second table does; rows below were read with the names on top (message, topic)"
    ]


@pytest.mark.parametrize(
    ("cell", "label"),
    [
        ('"{""choices"": [""pos"", ""neutral""]}"', "a list of 2 values"),
        ('"[""pos"", ""neg""]"', "a list of 2 values"),
        ('"{""a"": 1}"', "an object"),
    ],
)
def test_json_among_labels_is_none(cell: str, label: str) -> None:
    found = read(table("text,sentiment", "BODY,TOPIC") + f"and more,{cell}\n", "studio.csv")
    assert [bad.reason for bad in found.bad_rows] == [
        f"'sentiment' holds {label}; a text has one label here: keep one of them, or make a project for each label"
    ]


@pytest.mark.parametrize(
    ("cell", "label"),
    [
        ('"{""choices"": [""pos""]}"', "pos"),
        ('"[""pos""]"', "pos"),
        ("[]", None),
        ("[other]", "[other]"),
        ("{x}", "{x}"),
    ],
)
def test_one_label_in_json_is_it(cell: str, label: str | None) -> None:
    found = read(table("text,sentiment", "BODY,TOPIC") + f"and more,{cell}\n", "studio.csv")
    assert found.corpus.examples[-1].label == label


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["0", "1", "2", "-1"], "'-1' became a label; if it means that there is none"),
        (["0.0", "1.0", "2.0", "-1.0"], "'-1.0' became a label; if it means that there is none"),
        (["bug#billing", "bug", "billing", "other"], "'bug#billing' joins several labels in one cell."),
        (["bug|billing", "bug", "billing", "other"], "'bug|billing' joins several labels in one cell."),
        (["-1", "0", "1"], ""),
        (["-2", "-1", "0", "1", "2"], ""),
        (["r&b/soul", "r&b", "soul"], ""),
    ],
)
def test_labels_that_may_stand_for_none_or_for_several(labels: list[str], said: str) -> None:
    rows = "".join(f"text number {n},{labels[n % len(labels)]}\n" for n in range(30))
    columns = read(f"text,label\n{rows}", "texts.csv").columns
    assert columns is not None
    assert columns.remarks[0].startswith(said) if said else not columns.remarks


@pytest.mark.parametrize("error", ["#NAME?", "#REF!", "#N/A", "#DIV/0!", "#BEZUG!", "#WERT!", " #VALUE! "])
def test_errors_of_spreadsheets_are_no_texts(error: str) -> None:
    found = read(f"text,label\n{error},a\nhello you,b\n#tag!,a\n#1 of all,b\n", "sheet.csv")
    assert found.corpus.texts == ("hello you", "#tag!", "#1 of all")
    assert [bad.reason for bad in found.bad_rows] == [
        f"the text is {error.strip()!r}, an error of a spreadsheet: correct the cell there, as with an apostrophe in "
        "front of = or -"
    ]
    columns = read(f"text,label\nhello you,{error}\nbye you,a\n", "sheet.csv").columns
    assert columns is not None
    assert f"{error.strip()!r} became a label" in columns.remarks[0].replace(f"{error!r}", f"{error.strip()!r}")


@pytest.mark.parametrize("names", [["text", "label"], ["intent", "utterance"]])
def test_names_above_pairs_are_no_text(names: list[str]) -> None:
    at = names.index(next(name for name in names if name in ("text", "utterance")))
    pairs = [["book a flight", "trip"], ["how much is it", "fare"], ["fly me home", "trip"]]
    rows = [names, *[pair if at == 0 else pair[::-1] for pair in pairs]]
    found = read("\n".join(map(json.dumps, rows)), "pairs.jsonl")
    assert [[one.text, one.label] for one in found.corpus] == pairs
    assert [str(bad) for bad in found.bad_rows] == ["line 1: names the columns and is no text"]


def test_codes_before_texts_are_labels_though_some_come_once() -> None:
    lines = ["ENTY:cremat What films are there ?", *(f"DESC:manner How did it develop {n} ?" for n in range(20))]
    found = read("\n".join(lines), "train.label")
    assert [(one.label, one.text) for one in found.corpus] == [tuple(line.split(" ", 1)) for line in lines]


def test_spans_of_words_without_a_text() -> None:
    row = {"tokens": ["fly", "to", "oslo"], "spans": [{"start": 2, "end": 3, "label": "city"}]}
    with pytest.raises(DataFileError, match="has spans next to words and no text, so their offsets may count words"):
        read_slot_corpus(json.dumps(row).encode(), "a.jsonl", tokenization=Tokenization("whitespace"))
