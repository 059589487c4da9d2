"""What the paths of files in a folder say of their rows besides the split: label=refund/part-0.parquet, refund.csv."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from re2nn_core.exchange.hugging_face.files import split_in
from re2nn_core.exchange.tables.header import LABEL_NAMES, SPAN_NAMES, column_role

FILE_NAME = "file name"
_KEY = re.compile(r"([^=/]+)=([^=/]*)")
_NO_LETTERS = re.compile(r"[\W\d_]+")
_EMPTY = "__HIVE_DEFAULT_PARTITION__"


def values_in_path(path: str) -> dict[str, str | None]:
    """The columns that folders name with their value, as Spark and Hive part tables by them."""
    found = (_KEY.fullmatch(part) for part in PurePosixPath(path).parts[:-1])
    return {one.group(1): None if one.group(2) == _EMPTY else one.group(2) for one in found if one is not None}


def names_of_files(columns_of: Mapping[str, Collection[str]]) -> dict[str, str]:
    """What tells the files apart, their names or those of their folders, where it may be the label of their texts: no
    column is called so, and it is neither a split nor a number. `columns_of`: the columns of each file."""
    if any(column_role(column) in (*LABEL_NAMES, *SPAN_NAMES) for columns in columns_of.values() for column in columns):
        return {}
    parts = {path: PurePosixPath(path).with_suffix("").parts[::-1] for path in columns_of}
    for depth in range(min(map(len, parts.values()), default=0)):
        names = {path: part[depth] for path, part in parts.items()}
        if any(split_in(name) is not None for name in names.values()):
            continue
        if len(_words(names.values())) > 1:
            return names
    return {}


def other_columns(columns_of: Mapping[str, Collection[str]]) -> list[str]:
    """A note on a file that has no column of the first one."""
    files = {path: list(columns) for path, columns in columns_of.items() if columns}
    first = next(iter(files), "")
    others = [path for path, columns in files.items() if set(columns).isdisjoint(files[first])]
    if not others:
        return []
    return [
        f"'{others[0]}' has none of the columns of '{first}' ({_named(files[first])}) but {_named(files[others[0]])}: "
        "give columns of the same use the same name in all files, or import the files one after another."
    ]


def several_folders(paths: Collection[str]) -> list[str]:
    """A note on folders with files of the same names, which may be data sets of their own."""
    folders: dict[str, dict[str, None]] = {}
    for path in map(PurePosixPath, paths):
        own = [part for part in path.parts[:-1] if split_in(part) is None and "=" not in part]
        if len(own) == len(path.parts) - 1 and own:
            folders.setdefault(path.name, {})[own[-1]] = None
    same = next((list(found) for found in folders.values() if len(found) > 1), [])
    if not same or not any(split_in(name) is not None for name in folders):
        return []
    return [
        f"Files of the same names are in several folders ({_named(same)}), and were read together. If they are data "
        "sets of their own, import one of these folders alone."
    ]


def _named(columns: list[Any]) -> str:
    return ", ".join(f"'{column}'" for column in columns[:6])


def _words(names: Iterable[str]) -> set[str]:
    return {_NO_LETTERS.sub("", name).casefold() for name in names}
