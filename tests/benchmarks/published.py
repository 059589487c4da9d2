"""The published rules and splits for labels, read next to the repository, with the label logic of the package."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.experiments.datasets.classification import LOGIC
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.text.corpus import SPLITS, Corpus, Example
from re2nn_core.text.tokenization import Tokenization

BENCHMARKS = HERE.parents[2] / "shared" / "benchmarks"
RULES = {"atis": "atis.rules.v0.config", "trec": "trec.rules.old.config", "sms": "sms.rules.config"}


def load(name: str) -> tuple[RuleSystem, Corpus]:
    """The rules of a set and all of its texts, each with its split."""
    rules = (BENCHMARKS / "rules" / RULES[name]).read_text(encoding="utf-8")
    logic = (LOGIC / f"{name}.toml").read_text(encoding="utf-8")
    examples: list[Example] = []
    for split in SPLITS:
        corpus = read_corpus(BENCHMARKS / name / f"{split}.tsv").corpus
        examples += [Example(example.text, example.label, split) for example in corpus]
    return read_system(rules, logic, Tokenization())[0], Corpus(tuple(examples))
