"""How figures of a table read: ours, published, the difference, how many seeds. All that shows them says it alike."""

from __future__ import annotations

from re2nn_core.experiments.reproduce.output.results import Filled, Result
from re2nn_core.experiments.reproduce.runs.vector_kinds import (
    BUILTIN,
    ENCODER,
    IN_WORDS,
    hangs_on_machine,
    vector_kind_of,
)
from re2nn_core.text.counting import counted

NOT_RUN, CANNOT = "not run", "cannot be run"
NO_TIME = "There was no time for it; run the same command to continue."
_MOST_NAMED = 8  # rows and columns
FOOT = "Mean ± standard deviation of a sample (n - 1) over seeds."


def ours(result: Result) -> str:
    """`91.04 ± 1.00`; `not run` where there is nothing, `cannot be run` where there can be nothing."""
    if result.measured is None:
        return state(result)
    spread = None if result.nothing_random else result.measured.std
    return _plus_minus(result.measured.mean, spread, result.cell.digits)


def published(result: Result) -> str:
    """The same of the published figure; empty where there is none."""
    figure = result.published
    return "" if figure is None else _plus_minus(figure.mean, figure.std, result.cell.digits)


def difference_text(result: Result) -> str:
    """`+0.61`; empty where there is none."""
    found = result.difference
    if found is None:
        return ""
    return f"{found:+,.{result.cell.digits}f}".replace("-", "−")


def seeds(result: Result) -> str:
    """`4 seeds`; where nothing is random one is all."""
    if result.measured is None:
        return ""
    count = len(result.measured.runs)
    if result.nothing_random:
        return "nothing random"
    return counted(count, "seed")


def plain_cell(result: Result) -> str:
    """All of a cell in a line: ours, seeds, published, difference."""
    parts = [ours(result)]
    if result.measured is not None:
        parts[0] += f" ({seeds(result)})"
    if result.published is not None:
        parts.append(f"published {published(result)}")
    if reported := difference_text(result):
        parts.append(reported)
    return ", ".join(parts)


def summary(filled: Filled) -> str:
    """How many cells have a figure, how these compare, and how much hangs on a single seed."""
    every, run = len(filled.results), len(filled.measured)
    cells = counted(every, "cell")
    reported = [
        f"{run:,} of {cells} {'has' if run == 1 else 'have'} a figure" if run else f"None of {cells} has a figure"
    ]
    if cannot := sum(result.cell.job is None for result in filled.results):
        reported[0] += f" ({cannot:,} cannot be run here)"
    shares = [result for result in filled.measured if result.cell.digits]  # to be above in a count says nothing
    compared = [result.difference for result in shares if result.difference is not None]
    if compared:
        ahead = sum(one >= 0 for one in compared)
        shown = "published figures" if len(shares) == run else "published shares"
        reported.append(f"the mean reaches or passes {ahead} of {len(compared)} {shown}")
    single = sum(len(result.measured.runs) == 1 and not result.nothing_random for result in shares if result.measured)
    if single:
        reported.append(f"{single} {'has' if single == 1 else 'have'} a single seed")
    return "; ".join(reported) + "."


def why_not(filled: Filled) -> tuple[str, ...]:
    """Why cells could not be run, each reason once."""
    return tuple(dict.fromkeys(result.why_not for result in filled.results if result.why_not))


def mixed_vectors(filled: Filled) -> tuple[str, ...]:
    """Where word vectors of two kinds stand side by side, because the encoder was not always installed: runs that are
    not in a mean therefore, and cells that cannot be compared."""
    reported, cells = [], {ENCODER: 0, BUILTIN: 0}
    for result in filled.measured:
        measured, job = result.measured, result.cell.job
        if (
            measured is None
            or job is None
            or not hangs_on_machine(job)
            or (kind := vector_kind_of(measured.runs[0])) is None
        ):
            continue
        cells[kind] += 1
        count = sum(vector_kind_of(run) not in (None, kind) for run in measured.others)
        if count:
            other = IN_WORDS[BUILTIN if kind == ENCODER else ENCODER]
            reported.append(
                f"{result.cell.name}: the figure is of {counted(len(measured.runs), 'seed')} with {IN_WORDS[kind]}; "
                f"{counted(count, 'run')} with {other} {'is' if count == 1 else 'are'} left out."
            )
    if all(cells.values()):
        each = " and ".join(f"{counted(number, 'cell')} with {IN_WORDS[kind]}" for kind, number in cells.items())
        reported.append(
            f"Two kinds of word vectors: {each}. Figures of one kind cannot be compared with those of the other."
        )
    return tuple(reported)


def other_settings(filled: Filled) -> tuple[str, ...]:
    """Runs that are not in a mean because the settings of a system have changed since."""
    reported = []
    for result in filled.measured:
        if result.measured is None:
            continue
        vectors = result.measured.runs[0].measured.vectors
        left = [run for run in result.measured.others if run.measured.vectors == vectors]
        if left:
            reported.append(
                f"{result.cell.name}: the figure is of {counted(len(result.measured.runs), 'seed')}; "
                f"{counted(len(left), 'run')} with other settings {'is' if len(left) == 1 else 'are'} left out. "
                "--again runs all of a cell with today's settings."
            )
    return tuple(reported)


def state(result: Result) -> str:
    """`run`, `not run` or `cannot be run`."""
    return "run" if result.measured is not None else NOT_RUN if result.cell.job else CANNOT


def left_out(filled: Filled) -> str:
    """What was not asked for; many rows and columns are counted."""
    names = filled.left_out
    if len(names) <= _MOST_NAMED:
        return f"Left out: {', '.join(names)}." if names else ""
    rows = sum(name.startswith("row ") for name in names)
    counts = [counted(count, what) for count, what in ((rows, "row"), (len(names) - rows, "column")) if count]
    return f"Left out: {' and '.join(counts)} that were not asked for."


def _plus_minus(mean: float, std: float | None, digits: int) -> str:
    return f"{mean:,.{digits}f}" + ("" if std is None else f" ± {std:,.{digits}f}")
