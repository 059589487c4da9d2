"""Rules added to a trained network, switched off in it and on again: all other scores stay, and new rules work at
once."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from support.networks.small_system import small_corpus, small_system

from re2nn_core.errors import InputError, LogicError, NotFoundError, RuleError
from re2nn_core.network.classification.bundle import Bundle, load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.rule_patching import (
    EditedModel,
    Edits,
    add_rules,
    check_edit,
    disable_rule,
    enable_rule,
    unedited,
    with_edits,
)
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.services.rule_systems.added_rules import Addition
from re2nn_core.training.config import TrainConfig

TEXTS = (*small_corpus().texts, "my bags are lost", "a lost word 77 !")
QUICK = TrainConfig(device="cpu", epochs=6, batch_size=8, learning_rate=0.01, l2_to_initial=1e-4)


@pytest.fixture(scope="module", params=[{}, {"bidirectional": True, "extra_states": 3, "auxiliary": "birnn"}], ids=str)
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    config = NetworkConfig(vectors="builtin", train_words=True, **request.param)
    folder = tmp_path_factory.mktemp("model")
    train_system(small_system(), small_corpus(), config, QUICK, folder=folder)
    return load_bundle(folder)


def exact(logic: str = "") -> EditedModel:
    """The untrained network of the small system as a model without edits."""
    system = small_system(logic=logic) if logic else small_system()
    return unedited(untrained(system, TEXTS))


def prediction(model: EditedModel, text: str) -> str | None:
    return predict(model.bundle, [text]).predictions[0]


def test_an_added_rule_works_and_changes_no_other_score(trained: Bundle):
    model = unedited(trained)
    edited = add_rules(model, Addition("[baggage]\nlost := $* lost $*\n"))
    check = check_edit(model, edited, TEXTS)
    assert (check.added, check.disabled, check.enabled) == (("lost",), (), ())
    assert set(check.untouched) == {rule.name for rule in trained.ruleset.rules}
    assert check.same_weights
    assert check.max_difference < 1e-6
    assert edited.added == {"lost"}
    found = predict(edited.bundle, TEXTS)
    matched = found.machine_scores[:, found.machines.index("lost")]
    assert np.array_equal(matched, [float("lost" in text.split()) for text in TEXTS])


def test_where_blocks_are_disjoint_every_score_is_bit_equal():
    model = exact()
    edited = disable_rule(add_rules(model, Addition("[baggage]\nlost := $* lost $*\n")), "go")
    check = check_edit(model, edited, TEXTS)
    assert (check.bit_equal, check.max_difference) == (True, 0.0)
    assert check.untouched == ("to_city", "price", "much")


def test_a_touched_weight_is_noticed(trained: Bundle):
    model = unedited(trained)
    edited = disable_rule(model, "go")
    with torch.no_grad():
        edited.bundle.network.reader.wildcard[0, 0] += 1e-6
    assert not check_edit(model, edited, TEXTS).same_weights


def test_a_rule_added_to_a_known_label_is_one_more_way_to_it():
    model = exact()
    edited = add_rules(model, Addition("[money]\n$* cost $*\n"))
    assert (prediction(model, "the cost of it"), prediction(edited, "the cost of it")) == ("travel", "money")
    check = check_edit(model, edited, TEXTS)
    assert check.added == ("money.3",)
    assert check.changed_predictions == tuple(i for i, text in enumerate(TEXTS) if "cost" in text.split())


def test_added_rules_bring_their_label_logic():
    rules = "[pets]\npet := $* ( dog | cat ) $*\nhot := $* hot $*\n"
    logic = 'priorities = ["pets > money"]\nlogic = ["pet & !hot & !go -> pets"]\n'
    edited = add_rules(exact(), Addition(rules, logic))
    texts = ("the price of a dog", "the price of a hot dog", "a flight for a dog", "how much")
    assert [prediction(edited, text) for text in texts] == ["pets", "money", "travel", "money"]


def test_a_formula_for_a_known_label_is_one_more_way_to_it():
    addition = Addition("[money]\ncost := $* cost $*\n", 'logic = ["cost & !go -> money"]')
    edited = add_rules(exact(), addition)
    texts = ("the cost of it", "the cost of a flight", "the price of a flight")
    assert [prediction(edited, text) for text in texts] == ["money", "travel", "money"]


def test_faults_of_the_label_logic_have_the_places_of_their_text():
    with pytest.raises(LogicError, match=r"new\.toml:1:.*there is no rule 'pett'") as caught:
        add_rules(exact(), Addition("[pets]\npet := $* dog $*\n", 'logic = ["pett -> pets"]'), logic_file="new.toml")
    assert [fault.line for fault in caught.value.faults] == [1]


def test_priorities_that_contradict_the_models_own_are_refused():
    with pytest.raises(InputError, match="form a cycle with those of the model: travel > money > travel"):
        add_rules(exact(), Addition("[pets]\n$* dog $*\n", 'priorities = ["travel > money"]'))


def test_logic_that_would_silence_what_was_learned_is_refused():
    with pytest.raises(InputError, match="'first' overrides labels that the network has learned"):
        add_rules(exact(), Addition("[pets]\ndog := $* dog $*\n", 'first = ["dog -> pets"]'))


def test_a_disabled_rule_is_gone_and_changes_no_other_score(trained: Bundle):
    model = unedited(trained)
    edited = disable_rule(model, "go")
    check = check_edit(model, edited, TEXTS)
    assert (check.added, check.disabled, check.same_weights) == ((), ("go",), True)
    assert check.max_difference < 1e-6
    assert "go" not in {rule.name for rule in edited.bundle.ruleset.rules}
    assert "go" in {rule.name for rule in edited.rules}


def test_a_rule_that_is_on_again_is_as_it_was_trained(trained: Bundle):
    model = unedited(trained)
    edited = add_rules(disable_rule(model, "go"), Addition("[money]\ncost := $* cost $*\n"))
    back = disable_rule(enable_rule(edited, "go"), "cost")
    check = check_edit(model, back, TEXTS)
    assert set(check.untouched) == {rule.name for rule in trained.ruleset.rules}
    assert check.same_weights
    assert check.max_difference < 1e-6
    assert check.changed_predictions == ()
    assert enable_rule(disable_rule(model, "go"), "go").bundle is trained


def test_names_of_added_rules_stay_when_others_are_off():
    edited = disable_rule(add_rules(exact(), Addition("[money]\n$* cost $*\n$* pay $*\n")), "money.3")
    assert [rule.name for rule in edited.bundle.ruleset.of_label("money")] == ["price", "much", "money.4"]
    assert add_rules(edited, Addition("[money]\n$* sum $*\n")).added == {"money.3", "money.4", "money.5"}


def test_a_rule_in_a_formula_is_taken_out_of_it():
    model = exact('logic = ["(go | to_city) & !price -> travel"]')
    edited = disable_rule(model, "price")
    assert (prediction(model, "price of a flight"), prediction(edited, "price of a flight")) == ("money", "travel")


def test_a_label_that_would_always_be_true_is_refused():
    with pytest.raises(InputError, match="Without 'price' the label 'travel' would be true for every text"):
        disable_rule(exact('logic = ["!price -> travel"]'), "price")


def test_one_rule_has_to_be_left():
    edits = Edits(disabled=("go", "to_city", "price", "much"))
    with pytest.raises(InputError, match="Without 'go', 'to_city', 'price', 'much' no rule would be left"):
        with_edits(exact().origin, edits)


def test_an_unknown_rule_is_told_with_the_nearest():
    with pytest.raises(NotFoundError, match="The model has no rule 'pricee'.*price"):
        disable_rule(exact(), "pricee")


def test_switching_twice_is_refused():
    off = disable_rule(exact(), "price")
    with pytest.raises(InputError, match="The rule 'price' is off already"):
        disable_rule(off, "price")
    with pytest.raises(NotFoundError, match="no rule 'go' that is off. Off are: price"):
        enable_rule(off, "go")


@pytest.mark.parametrize(
    ("rules", "line", "words"),
    [
        ("[money]\n$* ( cost $*\n", 2, "'\\(' is never closed"),
        ("\n$* cost $*\n", 2, "is above the first section"),
        ("[money]\nprice := $* cost $*\n", 2, "taken by the rule in line 5 of the model's rules"),
        ("[money]\na := $* cost $*\na := $* sum $*\n", 3, "taken by the rule in line 2$"),
    ],
)
def test_faults_have_the_lines_of_the_new_text(rules: str, line: int, words: str):
    with pytest.raises(RuleError) as caught:
        add_rules(exact(), Addition(rules), rules_file="new.txt")
    [fault] = caught.value.faults
    assert (fault.line, fault.file) == (line, "new.txt")
    assert re.search(words, fault.message)


def test_new_rules_may_use_the_models_word_classes():
    system = small_system(rules="@sum@=( cost | price \\\n | fare )\n[travel]\ngo := $* flight $*\n", logic="")
    edited = add_rules(unedited(untrained(system, TEXTS)), Addition("[money]\n$* @sum@ $*\n"))
    assert [prediction(edited, text) for text in ("the cost", "the fare", "a flight")] == ["money", "money", "travel"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"machines": "label"}, "trained with Automata: label, so its rules have no separate blocks"),
        (
            {"block_diagonal": False, "rank": 3},
            "trained with Block-diagonal: off, Rank: 3, so its rules have no separate blocks",
        ),
        ({"initial": "random"}, "trained with Initialise from: random, so a new rule would not begin as it is written"),
    ],
)
def test_a_network_that_cannot_take_rules_in_is_refused(settings: dict[str, object], words: str):
    config = replace(NetworkConfig(vectors="none", dropout=0.0), **settings)
    model = unedited(untrained(small_system(), TEXTS, config))
    with pytest.raises(InputError, match=words):
        add_rules(model, Addition("[money]\n$* cost $*\n"))
