"""Trains the rules' network on all of ATIS (and SNIPS), reads it back as rules with captures, and writes the scores.

    python tests/benchmarks/tagging_readback.py                     ATIS, four seeds
    python tests/benchmarks/tagging_readback.py SNIPS --seeds 1

The network is trained by `re2nn train --objective interpretable` and read back as `re2nn reconstruct` does it: changes
are chosen on train and dev, test is only measured. The rules read back are read again from their text.
"""

from __future__ import annotations

import json
import platform
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

import torch

from re2nn_core.experiments.datasets.slot_filling import KNOWN_SLOTS, known_slot_data
from re2nn_core.network.slot_filling.bundle import load_tagger
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import SplitScores, reconstruct_slots
from re2nn_core.text.corpus import Corpus

BENCHMARKS = HERE.parents[2] / "shared" / "benchmarks"
PARTS = ("original", "network", "changed", "reconstructed")


@click.command()
@click.argument("sets", nargs=-1, type=click.Choice(list(KNOWN_SLOTS)))
@click.option("--seeds", default=4, show_default=True, help="How many seeds, from 0 on.")
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "slot_readback.json")
@click.option("--rules", type=click.Path(path_type=Path), help="A folder to write the rules read back to.")
def main(sets: tuple[str, ...], seeds: int, output: Path, rules: Path | None) -> None:
    """Train and read back."""
    if not BENCHMARKS.is_dir():
        raise click.ClickException(f"The published data are not here: {BENCHMARKS} does not exist.")
    torch.set_num_threads(1)
    found = {}
    for name in sets or ("ATIS",):
        runs = []
        for seed in range(seeds):
            runs.append(one(name, seed, rules))
            click.echo(json.dumps({"data": name, **runs[-1]}))
        found[name] = {"runs": runs, "summary": summary(runs)}
        for key, (mean, deviation) in found[name]["summary"].items():
            click.echo(f"{name:5} {key:24} {mean:7.2%} ± {deviation:.2%}  ({seeds} seeds)")
    report = {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.system()} {platform.machine()}, torch {torch.__version__}, one thread",
        "settings": "re2nn train --objective interpretable, then re2nn reconstruct",
        "sets": found,
    }
    output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    click.echo(f"Written to {output}")


def one(name: str, seed: int, rules: Path | None) -> dict[str, Any]:
    """One training and one reading back; F1 of spans as shares of 1."""
    data = known_slot_data(name, BENCHMARKS)
    corpus, size = Corpus((*data.train, *data.dev, *data.test)), len(data.train)
    network, train = slot_network("reading", size), slot_training("reading", size)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        report = train_tagger(
            data.system,
            corpus,
            replace(network, seed=seed),
            replace(train, seed=seed, device="cpu"),
            folder=Path(folder),
        )
        trained = time.perf_counter()
        result = reconstruct_slots(load_tagger(Path(folder)), corpus)
        read = time.perf_counter()
    if rules is not None:
        rules.mkdir(parents=True, exist_ok=True)
        (rules / f"{name}.{seed}.rules.txt").write_text(result.rules_text, encoding="utf-8")
        (rules / f"{name}.{seed}.logic.toml").write_text(result.logic_text, encoding="utf-8")
    return {
        "seed": seed,
        "vectors": report.vectors,
        "best_epoch": report.best_epoch,
        "seconds": {"trained": round(trained - began, 1), "read_back": round(read - trained, 1)},
        "f1": {scores.split: figures(scores) for scores in result.scores},
        "rules": {"written": len(result.rules), "changed": result.changed, "new": len(result.new_rules)},
    }


def figures(scores: SplitScores) -> dict[str, float | None]:
    """F1 of each, and the share of texts on which network and reconstructed rules agree."""
    parts = {part: getattr(scores, part) for part in PARTS}
    f1 = {part: None if found is None else round(found.f1, 5) for part, found in parts.items()}
    return {**f1, "agreement": round(scores.agreement, 5)}


def summary(runs: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation of each figure over the seeds."""
    rows = {}
    for part in (*PARTS, "agreement"):
        for split in ("dev", "test"):
            values = [run["f1"][split][part] for run in runs]
            rows[f"{part}, {split}"] = (statistics.mean(values), statistics.pstdev(values))
    return rows


if __name__ == "__main__":
    main()
