"""What rules found from predictions are compared with: the written rules as they are."""

from __future__ import annotations

import itertools

from re2nn_core.services.rule_reconstruction.classification.from_predictions import search_predictions
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization


def test_texts_that_a_new_default_label_sets_right_count_as_fixed() -> None:
    tokenization = Tokenization()
    written, _ = read_system("[fare]\nprice := $* price $*\n\n[flight]\nfly := $* fly $*\n", None, tokenization)
    words = "abcdefghijklmnopqrstuvwxyz"
    texts = [(f"{one} {two}", "flight") for one in words for two in words[:4]]
    texts += [(f"price {one}", "fare") for one in words]
    examples = [
        Example(text, label, split="dev" if place % 4 == 0 else "train") for place, (text, label) in enumerate(texts)
    ]
    found = search_predictions(written, Corpus(tuple(examples)), [label for _, label in texts], tokenization).within(
        None
    )
    assert 'default = "flight"' in found.logic_text
    dev = found.chosen.splits["dev"]
    assert (dev.accuracy, dev.fixed, dev.broken) == (1.0, 26, 0)


def _of_three_labels() -> tuple[Corpus, list[str | None]]:
    """Many texts of two labels, and so few of a third that its rule is found after theirs."""
    words = {"flight": ("plane", 20), "seat": ("window", 20), "fare": ("price", 6)}
    texts = [(f"{word} {n}xx", label) for label, (word, count) in words.items() for n in range(count)]
    examples = [Example(text, label, split="train") for text, label in texts]
    return Corpus(tuple(examples)), [label for _, label in texts]


def test_a_search_that_is_asked_to_stop_keeps_the_rules_found_by_then() -> None:
    corpus, predicted = _of_three_labels()
    every = search_predictions(None, corpus, predicted, Tokenization(), should_stop=lambda: False).within(None)
    assert not every.stopped
    assert [rule.label for rule in every.new_rules] == ["flight", "seat", "fare"]
    asked = itertools.count()
    some = search_predictions(None, corpus, predicted, Tokenization(), should_stop=lambda: next(asked) == 1).within(
        None
    )
    assert some.stopped
    assert [rule.label for rule in some.new_rules] == ["flight", "seat"]
    none = search_predictions(None, corpus, predicted, Tokenization(), should_stop=lambda: True).within(None)
    assert (none.stopped, none.new_rules, none.chosen.words) == (True, (), 0)
