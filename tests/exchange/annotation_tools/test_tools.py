"""What files of annotation tools hold beside the plain case: regions, controls, other keys, partial answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from re2nn_core.errors import DataFileError
from re2nn_core.exchange.annotation_tools.annotated import WantedParts
from re2nn_core.exchange.annotation_tools.docbin import spacy_is_installed
from re2nn_core.exchange.annotation_tools.prodigy import PARTIAL
from re2nn_core.exchange.corpora import CorpusRead, read_corpus
from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, looks_like_slots, read_slot_corpus
from re2nn_core.task import Task
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization


def lines(*rows: Any) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def slots(data: bytes, name: str = "texts.json", **options: Any) -> SlotCorpusRead:
    return read_slot_corpus(data, name, tokenization=Tokenization("whitespace"), **options)


def labels(read: CorpusRead) -> list[str | None]:
    return [example.label for example in read.corpus]


def spans(read: SlotCorpusRead) -> list[tuple[Span, ...] | None]:
    return [example.spans for example in read.corpus]


def task(*results: dict[str, Any], text: str = "go to Rome", **data: Any) -> bytes:
    return json.dumps([{"data": {"text": text, **data}, "annotations": [{"result": list(results)}]}]).encode()


def choice(name: str, control: str = "intent", **more: Any) -> dict[str, Any]:
    value = {"choices": [name], **more.pop("value", {})}
    return {"type": "choices", "from_name": control, "value": value, **more}


def region(name: str = "city", control: str = "ner", **more: Any) -> dict[str, Any]:
    value = {"start": 6, "end": 10, "text": "Rome", "labels": [name]}
    return {"type": "labels", "from_name": control, "value": value, **more}


@pytest.mark.parametrize(
    "results",
    [
        (choice("sure", value={"start": 6, "end": 10}),),
        (region(id="a"), choice("sure", id="a")),
        (choice("sure", id="a"), region(id="a")),
    ],
)
def test_a_choice_about_a_region_is_no_label(results: tuple[dict[str, Any], ...]) -> None:
    read = read_corpus(task(*results), "tasks.json")
    assert labels(read) == [None]
    assert any("1 row with a choice about a region" in note for note in read.notes)
    assert labels(read_corpus(task(*results, choice("fly", id="z")), "tasks.json")) == ["fly"]


@pytest.mark.parametrize("offsets", [{}, {"start": None, "end": None}, {"start": None}, {"text": None, "end": None}])
def test_labels_without_offsets_are_of_the_whole_text(offsets: dict[str, None]) -> None:
    whole = {"type": "labels", "from_name": "sentiment", "value": {"labels": ["good"], **offsets}}
    assert not looks_like_slots(task(whole), "tasks.json")
    assert labels(read_corpus(task(whole), "tasks.json")) == ["good"]
    read = slots(task(whole, region()))
    assert spans(read) == [(Span(6, 10, "city"),)]
    assert any("labels of the whole text, not read for slots" in note for note in read.notes)


def test_the_control_is_chosen() -> None:
    two = task(choice("fly"), choice("calm", "mood"))
    assert labels(read_corpus(two, "tasks.json", label_column="mood")) == ["calm"]
    with pytest.raises(DataFileError, match="name one of the controls intent, mood with --label-column"):
        read_corpus(two, "tasks.json")
    with pytest.raises(
        DataFileError, match="has no annotations under 'other'. Annotations are under: 'intent', 'mood'"
    ):
        read_corpus(two, "tasks.json", label_column="other")
    both = task(region(), {**region("place", "geo")})
    assert spans(slots(both, label_column="geo")) == [(Span(6, 10, "place"),)]


def test_what_is_not_asked_for_costs_no_row() -> None:
    broken = {"type": "labels", "from_name": "ner", "value": {"start": 0, "end": 99, "labels": ["city"]}}
    assert labels(read_corpus(task(choice("fly"), broken), "tasks.json")) == ["fly"]
    assert spans(slots(task(region(), choice("a"), choice("b")))) == [(Span(6, 10, "city"),)]


def test_annotations_that_mean_the_same_agree() -> None:
    blank = {"type": "labels", "value": {"start": 5, "end": 10, "text": " Rome", "labels": ["city"]}}
    both = [{"data": {"text": "go to Rome"}, "annotations": [{"result": [region()]}, {"result": [blank]}]}]
    assert spans(slots(json.dumps(both).encode())) == [(Span(6, 10, "city"),)]


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (task(region(), text="", my_text="go to Rome", source="web"), {"text_column": "my_text"}),
        (lines({"ner": "go to Rome", "spans": [[6, 10, "city"]]}), {"text_column": "ner"}),
        (lines({"ner": "go to Rome", "spans": [[6, 10, "city"]]}), {}),
        (
            lines({"ner": "go to Rome", "gold": [[6, 10, "city"]], "note": "x"}),
            {"text_column": "ner", "label_column": "gold"},
        ),
        (
            lines({"q": "go to Rome", "spans": [{"start": 6, "end": 10, "label": "city"}], "answer": "accept"}),
            {"text_column": "q"},
        ),
        (lines({"q": "go to Rome", "n": "x", "label": [[6, 10, "city"]]}), {"text_column": "q"}),
        (lines({"ner": "go to Rome", "label": [[6, 10, "city"]], "created_at": "2021-08-23T12:19:18Z", "id": 3}), {}),
        (lines({"text": "go to Rome", "entities": {"start": [6], "end": [10], "type": ["city"]}}), {}),
        (b'q,label,who\ngo to Rome,"[[6, 10, ""city""]]",me\n', {"text_column": "q"}),
        (b'text,a,b\ngo to Rome,"[[0, 2, ""x""]]","[[6, 10, ""city""]]"\n', {"label_column": "b"}),
    ],
)
def test_keys_of_texts_and_spans_are_obeyed(data: bytes, options: dict[str, Any]) -> None:
    asked = WantedParts(Task.SLOT_FILLING, options.get("text_column"), options.get("label_column"))
    assert looks_like_slots(data, "texts", asked)
    read = slots(data, "texts", **options)
    assert read.corpus.texts == ("go to Rome",)
    assert spans(read) == [(Span(6, 10, "city"),)]


@pytest.mark.parametrize("key", ["data", "text", "sentence"])
def test_doccano_under_the_keys_of_its_versions(key: str) -> None:
    assert labels(read_corpus(lines({"id": 1, key: "a nice day", "label": ["pos"]}), "doccano.jsonl")) == ["pos"]


def test_several_texts_ask_for_a_key() -> None:
    with pytest.raises(
        DataFileError, match=r"has no 'text'.*\(keys found: 'a', 'b'\); name its key with --text-column"
    ):
        read_corpus(b'[{"data": {"a": "x y", "b": "z"}, "annotations": []}]', "tasks.json")


def suggestion(start: int, end: int, annotation: str = "accept", **more: Any) -> dict[str, Any]:
    span = {"start": start, "end": end, "label": "city"}
    return {"text": "from Rome to Oslo", "spans": [span], "answer": annotation, "_is_binary": True, **more}


def test_accepted_suggestions_are_partial() -> None:
    data = lines(suggestion(5, 9), suggestion(13, 17), suggestion(10, 12, "reject"))
    assert looks_like_slots(data, "prodigy.jsonl")
    read = slots(data, "prodigy.jsonl")
    assert (read.corpus.texts, spans(read)) == (("from Rome to Oslo",), [None])
    assert f"2 rows {PARTIAL} (first on line 1)." in read.notes
    assert "2 rows about a single suggestion joined with another row of the same text." in read.notes


def test_a_whole_prediction_stands_for_its_suggestions() -> None:
    whole = {**suggestion(5, 9), "_is_binary": False}
    read = slots(lines(suggestion(5, 9), whole), "prodigy.jsonl")
    assert spans(read) == [(Span(5, 9, "city"),)]
    assert "1 row about a single suggestion joined with another row of the same text." in read.notes


def test_older_suggestions_are_known_by_their_scores() -> None:
    older = {
        "text": "from Rome to Oslo",
        "spans": [{"start": 5, "end": 9, "label": "city", "score": 0.7}],
        "meta": {"score": 0.7},
        "answer": "accept",
        "_input_hash": 1,
    }
    assert spans(slots(lines(older, older), "prodigy.jsonl")) == [None]


def test_suggested_labels_of_one_text_become_one_row() -> None:
    def row(label: str, annotation: str) -> dict[str, Any]:
        return {"text": "hi", "label": label, "answer": annotation, "_is_binary": True, "_input_hash": 4}

    assert labels(read_corpus(lines(row("a", "reject"), row("b", "accept")), "prodigy.jsonl")) == ["b"]
    read = read_corpus(
        lines(row("a", "accept"), row("b", "accept"), {**row("c", "accept"), "_input_hash": 5, "text": "x"}), "p.jsonl"
    )
    assert labels(read) == ["c"]
    assert "several labels were accepted: 'a', 'b'; a text has one label here: keep one of them" in str(
        read.bad_rows[0]
    )


RASA = {
    "rasa_nlu_data": {
        "common_examples": [
            {
                "text": "fly to oslo",
                "intent": "trip",
                "entities": [{"start": 7, "end": 11, "value": "OSL", "entity": "city name"}],
            },
            {"text": "hello", "intent": "greet", "entities": []},
        ],
        "regex_features": [{"name": "zip", "pattern": "x"}],
    }
}
PIECES = {"data": [{"text": "fly to "}, {"text": "oslo", "entity": "city"}]}
SNIPS = {"trip": [PIECES], "greet": [{"data": [{"text": "hello"}]}]}
SNIPS_INTENTS = {
    "entities": {},
    "intents": {"trip": {"utterances": [PIECES]}, "greet": {"utterances": [{"data": [{"text": "hello"}]}]}},
}


@pytest.mark.parametrize("data", [RASA, SNIPS, SNIPS_INTENTS], ids=["rasa", "snips", "snips intents"])
@pytest.mark.parametrize("indent", [None, 2])
def test_one_object_of_a_chatbot_tool(data: Any, indent: int | None) -> None:
    written = json.dumps(data, indent=indent).encode()
    assert looks_like_slots(written, "nlu.json")
    read = slots(written, "nlu.json")
    assert read.corpus.texts == ("fly to oslo", "hello")
    assert [[(span.start, span.end) for span in found or ()] for found in spans(read)] == [[(7, 11)], []]
    assert labels(read_corpus(written, "nlu.json")) == ["trip", "greet"]


def test_one_object_that_holds_no_texts_is_named() -> None:
    written = json.dumps({"version": "3.1", "nlu": [{"intent": "a"}]}, indent=1).encode()
    with pytest.raises(DataFileError, match=r"is one JSON object \(keys: 'version', 'nlu'\) in place of one for each"):
        read_corpus(written, "nlu.json")


def test_a_row_that_pandas_wrote_by_columns_gets_advice() -> None:
    data = {"text": {"7": "a b"}, "y": {"7": 1}}
    with pytest.raises(DataFileError, match=r'With pandas, write it with to_json\(path, orient="records"\)\.'):
        read_corpus(json.dumps(data).encode(), "texts.json")


def test_objects_over_several_lines() -> None:
    rows = [{"text": "a b", "label": "x"}, {"text": "c", "label": "y"}]
    read = read_corpus("\n".join(json.dumps(row, indent=2) for row in rows).encode(), "texts.json")
    assert (labels(read), read.lines) == (["x", "y"], (1, 5))
    found = slots(json.dumps({"text": "go to Rome", "spans": [[6, 10, "city"]]}, indent=2).encode())
    assert spans(found) == [(Span(6, 10, "city"),)]


@pytest.mark.parametrize("extra", ['{"a": 1}', "[1, 2]", "NaN", "-Infinity", '[{"b": NaN}]', "null"])
def test_a_key_that_nobody_reads_costs_no_row(extra: str) -> None:
    data = f'{{"text": "hi you", "label": "a", "meta": {extra}}}\n{{"text": "bye", "label": NaN, "meta": {extra}}}\n'
    read = read_corpus(data.encode(), "texts.jsonl")
    assert labels(read) == ["a", None]
    assert read.bad_rows == ()
    reported = [note.partition(".")[0] for note in read.notes if "'meta'" in note]
    assert reported == (["Keys with lists or objects were left out: 'meta'"] if extra == "[1, 2]" else [])
    assert read.columns is not None
    assert read.columns.not_read == (("meta.a",) if extra[0] == "{" else ())


def test_a_list_in_place_of_a_label_is_refused() -> None:
    read = read_corpus(b'{"text": "a", "label": "x"}\n{"text": "b", "label": {"y": 1}}\n', "texts.jsonl")
    assert labels(read) == ["x"]
    assert "line 2: 'label' holds an object; a text" in str(read.bad_rows[0])


@pytest.mark.skipif(not spacy_is_installed(), reason="spaCy is not installed: pip install 're2nn-studio[spacy]'")
class TestSpanGroups:
    """Span groups of a DocBin."""

    @staticmethod
    def docbin(groups: dict[str, list[tuple[int, int, str]]], entities: bool = False) -> bytes:
        from spacy.tokens import Doc, DocBin
        from spacy.tokens import Span as Words
        from spacy.vocab import Vocab

        doc = Doc(Vocab(), words=["go", "to", "New", "York"], spaces=[True, True, True, False])
        if entities:
            doc.set_ents([Words(doc, 3, 4, "state")], default="outside")
        for key, found in groups.items():
            doc.spans[key] = [Words(doc, start, end, slot) for start, end, slot in found]
        stored = DocBin(attrs=["ORTH", "ENT_IOB", "ENT_TYPE"])
        stored.add(doc)
        return stored.to_bytes()

    def test_the_only_group_is_read(self) -> None:
        data = self.docbin({"sc": [(2, 4, "city")]})
        assert looks_like_slots(data, "texts.spacy")
        read = slots(data, "texts.spacy")
        assert spans(read) == [(Span(6, 14, "city"),)]
        assert "1 row with spans of the group 'sc' in place of entities (first in document 1)." in read.notes

    def test_of_several_one_is_named(self) -> None:
        data = self.docbin({"a": [(2, 4, "city")], "b": [(0, 1, "verb")]})
        assert spans(slots(data, "texts.spacy", label_column="b")) == [(Span(0, 2, "verb"),)]
        read = slots(data, "texts.spacy")
        assert spans(read) == [None]
        assert any("span groups that are not read ('a', 'b'); --label-column names one" in note for note in read.notes)

    def test_entities_come_before_groups(self) -> None:
        data = self.docbin({"sc": [(2, 4, "city")]}, entities=True)
        read = slots(data, "texts.spacy")
        assert spans(read) == [(Span(10, 14, "state"),)]
        assert any("span groups that are not read ('sc')" in note for note in read.notes)
        assert spans(slots(data, "texts.spacy", label_column="sc")) == [(Span(6, 14, "city"),)]
