"""predict --workers, --engine ray: a file of any size, part by part, by several processes or machines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from re2nn_core.commands._common.command_result import CommandResult, table
from re2nn_core.commands._common.inputs import refuse_missing, rules_and_network
from re2nn_core.commands._common.options import ReadingOptions, note
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands._common.watching import counting_up
from re2nn_core.errors import InputError
from re2nn_core.task import Task
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.api.batch_scorer import BatchScorer
    from re2nn_core.api.text_stream import FileScores
    from re2nn_core.exchange.large_files import FileReading
    from re2nn_core.jobs.ray_cluster import RayCluster


@dataclass(frozen=True)
class Engine:
    """How many processes, None where that was not said, and the cluster that has them, None for this computer."""

    workers: int | None
    cluster: RayCluster | None

    @property
    def many(self) -> bool:
        """Whether the file is predicted part by part."""
        return self.cluster is not None or self.workers is not None


def predict_many(
    sources: Sources, input: Path, output: Path | None, reading: ReadingOptions, engine: Engine
) -> CommandResult:
    """The result of `re2nn predict --workers N` and `--engine ray`. InputError for what cannot be divided."""
    option, written = ("--workers", "FILE") if engine.cluster is None else ("--engine ray", "FOLDER")
    if output is None:
        raise InputError(f"{option} writes predictions as it goes. Give -o {written}.")
    if str(input) == "-":
        raise InputError(f"{option} reads a file part by part, and stdin has none. Give the path of a file.")
    refuse_missing(input)
    from re2nn_core.exchange.large_files import FileReading

    asked = FileReading(
        reading.file_format, reading.encoding, reading.header, reading.text_column, reading.label_column
    )
    found = _scored(_scorer_of(sources, option), input, output, asked, engine)
    for message in found.notes:
        note(f"{input}: {message}")
    if found.left_out:
        first = found.bad_rows[0]
        note(f"{input}: {counted(found.left_out, 'row')} left out; the first is line {first.line:,}: {first.reason}")
    if found.not_written:
        note(
            f"{output}: {counted(found.not_written, 'text')} left out; the first {found.why_not}.\n"
            "Choose .csv, .jsonl or .parquet to keep every text."
        )
    return _result(found, output)


def _scorer_of(sources: Sources, option: str) -> BatchScorer:
    """What predicts: the model of a folder, or rules."""
    from re2nn_core.api.batch_scorer import BatchScorer, RuleScorer

    if sources.model is not None:
        if sources.rules is not None:
            raise InputError(f"{option} takes --model DIR or --rules FILE, not both. A model holds its rules.")
        return BatchScorer(sources.model)
    if sources.task is Task.CLASSIFICATION:
        return RuleScorer(rules_and_network(sources))
    from re2nn_core.commands._common.slot_filling.inputs import rules_and_tagger

    return RuleScorer(rules_and_tagger(sources, None))


def _scored(scorer: BatchScorer, input: Path, output: Path, asked: FileReading, engine: Engine) -> FileScores:
    if engine.cluster is not None:
        from re2nn_core.api.ray_scoring import score_with_ray

        return score_with_ray(
            scorer,
            input,
            output,
            cluster=engine.cluster,
            workers=engine.workers,
            reading=asked,
            on_progress=counting_up("texts"),
        )
    from re2nn_core.api.file_scoring import score_file

    workers = engine.workers or 1
    return score_file(scorer, input, output, workers=workers, reading=asked, on_progress=counting_up("texts"))


def _result(found: FileScores, output: Path) -> CommandResult:
    written = found.texts - found.not_written
    data = {
        "sentences": written,
        "before": found.before,
        "predicted": found.predicted,
        "counts": dict(found.counts.most_common()),
        "left_out": found.left_out,
        "not_written": found.not_written,
        "output": str(output),
    }
    tally = table(["prediction", "count"], found.counts.most_common())
    again = f" {found.before:,} of them by a former call." if found.before else ""
    return CommandResult(data, f"{tally}\n\n{counted(written, 'prediction')} written to {output}.{again}")
