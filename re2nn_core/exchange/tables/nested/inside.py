"""Values inside of objects and lists, by their paths: message.text, messages.0.content, messages.first_user.content."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from re2nn_core.exchange.tables.cells import SPLIT_ALIASES, words_in
from re2nn_core.exchange.tables.header import LABEL_NAMES, TEXT_NAMES, column_role
from re2nn_core.exchange.tables.table import Structure
from re2nn_core.exchange.tables.turns.listed_turns import first_turns

_DEEPEST = 4  # lists of texts in an object
_DEEPEST_VALUE = 12  # values in an object of a row
_MOST_ITEMS = 3  # of a list of objects
_MOST = 60  # values of one object
_LOOK = 20
_FEWEST_MAPPED, _MOST_WORDS = 2, 3  # pairs of text and label in one object, words of a label
# Around the text of a task of Label Studio, of a row of Hugging Face, of a document of a search engine.
_AROUND = frozenset(("data", "row", "_source", "fields", "attributes"))
# Of a list of labels with their texts.
_LABEL_KEYS = ("tag", "intent", "label", "name", "category", "class")
_EXAMPLE_KEYS = (
    *("patterns", "examples", "utterances", "texts", "phrases", "questions", "sentences", "training_phrases"),
    *("sampleUtterances", "samples"),  # of Lex and Alexa
)
_ONE_TEXT = frozenset(TEXT_NAMES[:7])  # an object with one of these is a text; the others describe a file too
# An object with one of these is a span of a text.
_OFFSETS = frozenset(
    ("start", "start_offset", "startOffset", "begin", "begin_offset", "beginOffset", "BeginOffset", "start_char")
)


class JsonObject(tuple[tuple[str, Any], ...]):
    """The keys and values of an object in their order, told apart from a list."""


class Spelled(str):
    """A number, true or false as it is spelled in the file: no text that somebody wrote in quotes."""


@dataclass(frozen=True)
class Inside:
    """What is inside of an object, or of the first objects of a list: its plain values with their paths, of a
    conversation those in the first turn of each speaker; and the paths of what gives none, lists of plain values or
    spans, what is too deep, and the first one of all values that are too many."""

    values: list[tuple[str, object]]
    lists: list[str]


def inside_of(key: str, value: object) -> Inside:
    """What is inside of the value of a key; nothing of a plain one."""
    found = list(_walk(key, _parts(value), 1))
    values = [(path, inner) for path, inner, is_plain in found if is_plain]
    lists = [path for path, _, is_plain in found if not is_plain]
    return Inside(values[:_MOST], [*(path for path, _ in values[_MOST : _MOST + 1]), *lists])


def values_inside(key: str, value: object) -> list[tuple[str, object]]:
    """The plain values of `inside_of`."""
    return inside_of(key, value).values


def lists_left(paths: Iterable[str], left_out: Collection[str], columns: Collection[str]) -> list[str]:
    """Of these paths those of which nothing is read, and that are not under a key that is left out as a whole."""
    inside = [path for path in paths if path.partition(".")[0] not in left_out]
    return [path for path in inside if not any(f"{name}.".startswith(f"{path}.") for name in columns)]


def first_path(key: str, value: object) -> str | None:
    """The path of the first word or number in an object or a list, words before numbers; None where it holds none."""
    found = list(islice(_plain_paths(key, value), _MOST))
    return next((path for path, inner in found if isinstance(inner, str) and inner[:1].isalpha()), None) or next(
        (path for path, _ in found), None
    )


def _plain_paths(key: str, value: object) -> Iterator[tuple[str, object]]:
    inner = _items(value, of_objects=False)
    if inner is None:
        yield key, value
    for name, item in inner or ():
        yield from _plain_paths(f"{key}.{name}", item)


def text_paths(key: str, value: object) -> list[str]:
    """The paths of the texts in an object or a list of any kind."""
    inner = _items(value, of_objects=False) or ()
    found = [path for name, item in inner for path in text_paths(f"{key}.{name}", item)][:_MOST]
    return found or ([key] if isinstance(value, str) and " " in value.strip() else [])


def labels_of_texts(value: JsonObject) -> list[JsonObject]:
    """The texts of one object that maps each text to its label, {"book a flight": "flight", "what is it": "price"};
    empty for all else: names of columns in one object are single words, most often."""
    are_labels = all(isinstance(label, str) and len(label.split()) <= _MOST_WORDS for _, label in value)
    several_words = sum(len(key.split()) > 1 for key, _ in value)
    if len(value) < _FEWEST_MAPPED or not are_labels or 2 * several_words <= len(value):
        return []
    return [JsonObject((("text", key), ("label", label))) for key, label in value]


def listed_texts(whole: JsonObject) -> tuple[list[str], list[object]] | None:
    """The texts in the one list of an object, {"version": 1, "examples": [{"text": ...}]}, or in those that are called
    as splits are, and where they are, "" in the object itself; None where they are nowhere or may be in several
    places."""
    by_label = _texts_by_label(whole) or _examples_of_labels(whole)
    if by_label is not None:
        return by_label
    found = _lists_of_texts(whole, "", 0)
    splits = [split_of_key(path) for path, _ in found]
    if not found or (len(found) > 1 and None in splits):
        return None
    at = place_of_texts([item for _, listed in found for item in listed if item is not None])
    rows = [
        in_split(paired(item, at), split) for split, (_, listed) in zip(splits, found, strict=True) for item in listed
    ]
    return [path for path, _ in found], rows


def _texts_by_label(whole: JsonObject) -> tuple[list[str], list[object]] | None:
    """The texts of an object with a list of them for each label, {"trip": ["fly to rome"], "fare": ["how much"]}."""
    names = {column_role(key) for key, _ in whole}
    columns = not names.isdisjoint((*TEXT_NAMES, *LABEL_NAMES)) or any(split_of_key(key) for key, _ in whole)
    if len(whole) < _FEWEST_MAPPED or columns or not all(_are_sentences(texts) for _, texts in whole):
        return None
    return [""], [JsonObject((("text", text), ("label", label))) for label, texts in whole for text in texts]


def _examples_of_labels(whole: JsonObject) -> tuple[list[str], list[object]] | None:
    """The texts of labels in a list, {"intents": [{"tag": "trip", "patterns": ["fly to rome"], ...}]}."""
    for path, labels in _lists_of_objects(whole, "", 0):
        rows: list[dict[str, Any]] = [dict(_pairs(label)) for label in labels]
        name = next((key for key in _LABEL_KEYS if all(isinstance(row.get(key), str) for row in rows)), None)
        texts = next((key for key in _EXAMPLE_KEYS if all(isinstance(row.get(key), list) for row in rows)), None)
        pairs = (
            []
            if name is None or texts is None
            else [(_text_of(item), row[name]) for row in rows for item in row[texts]]
        )
        if not _are_sentences([text for text, _ in pairs]):
            continue
        return [f"{path}.{texts}"], [JsonObject((("text", text), ("label", label))) for text, label in pairs]
    return None


def _text_of(item: object) -> object:
    """The text of an example: itself, or what an object such as {"text": "fly to rome"} holds alone."""
    pairs = list(_pairs(item))
    return pairs[0][1] if len(pairs) == 1 and pairs[0][0].casefold() in _ONE_TEXT else item


def _lists_of_objects(whole: object, path: str, depth: int) -> Iterator[tuple[str, list[object]]]:
    """The lists of objects in an object and in those inside of it, with their paths."""
    for key, inner in _pairs(whole) if depth < _DEEPEST else ():
        name = f"{path}.{key}" if path else key
        if _is_object(inner):
            yield from _lists_of_objects(inner, name, depth + 1)
        elif isinstance(inner, list) and inner and all(map(_is_object, inner)):
            yield name, inner


def _are_sentences(texts: object) -> bool:
    """A list of texts, of which as many have several words as have one."""
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        return False
    return 2 * sum(len(text.split()) > 1 for text in texts) >= len(texts)


def split_of_key(path: str) -> str | None:
    words = words_in(path.rpartition(".")[2])
    return next((SPLIT_ALIASES[word] for word in words if word in SPLIT_ALIASES), None)


def in_split(item: object, split: str | None) -> object:
    """An item with its split, unless it names one itself."""
    if split is None or not isinstance(item, JsonObject) or any(key == "split" for key, _ in item):
        return item
    return JsonObject((*item, ("split", split)))


def place_of_texts(items: Sequence[object]) -> int | None:
    """Of pairs of a text and its label, ["book a flight", "flight"], the place of the texts, which are longer; None
    where the items are no such pairs."""
    pairs = [item for item in items if isinstance(item, list)]
    if not pairs or len(pairs) < len(items) or not all(map(_are_strings, pairs)):
        return None
    return int(sum(len(pair[1]) for pair in pairs) > sum(len(pair[0]) for pair in pairs))


def place_of_names(pair: object) -> int | None:
    """Where the name of the texts is in a pair of names, ["text", "label"]; None for all else."""
    if not isinstance(pair, list) or not _are_strings(pair):
        return None
    names = [name.strip().casefold() for name in pair]
    return next((at for at in (0, 1) if names[at] in TEXT_NAMES and names[1 - at] in LABEL_NAMES), None)


def _are_strings(pair: list[object]) -> bool:
    return len(pair) == 2 and all(isinstance(value, str) for value in pair)


def paired(item: object, texts_at: int | None = None) -> object:
    """A pair of a text and what was said of it, as spaCy's older training data have them, as one object; `texts_at`:
    the place of the text in pairs with a label. The turns of a conversation are put under the key `turns`."""
    if first_turns(item):
        return JsonObject((("turns", item),))
    if not isinstance(item, list) or len(item) != 2:
        return item
    if isinstance(item[0], str) and isinstance(item[1], JsonObject):
        return JsonObject((("text", item[0]), *item[1]))
    if texts_at is None or not _are_strings(item):
        return item
    return JsonObject((("text", item[texts_at]), ("label", item[1 - texts_at])))


def _lists_of_texts(value: object, path: str, depth: int) -> list[tuple[str, list[object]]]:
    """The lists inside of an object whose items are texts, with their paths; none of an object that has a text itself.
    An object of texts, {"0": {"text": ...}, "1": ...}, is such a list too."""
    pairs = list(_pairs(value))
    if depth > _DEEPEST or any(key.casefold() in _ONE_TEXT and isinstance(inner, str) for key, inner in pairs):
        return []
    values = [inner for _, inner in pairs]
    if len(values) > 1 and all(_is_object(inner) and _has_text(inner) for inner in values[:_LOOK]):
        return [(path, values)]
    found = []
    for key, inner in pairs:
        name = f"{path}.{key}" if path else key
        if not isinstance(inner, list):
            found += _lists_of_texts(inner, name, depth + 1)
        elif (given := [item for item in inner if item is not None][:_LOOK]) and (
            all(map(_has_text, given)) or place_of_texts(given) is not None
        ):
            found.append((name, inner))
    return found


def _has_text(item: object) -> bool:
    """True for an object with a text, in it or in an object inside of it, as in tasks of Label Studio, or with turns of
    a conversation; for a pair of a text and an object."""
    if isinstance(item, list):
        return len(item) == 2 and isinstance(item[0], str) and _is_object(item[1])
    names = {key.casefold() for key, inner in _pairs(item) if isinstance(inner, str)}
    if not _OFFSETS.isdisjoint(key for key, _ in _pairs(item)):
        return False
    return not names.isdisjoint(TEXT_NAMES) or any(
        first_turns(inner) or (key in _AROUND and _is_object(inner) and _has_text(inner)) for key, inner in _pairs(item)
    )


def value_at(values: Mapping[str, object], path: str) -> object:
    """What is under a key, or inside of it by a path; None where nothing is."""
    if path in values or "." not in path:
        return values.get(path)
    first, *rest = path.split(".")
    found = values.get(first)
    for name in rest:
        items = [*(_items(found, of_objects=False) or ()), *first_turns(found)]
        found = next((item for key, item in items if key == name), None)
    return found


def nested_columns(
    key: str, values: Sequence[object], wanted: Collection[str] = ()
) -> tuple[dict[str, list[object]], list[str]]:
    """The columns that one of lists or objects makes, by their paths: of plain values inside of objects, of what a
    person `wanted`, and the column itself where it holds labels in lists of at most one; and the paths of what makes
    none."""
    found: dict[str, list[object]] = {}
    lists: dict[str, None] = {}
    labels = [alone(key, value) for value in values]
    if any(value is not None and not isinstance(value, Structure | dict | list) for value in labels):
        found[key] = labels
    for row, value in enumerate(values):
        inside = inside_of(key, value)
        lists |= dict.fromkeys(inside.lists)
        for path, inner in inside.values:
            found.setdefault(path, [None] * len(values))[row] = inner
    for path in wanted:
        if path.startswith(f"{key}.") and path not in found:
            found[path] = [value_at({key: value}, path) for value in values]
    return found, list(lists)


def alone(key: str, value: object) -> object:
    """The only value of a list under a name of labels, None of an empty one; of a longer list what it is; all else as
    it is."""
    if not isinstance(value, list) or column_role(key) not in LABEL_NAMES:
        return value
    return (value[0] if value else None) if len(value) < 2 else Structure(f"a list of {len(value):,} values")


def _walk(key: str, parts: Iterable[tuple[str, object]], depth: int) -> Iterator[tuple[str, object, bool]]:
    """The path of each plain value and of each object or list of which nothing is read, the value, and whether it is
    plain."""
    for name, inner in parts:
        path, held = f"{key}.{name}", _items(inner, of_objects=False)
        if held is None:
            yield path, inner, True
        elif held and depth < _DEEPEST_VALUE and (within := _parts(inner)):
            yield from _walk(path, within, depth + 1)
        elif held:
            yield path, inner, False


def _parts(value: object) -> list[tuple[str, object]]:
    """What is read of an object or a list, by name or place."""
    return first_turns(value) or _items(value, of_objects=True) or []


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
