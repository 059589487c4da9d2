"""Layouts of files that people download or export from other programs: which columns or keys are read of each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.exchange.slot_filling.corpora import looks_like_slots, read_slot_corpus
from re2nn_core.exchange.tables.column_choice import ColumnChoice
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

WORDS = ["where", "is", "the", "parcel", "that", "my", "sister", "sent", "to", "our", "old", "house", "last", "week"]
COUNT = 40
TEXTS = [" ".join(WORDS[(step * n + step) % 14] for step in range(1, 9)) + f" {n}" for n in range(COUNT)]


def table(header: str, row: str, separator: str = ",") -> bytes:
    """A row a text; {abc} and {ab} go round, {bit} and {star} are numbers."""
    cells = (
        row.format(text=text, n=n, abc="abc"[n % 3], ab="ab"[n % 2], yes="YN"[n % 5 == 0], bit=n % 2, star=n % 5 + 1)
        for n, text in enumerate(TEXTS)
    )
    return "\n".join([*([header] if header else []), *cells, ""]).replace(",", separator).encode()


def lines(row: Any) -> bytes:
    return "".join(f"{json.dumps(row(text, n))}\n" for n, text in enumerate(TEXTS)).encode()


# Name, file, column of texts, column of labels.
LABELS: dict[str, tuple[str, bytes, str, str | None]] = {
    "news of four classes": (
        "ag.csv",
        table("Class Index,Title,Description", "{star},short {n},{text}"),
        "Description",
        "Class Index",
    ),
    "numbers of intents": ("a.csv", table("utterance,intent_id", "{text},{star}"), "utterance", "intent_id"),
    "numbers of texts": ("a.csv", table("utterance,label_id", "{text},{n}"), "utterance", None),
    "a row number that begins anew": ("a.csv", table("utterance,row_id", "{text},{star}"), "utterance", None),
    "numbers with their names": (
        "a.jsonl",
        lines(lambda text, n: {"text": text, "label": n % 3, "label_text": ["card", "pin", "fee"][n % 3]}),
        "text",
        "label_text",
    ),
    "numbers with other names": ("a.csv", table("text,label,label_text", "{text},{bit},{abc}"), "text", "label"),
    "tweets without names": (
        "s140.csv",
        table("", '"{bit}","146781{n}","Mon Apr 06 22:19:45 PDT 2009","NO_QUERY","user{n}","{text}"'),
        "column_6",
        "column_1",
    ),
    "questions of a survey": (
        "survey.csv",
        table(
            '"Timestamp","What is your overall satisfaction (1-5)?","Please describe it in your own words.","Code"',
            "3/4/2024 10:00:00,{star},{text},{abc}",
        ),
        "Please describe it in your own words.",
        "Code",
    ),
    "a question above yes and no": (
        "a.csv",
        table('"Comment","Is it about delivery?"', "{text},{yes}"),
        "Comment",
        "Is it about delivery?",
    ),
    "one question above numbers": (
        "survey.csv",
        table('"How happy are you with us?","What did you like most about it all?"', "{star},{text}"),
        "What did you like most about it all?",
        "How happy are you with us?",
    ),
    "an intent with how sure it is": (
        "a.jsonl",
        lines(lambda text, n: {"utterance": text, "intent": {"name": "ab"[n % 2], "confidence": 0.9}}),
        "utterance",
        "intent.name",
    ),
    "a label with a value": (
        "a.jsonl",
        lines(lambda text, n: {"text": text, "label": {"value": "ab"[n % 2], "by": "me"}}),
        "text",
        "label.value",
    ),
    "categories with how likely they are": (
        "a.jsonl",
        lines(lambda text, n: {"text": text, "cats": {"good": n % 2, "bad": 1.0 - n % 2}}),
        "text",
        "cats",
    ),
    "categories that hold or not": (
        "a.jsonl",
        lines(lambda text, n: {"text": text, "cats": {"good": n % 3 == 0, "bad": n % 3 == 1}}),
        "text",
        "cats",
    ),
    "several categories of a text": (
        "a.jsonl",
        lines(lambda text, n: {"text": text, "cats": {"good": 1.0, "bad": 1.0 if n else 0.0}}),
        "text",
        None,
    ),
    "pairs with categories": (
        "a.json",
        json.dumps([[text, {"cats": {"good": n % 2, "bad": 1 - n % 2}}] for n, text in enumerate(TEXTS)]).encode(),
        "text",
        "cats",
    ),
}


@pytest.mark.parametrize("layout", LABELS)
def test_labels_are_read_from_the_right_column(layout: str) -> None:
    name, data, text, label = LABELS[layout]
    read = read_corpus(data, name)
    assert read.columns is not None
    assert (read.columns.text, read.columns.label) == (text, label)
    assert len(read.corpus) == COUNT
    assert read.bad_rows == ()


ASKED: dict[str, tuple[str, bytes, set[str]]] = {
    "stars and whether it was bought": (
        "amazon.tsv",
        table("review_body\tproduct_category\tstar_rating\tverified_purchase", "{text}\tToys\t{star}\t{yes}"),
        {"star_rating", "verified_purchase"},
    ),
    "answers of annotators": (
        "argilla.jsonl",
        lines(lambda text, n: {"fields": {"text": text}, "responses": [{"values": {"label": {"value": "ab"[n % 2]}}}]}),
        {"responses.0.values.label.value"},
    ),
    "messages of a conversation": (
        "chat.jsonl",
        lines(
            lambda text, n: {
                "messages": [{"role": "user", "content": text}, {"role": "assistant", "content": "ab"[n % 2]}]
            }
        ),
        {"messages.first_assistant.content"},
    ),
    "several kinds of harm": (
        "harm.csv",
        table("id,comment_text,toxic,obscene,threat", "{n},{text},{bit},{bit},0"),
        {"toxic", "obscene"},
    ),
}


@pytest.mark.parametrize("layout", ASKED)
def test_a_person_is_asked(layout: str) -> None:
    name, data, candidates = ASKED[layout]
    read = read_corpus(data, name)
    assert read.columns is not None
    assert (read.columns.label, set(read.columns.candidates)) == (None, candidates)
    for candidate in candidates:
        assert f"'{candidate}' (" in read.columns.question
        assert len(read_corpus(data, name, label_column=candidate).corpus.labels) > 1


@pytest.mark.parametrize("cell", ["\"['a', 'b']\"", '"[""a""]"', "[a]", "[]"])
def test_lists_of_labels_are_said_to_be_lists(cell: str) -> None:
    read = read_corpus(table("text,labels,n", f"{{text}},{cell},{{n}}"), "a.csv")
    assert read.columns is not None
    assert read.columns.label is None
    assert read.columns.lists_of_labels.startswith(
        "'labels' holds lists or objects, and a text has one label: write one"
    )
    other = read_corpus(table("text,labels,intent", f"{{text}},{cell},{{abc}}"), "a.csv")
    assert other.columns is not None
    assert (other.columns.label, other.columns.lists_of_labels) == ("intent", "")


CITY = {"tokens": ["to", "Kiel"], "tags": ["O", "B-city"]}
TAGGED: dict[str, tuple[Any, str]] = {
    "ner_tags": ({"id": 1, "tokens": CITY["tokens"], "ner_tags": CITY["tags"]}, "text: tokens; spans: ner_tags"),
    "words and labels": ({"words": CITY["tokens"], "labels": CITY["tags"]}, "text: words; spans: labels"),
    "slots": ({"tokens": CITY["tokens"], "slots": CITY["tags"], "intent": "trip"}, "text: tokens; spans: slots"),
    "parts of speech too": (
        {"tokens": CITY["tokens"], "pos_tags": ["ADP", "NOUN"], "ner_tags": CITY["tags"]},
        "text: tokens; spans: ner_tags",
    ),
    "a pair": (["to Kiel", {"entities": [[3, 7, "city"]]}], "text: text; spans: entities"),
}


@pytest.mark.parametrize("layout", TAGGED)
@pytest.mark.parametrize("array", [False, True])
def test_words_and_pairs_are_slots(layout: str, array: bool) -> None:
    row, reported = TAGGED[layout]
    data = (json.dumps([row, row]) if array else f"{json.dumps(row)}\n" * 2).encode()
    assert looks_like_slots(data, "texts.json")
    read = read_slot_corpus(data, "texts.json", tokenization=Tokenization())
    assert [example.spans for example in read.corpus] == [(Span(3, 7, "city"),)] * 2
    assert isinstance(read.columns, ColumnChoice)
    assert read.columns.in_words("spans").startswith(f"{reported}, 2 of 2 filled; split: none")


SEQUENCE = "sentence,tags\n" + "to Kiel,O B-city\n" * 3
COLUMNS: dict[str, tuple[str, str, str]] = {
    "tags of a text": ("a.csv", SEQUENCE, "text: sentence; spans: tags, 3 of 3 filled; split: none"),
    "tags and an intent": (
        "a.tsv",
        "sentence\tslots\tintent\n" + "to Kiel\tO B-city\ttrip\n" * 3,
        "text: sentence; spans: slots, 3 of 3 filled; split: none; not read: intent",
    ),
    "lists as Python prints them": (
        "a.csv",
        "tokens,ner_tags\n" + "\"['to', 'Kiel']\",\"['O', 'B-city']\"\n" * 3,
        "text: tokens; spans: ner_tags, 3 of 3 filled; split: none",
    ),
    "lists as NumPy prints them": (
        "a.csv",
        "ner_tags;tokens\n" + "['O' 'B-city'];['to' \"Kiel\"]\n" * 3,
        "text: tokens; spans: ner_tags, 3 of 3 filled; split: none",
    ),
}


@pytest.mark.parametrize("layout", COLUMNS)
def test_tags_of_all_words_stand_in_a_column(layout: str) -> None:
    name, data, reported = COLUMNS[layout]
    assert looks_like_slots(data.encode(), name)
    read = read_slot_corpus(data.encode(), name, tokenization=Tokenization())
    assert [(example.text, example.spans) for example in read.corpus] == [("to Kiel", (Span(3, 7, "city"),))] * 3
    assert read.columns is not None
    assert read.columns.in_words("spans") == reported


def test_a_row_with_too_few_tags_is_left_out() -> None:
    data = SEQUENCE + "so far,O\n" + "to Kiel,O B-city\n" * 20
    read = read_slot_corpus(data.encode(), "a.csv", tokenization=Tokenization())
    assert [str(bad) for bad in read.bad_rows] == ["line 5: has 2 words but 1 tag; each word needs one"]


OFFSETS = "text,start,end,label\nto Kiel and Oslo,3,7,city\nhello,,,\nto Kiel and Oslo,12,16,city\n"
RENAMED = (
    OFFSETS.replace("start,end,label", "begin,end_offset,entity,mention")
    .replace("\n", ",\n")
    .replace("mention,", "mention")
)


@pytest.mark.parametrize("data", [OFFSETS, OFFSETS.replace(",", ";"), RENAMED, OFFSETS.replace(",", "\t")])
def test_one_span_a_row(data: str) -> None:
    name = "a.tsv" if "\t" in data else "a.csv"
    assert looks_like_slots(data.encode(), name)
    read = read_slot_corpus(data.encode(), name, tokenization=Tokenization())
    assert [(example.text, example.spans) for example in read.corpus] == [
        ("to Kiel and Oslo", (Span(3, 7, "city"), Span(12, 16, "city"))),
        ("hello", ()),
    ]
    assert "One span a row: rows with the same text are one text." in read.notes
    assert read.columns is not None
    assert read.columns.not_read == ()


def test_half_a_span_costs_its_row_and_words_are_compared() -> None:
    data = OFFSETS + "to Bonn,3,,city\n"
    read = read_slot_corpus(data.encode(), "a.csv", tokenization=Tokenization())
    assert [str(bad) for bad in read.bad_rows] == ["line 5: '' is no offset: a whole number from 0 on is expected"]
    quoted = "text,start,end,label,mention\nto Kiel,3,7,city,Oslo\nto Kiel now,3,7,city,Kiel\n"
    read = read_slot_corpus(quoted.encode(), "a.csv", tokenization=Tokenization())
    assert [example.text for example in read.corpus] == ["to Kiel now"]
    assert "but the span quotes 'Oslo'" in str(read.bad_rows[0])


def test_times_are_no_offsets() -> None:
    data = "text,start,end,label\n" + "to Kiel,10:00,11:00,trip\n" * 3
    assert not looks_like_slots(data.encode(), "a.csv")


@pytest.mark.parametrize("names", ["token\tlabel", "word tag", "Words\tNER"])
def test_a_line_of_names_above_words_and_tags_is_no_word(names: str) -> None:
    sign = "\t" if "\t" in names else " "
    data = f"{names}\nto O\nKiel B-city\n\nso O\nfar O\n".replace(" ", sign).encode()
    for name in ("words.tsv", "words.conll", "words.txt"):
        assert looks_like_slots(data, name)
        read = read_slot_corpus(data, name, tokenization=Tokenization())
        assert read.corpus.texts == ("to Kiel", "so far")
        assert "Line 1 names the columns and was left out." in read.notes
    longer = data + b"\n" + names.replace(" ", sign).encode()
    assert len(read_slot_corpus(longer, "words.conll", tokenization=Tokenization()).bad_rows) == 1


def test_words_and_tags_between_commas_are_no_texts() -> None:
    for data in (b"to,O\nKiel,B-city\n\nso,O\nfar,O\n" * 3, b"go,O\nbus,B-car\nso,B-longer-than-words\n"):
        with pytest.raises(DataFileError, match="one word a row: its column '(label|text)' holds tags.*a tab or blank"):
            read_corpus(data, "words.csv")


def test_what_is_refused_decides_on_the_task_too() -> None:
    def region(start: int, end: int) -> dict[str, Any]:
        return {"result": [{"type": "labels", "value": {"start": start, "end": end, "labels": ["city"]}}]}

    tasks = [
        {"data": {"text": "to Kiel"}, "annotations": [region(3, 7), region(0, 2)]},
        {"data": {"text": "so far"}, "annotations": [{"result": []}]},
        {"data": {"text": "in Oslo"}, "annotations": [], "drafts": [region(3, 7)]},
    ]
    data = json.dumps(tasks).encode()
    assert looks_like_slots(data, "tasks.json")
    read = read_slot_corpus(data, "tasks.json", tokenization=Tokenization())
    assert read.corpus.texts == ("so far", "in Oslo")
    assert "2 annotations differ" in str(read.bad_rows[0])
    assert "1 row with a draft that was not submitted: imported as not annotated (first in task 3)." in read.notes


def test_a_column_of_tags_that_is_named_is_read() -> None:
    data = json.dumps({"tokens": ["to", "Kiel"], "ner_tags": ["O", "O"], "fine": ["O", "B-city"]}).encode()
    read = read_slot_corpus(data, "texts.jsonl", tokenization=Tokenization(), label_column="fine")
    assert read.corpus.examples[0].spans == (Span(3, 7, "city"),)


def test_words_without_tags_are_the_text() -> None:
    data = b"".join(
        json.dumps(row).encode() + b"\n" for row in (CITY, {"tokens": ["so", "far"], "tags": None, "intent": "stay"})
    )
    read = read_slot_corpus(data, "texts.jsonl", tokenization=Tokenization())
    assert [(example.text, example.spans) for example in read.corpus] == [
        ("to Kiel", (Span(3, 7, "city"),)),
        ("so far", None),
    ]


def test_labels_of_a_text_next_to_its_words_are_no_tags() -> None:
    data = json.dumps({"text": "to Kiel", "words": ["to", "Kiel"], "labels": ["trip", "city"]}).encode()
    assert not looks_like_slots(data, "texts.jsonl")


def test_tags_that_are_numbers_ask_for_their_names() -> None:
    data = json.dumps({"tokens": ["to", "Kiel"], "ner_tags": [0, 5]}).encode()
    assert looks_like_slots(data, "texts.jsonl")
    with pytest.raises(DataFileError, match="its tags are numbers, such as '0', whose names the file does not hold"):
        read_slot_corpus(data, "texts.jsonl", tokenization=Tokenization())


SENTENCE = {"id": "7", "data": [{"text": "to "}, {"text": "Kiel", "alias": "city", "meta": "@city"}]}


@pytest.mark.parametrize("value", [{"userSays": [SENTENCE]}, [SENTENCE]])
def test_sentences_of_dialogflow_have_slots_and_no_label(value: object) -> None:
    data = json.dumps(value)
    assert looks_like_slots(data.encode(), "trip.json")
    read = read_slot_corpus(data.encode(), "trip.json", tokenization=Tokenization())
    assert read.corpus.examples[0].spans == (Span(3, 7, "city"),)
    assert read_corpus(data.encode(), "trip.json").corpus.labels == ()


def test_utterances_of_luis_count_the_last_character_in() -> None:
    entity = {"entity": "city", "startPos": 3, "endPos": 6}
    said = [{"text": "to Kiel", "intent": "trip", "entities": [entity]}, {"text": "hi", "intent": "greet"}]
    data = json.dumps({"luis_schema_version": "3.2", "intents": [], "utterances": said}).encode()
    assert looks_like_slots(data, "app.json")
    read = read_slot_corpus(data, "app.json", tokenization=Tokenization())
    assert [example.spans for example in read.corpus] == [(Span(3, 7, "city"),), ()]
    assert read_corpus(data, "app.json").corpus.labels == ("trip", "greet")


def test_words_and_tags_without_names_of_columns() -> None:
    data = b"to Kiel\tO B-city\nso far\tO O\nto Oslo now\tO B-city O\n"
    assert looks_like_slots(data, "texts.tsv")
    read = read_slot_corpus(data, "texts.tsv", tokenization=Tokenization("whitespace"))
    assert [example.spans for example in read.corpus] == [(Span(3, 7, "city"),), (), (Span(3, 7, "city"),)]


@pytest.mark.parametrize("value", [{"data": [{"tokens": ["to"]}]}, {"tokens": [["to"]], "tags": [["O"]]}])
def test_lists_alone_are_refused_in_words(value: Any) -> None:
    with pytest.raises(DataFileError, match="one JSON object|holds no texts: under 'tokens', 'tags' there are lists"):
        read_corpus(json.dumps(value).encode(), "texts.json")
    with pytest.raises(DataFileError, match="holds no texts: under 'words' there are lists or objects"):
        read_corpus(b'{"words": [["to"]]}\n{"words": [["to"]]}\n', "texts.jsonl")
