"""How often each untrained variant of the network predicts as the rules do, on every sentence of the published sets.

    python tests/benchmarks/variants.py             all variants; results/variants.json

The exact forms have to agree on all sentences. Where the papers' own form is an approximation (a mixture with word
vectors, a lower rank, layers without activation), what it loses is reported.
"""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

import torch
from benchmarks.published import BENCHMARKS, RULES, load

from re2nn_core.embeddings.choose import word_vectors
from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.prediction.classification.evaluation import accuracy
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.vocabulary import build_vocabulary

EXACT: dict[str, dict[str, Any]] = {
    "FA-RNN": {},
    "FA-GRU": {"cell": "gru"},
    "BiFA-RNN": {"bidirectional": True},
    "BiFA-GRU": {"bidirectional": True, "cell": "gru"},
    "Viterbi scores": {"scoring": "viterbi"},
    "undecomposed": {"decomposed": False},
    "a machine a label": {"machines": "label"},
    "60 extra states, arcs anywhere": {"extra_states": 60, "block_diagonal": False},
    "normalised factors": {"normalize": True},
    "two layers, clamped": {"aggregation": "layers"},
}
APPROXIMATE: dict[str, dict[str, Any]] = {
    "two layers, linear": {"aggregation": "layers", "aggregation_activation": False},
    "mixture, beta 0.7": {"rule_weight": 0.7},
    "mixture, beta 0.5": {"rule_weight": 0.5},
    "mixture, beta 0.3": {"rule_weight": 0.3},
    "rank 80": {"rank": 80},
}


@click.command()
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "variants.json")
def main(output: Path) -> None:
    """Run every variant over every sentence."""
    torch.set_num_threads(1)
    if not BENCHMARKS.is_dir():
        raise click.ClickException(f"The published data are not here: {BENCHMARKS} does not exist.")
    rows = []
    for name in RULES:
        system, corpus = load(name)
        texts, gold = corpus.texts, [example.label for example in corpus]
        predictions = system.predictions(texts)
        for form, variants in (("exact", EXACT), ("approximate", APPROXIMATE)):
            for variant, settings in variants.items():
                began = time.perf_counter()
                given = predict(made(system, texts, settings), texts).predictions
                agree = sum(a == b for a, b in zip(given, predictions, strict=True))
                row = {
                    "data": name,
                    "variant": variant,
                    "form": form,
                    "sentences": len(texts),
                    "agree": agree,
                    "accuracy_of_rules": accuracy(gold, predictions),
                    "accuracy": accuracy(gold, given),
                    "seconds": round(time.perf_counter() - began, 1),
                }
                rows.append(row)
                click.echo(
                    f"{name:5} {variant:32} {agree:6,} of {len(texts):,}  accuracy {row['accuracy']:.2%} "
                    f"(rules {row['accuracy_of_rules']:.2%})"
                )
    measured = datetime.now(UTC).isoformat(timespec="seconds")
    output.write_text(json.dumps({"measured": measured, "rows": rows}, indent=2) + "\n", encoding="utf-8")
    click.echo(f"Written to {output}")
    sys.exit(any(row["form"] == "exact" and row["agree"] != row["sentences"] for row in rows))


def made(system: RuleSystem, texts: tuple[str, ...], settings: dict[str, Any]) -> Bundle:
    """The untrained network of a variant; the mixture with vectors made from the texts."""
    config = NetworkConfig(vectors="builtin" if "rule_weight" in settings else "none", dropout=0.0, **settings)
    sentences = words_of_all(texts, system.tokenization)
    vocabulary = build_vocabulary(sentences, always=system.ruleset.words)
    chosen = word_vectors(vocabulary.words, sentences, config.vectors)
    vectors = chosen.vectors if chosen.vectors.shape[1] else None
    parts = (system.rules_text, system.logic_text, system.tokenization)
    return build_bundle(*parts, vocabulary, config, vectors, chosen.name)


if __name__ == "__main__":
    main()
