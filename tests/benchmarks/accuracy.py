"""Trains on the published data, reads the networks back as rules, and writes the accuracies with mean and deviation.

    python tests/benchmarks/accuracy.py                              all three sets, four seeds
    python tests/benchmarks/accuracy.py atis --seeds 1 --vectors none

Rules and texts are read where they lie beside the repository (../shared/benchmarks), label logic from the package.
"""

from __future__ import annotations

import json
import platform
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

import torch

from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.experiments.datasets.classification import LOGIC
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.text.corpus import SPLITS, Corpus, Example
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.training.config import TrainConfig

BENCHMARKS = HERE.parents[2] / "shared" / "benchmarks"
RULES = {"atis": "atis.rules.v0.config", "trec": "trec.rules.old.config", "sms": "sms.rules.config"}


@click.command()
@click.argument("sets", nargs=-1, type=click.Choice(list(RULES)))
@click.option("--seeds", default=4, show_default=True, help="How many seeds, from 0 on.")
@click.option("--vectors", default="builtin", show_default=True, help="Word vectors, as for re2nn train.")
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "accuracy.json")
def main(sets: tuple[str, ...], seeds: int, vectors: str, output: Path) -> None:
    """Train and read back."""
    if not BENCHMARKS.is_dir():
        raise click.ClickException(f"The published data are not here: {BENCHMARKS} does not exist.")
    found = {}
    for name in sets or RULES:
        runs = [one(name, seed, vectors) for seed in range(seeds)]
        found[name] = {"runs": runs, "summary": summary(runs)}
        for key, (mean, deviation) in found[name]["summary"].items():
            click.echo(f"{name:5} {key:24} {mean:7.2%} ± {deviation:.2%}  ({seeds} seeds)")
    report = {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.system()} {platform.machine()}, torch {torch.__version__}, one thread",
        "vectors": vectors,
        "settings": "defaults of re2nn train",
        "sets": found,
    }
    output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    click.echo(f"Written to {output}")


def one(name: str, seed: int, vectors: str) -> dict[str, Any]:
    """One training and one reading back; shares of 1."""
    system, corpus = load(name)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        network, train = NetworkConfig(vectors=vectors, seed=seed), TrainConfig(seed=seed, device="cpu")
        report = train_system(system, corpus, network, train, folder=Path(folder))
        seconds = time.perf_counter() - began
        read_back = {part.split: part for part in reconstruct(load_bundle(Path(folder)), corpus).accuracy}
    return {
        "seed": seed,
        "seconds": round(seconds, 1),
        "best_epoch": report.best_epoch,
        "rules": {split: read_back[split].original for split in ("dev", "test")},
        "network": {"dev": report.dev, "test": report.test},
        "read_back": {split: read_back[split].reconstructed for split in ("dev", "test")},
        "agreement": {split: read_back[split].agreement for split in ("dev", "test")},
    }


def load(name: str) -> tuple[RuleSystem, Corpus]:
    """The published rules under our label logic, and the published splits."""
    rules = (BENCHMARKS / "rules" / RULES[name]).read_text(encoding="utf-8")
    logic = (LOGIC / f"{name}.toml").read_text(encoding="utf-8")
    examples: list[Example] = []
    for split in SPLITS:
        corpus = read_corpus(BENCHMARKS / name / f"{split}.tsv").corpus
        examples += [Example(example.text, example.label, split) for example in corpus]
    return read_system(rules, logic, Tokenization())[0], Corpus(tuple(examples))


def summary(runs: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation of each figure over the seeds."""
    rows = {}
    for part in ("rules", "network", "read_back", "agreement"):
        for split in ("dev", "test"):
            values = [run[part][split] for run in runs]
            rows[f"{part}, {split}"] = (statistics.mean(values), statistics.pstdev(values))
    return rows


if __name__ == "__main__":
    main()
