"""The formats that projects are written in, and what each of them carries."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from re2nn_core.errors import DataFileError

LABELS, SLOTS = "classification", "slots"


@dataclass(frozen=True)
class FileFormat:
    """A format by its name, with its usual ending; `labels` and `slots`: it can hold texts with these.

    `lacks` says in words what of a project it cannot hold; empty where all texts, answers and splits come back.
    """

    name: str
    title: str
    ending: str
    labels: bool = True
    slots: bool = True
    lacks: str = ""

    def holds(self, task: str) -> bool:
        """True where texts of the task can be written with their answers."""
        return self.slots if task == SLOTS else self.labels


FILE_FORMATS = (
    FileFormat("csv", "CSV", ".csv"),
    FileFormat("tsv", "TSV", ".tsv", lacks="texts with a tab or a line break are refused"),
    FileFormat("jsonl", "JSON lines", ".jsonl"),
    FileFormat("txt", "Plain lines", ".txt", lacks="texts alone: no labels, spans or splits"),
    FileFormat("parquet", "Parquet", ".parquet"),
    FileFormat(
        "conll",
        "CoNLL (BIO)",
        ".conll",
        labels=False,
        lacks="no splits; blanks between words come back as one; texts that nobody has marked are refused",
    ),
    FileFormat("spacy", "spaCy DocBin", ".spacy"),
    FileFormat("label-studio", "Label Studio", ".json"),
    FileFormat("prodigy", "Prodigy", ".jsonl"),
    FileFormat("doccano", "doccano", ".jsonl"),
    FileFormat("huggingface", "Hugging Face datasets", ""),
)
_BY_NAME = {format.name: format for format in FILE_FORMATS}


def format_called(name: str) -> FileFormat:
    """The format of a name. DataFileError names those that there are."""
    if name not in _BY_NAME:
        raise DataFileError(f"'{name}' is not a format this writes. Choose one of {', '.join(_BY_NAME)}.")
    return _BY_NAME[name]


def format_of_path(path: Path) -> FileFormat:
    """The format that a file's ending stands for, JSON lines for .jsonl. DataFileError where none does."""
    found = next((format for format in FILE_FORMATS if format.ending and format.ending == path.suffix.lower()), None)
    if found is None:
        raise DataFileError(
            f"'{path.name}': the ending does not say the format. Name one with --format: {', '.join(_BY_NAME)}."
        )
    return found


def formats_for(task: str) -> tuple[FileFormat, ...]:
    """The formats that texts of a task can be written in."""
    return tuple(format for format in FILE_FORMATS if format.holds(task))
