"""What is known of learned words, so that similar ones are listed as one group: worked out once for a run."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages._compare.reconstructed.shared import Comparison
from re2nn_core.errors import ModelError
from re2nn_core.services.rule_review.known_words import Network, known_words
from re2nn_core.services.values.stored import RunRecord
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.text.word_groups import NOTHING_KNOWN, WordKnowledge


def words_known(compared: Comparison, network_of: Callable[[RunRecord], Network]) -> WordKnowledge:
    """By the run's network, the texts and the classes of the written rules; nothing where the network cannot be read,
    which other parts of the page report."""
    return _known(compared.run.id, compared.trained_on, len(compared.records), compared, network_of)


@st.cache_resource(show_spinner=False, max_entries=8)
def _known(
    run: int, rules: str, texts: int, _compared: Comparison, _network_of: Callable[[RunRecord], Network]
) -> WordKnowledge:
    try:
        network = _network_of(_compared.run)
    except ModelError:
        return NOTHING_KNOWN
    original = _compared.original
    sentences = words_of_all([record.text for record in _compared.records], original.tokenization)
    return known_words(network, sentences, original.ruleset)
