"""Files that list labels and hold no texts, as tools for labelling and training keep them: each is refused by name.

[{"id": 1, "text": "fare", "suffix_key": "f", "background_color": "#209cee", "text_color": "#ffffff"}]    doccano
[{"name": "fare", "color": "#209cee"}]         label,color,hotkey                          other tools, as CSV too
["PERSON", "ORG"]     {"ner": ["PERSON", "ORG"]}                                           lists for Prodigy, spaCy
{"label": "GPE", "pattern": [{"lower": "oslo"}]}     {"id": "FARE", "text": "Fare"}        patterns and choices
{"id2label": {"0": "fare"}}     {"fare": 0, "trip": 1}                                     models of Hugging Face

Without this the names of the labels are read as texts, and their colours as labels.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from re2nn_core.exchange.annotation_tools.annotated import WantedParts
from re2nn_core.exchange.tables.delimited import guess_separator, physical_lines
from re2nn_core.exchange.tables.foreign_texts import ForeignTextError
from re2nn_core.exchange.tables.header import TEXT_NAMES
from re2nn_core.exchange.tables.jsonl import JsonObject, Spelled, is_object, object_of, parse_line, parse_whole
from re2nn_core.exchange.tables.nested.columns_in_object import rows_of_columns
from re2nn_core.exchange.tables.nested.inside import labels_of_texts, listed_texts
from re2nn_core.exchange.tables.table import RefusedError

# Lists of labels are short; what is longer holds texts.
_LONGEST, _SAMPLE, _LOOK = 2**20, 64 * 1024, 200
_COLOUR = re.compile(r"#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([^()]*\)|[a-z]{3,20}", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d_][\w.:/-]{0,60}")
_NAMES = ("text", "name", "label", "title", "value")
_KEYS_TO_PRESS = frozenset(("prefixkey", "suffixkey", "hotkey", "shortcut", "shortcutkey"))
_OF_DOCCANO = frozenset(("backgroundcolor", "textcolor"))
# What else a definition has, where it has no key to press.
_BESIDE = frozenset(
    (*_NAMES, *_KEYS_TO_PRESS, "id", "uuid", "description", "parent", "type", "order", "alias", "background", "active")
)
_LISTS = frozenset(
    ("ner", "textcat", "textcat_multilabel", "tagger", "parser", "spancat", "labels", "intents", "entities", "classes")
)
# Keys that are together in one object around lists of labels.
_AROUND = (("id2label",), ("label2id",), ("tools", "classifications"), ("pipeline", "labels"), ("features", "splits"))


@dataclass(frozen=True)
class _Kind:
    """What the file looks like, and what to do; `rows`: its objects can be read as texts all the same."""

    what: str
    advice: str
    rows: bool = False


_EXPORT = "Export the annotated texts from the tool that defines these labels, and import that."
_DOCCANO = _Kind(
    "the definitions of labels of doccano, which list labels and no texts",
    "In doccano, export the texts (Dataset, Actions, Export dataset) and import that.",
    rows=True,
)
_COLOURED = _Kind("definitions of labels with their colours, not texts", _EXPORT, rows=True)
_LISTED = _Kind("a list of labels, not texts", "Import the texts that have these labels.")
_CHOICES = _Kind(
    "the choices of a task of Prodigy, not texts", "In Prodigy, write the texts by db-out and import that.", rows=True
)
_PATTERNS = _Kind(
    "patterns of Prodigy or spaCy, not texts",
    "Import the texts (in Prodigy, db-out writes them), and write the patterns as rules on the page Write rules.",
)
_SAME = " To read its rows as texts all the same, say which key or column holds these with --text-column."
_NUMBERED = _Kind("labels with their numbers, not texts", "Import the texts that have these labels.")
_DESCRIBED = _Kind(
    "the description of a model, a data set or a task, which lists labels and no texts",
    "Import the texts that have these labels.",
)


def refuse_label_definitions(text: str, name: str, format: str | None, asked: WantedParts) -> None:
    """ForeignTextError for a text of labels alone, unless somebody named its format or keys; `name` is that of its
    file."""
    if format not in (None, "doccano") or asked.text is not None or asked.label is not None:
        return
    start = text[:_SAMPLE].lstrip("\ufeff \t\r\n")
    is_json = start.startswith(("[", "{"))
    kind = _kind_of_json(text.lstrip("\ufeff")) if is_json else _kind_of_table(start)
    if kind is None:
        return
    raise ForeignTextError(f"'{name}' looks like {kind.what}. {kind.advice}{_SAME if kind.rows else ''}")


def _kind_of_json(text: str) -> _Kind | None:
    items = _items(text)
    if items and all(map(_is_name, items)):
        return _LISTED
    try:
        rows = [object_of(item) for item in items]
    except RefusedError:
        return None
    if len(rows) == 1 and (kind := _kind_of_object(rows[0])) is not None:
        return kind
    if rows and all(map(_is_pattern, rows)) and any(isinstance(row["pattern"], list) for row in rows):
        return _PATTERNS
    if rows and all(map(_is_choice, rows)):
        return _CHOICES
    return _kind_of_rows(rows)


def _items(text: str) -> Sequence[object]:
    """The items of an array, of the lines at the beginning, or the object that is all of a text."""
    if is_object(physical_lines(text[:_SAMPLE].lstrip())[0]):
        complete = text if len(text) <= _SAMPLE else text[:_SAMPLE].rpartition("\n")[0]
        lines = (line.strip().rstrip(",") for line in physical_lines(complete))
        items = [parse_line(line) for line in islice(filter(None, lines), _LOOK)]
        return items if len(items) > 1 else _whole(items[0])
    whole = parse_whole(text) if len(text) <= _LONGEST and not _is_list_a_line(text) else None
    return whole[:_LOOK] if isinstance(whole, list) else _whole(whole)


def _whole(item: object) -> Sequence[object]:
    """The object that is all of a text; nothing where rows of texts are in it."""
    if not isinstance(item, JsonObject) or labels_of_texts(item) or listed_texts(item) or rows_of_columns(item):
        return []
    return [item]


def _is_list_a_line(text: str) -> bool:
    """True for ["to oslo", "trip"] on each line: texts with their labels."""
    lines = [line.strip() for line in physical_lines(text[:_SAMPLE]) if line.strip()]
    return len(lines) > 1 and isinstance(parse_line(lines[0]), list)


def _kind_of_table(start: str) -> _Kind | None:
    """The same for a CSV or TSV with a column of colours; by its beginning."""
    lines = physical_lines(start)[:_LOOK]
    if not lines or not any(word in lines[0].casefold() for word in ("color", "colour")):
        return None
    try:
        first, *cells = csv.reader(lines if len(start) < _SAMPLE else lines[:-1], delimiter=guess_separator(start))
    except csv.Error:
        return None
    return _kind_of_rows([dict(zip(first, row, strict=False)) for row in cells if any(row)])


def _kind_of_rows(rows: Sequence[Mapping[str, Any]]) -> _Kind | None:
    """Definitions with colours, each of a label of its own and without a second name, as a text with its label has."""
    folded = [{_folded(key): value for key, value in row.items()} for row in rows]
    named = [[row[key] for key in _NAMES if row.get(key)] for row in folded]
    if not rows or any(len(names) != 1 for names in named) or len({str(names[0]) for names in named}) < len(named):
        return None
    if not all(map(_is_coloured, folded)):
        return None
    pressed = all(not _KEYS_TO_PRESS.isdisjoint(row) for row in folded)
    known = all(key in _BESIDE or _is_colour_key(key) for row in folded for key in row)
    if not pressed and not known:
        return None
    return _DOCCANO if pressed and all(row.keys() >= _OF_DOCCANO for row in folded) else _COLOURED


def _is_coloured(row: Mapping[str, Any]) -> bool:
    """True for a row with a colour, and no other value under a name of colours."""
    colours = [value for key, value in row.items() if _is_colour_key(key) and value]
    return bool(colours) and all(isinstance(value, str) and _COLOUR.fullmatch(value.strip()) for value in colours)


def _is_colour_key(key: str) -> bool:
    return key.endswith(("color", "colour"))


def _kind_of_object(values: Mapping[str, Any]) -> _Kind | None:
    """What an object that is the whole file lists; None where it has a text."""
    if any(all(key in values for key in keys) for keys in _AROUND) and values.keys().isdisjoint(TEXT_NAMES):
        return _DESCRIBED
    if values and values.keys() <= _LISTS and all(_are_names(value) for value in values.values()):
        return _LISTED
    numbers, names = list(values.values()), list(values)
    if not all(isinstance(number, Spelled) for number in numbers):
        numbers, names = names, numbers
    counted = [str(count) for count in range(len(values) + 1)]
    in_order = numbers in (counted[:-1], counted[1:])
    return _NUMBERED if len(values) > 1 and in_order and all(map(_is_name, names)) else None


def _are_names(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_name, value))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _is_pattern(row: Mapping[str, Any]) -> bool:
    return {"label", "pattern"} <= row.keys() <= {"label", "pattern", "id"}


def _is_choice(row: Mapping[str, Any]) -> bool:
    """True for the name of a label with the same in words: FARE_RULES, Fare rules."""
    return (
        row.keys() == {"id", "text"} and all(map(_is_text, row.values())) and _plain(row["id"]) == _plain(row["text"])
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, Spelled)


def _plain(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _folded(key: str) -> str:
    return key.strip().casefold().replace("_", "").replace("-", "").replace(" ", "")
