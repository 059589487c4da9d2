"""What each rule is worth, on systems whose figures can be counted by hand."""

from __future__ import annotations

import pytest
import torch
from support.networks.small_system import small_corpus, small_system

from re2nn_core.errors import InputError
from re2nn_core.network.classification.bundle import Bundle, load_bundle
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.classification.rule_patching import disable_rule, unedited
from re2nn_core.services.fine_tuning.classification.training import train_system
from re2nn_core.services.prediction.classification.contributions import Contribution, Contributions, rule_contributions
from re2nn_core.services.prediction.classification.evaluation import accuracy
from re2nn_core.services.prediction.classification.predictor import predict, untrained
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig

CORPUS = Corpus(
    (
        Example("the price of a flight", "money"),  # go and price fire, money has priority
        Example("a flight to rome", "travel"),  # go fires
        Example("fly to oslo", "travel"),  # to_city fires
        Example("how much is the price", "money"),  # price and much fire
        Example("price list of flights", "travel"),  # go and price fire: predicted money
        Example("good morning", None),
    )
)
NO_DEFAULT = 'priorities = ["money > travel"]\n'


def measured(bundle: Bundle, corpus: Corpus = CORPUS) -> Contributions:
    return rule_contributions(bundle, corpus)


def exact(logic: str = NO_DEFAULT) -> Bundle:
    return untrained(small_system(logic=logic), CORPUS.texts)


def test_figures_that_can_be_counted_by_hand():
    found = measured(exact())
    assert (found.texts, found.trained, found.written) == (5, 4 / 5, 4 / 5)
    by_name = {rule.name: rule for rule in found.rules}
    expected = {
        "go": Contribution(fires=3, right=2, without=3 / 5),  # "a flight to rome" gets no prediction
        "to_city": Contribution(fires=1, right=1, without=3 / 5),
        "price": Contribution(fires=3, right=2, without=4 / 5),  # loses the first text, wins the fifth
        "much": Contribution(fires=1, right=1, without=4 / 5),  # price predicts it as well
    }
    assert {name: rule.trained for name, rule in by_name.items()} == expected
    assert {name: rule.written for name, rule in by_name.items()} == expected
    assert by_name["price"].trained.wrong == 1
    assert by_name["go"].label == "travel"


def test_a_default_label_speaks_where_a_rule_is_left_out():
    found = measured(exact('default = "travel"\n' + NO_DEFAULT))
    assert {rule.name: rule.written.without for rule in found.rules}["go"] == 4 / 5


def test_what_training_changed_stands_beside_what_was_written():
    bundle = exact()
    place = bundle.network.names.index("go")
    with torch.no_grad():
        bundle.network.reader.final[place] *= 0.4  # the rule's score never passes one half now
    found = measured(bundle)
    go = found.rules[place]
    assert (go.trained.fires, go.written.fires) == (0, 3)
    assert (found.trained, found.written) == (3 / 5, 4 / 5)
    assert (go.trained.without, go.written.without) == (3 / 5, 3 / 5)


@pytest.fixture(scope="module", params=[{}, {"bidirectional": True, "train_words": True}], ids=str)
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """With a state head, so that labels are also read off the states of every rule."""
    config = NetworkConfig(vectors="builtin", **request.param)
    folder = tmp_path_factory.mktemp("model")
    quick = TrainConfig(
        device="cpu", epochs=12, batch_size=8, learning_rate=0.02, head_learning_rate=0.05, l2_to_initial=1e-4
    )
    train_system(small_system(), small_corpus(), config, quick, folder=folder)
    return load_bundle(folder)


def test_leaving_a_rule_out_is_what_disabling_it_does(trained: Bundle):
    assert float(trained.network.head.detach().abs().max()) > 0.01
    corpus = small_corpus()
    gold = [example.label for example in corpus]
    for rule in measured(trained, corpus).rules:
        without = disable_rule(unedited(trained), rule.name).bundle
        assert rule.trained.without == pytest.approx(accuracy(gold, predict(without, corpus.texts).predictions))


def test_the_accuracy_with_all_rules_is_the_networks(trained: Bundle):
    corpus = small_corpus()
    predictions = predict(trained, corpus.texts).predictions
    assert measured(trained, corpus).trained == pytest.approx(accuracy([e.label for e in corpus], predictions))


def test_texts_without_labels_tell_nothing():
    with pytest.raises(InputError, match="None of the texts has a label"):
        measured(exact(), Corpus((Example("a flight"),)))


def test_machines_of_labels_have_no_rules():
    bundle = untrained(small_system(), CORPUS.texts, NetworkConfig(machines="label", vectors="none"))
    with pytest.raises(InputError, match="trained with --automata label, so its rules have no scores of their own"):
        measured(bundle)
