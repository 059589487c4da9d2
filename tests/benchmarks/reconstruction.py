"""Trains, reconstructs rules, and writes what rules, network and reconstruction reach, and by how many added words.

    python tests/benchmarks/reconstruction.py                                   labels: ATIS, TREC, SMS, four seeds
    python tests/benchmarks/reconstruction.py trec --share 0.1 --on dev --seeds 1
    python tests/benchmarks/reconstruction.py flight_intents message_spam --on dev --seeds 2
    python tests/benchmarks/reconstruction.py atis-slots snips-slots flight_slots --seeds 1

Accuracy for labels, F1 of spans for slots. `--share` of the train texts keeps its labels, the others are unlabelled.
What is trained and chosen uses train and dev alone; test is evaluated at the end. With `--on dev`, for decisions, dev
is evaluated in its place, and every fifth train text stands for dev. Gain kept: what the reconstructed rules are better
than the written ones, as a share of what the network is. Runs that the file holds already are kept: delete it, or name
another one, to measure again.
"""

from __future__ import annotations

import json
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import torch
from published import BENCHMARKS, HERE, RULES, load
from samples import SAMPLES, SLOT_SAMPLES, sample, slot_sample

from re2nn_core.experiments.datasets.slot_filling import known_slot_data
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.slot_filling.bundle import load_tagger
from re2nn_core.reconstruction.classification.mined_phrases import MOST_WORDS
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import reconstruct_slots
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig

SLOT_SETS = {"atis-slots": "ATIS", "snips-slots": "SNIPS"}
FIGURES = ("original", "network", "reconstructed", "agreement")


@click.command()
@click.argument("sets", nargs=-1, type=click.Choice([*RULES, *SLOT_SETS, *SAMPLES, *SLOT_SAMPLES]))
@click.option("--seeds", default=4, show_default=True, help="How many seeds, from 0 on.")
@click.option("--share", default=1.0, show_default=True, help="Labels: share of the train texts that keeps its labels.")
@click.option("--on", type=click.Choice(["dev", "test"]), default="test", show_default=True)
@click.option(
    "--most-words", default=MOST_WORDS, show_default=True, help="Labels: added words, as for re2nn reconstruct."
)
@click.option(
    "--faithful/--no-faithful", default=False, show_default=True, help="Labels: how training ends, as for re2nn train."
)
@click.option("--vectors", default="builtin", show_default=True, help="Labels: word vectors, as for re2nn train.")
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "reconstruction.json")
def main(sets: tuple[str, ...], seeds: int, output: Path, vectors: str, **how: Any) -> None:
    """Train and reconstruct; a line for each run, then means and standard deviations."""
    if not BENCHMARKS.is_dir():
        raise click.ClickException(f"The published data are not here: {BENCHMARKS} does not exist.")
    torch.set_num_threads(1)
    runs = json.loads(output.read_text(encoding="utf-8"))["runs"] if output.is_file() else []
    for seed in range(seeds):
        for name in sets or RULES:
            slots = name in SLOT_SETS or name in SLOT_SAMPLES
            training = "interpretable" if slots else "faithful" if how["faithful"] else "not faithful"
            cell = {"data": name, "training": training, "share": how["share"], "on": how["on"], "seed": seed}
            cell |= {} if slots else {"most_words": how["most_words"]}
            if not any(all(run.get(key) == value for key, value in cell.items()) for run in runs):
                found = of_slots(name, seed, how["on"]) if slots else of_labels(cell, vectors)
                runs.append({**cell, **found})
                write(output, runs)
                click.echo(json.dumps(runs[-1]))
    for line in summary(runs):
        click.echo(line)


def of_labels(cell: Mapping[str, Any], vectors: str) -> dict[str, Any]:
    """One training and one reconstruction; accuracy as shares of 1, CPU seconds."""
    seed = cell["seed"]
    system, corpus = sample(cell["data"]) if cell["data"] in SAMPLES else load(cell["data"])
    corpus = with_share(on_dev(corpus) if cell["on"] == "dev" else corpus, cell["share"], seed)
    network = NetworkConfig(vectors=vectors, seed=seed)
    train = TrainConfig(seed=seed, device="cpu", faithful=cell["training"] == "faithful")
    with tempfile.TemporaryDirectory() as made:
        folder, timed = Path(made), Timed()
        timed("seconds_training", lambda: train_system(system, corpus, network, train, folder=folder))
        found = timed(
            "seconds_reconstruction", lambda: reconstruct(load_bundle(folder), corpus, most_words=cell["most_words"])
        )
    parts = {split.split: {figure: round(getattr(split, figure), 4) for figure in FIGURES} for split in found.accuracy}
    sizes = {"rules": len(found.rules), "changed": found.changed, "new": len(found.new_rules), "words": found.new_words}
    return {"vectors": vectors, **measured(parts, cell["on"]), **sizes, **timed.seconds}


