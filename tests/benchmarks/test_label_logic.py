"""The label logic in the package for the published rule files: it reads, and it reaches the published accuracy."""

from __future__ import annotations

from pathlib import Path

import pytest

from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.experiments.datasets.classification import LOGIC
from re2nn_core.services.rule_systems.classification.sources import load_rules
from re2nn_core.text.tokenization import Tokenization

BENCHMARKS = Path(__file__).resolve().parents[3] / "shared" / "benchmarks"


@pytest.mark.parametrize(
    ("name", "file", "published"),
    [
        ("atis", "atis.rules.v0.config", 0.8701),
        ("trec", "trec.rules.old.config", 0.644),
        ("sms", "sms.rules.config", 0.932),
    ],
)
def test_rules_with_their_logic_reach_the_published_accuracy(name: str, file: str, published: float) -> None:
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmark data are not on this machine")
    system = load_rules(BENCHMARKS / "rules" / file, LOGIC / f"{name}.toml", Tokenization()).system()
    corpus = read_corpus(BENCHMARKS / name / "test.tsv").corpus
    predictions = system.predictions(corpus.texts)
    right = sum(prediction == example.label for prediction, example in zip(predictions, corpus, strict=True))
    assert right / len(corpus) >= published
