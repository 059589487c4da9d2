"""Measures whether training hurts, and what rules keep of a model that is read back from its predictions.

    python tests/benchmarks/unseen/unseen.py training --sets trec --sets mitr --sizes 50 --seeds 1
    python tests/benchmarks/unseen/unseen.py predictions --sets atis --networks bigru --networks encoder

training       a number of train texts drawn with each seed, as somebody has them who labels some texts: without dev.
               The written rules and what is kept after training, and what held-out texts said; for CLINC150 how many
               texts of no label get no prediction, at a confidence that 95% of the dev texts reach
predictions    a BiGRU, or another ordinary system for labels, trained on all of train, and rules found from its
               predictions of these texts, in addition to the written ones and from none: fidelity and accuracy by the
               number of words

Measured on dev, which took no part in training; on test with --test, for final figures. The rules of CLINC150 were
and MITR (slots) were written for a trial in twenty minutes by somebody who saw train alone; for the others they are
the published ones. Figures of slots are F1 of spans.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[2])]

from benchmarks.published import BENCHMARKS, RULES, TRIAL, load, load_slots
from benchmarks.samples import SAMPLES, SLOT_SAMPLES, sample, slot_sample

from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.experiments.runs.baseline_predictions import baseline_predictions, check_baseline_name
from re2nn_core.network.classification.bundle import Bundle, load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.learned_predictions import rules_of_predictions
from re2nn_core.services.fine_tuning.classification.objectives import settings_for, training_settings_for
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.fine_tuning.objective import OBJECTIVES, Objective
from re2nn_core.services.fine_tuning.slot_filling.objectives import slot_network, slot_training
from re2nn_core.services.fine_tuning.slot_filling.training import train_tagger
from re2nn_core.services.fine_tuning.training_report import TrainingReport
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_reconstruction.classification.fidelity import RulesOfSize
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.text.corpus import SPLITS, Corpus, Example
from re2nn_core.training.config import TrainConfig

COVERED = 0.95  # of dev texts get a prediction where texts of no label are looked for
NETWORK = "bigru"
SETS = (*RULES, TRIAL, *SAMPLES)
SLOT_SETS = ("atis-slots", "snips-slots", "mitr-slots", *SLOT_SAMPLES)
RESULTS = HERE.parent / "results" / "unseen.json"
_sets = click.option("--sets", multiple=True, type=click.Choice(SETS), default=SETS, show_default=True)
_on_test = click.option("--test", is_flag=True, help="Measure on test, for final figures.")
_output = click.option("--output", type=click.Path(path_type=Path), default=RESULTS)


@click.group()
def main() -> None:
    """Never hurt, and read any model back."""
    if not BENCHMARKS.is_dir():
        raise click.ClickException(f"The published data are not here: {BENCHMARKS} does not exist.")
    torch.set_num_threads(1)


@main.command()
@click.option("--sets", multiple=True, type=click.Choice((*SETS, *SLOT_SETS)), default=(*SETS, *SLOT_SETS))
@click.option(
    "--sizes", multiple=True, type=int, default=(20, 50, 200, 1000), show_default=True, help="More than there are: all."
)
@click.option(
    "--objectives",
    type=click.Choice(OBJECTIVES),
    multiple=True,
    default=("interpretable", "accuracy"),
    show_default=True,
)
@click.option("--seeds", default=4, show_default=True)
@_on_test
@_output
def training(
    sets: tuple[str, ...],
    sizes: tuple[int, ...],
    objectives: tuple[Objective, ...],
    seeds: int,
    test: bool,
    output: Path,
) -> None:
    """Rules against what training keeps, in accuracy or F1. Cells that the file holds already are kept."""
    for seed in range(seeds):
        for name in sets:
            for texts in dict.fromkeys(min(size, len(_labelled(name, _on(test)))) for size in sizes):
                for objective in objectives:
                    cell = {"data": name, "texts": texts, "objective": objective, "seed": seed, "on": _on(test)}
                    _stored(output, "training", cell, partial(_trained, name, texts, objective, seed, _on(test)))


@main.command()
@_sets
@click.option("--networks", multiple=True, default=(NETWORK,), show_default=True, help="Baselines, or encoder.")
@click.option("--seeds", default=1, show_default=True)
@_on_test
@_output
def predictions(sets: tuple[str, ...], networks: tuple[str, ...], seeds: int, test: bool, output: Path) -> None:
    """Ordinary systems read back. Rows without the name of one are of a BiGRU."""
    for seed in range(seeds):
        for name in sets:
            for network in map(partial(check_baseline_name, rules=True), networks):
                cell = {"data": name, "network": None if network == NETWORK else network, "seed": seed, "on": _on(test)}
                _stored(output, "predictions", cell, partial(_read_back, name, network, seed, _on(test)))


def _on(test: bool) -> str:
    return "test" if test else "dev"


@cache
def _of_task(name: str) -> tuple[RuleSystem | SlotSystem, list[Example]]:
    system: RuleSystem | SlotSystem
    if name in SLOT_SETS:
        system, corpus = slot_sample(name) if name in SLOT_SAMPLES else load_slots(name.removesuffix("-slots"))
        return system, list(corpus)
    return _loaded(name)


def _labelled(name: str, on: str) -> list[Example]:
    """The texts that are drawn from. Where test is measured, a sample's dev texts too: it has few."""
    own = name in (*SAMPLES, *SLOT_SAMPLES)
    splits = ("train", "dev") if own and on == "test" else ("train",)
    drawn = [one for one in _of_task(name)[1] if one.split in splits and (not own or _annotated(one))]
    return [replace(example, split="train") for example in drawn]


