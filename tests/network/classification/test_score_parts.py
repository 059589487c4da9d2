"""The parts of label scores add up to the network's scores, and say what they should where that is plain."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from support.networks.small_system import LOGIC, RULES
from support.rules.logic_strategies import logics

from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.classification.score_parts import ScoreParts, logic_layers, score_parts, shares
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.recurrence.batching import make_batch
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import build_vocabulary

WORDS = ["how", "much", "is", "the", "flight", "to", "boston", "fly", "price", "planes"]
FORMS: tuple[dict[str, object], ...] = (
    {},
    {"machines": "label"},
    {"bidirectional": True},
    {"cell": "gru"},
    {"scoring": "viterbi"},
    {"decomposed": False},
    {"extra_states": 2},
    {"extra_states": 2, "block_diagonal": False},
    {"state_head": False},
    {"aggregation": "layers", "train_aggregation": True},
    {"aggregation": "layers", "aggregation_activation": False},
    {"aggregation": "layers", "train_aggregation": True, "initial": "random"},
    {"rank": 3},
    {"auxiliary": "birnn", "auxiliary_states": 3},
)


def bundle_of(rules: str = RULES, logic: str = LOGIC, **chosen: object) -> Bundle:
    vocabulary = build_vocabulary([WORDS])
    config = NetworkConfig(**{"vectors": "none", "dropout": 0.0, **chosen})
    vectors = np.eye(len(vocabulary), 4, dtype=np.float32) if config.auxiliary != "none" else None
    return build_bundle(rules, logic, Tokenization(), vocabulary, config, vectors, extra_labels=("other",))


def disturb(bundle: Bundle, seed: int) -> Bundle:
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in bundle.network.parameters():
            parameter += 0.2 * torch.randn(parameter.shape, generator=random)
    return bundle


def parts_of(bundle: Bundle, text: str) -> ScoreParts:
    codes = bundle.vocabulary.encode(text.split())
    return score_parts(bundle.network, make_batch([codes], bundle.network.device))


@pytest.mark.parametrize("form", FORMS, ids=str)
@settings(max_examples=12, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=7), seed=st.integers(0, 1000))
def test_parts_add_up_to_the_scores(form: dict[str, object], words: list[str], seed: int) -> None:
    bundle = disturb(bundle_of(**form), seed)
    parts = parts_of(bundle, " ".join(words))
    assert parts.total == pytest.approx(parts.scores, abs=2e-5)
    with torch.no_grad():
        logits = bundle.network(make_batch([bundle.vocabulary.encode(words)], bundle.network.device))[0].numpy()
    assert parts.scores * bundle.config.logit_scale == pytest.approx(logits, abs=1e-4)


@settings(max_examples=30, deadline=None)
@given(logics(), st.data())
def test_shares_are_the_integral_of_the_slopes(logic: object, data: st.DataObject) -> None:
    """Against the plain sum over many small steps."""
    from re2nn_core.network.classification.score_parts import _of_units, _slopes
    from re2nn_core.network.classification.soft_units import SoftUnits

    names = logic.rules or ("r",)
    layers = _of_units(SoftUnits(logic, tuple(names)))
    scores = np.array(data.draw(st.lists(st.floats(0, 1), min_size=len(names), max_size=len(names))))
    added, _ = shares(layers, scores)
    steps = 500
    slow = sum(scores[:, None] * _slopes(layers, (n + 0.5) / steps * scores) / steps for n in range(steps))
    assert added == pytest.approx(slow, abs=2e-2)


def test_two_rules_that_say_the_same_share_it() -> None:
    parts = parts_of(bundle_of(), "how much is the price")
    names, labels = bundle_of().network.names, bundle_of().network.logic.labels
    added = dict(zip(names, parts.by_logic[:, labels.index("money")], strict=True))
    assert added == pytest.approx({"go": 0, "to_city": 0, "price": 0.5, "much": 0.5})


def test_a_label_that_is_beaten_loses_what_the_stronger_one_has() -> None:
    bundle = bundle_of(logic='priorities = ["money > travel"]\n')
    parts = parts_of(bundle, "price of a flight")
    travel = bundle.network.logic.labels.index("travel")
    added = dict(zip(bundle.network.names, parts.by_logic[:, travel], strict=True))
    assert added == pytest.approx({"go": 1, "to_city": 0, "price": -1, "much": 0})
    assert parts.scores[travel] == pytest.approx(0)


def test_what_the_logic_says_without_any_rule_stands_apart() -> None:
    parts = parts_of(bundle_of(), "planes")
    assert parts.logic == pytest.approx([0.5, 0, 0])
    assert parts.by_machine == pytest.approx(np.zeros_like(parts.by_machine))


def test_bias_and_extra_states_stand_outside_the_rules() -> None:
    bundle = bundle_of()
    with torch.no_grad():
        bundle.network.bias += torch.tensor([0.25, 0.0, -0.5])
    parts = parts_of(bundle, "how much")
    assert parts.outside == pytest.approx([0.25, 0.0, -0.5])
    assert logic_layers(bundle.network).layers
