"""Rules for groups of texts that have no label."""

from __future__ import annotations

import numpy as np
import pytest

from re2nn_core.proposals import text_groups
from re2nn_core.proposals.text_groups import find_groups


def test_a_rule_of_a_group_has_the_phrases_of_one_subject_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """`( say | phone | 401k | meeting )` was the rule of one group, whose texts had nothing in common."""
    cards = [f"card {verb} x{n}" for n in range(8) for verb in ("lost", "stolen")]
    meetings = [f"meeting room y{n}" for n in range(6)]
    others = [f"weather in z{n} {word}" for n in range(12) for word in ("today", "tomorrow")]
    sentences = [text.split() for text in (*cards, *meetings, *others)]
    group = np.asarray([0] * (len(cards) + len(meetings)) + [1] * len(others), dtype=np.int64)
    monkeypatch.setattr(text_groups, "_groups", lambda _: group)
    monkeypatch.setattr(text_groups, "_LARGEST", 1.0)
    found = find_groups(sentences, np.arange(len(sentences), dtype=np.int64) % 10, most=5)
    words = {rule.label: {word for phrase in rule.phrases for word in phrase} for rule in found}
    assert "card" in words[0]
    assert not {"meeting", "room"} & words[0]
    assert "weather" in words[1]
