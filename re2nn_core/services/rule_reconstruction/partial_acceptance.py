"""A learned change of which some was accepted already: whether the rest can be taken over.

Edits are accepted one by one, so the rule of the newest version may stand between the written one and the one that was
read back. Where that is proved on the machines, to take the whole change over loses nothing that anybody has written:
what the rule reads is written or learned, and what both read it reads still.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from re2nn_core.errors import StateBudgetError
from re2nn_core.reconstruction.classification.edit_proofs import (
    SENTENCES,
    AnyLanguage,
    is_partial_change,
    tagged_sentences,
)
from re2nn_core.rules.tagging import has_slots
from re2nn_core.rules.tree import Node

ChangeStatus = Literal["there", "begun", "other", "unknown"]


@lru_cache(maxsize=512)
def change_status(written: Node, learned: Node, now: Node, known_slots: tuple[str, ...] = ()) -> ChangeStatus:
    """How a rule that was edited stands to its change (trees with classes put in): "there" where it reads what the
    learned one reads, however it is written, "begun" where it has a part of the change and nothing else, "unknown"
    where the machines are too large to prove that. `known_slots`: how the data spell slots."""
    language = _language((written, learned, now), known_slots)
    try:
        if is_partial_change(language, learned, learned, now):
            return "there"
        found = is_partial_change(language, written, learned, now)
    except StateBudgetError:  # too many places to be made a machine
        found = None
    return "unknown" if found is None else "begun" if found else "other"


def _language(trees: Sequence[Node], known_slots: tuple[str, ...]) -> AnyLanguage:
    """Sentences, with the tags of their words where a rule marks any."""
    return tagged_sentences(known_slots) if any(map(has_slots, trees)) else SENTENCES
