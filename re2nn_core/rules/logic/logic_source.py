"""Places in a file of label logic.

Readers of TOML and JSON give values without their places, so a text is looked for in the file: where it
stands as it is, faults point into it; otherwise they point at its key.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from re2nn_core.errors import Fault
from re2nn_core.rules.source import split_lines

_TOML_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)\Z")


@dataclass(frozen=True, slots=True)
class Item:
    """A text of a list; `place` is None where the file writes it otherwise, with escapes for example."""

    text: str
    place: int | None
    key: str
    place_of_key: int


class LogicSource:
    """The text of one file and the faults found in it."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.lines = split_lines(text)
        self.faults: list[Fault] = []

    def fault_at(self, offset: int, width: int, message: str, advice: str) -> None:
        """A fault at a place of the text."""
        before = split_lines(self.text[:offset])
        self.faults.append(self._fault(len(before), len(before[-1]) + 1, width, message, advice))

    def fault_at_key(self, key: str, message: str, advice: str) -> None:
        """A fault at the place where a key is written."""
        self.fault_at(self._place_of_key(key), len(key), message, advice)

    def items(self, key: str, texts: list[str]) -> list[Item]:
        """The texts of a list with their places."""
        start = place = self._place_of_key(key)
        items: list[Item] = []
        for text in texts:
            plain = json.dumps(text, ensure_ascii=False)[1:-1] == text
            written = re.compile(rf"(?<=[\"']){re.escape(text)}(?=[\"'])")
            match = written.search(self.text, place) if plain else None
            place = match.end() if match else place
            items.append(Item(text, match.start() if match else None, key, start))
        return items

    def fault_in(self, item: Item, message: str, advice: str, offset: int = 0, width: int | None = None) -> None:
        """A fault at some characters of a text, all of them where none are given."""
        if item.place is None:
            self.fault_at(item.place_of_key, len(item.key), f"{message} (in {item.text!r})", advice)
            return
        self.fault_at(item.place + offset, max(1, len(item.text) if width is None else width), message, advice)

    def _place_of_key(self, key: str) -> int:
        written = rf"^[\s{{,]*[\"']?({re.escape(key)})[\"']?\s*[=:]|[\"']({re.escape(key)})[\"']\s*:"
        match = re.search(written, self.text, re.MULTILINE)
        return match.start(match.lastindex or 0) if match else 0

    def toml_fault(self, message: str) -> Fault:
        """The fault that the reader of TOML reports."""
        place = _TOML_PLACE.search(message)
        end = (len(self.lines), max(1, len(self.lines[-1])))
        line, column = (int(place[1]), int(place[2])) if place and place[1] else end
        what = f"this is no TOML: {message[: place.start()] if place else message}"
        return self._fault(line, column, 1, what, 'Texts need quotes and lists need [ ]: default = "flight".')

    def json_fault(self, error: json.JSONDecodeError) -> Fault:
        """The fault that the reader of JSON reports."""
        advice = 'Keys and texts need double quotes, with commas between them: {"default": "flight"}.'
        return self._fault(error.lineno, error.colno, 1, f"this is no JSON: {error.msg}", advice)

    def _fault(self, line: int, column: int, width: int, message: str, advice: str) -> Fault:
        line = min(max(line, 1), len(self.lines))
        source = self.lines[line - 1]
        width = max(1, min(width, len(source) - column + 1))
        return Fault(message, line, column, source, advice, width, self.file)
