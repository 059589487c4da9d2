"""The conditions of a rule that changed, as a card shows them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.conditions import Condition, changed_conditions
from re2nn_core.services.rule_review.matched_again import words_refused
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.tokenization import Tokenization, words_of_all


def conditions_of(
    stamp: str, rule: ChangedRule, effect: ChangeEffect, records: Sequence[TextRecord], tokenization: Tokenization
) -> tuple[Condition, ...]:
    """Each with texts whose prediction the change moves as examples. `stamp` names both forms."""
    moved = effect.moved
    places = [int(place) for own in (moved.fixed, moved.changed, moved.broken) for place in own]
    texts = tuple(records[place].text for place in places if place < len(records))
    return _conditions(f"{stamp} {rule.name}", texts, rule, tokenization)


def refused_by_learning(rule: ChangedRule) -> frozenset[str]:
    """The words that the rule has come to list as exceptions."""
    before, after = rule.before, rule.after
    return frozenset() if before is None or after is None else words_refused(before.expanded, after.expanded)


@st.cache_data(show_spinner=False, max_entries=400)
def _conditions(
    stamp: str, texts: tuple[str, ...], _rule: ChangedRule, _tokenization: Tokenization
) -> tuple[Condition, ...]:
    own = dict(zip(texts, words_of_all(texts, _tokenization), strict=True))
    return changed_conditions(_rule, own, lowercase=_tokenization.lowercase)
