"""Networks of rules that ask for letters of words: words never seen, and a model that is saved and opened."""

from __future__ import annotations

from pathlib import Path

from re2nn_core.network.classification.bundle import build_bundle, load_bundle, save_bundle
from re2nn_core.network.classification.predict import run_network
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.rules.read import read_rules
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

RULES = '[book]\n$* re"book(ing)?s?" $*\n[refund]\n$* ~"refund" [^ glob"no*" ]*\n'
SEEN = [("a", "booking"), ("my", "refund"), ("now",)]
UNSEEN = [("the", "bookings"), ("refnud", "it"), ("refunds", "nobody"), ("booked",), ("zz", "book", "reund")]
EXPECTED = [[1, 0], [0, 1], [0, 0], [0, 0], [1, 1]]


def test_an_opened_model_knows_the_classes_of_words(tmp_path: Path) -> None:
    rules = read_rules(RULES).ruleset
    vocabulary = build_vocabulary(SEEN, always=rules.words)
    bundle = build_bundle(RULES, "", Tokenization(), vocabulary, NetworkConfig())
    save_bundle(tmp_path / "model", bundle)
    opened = load_bundle(tmp_path / "model")
    for one in (bundle, opened):
        codes = [one.vocabulary.encode(sentence) for sentence in UNSEEN]
        assert run_network(one.network, codes, abstain=True).machine_scores.round().astype(int).tolist() == EXPECTED
