"""New rules for what the reconstructed ones still get wrong: those that are proposed for the labelled texts.

Few texts confirm no phrase by themselves (reconstruction/classification/mined_phrases.py). The search for proposals
evaluates phrases together, out-of-fold (proposals/label_search.py); its rules are taken where dev loses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from re2nn_core.proposals.label_order import label_order, winning_labels
from re2nn_core.rules.rule_comments import PROPOSED_FOR_LABELS
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.tree import named_words
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import material_of
from re2nn_core.services.rule_writing.classification.proposals import Proposal, propose, with_proposals
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization

LEAST_GAIN = 3  # texts that a rule must gain of those that it was not made from
MOST = 20  # rules
MOST_TEXTS = 5_000  # labelled ones; of more, phrases are confirmed where there are any, and the search takes long
Integers = NDArray[np.int64]


def with_proposed_rules(
    corpus: Corpus, rules_text: str, logic_text: str, tokenization: Tokenization, most_words: int
) -> tuple[str, str]:
    """Rules and label logic with further rules, which name at most so many words, and of which none makes more dev
    texts incorrect than correct; both as they are of more than MOST_TEXTS labelled texts. Test texts take no part."""
    gold, splits = [one.label for one in corpus], [one.split for one in corpus]
    bench = TextBench(corpus.texts, tokenization)
    now = analyse(bench, gold, rules_text, logic_text)
    material = material_of(gold, splits, now.labels)
    if not 0 < len(material.gold) <= MOST_TEXTS:
        return rules_text, logic_text
    found = [one for one in propose(bench, now, material, most=MOST) if one.gain >= LEAST_GAIN]
    dev = [place for place, split in enumerate(splits) if split == "dev" and gold[place] is not None]
    kept = _kept(bench, now, found, np.asarray(dev, dtype=np.int64), most_words)
    return with_proposals(now.system, kept, comment=PROPOSED_FOR_LABELS) if kept else (rules_text, logic_text)


def _kept(bench: TextBench, now: Analysis, rules: Sequence[Proposal], dev: Integers, most_words: int) -> list[Proposal]:
    """The rules, that which gains most first, without which no more of the texts at the `dev` places are right."""
    order = label_order(now.system.logic, (*now.labels, *(rule.label for rule in rules)))
    gold = np.asarray([order.number(now.labels[number]) for number in now.gold[dev]], dtype=np.int64)
    holds = np.pad(now.label_holds[dev], ((0, 0), (0, len(order.labels) - now.label_holds.shape[1])))
    matched = bench.matched([Rule(one.name, one.label, one.tree, one.tree) for one in rules])[dev]
    kept, words, right = [], 0, (winning_labels(order, holds) == gold).sum()
    for rule, matches in zip(rules, matched.T, strict=True):
        more, words_too = holds.copy(), words + len(named_words(rule.tree))
        more[matches, order.number(rule.label)] = True
        right_with = (winning_labels(order, more) == gold).sum()
        if words_too <= most_words and right_with >= right:
            kept.append(rule)
            holds, words, right = more, words_too, right_with
    return kept
