"""Settings of baselines: what is refused, and in which words."""

from __future__ import annotations

from typing import Any

import pytest

from re2nn_core.baselines.config import BaselineConfig, config_for
from re2nn_core.baselines.spec import spec_of
from re2nn_core.errors import InputError
from re2nn_core.task import Task


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"hidden": 0}, r"hidden must be at least 1 \(got 0\)"),
        ({"rule_dimensions": 0}, r"rule_dimensions must be at least 1 \(got 0\)"),
        ({"dropout": 1.0}, r"dropout must be at least 0 and below 1 \(got 1\.0\)"),
        ({"word_dropout": -0.1}, r"word_dropout must be at least 0 and below 1 \(got -0\.1\)"),
        ({"student": 1.5}, r"student must be from 0 to 1 \(got 1\.5\)"),
        ({"anneal": -1}, r"anneal must be from 0 to 1 \(got -1\)"),
        ({"temperature": 0}, r"temperature must be above 0 \(got 0\)"),
        ({"trust": float("nan")}, r"trust must be above 0 \(got nan\)"),
        ({"unlabelled": 0}, r"unlabelled must be above 0 \(got 0\)"),
        ({"vectors": "none"}, r"a baseline reads nothing but word vectors, and vectors is none\. Choose vectors"),
        ({"pooling": "sum"}, r"pooling must be one of last, mean, max \(got 'sum'\)"),
        ({"start": "middle"}, r"start must be one of rules, random \(got 'middle'\)"),
        ({"teacher": "wise"}, r"teacher must be one of soft, hard \(got 'wise'\)"),
        ({"batch_size": 0}, r"batch_size must be at least 1 \(got 0\)"),
        ({"device": "abacus"}, r"device must be one of auto, cuda, mps, cpu \(got 'abacus'\)"),
    ],
)
def test_bad_settings_are_refused(setting: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        BaselineConfig(**setting)


def test_given_settings_go_upon_those_for_so_many_texts() -> None:
    spec = spec_of("bigru", Task.CLASSIFICATION)
    few, many = config_for(spec, 50, {}), config_for(spec, 5000, {})
    assert few.batch_size < many.batch_size
    assert few.epochs > many.epochs
    assert config_for(spec, 50, {"batch_size": 7}).batch_size == 7
    rates = [
        config_for(spec_of(f"bi{cell}-crf", Task.SLOT_FILLING), 50, {}).learning_rate for cell in ("rnn", "gru", "lstm")
    ]
    assert rates == [2e-3, 5e-3, 5e-3]
    with pytest.raises(
        InputError, match=r"rule_weight: no setting of bigru\. Leave it out; the settings are: anneal, batch_size"
    ):
        config_for(spec, 50, {"rule_weight": 1})


def test_one_rate_for_all_but_the_sentence_encoder() -> None:
    training = BaselineConfig(learning_rate=0.1, encoder_learning_rate=0.2, seed=3).training
    assert (
        training.learning_rate,
        training.embedding_learning_rate,
        training.head_learning_rate,
        training.encoder_learning_rate,
        training.seed,
    ) == (
        0.1,
        0.1,
        0.1,
        0.2,
        3,
    )
