"""Measures what a training on the sample project Flight intents costs from start to end, and how good it is.

    python tests/benchmarks/training_cost.py                              both objectives, seed 0
    python tests/benchmarks/training_cost.py --seeds 0,1,2,3 --objective interpretable
    python tests/benchmarks/training_cost.py --beside ../former           another checkout too, in turns

CPU seconds are those of the whole process, user and system, with all that it loads: of the first training, which begins
without any kept vectors (RE2NN_CACHE), and of the same one `again`. `dev` is accuracy out of fold.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = Path("sample_projects") / "flight_intents"


@click.command()
@click.option("--seeds", default="0", help="Seeds, with commas between them.")
@click.option("--objective", "objectives", multiple=True, default=("interpretable", "accuracy"))
@click.option("--beside", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Another checkout.")
def main(seeds: str, objectives: tuple[str, ...], beside: Path | None) -> None:
    """Print a line for each training."""
    click.echo(f"{'objective':<15}{'seed':>5}{'CPU s':>8}{'again':>8}{'epochs':>8}{'dev':>8}  checkout")
    for objective in objectives:
        for seed in seeds.split(","):
            for checkout in (ROOT, *([beside.resolve()] if beside else [])):
                with tempfile.TemporaryDirectory() as cache:
                    first, _ = train(checkout, objective, seed, cache)
                    again, report = train(checkout, objective, seed, cache)
                click.echo(
                    f"{objective:<15}{seed:>5}{first:>8.1f}{again:>8.1f}{report['epochs']:>8}{report['dev']:>8.2%}"
                    f"  {checkout}"
                )


def train(checkout: Path, objective: str, seed: str, cache: str) -> tuple[float, dict[str, float]]:
    """CPU seconds of a training that keeps vectors in the folder `cache`, and its report."""
    files = {"rules": "rules.txt", "logic": "logic.toml", "data": "texts.tsv"}
    given = [part for name, file in files.items() for part in (f"--{name}", str(checkout / SAMPLE / file))]
    program = "from re2nn_core.cli import main; main()"
    before = spent()
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["--tokenizer", "punctuation", "--objective", objective, "--seed", seed, "--output", folder]
        run = subprocess.run(
            [sys.executable, "-c", program, "train", *given, *arguments, "--json"],
            capture_output=True,
            text=True,
            check=True,
            cwd=checkout,  # where Python looks first
            env={**os.environ, "PYTHONPATH": str(checkout), "RE2NN_CACHE": cache},
        )
    return spent() - before, json.loads(run.stdout)


def spent() -> float:
    """CPU seconds of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
