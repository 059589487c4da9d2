"""The word lists of a project's rules: what each holds, how much of it comes in the texts, and how it is replaced.

Lists stand in the text of the rules (rules/word_lists/definition.py), so that a version that is saved has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from re2nn_core.errors import InputError
from re2nn_core.rules.names import name_with_number
from re2nn_core.rules.word_lists.content import entries_of, list_columns, list_entries
from re2nn_core.rules.word_lists.definition import (
    ListName,
    bad_path,
    keep_entries,
    kept_entries,
    lists_in,
    with_digests,
    with_lists,
    without_lists,
)
from re2nn_core.rules.word_lists.expansion import ways_of
from re2nn_core.text.tokenization import Tokenization, words_of_all
from re2nn_core.text.word_form import word_form

__all__ = [
    "ListName",
    "Presence",
    "StoredList",
    "count_entries",
    "list_columns",
    "edited_entries",
    "presence",
    "stored_lists",
    "uploaded",
    "with_digests",
]
DEFINED = re.compile(r"^[ \t]*@([^@\s]*)@[ \t]*=", re.MULTILINE)
NO_NAME_SIGN = re.compile(r"[^\w.\-]+")


@dataclass(frozen=True)
class StoredList:
    """A list that the rules define; no entries where it was not uploaded yet, or is damaged."""

    name: ListName
    entries: tuple[str, ...]


@dataclass(frozen=True)
class Presence:
    """How many entries of a list come in the texts, and in how many texts one does."""

    entries: int
    texts: int


def stored_lists(rules_text: str) -> tuple[StoredList, ...]:
    """The lists that rules define, each once."""
    found = {name: kept_entries(kept)[0] if kept else () for name, kept in lists_in(rules_text)}
    return tuple(StoredList(name, entries) for name, entries in found.items())


def count_entries(entries: Iterable[str], *, lowercase: bool) -> int:
    """How many entries a list has; those that differ in case alone are one where texts are read in lower case."""
    return len({word_form(entry, lowercase=lowercase) for entry in entries})


def presence(entries: Iterable[str], texts: Iterable[str], tokenization: Tokenization) -> Presence:
    """The entries of a list in texts."""
    of = {way: entry for entry in entries for way in ways_of(entry, lowercase=tokenization.lowercase)}
    lengths = sorted({len(way) for way in of})
    seen: set[str] = set()
    count = 0
    for sentence in words_of_all(texts, tokenization):
        parts = (sentence[at : at + length] for at in range(len(sentence)) for length in lengths)
        found = {of[part] for part in parts if part in of}
        count += bool(found)
        seen |= found
    return Presence(len(seen), count)


def uploaded(content: bytes, name: ListName) -> tuple[str, ...]:
    """The entries of a file. InputError with everything that is wrong with it."""
    if wrong := bad_path(name.path):
        raise InputError(f"{wrong[0]}. {wrong[1]}")
    return _without_faults(name, *list_entries(content, name))


def edited_entries(text: str, name: ListName) -> tuple[str, ...]:
    """The entries of a text, one a line. InputError with everything that is wrong with it."""
    return _without_faults(name, *entries_of(enumerate(text.splitlines(), start=1)))


def _without_faults(name: ListName, entries: tuple[str, ...], faults: Sequence[str]) -> tuple[str, ...]:
    if faults:
        raise InputError(f"The list '{name.path}' cannot be used: {'; '.join(faults)}. Correct it and try again.")
    return entries


def with_list(rules_text: str, name: ListName, entries: tuple[str, ...]) -> str:
    """The rules with the entries of a list, wherever they define it; above all rules where they do not yet."""
    shown, kept = without_lists(rules_text)
    if name not in {defined for defined, _ in lists_in(shown)}:
        stem = NO_NAME_SIGN.sub("_", name.column or PurePosixPath(name.path).stem).strip("_.") or "list"
        shown = f"@{name_with_number(stem, set(DEFINED.findall(shown)))}@ = {name}\n{shown}"
    return with_lists(shown, {**kept, name: keep_entries(entries)})
