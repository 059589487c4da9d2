"""Rules added to a trained network and taken out of it: all other scores stay, and the new rule works at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_system import small_corpus, small_system

from re2nn_core.errors import InputError, NotFoundError, RuleError
from re2nn_core.network.bundle import Bundle, load_bundle, save_bundle
from re2nn_core.network.config import NetworkConfig
from re2nn_core.services.hot_edits import add_rules, disable_rule
from re2nn_core.services.prediction import predict, untrained
from re2nn_core.services.training import train_system
from re2nn_core.training.config import TrainConfig

TEXTS = (*small_corpus().texts, "my bags are lost", "a lost word 77 !")
QUICK = TrainConfig(device="cpu", epochs=6, batch_size=8, learning_rate=0.01, pull=1e-4)


@pytest.fixture(scope="module", params=[{}, {"bidirectional": True, "extra_states": 3}], ids=str)
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    config = NetworkConfig(vectors="builtin", train_words=True, **request.param)
    folder = tmp_path_factory.mktemp("model")
    train_system(small_system(), small_corpus(), config, QUICK, folder=folder)
    return load_bundle(folder)


def test_an_added_rule_works_and_changes_no_other_score(trained: Bundle):
    edit = add_rules(trained, "[baggage]\nlost := $* lost $*\n", TEXTS)
    assert (edit.added, edit.removed) == (("lost",), ())
    assert set(edit.untouched) == {rule.name for rule in trained.ruleset.rules}
    assert edit.max_difference < 1e-6
    found = predict(edit.bundle, TEXTS)
    fired = found.machine_scores[:, found.machines.index("lost")]
    assert np.array_equal(fired, [float("lost" in text.split()) for text in TEXTS])


def test_a_rule_added_to_a_known_label_is_one_more_way_to_it():
    bundle = untrained(small_system(), TEXTS)
    edit = add_rules(bundle, "[money]\n$* cost $*\n", TEXTS)
    assert edit.added == ("money.3",)
    answers = predict(edit.bundle, ["the cost of it"]).answers
    assert (predict(bundle, ["the cost of it"]).answers, answers) == (["travel"], ["money"])
    assert edit.changed_answers == tuple(i for i, text in enumerate(TEXTS) if "cost" in text.split())


def test_a_disabled_rule_is_gone_and_changes_no_other_score(trained: Bundle):
    edit = disable_rule(trained, "go", TEXTS)
    assert (edit.added, edit.removed) == ((), ("go",))
    assert edit.max_difference < 1e-6
    assert "go" not in {rule.name for rule in edit.bundle.ruleset.rules}


def test_adding_and_disabling_again_gives_the_old_answers(trained: Bundle, tmp_path: Path):
    added = add_rules(trained, "[money]\ncost := $* cost $*\n", TEXTS).bundle
    save_bundle(tmp_path, added)
    back = disable_rule(load_bundle(tmp_path), "cost", TEXTS).bundle
    assert predict(back, TEXTS).answers == predict(trained, TEXTS).answers


def test_a_rule_in_a_formula_is_taken_out_of_it():
    bundle = untrained(small_system(logic='logic = ["(go | to_city) & !price -> travel"]'), TEXTS)
    answers = predict(disable_rule(bundle, "price", TEXTS).bundle, ["price of a flight"]).answers
    assert (predict(bundle, ["price of a flight"]).answers, answers) == (["money"], ["travel"])


def test_a_label_that_would_always_be_true_is_refused():
    bundle = untrained(small_system(logic='logic = ["!price -> travel"]'), TEXTS)
    with pytest.raises(InputError, match="Without 'price' the label 'travel' would be true for every text"):
        disable_rule(bundle, "price", TEXTS)


def test_an_unknown_rule_is_told_with_the_nearest():
    with pytest.raises(NotFoundError, match="The model has no rule 'pricee'.*price"):
        disable_rule(untrained(small_system(), TEXTS), "pricee", TEXTS)


def test_faults_have_the_lines_of_the_new_text():
    with pytest.raises(RuleError) as caught:
        add_rules(untrained(small_system(), TEXTS), "[money]\n$* ( cost $*\n", TEXTS, file="new.txt")
    assert caught.value.faults[0].line == 2


def test_a_network_without_blocks_is_refused():
    bundle = untrained(small_system(), TEXTS, NetworkConfig(machines="label", vectors="none", dropout=0.0))
    with pytest.raises(InputError, match="This model was trained with machines = 'label'"):
        add_rules(bundle, "[money]\n$* cost $*\n", TEXTS)
