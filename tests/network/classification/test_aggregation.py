"""The two linear layers decide as the label logic does; without activation only where clauses do not overlap."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from support.networks.machine_samples import published_machines
from support.networks.small_system import small_corpus, small_system
from support.rules.logic_strategies import FIRED, logics
from support.rules.logic_strategies import RULES as NAMES

from re2nn_core.errors import InputError
from re2nn_core.network.classification import aggregation
from re2nn_core.network.classification.aggregation import AggregationLayers
from re2nn_core.network.classification.bundle import Bundle, load_bundle, save_bundle
from re2nn_core.network.classification.soft_logic import DEFAULT_SCORE, label_scores, with_priorities
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.network.model_folder import DESCRIPTION
from re2nn_core.rules.logic.label_logic import LabelLogic, decide_all, parse_formula
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.text.tokenization import words_of_all
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import EncodedExamples
from re2nn_core.training.loop import train_network

LAYERS: dict[str, Any] = {"aggregation": "layers"}
TRAINED: dict[str, Any] = {**LAYERS, "train_aggregation": True}
LINEAR: dict[str, Any] = {**LAYERS, "aggregation_activation": False}


def layers_of(logic: LabelLogic, names: tuple[str, ...] = NAMES, **chosen: Any) -> AggregationLayers:
    return AggregationLayers(logic, names, NetworkConfig(**{**LAYERS, **chosen}))


def logic_of(*texts: str) -> LabelLogic:
    """Labels a, b ... with these formulas over NAMES."""
    return LabelLogic(tuple("abcdef"[: len(texts)]), tuple(parse_formula(text, NAMES)[0] for text in texts))


def predictions(logic: LabelLogic, layers: AggregationLayers, matched: np.ndarray) -> list[int]:
    values = with_priorities(logic, layers(torch.from_numpy(matched.astype(np.float32)))).detach().numpy()
    best = values.argmax(1)
    if logic.default is None:
        best[values.max(1) < DEFAULT_SCORE] = -1
    return best.tolist()


@settings(max_examples=150, deadline=None)
@given(logics())
def test_layers_decide_as_the_label_logic(logic: LabelLogic) -> None:
    layers = layers_of(logic)
    assert predictions(logic, layers, FIRED) == decide_all(logic, NAMES, FIRED).tolist()
    scores = torch.from_numpy(FIRED.astype(np.float32))
    assert torch.equal(with_priorities(logic, layers(scores)), label_scores(logic, NAMES, scores, 0.1))


def test_soft_scores_of_plain_clauses_are_those_of_the_logic() -> None:
    """Where no part is inside another, the layers compute table 2's operations on any scores."""
    logic = logic_of("r | s | t", "r & !s", "!u")
    scores = torch.rand(50, len(NAMES), generator=torch.Generator().manual_seed(0))
    assert torch.allclose(layers_of(logic)(scores), label_scores(logic, NAMES, scores, 0.1), atol=1e-6)


def test_weights_say_which_rules_a_clause_needs() -> None:
    names = tuple("rstuvw")
    formulas = [parse_formula(text, names)[0] for text in ("(r & !s & t) | !u", "(r | !s) & (t | u) & (v | w)")]
    layers = layers_of(LabelLogic(("either", "all"), tuple(formulas)), names)
    assert layers.clause_weights.tolist() == [
        [0, 0, 0, -1, 0, 0],
        [1, -1, 1, 0, 0, 0],
        [1, -1, 0, 0, 0, 0],
        [0, 0, 1, 1, 0, 0],
        [0, 0, 0, 0, 1, 1],
    ]
    assert layers.clause_bias.tolist() == [1, -1, 1, 0, 0]  # a disjunction's is its count of negated literals
    assert layers.label_weights.tolist() == [[1, 1, 0, 0, 0], [0, 0, 1, 1, 1]]
    assert layers.label_bias.tolist() == [0, -2]


def test_without_activation_rules_that_overlap_count_twice() -> None:
    logic = logic_of("r | s", "t & u")
    linear = layers_of(logic, aggregation_activation=False)
    matched = torch.tensor([[1.0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]])
    assert linear(matched).tolist() == [[1, -1], [2, -1], [0, 1], [0, -1]]
    assert layers_of(logic)(matched).tolist() == [[1, 0], [1, 0], [0, 1], [0, 0]]


@pytest.mark.parametrize("mode", ["rule", "label"])
@pytest.mark.parametrize("name", ["atis.rules.v0.config", "trec.rules.old.config", "sms.rules.config"])
def test_published_rule_sets(name: str, mode: str) -> None:
    """Under priorities from each label to the next and a default label, on random sets of machines that accept."""
    machines, _ = published_machines(name, "label" if mode == "label" else "rule")
    labels = machines.logic.labels
    pairs = tuple(zip(labels[::2], labels[1::2], strict=False))
    logic = LabelLogic(labels, machines.logic.formulas, pairs, labels[-1])
    matched = np.random.default_rng(0).random((2000, len(machines.names))) < 0.1
    wanted = decide_all(logic, machines.names, matched)
    assert predictions(logic, layers_of(logic, machines.names), matched) == wanted.tolist()
    linear = predictions(logic, layers_of(logic, machines.names, aggregation_activation=False), matched)
    # In ATIS only the first label has two rules, and it is before all others in the order anyway.
    assert (linear == wanted).all() == (mode == "label" or name.startswith("atis"))


