"""What commands that train have in common: Ctrl+C, what is reported while they run, and what they say at the end."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from re2nn_core.commands._common.command_result import percent, table
from re2nn_core.commands._common.options import note
from re2nn_core.network.model_card import LARGEST_WEIGHTS, words_by_label
from re2nn_core.text.counting import counted

if TYPE_CHECKING:
    from re2nn_core.services.fine_tuning.classification.training import TrainReport
    from re2nn_core.services.fine_tuning.slot_filling.training import SlotTrainReport
    from re2nn_core.training.loop import Epoch

Report = TypeVar("Report", "TrainReport", "SlotTrainReport")

_QUIET_SECONDS = 10  # so long progress may say nothing
_SOON = 3  # work that is over in so many seconds tells nothing


@contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Ctrl+C asks the loop to stop, so that its checkpoint is whole; a second one stops at once."""
    asked = threading.Event()
    before = signal.getsignal(signal.SIGINT)

    def ask(*_: object) -> None:
        note("Stopping; press Ctrl+C again to stop at once.")
        asked.set()
        signal.signal(signal.SIGINT, before)

    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    signal.signal(signal.SIGINT, ask)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def after_seconds(seconds: float) -> Callable[[], bool]:
    """Whether so many seconds have passed since this was called."""
    began = time.monotonic()
    return lambda: time.monotonic() - began >= seconds


def watched(train: Callable[..., Report], on_epoch: Callable[[Epoch, int], None]) -> tuple[Report, float]:
    """The report of a training that Ctrl+C stops, and the seconds it took."""
    began = time.perf_counter()
    with stop_on_interrupt() as should_stop:
        report = train(on_epoch=on_epoch, should_stop=should_stop)
    return report, round(time.perf_counter() - began, 2)


def counting_up(what: str) -> Callable[[int, int], None]:
    """Progress on stderr as a share that never falls: one line where a terminal shows it, else one for each fifth. What
    stays at one share for long is reported with the seconds it took since the first report, so that nobody takes it for
    dead."""
    shown, began, reported_at = -1, 0.0, 0.0

    def report_progress(done: int, total: int) -> None:
        nonlocal shown, began, reported_at
        percents = max(shown, 100 if done >= total else 100 * done // total)
        terminal, now = sys.stderr.isatty(), time.monotonic()
        if shown < 0:
            began = reported_at = now
        waited = now - reported_at >= _QUIET_SECONDS and percents < 100
        further = percents > shown and (terminal or percents // 20 > shown // 20 or percents == 100)
        if not further and not waited:
            return
        shown, reported_at = percents, now
        seconds = f", {now - began:.0f} s" if waited else ""
        if terminal:
            click.echo(f"\r{what}: {percents:>3}%{seconds:<9}", err=True, nl=percents == 100)
        else:
            note(f"{what}: {percents}%{seconds}")

    return report_progress


def counting_work(what: str) -> Callable[[int, int, str], None]:
    """Progress of work whose parts are named, counted up as one."""
    report_progress = counting_up(what)

    def on_progress(done: int, total: int, _: str) -> None:
        report_progress(done, total)

    return on_progress


def counting_parts() -> Callable[[str, int, int], None]:
    """Progress of work in several parts, one after the other, each counted up by its name; one that ended early is done
    where the next begins. The first seconds show nothing, for most work of this kind is over by then."""
    began, parts = time.monotonic(), dict[str, Callable[[int, int], None]]()

    def report_progress(what: str, done: int, total: int) -> None:
        if time.monotonic() - began >= _SOON and total:
            if what not in parts:
                for former in parts.values():
                    former(1, 1)
                parts[what] = counting_up(what)
            parts[what](done, total)

    return report_progress


def report_former_training(output: Path, *, resumes: bool) -> None:
    """Say what becomes of an unfinished training in the folder."""
    from re2nn_core.training.resuming import unfinished_elsewhere

    if resumes:
        note(f"Continuing from the checkpoint in {output}.")
    elif unfinished := unfinished_elsewhere(output):
        note(
            f"{output} holds an unfinished training of other rules, texts or settings. It was moved to "
            f"{unfinished}; the former command continues it."
        )


def epoch_line(epoch: Epoch, best: int, reached: str) -> str:
    """An epoch in a line; `reached` are its figures."""
    mark = "  best so far" if best == epoch.epoch else ""
    loss = f"loss {epoch.loss:.4f}" if epoch.epoch else "(untrained)"  # nothing is learned in epoch 0
    return f"epoch {epoch.epoch:>3}  {loss}  {reached}  {epoch.seconds:.1f} s{mark}"


def training_summary(report: TrainReport | SlotTrainReport, measured: str, following: Sequence[str]) -> str:
    """What came out of a training; `following` are commands for what comes next."""
    strongest = getattr(report, "strongest_words", {})
    words = [f"{LARGEST_WEIGHTS}: {words_by_label(strongest)}."] if strongest else []
    notes = "".join(f"{reported_at}\n" for reported_at in (*words, *report.notes))
    commands = "\n".join(f"    {command}" for command in following)
    return (
        f"{_figures(report, measured)}\n\n"
        f"{counted(report.epochs, 'epoch')} on {report.device}{_kept(report)}. "
        f"{report.recipe}\n{notes}"
        f"The model is in {report.model}. Next:\n{commands}"
    )


def _kept(report: TrainReport | SlotTrainReport) -> str:
    """Which epoch's network predicts. A linear layer may predict with the rules as written: the curve, which may rise,
    is of another network then."""
    if not report.epochs:
        return ""
    if report.best_epoch == 0 and report.linear_weight:
        return "; the rules as written are kept, with a linear layer"
    return f", best epoch {report.best_epoch}"


def _figures(report: TrainReport | SlotTrainReport, measured: str) -> str:
    """Before and after side by side, a column for each kind of figure, and what the kinds mean."""
    from re2nn_core.services.fine_tuning.dev_figures import meanings_in_words

    pairs = report.figures
    if not pairs:
        return f"There are no texts to measure {measured} on."
    rows = [
        ["untrained", *(percent(pair.untrained) for pair in pairs)],
        ["trained", *(percent(pair.trained) for pair in pairs)],
    ]
    if any(pair.near_rules is not None for pair in pairs):
        rows.append(["then faithful", *(percent(pair.near_rules) for pair in pairs)])
    intervals = [pair.interval for pair in pairs]
    if any(intervals):
        rows.append(["95% interval", *(interval or "-" for interval in intervals)])
    reported_at = meanings_in_words(pairs)
    lines = [table([measured, *(pair.name for pair in pairs)], rows), reported_at, _of_layer(report)]
    return "\n".join(line for line in lines if line)


def _of_layer(report: TrainReport | SlotTrainReport) -> str:
    """What the figure is of where it is of no epoch; empty elsewhere."""
    from re2nn_core.services.fine_tuning.dev_figures import DEV, with_layer_in_words
    from re2nn_core.services.fine_tuning.slot_filling.training import SlotTrainReport

    if not report.epochs or report.best_epoch or not report.linear_weight or report.dev is None:
        return ""
    turns = isinstance(report, SlotTrainReport) and report.figures[0].name != DEV
    return f"{percent(report.dev)} {with_layer_in_words(turns=turns)}"
