"""Trains, reconstructs rules, and writes what rules, network and reconstruction reach, and by how many added words.

    python tests/benchmarks/reconstruction.py                                   labels: ATIS, TREC, SMS, four seeds
    python tests/benchmarks/reconstruction.py trec --share 0.1 --on dev --seeds 1
    python tests/benchmarks/reconstruction.py flight_intents message_spam --on dev --seeds 2
    python tests/benchmarks/reconstruction.py atis-slots snips-slots flight_slots --seeds 1
    python tests/benchmarks/reconstruction.py clinc150 mitr-slots --texts 1000 --objective accuracy --on dev --seeds 1

Accuracy for labels, F1 of spans for slots. `--share` of the train texts keeps its labels, the others are unlabelled;
likewise `--texts`, a number of them, and there without a dev split, as for somebody who annotates some texts.
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
from published import BENCHMARKS, HERE, RULES, TRIAL, load, load_slots
from samples import SAMPLES, SLOT_SAMPLES, sample, slot_sample

from re2nn_core.experiments.datasets.slot_filling import known_slot_data
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.slot_filling.bundle import load_tagger
from re2nn_core.reconstruction.classification.mined_phrases import MOST_WORDS
from re2nn_core.rules.read import read_rules
from re2nn_core.services.fine_tuning.classification.objectives import settings_for, training_settings_for
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.fine_tuning.objective import OBJECTIVES, Objective
from re2nn_core.services.fine_tuning.slot_filling.learned_predictions import reconstruct_tagger
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig

SLOT_SETS = {"atis-slots": "ATIS", "snips-slots": "SNIPS"}
TRIAL_SLOTS = "mitr-slots"
FIGURES = ("original", "network", "reconstructed", "agreement")


@click.command()
@click.argument("sets", nargs=-1, type=click.Choice([*RULES, TRIAL, *SLOT_SETS, TRIAL_SLOTS, *SAMPLES, *SLOT_SAMPLES]))
@click.option("--seeds", default=4, show_default=True, help="How many seeds, from 0 on.")
@click.option("--share", default=1.0, show_default=True, help="Share of the train texts that keeps its labels.")
@click.option("--texts", type=int, help="The number of them, without a dev split.")
@click.option("--objective", type=click.Choice(OBJECTIVES), default="interpretable", show_default=True)
@click.option("--on", type=click.Choice(["dev", "test"]), default="test", show_default=True)
@click.option(
    "--most-words", default=MOST_WORDS, show_default=True, help="Labels: added words, as for re2nn reconstruct."
)
@click.option(
    "--faithful/--no-faithful", default=False, show_default=True, help="Labels: how training ends, as for re2nn train."
)
@click.option(
    "--vectors", help="Labels: word vectors, as for re2nn train. Default: builtin, for accuracy those of the objective."
)
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "reconstruction.json")
def main(sets: tuple[str, ...], seeds: int, output: Path, vectors: str | None, **how: Any) -> None:
    """Train and reconstruct; a line for each run, then means and standard deviations."""
    if not BENCHMARKS.is_dir():
        raise click.ClickException(f"The published data are not here: {BENCHMARKS} does not exist.")
    torch.set_num_threads(1)
    runs = json.loads(output.read_text(encoding="utf-8"))["runs"] if output.is_file() else []
    for seed in range(seeds):
        for name in sets or RULES:
            cell = cell_of(name, seed, how)
            if not any(all(run.get(key) == value for key, value in cell.items()) for run in runs):
                found = of_slots(cell) if is_slots(name) else of_labels(cell, vectors)
                runs.append({**{key: value for key, value in cell.items() if value is not None}, **found})
                write(output, runs)
                click.echo(json.dumps(runs[-1]))
    for line in summary(runs):
        click.echo(line)


def is_slots(name: str) -> bool:
    return name in SLOT_SETS or name in SLOT_SAMPLES or name == TRIAL_SLOTS


def cell_of(name: str, seed: int, how: Mapping[str, Any]) -> dict[str, Any]:
    """What names a run: its set, how it is trained, and what it is measured on. What is None is not stored."""
    plain = how["objective"] == "interpretable" and not is_slots(name)
    training = ("faithful" if how["faithful"] else "not faithful") if plain else how["objective"]
    cell = {"data": name, "training": training, "share": how["share"], "texts": how["texts"], "on": how["on"]}
    return {**cell, "seed": seed, "most_words": None if is_slots(name) else how["most_words"]}


def of_labels(cell: Mapping[str, Any], vectors: str | None) -> dict[str, Any]:
    """One training and one reconstruction; accuracy as shares of 1, CPU seconds."""
    seed = cell["seed"]
    system, corpus = sample(cell["data"]) if cell["data"] in SAMPLES else load(cell["data"])
    corpus = prepared(corpus, cell)
    labelled = sum(example.split == "train" and example.label is not None for example in corpus)
    faithful = cell["training"] == "faithful"
    objective: Objective = "accuracy" if cell["training"] == "accuracy" else "interpretable"
    chosen = settings_for(objective, labelled, auxiliary=not faithful)
    vectors = vectors or chosen.get("vectors", "builtin")
    network = NetworkConfig(**{**chosen, "vectors": vectors, "seed": seed})
    settings = training_settings_for(objective, labelled)
    train = TrainConfig(seed=seed, device="cpu", faithful=faithful, **settings)
    with tempfile.TemporaryDirectory() as made:
        folder, timed = Path(made), Timed()
        timed("seconds_training", lambda: train_system(system, corpus, network, train, folder=folder))
        found = timed(
            "seconds_reconstruction", lambda: reconstruct(load_bundle(folder), corpus, most_words=cell["most_words"])
        )
    parts = {split.split: {figure: round(getattr(split, figure), 4) for figure in FIGURES} for split in found.accuracy}
    sizes = {"rules": len(found.rules), "changed": found.changed, "new": len(found.new_rules), "words": found.new_words}
    return {"vectors": vectors, **measured(parts, cell["on"]), **sizes, **timed.seconds}


def of_slots(cell: Mapping[str, Any]) -> dict[str, Any]:
    """The same for rules with captures; F1 of spans as shares of 1."""
    name, seed, objective = cell["data"], cell["seed"], cell["training"]
    system, corpus = slot_sample(name) if name in SLOT_SAMPLES else published_slots(name)
    corpus = prepared(corpus, cell)
    size = sum(example.split == "train" and example.spans is not None for example in corpus)
    network = replace(slot_network(objective, size), seed=seed)
    train = replace(slot_training(objective, size), seed=seed, device="cpu")
    with tempfile.TemporaryDirectory() as made:
        folder, timed = Path(made), Timed()
        report = timed("seconds_training", lambda: train_tagger(system, corpus, network, train, folder=folder))
        found = timed("seconds_reconstruction", lambda: reconstruct_tagger(load_tagger(folder), corpus))
    parts = {
        split.split: {
            **{figure: round(getattr(split, figure).f1, 4) for figure in FIGURES[:-1]},
            "agreement": round(split.agreement, 4),
        }
        for split in found.scores
    }
    sizes = {"rules": len(found.rules), "changed": found.changed, "new": len(found.new_rules)}
    sizes["words"] = len(read_rules(found.rules_text).ruleset.words - read_rules(system.rules_text).ruleset.words)
    return {"vectors": report.vectors, **measured(parts, cell["on"]), **sizes, **timed.seconds}


def on_dev(corpus: Corpus) -> Corpus:
    """Dev as test, every fifth train text as dev, no test."""
    train = [example for example in corpus if example.split == "train"]
    own = [replace(example, split="dev") if place % 5 == 0 else example for place, example in enumerate(train)]
    return Corpus((*own, *(replace(example, split="test") for example in corpus if example.split == "dev")))


def prepared(corpus: Corpus, cell: Mapping[str, Any]) -> Corpus:
    """The texts of a run, with as many labels as it has."""
    train, on = sum(example.split == "train" for example in corpus), cell["on"]
    if cell["texts"] is None:
        return with_labels(on_dev(corpus) if on == "dev" else corpus, cell["share"], cell["seed"])
    held = [replace(example, split="test") for example in corpus if example.split == on]
    own = Corpus((*(example for example in corpus if example.split == "train"), *held))
    return with_labels(own, cell["texts"] / train, cell["seed"])


def with_labels(corpus: Corpus, share: float, seed: int) -> Corpus:
    """A share of the train texts with their labels or spans, the others without."""
    train = [place for place, example in enumerate(corpus) if example.split == "train"]
    kept = set(random.Random(seed).sample(train, round(share * len(train))))
    without = set(train) - kept
    texts = (replace(one, label=None, spans=None) if place in without else one for place, one in enumerate(corpus))
    return Corpus(tuple(texts))


def published_slots(name: str) -> tuple[SlotSystem, Corpus]:
    """A published set for slots, or the trial's."""
    if name == TRIAL_SLOTS:
        return load_slots(name.removesuffix("-slots"))
    data = known_slot_data(SLOT_SETS[name], BENCHMARKS)
    return data.system, Corpus((*data.train, *data.dev, *data.test))


