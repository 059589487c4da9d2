"""Rules that a network added to, in the lines of the author: comments, layout and order stay as they were written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_reconstruction.classification.from_predictions import PredictedRules
from re2nn_core.services.rule_reconstruction.classification.rule_changes import accept_rules
from re2nn_core.services.rule_review.classification.new_rules import accept_new
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.text.tokenization import Tokenization


def in_written_lines(found: PredictedRules, texts: Sequence[str], tokenization: Tokenization) -> PredictedRules:
    """What a network changed and added, put line by line into the rules that it began with (`begun`); as it was
    printed where the predictions of these texts would not be the same."""
    if found.begun is None:
        return found
    rules_text, logic_text = found.begun
    lowercase = tokenization.lowercase
    begun = {rule.name for rule in read_rules(rules_text, lowercase=lowercase).ruleset.rules}
    names = [rule.name for rule in read_rules(found.rules_text, lowercase=lowercase).ruleset.rules]
    changed = accept_rules(
        found.rules_text,
        [name for name in names if name in begun],
        trained_on=rules_text,
        rules_text=rules_text,
        logic_text=logic_text,
        lowercase=lowercase,
    )
    added = accept_new(
        (found.rules_text, found.logic_text),
        [name for name in names if name not in begun],
        rules_text=changed.rules_text,
        logic_text=changed.logic_text,
        lowercase=lowercase,
    )
    wanted = read_system(found.rules_text, found.logic_text, tokenization)[0].predictions(texts)
    if read_system(added.rules_text, added.logic_text, tokenization)[0].predictions(texts) != wanted:
        return found
    return replace(found, rules_text=added.rules_text, logic_text=added.logic_text)
