"""A reconstruction asks the network about each text once, and each rule reads each sentence once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch
from support.networks.small_system import RULES, small_corpus, small_system

from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.reconstruction.classification import predicted_texts
from re2nn_core.reconstruction.classification.conduct import reconstruct_rules
from re2nn_core.reconstruction.classification.report import Reconstruction
from re2nn_core.reconstruction.classification.rule_text import can_be_written
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.text.corpus import Corpus, Example


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


def reconstructed(corpus: Corpus, *like_price: str, most_words: int = 400) -> Reconstruction:
    """The reconstruction of a network that reads some words as it reads `price`."""
    bundle = untrained(small_system(), corpus.texts)
    weights, index = bundle.network.reader.word_factors, bundle.vocabulary.index
    with torch.no_grad():
        for word in like_price:
            weights[index[word]] = weights[index["price"]]
    return reconstruct_rules(bundle, corpus, lambda texts: predict(bundle, texts).predictions, most_words=most_words)


def test_words_that_set_no_text_right_are_not_named() -> None:
    """The network reads three more words as it reads `price`: one of them sets texts right, the others break some."""
    found = reconstructed(small_corpus(), "cost", "today", "of", "please")
    assert "cost" in found.rules_text
    assert not {"today", "of", "please"} & set(read_rules(found.rules_text).ruleset.words)
    assert found.new_words == 1


@pytest.mark.parametrize("most_words", [0, 1])
def test_no_more_words_are_added_than_asked_for(most_words: int) -> None:
    found = reconstructed(small_corpus(), "cost", most_words=most_words)
    assert found.new_words == most_words
    assert ("cost" in found.rules_text) == bool(most_words)


def without_cost(split: str, *kept: Example) -> Corpus:
    """The small corpus, where no text of other splits says `cost`, and some texts more."""
    return Corpus((*(one for one in small_corpus() if "cost" not in one.text or one.split == split), *kept))


def test_unlabelled_texts_say_which_words_count() -> None:
    texts = [Example(f"the cost of {city} please", None, "train") for city in ("paris", "rome", "cairo")]
    assert "cost" not in reconstructed(without_cost("test"), "cost").rules_text
    assert "cost" in reconstructed(without_cost("test", *texts), "cost").rules_text


def test_without_dev_the_texts_of_test_choose_nothing() -> None:
    """Two texts of test and one of train say `cost`: one text is too few."""
    corpus = without_cost("test", Example("the cost of paris please", "money", "train"))
    assert len([one for one in corpus if "cost" in one.text]) == 3
    found = reconstructed(Corpus(tuple(one for one in corpus if one.split != "dev")), "cost")
    assert "cost" not in found.rules_text


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
