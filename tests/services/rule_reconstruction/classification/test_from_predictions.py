"""What rules found from predictions are compared with: the written rules as they are."""

from __future__ import annotations

from re2nn_core.services.rule_reconstruction.classification.from_predictions import reconstruct_predictions
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
    found = reconstruct_predictions(written, Corpus(tuple(examples)), [label for _, label in texts], tokenization)
    assert 'default = "flight"' in found.logic_text
    dev = found.chosen.splits["dev"]
    assert (dev.accuracy, dev.fixed, dev.broken) == (1.0, 26, 0)
