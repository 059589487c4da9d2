"""Slot data as JSON lines: words with tags, or a text with spans, as the common tools for labelling write them.

    {"tokens": ["fly", "to", "oslo"], "tags": ["O", "O", "B-city"]}
    {"text": "fly to oslo", "spans": [[7, 11, "city"]], "split": "train"}
    {"text": "fly to oslo", "entities": [{"start": 7, "end": 11, "label": "city"}]}

`split` is optional, and may have another name where it holds splits alone; spans may be called spans, entities, labels
or label, and spans or tags may be left out or null where nobody has labelled the text. Which keys were read is in
`columns`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from re2nn_core.exchange.annotation_tools.annotated import WantedParts, text_key, text_under
from re2nn_core.exchange.annotation_tools.conll.lines import is_tag
from re2nn_core.exchange.remarks import Remarks
from re2nn_core.exchange.slot_filling.named_splits import NamedSplits
from re2nn_core.exchange.span_cells import as_span_objects, is_spans_cell, span_paths, spans_of_value
from re2nn_core.exchange.span_rows import SlotRow, SlotRows, joined_words, split_of
from re2nn_core.exchange.spans_by_words import FOUND, are_in_text, named_by_words, with_offsets
from re2nn_core.exchange.tables.column_choice import choice_of_keys
from re2nn_core.exchange.tables.header import LABEL_NAMES, TEXT_NAMES, column_role
from re2nn_core.exchange.tables.jsonl import (
    JsonObject,
    Spelled,
    is_object,
    is_spread,
    json_items,
    kind_of,
    object_of,
    parse_line,
)
from re2nn_core.exchange.tables.nested.inside import text_paths, value_at, values_inside
from re2nn_core.exchange.tables.nested.json_rows import JsonRows
from re2nn_core.exchange.tables.table import BadRow, Progress, RefusedError
from re2nn_core.task import Task

WORD_KEYS = ("tokens", "words", "tokenized_text")
TAG_KEYS = ("tags", "ner_tags", "slot_tags", "bio_tags", "labels", "slots", "ner")
SPAN_KEYS = (
    *("spans", "entities", "labels", "label", "annotation", "textSegmentAnnotations"),
    *("Entities", "named_entities", "ents", "ner"),
)
_READ = ("tokens", "tags", "split")
_OF_WORDS = ("spans", "entities", "Entities", "named_entities", "ents", "ner")
_INSIDE = (*_OF_WORDS, "slots", "mentions")
_DEEPEST = 12  # lists and objects in each other
_SPANS_ALONE = ("spans", "entities")  # the others may hold a label of the whole text
_ANNOTATIONS = ("confidence", "sureness")  # what `re2nn predict` writes next to spans, and what it wrote before
_PLACES = ("start", "begin", "end", "offset", "from", "to", "position", "span", "points", "char", "indices", "range")
_NO_TEXTS = (*SPAN_KEYS[:-1], *_READ, *_ANNOTATIONS)  # under "ner" some have the text itself
_EVERY = 10_000
_LOOK = 20
_SHOWN = 6
_SPANS = WantedParts(Task.SLOT_FILLING)
_ELSEWHERE = "with spans under '{path}', which were not read: name the key of the spans with --label-column"


def is_json(text: str) -> bool:
    """True if one of the first lines is a JSON object, or the text an array of objects."""
    lines = [line for line in text[: 64 * 1024].split("\n") if line.strip()]
    if any(is_object(line) for line in lines[:_LOOK]):
        return True
    if is_spread(text):
        return True
    if not text.lstrip().startswith(("[", "{")):
        return False
    counted = JsonRows()
    items = [item for _, _, item in islice(json_items(text, counted), _LOOK)]
    return any(isinstance(item, JsonObject) for item in items) or bool(counted.form)


def object_has_slots(values: Mapping[str, Any], key: str | None = None) -> bool:
    """True if an object gives words with tags, or spans, under the key that a person named or a usual one."""
    if _has_own_slots(values, key):
        return True
    paths = span_paths_of(values) if key is None else []
    return len(paths) == 1 and (bool(span_paths(values)) or not _has_label_inside(values, paths[0]))


def _has_own_slots(values: Mapping[str, Any], key: str | None) -> bool:
    """The same, with the spans under the key itself and not deeper inside."""
    values, _ = with_usual_keys(values, key)
    if isinstance(values.get("tags"), list) and isinstance(values.get("tokens"), list):
        return True
    keys = SPAN_KEYS if key is None else (key,)
    found = (as_span_objects(values.get(name)) for name in keys)
    if any(isinstance(items, list) and items and _may_be_spans(items) for items in found):
        return True
    return _names_words(values, [name for name in keys if name in _OF_WORDS or key is not None])


def span_paths_of(values: Mapping[str, Any]) -> list[str]:
    """The paths of the spans inside of a row, {"answer": {"entities": [...]}}; none where the text has a label: that is
    what was asked of it."""
    if _has_label(values):
        return []
    return span_paths(values) or _paths_of_words(values)


def _paths_of_words(values: Mapping[str, Any]) -> list[str]:
    """The same for spans that are named by words of the text, {"answer": {"entities": [{"name": "Oslo", "type":
    "city"}]}}."""
    text = values.get(text_key(values, None, _NO_TEXTS))
    if not isinstance(text, str):
        return []
    inside = (found for key, value in values.items() for found in _under_names_of_spans(key, value, 1))
    return [path for path, inner in inside if are_in_text(inner, text)]


def _under_names_of_spans(path: str, value: object, depth: int) -> Iterator[tuple[str, object]]:
    """What is under the names of spans, inside of the objects and lists of a value, with its paths."""
    named = value if isinstance(value, JsonObject) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in named if depth <= _DEEPEST else ():
        if name in _INSIDE:
            yield f"{path}.{name}", inner
        else:
            yield from _under_names_of_spans(f"{path}.{name}", inner, depth + 1)


def _has_label_inside(values: Mapping[str, Any], spans_at: str) -> bool:
    """True for a label of the text next to its spans, inside of an object."""
    paths = (path for key, value in values.items() for path, _ in values_inside(key, value))
    others = (path for path in paths if not path.startswith(f"{spans_at}."))
    return any(column_role(path.rpartition(".")[2]) in LABEL_NAMES for path in others)


def _has_label(values: Mapping[str, Any]) -> bool:
    return any(column_role(name) in LABEL_NAMES and isinstance(value, str) for name, value in values.items())


def _names_words(values: Mapping[str, Any], keys: Iterable[str]) -> bool:
    """True for spans that are named by their words alone, under one of the keys, where the text has no label: labels
    may be words of the text by chance, and were given for it."""
    text = values.get(text_key(values, None, _NO_TEXTS))
    return (
        isinstance(text, str) and not _has_label(values) and any(are_in_text(values.get(name), text) for name in keys)
    )


def _may_be_spans(items: list[Any]) -> bool:
    """True for lists, and for objects one of which says where something begins: [{"label": "pos", "score": 0.9}] do
    not."""
    if not isinstance(items[0], JsonObject):
        return isinstance(items[0], list)
    return any(key.casefold().startswith(_PLACES) for item in items if isinstance(item, JsonObject) for key, _ in item)


def with_usual_keys(values: Mapping[str, Any], key: str | None = None) -> tuple[Mapping[str, Any], dict[str, str]]:
    """A row with its words under "tokens" and the tags of these under "tags", and what both are called in the file.
    `key`: where a person says the tags are."""
    values = _with_parsed_spans(values)
    words = next((name for name in WORD_KEYS if _are_texts(values.get(name))), None)
    if words is None:
        return _with_words_of_text(values, key)
    length = len(values[words])
    asked = TAG_KEYS if key is None else (key,)
    tags = next((name for name in asked if _are_tags(name, values.get(name), length)), None)
    names = {"tokens": words, **({} if tags is None else {"tags": tags})}
    kept = {name: value for name, value in values.items() if name not in names.values()}
    return {**kept, **{usual: values[name] for usual, name in names.items()}}, names


def _with_parsed_spans(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row with spans that are JSON in a text, as in cells of tables, as lists."""
    written = {
        name: values[name] for name in SPAN_KEYS if isinstance(values.get(name), str) and values[name][:1] == "["
    }
    parsed = {name: parse_line(value) for name, value in written.items() if is_spans_cell(value)}
    return {**values, **parsed} if parsed else values


