"""Trained aggregation layers under rules that are added and taken out: other labels' scores stay what they were."""

from __future__ import annotations

import pytest
import torch
from support.networks.small_system import RULES, small_corpus, small_system

from re2nn_core.network.classification.aggregation import AggregationLayers
from re2nn_core.network.classification.carry_layers import carry_layers, same_form
from re2nn_core.network.classification.transplant import restarted_labels, transplant
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.rules.logic.label_logic import NEVER, LabelLogic, parse_formula
from re2nn_core.services.prediction.classification.predictor import untrained

TRAINED = NetworkConfig(aggregation="layers", train_aggregation=True)
REST = "(t | u) & (v | w) & (p | q)"
LARGE = f"(r | !s) & {REST}"  # joined by "and", and so is what is left of it


def layers_of(names: str, *texts: str) -> AggregationLayers:
    """Labels a, b ... with these formulas over one-letter names."""
    formulas = tuple(parse_formula(text, tuple(names))[0] if text else NEVER for text in texts)
    return AggregationLayers(LabelLogic(tuple("abcdef"[: len(texts)]), formulas), tuple(names), TRAINED)


def disturbed(layers: AggregationLayers, *, but: str = "") -> AggregationLayers:
    """With noise on every weight, as if trained, but for the units of one rule's clauses."""
    random = torch.Generator().manual_seed(3)
    rows = [place for place, unit in enumerate(layers.units) if not {*but} & {*unit.clause.plain, *unit.clause.negated}]
    with torch.no_grad():
        for name, value in layers.named_parameters():
            noise = 0.2 * torch.randn(value.shape, generator=random)
            if name.startswith("clause"):
                value[rows] += noise[rows]
            else:
                value += noise
    return layers


def carried(after: AggregationLayers, new: str, before: AggregationLayers, old: str) -> AggregationLayers:
    """The new layers with what fits of the old ones; `new` and `old` are the machines' names."""
    kept = tuple(name for name in new if name in old)
    machines = (torch.tensor([new.index(n) for n in kept]), torch.tensor([old.index(n) for n in kept]))
    both = [label for label in after.labels if label in before.labels]
    labels = tuple(torch.tensor([layers.labels.index(label) for label in both]) for layers in (after, before))
    with torch.no_grad():
        carry_layers(after, before, kept, machines, labels)
    return after


def scores(layers: AggregationLayers, names: str, *, without: str = "") -> torch.Tensor:
    """[200, labels] for the same random rules that accept, whatever their order; `without` never does."""
    random = torch.rand(200, 26, generator=torch.Generator().manual_seed(1)).round()
    random[:, [ord(name) - ord("a") for name in without]] = 0
    return layers(random[:, [ord(name) - ord("a") for name in names]]).detach()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("r | s", "t & !u", ""), ("r | s | x", "t & !u", "")),
        (("r | s", "t & !u", ""), ("r | s", "t & !u", "x")),
        (("r | s", "t & !u", ""), ("r | s", "t & !u", "", "x")),
        (("r | s", LARGE, "!t"), ("r | s", LARGE + " | x", "!t")),
    ],
    ids=str,
)
def test_an_added_rule_that_does_not_accept_changes_nothing(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    before = disturbed(layers_of("pqrstuvw", *old))
    after = carried(layers_of("xwvutsrqp", *new), "xwvutsrqp", before, "pqrstuvw")
    was, now = scores(before, "pqrstuvw"), scores(after, "xwvutsrqp", without="x")
    assert torch.allclose(now[:, : len(old)], was, atol=1e-5)
    assert not torch.allclose(layers_of("pqrstuvw", *old)(torch.rand(9, 8)), before(torch.rand(9, 8)))


def test_an_added_rule_works_at_once() -> None:
    after = carried(layers_of("rsx", "r | s", "x"), "rsx", layers_of("rs", "r | s"), "rs")
    assert after(torch.tensor([[0.0, 0, 1], [1, 0, 0]])).tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("r | s", "t & !u"), ("r", "t & !u")),
        (("(r & !s) | (t & s)", "t & !u"), ("r", "t & !u")),
        (("r | s", LARGE), ("r", REST)),
        ((LARGE, f"(s | r) & {REST}"), (REST, f"r & {REST}")),
    ],
    ids=str,
)
def test_without_a_rule_scores_are_as_if_it_never_accepts(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    before = disturbed(layers_of("pqrstuvw", *old), but="s")
    after = layers_of("wvutrqp", *new)
    carried(after, "wvutrqp", before, "pqrstuvw")
    was, now = scores(before, "pqrstuvw", without="s"), scores(after, "wvutrqp")
    assert torch.allclose(now, was, atol=1e-5)


def test_a_label_with_other_clauses_starts_anew() -> None:
    before = disturbed(layers_of("rst", "r & s", "t"))
    after = carried(layers_of("rst", "r | s", "t"), "rst", before, "rst")
    assert [same_form(after, before, label, tuple("rst")) for label in "ab"] == [False, True]
    assert after.clause_weights[:2].tolist() == [[1, 0, 0], [0, 1, 0]]
    assert after.label_bias[0] == 0
    assert torch.equal(after.clause_weights[2], before.clause_weights[1])


def test_a_network_carries_its_layers_along() -> None:
    texts = small_corpus().texts
    config = NetworkConfig(vectors="none", dropout=0.0, aggregation="layers", train_aggregation=True)
    old = untrained(small_system(), texts, config)
    disturbed(old.network.layers)
    new = untrained(small_system(rules=RULES + "more := $* cost $*\n"), texts, config)
    transplant(old, new)
    assert torch.equal(new.network.layers.clause_weights[:4, :4], old.network.layers.clause_weights)
    assert new.network.layers.clause_weights[4].tolist() == [0, 0, 0, 0, 1]
    assert restarted_labels(old, new) == ()
    other = untrained(small_system(logic='logic = ["go & to_city -> travel"]'), texts, config)
    assert restarted_labels(old, other) == ("travel",)
