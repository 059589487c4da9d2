"""What the threshold explorer for labels found out, kept in the run's folder."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.networks.explained import as_trained
from support.networks.small_system import small_corpus

from re2nn_core.automata.symbols import ANY, END, NUMBER, Complement, Symbol
from re2nn_core.network.ensemble import Network
from re2nn_core.reconstruction.classification.threshold_choice import THRESHOLDS, Candidate
from re2nn_core.reconstruction.weights.weighted import WeightedMachine, weighted_machines
from re2nn_core.services.rule_review.classification import threshold_file
from re2nn_core.services.rule_review.classification.threshold_file import FILE, _as_symbol, _as_value, stored_sweep
from re2nn_core.services.rule_review.classification.thresholds import ThresholdSweep, sweep_thresholds
from re2nn_core.store import TextRecord
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.vocabulary import Vocabulary


def records() -> list[TextRecord]:
    texts = [*small_corpus(), Example("a \\* and a $ cost", "money", "train"), Example("nobody knows", None, "dev")]
    return [
        TextRecord(number, 1, number, example.text, None, example.split, example.label, None)
        for number, example in enumerate(texts)
    ]


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[ThresholdSweep]:
    """Every explorer that is made anew."""
    made: list[ThresholdSweep] = []

    def counting(*given: object, **options: object) -> ThresholdSweep:
        made.append(sweep_thresholds(*given, **options))
        return made[-1]

    monkeypatch.setattr(threshold_file, "sweep_thresholds", counting)
    return made


def test_what_was_found_out_is_kept_and_read_again_as_it_was(tmp_path: Path, tried: list[ThresholdSweep]) -> None:
    bundle = as_trained()
    first = stored_sweep(bundle, tmp_path, records())
    assert tried == [first]
    kept = stored_sweep(bundle, tmp_path, records())
    assert len(tried) == 1
    assert kept is not first
    assert kept.chosen == first.chosen
    assert kept.curve() == first.curve()
    assert any(isinstance(one, Candidate) for read in kept.explored.read for one in read.values())
    for threshold in (THRESHOLDS[0], first.chosen, THRESHOLDS[-1]):
        assert kept.at(threshold) == first.at(threshold)
    assert kept.at(0.4, "price") == first.at(0.4, "price")
    assert list(tmp_path.iterdir()) == [tmp_path / FILE]


def test_it_is_made_again_where_texts_changed_or_the_file_is_no_good(
    tmp_path: Path, tried: list[ThresholdSweep]
) -> None:
    bundle = as_trained()
    stored_sweep(bundle, tmp_path, records())
    stored_sweep(bundle, tmp_path, records()[1:])
    assert len(tried) == 2
    whole = (tmp_path / FILE).read_text(encoding="utf-8")
    other = {**json.loads(whole), "machines": json.loads(whole)["machines"][1:]}
    for damaged in (whole[:-100], '{"format": 1}', "[]", json.dumps(other)):
        (tmp_path / FILE).write_text(damaged, encoding="utf-8")
        before = len(tried)
        again = stored_sweep(bundle, tmp_path, records()[1:])
        assert len(tried) == before + 1
        assert again.curve() == sweep_thresholds(bundle, corpus_of(records()[1:])).curve()


def corpus_of(texts: list[TextRecord]) -> Corpus:
    return Corpus(tuple(Example(record.text, record.label, record.split) for record in texts))


@pytest.mark.parametrize(
    "symbol",
    [
        "word",
        "$",
        ANY,
        END,
        Complement(("a", NUMBER)),
        Complement(("7",), NUMBER),
        Complement((Complement(("a",)), "b")),
    ],
)
def test_every_symbol_comes_back(symbol: Symbol) -> None:
    assert _as_symbol(json.loads(json.dumps(_as_value(symbol)))) == symbol


def test_a_rule_that_accepts_the_same_sentences_has_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has learned to read `how` again behind `how`, which the `$*` before reads anyway: “1 rule changed” was
    said."""
    bundle = as_trained(size=0.0)

    def planted(network: Network, vocabulary: Vocabulary) -> list[WeightedMachine]:
        machines = list(weighted_machines(network, vocabulary))
        much = bundle.machines.names.index("much")
        arcs = machines[much].arcs.copy()
        arcs[vocabulary.words.index("how"), 1, 1] = 1.0
        machines[much] = replace(machines[much], arcs=arcs)
        return machines

    monkeypatch.setattr("re2nn_core.services.rule_review.classification.thresholds.weighted_machines", planted)
    assert [at.moved for at in sweep_thresholds(bundle, small_corpus()).curve()] == [()] * len(THRESHOLDS)