def _with_words_of_text(values: Mapping[str, Any], key: str | None) -> tuple[Mapping[str, Any], dict[str, str]]:
    """The same for a text with as many tags in a list as it has words between blanks."""
    text = next((name for name in TEXT_NAMES if isinstance(values.get(name), str)), None)
    words = [] if text is None else values[text].split()
    asked = TAG_KEYS if key is None else (key,)
    tags = next((name for name in asked if _are_texts(values.get(name)) and len(values[name]) == len(words)), None)
    if text is None or tags is None or not all(map(is_tag, values[tags])):
        return values, {}
    kept = {name: value for name, value in values.items() if name not in (text, tags)}
    return {**kept, "tokens": words, "tags": values[tags]}, {"tokens": text, "tags": tags}


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _are_tags(key: str, value: object, words: int) -> bool:
    """True for one tag a word; what is under the name of tags may be wrong, what is under that of labels may be no tags
    at all."""
    if not isinstance(value, list) or key == "tags":
        return isinstance(value, list)
    tags = _are_texts(value) and len(value) == words
    return tags and (key not in ("labels", "slots", "ner") or all(map(is_tag, value)))


def read_slot_jsonl(
    text: str, asked: WantedParts = _SPANS, on_progress: Progress | None = None, *, with_spans: bool = True
) -> SlotRows:
    """The rows of a JSON lines text or of one JSON array; without `with_spans` their marks are not looked at. `asked`
    names the keys of texts and spans where they have no usual name."""
    result, counted, by_words, splits = SlotRows(), JsonRows(), False, NamedSplits()
    filled: Counter[str] = Counter()
    elsewhere = Remarks()
    items = json_items(text, counted)
    first = list(islice(items, _LOOK)) if asked.label is None and with_spans else []
    asked = replace(asked, label=_path_of_spans(item for _, _, item in first)) if first else asked
    read_from: dict[str, Counter[str]] = {what: Counter() for what in ("text", "spans", "split")}
    for count, (line, share, item) in enumerate(chain(first, items), start=1):
        try:
            usual, names = with_usual_keys(object_of(item), asked.label)
            values = dict(usual)
            values |= {path: value_at(values, path) for path in (asked.text, asked.label) if path and "." in path}
            if not with_spans:
                values = _without_marks(values)
            text_at, spans_at = _text_at(values, asked), _span_key(values, asked)
            if asked.text is not None:
                text_under(values, text_at)
            written = values.get(text_at)
            if spans_at is not None and isinstance(written, str) and named_by_words(values[spans_at]):
                values[spans_at] = with_offsets(spans_at, values[spans_at], written)
                by_words = True
            result.rows.append(_row(line, values, text_at, spans_at))
            splits.take(values, (text_at, spans_at))
            others = [path for path in span_paths_of(usual) if path != asked.label] if with_spans else []
            if others:
                elsewhere.add(_ELSEWHERE.format(path=others[0]), f"on line {line:,}")
            kept = (key for key, value in values.items() if value is not None and key not in _ANNOTATIONS)
            filled.update(names.get(key, key) for key in kept if not _is_around(key, text_at, spans_at))
            words = values.get("tags") is not None or values.get(text_at) is None
            read_from["text"][names.get("tokens", "tokens") if words else text_at] += 1
            read_from["spans"][spans_at or (names.get("tags", "tags") if words else "")] += 1
            read_from["split"]["split" if values.get("split") else ""] += 1
        except RefusedError as reason:
            result.bad_rows.append(BadRow(line, str(reason)))
        if on_progress is not None and count % _EVERY == 0:
            on_progress(share)
    result.notes += (*counted.notes(), *((FOUND,) if by_words else ()), *elsewhere.notes())
    if result.rows:
        text, spans, split = (
            max((key for key in keys if key), key=keys.__getitem__, default="") for keys in read_from.values()
        )
        if not split and splits.key is not None:
            result.rows, split = splits.rows(result.rows), splits.key
        result.columns = choice_of_keys(text, spans or None, split or None, filled, len(result.rows))
    return result


