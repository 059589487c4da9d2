"""How far training moves from the rules: as far as texts that were held out confirm, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from support.networks.explained import as_trained
from support.networks.small_system import small_system

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.classification.classifier import FaRnn
from re2nn_core.network.recurrence.batching import batches_by_length
from re2nn_core.services.fine_tuning.classification.step_size import OF_A_LABEL, StepSize, choose_step_size
from re2nn_core.training.examples import EncodedExamples
from re2nn_core.training.learner import parameters_of
from re2nn_core.training.loop import TrainResult

TEXT = "how much is the flight"


def other_says(loud: float, copies: int = 0) -> tuple[Bundle, TrainResult[FaRnn]]:
    """A training from the rules to networks that give each text the label 'other', from so much of the way on."""
    bundle = as_trained(size=0.0, copies=copies)
    initial = parameters_of(bundle.network)
    for network in bundle.networks:
        with torch.no_grad():
            network.bias[network.logic.labels.index("other")] = 1.1 / loud
    members = tuple(parameters_of(network) for network in bundle.networks)
    return bundle, TrainResult((), 3, "cpu", initial=initial, members=members)


def texts(bundle: Bundle, by_rules: int, other: int) -> EncodedExamples:
    """Texts that the rules predict correctly, and texts of the label 'other'."""
    labels = bundle.network.logic.labels
    (rules,) = small_system().predictions([TEXT])
    numbers = [labels.index(rules or "")] * by_rules + [labels.index("other")] * other
    return EncodedExamples([bundle.vocabulary.encode(TEXT.split())] * len(numbers), numbers)


@pytest.mark.parametrize(
    ("by_rules", "other", "share", "accuracy"),
    [
        pytest.param(0, 1, 0.0, 0.0, id="one text fixed may be chance"),
        pytest.param(0, 2, 0.75, 0.0, id="two fixed and none broken confirm three quarters"),
        pytest.param(0, 4, 0.875, 0.0, id="four more"),
        pytest.param(0, 5, 1.0, 1.0, id="five all of it"),
        pytest.param(46, 54, 0.0, 0.46, id="eight of a hundred texts more may be chance"),
        pytest.param(44, 56, 1 - 100 / 288, 0.44, id="twelve are little more than its standard error"),
        pytest.param(460, 540, 1.0, 0.54, id="the same share of more texts is certain"),
        pytest.param(90, 10, 0.0, 0.9, id="a loss"),
    ],
)
def test_training_moves_only_as_held_out_texts_confirm(
    by_rules: int, other: int, share: float, accuracy: float
) -> None:
    bundle, result = other_says(1.0)
    chosen, step = choose_step_size(bundle, result, [texts(bundle, by_rules, other)])
    assert step is not None
    assert (step.share, step.accuracy, chosen.trained) == (pytest.approx(share), accuracy, share > 0)
    assert (step.larger is not None, "few texts confirm a larger step" in step.in_words) == (0 < share < 1,) * 2
    bias = float(chosen.network.bias[chosen.network.logic.labels.index("other")].detach())
    assert bias == pytest.approx(1.1 * share)


@pytest.mark.parametrize(
    ("fixed", "share"),
    [
        pytest.param(4, 0.0, id="four fixed and none broken are no more than twice the error"),
        pytest.param(5, 1.0, id="five are"),
    ],
)
def test_a_further_training_must_show_a_gain_of_twice_the_error(fixed: int, share: float) -> None:
    bundle, result = other_says(1.0)
    chosen, step = choose_step_size(bundle, result, [texts(bundle, 0, fixed)], further=True)
    assert step is not None
    assert (step.share, chosen.trained) == (share, share > 0)


@pytest.mark.parametrize(
    ("each", "share"),
    [
        pytest.param(OF_A_LABEL - 1, 0.0, id="their shares are chance"),
        pytest.param(OF_A_LABEL, 1.0, id="enough of each"),
    ],
)
def test_few_texts_of_several_labels_move_nothing_in_a_cross_validation(each: int, share: float) -> None:
    """All 'other' texts are fixed, and what the rules have correct is broken."""
    bundle, result = other_says(1.0, copies=1)
    labels = bundle.network.logic.labels
    third = next(label for label in labels if label not in ("other", small_system().predictions([TEXT])[0]))
    mixed = texts(bundle, 1, 3 * each - 2)
    one = EncodedExamples([mixed.codes[0]], [labels.index(third)])
    _, step = choose_step_size(bundle, result, [mixed, one])
    assert step is not None
    assert step.share == share
    assert (step.missing, step.more_texts) == ((3, 3) if not share else (0, None))


def test_each_member_is_measured_on_its_own_share_and_the_rules_are_one_network() -> None:
    """The one member is right on all of its share, the other wrong on all of its own."""
    bundle, result = other_says(1.0, copies=1)
    shares = [texts(bundle, 0, 10), texts(bundle, 10, 0)]
    chosen, step = choose_step_size(bundle, result, shares)
    assert (step, chosen.copies) == (StepSize(0.0, 10, 10, 20, 0.5), ())
    assert torch.equal(chosen.network.bias, result.initial["bias"])


def test_part_of_the_way_is_taken_where_all_of_it_breaks_more() -> None:
    """From a quarter of the way on, 'other' is louder than no rule; at all of it, louder than the rules too."""
    bundle, result = other_says(0.9)
    silent = bundle.vocabulary.encode(["hello"])
    by_rules, labels = texts(bundle, 10, 0), bundle.network.logic.labels
    held = EncodedExamples([*by_rules.codes, *[silent] * 10], [*by_rules.labels, *[labels.index("other")] * 10])
    _, step = choose_step_size(bundle, result, [held])
    assert step is not None
    assert 0 < step.share < 1
    assert (step.fixed, step.broken) == (10, 0)
    assert f"{step.share:.0%} of the way" in step.in_words


def test_without_held_out_texts_nothing_is_decided() -> None:
    bundle, result = other_says(1.0)
    assert choose_step_size(bundle, result, [texts(bundle, 0, 0)]) == (bundle, None)


def gradients(labels: Sequence[str]) -> torch.Tensor:
    """[labels]: that of the bias, for texts with these labels."""
    bundle = as_trained(size=0.0)
    numbers = [bundle.network.logic.labels.index(label) for label in labels]
    found = EncodedExamples([bundle.vocabulary.encode(TEXT.split())] * len(numbers), numbers)
    (batch,) = batches_by_length(found.codes, 10, torch.device("cpu"))
    found.loss(bundle.network, batch).backward()
    gradient = bundle.network.bias.grad
    assert gradient is not None
    return gradient


def test_a_label_without_a_training_text_keeps_the_score_of_its_rules() -> None:
    labels = as_trained(size=0.0).network.logic.labels
    moved = [label for label, gradient in zip(labels, gradients(["money", "travel"]), strict=True) if gradient]
    assert sorted(moved) == ["money", "travel"]
    assert all(gradients(list(labels)))
