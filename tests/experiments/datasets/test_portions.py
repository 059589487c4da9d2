"""Portions of train: how many are drawn, which, and what is refused."""

from __future__ import annotations

import pytest
from support.networks.small_experiment import examples, small_set

from re2nn_core.errors import InputError
from re2nn_core.experiments.datasets.classification import on_rest_of_train
from re2nn_core.experiments.datasets.portions import draw_portion, measured_set


def test_everything_is_everything_for_every_seed() -> None:
    data = small_set()
    for seed in (0, 1):
        drawn = draw_portion(data, 1.0, seed)
        assert (drawn.train, drawn.dev) == (data.train, data.dev)


def test_zero_draws_nothing() -> None:
    drawn = draw_portion(small_set(), 0.0, 3)
    assert (drawn.train, drawn.dev, drawn.digest) == ((), (), "")
    assert len(drawn.rest) == 320


def test_what_is_not_drawn_is_the_rest_without_its_labels() -> None:
    data = small_set()
    drawn = draw_portion(data, 0.3, 5)
    assert {example.label for example in drawn.rest} == {None}
    texts = sorted(example.text for example in (*drawn.train, *drawn.rest))
    assert texts == sorted(example.text for example in data.train)


def test_the_rest_of_train_may_be_measured_on() -> None:
    data = small_set()
    rest = on_rest_of_train(data)
    assert (rest.name, rest.measurable, data.measurable) == ("small, rest of train", data.train, data.test)
    assert rest.digest != data.digest
    drawn, usual = draw_portion(rest, 0.3, 5), draw_portion(data, 0.3, 5)
    assert (drawn.train, drawn.dev, drawn.rest, drawn.digest) == (usual.train, usual.dev, usual.rest, usual.digest)
    assert usual.test == data.test
    assert measured_set(data, usual) is data
    measured = measured_set(rest, drawn)
    assert (measured.train, measured.test) == (drawn.train, drawn.test)
    assert {example.split for example in measured.test} == {"test"}
    found = sorted((example.text, example.label) for example in (*measured.train, *measured.test))
    assert found == sorted((example.text, example.label) for example in data.train)
    assert len(measured_set(rest, draw_portion(rest, 0.0, 0)).test) == 320


def test_of_all_of_train_nothing_is_left_to_measure_on() -> None:
    with pytest.raises(InputError) as caught:
        draw_portion(on_rest_of_train(small_set()), 1.0, 0)
    assert str(caught.value) == (
        "All 320 training texts are used for training; none of them is left to measure on.\n"
        "Use a smaller portion, or leave out --on-rest."
    )


def test_below_a_tenth_dev_is_as_small_as_the_portion() -> None:
    data = small_set()
    assert [len(part) for part in (draw_portion(data, 0.05, 0).train, draw_portion(data, 0.05, 0).dev)] == [16, 16]
    assert [len(part) for part in (draw_portion(data, 0.1, 0).train, draw_portion(data, 0.1, 0).dev)] == [32, 40]
    few = small_set(dev=data.dev[:7])
    assert len(draw_portion(few, 0.05, 0).dev) == 7


def test_each_seed_draws_anew_and_always_the_same() -> None:
    data = small_set()
    first, again, other = draw_portion(data, 0.05, 0), draw_portion(small_set(), 0.05, 0), draw_portion(data, 0.05, 1)
    assert first == again
    assert first.train != other.train
    assert first.dev != other.dev
    assert first.digest != other.digest
    assert set(first.dev) <= set(data.dev)


def test_drawn_texts_keep_the_order_of_the_file_and_come_once() -> None:
    data = small_set()
    drawn = draw_portion(data, 0.3, 5).train
    places = [data.train.index(example) for example in drawn]
    assert places == sorted(set(places))
    assert len(places) == 96


def test_a_larger_portion_holds_the_smaller_one() -> None:
    data = small_set()
    assert set(draw_portion(data, 0.05, 2).train) < set(draw_portion(data, 0.3, 2).train)


@pytest.mark.parametrize("portion", [-0.1, 1.5, float("nan")])
def test_what_is_no_share(portion: float) -> None:
    with pytest.raises(InputError, match=r"must be a share of the training texts from 0 to 1 \(got .*\): 0.01 for 1%"):
        draw_portion(small_set(), portion, 0)


def test_too_small_a_portion_says_which_would_do() -> None:
    with pytest.raises(InputError) as caught:
        draw_portion(small_set(), 0.01, 0)
    assert str(caught.value) == (
        "The portion 0.01 of the 320 training texts of small is 3; at least 10 are needed. "
        "Use a portion of 0.032 or more, or 0 (zero-shot)."
    )
    assert len(draw_portion(small_set(), 0.032, 0).train) == 10


def test_without_dev_texts_more_are_needed() -> None:
    with pytest.raises(InputError, match="is 10; at least 12 are needed. Use a portion of 0.038 or more"):
        draw_portion(small_set(dev=()), 0.032, 0)
    assert draw_portion(small_set(dev=()), 0.038, 0).dev == ()


def test_too_few_texts_altogether() -> None:
    with pytest.raises(InputError, match="small has 8 labelled training texts; at least 10 are needed. Label more"):
        draw_portion(small_set(train=examples("train")[:8]), 1.0, 0)


def test_a_portion_of_one_label() -> None:
    travel = [example for example in examples("train") if example.label == "travel"]
    money = [example for example in examples("train") if example.label == "money"]
    with pytest.raises(InputError) as caught:
        draw_portion(small_set(train=(*travel, money[0])), 0.07, 4)
    assert "All 11 training texts that seed 4 draws from small have the label 'travel'" in str(caught.value)
    assert "Use a larger portion, or other seeds (--seed)." in str(caught.value)
