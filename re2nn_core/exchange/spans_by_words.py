"""Spans that a file names by their words alone, as language models write them; where they are is found in the text.

{"text": "fly to oslo", "entities": [{"text": "oslo", "label": "city"}]}
{"text": "fly to oslo", "entities": [{"entity": "oslo", "type": "city"}]}
{"text": "fly to oslo", "entities": {"city": ["oslo"]}}
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from re2nn_core.exchange.span_cells import SLOT_KEYS, has_offsets, quoted_in
from re2nn_core.exchange.tables.jsonl import JsonObject, Spelled
from re2nn_core.exchange.tables.table import RefusedError

FOUND = "Spans without offsets were found by their words, which are in each text as often as the file names them."
# Under these, words may be next to the name of a slot.
_WORDS = ("entity", "value", "name")


def named_by_words(value: Any) -> bool:
    """True for objects, at least one, that name words and slots and no offsets."""
    items = _items(value)
    return bool(items) and all(_words_and_slot(item) is not None for item in items)


def named_span(words: str, slot: str) -> JsonObject:
    """Such an object."""
    return JsonObject((("text", words), ("label", slot)))


def are_in_text(value: Any, text: str) -> bool:
    """True for such objects all of whose words are in a text."""
    named = map(_words_and_slot, _items(value))
    return named_by_words(value) and all(both is not None and _places(text, both[0]) for both in named)


def with_offsets(key: str, value: Any, text: str) -> list[JsonObject]:
    """Such objects with their offsets. RefusedError for words that are not in the text as often as they are named."""
    named = [both for item in _items(value) if (both := _words_and_slot(item)) is not None]
    often = Counter(words.casefold() for words, _ in named)
    taken: defaultdict[str, Iterator[tuple[int, int]]] = defaultdict(lambda: iter(()))
    for words, _ in named:
        places = _places(text, words)
        if len(places) != often[words.casefold()]:
            raise RefusedError(
                f"'{key}' names {words[:40]!r} {_times(often[words.casefold()])}, and the text has it "
                f"{_times(len(places))}: give each span its start and end"
            )
        if words.casefold() not in taken:
            taken[words.casefold()] = iter(places)
    return [_spelled(*next(taken[words.casefold()]), words, slot) for words, slot in named]


def _times(count: int) -> str:
    return ("nowhere", "once", "twice")[count] if count < 3 else f"{count} times"


def _spelled(start: int, end: int, words: str, slot: str) -> JsonObject:
    return JsonObject((("start", Spelled(start)), ("end", Spelled(end)), ("label", slot), ("text", words)))


def _places(text: str, words: str) -> list[tuple[int, int]]:
    """Where words are, between other words."""
    pattern = rf"(?<!\w){re.escape(words.strip())}(?!\w)"
    found = list(re.finditer(pattern, text)) or list(re.finditer(pattern, text, re.IGNORECASE))
    return [match.span() for match in found]


def _items(value: Any) -> Sequence[Any]:
    """The objects in a list, or those of an object with the words of each slot."""
    if not isinstance(value, JsonObject):
        return value if isinstance(value, list) else ()
    by_slot = [(slot, words if isinstance(words, list) else [words]) for slot, words in value if words is not None]
    return [JsonObject((("text", words), ("label", slot))) for slot, listed in by_slot for words in listed]


def _words_and_slot(item: Any) -> tuple[str, str] | None:
    """The words of a span and the name of its slot; None for all else, and for an object with offsets."""
    if not isinstance(item, JsonObject) or has_offsets(item):
        return None
    values = {key.casefold(): inner for key, inner in item if _is_text(inner)}
    words = quoted_in(values) or next((values[key] for key in _WORDS if key in values), None)
    slots = (inner for key in SLOT_KEYS if (inner := values.get(key)) is not None and inner is not words)
    slot = next(slots, None)
    return None if words is None or slot is None or not words.strip() or not slot.strip() else (words, slot)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, Spelled)
