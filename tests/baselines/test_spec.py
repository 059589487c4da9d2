"""Names of baselines as the tables have them."""

from __future__ import annotations

import pytest

from re2nn_core.baselines.spec import BASES, KNOWLEDGE, BaselineSpec, is_baseline_name, spec_of
from re2nn_core.errors import InputError
from re2nn_core.task import Task


@pytest.mark.parametrize(
    ("task", "name", "spec"),
    [
        (Task.CLASSIFICATION, "rnn", BaselineSpec(Task.CLASSIFICATION, "rnn")),
        (Task.CLASSIFICATION, "BiGRU+kd", BaselineSpec(Task.CLASSIFICATION, "bigru", "kd")),
        (Task.CLASSIFICATION, "bigru+u+io", BaselineSpec(Task.CLASSIFICATION, "bigru", "io", unlabelled=True)),
        (Task.CLASSIFICATION, "cnn+u", BaselineSpec(Task.CLASSIFICATION, "cnn", unlabelled=True)),
        (Task.SLOT_FILLING, "bilstm-crf+pr", BaselineSpec(Task.SLOT_FILLING, "bilstm-crf", "pr")),
        (Task.SLOT_FILLING, "bigru-softmax", BaselineSpec(Task.SLOT_FILLING, "bigru")),
        (Task.SLOT_FILLING, "encoder+i", BaselineSpec(Task.SLOT_FILLING, "encoder", "i")),
    ],
)
def test_a_name_says_what_is_meant(task, name: str, spec: BaselineSpec) -> None:
    assert spec_of(name, task) == spec
    assert spec_of(spec.name, task) == spec


def test_every_row_of_the_tables_has_a_name() -> None:
    for task, bases in BASES.items():
        for base in bases:
            for more in ("", *(f"+{one}" for one in KNOWLEDGE)):
                assert is_baseline_name(base + more, task)
                assert spec_of(f"{base}{more}+u", task).unlabelled


@pytest.mark.parametrize(
    ("task", "name"),
    [
        (Task.CLASSIFICATION, ""),
        (Task.CLASSIFICATION, "fa-rnn"),
        (Task.CLASSIFICATION, "bigru-crf"),
        (Task.CLASSIFICATION, "bigru+kd+pr"),
        (Task.CLASSIFICATION, "bigru+u+u"),
        (Task.CLASSIFICATION, "bigru+x"),
        (Task.CLASSIFICATION, "bigru+"),
        (Task.SLOT_FILLING, "gru"),
        (Task.SLOT_FILLING, "cnn"),
    ],
)
def test_other_names_are_told_what_is_expected(task, name: str) -> None:
    with pytest.raises(InputError, match=r"is no baseline for (labels|slots): one of .*\+kd.*then \+u or not, such as"):
        spec_of(name, task)
    assert not is_baseline_name(name, task)


def test_what_a_system_is_made_of() -> None:
    spec = spec_of("bilstm-crf+io", Task.SLOT_FILLING)
    assert (spec.cell, spec.bidirectional, spec.chain, spec.reads_rules, spec.adds_rules, spec.imitates) == (
        "lstm",
        True,
        True,
        True,
        True,
        False,
    )
    assert spec_of("gru+pr", Task.CLASSIFICATION).imitates
    assert not spec_of("gru", Task.CLASSIFICATION).bidirectional
