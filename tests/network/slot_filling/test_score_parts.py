"""The parts of tag scores add up to the tagger's scores in all its forms."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.tagger_samples import TRIP, TRIP_TEXTS, batch_of, disturbed, system_of, tagger_of, vocabulary_of

from re2nn_core.network.slot_filling.score_parts import tag_score_parts

FORMS: tuple[dict[str, object], ...] = (
    {},
    {"transducer": "ifst"},
    {"extra_states": 2, "block_diagonal": False},
    {"activation": "tanh"},
    {"cell": "gru"},
    {"decoding": "crf"},
    {"threshold": 0.9},
)
WORDS = sorted({word for text in TRIP_TEXTS for word in text} | {"7"})
LOGIC = 'priorities = ["goal > city", "date > O"]\nlongest = true\n'


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("logic", ["", LOGIC], ids=["plain", "priorities"])
@settings(max_examples=8, deadline=None)
@given(sentence=st.lists(st.sampled_from(WORDS), max_size=7).map(tuple), seed=st.integers(0, 1000))
def test_rules_and_what_is_known_beside_them_add_up(
    form: dict[str, object], logic: str, sentence: tuple[str, ...], seed: int
) -> None:
    system = system_of(TRIP, logic)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    network = disturbed(tagger_of(system, vocabulary, **form), seed=seed)
    batch = batch_of(vocabulary, [sentence])
    parts = tag_score_parts(network, batch)
    assert parts.total == pytest.approx(parts.logits, abs=1e-4)
    assert not parts.auxiliary.any()
    with torch.no_grad():
        assert parts.logits == pytest.approx(network(batch)[0].numpy()[: len(sentence)], abs=1e-5)


@pytest.mark.parametrize("apart", [False, True])
def test_the_layer_beside_the_rules_stands_apart(apart: bool) -> None:
    """What is left for it is what it says itself."""
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    network = disturbed(tagger_of(system, vocabulary, auxiliary="lstm", detached=apart, word_dropout=0.0, dropout=0.0))
    batch = batch_of(vocabulary, [TRIP_TEXTS[0]])
    said: list[np.ndarray] = []
    network.auxiliary.register_forward_hook(lambda *found: said.append(found[2].detach().numpy()))
    parts = tag_score_parts(network, batch)
    assert parts.auxiliary == pytest.approx(said[0], abs=1e-4)
    assert parts.total == pytest.approx(parts.logits, abs=1e-4)
    assert np.abs(parts.auxiliary).max() > 0.01


def test_untrained_votes_count_once_a_rule() -> None:
    system = system_of(TRIP)
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    network = tagger_of(system, vocabulary)
    parts = tag_score_parts(network, batch_of(vocabulary, [("to", "oslo")]))
    scale = network.config.logit_scale
    goal, city = network.tags.index("B-goal"), network.tags.index("B-city")
    assert parts.by_rule[:, 1, goal] == pytest.approx([0, scale, 0, 0])
    assert parts.by_rule[:, 1, city] == pytest.approx([0, 0, scale, 0])


def test_a_silenced_tag_loses_every_rules_vote() -> None:
    system = system_of(TRIP, 'priorities = ["goal > city"]\n')
    vocabulary = vocabulary_of(system, TRIP_TEXTS)
    network = tagger_of(system, vocabulary)
    parts = tag_score_parts(network, batch_of(vocabulary, [("to", "oslo")]))
    assert parts.by_rule[:, 1, network.tags.index("B-city")] == pytest.approx([0, 0, 0, 0])
