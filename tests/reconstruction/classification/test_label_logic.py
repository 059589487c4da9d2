"""Trained aggregation layers are rounded to formulas where they are near to some, and kept as written elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from support.networks.small_system import small_corpus, small_system
from support.rules.logic_strategies import FIRED, RULES, logics

from re2nn_core.network.classification.aggregation import AggregationLayers
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.reconstruction.classification.label_logic import formulas_of, rounded_logic
from re2nn_core.rules.logic.label_logic import NEVER, LabelLogic, decide_all, print_formula
from re2nn_core.services.prediction.classification.predictor import untrained
from re2nn_core.services.rule_reconstruction.classification.reconstruction import reconstruct
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

TRAINED = NetworkConfig(vectors="none", dropout=0.0, aggregation="layers", train_aggregation=True)


def bundle() -> Bundle:
    """Machines go, to_city, price, much; labels travel (go | to_city), money (price | much)."""
    return untrained(small_system(), small_corpus().texts, TRAINED)


@settings(max_examples=50, deadline=None)
@given(logics())
def test_untrained_layers_round_to_what_was_written(logic: LabelLogic) -> None:
    read = formulas_of(AggregationLayers(logic, RULES, TRAINED), RULES)
    formulas = [NEVER if found is None else found for found in read.values()]
    # A label that is true whatever the rules do has no formula.
    always = [label for label, found in read.items() if found is None]
    alone = [LabelLogic((label,), (f,)) for label, f in zip(logic.labels, logic.formulas, strict=True)]
    again = [LabelLogic((label,), (f,)) for label, f in zip(logic.labels, formulas, strict=True)]
    for old, new in zip(alone, again, strict=True):
        wanted = decide_all(old, RULES, FIRED).tolist()
        if old.labels[0] in always:
            assert wanted == [0] * len(FIRED)
        else:
            assert decide_all(new, RULES, FIRED).tolist() == wanted


def round_after(
    clause: tuple[int, Sequence[float], float] | None = None, label: tuple[int, Sequence[float], float] | None = None
) -> tuple[dict[str, str], tuple[str, ...], tuple[str, ...]]:
    """The formulas as text, what changed and what is unclear, with one row of each layer set by hand."""
    made = bundle()
    layers = made.network.layers
    with torch.no_grad():
        if clause is not None:
            layers.clause_weights[clause[0]], layers.clause_bias[clause[0]] = torch.tensor(clause[1]), clause[2]
        if label is not None:
            layers.label_weights[label[0]], layers.label_bias[label[0]] = torch.tensor(label[1]), label[2]
    found = rounded_logic(made.network, made.machines.logic)
    texts = {name: print_formula(f) for name, f in zip(found.logic.labels, found.logic.formulas, strict=True)}
    return texts, found.changed, found.unclear


@pytest.mark.parametrize(
    ("clause", "label", "travel"),
    [
        ((0, [0.8, 0.2, -0.1, 0.0], 0.1), None, "go | to_city"),
        ((0, [1.1, 0.0, -0.9, 0.1], -0.1), None, "go & !price | to_city"),
        ((0, [1.1, 0.0, -0.9, 0.1], 0.9), None, "go | !price | to_city"),
        (None, (0, [1.0, 1.0, -0.8, 0.0], -1.1), "go & to_city & !price"),
        (None, (0, [0.0, 1.0, 0.0, 0.0], 0.0), "to_city"),
    ],
)
def test_clear_weights_make_a_formula(
    clause: tuple[int, Sequence[float], float] | None, label: tuple[int, Sequence[float], float] | None, travel: str
) -> None:
    texts, changed, unclear = round_after(clause, label)
    assert texts == {"travel": travel, "money": "price | much"}
    assert (changed, unclear) == (() if travel == "go | to_city" else ("travel",), ())


@pytest.mark.parametrize(
    ("clause", "label"),
    [
        ((0, [0.6, 0.0, 0.0, 0.0], 0.0), None),  # neither there nor not
        ((0, [1.0, 0.0, 0.0, 0.0], 0.5), None),  # a bias of no clause
        ((0, [1.0, 1.0, 1.0, 0.0], -1.0), None),  # two of three
        (None, (0, [0.0, 0.0, 0.0, 0.0], 0.0)),  # never: cannot be written beside the label's rules
        (None, (0, [0.0, 0.0, 0.0, 0.0], 1.0)),  # always
    ],
)
def test_other_weights_keep_the_written_logic(
    clause: tuple[int, Sequence[float], float] | None, label: tuple[int, Sequence[float], float] | None
) -> None:
    texts, changed, unclear = round_after(clause, label)
    assert texts == {"travel": "go | to_city", "money": "price | much"}
    assert (changed, unclear) == ((), ("travel",))


def corpus_of(*texts: tuple[str, str]) -> Corpus:
    return Corpus(tuple(Example(text, label, split) for text, label in texts for split in ("train", "dev")))


@pytest.mark.parametrize("right", ["travel", "money"])
def test_logic_is_read_back_where_it_helps(right: str) -> None:
    """The layers have learned that a flight with a price is travel: read back where the texts say so too."""
    system = small_system(logic='default = "travel"\nlabels = ["money", "travel"]')
    made = untrained(system, small_corpus().texts, TRAINED)
    with torch.no_grad():
        place = made.network.layers.labels.index("money")
        clause = int(made.network.layers.label_weights[place].argmax())
        made.network.layers.clause_weights[clause, made.network.names.index("go")] = -1
    corpus = corpus_of(
        ("the price of a flight", right), ("flight price", right), ("price", "money"), ("flight", "travel")
    )
    found = reconstruct(made, corpus)
    again, _ = read_system(found.rules_text, found.logic_text, Tokenization())
    assert again.predictions(["flight price", "price", "how much", "flight"]) == [right, "money", "money", "travel"]
    said = "The label logic of money was reconstructed from the trained layers."
    assert (found.new_logic, found.logic_in_words) == ((("money",), said) if right == "travel" else ((), ""))


def test_logic_that_changes_no_prediction_is_not_read_back() -> None:
    made = bundle()
    with torch.no_grad():
        made.network.layers.clause_weights[0, made.network.names.index("much")] = -1
    assert rounded_logic(made.network, made.machines.logic).changed == ("travel",)
    found = reconstruct(made, corpus_of(("how much", "money"), ("a flight", "travel"), ("price", "money")))
    assert (found.new_logic, found.unclear_logic, found.logic_in_words) == ((), (), "")


def test_labels_without_a_formula_are_named() -> None:
    made = bundle()
    with torch.no_grad():
        made.network.layers.clause_weights += 0.5
    found = reconstruct(made, small_corpus())
    assert found.unclear_logic == ("travel", "money")
    assert found.logic_in_words == "The trained layers of travel, money are no formula; that logic stays as written."
    assert found.changed == 0
