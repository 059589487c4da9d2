"""New and changed rules that change no prediction on the project's texts: reported when they are saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from re2nn_core.rules.logic.label_logic import decide_all
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotAnalysis
from re2nn_core.text.counting import counted

_MOST = 12  # rules; of more than these, as after an import, none is looked at


def rules_without_effect(now: Analysis | SlotAnalysis, before: Analysis | SlotAnalysis) -> tuple[str, ...]:
    """A sentence for each rule that is new or changed and without which each prediction would be the same. Unused
    rules, which no formula names, are not among them."""
    old = _trees(before)
    changed = [name for name, tree in _trees(now).items() if old.get(name) != tree]
    return tuple(_sentences(now, changed)) if len(changed) <= _MOST else ()


def _trees(found: Analysis | SlotAnalysis) -> Mapping[str, Node]:
    if isinstance(found, SlotAnalysis):
        return dict(found.system.trees)
    unused = {rule.name for rule in found.unused}
    return {rule.name: rule.expanded for rule in found.system.ruleset.rules if rule.name not in unused}


def _sentences(found: Analysis | SlotAnalysis, names: list[str]) -> Iterator[str]:
    slots, texts = isinstance(found, SlotAnalysis), counted(found.texts, "text")
    for name in names:
        if not len(found.matches(rule=name)):
            yield f"'{name}' {'finds no span in' if slots else 'matches none of'} {texts}: check its words."
        elif not (_changes_spans(found, name) if isinstance(found, SlotAnalysis) else _changes_labels(found, name)):
            same = f"the {'spans' if slots else 'predictions'} in {texts} are the same"
            yield f"'{name}' changes nothing: without it, {same}. Change or delete it."


def _changes_labels(found: Analysis, name: str) -> bool:
    matched = found.matched.copy()
    matched[:, found.rule_index[name]] = False
    without = decide_all(found.system.logic, found.system.rule_names, matched)
    return not np.array_equal(without, found.predictions)


def _changes_spans(found: SlotAnalysis, name: str) -> bool:
    system, bench, place = found.system, found.bench, found.rule_index[name]
    sentences = bench.sentences_for(tree for _, tree in system.trees) if system.tokenization.cased else bench.sentences
    for text in found.readings[place].sets:
        others = [one for one in found.accepting[text] if one.rule != place]
        spans = bench.spans_of(text, system.decide(sentences[text], others)) if others else ()
        if spans != found.predictions[text]:
            return True
    return False
