"""Rules that a network added to, in the lines of the author: comments, layout and order stay as they were written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_reconstruction.classification.from_predictions import PredictedRules
from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction
from re2nn_core.services.rule_reconstruction.classification.rule_changes import accept_rules
from re2nn_core.services.rule_review.classification.new_rules import accept_new
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.text.tokenization import Tokenization

_Texts = tuple[str, str]  # rules and label logic


def in_written_lines(found: PredictedRules, texts: Sequence[str], tokenization: Tokenization) -> PredictedRules:
    """What a network changed and added, put line by line into the rules that it began with (`begun`); as it was
    printed where the predictions of these texts would not be the same."""
    if found.begun is None:
        return found
    rules_text, logic_text = _in_lines((found.rules_text, found.logic_text), found.begun, texts, tokenization)
    return replace(found, rules_text=rules_text, logic_text=logic_text)


def reconstruction_in_written_lines(found: Reconstruction, bundle: Bundle, texts: Sequence[str]) -> Reconstruction:
    """The same of a reconstructed network: its changes, put into the rules that it was made from. As it was printed,
    too, where written rules are dropped or where label logic was learned."""
    if found.dropped or found.new_logic:
        return found
    printed = found.rules_text, found.logic_text
    rules_text, logic_text = _in_lines(printed, bundle.written, texts, bundle.tokenization)
    return replace(found, rules_text=rules_text, logic_text=logic_text)


def _in_lines(printed: _Texts, begun: _Texts, texts: Sequence[str], tokenization: Tokenization) -> _Texts:
    """Printed rules and label logic, as lines of those that they began with, where these texts are predicted alike."""
    (found_rules, found_logic), (rules_text, logic_text) = printed, begun
    lowercase = tokenization.lowercase
    written = {rule.name for rule in read_rules(rules_text, lowercase=lowercase).ruleset.rules}
    names = [rule.name for rule in read_rules(found_rules, lowercase=lowercase).ruleset.rules]
    changed = accept_rules(
        found_rules,
        [name for name in names if name in written],
        trained_on=rules_text,
        rules_text=rules_text,
        logic_text=logic_text,
        lowercase=lowercase,
    )
    if changed.refused:
        return printed
    added = accept_new(
        (found_rules, found_logic),
        [name for name in names if name not in written],
        rules_text=changed.rules_text,
        logic_text=changed.logic_text,
        lowercase=lowercase,
        with_notes=True,
    )
    wanted = read_system(found_rules, found_logic, tokenization)[0].predictions(texts)
    if read_system(added.rules_text, added.logic_text, tokenization)[0].predictions(texts) != wanted:
        return printed
    return added.rules_text, added.logic_text