def _is_around(key: str, *paths: str | None) -> bool:
    """True for the key of an object inside of which one of the paths is."""
    return any(path is not None and path.startswith(f"{key}.") for path in paths)


def _path_of_spans(items: Iterable[object]) -> str | None:
    """The one path of spans inside of the first rows; None where some have their spans under a usual key, or there are
    several paths."""
    paths: set[str] = set()
    for item in items:
        try:
            values = object_of(item)
        except RefusedError:
            continue
        if _has_own_slots(values, None) or not set(WORD_KEYS).isdisjoint(values):
            return None
        paths.update(span_paths_of(values))
    return paths.pop() if len(paths) == 1 else None


def _without_marks(values: Mapping[str, Any]) -> dict[str, Any]:
    """The words or the text of a row, whatever is wrong with its marks."""
    kept = {key: value for key, value in values.items() if key not in ("tags", *SPAN_KEYS)}
    if values.get("tags") is not None and isinstance(values.get("tokens"), list):
        kept.pop("text", None)
    return kept


def _text_at(values: Mapping[str, Any], asked: WantedParts) -> str:
    if isinstance(values.get("tokens"), list):  # then what has another name than one of texts is no text
        values = {name: value for name, value in values.items() if name in TEXT_NAMES}
    return text_key(values, asked.text, _NO_TEXTS)


