"""Tables that one object holds column by column, and lists of rows with the names of their columns next to them:

{"sentences": ["to oslo", "how much"], "labels": ["trip", "fare"]}
{"text": {"0": "to oslo", "1": "how much"}, "label": {"0": "trip", "1": "fare"}}          of pandas
{"columns": ["text", "label"], "data": [["to oslo", "trip"], ["how much", "fare"]]}      of pandas, orient="split"
{"train": {"text": [...], "label": [...]}, "test": {...}}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from re2nn_core.exchange.tables.header import LABEL_NAMES, TEXT_NAMES, column_role
from re2nn_core.exchange.tables.nested.inside import JsonObject, in_split, split_of_key
from re2nn_core.exchange.tables.table import RefusedError
from re2nn_core.text.joined_names import join_names

_FEWEST = 2  # rows
_WORDS = frozenset(("tokens", "words", "tokenized_text"))
_NAMES, _ROWS = "columns", "data"


def rows_of_columns(whole: JsonObject) -> tuple[list[str], list[object]] | None:
    """The rows of a table that is written by columns, and the keys of these; None for all else. The only row is a
    RefusedError where the columns do not have as many values each."""
    return _rows_below_names(whole) or _rows_of_lists(whole) or _rows_of_splits(whole)


def _rows_below_names(whole: JsonObject) -> tuple[list[str], list[object]] | None:
    values = dict(whole)
    names, rows = values.get(_NAMES), values.get(_ROWS)
    if not isinstance(names, list) or not isinstance(rows, list) or not rows or not all(map(_is_word, names)):
        return None
    if not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return None
    return [_ROWS], [JsonObject(zip(names, row, strict=True)) for row in rows]


def _rows_of_lists(whole: JsonObject) -> tuple[list[str], list[object]] | None:
    lists = _as_lists(dict(whole))
    text = next((key for key, values in lists.items() if _are_texts(key, values)), None)
    if text is None:
        return None
    rows = len(lists[text])
    columns = {key: values for key, values in lists.items() if len(values) == rows}
    labels = [key for key in lists if column_role(key) in LABEL_NAMES and key != text]
    if labels and not any(key in columns for key in labels):
        counts = join_names([f"'{key}' {len(lists[key]):,}" for key in labels])
        fault = f"'{text}' has {rows:,} values and {counts}; write as many labels as texts, or one object for each text"
        return [text], [RefusedError(fault)]
    return [*columns], [JsonObject(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _rows_of_splits(whole: JsonObject) -> tuple[list[str], list[object]] | None:
    """The same for each of the splits that the object holds."""
    under: list[str] = []
    rows: list[object] = []
    for key, value in whole:
        split = split_of_key(key)
        found = _rows_of_lists(value) if split is not None and isinstance(value, JsonObject) else None
        if found is None:
            return None
        under.append(key)
        rows += [in_split(row, split) for row in found[1]]
    return (under, rows) if rows else None


def _as_lists(values: Mapping[str, object]) -> dict[str, list[object]]:
    """The columns: lists, and objects with numbers for keys, the same ones in each of them."""
    lists = {key: list(value) for key, value in values.items() if isinstance(value, list)}
    objects = {key: value for key, value in values.items() if isinstance(value, JsonObject)}
    numbers = {tuple(number for number, _ in value) for value in objects.values()}
    if lists or len(numbers) != 1 or not all(number.isdecimal() for number in next(iter(numbers))):
        return lists
    return {key: [inner for _, inner in value] for key, value in objects.items()}


def _are_texts(key: str, values: Sequence[object]) -> bool:
    """Texts of several words, half of them at least, or lists of words, under a name of such."""
    if len(values) < _FEWEST:
        return False
    if key.casefold() in _WORDS:
        return all(isinstance(value, list) and all(map(_is_word, value)) for value in values)
    texts = [value for value in values if isinstance(value, str)]
    named = column_role(key) in TEXT_NAMES and len(texts) == len(values)
    return named and 2 * sum(len(text.split()) > 1 for text in texts) >= len(texts)


def _is_word(value: object) -> bool:
    return isinstance(value, str)
