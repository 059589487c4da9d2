"""How a rule file names a word list, and how the content of the list is kept with the rules.

    @city@ = file("cities.txt")                     one entry a line
    @city@ = file("cities.csv", column="name")      a column of a table
    @city@ = file("cities.txt") //= 12 entries, sha256 0a1b..., eJwr...

The third line is how versions of a project, saved networks and archives hold the first one: a comment behind the
definition has the entries themselves, compressed, with their digest. Such a text is whole; no file is read again.
People never see that comment: editors and reports show the definition without it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from re2nn_core.rules.tree import WordList

MOST_BYTES = 20 * 2**20  # of a list, as a file and as kept
_CALL = r'file[ \t]*\([ \t]*"(?P<path>[^"\n]*)"[ \t]*(?:,[ \t]*column[ \t]*=[ \t]*"(?P<column>[^"\n]*)"[ \t]*)?\)'
_BODY = re.compile(rf"\s*{_CALL}\s*(?://(?P<note>[^\n]*))?\Z")
_BEGUN = re.compile(r'\s*file\s*\(\s*"')
_INSIDE = re.compile(r'(?<![\w"@])file[ \t]*\([ \t]*"[^"\n]*"[ \t]*[,)]')
_KEPT = re.compile(r"//= (?P<count>[\d,]+) entries, sha256 (?P<digest>[0-9a-f]{16}), (?P<content>[A-Za-z0-9+/=]+)\Z")
_CONTENT = re.compile(r"(?<=, sha256 [0-9a-f]{16}), [A-Za-z0-9+/=]+$", re.MULTILINE)
_UNREAD = "//= not read: "
_MARK = " //= "
_LINE = re.compile(rf"^[ \t]*@[^@\s]*@[ \t]*=[ \t]*{_CALL}[^\n]*$", re.MULTILINE)


@dataclass(frozen=True)
class ListName:
    """The file of a list, and the column of it; no column where each line is an entry."""

    path: str
    column: str = ""

    def __str__(self) -> str:
        column = f', column="{self.column}"' if self.column else ""
        return f'file("{self.path}"{column})'


@dataclass(frozen=True)
class Definition:
    """What stands behind `@name@ =`: the file, and the note behind it."""

    name: ListName
    note: str


def begins_list(body: str) -> bool:
    """Whether the body of a class begins as that of a list does."""
    return _BEGUN.match(body) is not None


def list_inside(text: str) -> tuple[int, int] | None:
    """Where an expression has `file("...")` among its words; None where it has not."""
    found = _INSIDE.search(text) if "file" in text else None
    return None if found is None else found.span()


def read_definition(body: str) -> Definition | None:
    """The list that the whole body of a class defines; None where it is written otherwise."""
    found = _BODY.match(body)
    if found is None:
        return None
    return Definition(ListName(found["path"], found["column"] or ""), (found["note"] or "").strip())


def bad_path(path: str) -> tuple[str, str] | None:
    """What is wrong with the path of a list, and what to write; None for one that stays in the folder of the rules."""
    advice = (
        'Put the list into the folder of the rules, or into one below it: file("cities.txt"), file("lists/cities.txt").'
    )
    if not path.strip():
        return "file(...) names no file", 'Write the name of the list: file("cities.txt").'
    if path.startswith(("/", "\\", "~")) or re.match(r"[A-Za-z]:", path):
        return f"'{path}' is an absolute path", advice
    if "\\" in path:
        return f"'{path}' has a backslash", advice.replace("Put", "Write / between folders. Put")
    if ".." in path.split("/"):
        return f"'{path}' leads out of the folder of the rules", advice
    return None


def digest_of(entries: Iterable[str]) -> str:
    """The first 16 digits of the SHA-256 of the entries, one a line."""
    return hashlib.sha256("\n".join(entries).encode()).hexdigest()[:16]


@lru_cache(maxsize=8)
def keep_entries(entries: tuple[str, ...]) -> str:
    """The comment that keeps the entries of a list behind its definition."""
    content = base64.b64encode(zlib.compress("\n".join(entries).encode(), 6)).decode()
    return f"//= {len(entries):,} entries, sha256 {digest_of(entries)}, {content}"


def keep_faults(messages: Sequence[str]) -> str:
    """The comment in place of a list that cannot be read: why not."""
    return _UNREAD + json.dumps(list(messages))


@lru_cache(maxsize=32)  # a page reads the same lists over and over
def kept_entries(comment: str) -> tuple[tuple[str, ...], list[str]]:
    """The entries that a comment keeps, and what is wrong with it."""
    if comment.startswith(_UNREAD):
        return (), list(json.loads(comment[len(_UNREAD) :]))
    found = _KEPT.match(comment)
    try:
        packed = zlib.decompressobj()
        content = packed.decompress(base64.b64decode(found["content"], validate=True), MOST_BYTES) if found else b""
        entries = tuple(content.decode().split("\n"))
        whole = found is not None and packed.eof and digest_of(entries) == found["digest"]
    except (zlib.error, binascii.Error, UnicodeDecodeError):
        whole = False
    return (entries, []) if whole else ((), ["what is kept of it behind the definition, from //= on, is damaged"])


def split_kept(line: str) -> tuple[str, str]:
    """A line without the comment that keeps a list, and that comment; empty where there is none."""
    shown, mark, kept = line.rpartition(_MARK)
    return (shown, mark[1:] + kept) if mark else (line, "")


def without_lists(text: str) -> tuple[str, dict[ListName, str]]:
    """The text of rules as people see it, and what it keeps of its lists."""
    kept: dict[ListName, str] = {}
    if _MARK not in text:
        return text, kept

    def shown(line: re.Match[str]) -> str:
        written, comment = split_kept(line.group())
        if comment:
            kept[ListName(line["path"], line["column"] or "")] = comment
        return written

    return _LINE.sub(shown, text), kept


def with_lists(text: str, kept: Mapping[ListName, str]) -> str:
    """The text of rules with what is kept of its lists; definitions that have theirs, or for which nothing is kept,
    stay."""

    def whole(line: re.Match[str]) -> str:
        comment = kept.get(ListName(line["path"], line["column"] or ""))
        return line.group() if comment is None or _MARK in line.group() else f"{line.group().rstrip()} {comment}"

    return _LINE.sub(whole, text) if "file" in text else text


def as_shown(text: str) -> str:
    """The text of rules as people see it."""
    return without_lists(text)[0]


def with_digests(text: str) -> str:
    """The text of rules with the number and the digest of the entries that it keeps, and without the entries."""
    return _CONTENT.sub("", text) if _MARK in text else text


def lists_in(text: str) -> tuple[tuple[ListName, str], ...]:
    """The lists that a text defines, in its order, each with what it keeps of it; empty where it keeps nothing."""
    lines = _LINE.finditer(text) if "file" in text else ()
    return tuple((ListName(line["path"], line["column"] or ""), split_kept(line.group())[1]) for line in lines)


def list_definition(word_list: WordList) -> str:
    """What stands behind `@name@ =`, with its content."""
    return f"{ListName(word_list.path, word_list.column)} {keep_entries(word_list.entries)}"
