"""JSON lines: one object a line, the union of their keys as columns. A JSON array of objects reads as well.

Numbers keep the spelling they have in the file; NaN, which Python writes, is null. Plain values inside of objects are
columns that are named by their paths; a list of one value under a name of labels is that value. The same key twice and
escapes that are half a surrogate pair cost a row only where the key is read.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from re2nn_core.exchange.tables.delimited import physical_lines
from re2nn_core.exchange.tables.header import ID_NAMES, LABEL_NAMES, RATING_NAMES, UNLABELLED_NAMES, column_role
from re2nn_core.exchange.tables.nested.columns_in_object import rows_of_columns
from re2nn_core.exchange.tables.nested.inside import (
    JsonObject,
    Spelled,
    alone,
    first_path,
    inside_of,
    labels_of_texts,
    listed_texts,
    lists_left,
    paired,
    place_of_names,
    place_of_texts,
    text_paths,
    value_at,
)
from re2nn_core.exchange.tables.nested.json_rows import JsonRows
from re2nn_core.exchange.tables.nested.named_labels import with_named_labels
from re2nn_core.exchange.tables.nested.other_items import in_usual_form, may_hold_marks
from re2nn_core.exchange.tables.table import (
    LONGEST_CELL,
    BadRow,
    Cell,
    DamagedCell,
    Progress,
    RefusedError,
    Structure,
    kept_cells,
)

EXPECTED = 'One JSON object a line is expected, such as {"text": "book a flight", "label": "flight"}.'

# Escapes take six characters for one; a longer line cannot hold a row that would be kept.
_LONGEST_LINE = 8 * LONGEST_CELL
_EVERY, _SHOWN, _LOOK = 10_000, 40, 20
_WHOLE_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SURROGATE = re.compile("[\0\ud800-\udfff]")
_BLANK = re.compile(r"\s*")


class UnfinishedTextError(RefusedError):
    """A text in quotes that does not end on its line."""


# The line, the share of the file read so far, and what stands there or why nothing does.
Item = tuple[int, float, object]


# strict=False lets raw tabs stand inside strings: there is no doubt what they mean.
# Under this key spaCy has how likely each category of a text is.
CATEGORIES = "cats"
_HALF, _FEWEST = 0.5, 2  # of a share, of labels with a number for each
_NO_LABELS = ID_NAMES | RATING_NAMES | UNLABELLED_NAMES | {"value", "start", "end"}
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE]-?\d+)?", re.ASCII)
_DECODER = json.JSONDecoder(
    object_pairs_hook=JsonObject, parse_int=Spelled, parse_float=Spelled, parse_constant=lambda _: None, strict=False
)


def split_jsonl(text: str, on_progress: Progress | None = None, wanted: Collection[str] = ()) -> JsonRows:
    """The rows of a JSON lines text or of one JSON array. `wanted`: names that a person asked for, paths among them."""
    result = JsonRows()
    places: dict[str, int] = {}
    inside: dict[str, int] = {}
    objects: list[dict[str, Cell]] = []
    dropped: dict[str, None] = {}
    asked = [name for name in wanted if "." in name]
    for count, (number, share, item) in enumerate(json_items(text, result), start=1):
        try:
            cells, values, lists = _cells(item, asked)
        except RefusedError as reason:
            result.bad_rows.append(BadRow(number, str(reason)))
        else:
            objects.append(cells)
            result.lines.append(number)
            for key, cell in cells.items():
                if isinstance(cell, DamagedCell) and cell.reason == _twice(key):
                    result.add_twice(key[:_SHOWN], number)
            dropped |= dict.fromkeys(lists)
            for key in cells:
                (places if key in values else inside).setdefault(key, len(places))
            result.filled.update(key for key in values if isinstance(cells[key], Structure) and values[key])
            if len(objects) <= _LOOK:
                inner = {key: first_path(key, values[key]) for key in values if isinstance(cells[key], Structure)}
                result.paths_left_out = {key: path for key, path in inner.items() if path} | result.paths_left_out
            if not result.paths and len(objects) <= _LOOK:
                result.paths = [path for key in values for path in text_paths(key, values[key]) if path not in cells]
        if on_progress is not None and count % _EVERY == 0:
            on_progress(share)
    result.columns = [key for key in places if not _holds_structures(objects, key)]
    result.left_out = [
        key for key in places if key not in result.columns and not any(path.startswith(f"{key}.") for path in inside)
    ]
    found = {path for path in asked if any(cells.get(path) is not None for cells in objects)}
    result.inside = [path for path in inside if path not in places and (path in found or path not in asked)]
    result.columns += result.inside
    within = lists_left(dropped, result.left_out, result.columns)
    result.left_out += within
    result.filled.update(within)
    result.rows = [tuple(cells.get(key) for key in result.columns) for cells in objects]
    return result


def _holds_structures(objects: list[dict[str, Cell]], key: str) -> bool:
    """True for a key that holds nothing but lists and objects, or for one of categories with several of a text."""
    found = [isinstance(cell, Structure) for cells in objects if (cell := cells.get(key)) is not None]
    return any(found) and (key == CATEGORIES or all(found))


def json_items(text: str, result: JsonRows) -> Iterator[Item]:
    """What stands on each line, or the elements of one array; blank lines are counted in `result`."""
    whole = _whole_object(text)
    if whole is not None and (mapped := labels_of_texts(whole)):
        # Written with one pair a line, the first of them is below the brace.
        items = _numbered(mapped, 2 if text.strip().count("\n") > len(mapped) else 1)
    elif whole is not None and (found := listed_texts(whole) or rows_of_columns(whole)) is not None:
        result.under, rows = found
        rows, result.names_at = with_named_labels(whole, rows)
        items = _numbered(rows, 1)
    elif _is_array(text):
        items = _array_items(text)
    else:
        items = _object_items(text) if is_spread(text) else _line_items(text, result)
    first = list(islice(items, _LOOK))
    texts_at = place_of_texts([item for _, _, item in first if item is not None])
    if texts_at is not None and (named := place_of_names(first[0][2])) is not None:
        texts_at = named
        first[0] = (*first[0][:2], RefusedError("names the columns and is no text"))
    marked = may_hold_marks(text)
    return (
        (line, share, inner)
        for line, share, item in chain(first, items)
        for inner in in_usual_form(paired(item, texts_at), result, marked=marked)
    )


def _numbered(rows: Sequence[object], first: int) -> Iterator[Item]:
    return ((line, (line - first) / len(rows), row) for line, row in enumerate(rows, start=first))


def _whole_object(text: str) -> JsonObject | None:
    """The object that is all of a text; None for all else."""
    try:
        value, end = _parse(text, _skip(text, 0)) if text.lstrip().startswith("{") else (None, 0)
    except RefusedError:
        return None
    return value if isinstance(value, JsonObject) and _skip(text, end) == len(text) else None


def begins_one_object(text: str) -> bool:
    """Whether the beginning of a text is that of an object which goes on behind its first line, or its end."""
    return text.lstrip().startswith("{") and not is_object(physical_lines(text.lstrip())[0])


def is_spread(text: str) -> bool:
    """True if the first object of the text goes over several lines, which a line break inside a text does not make."""
    start = text.lstrip()
    if not start.startswith("{"):
        return False
    first = _without_comma(physical_lines(start[: _LONGEST_LINE + 2])[0])
    fault = parse_line(first)
    if not isinstance(fault, RefusedError) or isinstance(fault, UnfinishedTextError) or len(first) > _LONGEST_LINE:
        return False
    return isinstance(parse_whole(start), JsonObject)


def parse_whole(text: str) -> object:
    """The one JSON value of a text, or the RefusedError that tells why there is none."""
    try:
        return _parse(text, _skip(text, 0))[0]
    except RefusedError as refused:
        return refused


def _object_items(text: str) -> Iterator[Item]:
    """Objects over several lines, one behind the other; behind a fault nothing more can be read."""
    place, line, counted = _skip(text, 0), 1, 0
    while place < len(text):
        line, counted = line + text.count("\n", counted, place), place
        try:
            item, place = _parse(text, place)
        except RefusedError as refused:
            yield line, 1.0, RefusedError(f"{refused}; what follows was not read")
            return
        yield line, place / len(text), item
        place = _skip(text, place)
        place = _skip(text, place + 1) if text[place : place + 1] == "," else place


def _line_items(text: str, result: JsonRows) -> Iterator[Item]:
    lines = physical_lines(text)
    for number, line in enumerate(lines, start=1):
        content = _without_comma(line)
        if content:
            yield number, number / len(lines), parse_line(content)
        else:
            result.blank += 1


def _array_items(text: str) -> Iterator[Item]:
    """The elements of one array; behind a fault inside it nothing more can be read. Those of an array on one line are
    counted, since a line says nothing of where they are."""
    place, line, counted = text.index("[") + 1, 1, 0
    one_line = is_one_line(text)
    number = 0
    while True:
        place = _skip(text, place)
        if text[place : place + 1] == "]":
            return
        line, counted = line + text.count("\n", counted, place), place
        number += 1
        where = number if one_line else line
        try:
            item, place = _parse(text, place)
        except RefusedError as refused:
            yield where, 1.0, RefusedError(f"{refused}; the rest of the array was not read")
            return
        yield where, place / len(text), item
        place = _skip(text, place)
        if text[place : place + 1] == ",":
            place += 1


def _without_comma(line: str) -> str:
    """The object on a line; a comma behind it, as in an array, is none of it."""
    content = line.strip()
    return content[:-1].rstrip() if content.endswith("},") else content


def is_one_line(text: str) -> bool:
    """Whether the text is an array without a line end in it."""
    return text.lstrip().startswith("[") and "\n" not in text.strip()


def _skip(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return place if found is None else found.end()


def _is_array(text: str) -> bool:
    """True if the text is one array over several lines, or over one and nothing else."""
    start = text.lstrip()
    if not start.startswith("["):
        return False
    first = physical_lines(start)[0].strip()
    return len(first) == len(start.rstrip()) or not isinstance(parse_line(first), list)


def is_object(line: str) -> bool:
    """True if the line is a JSON object."""
    return line.lstrip().startswith("{") and isinstance(parse_line(_without_comma(line)), JsonObject)


def parse_line(line: str) -> object:
    """What stands on a line, or the RefusedError that tells why nothing does."""
    if len(line) > _LONGEST_LINE:
        return RefusedError(f"has {len(line):,} characters, more than the {_LONGEST_LINE:,} a line may have")
    try:
        value, end = _parse(line, 0)
    except RefusedError as refused:
        return refused
    if end < len(line):
        return RefusedError(f"is not JSON: there is text after the value, from character {end + 1:,}")
    return value


def _parse(text: str, place: int) -> tuple[object, int]:
    """The JSON value at a place and where it ends; raises RefusedError."""
    try:
        return _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as error:
        reason = f"is not JSON: {error.msg}, character {error.pos - place + 1:,}"
        if text.startswith("'", error.pos):
            reason += "; names and texts are in double quotes there, as the package json of Python writes them"
        if text.startswith('"', error.pos) and not _WHOLE_STRING.match(text, error.pos):
            raise UnfinishedTextError(f"{reason}; write a line break inside a text as \\n") from None
        raise RefusedError(reason) from None
    except RecursionError:
        raise RefusedError("is nested too deeply") from None


def _as_object(item: object) -> JsonObject:
    if isinstance(item, RefusedError):
        raise item
    if not isinstance(item, JsonObject):
        raise RefusedError(f"holds {kind_of(item)}, not a JSON object")
    return item


def object_of(item: object) -> dict[str, Any]:
    """An item as key -> value; raises RefusedError where it is no object or names a key twice."""
    values: dict[str, Any] = {}
    for key, value in _as_object(item):
        if key in values:
            raise RefusedError(_twice(key))
        values[key] = value
    return values


def _cells(item: object, wanted: Sequence[str]) -> tuple[dict[str, Cell], dict[str, Any], list[str]]:
    """One object as key -> cell, with those of values inside of it, and key -> value; the paths of what is inside of it
    and gives no cell. RefusedError."""
    values: dict[str, Any] = {}
    cells: dict[str, Cell] = {}
    twice: set[str] = set()
    lists: list[str] = []
    for key, value in _as_object(item):
        name = _SURROGATE.sub("\ufffd", key)
        twice.update((name,) if name in values else ())
        values[name] = value
        cells[name] = _cell(name, value)
    for key, value in values.items():
        if isinstance(cells[key], Structure):
            found = inside_of(key, value)
            lists += found.lists
            inside = [(path, inner) for path, inner in found.values if path not in values]
            cells_inside = {path: _cell("", inner) for path, inner in inside}
            if len(cells_inside) < len(inside):
                twice.update(path for path, count in Counter(path for path, _ in inside).items() if count > 1)
            cells |= cells_inside
    cells |= {path: _cell(path, value_at(values, path)) for path in wanted if path not in values}
    kept = dict(zip(cells, kept_cells(tuple(cells.values()), tuple(cells)), strict=True))
    return kept | {key: DamagedCell(_twice(key)) for key in twice}, values, lists


def _twice(key: str) -> str:
    return f"has the key '{key}' twice"


def only_category(value: object) -> object:
    """The only one of the categories of spaCy, {"pos": 1.0, "neg": 0.0}, that reaches a half, None where none does; all
    else as it is."""
    if not isinstance(value, JsonObject) or not value:
        return value
    shares = [(name, _share(share)) for name, share in value]
    likely = [name for name, share in shares if share is not None and share >= _HALF]
    return value if len(likely) > 1 or any(share is None for _, share in shares) else likely[0] if likely else None


def _are_chosen_labels(key: str, value: object) -> bool:
    """True for labels with 0 or 1 for each, {"bug": 1, "billing": 0}."""
    if not isinstance(value, JsonObject) or len(value) < _FEWEST or column_role(key) not in LABEL_NAMES:
        return False
    return all(share in ("0", "1", True, False) and column_role(name) not in _NO_LABELS for name, share in value)


def _share(value: object) -> float | None:
    """A number from 0 to 1, or whether something holds; None for all else."""
    if isinstance(value, bool):
        return float(value)
    share = float(value) if isinstance(value, Spelled) and _NUMBER.fullmatch(value) else None
    return share if share is not None and 0 <= share <= 1 else None


def _cell(key: str, value: object) -> Cell:
    """A plain value as a cell; a list of at most one under a name of labels is what it holds, and so is the only
    category of a text."""
    chosen = key == CATEGORIES or _are_chosen_labels(key, value)
    value = only_category(value) if chosen else alone(key, value)
    if isinstance(value, bool):
        return Spelled(("false", "true")[value])
    return value if value is None or isinstance(value, str) else Structure(kind_of(value))


def kind_of(value: object) -> str:
    """What a value is, in words; one that can be shown is shown."""
    if isinstance(value, JsonObject):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "null"
    if isinstance(value, Spelled):
        return f"the number {value[:_SHOWN]}"
    if isinstance(value, str):
        return repr(value) if len(value) <= _SHOWN else f"{value[:_SHOWN]!r}..."
    return str(value).lower()
