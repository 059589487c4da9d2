"""The words that a rule has learned, in the texts of its card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from pages._shared.cached.word_counts import shortest_first
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.learned_words import Characters, learned_in_texts
from re2nn_core.services.rule_review.letter_matches import letter_matches
from re2nn_core.services.values.stored import TextRecord
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.word_form import word_form


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


def fixing_first(
    stamp: str,
    rule: ChangedRule,
    effect: ChangeEffect,
    records: Sequence[TextRecord],
    tokenization: Tokenization,
    weights: Mapping[str, float],
) -> dict[str, float]:
    """Numbers to sort words by: by how many of the texts that the change fixes it has learned them for, then by the
    `weights`. `stamp` names both forms."""
    texts = tuple(records[int(place)].text for place in effect.moved.fixed if int(place) < len(records))
    fixes = Counter(word for own in words_of_learned(stamp, rule, texts, tokenization) for word in own)
    heavier = max(weights.values(), default=0.0) + 1
    return {**weights, **{word: heavier * count + weights.get(word, 0.0) for word, count in fixes.items()}}


def wrong_first(
    stamp: str,
    rule: ChangedRule,
    effect: ChangeEffect,
    records: Sequence[TextRecord],
    tokenization: Tokenization,
    weights: Mapping[str, float],
) -> dict[str, float]:
    """Numbers to sort words of a rule for slots by: by how many of the texts that the change breaks have them in a new
    span that is incorrect, then by the `weights`. `stamp` names both forms."""
    places = [int(place) for place in effect.moved.broken if int(place) < len(records)]
    texts = tuple(records[place].text for place in places)
    counts: Counter[str] = Counter()
    for place, text, marks in zip(places, texts, marks_of_learned(stamp, rule, texts, tokenization), strict=True):
        gold, former = effect.now.gold[place] or (), effect.before.predictions[place]
        wrong = [span for span in effect.now.predictions[place] if span not in gold and span not in former]
        inside = [(start, end) for start, end in marks if any(one.start < end and start < one.end for one in wrong)]
        counts.update({word_form(text[start:end], lowercase=tokenization.lowercase) for start, end in inside})
    heavier = max(weights.values(), default=0.0) + 1
    return {**weights, **{word: heavier * count + weights.get(word, 0.0) for word, count in counts.items()}}


def words_of_learned(
    stamp: str, rule: ChangedRule, texts: tuple[str, ...], tokenization: Tokenization
) -> list[frozenset[str]]:
    """For each text the words that `marks_of_learned` marks, as rules have them."""
    marks, lowercase = marks_of_learned(stamp, rule, texts, tokenization), tokenization.lowercase
    return [
        frozenset(word_form(text[start:end], lowercase=lowercase) for start, end in own)
        for text, own in zip(texts, marks, strict=True)
    ]


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