def _annotated(example: Example) -> bool:
    return example.label is not None or example.spans is not None


def _loaded(name: str) -> tuple[RuleSystem, list[Example]]:
    system, corpus = sample(name) if name in SAMPLES else load(name)
    return system, list(corpus)


def _trained(name: str, texts: int, objective: Objective, seed: int, on: str) -> dict[str, Any]:
    system, examples = _of_task(name)
    train = _labelled(name, on)
    drawn = random.Random(seed).sample(train, min(texts, len(train)))
    measured = [replace(example, split="test") for example in examples if example.split == on]
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        report = _train(system, Corpus((*drawn, *measured)), objective, texts, seed, Path(folder))
        spent = round(time.process_time() - began)
        beyond = _out_of_scope(load_bundle(Path(folder)), examples, on) if name == TRIAL else {}
    return {
        "rules": round(report.zero_shot["test"] or 0.0, 4),
        "kept": round(report.test or 0.0, 4),
        "held_out": [round(share or 0.0, 4) for share in (report.zero_shot["dev"], report.dev)],
        "epoch": report.best_epoch,
        "cpu_seconds": spent,
        **beyond,
    }


def _out_of_scope(bundle: Bundle, examples: list[Example], on: str) -> dict[str, Any]:
    """With the confidence that COVERED of the dev texts reach as the least: the share of texts of no label that get no
    prediction, and of the other texts that get one."""
    others = read_corpus(BENCHMARKS / TRIAL / f"{on}.oos.tsv").corpus.texts
    dev, inside = ([one.text for one in examples if one.split == split] for split in ("dev", on))
    of_dev, of_inside, of_others = (predict(bundle, texts) for texts in (dev, inside, others))
    least = float(np.quantile(of_dev.confidence, 1 - COVERED))
    return {
        "out_of_scope_found": round(float((of_others.confidence < least).mean()), 4),
        "covered": round(float((of_inside.confidence >= least).mean()), 4),
    }


def _train(
    system: RuleSystem | SlotSystem, corpus: Corpus, objective: Objective, texts: int, seed: int, folder: Path
) -> TrainingReport:
    if isinstance(system, SlotSystem):
        tagger = replace(slot_network(objective, texts), seed=seed)
        slowly = replace(slot_training(objective, texts), seed=seed, device="cpu")
        return train_tagger(system, corpus, tagger, slowly, folder=folder)
    network = NetworkConfig(seed=seed, **settings_for(objective, texts))
    settings = TrainConfig(seed=seed, device="cpu", **training_settings_for(objective, texts))
    return train_system(system, corpus, network, settings, folder=folder)


def _read_back(name: str, network: str, seed: int, on: str) -> dict[str, Any]:
    system, examples = _loaded(name)
    own = {split: tuple(example for example in examples if example.split == split) for split in SPLITS}
    # Dev decides when to stop. What is measured on comes last, as test.
    every = (*own["dev"], *own["train"], *(replace(example, split="test") for example in own[on]))
    ran = baseline_predictions(network, system, Corpus(every), system.tokenization, seed=seed)
    texts, predicted = every[len(own["dev"]) :], list(ran.predictions[len(own["dev"]) :])
    began = time.process_time()
    found = {
        start: rules_of_predictions(written, Corpus(texts), predicted, system.tokenization)
        for start, written in (("written", system), ("none", None))
    }
    return {
        "model": round(found["none"].chosen.splits["test"].model or 0.0, 4),
        **{start: [_size(size) for size in _some(rules.curve)] for start, rules in found.items()},
        "cpu_seconds": round(time.process_time() - began),
    }


def _some(curve: tuple[RulesOfSize, ...]) -> list[RulesOfSize]:
    """Sizes, each about twice the one before it, and the last."""
    return [*(curve[place] for place in (0, 1, 2, 4, 8, 16, 32, 64, 128) if place < len(curve) - 1), curve[-1]]


def _size(size: RulesOfSize) -> dict[str, Any]:
    reached = size.splits["test"]
    shares = {"fidelity": round(reached.fidelity, 4), "accuracy": round(reached.accuracy or 0.0, 4)}
    return {"rules": size.rules, "words": size.words, **shares}


def _stored(output: Path, kind: str, cell: Mapping[str, Any], measure: Callable[[], dict[str, Any]]) -> None:
    """Measure a cell and write it, unless the file holds it."""
    known = json.loads(output.read_text(encoding="utf-8")) if output.is_file() else {}
    rows = known.setdefault(kind, [])
    if not any(all(row.get(key) == value for key, value in cell.items()) for row in rows):
        rows.append({**{key: value for key, value in cell.items() if value is not None}, **measure()})
        output.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        click.echo(json.dumps(rows[-1]))


if __name__ == "__main__":
    main()
