"""predict --workers: a file of any size, part by part, by several processes."""

from __future__ import annotations

from pathlib import Path

from re2nn_core.commands._common.command_result import CommandResult
from re2nn_core.commands._common.inputs import refuse_missing
from re2nn_core.commands._common.options import ReadingOptions, note
from re2nn_core.commands._common.sources import Sources
from re2nn_core.commands._common.watching import counting_up
from re2nn_core.errors import InputError
from re2nn_core.text.counting import counted


def predict_many(
    sources: Sources, input: Path, output: Path | None, reading: ReadingOptions, workers: int
) -> CommandResult:
    """The result of `re2nn predict --workers N`. InputError for what cannot be divided."""
    if sources.model is None or sources.rules is not None:
        raise InputError("--workers needs --model DIR, and no --rules. Rules alone predict without it.")
    if output is None or output.suffix.lower() != ".jsonl":
        raise InputError("--workers writes JSON lines as it goes. Give -o FILE.jsonl.")
    if str(input) == "-":
        raise InputError("--workers reads a file part by part, and stdin has none. Give the path of a file.")
    refuse_missing(input)
    from re2nn_core.api.batch_scorer import BatchScorer
    from re2nn_core.api.file_scoring import score_file
    from re2nn_core.exchange.large_files import FileReading

    asked = FileReading(
        reading.file_format, reading.encoding, reading.header, reading.text_column, reading.label_column
    )
    scorer = BatchScorer(sources.model)
    found = score_file(scorer, input, output, workers=workers, reading=asked, on_progress=counting_up("texts"))
    for message in found.notes:
        note(f"{input}: {message}")
    if found.left_out:
        first = found.bad_rows[0]
        note(f"{input}: {counted(found.left_out, 'row')} left out; the first is line {first.line:,}: {first.reason}")
    again = f" {found.before:,} of them by a former call." if found.before else ""
    data = {
        "sentences": found.texts,
        "before": found.before,
        "predicted": found.predicted,
        "left_out": found.left_out,
        "output": str(output),
    }
    return CommandResult(data, f"{counted(found.texts, 'prediction')} written to {output}.{again}")
