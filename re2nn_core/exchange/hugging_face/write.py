"""A Hugging Face data set as `save_to_disk` writes it: a folder for each split with Arrow files."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from re2nn_core.exchange.hugging_face.folder import features_of, schema_of
from re2nn_core.exchange.written_annotations import Numbered, annotation_column, annotation_of, as_objects
from re2nn_core.files import cannot_write
from re2nn_core.task import Task
from re2nn_core.text.corpus import Example
from re2nn_core.text.json_text import json_text

UNSPLIT = "unsplit"  # the folder of texts without a split; it names none, so none is read back
_NAMES = {"dev": "validation"}  # what `datasets` calls it
_DATA = "data-00000-of-00001.arrow"
_AT_ONCE = 5_000


def write_folder(folder: Path, examples: Iterable[Numbered], task: Task) -> None:
    """All texts into an empty folder."""
    schema = schema_of(task)
    counts: dict[str, int] = {}
    with ExitStack() as stack:
        writers: dict[str, Any] = {}
        for batch in _batches(examples):
            for split in dict.fromkeys(example.split for _, example, _ in batch):
                name = UNSPLIT if split is None else _NAMES.get(split, split)
                if name not in writers:
                    (folder / name).mkdir()
                    sink = stack.enter_context(pa.OSFile(str(folder / name / _DATA), "wb"))
                    writers[name] = stack.enter_context(pa.ipc.new_stream(sink, schema))
                rows = [_row(number, example, task) for number, example, _ in batch if example.split == split]
                writers[name].write_table(pa.Table.from_pylist(rows, schema=schema))
                counts[name] = counts.get(name, 0) + len(rows)
    for name, count in counts.items():
        _describe(folder / name, name, count, task)
    _write_json(folder / "dataset_dict.json", {"splits": list(counts)})


def write_zip(stream: BinaryIO, examples: Iterable[Numbered], task: Task) -> None:
    """The same folder as a zip."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        try:
            write_folder(folder, examples, task)
        except OSError as error:
            raise cannot_write(folder, error) from error
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    archive.write(file, file.relative_to(folder).as_posix())


def _batches(examples: Iterable[Numbered]) -> Iterator[list[Numbered]]:
    source = iter(examples)
    while batch := list(islice(source, _AT_ONCE)):
        yield batch


def _row(number: int, example: Example, task: Task) -> dict[str, Any]:
    annotation = annotation_of(example, task, label=str, spans=as_objects)
    return {"position": number, "text": example.text, annotation_column(task): annotation}


def _describe(folder: Path, split: str, count: int, task: Task) -> None:
    """The two files that `load_from_disk` looks for."""
    info = {
        "citation": "",
        "description": "",
        "features": features_of(task),
        "homepage": "",
        "license": "",
        "splits": {split: {"name": split, "num_examples": count, "num_bytes": (folder / _DATA).stat().st_size}},
    }
    _write_json(folder / "dataset_info.json", info)
    state: dict[str, Any] = {
        "_data_files": [{"filename": _DATA}],
        "_fingerprint": hashlib.sha256((folder / _DATA).read_bytes()).hexdigest()[:16],
        "_format_columns": None,
        "_format_kwargs": {},
        "_format_type": None,
        "_output_all_columns": False,
        "_split": split,
    }
    _write_json(folder / "state.json", state)


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json_text(value, indent=2) + "\n", encoding="utf-8")
