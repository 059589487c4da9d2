"""What is asked of the learning, beside what the stored results have: nothing is measured here.

    python tests/benchmarks/reached.py                          tables in Markdown, as README.md has them
    python tests/benchmarks/reached.py --unseen FILE --reconstruction FILE

Figures are means over the seeds that a file has, on test, in per cent, with the standard error where there are several
seeds. A cell that no file has is not measured.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import click

RESULTS = Path(__file__).parent / "results"
BELOW = 0.5  # points that a mean may be below its rules
SIZES = (20, 50, 200, 1000)
OBJECTIVES = ("interpretable", "accuracy")
KEPT = 60  # per cent of the gain

Run = Mapping[str, Any]


@dataclass(frozen=True)
class Figure:
    """Per cent of each seed; or one value of so many seeds together."""

    values: tuple[float, ...]
    together: int = 0

    @property
    def mean(self) -> float:
        return mean(self.values)

    @property
    def error(self) -> float:
        """The standard error; 0 with one seed, which says nothing of it."""
        return stdev(self.values) / math.sqrt(len(self.values)) if len(self.values) > 1 else 0.0

    def __str__(self) -> str:
        if self.together:
            return f"{self.mean:.1f} ({self.together})"
        error = f" ± {self.error:.1f}" if len(self.values) > 1 else " (1)"
        return f"{self.mean:.1f}{error}"


@dataclass(frozen=True)
class Asked:
    """A line of what is asked for: at least `least` per cent."""

    what: str
    least: float
    figure: Figure | None


@click.command()
@click.option("--unseen", type=click.Path(path_type=Path), default=RESULTS / "unseen.json", show_default=False)
@click.option("--reconstruction", type=click.Path(path_type=Path), default=RESULTS / "reconstruction.json")
def main(unseen: Path, reconstruction: Path) -> None:
    """Print both tables."""
    trained = [run for run in read(unseen)["training"] if run["on"] == "test"]
    click.echo("\n".join(never_hurts(trained)))
    click.echo("")
    click.echo("\n".join(asked_for([*of_training(trained), *of_reconstruction(read(reconstruction)["runs"], trained)])))


def read(path: Path) -> Any:
    """A file of results."""
    if not path.is_file():
        raise click.ClickException(f"There is no file {path}. A benchmark of README.md writes it.")
    return json.loads(path.read_text(encoding="utf-8"))


def figure(values: Iterable[float]) -> Figure | None:
    """None where no seed was measured."""
    found = tuple(100 * value for value in values)
    return Figure(found) if found else None


def cells_of(runs: Sequence[Run], objective: str) -> dict[str, dict[int, Figure]]:
    """For each set, by the number of texts, the smallest number in front, what training kept."""
    found: dict[str, dict[int, Figure]] = {}
    own = [run for run in runs if run["objective"] == objective]
    for name in dict.fromkeys(run["data"] for run in own):
        sizes = sorted({run["texts"] for run in own if run["data"] == name})
        kept = {
            size: figure(run["kept"] for run in own if (run["data"], run["texts"]) == (name, size)) for size in sizes
        }
        found[name] = {size: one for size, one in kept.items() if one is not None}
    return found


def never_hurts(runs: Sequence[Run]) -> list[str]:
    """A row for each set and objective, with what is below the rules, or below fewer texts by more than one standard
    error."""
    rows = ["| data | objective | rules | 20 texts | 50 | 200 | 1,000 | all | below |", f"|{' --- |' * 9}"]
    for objective in OBJECTIVES:
        for name, cells in sorted(cells_of(runs, objective).items()):
            rules = figure(run["rules"] for run in runs if run["data"] == name)
            assert rules is not None
            every = [size for size in cells if size not in SIZES]
            shown = [str(cells.get(size, "")) for size in (*SIZES, every[-1] if every else 0)]
            below = ", ".join(_below(rules.mean, cells)) or "none"
            rows.append(f"| {name} | {objective} | {rules.mean:.1f} | {' | '.join(shown)} | {below} |")
    return rows


def _below(rules: float, cells: Mapping[int, Figure]) -> list[str]:
    found = [f"{size:,}: its rules" for size, one in cells.items() if one.mean < rules - BELOW]
    sizes = list(cells)
    for fewer, size in zip(sizes, sizes[1:], strict=False):
        before, one = cells[fewer], cells[size]
        if one.mean < before.mean - math.hypot(before.error, one.error) - 1e-9:
            found.append(f"{size:,}: {fewer:,} texts")
    return found


def of_training(runs: Sequence[Run]) -> list[Asked]:
    """What is asked of networks."""

    def kept(data: str, objective: str, texts: int, value: str = "kept") -> Figure | None:
        cell = {"data": data, "objective": objective, "texts": texts}
        return figure(run[value] for run in runs if cell.items() <= run.items() and value in run)

    return [
        Asked("CLINC150, accuracy, 200 texts", 82, kept("clinc150", "accuracy", 200)),
        Asked("CLINC150, accuracy, all texts", 96, kept("clinc150", "accuracy", 15000)),
        Asked(
            "CLINC150, texts of no label found at 95% coverage",
            60,
            kept("clinc150", "accuracy", 15000, "out_of_scope_found"),
        ),
        Asked("MITR, accuracy, 200 texts", 70, kept("mitr-slots", "accuracy", 200)),
        Asked("MITR, accuracy, all texts", 79, kept("mitr-slots", "accuracy", 6884)),
        Asked("Flight intents, interpretable, all texts", 82, kept("flight_intents", "interpretable", 413)),
        Asked("Flight intents, accuracy, all texts", 90, kept("flight_intents", "accuracy", 413)),
        Asked("ATIS, accuracy, all texts", 97.3, kept("atis", "accuracy", 3982)),
    ]


def of_reconstruction(runs: Sequence[Run], trained: Sequence[Run]) -> list[Asked]:
    """What is asked of reconstructed rules."""
    own = [run for run in runs if run["on"] == "test"]

    def having(**cell: Any) -> list[Run]:
        return [run for run in own if cell.items() <= run.items()]

    def value(which: str, data: str) -> Figure | None:
        return figure(run["test"][which] for run in having(data=data, share=1.0))

    found = []
    for data, least, agreement in (("atis", 95, 95), ("trec", 88, 93), ("sms", 98, 98)):
        found.append(Asked(f"{data}, all texts, reconstructed", least, value("reconstructed", data)))
        found.append(Asked(f"{data}, the same, agreement with the model", agreement, value("agreement", data)))
    found.append(Asked("atis-slots, all texts, reconstructed", 91.5, value("reconstructed", "atis-slots")))
    for data in ("atis", "trec", "sms"):
        found.append(Asked(f"{data}, 10% of train, gain kept", KEPT, gain_kept(having(data=data, share=0.1))))
    for data in ("message_spam", "flight_intents", "flight_slots", "flight_slots_zh"):
        best = [mean(cells[data][max(cells[data])].values) / 100 for cells in _all_cells(trained) if data in cells]
        kept = gain_kept(having(data=data, share=1.0, training=_training(data)), best)
        found.append(Asked(f"{data}, all texts, gain kept of the best network", KEPT, kept))
    for data in ("clinc150", "mitr-slots"):
        found.append(Asked(f"{data}, 1,000 texts, accuracy, gain kept", KEPT, gain_kept(having(data=data, texts=1000))))
    return found


def _training(data: str) -> str:
    return "interpretable" if "slots" in data else "not faithful"


def _all_cells(trained: Sequence[Run]) -> list[dict[str, dict[int, Figure]]]:
    return [cells_of(trained, objective) for objective in OBJECTIVES]


def gain_kept(runs: Sequence[Run], others: Sequence[float] = ()) -> Figure | None:
    """The mean gain of the rules as a share of the mean gain of the network, of the `others` if one is better; None
    where that gains nothing."""
    if not runs:
        return None
    written, network, rules = (
        mean(run["test"][key] for run in runs) for key in ("original", "network", "reconstructed")
    )
    best = max(network, *others, written)
    return Figure((100 * (rules - written) / (best - written),), len(runs)) if best > written else None


def asked_for(lines: Sequence[Asked]) -> list[str]:
    """A row for each line."""
    rows = ["| what | asked | reached | |", f"|{' --- |' * 4}"]
    for line in lines:
        if line.figure is None:
            verdict = "not measured"
        else:
            verdict = "yes" if line.figure.mean >= line.least - 1e-9 else "missed"
        rows.append(f"| {line.what} | {line.least:g} | {line.figure or ''} | {verdict} |")
    return rows


if __name__ == "__main__":
    main()
