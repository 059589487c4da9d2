"""What is counted rather than trained: data sets and their rules; and networks read back as rules."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from re2nn_core.automata.determinize import pseudo_dfa
from re2nn_core.automata.independent import independent
from re2nn_core.automata.transducer import minimal_transducer, transducer_union
from re2nn_core.experiments.reproduce.measured import Measured
from re2nn_core.experiments.reproduce.runs.classification import label_data
from re2nn_core.experiments.reproduce.runs.slot_filling import rules_of_slots, slot_data
from re2nn_core.experiments.reproduce.tables.spec import Job
from re2nn_core.experiments.reproduce.tables.systems import Around
from re2nn_core.experiments.runs.cell import cell_settings
from re2nn_core.experiments.runs.figures import share_right
from re2nn_core.network.classification.bundle import load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.rules.tree import Node
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.training.config import TrainConfig

_COUNTED = "counted, nothing is trained"


def label_facts(job: Job, seed: int, around: Around) -> Measured:
    """EMNLP 2020, table 3."""
    data = label_data(job.data, around.folder)
    labels = {example.label for example in (*data.train, *data.dev, *data.test)}
    predictions = data.system.predictions([example.text for example in data.test])
    values = {f"{split} texts": float(len(getattr(data, split))) for split in ("train", "dev", "test")}
    values |= {
        "labels": float(len(labels | set(data.system.logic.labels))),
        "rules": float(len(data.system.ruleset.rules)),
        "states": float(_states_by_label(data.system.ruleset)),
        "accuracy": share_right(data.test, predictions) or 0.0,
    }
    return Measured(values, recipe=_COUNTED)


def slot_facts(job: Job, seed: int, around: Around) -> Measured:
    """EMNLP 2021, table 2."""
    data = slot_data(job.data, around.folder)
    every = [example.text for example in (*data.train, *data.dev, *data.test)]
    words = {word for sentence in words_of_all(every, data.system.tokenization) for word in sentence}
    machine = minimal_transducer(transducer_union([tree for _, tree in data.system.trees]))
    values = {
        "train texts": float(len(data.train)),
        "words": float(len(words)),
        "rules": float(len(data.system.ruleset.rules)),
        "fst states": float(len(machine)),
        "ifst states": float(len(independent(machine))),
        **rules_of_slots(data).values,
    }
    return Measured(values, recipe=_COUNTED)


def reconstruction_facts(job: Job, seed: int, around: Around) -> Measured:
    """Train near rules on all texts and read the network back (EMNLP 2020, section 6). InputError, Cancelled."""
    data = label_data(job.data, around.folder)
    corpus = Corpus((*data.train, *data.dev, *data.test))
    network, train = NetworkConfig(vectors="builtin", seed=seed), TrainConfig(seed=seed, faithful=True)
    began = time.perf_counter()
    with TemporaryDirectory(prefix="re2nn-") as folder:
        report = train_system(data.system, corpus, network, train, folder=Path(folder), should_stop=around.should_stop)
        found = reconstruct(load_bundle(Path(folder)), corpus)
    test = next(split for split in found.accuracy if split.split == "test")
    shares = {
        "accuracy of rules": test.original,
        "accuracy": test.network,
        "read back": test.reconstructed,
        "agreement": test.agreement,
    }
    return Measured(
        values={name: round(100 * (share or 0.0), 4) for name, share in shares.items()},
        settings={**cell_settings(network, train), "faithful": True},
        texts=len(data.train),
        epochs=report.epochs,
        best_epoch=report.best_epoch,
        recipe=report.recipe,
        vectors=report.vectors,
        seconds=round(time.perf_counter() - began, 2),
    )


def _states_by_label(ruleset: RuleSet) -> int:
    """Of one machine a label, as the paper counts them: with one start in front of all of them."""
    trees: dict[str, list[Node]] = {}
    for rule in ruleset.rules:
        trees.setdefault(rule.label, []).append(rule.expanded)
    return 1 + sum(len(pseudo_dfa(transducer_union(parts))) for parts in trees.values())
