"""Numbers of labels in a list of texts by the names that stand next to the list: {"label_names": ["no", "yes"], "data":
[{"text": "fine", "label": 1}]}, or {"id2label": {"0": "no", "1": "yes"}, ...}, or as features of a data set."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from re2nn_core.exchange.tables.header import ID_NAMES, LABEL_NAMES, column_role, numbers_classes
from re2nn_core.exchange.tables.nested.inside import JsonObject

_KEYS = frozenset(
    (
        *("label_names", "labels", "label_list", "class_names", "classes", "target_names", "categories", "intents"),
        *("id2label", "label_map", "names", "int2str"),
    )
)
_FEWEST = 2
_OF_NUMBERS = re.compile(r"[\W_]*(?:id|idx|index|nr|no|number|key)$", re.IGNORECASE)
_FEATURES, _ROW = "features", "row"  # of the rows that the server of Hugging Face's data sets sends


def with_named_labels(whole: JsonObject, rows: Sequence[object]) -> tuple[list[object], str]:
    """The rows with names in place of numbers of labels, and the key that has the names; the rows as they are and an
    empty text where there is none, or a number has no name."""
    for key, value in whole:
        known = _names_of_features(value) if key == _FEATURES else {}
        names = _names(value) if key.casefold() in _KEYS else {}
        numbers = [found for row in rows for found in _label_numbers(row, known)]
        if numbers and all(number in known.get(column, names) for column, number in numbers):
            return [_named(row, names, known) for row in rows], key
    return list(rows), ""


def _names_of_features(value: object) -> dict[str, dict[str, str]]:
    """The names of the numbers in each column of class labels."""
    features = (
        [dict(feature) for feature in value if isinstance(feature, JsonObject)] if isinstance(value, list) else []
    )
    kinds = {str(feature.get("name")): feature.get("type") for feature in features}
    return {name: found for name, kind in kinds.items() if isinstance(kind, JsonObject) and (found := _listed(kind))}


def _listed(kind: JsonObject) -> dict[str, str]:
    return _names(dict(kind).get("names"))


def _names(value: object) -> dict[str, str]:
    """The names of the numbers from 0 on in a list, or of those in an object, two at least; empty for all else."""
    if isinstance(value, list):
        pairs: Iterable[tuple[str, object]] = ((str(number), name) for number, name in enumerate(value))
    else:
        pairs = value if isinstance(value, JsonObject) else ()
    found = {number: name for number, name in pairs if isinstance(name, str) and number.isdecimal()}
    return found if len(set(found.values())) == len(found) >= _FEWEST else {}


def _label_numbers(row: object, known: Collection[str]) -> list[tuple[str, str]]:
    """The keys of labels in a row, or in the object under "row", that hold whole numbers, not in quotes: those `known`
    to have names, or called like labels."""
    if not isinstance(row, JsonObject):
        return []
    inner = next((inner for key, inner in row if key == _ROW and isinstance(inner, JsonObject)), row if known else ())
    return [
        (key, value)
        for key, value in (inner if known else row)
        if isinstance(value, str) and type(value) is not str and value.isdecimal() and _is_label(key, known)
    ]


def _is_label(key: str, known: Collection[str]) -> bool:
    """True for a name of labels, and for that of numbers of classes, intent_id."""
    return key in known if known else column_role(key) in LABEL_NAMES or _numbers_labels(key)


def _numbers_labels(key: str) -> bool:
    return numbers_classes(key) and column_role(key) in ID_NAMES


def _name_of(key: str, keys: Collection[str]) -> str:
    """What the names of labels are called, where the key is one of their numbers: intent of intent_id."""
    bare = _OF_NUMBERS.sub("", key) if _numbers_labels(key) else key
    return key if bare == key else f"{bare}_name" if bare in keys else bare


def _named(row: object, names: dict[str, str], known: dict[str, dict[str, str]]) -> object:
    numbered = dict(_label_numbers(row, known))
    if not numbered or not isinstance(row, JsonObject):
        return row
    keys = [key for key, _ in row]
    return JsonObject(
        (key, _named(inner, names, known))
        if key == _ROW and isinstance(inner, JsonObject) and known
        else (_name_of(key, keys), known.get(key, names)[numbered[key]])
        if key in numbered
        else (key, inner)
        for key, inner in row
    )
