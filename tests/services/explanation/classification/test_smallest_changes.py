"""The smallest change of a text that changes its prediction, by rules and by networks, within a budget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from support.networks.explained import as_trained
from support.networks.explained_forms import FORMS, TEXT
from support.networks.small_system import small_corpus, small_system

from re2nn_core.errors import InputError
from re2nn_core.services.explanation.classification.explainers import Explainer
from re2nn_core.services.explanation.classification.network_changes import (
    PASSED,
    PASSED_AMONG_PAIRS,
    Words,
    smallest_network_change,
)
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.text.counting import counted


@pytest.mark.parametrize("example", small_corpus().examples[::9], ids=lambda example: example.text)
def test_smallest_change_of_the_rules_prediction(example: object) -> None:
    system = small_system()
    for wanted in (None, *system.logic.labels):
        flip = Explainer(system).flip(example.text, wanted)
        if flip.change is None:
            assert flip.before == wanted
            continue
        (after,) = system.predictions([" ".join(flip.change.words)])
        assert after == flip.after
        assert after != flip.before
        assert wanted is None or after == wanted
        assert flip.smallest


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_smallest_change_of_the_networks_prediction(form: dict[str, object]) -> None:
    bundle = as_trained(**form)
    explainer = Explainer(small_system(), bundle)
    for text in ("a flight to oslo please", "how much to rome"):
        flip = explainer.flip(text)
        assert flip.by_network
        if flip.change is None:
            assert flip.sentence.startswith("No change of one word does it; ")
            continue
        assert predict(bundle, [" ".join(flip.change.words)]).predictions[0] == flip.after != flip.before


def test_a_budget_that_is_used_up_is_told() -> None:
    flip = Explainer(small_system(), as_trained(size=0.0)).flip("a flight to oslo please", "other", budget=40)
    assert flip.change is None
    assert not flip.smallest
    assert flip.looked_at <= 40
    assert "Not everything was tried: the budget of the search was used up" in flip.sentence
    with pytest.raises(InputError, match="must be 1 change or more"):
        Explainer(small_system()).flip(TEXT, budget=0)


@pytest.mark.parametrize("budget", [1, 3, 5, 6, 11, 12])
@pytest.mark.parametrize("wanted", [None, "other", "money"])
def test_no_more_changes_are_tried_than_the_budget_allows(budget: int, wanted: str | None) -> None:
    """Five words: the budget may end before, amid and behind the changes that leave a word out."""
    text = "a flight to oslo please"
    for bundle in (None, as_trained(size=0.0)):
        if bundle is None and wanted == "other":
            continue  # only the network knows it
        flip = Explainer(small_system(), bundle).flip(text, wanted, budget=budget)
        assert flip.looked_at <= budget
        if flip.change is None:
            assert flip.complete == 0
            assert flip.sentence.startswith(
                f"Nothing was found; {counted(flip.looked_at, 'change was', 'changes were')}"
            )
            assert flip.sentence.endswith(PASSED)


@pytest.mark.parametrize("budget", range(1, 8))
def test_the_words_that_go_count_against_the_budget_too(budget: int) -> None:
    """A slow twin: what is judged is counted one by one. Three words to leave out, one to put in."""
    annotated: list[Words] = []

    def never(sentences: Sequence[Words]) -> tuple[np.ndarray, np.ndarray]:
        annotated.extend(sentences)
        return np.zeros(len(sentences), dtype=np.bool_), np.zeros(len(sentences))

    for words in ((), ("w",)):
        annotated.clear()
        found = smallest_network_change(("a", "b", "c"), words, never, budget=budget)
        assert len(annotated) == found.looked_at <= budget
        assert (found.complete == 1) == found.everything == (budget >= 3 and not words)


def test_a_budget_that_ends_among_changes_of_two_words_is_told() -> None:
    def never(sentences: Sequence[Words]) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(len(sentences), dtype=np.bool_), np.zeros(len(sentences))

    one_word = 3 + 3 + 4  # left out, replaced by "w", "w" put in
    every = smallest_network_change(("a", "b", "c"), ("w",), never, budget=10_000)
    assert (every.complete, every.note) == (1, "")
    for budget in range(one_word - 1, every.looked_at + 2):
        found = smallest_network_change(("a", "b", "c"), ("w",), never, budget=budget)
        reported = PASSED if budget < one_word else PASSED_AMONG_PAIRS if budget < every.looked_at else ""
        assert found.note == reported
        assert found.looked_at <= budget


def test_a_budget_that_is_just_enough_is_no_incomplete_search() -> None:
    system = small_system("[a]\nr := x\n", "")
    needed = Explainer(system).flip("y z", "a", budget=100_000).looked_at
    assert needed > 0
    assert PASSED not in Explainer(system).flip("y z", "a", budget=needed).sentence
    short = Explainer(system).flip("y z", "a", budget=needed - 1)
    assert (short.looked_at, short.smallest) == (needed - 1, False)
    assert short.sentence.startswith("A smaller change may do it too; ")
    assert short.sentence.endswith(PASSED)
