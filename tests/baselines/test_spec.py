"""Names of baselines as the tables have them."""

from __future__ import annotations

import pytest

from re2nn_core.baselines.spec import BASES, KNOWLEDGE, BaselineSpec, is_baseline_name, spec_of
from re2nn_core.errors import InputError


@pytest.mark.parametrize(
    ("task", "name", "spec"),
    [
        ("labels", "rnn", BaselineSpec("labels", "rnn")),
        ("labels", "BiGRU+kd", BaselineSpec("labels", "bigru", "kd")),
        ("labels", "bigru+u+io", BaselineSpec("labels", "bigru", "io", unlabelled=True)),
        ("labels", "cnn+u", BaselineSpec("labels", "cnn", unlabelled=True)),
        ("slots", "bilstm-crf+pr", BaselineSpec("slots", "bilstm-crf", "pr")),
        ("slots", "bigru-softmax", BaselineSpec("slots", "bigru")),
        ("slots", "encoder+i", BaselineSpec("slots", "encoder", "i")),
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
        ("labels", ""),
        ("labels", "fa-rnn"),
        ("labels", "bigru-crf"),
        ("labels", "bigru+kd+pr"),
        ("labels", "bigru+u+u"),
        ("labels", "bigru+x"),
        ("labels", "bigru+"),
        ("slots", "gru"),
        ("slots", "cnn"),
    ],
)
def test_other_names_are_told_what_is_expected(task, name: str) -> None:
    with pytest.raises(InputError, match=r"is no baseline for (labels|slots): one of .*\+kd.*then \+u or not, such as"):
        spec_of(name, task)
    assert not is_baseline_name(name, task)


def test_what_a_system_is_made_of() -> None:
    spec = spec_of("bilstm-crf+io", "slots")
    assert (spec.cell, spec.bidirectional, spec.chain, spec.reads_rules, spec.adds_rules, spec.imitates) == (
        "lstm",
        True,
        True,
        True,
        True,
        False,
    )
    assert spec_of("gru+pr", "labels").imitates
    assert not spec_of("gru", "labels").bidirectional
