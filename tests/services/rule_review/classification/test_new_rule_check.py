"""What a network predicts for texts that a new rule was not made from."""

from __future__ import annotations

from collections.abc import Sequence

from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_review.classification.new_rule_check import ProjectTexts, check_pattern, shortest_places
from re2nn_core.services.rule_review.patterns import patterns_of
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.text.corpus import Example
from re2nn_core.text.tokenization import Tokenization

TEXTS = [
    Example("win at prize.example", "spam", "train"),
    Example("a prize", "spam", "train"),
    Example("a prize for you", "spam", "test"),
    Example("see you", "ham", "train"),
    Example("home now", "ham", "dev"),
]


def check(rule: str, predict: str):
    [own] = read_rules(f"[spam]\nspam.new := {rule}\n").ruleset.rules
    asked: list[str] = []

    def network(texts: Sequence[str]) -> list[str]:
        asked.extend(texts)
        return [predict] * len(texts)

    bench = TextBench([one.text for one in TEXTS], Tokenization())
    known = ProjectTexts(TEXTS, bench.sentences, bench.matched([own])[:, 0].tolist(), shortest_places(TEXTS))
    [pattern] = patterns_of(own.tree, {}, Tokenization())
    return check_pattern(pattern, own.label, known, network, Tokenization()), asked


def test_the_network_is_asked_for_words_that_no_text_has() -> None:
    """A rule for all web addresses was shown as learned, though the network says otherwise of unseen ones."""
    found, asked = check('$* re"[a-z]+[.][a-z]+" $*', "ham")
    assert asked == ["see you wypgl.lehtwsl", "home now wypgl.lehtwsl"]
    assert (found.texts, found.others, found.made_up, found.most) == (2, 2, True, True)
    assert (found.example, found.label) == ("see you wypgl.lehtwsl", "ham")


def test_a_rule_of_words_is_asked_for_outside_of_train() -> None:
    found, asked = check("$* prize $*", "spam")
    assert asked == ["a prize for you"]
    assert (found.texts, found.others, found.most) == (1, 0, False)


def test_the_network_is_asked_for_other_words_in_a_gap() -> None:
    """“i … and” was said to be known to the network, which knows it from spam alone."""
    found, asked = check("$* i $* and $*", "ham")
    assert asked == ["i see you and", "i home now and"]
    assert (found.texts, found.others, found.made_up, found.most) == (2, 2, True, True)
