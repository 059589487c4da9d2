"""reconstruct of a baseline: an ordinary system is trained on the labelled texts, and its predictions make rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from re2nn_core.commands._common.command_result import percent
from re2nn_core.commands._common.options import given_options, note
from re2nn_core.commands._common.watching import counting_up, epoch_line, stop_on_interrupt
from re2nn_core.errors import Cancelled, InputError
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

if TYPE_CHECKING:
    from re2nn_core.experiments.runs.baseline_predictions import BaselinePredictions
    from re2nn_core.services.rule_systems.classification.systems import RuleSystem
    from re2nn_core.training.loop import Epoch


def refuse_beside_baseline() -> None:
    """InputError for options that name another model whose predictions are read."""
    if others := given_options("model", "predictions", "from_predictions", "prediction_column"):
        raise InputError(
            f"{others}: --baseline trains the model whose predictions make rules. Leave {others} out, or leave "
            "--baseline out."
        )


def trained_baseline(
    name: str, written: RuleSystem | None, corpus: Corpus, tokenization: Tokenization
) -> BaselinePredictions:
    """The baseline's predictions for all texts, its training reported on stderr. InputError, EncoderUnavailable;
    click.Abort by Ctrl+C."""
    from re2nn_core.experiments.runs.baseline_predictions import baseline_predictions

    encoding = counting_up("encoding texts")

    def on_epoch(epoch: Epoch, best: int) -> None:
        note(epoch_line(epoch, best, f"train {percent(epoch.train):>7}  dev {percent(epoch.dev):>7}"))

    try:
        with stop_on_interrupt() as should_stop:
            return baseline_predictions(
                name,
                written,
                corpus,
                tokenization,
                on_epoch=on_epoch,
                on_progress=lambda share: encoding(round(100 * share), 100),
                should_stop=should_stop,
            )
    except Cancelled:  # nothing is kept that the same command could continue
        raise click.Abort from None


def in_words(found: BaselinePredictions) -> str:
    """What was trained on, and for how long."""
    texts = counted(found.learned, "text")
    more = f" and {counted(found.predicted, 'text')} with the rules' predictions" if found.predicted else ""
    epochs = "" if found.epochs is None else f", {counted(found.epochs, 'epoch')}, best epoch {found.best_epoch}"
    decided = "when to stop" if found.epochs is not None else "the strength of its penalty"
    others = counted(found.held_out, "dev text" if found.of_dev else "held-out text")
    end = f" {others} decided {decided}." if found.held_out else ""
    return f"{found.name}: trained on {texts}{more}{epochs}.{end}"


def baseline_data(found: BaselinePredictions) -> dict[str, Any]:
    """The same for --json."""
    return {
        "name": found.name,
        "texts": found.learned,
        "held_out": found.held_out,
        "predicted_texts": found.predicted,
        "epochs": found.epochs,
        "best_epoch": found.best_epoch,
        "vectors": found.vectors,
    }


def check_predictions_output(path: Path | None) -> None:
    """InputError for a file of a format that predictions are not written in."""
    from re2nn_core.exchange.tables.table import FORMATS

    endings = [f".{format}" for format in FORMATS if format != "txt"]
    if path is not None and path.suffix.lower() not in endings:
        raise InputError(f"{path}: predictions are written as {', '.join(endings)}. Choose one of these endings.")


def write_predictions(path: Path, corpus: Corpus, predicted: list[str | None]) -> None:
    """The texts with their predictions, as --predictions reads them. DataFileError."""
    from re2nn_core.exchange.tables.write import write_table

    rows = list(zip(corpus.texts, predicted, strict=True))
    write_table(path, ("text", "predicted"), rows, path.suffix.lower().removeprefix("."))