def measured(parts: Mapping[str, Mapping[str, float]], on: str) -> dict[str, Any]:
    """The figures of the splits that are looked at; `kept` of the last: the share of the network's gain that the
    reconstructed rules have, None where it has none."""
    last = parts["test"]
    gain = last["network"] - last["original"]
    kept = round((last["reconstructed"] - last["original"]) / gain, 3) if gain > 0 else None
    found = {on: {**last, "kept": kept}}
    return {"dev": parts["dev"], **found} if on == "test" and "dev" in parts else found


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
    keys = ("data", "training", "share", "on", "most_words", "texts")
    for cell in dict.fromkeys(tuple(run.get(key) for key in keys) for run in runs):
        own = [run for run in runs if tuple(run.get(key) for key in keys) == cell]
        on = cell[3] or "test"
        shown = [figure_in_words(figure, [100 * run[on][figure] for run in own]) for figure in FIGURES]
        kept = [100 * run[on]["kept"] for run in own if run[on].get("kept") is not None]
        words = [run["words"] for run in own if run.get("words") is not None]
        shown += [figure_in_words(what, values) for what, values in (("kept", kept), ("words", words)) if values]
        seconds = [figure_in_words(key, [run[key] for run in own]) for key in own[0] if key.startswith("seconds")]
        labelled = f"{cell[5]:4}" if cell[5] else f"{cell[2] or 1:4.0%}"
        title = f"{cell[0]:14} {cell[1]:13} {labelled} on {on:4}"
        lines.append(f"{title} {', '.join([*shown, *seconds])}  ({len(own)} seeds)")
    return lines


def figure_in_words(name: str, values: list[float]) -> str:
    """Mean and deviation of a population."""
    return f"{name} {statistics.mean(values):.1f} ± {statistics.pstdev(values):.1f}"


if __name__ == "__main__":
    main()
