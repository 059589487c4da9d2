"""Trains on all published texts, reconstructs rules, and writes what rules, network and reconstruction reach.

    python tests/benchmarks/reconstruction.py                                 labels: ATIS, TREC, SMS, four seeds
    python tests/benchmarks/reconstruction.py trec --seeds 1 --no-faithful
    python tests/benchmarks/reconstruction.py atis-slots snips-slots --seeds 1

Accuracy for labels, F1 of spans for slots. What is trained and chosen uses train and dev alone; test is evaluated at
the end. Runs that the file holds already are kept: delete it, or name another one, to measure again.
"""

from __future__ import annotations

import json
import platform
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import torch
from published import BENCHMARKS, HERE, RULES, load

from re2nn_core.experiments.datasets.slot_filling import known_slot_data
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.slot_filling.bundle import load_tagger
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import reconstruct_slots
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig

SLOT_SETS = {"atis-slots": "ATIS", "snips-slots": "SNIPS"}
FIGURES = ("original", "network", "reconstructed", "agreement")


@click.command()
@click.argument("sets", nargs=-1, type=click.Choice([*RULES, *SLOT_SETS]))
@click.option("--seeds", default=4, show_default=True, help="How many seeds, from 0 on.")
@click.option(
    "--faithful/--no-faithful", default=True, show_default=True, help="Labels: how training ends, as for re2nn train."
)
@click.option("--vectors", default="builtin", show_default=True, help="Labels: word vectors, as for re2nn train.")
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "reconstruction.json")
def main(sets: tuple[str, ...], seeds: int, faithful: bool, vectors: str, output: Path) -> None:
    """Train and reconstruct; a line for each run, then means and standard deviations."""
    if not BENCHMARKS.is_dir():
        raise click.ClickException(f"The published data are not here: {BENCHMARKS} does not exist.")
    torch.set_num_threads(1)
    known = json.loads(output.read_text(encoding="utf-8"))["runs"] if output.is_file() else []
    runs = {(run["data"], run["training"], run["seed"]): run for run in known}
    for seed in range(seeds):
        for name in sets or RULES:
            training = "interpretable" if name in SLOT_SETS else "faithful" if faithful else "not faithful"
            if (name, training, seed) not in runs:
                if name in SLOT_SETS:
                    found = of_slots(name, seed)
                else:
                    found = of_labels(name, seed, vectors, faithful=faithful)
                runs[name, training, seed] = {"data": name, "training": training, "seed": seed, **found}
                write(output, list(runs.values()))
                click.echo(json.dumps(runs[name, training, seed]))
    for line in summary(list(runs.values())):
        click.echo(line)


def of_labels(name: str, seed: int, vectors: str, *, faithful: bool) -> dict[str, Any]:
    """One training and one reconstruction; accuracy as shares of 1, CPU seconds."""
    system, corpus = load(name)
    network = NetworkConfig(vectors=vectors, seed=seed)
    train = TrainConfig(seed=seed, device="cpu", faithful=faithful)
    with tempfile.TemporaryDirectory() as made:
        folder, timed = Path(made), Timed()
        timed("seconds_training", lambda: train_system(system, corpus, network, train, folder=folder))
        found = timed("seconds_reconstruction", lambda: reconstruct(load_bundle(folder), corpus))
    parts = {split.split: {figure: round(getattr(split, figure), 4) for figure in FIGURES} for split in found.accuracy}
    sizes = {"rules": len(found.rules), "changed": found.changed, "new": len(found.new_rules), "words": found.words}
    return {"vectors": vectors, "dev": parts["dev"], "test": parts["test"], **sizes, **timed.seconds}


def of_slots(name: str, seed: int) -> dict[str, Any]:
    """The same for rules with captures; F1 of spans as shares of 1."""
    data = known_slot_data(SLOT_SETS[name], BENCHMARKS)
    corpus, size = Corpus((*data.train, *data.dev, *data.test)), len(data.train)
    network = replace(slot_network("interpretable", size), seed=seed)
    train = replace(slot_training("interpretable", size), seed=seed, device="cpu")
    with tempfile.TemporaryDirectory() as made:
        folder, timed = Path(made), Timed()
        report = timed("seconds_training", lambda: train_tagger(data.system, corpus, network, train, folder=folder))
        found = timed("seconds_reconstruction", lambda: reconstruct_slots(load_tagger(folder), corpus))
    parts = {
        split.split: {
            **{figure: round(getattr(split, figure).f1, 4) for figure in FIGURES[:-1]},
            "agreement": round(split.agreement, 4),
        }
        for split in found.scores
    }
    sizes = {"rules": len(found.rules), "changed": found.changed, "new": len(found.new_rules)}
    return {"vectors": report.vectors, "dev": parts["dev"], "test": parts["test"], **sizes, **timed.seconds}


class Timed:
    """Runs parts of the work; `seconds` holds what each took of the processor."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def __call__(self, name: str, work: Callable[[], Any]) -> Any:
        began = time.process_time()
        made = work()
        self.seconds[name] = round(time.process_time() - began, 1)
        return made


def write(output: Path, runs: list[dict[str, Any]]) -> None:
    """All runs so far."""
    report = {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.system()} {platform.machine()}, torch {torch.__version__}, one thread",
        "runs": runs,
    }
    output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def summary(runs: list[dict[str, Any]]) -> list[str]:
    """A line for each set and way of training: mean and deviation of the test figures over the seeds, in per cent."""
    lines = []
    for name, training in dict.fromkeys((run["data"], run["training"]) for run in runs):
        own = [run for run in runs if (run["data"], run["training"]) == (name, training)]
        shown = [figure_in_words(figure, [100 * run["test"][figure] for run in own]) for figure in FIGURES]
        seconds = [figure_in_words(key, [run[key] for run in own]) for key in own[0] if key.startswith("seconds")]
        lines.append(f"{name:12} {training:13} {', '.join([*shown, *seconds])}  ({len(own)} seeds)")
    return lines


def figure_in_words(name: str, values: list[float]) -> str:
    """Mean and deviation of a population."""
    return f"{name} {statistics.mean(values):.1f} ± {statistics.pstdev(values):.1f}"


if __name__ == "__main__":
    main()