@pytest.mark.parametrize("chosen", [LAYERS, TRAINED, {**TRAINED, "aggregation_activation": False}], ids=str)
def test_the_untrained_network_predicts_as_its_rules(chosen: dict[str, Any]) -> None:
    system = small_system(logic='default = "travel"\nlogic = ["(go | to_city) & !price -> travel"]')
    bundle = untrained(system, small_corpus().texts, NetworkConfig(vectors="none", **chosen))
    assert predict(bundle, small_corpus().texts).predictions == system.predictions(small_corpus().texts)


def test_an_exploding_label_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aggregation, "CLAUSE_BUDGET", 3)
    with pytest.raises(InputError) as caught:
        layers_of(logic_of("r | s", "t | u"))
    assert str(caught.value) == (
        "With the label 'b' the label logic takes more than 3 clauses in normal form, the most that the aggregation "
        "'layers' may have.\nSet aggregation to 'logic', which computes every formula as it is written."
    )
    assert len(layers_of(logic_of("r | s", "t & u")).units) == 3


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"aggregation": "mlp"}, "aggregation must be 'logic' or 'layers' (got 'mlp')"),
        ({"train_aggregation": True}, "train_aggregation = True needs aggregation 'layers' (got 'logic', which"),
        ({"aggregation_activation": False}, "aggregation_activation = False needs aggregation 'layers' (got 'logic'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(chosen: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        NetworkConfig(**chosen)
    assert str(caught.value).startswith(message)


def bundle_of(chosen: dict[str, Any]) -> Bundle:
    return untrained(small_system(), small_corpus().texts, NetworkConfig(vectors="none", dropout=0.0, **chosen))


def examples(bundle: Bundle, split: str) -> EncodedExamples:
    corpus = small_corpus().of_split(split)
    codes = [bundle.vocabulary.encode(sentence) for sentence in words_of_all(corpus.texts, bundle.tokenization)]
    return EncodedExamples(codes, [bundle.logic.labels.index(example.label) for example in corpus])


def train(bundle: Bundle, **rates: float) -> None:
    config = TrainConfig(device="cpu", epochs=8, batch_size=8, **rates)
    train_network(bundle.network, examples(bundle, "train"), examples(bundle, "dev"), config)


def test_only_trained_layers_are_parameters() -> None:
    fixed, trained = bundle_of(LAYERS).network, bundle_of(TRAINED).network
    plain = set(bundle_of({}).network.state_dict())
    assert set(fixed.state_dict()) == plain
    new = {f"layers.{name}" for name in ("clause_weights", "clause_bias", "label_weights", "label_bias")}
    assert set(trained.state_dict()) - plain == new
    assert {name for name, parameter in trained.named_parameters() if parameter.requires_grad} >= new


def layer_values(bundle: Bundle) -> list[torch.Tensor]:
    return [value.detach().clone() for value in bundle.network.layers.parameters()]


def test_layers_learn_at_the_rate_of_the_head_and_rest_at_none() -> None:
    resting, learning = bundle_of(TRAINED), bundle_of(TRAINED)
    before = layer_values(resting)
    train(resting, head_learning_rate=0.0, learning_rate=0.01)
    assert all(torch.equal(a, b) for a, b in zip(before, layer_values(resting), strict=True))
    train(learning, head_learning_rate=0.01, learning_rate=0.0)
    assert all(not torch.equal(a, b) for a, b in zip(before, layer_values(learning), strict=True))


def test_a_bundle_keeps_trained_layers(tmp_path: Path) -> None:
    bundle = bundle_of({**TRAINED, "aggregation_activation": False})
    train(bundle, head_learning_rate=0.01)
    save_bundle(tmp_path, bundle)
    loaded = load_bundle(tmp_path)
    assert loaded.config == bundle.config
    texts = small_corpus().texts
    assert np.array_equal(predict(loaded, texts).label_scores, predict(bundle, texts).label_scores)


def test_a_bundle_from_before_these_settings_opens(tmp_path: Path) -> None:
    save_bundle(tmp_path, bundle_of({}))
    description = json.loads((tmp_path / DESCRIPTION).read_text(encoding="utf-8"))
    for name in ("aggregation", "aggregation_activation", "train_aggregation"):
        del description["config"][name]
    (tmp_path / DESCRIPTION).write_text(json.dumps(description), encoding="utf-8")
    assert load_bundle(tmp_path).config == bundle_of({}).config


def test_random_weights_take_the_place_of_the_logic_only_where_layers_are_trained() -> None:
    given = layers_of(logic_of("r | s", "t")).clause_weights
    random = layers_of(logic_of("r | s", "t"), initial="random", train_aggregation=True).clause_weights
    assert torch.equal(layers_of(logic_of("r | s", "t"), initial="random").clause_weights, given)
    assert random.shape == given.shape
    assert not torch.equal(random, given)
