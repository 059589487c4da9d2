"""A file of texts of any size, predicted by the processes of a Ray cluster, or of a Ray that this machine starts.

Ray keeps no order, so chunks of texts carry the numbers of their rows: each is predicted into a file of its own, whole
or not at all, named by its first row. A chunk whose process died is given out again. Until the end all of it stands in
`FOLDER.part`, where the same call finds what former ones have done.
"""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from re2nn_core.api.batch_scorer import BatchScorer
from re2nn_core.api.prediction_files import prediction_dicts, prediction_formats
from re2nn_core.api.text_stream import ChunkScores, FileScores, OnProgress, checkpoint_key, chunks_of, score_texts
from re2nn_core.errors import InputError
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.files import cannot_write, read_json, read_json_object, write_whole
from re2nn_core.jobs.ray_cluster import RayCluster
from re2nn_core.text.json_text import json_text

CHUNK = 5_000  # texts of a file
HERE = RayCluster()
_READING, _PREDICTING = 300, 700  # of 1,000


def score_with_ray(
    scorer: BatchScorer,
    source: Path,
    folder: Path,
    *,
    cluster: RayCluster = HERE,
    workers: int | None = None,
    reading: FileReading | None = None,
    on_progress: OnProgress | None = None,
) -> FileScores:
    """Write `part-NUMBER.jsonl` files to a new folder, in the order of the texts; `row` counts these from 1. All
    computers of the cluster see the model and the folder. `workers`: processes, of a core each; None for all cores.
    ModelError, DataFileError; InputError for a folder that is there, for a cluster that is not, and where Ray cannot go
    on; UnavailableError without Ray."""
    if folder.exists():
        raise InputError(f"{folder} is there already. Give the name of a new folder.")
    if folder.suffix.lower() in prediction_formats(scorer.model.task):
        raise InputError(f"{folder} is the name of a file. Ray writes several files: give the name of a new folder.")
    cluster.check()
    found, _ = FileScores(), scorer.model
    part = folder.with_name(f"{folder.name}.part").resolve()
    progress = on_progress or (lambda done, total: None)
    try:
        _begin(part, checkpoint_key(scorer, source, reading))
        chunks = chunks_of(
            scorer,
            source,
            CHUNK,
            found,
            reading=reading,
            on_progress=lambda done, total: progress(_READING * done // total, 1000),
        )
        names = _staged(part, chunks)
        waiting = [name for name in names if not _scores_file(part, name).exists()]
        if waiting:
            with cluster.connected(workers) as processes:
                for done in _predicted(scorer, part, waiting, processes):
                    progress(_READING + _PREDICTING * done // len(waiting), 1000)
        for name in names:
            scores = ChunkScores(**read_json_object(_scores_file(part, name)))
            found.add(scores)
            found.before += 0 if name in waiting else scores.texts
        for file in part.glob("*.json"):
            file.unlink()
        part.replace(folder)
    except OSError as error:
        raise cannot_write(folder, error) from error
    finally:
        if not any(part.glob("scores-*.json")) and not folder.exists():  # nothing that another call could go on from
            shutil.rmtree(part, ignore_errors=True)
    return found


def _begin(part: Path, key: str) -> None:
    """A folder that holds what a former call of the same has done, or nothing."""
    state = part / "call.json"
    if part.exists() and (not state.exists() or read_json_object(state).get("key") != key):
        shutil.rmtree(part)
    part.mkdir(parents=True, exist_ok=True)
    write_whole(state, json_text({"key": key}))


def _staged(part: Path, chunks: Iterator[list[str]]) -> list[str]:
    """The names of all chunks, each written where it is still to be predicted."""
    names, row = [], 1
    for texts in chunks:
        names.append(f"{row:012d}")
        if not _scores_file(part, names[-1]).exists():
            write_whole(_texts_file(part, names[-1]), json.dumps(texts))
        row += len(texts)
    return names


def _texts_file(part: Path, name: str) -> Path:
    return part / f"texts-{name}.json"


def _scores_file(part: Path, name: str) -> Path:
    return part / f"scores-{name}.json"


class ChunkScorer:
    """What each process of Ray holds: it is asked for the names of chunks, as Ray Data asks."""

    def __init__(self, scorer: BatchScorer, part: Path) -> None:
        self.scorer, self.part = scorer, part

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """The same names, when their predictions are written. A chunk that is done already is passed over: Ray may ask
        twice."""
        for name in map(str, batch["item"]):
            if not _scores_file(self.part, name).exists():
                self._score(name)
        return {"item": batch["item"]}

    def _score(self, name: str) -> None:
        texts: list[str] = read_json(_texts_file(self.part, name))
        found, scores = score_texts(self.scorer, texts, "jsonl")
        rows = enumerate(prediction_dicts(self.scorer.model.task, found), start=int(name))
        lines = "".join(json_text({"row": number, **row}) + "\n" for number, row in rows)
        write_whole(self.part / f"part-{name}.jsonl", lines.encode("utf-8", "surrogatepass"))
        write_whole(_scores_file(self.part, name), json_text(asdict(scores)))
        _texts_file(self.part, name).unlink(missing_ok=True)


def _predicted(scorer: BatchScorer, part: Path, names: list[str], processes: int) -> Iterator[int]:
    """How many chunks are predicted, as they come."""
    import ray.data
    from ray.exceptions import RayError

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    chunks = ray.data.from_items(names, override_num_blocks=len(names)).map_batches(
        ChunkScorer,
        fn_constructor_args=(scorer, part),
        batch_size=1,
        concurrency=(1, min(processes, len(names))),
        num_cpus=1,
    )
    try:
        for done, _ in enumerate(chunks.iter_rows(), start=1):
            yield done
    except RayError as error:
        why = str(error.__cause__ or error).strip().splitlines()[-1]
        raise InputError(f"Ray could not finish: {why}\nRun the same command to continue.") from None
