"""JSON of chatbot tools, one value for the whole file: Rasa's `rasa_nlu_data`, the data sets of Snips, the sentences
of Dialogflow and the applications of LUIS.

    {"rasa_nlu_data": {"common_examples": [{"text": "fly to oslo", "intent": "trip", "entities": [
        {"start": 7, "end": 11, "value": "oslo", "entity": "city"}]}]}}
    {"trip": [{"data": [{"text": "fly to "}, {"text": "oslo", "entity": "city"}]}]}
    {"userSays": [{"data": [{"text": "fly to "}, {"text": "oslo", "alias": "city"}]}]}       of Dialogflow
    [{"data": [{"text": "fly to "}, {"text": "oslo", "alias": "city"}]}]                     of Dialogflow, in a zip
    {"luis_schema_version": "3.2", "utterances": [{"text": "to oslo", "intent": "trip", "entities": [
        {"entity": "city", "startPos": 3, "endPos": 6}]}]}
    {"intents": {"trip": {"utterances": [{"data": [...]}]}}, "entities": {...}}

The `value` of an entity is what the bot works with, which may be a synonym, so offsets are not checked by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from re2nn_core.exchange.annotation_tools.annotated import AnnotatedRow, AnnotatedRows, text_under
from re2nn_core.exchange.counted_offsets import SpanInFile
from re2nn_core.exchange.span_cells import spans_of_value
from re2nn_core.exchange.tables.jsonl import JsonObject, Spelled, kind_of, object_of, parse_whole
from re2nn_core.exchange.tables.table import RefusedError

INTENT_LEFT = (
    "with an intent, which a project of slots does not hold; to read intents as labels, import the file into a project "
    "of its own with --task classification"
)
ENTITIES_LEFT = (
    "with entities, which a project of labels does not hold; to read them as slots, import the file into a project of "
    "its own with --task slots"
)
_SAMPLE = 64 * 1024
# Under this key the sentences of one intent stand, which the name of the file tells.
_DIALOGFLOW = "userSays"
_RASA = re.compile(r'\s*\{\s*"rasa_nlu_data"\s*:')
_SNIPS = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*\{\s*"data"\s*:\s*\[')
_SNIPS_INTENTS = re.compile(r'"intents"\s*:\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{\s*"utterances"\s*:')
_SENTENCES = re.compile(r'\s*(?:\{\s*"userSays"\s*:\s*)?\[\s*\{[^\[\]{}]*"data"\s*:\s*\[\s*\{\s*"text"')
_LUIS = re.compile(r'\s*\{[^\[\]{}]*"luis_schema_version"\s*:')
_ENTITY = re.compile(r'"(?:entity|alias)"\s*:')
_LUIS_ENTITY = re.compile(r'"startPos"\s*:')
_READ = ("common_examples", "intent_examples", "entity_examples")


def is_nlu_json(text: str) -> bool:
    """True for a file of these tools, by how it begins."""
    sample = text[:_SAMPLE]
    if any(begins.match(sample) for begins in (_RASA, _SNIPS, _SENTENCES, _LUIS)):
        return True
    return sample.lstrip().startswith("{") and _SNIPS_INTENTS.search(sample) is not None


def holds_entities(sample: str) -> bool:
    """True where an entity stands in the beginning of such a file."""
    return (_LUIS_ENTITY if _LUIS.match(sample) else _ENTITY).search(sample) is not None


def nlu_items(text: str, read: AnnotatedRows) -> Iterator[object]:
    """The examples as objects with text, intent and entities, or the reason why there is none."""
    whole = parse_whole(text)
    if isinstance(whole, RefusedError):
        yield whole
        return
    if isinstance(whole, list):
        yield from (_snips_example(None, sentence) for sentence in whole)
        return
    values = object_of(whole)
    if "luis_schema_version" in values and isinstance(values.get("utterances"), list):
        yield from map(_luis_example, values["utterances"])
        return
    rasa = values.get("rasa_nlu_data")
    if isinstance(rasa, JsonObject):
        yield from _rasa_examples(object_of(rasa), read)
        return
    intents = values.get("intents")
    if isinstance(intents, JsonObject):
        yield from _snips_examples({name: dict(intent).get("utterances") for name, intent in intents})
    else:
        yield from _snips_examples(values)


def _rasa_examples(data: dict[str, Any], read: AnnotatedRows) -> Iterator[object]:
    for key, value in data.items():
        if key in _READ and isinstance(value, list):
            yield from value
        elif value:
            read.notes.append(f"Not read: '{key}'.")


def _luis_example(utterance: object) -> object:
    """An utterance with its entities as the others have them: LUIS counts the last character in."""
    if not isinstance(utterance, JsonObject):
        return utterance
    values = dict(utterance)
    entities = [dict(entity) for entity in values.get("entities") or () if isinstance(entity, JsonObject)]
    found = [
        JsonObject((("start", one.get("startPos")), ("end", _behind(one.get("endPos"))), ("entity", one.get("entity"))))
        for one in entities
    ]
    return JsonObject((*((key, value) for key, value in utterance if key != "entities"), ("entities", found)))


def _behind(place: object) -> object:
    return Spelled(int(place) + 1) if isinstance(place, Spelled) and place.isdecimal() else place


def _snips_examples(intents: dict[str, Any]) -> Iterator[object]:
    for intent, utterances in intents.items():
        if not isinstance(utterances, list):
            yield RefusedError(f"'{intent}' holds {kind_of(utterances)}; a list of utterances is expected")
            continue
        for utterance in utterances:
            yield _snips_example(None if intent == _DIALOGFLOW else intent, utterance)


def _snips_example(intent: str | None, utterance: object) -> object:
    """An utterance, given as pieces of text of which some are entities."""
    pieces = dict(utterance).get("data") if isinstance(utterance, JsonObject) else None
    if not isinstance(pieces, list) or not all(isinstance(piece, JsonObject) for piece in pieces):
        return RefusedError(f"holds {kind_of(utterance)}; an object with a list of pieces under 'data' is expected")
    text, entities = "", []
    for piece in map(dict, pieces):
        words = str(piece.get("text", ""))
        name = piece.get("slot_name") or piece.get("entity") or piece.get("alias")
        if name is not None:
            place = (Spelled(len(text)), Spelled(len(text) + len(words)))
            entities.append(JsonObject((("start", place[0]), ("end", place[1]), ("entity", name), ("text", words))))
        text += words
    return JsonObject((("text", text), ("intent", intent), ("entities", entities)))


def read_nlu_example(line: int, values: dict[str, Any], read: AnnotatedRows) -> AnnotatedRow:
    """One example; RefusedError tells what is wrong with it."""
    text = text_under(values, "text")
    read.keys.text["text"] += 1
    if read.asked.spans:
        read.controls["entities"] += 1
        read.keys.annotation["entities"] += 1
        read.keys.rest["intent"] += isinstance(values.get("intent"), str)
        if isinstance(values.get("intent"), str):
            read.remark(INTENT_LEFT, line)
        return AnnotatedRow(line, text, spans=_spans(values))
    read.controls["intent"] += 1
    if values.get("entities"):
        read.remark(ENTITIES_LEFT, line)
    label = values.get("intent")
    if label is not None and not isinstance(label, str):
        raise RefusedError(f"'intent' holds {kind_of(label)}; a text is expected")
    return AnnotatedRow(line, text, (label or "").strip() or None)


def _spans(values: dict[str, Any]) -> tuple[SpanInFile, ...]:
    found = values.get("entities")
    return () if found is None else spans_of_value("entities", found)
