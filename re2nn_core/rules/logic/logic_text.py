"""Edits of the text of a label logic file (TOML) that keep all else as it was written: further texts in a list."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from re2nn_core.files import read_toml

_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')
_COMMENT = re.compile(r"#[^\n]*")


def with_items(text: str, key: str, items: Sequence[str], *, comment: str = "") -> str:
    """The file with these texts behind those of a list, which is made where there is none, below a comment."""
    wanted = read_toml(text)
    wanted[key] = [*wanted.get(key, []), *items]
    written = [json.dumps(item, ensure_ascii=False) for item in items]
    place = re.search(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=[ \t]*\[", text, re.MULTILINE)
    if place is not None:
        return _or_anew(_inserted(text, place.end(), written), wanted)
    head = text.rstrip() + "\n" if text.strip() else ""
    above = [f"# {comment}"] if comment else []
    return _or_anew(head + "\n".join([*above, f"{key} = [", *(f"    {item}," for item in written), "]"]) + "\n", wanted)


def with_other_item(text: str, key: str, old: str, new: str) -> str:
    """The file with another text in the place of one of a list, which has it once."""
    wanted = read_toml(text)
    wanted[key] = [new if item == old else item for item in wanted[key]]
    written = json.dumps(new, ensure_ascii=False)
    tried = [text.replace(quoted, written, 1) for quoted in (json.dumps(old, ensure_ascii=False), f"'{old}'")]
    return next((one for one in tried if _read(one) == wanted), None) or _or_anew("", wanted)


def _or_anew(text: str, wanted: Mapping[str, Any]) -> str:
    """The text if it holds what is wanted; else that written anew, without the comments that were there. Lists may be
    written in ways that are not known here, as with strings of several lines."""
    return text if _read(text) == wanted else logic_as_toml(wanted)


def logic_as_toml(values: Mapping[str, Any]) -> str:
    """The keys of a label logic, texts and lists of texts, as TOML."""
    lines: list[str] = []
    for key, value in values.items():
        if isinstance(value, list):
            lines += [f"{key} = [", *(f"    {json.dumps(item, ensure_ascii=False)}," for item in value), "]"]
        else:
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def _inserted(text: str, start: int, items: Sequence[str]) -> str:
    """`start` is the place behind the bracket that opens the list."""
    last, end = _end_of_list(text, start)
    comma = "" if text[last - 1] in ",[" else ","
    if "\n" not in text[start:end]:
        blank = " " if text[last - 1] != "[" else ""
        return text[:last] + comma + blank + ", ".join(items) + text[last:]
    body = text[:last] + comma + text[last:end].rstrip(" \t")
    return body + "".join(f"    {item},\n" for item in items) + text[end:]


def _end_of_list(text: str, start: int) -> tuple[int, int]:
    """The place behind the last sign of the list that is no blank and no comment, and that of its closing bracket."""
    last = place = start
    while place < len(text) and text[place] != "]":
        skipped = _COMMENT.match(text, place)
        string = _STRING.match(text, place)
        if skipped:
            place = skipped.end()
            continue
        place = string.end() if string else place + 1
        if not text[place - 1].isspace():
            last = place
    return last, place


def _read(text: str) -> object:
    try:
        return read_toml(text)
    except tomllib.TOMLDecodeError:
        return None
