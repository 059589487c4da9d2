"""The measuring itself: made-up rules are sound and the same every time; with -m benchmark, every target is reached."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks import synthetic
from benchmarks.measures import MEASURES, Row
from benchmarks.tagging_measures import SLOT_MEASURES

from re2nn_core.automata.matcher import build_matcher
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Word, walk


def test_made_up_rules_are_read_without_a_warning() -> None:
    read = read_rules(synthetic.rule_file(60, synthetic.made_up_words(500)))
    assert read.warnings == ()
    assert len(read.ruleset.rules) == 60
    assert len(read.ruleset.labels) == 3
    sizes = [sum(isinstance(node, Word) for node in walk(rule.tree)) for rule in read.ruleset.rules]
    assert min(sizes) >= 5
    assert max(sizes) <= 43


def test_made_up_rules_and_texts_are_the_same_for_the_same_seed() -> None:
    words = synthetic.made_up_words(300)
    assert synthetic.rule_file(20, words, seed=4) == synthetic.rule_file(20, words, seed=4)
    assert synthetic.rule_file(20, words, seed=4) != synthetic.rule_file(20, words, seed=5)
    assert synthetic.texts(20, words) == synthetic.texts(20, words)


def test_dense_rules_accept_more() -> None:
    words = synthetic.made_up_words(400)
    sentences = [text.split() for text in synthetic.texts(200, words)]
    assert 8 < np.mean([len(sentence) for sentence in sentences]) < 14
    sparse, dense = (
        build_matcher(read_rules(synthetic.rule_file(50, words, dense=dense)).ruleset.rules).matched(sentences).mean()
        for dense in (False, True)
    )
    assert 0 < sparse < dense < 1


def test_rows_know_whether_they_reach_their_target() -> None:
    assert Row("m", "slow", 3.0, "s", 2.0).reached is False
    assert Row("m", "fast", 1.0, "s", 2.0).reached is True
    assert Row("m", "many", 3.0, "a second", 2.0, at_least=True).reached is True
    assert Row("m", "few", 1.0, "a second", 2.0, at_least=True).reached is False
    assert Row("m", "seen", 1.0, "s").reached is None


@pytest.mark.benchmark
@pytest.mark.parametrize("name", [*MEASURES, *SLOT_MEASURES])
def test_targets_are_reached(name: str) -> None:
    rows = list({**MEASURES, **SLOT_MEASURES}[name]())
    missed = [
        f"{row.name}: {row.measured:.4g} {row.unit}, target {row.target:g}" for row in rows if row.reached is False
    ]
    assert missed == []
