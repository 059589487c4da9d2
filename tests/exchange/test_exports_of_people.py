"""Exports of survey tools, helpdesks, shops, annotation tools and language models: which column is taken, and which
ones a person is asked about."""

from __future__ import annotations

import json
from typing import Any

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.slot_filling.corpora import looks_like_slots
from tests.exchange.test_files_of_people import labels, lines, table

TEXTS = ["where is my parcel, number {n}", "the card was charged twice, number {n}", "I cannot log in, number {n}"]
KINDS = ["parcel", "card", "login"]


def objects(*keys: dict[str, Any], rows: int = 24) -> CorpusRead:
    """Objects over and over, with the number of the row in their texts."""
    written = (json.dumps(keys[n % len(keys)]).replace("{n}", str(n)) for n in range(rows))
    return labels("\n".join(written).encode(), "file.jsonl")


def asked(read: CorpusRead) -> tuple[str, ...]:
    assert read.columns is not None
    assert read.columns.label is None
    return read.columns.candidates


@pytest.mark.parametrize(
    ("flags", "numbers"),
    [
        (["true", "false"], ["1", "2", "3", "4", "5"]),
        (["ja", "nein"], ["11", "12", "21"]),
        (["Y", "N"], ["1.0", "2.0"]),
    ],
)
def test_yes_or_no_is_no_label_where_numbers_may_be(flags: list[str], numbers: list[str]) -> None:
    """Whether a purchase was verified became the label in place of the stars under `overall`."""
    read = labels(table(("comment", "verified", "overall"), TEXTS, flags, numbers))
    assert set(asked(read)) == {"verified", "overall"}


def test_yes_or_no_alone_is_the_label() -> None:
    assert labels(table(("comment", "is_spam"), TEXTS, ["True", "False"])).columns.label == "is_spam"


def test_numbers_are_asked_about_next_to_several_columns_of_words() -> None:
    columns = (["Bayern", "Hessen"], ["m", "w", "d"], ["1", "2", "3", "4"])
    read = labels(table(("Antwort", "Bundesland", "Geschlecht", "Code_1"), TEXTS, *columns))
    assert set(asked(read)) == {"Bundesland", "Geschlecht", "Code_1"}


def test_how_many_comments_there_are_is_no_label() -> None:
    """`comments` was the label of issues, whose labels are in a list."""
    read = objects(
        {"title": "T {n}", "body": TEXTS[0], "comments": 0, "labels": [{"name": "bug"}]},
        {"title": "T {n}", "body": TEXTS[1], "comments": 3, "labels": [{"name": "idea"}]},
    )
    assert read.columns.text == "body"
    assert asked(read) == ("labels.0.name",)


@pytest.mark.parametrize("outer", ["input", "data", "record", "example"])
def test_the_text_of_an_input_is_the_text(outer: str) -> None:
    """The rationale of a model was taken, which is longer."""
    read = objects(
        *(
            {outer: {"id": 1, "text": text}, "output": {"label": kind, "rationale": f"because the user says {text}"}}
            for text, kind in zip(TEXTS, KINDS, strict=True)
        )
    )
    assert (read.columns.text, read.columns.label) == (f"{outer}.text", "output.label")


@pytest.mark.parametrize("path", ["intent.name", "label.value", "category.title"])
def test_names_of_labels_inside_of_objects_stay_labels(path: str) -> None:
    outer, inner = path.split(".")
    read = objects(*({"text": text, outer: {inner: kind}} for text, kind in zip(TEXTS, KINDS, strict=True)))
    assert read.columns.label == path


@pytest.mark.parametrize("roles", [("user", "bot"), ("customer", "agent"), ("inbound", "outbound")])
@pytest.mark.parametrize("name", ["event", "kind", "message_type"])
def test_who_speaks_is_no_label_whatever_the_column_is_called(roles: tuple[str, str], name: str) -> None:
    """`event` was the label of a bot's log, in place of the intents inside of its objects."""
    read = objects(
        {name: roles[0], "text": TEXTS[0], "parsed": {"intent": {"name": "parcel"}}},
        {name: roles[1], "text": "one moment please {n}", "parsed": None},
        {name: roles[0], "text": TEXTS[1], "parsed": {"intent": {"name": "card"}}},
    )
    assert read.columns.label == "parsed.intent.name"
    assert any(f"those of all in '{name}'" in remark for remark in read.columns.remarks)


def test_suggestions_are_predictions_and_responses_annotations() -> None:
    read = objects(
        *(
            {"text": text, "label.responses": [kind], "label.responses.status": ["ok"], "label.suggestion": "other {n}"}
            for text, kind in zip(TEXTS, KINDS, strict=True)
        )
    )
    assert read.columns.label == "label.responses"
    assert set(read.corpus.labels) == set(KINDS)


def test_suggestions_alone_are_asked_about() -> None:
    read = objects(
        *({"text": text, "label_suggestion": kind} for text, kind in zip(TEXTS, KINDS, strict=True)),
    )
    assert asked(read) == ("label_suggestion",)


@pytest.mark.parametrize("form", ["['{0}']", '["{0}"]', '[ "{0}" ]'])
def test_labels_in_lists_of_one_are_labels(form: str) -> None:
    read = labels(table(("text", "label"), TEXTS, [form.format(kind) for kind in KINDS]))
    assert read.columns.label == "label"
    assert set(read.corpus.labels) == set(KINDS)


