"""The words that a rule has learned, in the texts of its card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages._shared.cached.word_counts import shortest_first
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.learned_words import Characters, learned_in_texts
from re2nn_core.services.rule_review.letter_matches import letter_matches
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.tokenization import Tokenization


def marks_of_learned(
    stamp: str, rule: ChangedRule, texts: tuple[str, ...], tokenization: Tokenization
) -> list[Characters]:
    """For each text where they are; none where the rule went. `stamp` names both forms."""
    return _marks(f"{stamp} {rule.name}", texts, rule, tokenization)


def matches_of_letters(
    stamp: str, rule: ChangedRule, records: Sequence[TextRecord], tokenization: Tokenization
) -> Mapping[str, str]:
    """What the expressions inside words of its newest form match in the texts. `stamp` names both forms."""
    words = shortest_first(records, tokenization).words
    return _letters(f"{stamp} {rule.name}", len(words), words, rule, tokenization)


@st.cache_data(show_spinner=False, max_entries=400)
def _letters(
    stamp: str, texts: int, _words: Sequence[Sequence[str]], _rule: ChangedRule, _tokenization: Tokenization
) -> Mapping[str, str]:
    return letter_matches(_rule.newest.tree, _words, _tokenization)


@st.cache_data(show_spinner=False, max_entries=400)
def _marks(stamp: str, texts: tuple[str, ...], _rule: ChangedRule, _tokenization: Tokenization) -> list[Characters]:
    before, after = _rule.before, _rule.after
    if after is None:
        return [()] * len(texts)
    return learned_in_texts(None if before is None else before.expanded, after.expanded, texts, _tokenization)
