"""The formats that projects are written in, and what each of them carries."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from re2nn_core.errors import DataFileError
from re2nn_core.task import Task, by_task

GUARDED = "Cells that look like formulas (= + - @) get an apostrophe in front, which an import takes off again."


@dataclass(frozen=True)
class FileFormat:
    """A format by its name, with its usual ending; `labels` and `slots`: it can hold texts with these.

    `lacks` says what of a project it cannot hold, behind "It holds no", empty where all texts, answers and splits come
    back; `refuses` the texts that cannot be written in it; `guarded`: cells that look like formulas are written so that
    no spreadsheet runs them (tables/guard.py).
    """

    name: str
    title: str
    ending: str
    labels: bool = True
    slots: bool = True
    lacks: str = ""
    refuses: str = ""
    guarded: bool = False

    @property
    def limits(self) -> str:
        """All of it in sentences; empty where there is nothing to be said."""
        reported = [f"It holds no {self.lacks}."] if self.lacks else []
        reported += [f"{self.refuses} are refused."] if self.refuses else []
        return " ".join([*reported, *((GUARDED,) if self.guarded else ())])

    def holds(self, task: Task) -> bool:
        """True where texts of the task can be written with their answers."""
        return by_task(task, classification=self.labels, slot_filling=self.slots)


FILE_FORMATS = (
    FileFormat("csv", "CSV", ".csv", guarded=True),
    FileFormat("tsv", "TSV", ".tsv", refuses="Texts with a tab or a line break", guarded=True),
    FileFormat("jsonl", "JSON lines", ".jsonl"),
    FileFormat("txt", "Plain lines", ".txt", lacks="labels, spans or splits", refuses="Texts with a line break"),
    FileFormat("parquet", "Parquet", ".parquet"),
    FileFormat(
        "conll",
        "CoNLL (BIO)",
        ".conll",
        labels=False,
        lacks="splits, and one blank alone between words",
        refuses="Texts without annotation",
    ),
    FileFormat("spacy", "spaCy DocBin", ".spacy"),
    FileFormat("label-studio", "Label Studio", ".json"),
    FileFormat("prodigy", "Prodigy", ".jsonl"),
    FileFormat("doccano", "doccano", ".jsonl"),
    FileFormat("huggingface", "Hugging Face datasets", ""),
)
# What `re2nn export` writes beside them.
ARCHIVE = "archive"
# Of all that can be read; every list of formats that a user sees comes from here.
NAMES = tuple(format.name for format in FILE_FORMATS)
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
        names = ", ".join((*NAMES, ARCHIVE))
        raise DataFileError(f"'{path.name}': the ending does not say the format. Name one with --format: {names}.")
    return found


def refuse_unknown_format(name: str | None) -> None:
    """DataFileError for the name of a format that nothing reads."""
    if name is not None and name not in _BY_NAME:
        raise DataFileError(f"'{name}' is not a format this reads. Choose one of {', '.join(NAMES)}.")


def formats_in_words() -> str:
    """The formats by their titles."""
    return ", ".join(format.title for format in FILE_FORMATS)


def formats_for(task: Task) -> tuple[FileFormat, ...]:
    """The formats that texts of a task can be written in."""
    return tuple(format for format in FILE_FORMATS if format.holds(task))
