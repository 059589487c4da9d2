"""Texts that the rules predict, and what each counts."""

from __future__ import annotations

import pytest
from support.networks.small_system import small_system

from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.training_plan import choose_training_plan, split_examples
from re2nn_core.services.prediction.classification.encoding import Contexts
from re2nn_core.services.prediction.classification.pseudo_labels import PseudoLabels, pseudo_labels_by
from re2nn_core.services.prediction.classification.untrained_network import ExampleEncoder, start_network
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.training.config import TrainConfig

SPAM = "[spam]\nprize := $* ( prize | winner ) $*\n"
HAM = "[ham]\nlate := $* late\n"
FIRST = 'priorities = ["spam > ham"]\n'
DEFAULT = f'default = "ham"\n{FIRST}'
TEXTS = ["a prize for you", "you are a winner", "i am late", *(f"see you at {hour}" for hour in range(1, 7))]
LEFT_OVER = (False, False, False, True, True, True, True, True, True)


def corpus_of(texts: list[str]) -> Corpus:
    return Corpus(tuple(Example(text, None, "train") for text in texts))


@pytest.mark.parametrize(
    ("rules", "logic"), [(f"{SPAM}{HAM}", DEFAULT), (f"{SPAM}{HAM}all := $*\n", FIRST)], ids=["default", "every text"]
)
def test_what_is_left_over_weighs_together_as_much_as_the_rest(rules: str, logic: str):
    predicted = pseudo_labels_by(small_system(rules, logic), corpus_of(TEXTS))
    assert [e.label for e in predicted.examples] == ["spam", "spam", *["ham"] * 7]
    assert predicted.left_over == LEFT_OVER
    assert predicted.weights == (1.0, 1.0, 1.0, *[0.5] * 6)
    assert predicted.in_words == (
        "6 are predicted only by the default label or rules that accept every text; together they weigh as much as "
        "the other 3",
    )


@pytest.mark.parametrize(
    ("texts", "left"),
    [(TEXTS[:3], 0), (TEXTS[:5], 2), (TEXTS[:6], 3), (TEXTS[3:], 6)],
    ids=["none left over", "fewer", "as many", "all"],
)
def test_elsewhere_all_weigh_the_same(texts: list[str], left: int):
    predicted = pseudo_labels_by(small_system(f"{SPAM}{HAM}", DEFAULT), corpus_of(texts))
    assert (sum(predicted.left_over), predicted.light, predicted.in_words) == (left, 1.0, ())
    assert predicted.weights == (1.0,) * len(texts)


def test_texts_without_a_prediction_and_texts_for_measuring_are_left_out():
    corpus = Corpus(
        (
            *corpus_of(TEXTS),
            Example("a prize", None, "dev"),
            Example("a prize", None, "test"),
            Example("my prize", "ham", "train"),
            Example("the winner", None, None),
        )
    )
    predicted = pseudo_labels_by(small_system(f"{SPAM}{HAM}", FIRST), corpus)
    assert [e.text for e in predicted.examples] == [*TEXTS[:3], "the winner"]
    assert pseudo_labels_by(small_system(f"{SPAM}{HAM}", FIRST), corpus_of(["good morning"])) == PseudoLabels()


def test_the_network_learns_with_these_weights():
    system, corpus = small_system(f"{SPAM}{HAM}", DEFAULT), corpus_of(TEXTS)
    contexts, predicted = Contexts(), pseudo_labels_by(system, corpus)
    bundle = start_network(system, corpus, NetworkConfig(vectors="none"), [], contexts)
    said = Example(TEXTS[0], "spam", "train")
    encode = ExampleEncoder(bundle, [said, *predicted.examples], contexts)
    assert encode([said], predicted, 0.5).weights == [1.0, 0.5, 0.5, 0.5, *[0.25] * 6]
    assert encode([said], PseudoLabels(), 0.5).weights is None


@pytest.mark.parametrize("labelled", [0, 12])
def test_the_recipe_tells_what_weighs_less(labelled: int):
    corpus = Corpus((*corpus_of(TEXTS), *(Example(f"{n} prizes", "spam", "train") for n in range(labelled))))
    predicted = pseudo_labels_by(small_system(f"{SPAM}{HAM}", DEFAULT), corpus)
    recipe = choose_training_plan(TrainConfig(unlabelled=1.0), split_examples(corpus), predicted=predicted)
    assert predicted.in_words[0] in recipe.reason