def of_slots(name: str, seed: int, on: str) -> dict[str, Any]:
    """The same for rules with captures; F1 of spans as shares of 1."""
    system, corpus = slot_sample(name) if name in SLOT_SAMPLES else published_slots(name)
    size = sum(example.split == "train" for example in corpus)
    corpus = on_dev(corpus) if on == "dev" else corpus
    network = replace(slot_network("interpretable", size), seed=seed)
    train = replace(slot_training("interpretable", size), seed=seed, device="cpu")
    with tempfile.TemporaryDirectory() as made:
        folder, timed = Path(made), Timed()
        report = timed("seconds_training", lambda: train_tagger(system, corpus, network, train, folder=folder))
        found = timed("seconds_reconstruction", lambda: reconstruct_slots(load_tagger(folder), corpus))
    parts = {
        split.split: {
            **{figure: round(getattr(split, figure).f1, 4) for figure in FIGURES[:-1]},
            "agreement": round(split.agreement, 4),
        }
        for split in found.scores
    }
    sizes = {"rules": len(found.rules), "changed": found.changed, "new": len(found.new_rules)}
    return {"vectors": report.vectors, **measured(parts, on), **sizes, **timed.seconds}


def on_dev(corpus: Corpus) -> Corpus:
    """Dev as test, every fifth train text as dev, no test."""
    train = [example for example in corpus if example.split == "train"]
    own = [replace(example, split="dev") if place % 5 == 0 else example for place, example in enumerate(train)]
    return Corpus((*own, *(replace(example, split="test") for example in corpus if example.split == "dev")))


def with_share(corpus: Corpus, share: float, seed: int) -> Corpus:
    """A share of the train texts with their labels, the others without."""
    train = [place for place, example in enumerate(corpus) if example.split == "train"]
    kept = set(random.Random(seed).sample(train, round(share * len(train))))
    unlabelled = set(train) - kept
    return Corpus(tuple(replace(one, label=None) if place in unlabelled else one for place, one in enumerate(corpus)))


def published_slots(name: str) -> tuple[SlotSystem, Corpus]:
    """A published set for slots."""
    data = known_slot_data(SLOT_SETS[name], BENCHMARKS)
    return data.system, Corpus((*data.train, *data.dev, *data.test))


def measured(parts: Mapping[str, Mapping[str, float]], on: str) -> dict[str, Any]:
    """The figures of the splits that are looked at; `kept` of the last: the share of the network's gain that the
    reconstructed rules have, None where it has none."""
    last = parts["test"]
    gain = last["network"] - last["original"]
    kept = round((last["reconstructed"] - last["original"]) / gain, 3) if gain > 0 else None
    return {"dev": {**last, "kept": kept}} if on == "dev" else {"dev": parts["dev"], "test": {**last, "kept": kept}}


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
    """A line for each set and way of training: mean and deviation over the seeds, in per cent."""
    lines = []
    keys = ("data", "training", "share", "on", "most_words")
    for cell in dict.fromkeys(tuple(run.get(key) for key in keys) for run in runs):
        own = [run for run in runs if tuple(run.get(key) for key in keys) == cell]
        on = cell[3] or "test"
        shown = [figure_in_words(figure, [100 * run[on][figure] for run in own]) for figure in FIGURES]
        kept = [100 * run[on]["kept"] for run in own if run[on].get("kept") is not None]
        words = [run["words"] for run in own if run.get("words") is not None]
        shown += [figure_in_words(what, values) for what, values in (("kept", kept), ("words", words)) if values]
        seconds = [figure_in_words(key, [run[key] for run in own]) for key in own[0] if key.startswith("seconds")]
        title = f"{cell[0]:14} {cell[1]:13} {cell[2] or 1:4.0%} on {on:4}"
        lines.append(f"{title} {', '.join([*shown, *seconds])}  ({len(own)} seeds)")
    return lines


def figure_in_words(name: str, values: list[float]) -> str:
    """Mean and deviation of a population."""
    return f"{name} {statistics.mean(values):.1f} ± {statistics.pstdev(values):.1f}"


if __name__ == "__main__":
    main()
