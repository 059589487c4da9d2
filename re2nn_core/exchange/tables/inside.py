"""Values inside of objects and lists, by their paths: message.text, messages.0.content."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from re2nn_core.exchange.tables.header import LABEL_NAMES, TEXT_NAMES, column_role
from re2nn_core.exchange.tables.table import Structure

_DEEPEST = 4
_MOST_ITEMS = 3  # of a list of objects
_MOST = 60  # values of one object
_LOOK = 20
_ONE_TEXT = frozenset(TEXT_NAMES[:7])  # an object with one of these is a text; the others describe a file too
# An object with one of these is a span of a text.
_OFFSETS = frozenset(("start", "start_offset", "begin"))


def values_inside(key: str, value: object) -> list[tuple[str, object]]:
    """The plain values in an object, or in the first objects of a list, with their paths; spans have none."""
    return list(_values(key, value, 1))[:_MOST]


def text_paths(key: str, value: object) -> list[str]:
    """The paths of the texts in an object or a list of any kind."""
    inner = _items(value, of_objects=False) or ()
    found = [path for name, item in inner for path in text_paths(f"{key}.{name}", item)][:_MOST]
    return found or ([key] if isinstance(value, str) and " " in value.strip() else [])


def lists_of_texts(value: object, path: str = "", depth: int = 0) -> list[tuple[str, list[object]]]:
    """The lists inside of an object whose items are objects with a text each, or pairs of a text and an object, with
    their paths; none of an object that has a text itself."""
    pairs = list(_pairs(value))
    if depth > _DEEPEST or any(key.casefold() in _ONE_TEXT and isinstance(inner, str) for key, inner in pairs):
        return []
    found = []
    for key, inner in pairs:
        name = f"{path}.{key}" if path else key
        if not isinstance(inner, list):
            found += lists_of_texts(inner, name, depth + 1)
        elif inner and all(map(_has_text, inner[:_LOOK])):
            found.append((name, inner))
    return found


def _has_text(item: object) -> bool:
    if isinstance(item, list):
        return len(item) == 2 and isinstance(item[0], str) and _is_object(item[1])
    if any(key == "data" and _is_object(inner) and _has_text(inner) for key, inner in _pairs(item)):
        return True  # a task of Label Studio
    names = {key.casefold() for key, inner in _pairs(item) if isinstance(inner, str)}
    return not names.isdisjoint(TEXT_NAMES) and _OFFSETS.isdisjoint(names)


def value_at(values: Mapping[str, object], path: str) -> object:
    """What is under a key, or inside of it by a path; None where nothing is."""
    if path in values or "." not in path:
        return values.get(path)
    first, *rest = path.split(".")
    found = values.get(first)
    for name in rest:
        found = next((item for key, item in _items(found, of_objects=False) or () if key == name), None)
    return found


def nested_columns(key: str, values: Sequence[object], wanted: Collection[str] = ()) -> dict[str, list[object]]:
    """The columns that one of lists or objects makes, by their paths: of plain values inside of objects, of what a
    person `wanted`, and the column itself where it holds labels in lists of at most one."""
    found: dict[str, list[object]] = {}
    labels = [alone(key, value) for value in values]
    if any(value is not None and not isinstance(value, Structure | dict | list) for value in labels):
        found[key] = labels
    for row, value in enumerate(values):
        for path, inner in values_inside(key, value):
            found.setdefault(path, [None] * len(values))[row] = inner
    for path in wanted:
        if path.startswith(f"{key}.") and path not in found:
            found[path] = [value_at({key: value}, path) for value in values]
    return found


def alone(key: str, value: object) -> object:
    """The only value of a list under a name of labels, None of an empty one; of a longer list what it is; all else as
    it is."""
    if not isinstance(value, list) or column_role(key) not in LABEL_NAMES:
        return value
    return (value[0] if value else None) if len(value) < 2 else Structure(f"a list of {len(value):,} values")


def _values(key: str, value: object, depth: int) -> Iterator[tuple[str, object]]:
    for name, inner in _items(value, of_objects=True) or ():
        if _items(inner, of_objects=False) is None:
            yield f"{key}.{name}", inner
        elif depth < _DEEPEST:
            yield from _values(f"{key}.{name}", inner, depth + 1)


def _items(value: object, *, of_objects: bool) -> list[tuple[str, object]] | None:
    """What an object or a list holds, by name or place; None for a plain value. `of_objects`: nothing of lists that
    hold something else than objects, nor of spans."""
    if isinstance(value, list):
        if of_objects and not all(_is_object(item) and not _OFFSETS & set(dict(_pairs(item))) for item in value):
            return []
        return [(str(place), item) for place, item in enumerate(value[:_MOST_ITEMS] if of_objects else value)]
    return list(_pairs(value)) if _is_object(value) else None


def _is_object(value: object) -> bool:
    """True for an object, as a mapping or as the pairs of one."""
    return isinstance(value, Mapping | tuple)


def _pairs(value: object) -> Iterable[tuple[str, object]]:
    return value.items() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
