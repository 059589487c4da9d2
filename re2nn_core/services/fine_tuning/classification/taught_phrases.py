"""What rules know of labels that few texts have, as short texts: phrases of the words that rules name, and the names of
labels as words (`credit_limit`: credit limit).

A linear layer over the whole text learns little of 150 labels from 200 texts. From these phrases it also learns what
the rules name for each label, and predicts texts that no rule matches (linear_layer.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.rules.own_phrases import Phrase, own_phrases, spread
from re2nn_core.services.prediction.classification.encoding import Contexts, encode_sentences
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.training.examples import EncodedExamples

OF_A_RULE, OF_ALL = 50, 3000  # phrases at most
# What stands between two words of a name: signs, or nothing before a capital letter.
_BETWEEN = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


def taught_phrases(system: RuleSystem, labels: Sequence[str]) -> list[tuple[Phrase, str]]:
    """Phrases and their labels: those of each rule for which the rules together predict its label, then the names of
    these `labels`."""
    named = dict.fromkeys(
        (phrase, rule.label) for rule in system.ruleset.rules for phrase in own_phrases(rule.expanded, OF_A_RULE)
    )
    tried = spread(list(named), OF_ALL)
    predicted = system.decided(system.matcher.matched([phrase for phrase, _ in tried]))
    names = zip(_names(system, labels), labels, strict=True)
    return [
        *(one for one, label in zip(tried, predicted, strict=True) if one[1] == label),
        *((name, label) for name, label in names if name),
    ]


def _names(system: RuleSystem, labels: Sequence[str]) -> list[Phrase]:
    """The words of each label's name; none for one letter or a number, which mean nothing."""
    names = [_BETWEEN.sub(" ", label).strip() for label in labels]
    telling = [name if len(name) > 1 and any(map(str.isalpha, name)) else "" for name in names]
    return [tuple(words) for words in words_of_all(telling, system.tokenization)]


def encoded_phrases(system: RuleSystem, bundle: Bundle, contexts: Contexts) -> EncodedExamples:
    """The phrases as the network of a bundle reads them."""
    labels = bundle.network.logic.labels
    taught = taught_phrases(system, labels)
    encoded = encode_sentences(bundle, [phrase for phrase, _ in taught], contexts)
    index = {label: number for number, label in enumerate(labels)}
    return EncodedExamples(encoded.codes, [index[label] for _, label in taught], context=encoded.context)
