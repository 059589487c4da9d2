"""A reconstruction asks the network about each text once, and each rule reads each sentence once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.networks.small_system import RULES, small_corpus, small_system

from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.reconstruction.classification import predicted_texts
from re2nn_core.reconstruction.classification.conduct import reconstruct_rules
from re2nn_core.reconstruction.classification.rule_text import can_be_written
from re2nn_core.rules.tree import Node
from re2nn_core.services.prediction.classification.predictor import predict, untrained


def test_network_and_rules_predict_each_text_once(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = small_corpus()
    bundle = untrained(small_system(), corpus.texts)
    asked: list[Sequence[str]] = []
    read = Counter[tuple[Node, str]]()

    class Counting(RuleMatcher):
        def __init__(self, trees: Sequence[Node], names: Sequence[str] = ()) -> None:
            super().__init__(trees, names)
            self.trees = trees

        def matched(self, sentences):
            read.update(
                (tree, " ".join(words)) for tree in self.trees for words in dict.fromkeys(map(tuple, sentences))
            )
            return super().matched(sentences)

    def labels(texts: Sequence[str]) -> list[str | None]:
        asked.append(texts)
        return predict(bundle, texts).predictions

    monkeypatch.setattr(predicted_texts, "RuleMatcher", Counting)
    found = reconstruct_rules(bundle, corpus, labels)
    assert [list(texts) for texts in asked] == [[e.text for e in corpus if e.label is not None or e.split is not None]]
    assert set(read.values()) == {1}
    assert {part.split for part in found.accuracy} == {"dev", "train", "test"}


def test_a_rule_whose_automaton_cannot_be_written_again_stays_as_it_is_written() -> None:
    far = "far := a{0,160}"
    corpus = small_corpus()
    bundle = untrained(small_system(f"{RULES}[travel]\n{far}\n"), corpus.texts)
    made_of_its_rules = replace(
        bundle, figures={**bundle.figures, "moved": {"far": {"threshold": 0.5, "edges": 1, "words": 1, "learned": []}}}
    )
    assert not can_be_written(next(m.dfa for m in bundle.machines.machines if m.name == "far"))
    found = reconstruct_rules(made_of_its_rules, corpus, lambda texts: predict(bundle, texts).predictions)
    assert far in found.rules_text
