"""Numbers of labels in a list of texts by the names that stand next to the list: {"label_names": ["no", "yes"], "data":
[{"text": "fine", "label": 1}]}, or {"id2label": {"0": "no", "1": "yes"}, ...}."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from re2nn_core.exchange.tables.header import LABEL_NAMES, column_role
from re2nn_core.exchange.tables.nested.inside import JsonObject

_KEYS = frozenset(
    (
        *("label_names", "labels", "label_list", "class_names", "classes", "target_names", "categories", "intents"),
        *("id2label", "label_map", "names", "int2str"),
    )
)
_FEWEST = 2


def with_named_labels(whole: JsonObject, rows: Sequence[object]) -> tuple[list[object], str]:
    """The rows with names in place of numbers of labels, and the key that has the names; the rows as they are and an
    empty text where there is none, or a number has no name."""
    for key, value in whole:
        names = _names(value) if key.casefold() in _KEYS else {}
        numbers = [inner for row in rows for _, inner in _label_numbers(row)]
        if len(names) >= _FEWEST and numbers and all(number in names for number in numbers):
            return [_named(row, names) for row in rows], key
    return list(rows), ""


def _names(value: object) -> dict[str, str]:
    """The names of the numbers from 0 on in a list, or of those in an object; empty for all else."""
    if isinstance(value, list):
        pairs: Iterable[tuple[str, object]] = ((str(number), name) for number, name in enumerate(value))
    else:
        pairs = value if isinstance(value, JsonObject) else ()
    found = {number: name for number, name in pairs if isinstance(name, str) and number.isdecimal()}
    return found if len(set(found.values())) == len(found) else {}


def _label_numbers(row: object) -> list[tuple[str, str]]:
    """The keys of labels in a row that hold whole numbers, not in quotes."""
    pairs = row if isinstance(row, JsonObject) else ()
    return [
        (key, inner)
        for key, inner in pairs
        if isinstance(inner, str) and type(inner) is not str and inner.isdecimal() and column_role(key) in LABEL_NAMES
    ]


def _named(row: object, names: dict[str, str]) -> object:
    numbered = dict(_label_numbers(row))
    if not numbered or not isinstance(row, JsonObject):
        return row
    return JsonObject((key, names[numbered[key]] if key in numbered else inner) for key, inner in row)
