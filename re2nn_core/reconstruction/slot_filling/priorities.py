"""Priorities between slots, read off where rules contradict each other and one of them is right.

Where two rules claim a word for different slots, the tag with most votes is taken, of equals the one that is named
first. If another one ought to be, and is claimed too, its slot may have priority: `toloc > fromloc`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from re2nn_core.errors import LogicError
from re2nn_core.reconstruction.slot_filling.vote_table import Ballot
from re2nn_core.rules.logic.priorities import SlotLogic, read_slot_logic, write_slot_logic
from re2nn_core.rules.tagging import WILDCARD, slot_of
from re2nn_core.text.spans import OUTSIDE

Pair = tuple[str, str]
MIN_PRIORITY_GAIN = 4  # errors fewer, of all marked texts


def learn_priorities(ballot: Ballot) -> tuple[Pair, ...]:
    """Add priorities to the logic of a ballot, the one that gains most first, as long as one gains."""
    added: list[Pair] = []
    while (best := _best(ballot)) is not None:
        pair, logic = best
        added.append(pair)
        ballot.set_logic(logic)
    return tuple(added)


def _best(ballot: Ballot) -> tuple[Pair, SlotLogic] | None:
    """The priority that gains most, and the logic with it."""
    found: list[tuple[int, Pair, SlotLogic]] = []
    for pair, words in _contradictions(ballot).items():
        if pair in ballot.logic.priorities or words < MIN_PRIORITY_GAIN // 2:
            continue
        logic = replace(ballot.logic, priorities=(*ballot.logic.priorities, pair))
        if not _is_sound(logic, ballot.texts.tags):
            continue
        trial = ballot.logic_trial(logic)
        if trial is not None and trial.gain >= MIN_PRIORITY_GAIN and ballot.is_fine(trial):
            found.append((trial.gain, pair, logic))
    best = max(found, key=lambda item: item[0], default=None)
    return None if best is None else best[1:]


def _contradictions(ballot: Ballot) -> Counter[Pair]:
    """How many words of marked texts are given a tag of the second slot where the first is claimed, and is right."""
    texts = ballot.texts
    wrong = np.nonzero((ballot.predictions != texts.gold) & texts.labelled[texts.sentence])[0]
    claimed = wrong[ballot.votes[wrong, texts.gold[wrong]] > 0]
    pairs = zip(texts.gold[claimed].tolist(), ballot.predictions[claimed].tolist(), strict=True)
    names = [OUTSIDE if slot_of(tag) is None else str(slot_of(tag)) for tag in texts.tags]
    return Counter((names[gold], names[given]) for gold, given in pairs if names[gold] != names[given])


def _is_sound(logic: SlotLogic, tags: Sequence[str]) -> bool:
    """Whether the priorities run in no circle."""
    slots = [slot for tag in tags if tag != WILDCARD and (slot := slot_of(tag)) is not None]
    try:
        read_slot_logic(write_slot_logic(logic), list(dict.fromkeys(slots)))
    except LogicError:
        return False
    return True
