"""What a folder without files of rows is, by its names, and what to do with it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath

_FEWEST = 2
_SHEETS = (".xlsx", ".xls", ".ods", ".xlsb", ".numbers")
_WORDS_AND_TAGS = ("seq.in", "seq.out")
_WITH_TAGS = (".conll", ".conllu", ".bio", ".iob", ".iob2")


def what_to_do(paths: Collection[str]) -> str:
    """A sentence behind the names of the files that were found."""
    files = [PurePosixPath(path) for path in paths if not PurePosixPath(path).name.startswith(".")]
    kinds = {file.suffix.lower() for file in files}
    if any(file.name in _WORDS_AND_TAGS for file in files):
        return (
            "They look like words, tags and labels in files of their own (seq.in, seq.out, label). Write each text as "
            'a line of JSON, {"tokens": ["to", "oslo"], "tags": ["O", "B-city"]}, or as text and label in a CSV.'
        )
    if kinds & {*_SHEETS}:
        return "Save each sheet as CSV (UTF-8) in the folder."
    texts = [file for file in files if file.suffix.lower() == ".txt"]
    folders = {str(file.parent) for file in texts}
    if len(texts) > len(folders) >= _FEWEST:
        return (
            "If the name of each folder is the label of the texts in it, write all texts into a CSV with the columns "
            "text and label."
        )
    if len(texts) >= _FEWEST:
        return (
            "If one of the files holds the labels of another, or the names of the files are labels, write all texts "
            "into a CSV with the columns text and label."
        )
    if kinds & {*_WITH_TAGS, ".json", ".txt", ".spacy"}:
        return "Import the files themselves, several at once or one after another."
    return ""