def _row(line: int, values: Mapping[str, Any], text_at: str, span_key: str | None) -> SlotRow:
    split = split_of(values.get("split"))
    tags, text = values.get("tags"), values.get(text_at)
    of_words = text is None and tags is None and span_key is not None
    text = joined_words(values.get("tokens")) if of_words else text
    if tags is not None or (text is None and values.get("tokens") is not None):
        if span_key is not None:
            if tags is None:
                raise RefusedError(
                    f"has 'tokens' and '{span_key}', whose offsets need the text: give it under 'text', or "
                    "the tags of the words under 'tags'"
                )
            raise RefusedError(f"has both 'tags' and '{span_key}'; keep one of them")
        return _tagged(line, split, values)
    if text is None:
        found = ", ".join(repr(key[:40]) for key in values if values[key] is not None) or "none"
        paths = [path for key in values for path in text_paths(key, values[key]) if path not in values]
        inside = f", and texts inside of them under {', '.join(map(repr, paths[:_SHOWN]))}" if paths else ""
        raise RefusedError(
            f"has no '{text_at}' with 'spans' and no 'tokens' with 'tags' (keys found: {found}{inside}); --text-column "
            "names the key of the texts, such as message.text"
        )
    if not isinstance(text, str) or isinstance(text, Spelled):
        raise RefusedError(f"'{text_at}' holds {kind_of(text)}; a text is expected")
    spans = None if span_key is None else spans_of_value(span_key, values[span_key])
    return SlotRow(line, split, text=text, spans=spans, of_words=of_words)


def _tagged(line: int, split: str | None, values: Mapping[str, Any]) -> SlotRow:
    words = _strings("tokens", values.get("tokens"))
    tags = None if values.get("tags") is None else _strings("tags", values["tags"])
    text = values.get("text")
    if text is not None and text != " ".join(words):
        raise RefusedError("'text' is not its tokens with one blank between; leave it out, or give it with 'spans'")
    return SlotRow(line, split, tokens=words, tags=tags)


def _strings(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        found = "is missing" if value is None else f"holds {kind_of(value)}"
        raise RefusedError(f"'{key}' {found}; a list of texts is expected")
    for number, item in enumerate(value, start=1):
        if not isinstance(item, str):
            raise RefusedError(f"'{key}' holds {kind_of(item)} in place {number}; a text is expected")
    return tuple(value)


def _span_key(values: Mapping[str, Any], asked: WantedParts) -> str | None:
    """The key that holds the spans: the one asked for, a list under one of the usual names, or what should be one."""
    if asked.label is not None:
        return asked.label if values.get(asked.label) is not None else None
    found = [key for key in SPAN_KEYS if isinstance(values.get(key), list)]
    found += [key for key in _SPANS_ALONE if key not in found and values.get(key) is not None]
    if len(found) > 1:
        raise RefusedError(f"has spans under {' and '.join(map(repr, found))}; keep one of them")
    return found[0] if found else None