def test_a_list_of_several_labels_among_such_costs_its_row() -> None:
    rows = [*(f"['{kind}{n}']" for n in range(13) for kind in KINDS[:2]), "['card', 'login']"]
    data = table(("text", "label"), ["a text {n}"], rows, rows=54)
    read = labels(data)
    assert all("['" not in label for label in read.corpus.labels)
    assert {bad.reason.partition(";")[0] for bad in read.bad_rows} == {"'label' holds a list of 2 values"}


@pytest.mark.parametrize("cells", [["['to' 'Oslo']", "['to' 'Rome' 'now']"], ['["to", "Oslo"]', '["go"]']])
def test_lists_of_words_are_no_texts(cells: list[str]) -> None:
    """The brackets and quotes of numpy came in as words."""
    data = table(("id", "tokens", "ner_tags"), ["{n}"], cells, ["[0 5]", "[0 5 0]"])
    with pytest.raises(DataFileError, match=r"lists in place of texts: 'tokens' holds cells such as \["):
        labels(data)
    read = read_corpus(data, "file.csv", text_column="tokens")
    assert len(read.corpus) == 24


def test_times_of_a_recording_are_no_spans() -> None:
    """All rows were refused, since their spans were past the end of their texts."""
    data = table(("start", "end", "text", "label"), ["{n}000"], ["{n}900"], TEXTS, KINDS)
    assert not looks_like_slots(data, "file.csv")
    assert labels(data).columns.label == "label"


def test_one_span_a_row_is_still_slots() -> None:
    data = table(("start", "end", "text", "label"), ["0"], ["5"], TEXTS, KINDS)
    assert looks_like_slots(data, "file.csv")


def test_labels_behind_an_at_sign_are_read() -> None:
    data = "".join(f"{TEXTS[n % 3].format(n=n)} .@{KINDS[n % 3]}\n" for n in range(30)).encode()
    read = labels(data, "file.txt")
    assert set(read.corpus.labels) == set(KINDS)
    assert "Cells are separated by '@', with the label behind the last one." in read.notes


def test_addresses_at_the_end_of_lines_are_no_labels() -> None:
    data = "".join(f"write to me at ann@mail{n}.org\n" for n in range(30)).encode()
    assert labels(data, "file.txt").corpus.labels == ()


def test_rows_of_a_server_of_data_sets_have_the_names_of_their_labels() -> None:
    """The labels were 0 and 1."""
    features = [
        {"feature_idx": 0, "name": "text", "type": {"dtype": "string", "_type": "Value"}},
        {"feature_idx": 1, "name": "label", "type": {"names": ["neg", "pos"], "_type": "ClassLabel"}},
    ]
    rows = [{"row_idx": n, "row": {"text": f"a text {n}", "label": n % 2}, "truncated_cells": []} for n in range(8)]
    read = labels(json.dumps({"features": features, "rows": rows}).encode(), "file.json")
    assert set(read.corpus.labels) == {"neg", "pos"}
    assert "Numbers of labels were read by their names under 'features'." in read.notes
    assert not any("truncated_cells" in note for note in read.notes)


def test_empty_lists_are_not_reported_and_others_are() -> None:
    rows = [{"text": "to oslo", "label": "a", "spans_of": [], "words": [1, 2]}, {"text": "to rome", "label": "b"}]
    read = labels(lines(*rows), "file.jsonl")
    [note] = [note for note in read.notes if "left out" in note]
    assert "'words'" in note
    assert "spans_of" not in note


def test_a_file_without_texts_names_its_keys() -> None:
    rows = ({"id": f"r{n}", "error": None, "response": {"code": 200}} for n in range(4))
    with pytest.raises(DataFileError, match="holds no texts. Its keys are: id, error, response.code"):
        labels(lines(*rows), "file.jsonl")


@pytest.mark.parametrize(("name", "is_id"), [("HITId", True), ("ABTestID", True), ("URLs", False), ("IDs", True)])
def test_names_of_capitals_have_words(name: str, is_id: bool) -> None:
    from re2nn_core.exchange.tables.header import ID_NAMES, column_role

    assert (column_role(name) in ID_NAMES) == is_id


@pytest.mark.parametrize(
    ("names", "label"),
    [
        (("gpt_label", "claude_label", "human_label"), None),
        (("main_category", "sub_category"), None),
        (("gpt_label", "gold_label"), "gold_label"),
        (("label_ann", "label_bob", "final_label"), "final_label"),
        (("label", "human_label"), "label"),
    ],
)
def test_of_several_columns_of_labels_a_person_chooses(names: tuple[str, ...], label: str | None) -> None:
    """The first one was taken, which was that of a model."""
    read = labels(table(("text", *names), TEXTS, *[KINDS] * len(names)))
    assert read.columns.label == label
    assert set(read.columns.candidates) == (set(names) if label is None else set())


@pytest.mark.parametrize("name", ["is_claim", "hasRefund", "is toxic"])
def test_whether_something_holds_is_named_next_to_the_labels(name: str) -> None:
    read = labels(table(("topic", "text", name, "clicks"), KINDS, TEXTS, ["0", "1"], ["0", "3"]))
    assert read.columns.label == "topic"
    assert read.columns.other_labels == (name,)
