"""The words of a new rule for slots: where each stands, and in how many texts with it the rule has fewer errors, or
more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from pages._compare.chosen_rule import SlotRule
from pages._compare.drawing.union import stamp_of
from pages._compare.review.learned_marks import words_of_learned
from pages._shared.components.grid import height_of
from pages._shared.drawing.markup import html, section
from re2nn_core.services.rule_review.changed_rule import ChangedRule
from re2nn_core.services.rule_review.slot_places import words_around
from re2nn_core.services.values.rules import named_words

_MOST_ROWS = 12
_ABOUT = "Texts in which the rule has fewer or more errors than your rules, by the words that it matches there."


def draw_new_words(chosen: SlotRule) -> None:
    """A table, words of most texts with fewer errors in front."""
    trial, name = chosen.trial, chosen.change.name
    section("Words of the new rule", _ABOUT)
    if trial is None or name not in trial.held_out.effects:
        html('<div class="re2-muted">The rule could not be measured.</div>')
        return
    compared, moved = trial.taken, trial.held_out.effects[name].moved
    sets = compared.original.ruleset, compared.reconstructed.ruleset
    rule = ChangedRule(name, sets, learned=True, lowercase=chosen.project.tokenization.lowercase)
    stamp = stamp_of(compared.trained_on, compared.found.rules_text, name)

    def counted(places: Sequence[int]) -> Counter[str]:
        texts = tuple(compared.records[int(place)].text for place in places if int(place) < len(compared.records))
        return Counter(
            word for own in words_of_learned(stamp, rule, texts, chosen.project.tokenization) for word in own
        )

    fixed, broken = counted(moved.fixed), counted(moved.broken)
    around = words_around(rule.newest.expanded)
    words = sorted(named_words(rule.newest.expanded), key=lambda word: (-fixed[word], broken[word], word))
    columns = {
        "Word": words,
        "Place": [f"{around[word]} the slot" if word in around else "in the slot" for word in words],
        "Texts with fewer errors": [fixed[word] for word in words],
        "Texts with more errors": [broken[word] for word in words],
    }
    st.dataframe(columns, hide_index=True, height=height_of(len(words), _MOST_ROWS))
