"""Trains on the published data, ending near rules or freely, reads the networks back, and writes how near they came.

    python tests/benchmarks/readback.py                       all three sets, four seeds, ending near rules
    python tests/benchmarks/readback.py trec --seeds 1 --no-faithful

What is trained and chosen sees train and dev alone; test is measured at the end.
"""

from __future__ import annotations

import json
import platform
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import torch
from accuracy import BENCHMARKS, HERE, RULES, load

from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct
from re2nn_core.training.config import TrainConfig

FIGURES = ("original", "network", "reconstructed", "agreement")


@click.command()
@click.argument("sets", nargs=-1, type=click.Choice(list(RULES)))
@click.option("--seeds", default=4, show_default=True, help="How many seeds, from 0 on.")
@click.option("--faithful/--no-faithful", default=True, show_default=True, help="How training ends.")
@click.option("--vectors", default="builtin", show_default=True, help="Word vectors, as for re2nn train.")
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "readback.json")
def main(sets: tuple[str, ...], seeds: int, near_rules: bool, vectors: str, output: Path) -> None:
    """Train and read back; runs that the file holds already are kept, others are added one by one."""
    if not BENCHMARKS.is_dir():
        raise click.ClickException(f"The published data are not here: {BENCHMARKS} does not exist.")
    ends = "near rules" if near_rules else "free"
    known = json.loads(output.read_text(encoding="utf-8"))["runs"] if output.is_file() else []
    runs = {(run["data"], run["ends"], run["seed"]): run for run in known}
    for seed in range(seeds):
        for name in sets or RULES:
            if (name, ends, seed) not in runs:
                runs[name, ends, seed] = one(name, seed, vectors, faithful=near_rules)
                write(output, list(runs.values()), vectors)
    for line in summary(list(runs.values())):
        click.echo(line)


def one(name: str, seed: int, vectors: str, *, near_rules: bool) -> dict[str, Any]:
    """One training and one reading back; shares of 1, seconds of the processor."""
    system, corpus = load(name)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        network = NetworkConfig(vectors=vectors, seed=seed)
        train = TrainConfig(seed=seed, device="cpu", faithful=near_rules)
        train_system(system, corpus, network, train, folder=Path(folder))
        trained = time.process_time()
        found = reconstruct(load_bundle(Path(folder)), corpus)
    return {
        "data": name,
        "ends": "near rules" if near_rules else "free",
        "seed": seed,
        **{
            split.split: {figure: round(getattr(split, figure), 4) for figure in FIGURES}
            for split in found.accuracy
            if split.split != "train"
        },
        "rules": len(found.rules),
        "changed": found.changed,
        "new": len(found.new_rules),
        "edges": found.edges,
        "words": found.words,
        "seconds_training": round(trained - began, 1),
        "seconds_reading": round(time.process_time() - trained, 1),
    }


def write(output: Path, runs: list[dict[str, Any]], vectors: str) -> None:
    """All runs so far."""
    report = {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.system()} {platform.machine()}, torch {torch.__version__}, one thread",
        "vectors": vectors,
        "runs": runs,
    }
    output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def summary(runs: list[dict[str, Any]]) -> list[str]:
    """A line for each data set and way of ending: mean and deviation of the test figures over the seeds."""
    lines = []
    for name, ends in dict.fromkeys((run["data"], run["ends"]) for run in runs):
        own = [run["test"] for run in runs if (run["data"], run["ends"]) == (name, ends)]
        told = [
            f"{figure} {100 * statistics.mean(values):.1f} ± {100 * statistics.pstdev(values):.1f}"
            for figure in FIGURES
            if (values := [split[figure] for split in own])
        ]
        lines.append(f"{name:5} {ends:10} {', '.join(told)}  ({len(own)} seeds)")
    return lines


if __name__ == "__main__":
    main()
