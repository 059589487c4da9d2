"""Compiled loops over machines against the plain loop with torch's own gradients, and where they run."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
import torch
from support.networks.fused_samples import (
    FORMS,
    MANY,
    SENTENCES,
    SMALL,
    assert_same_gradients,
    batch_of,
    gradients,
    network_of,
    plain,
)

from re2nn_core.network.recurrence import by_machine
from re2nn_core.network.recurrence.by_machine import compiled_recurrence, loops_for, machine_tables
from re2nn_core.training.config import TrainConfig
from re2nn_core.training.examples import EncodedExamples
from re2nn_core.training.learner import MANY as MANY_TEXTS
from re2nn_core.training.learner import Learner, one_epoch

JOINED = ("block_diagonal", "extra_states")  # settings with which weights join machines
pytestmark = pytest.mark.skipif(by_machine.loaded() is None, reason="numba is not here")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The compiled loops that were called."""
    made: list[str] = []
    loops = by_machine.loaded()
    assert loops is not None

    def counted(name: str) -> object:
        def call(*given: object) -> object:
            made.append(name)
            return getattr(loops, name)(*given)

        return call

    names = ("read_order", "rows_in_context", "last_states", "kept_states", "gradients")
    made_here = SimpleNamespace(filled_up=loops.filled_up, **{name: counted(name) for name in names})
    monkeypatch.setattr(by_machine, "loaded", lambda: made_here)
    return made


@pytest.mark.parametrize("rules", [SMALL, MANY], ids=["small", "many"])
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_gradients_are_those_of_the_plain_loop(rules: str, form: dict[str, object], calls: list[str]) -> None:
    batch = batch_of(rules, SENTENCES * 4, in_context=form.get("vectors") == "context")
    with compiled_recurrence(wanted=True):
        found, by_loops = gradients(network_of(rules, **form), batch)
    wanted, by_loop = gradients(plain(network_of(rules, **form)), batch)
    assert ("gradients" in calls) == (not any(name in form for name in JOINED))
    assert torch.allclose(found, wanted, rtol=1e-10, atol=1e-10)
    assert_same_gradients(by_loops, by_loop)


@pytest.mark.parametrize("form", [{}, {"bidirectional": True}, {"vectors": "context"}], ids=str)
def test_states_without_a_gradient_are_the_same(form: dict[str, object], calls: list[str]) -> None:
    sentences = SENTENCES * 60  # more than are read at once
    network, batch = network_of(MANY, **form), batch_of(MANY, sentences, in_context="vectors" in form)
    with torch.no_grad():
        with compiled_recurrence(wanted=True):
            found = network(batch)
        with compiled_recurrence(wanted=False):
            wanted = network(batch)
    assert calls.count("last_states") == len(network.readers)
    assert torch.allclose(found, wanted, rtol=1e-10, atol=1e-10)


def test_single_precision_up_to_rounding() -> None:
    batch = batch_of(MANY, SENTENCES * 4)
    with compiled_recurrence(wanted=True):
        found, by_loops = gradients(network_of(MANY).float(), batch)
    wanted, by_fused = gradients(network_of(MANY).float(), batch)
    assert torch.allclose(found, wanted, atol=1e-4)
    for name, gradient in by_fused.items():
        assert torch.allclose(by_loops[name], gradient, rtol=1e-3, atol=1e-4 * float(gradient.abs().max() + 1)), name


def test_a_number_that_is_none_stays_so() -> None:
    """So that the training loop sees it."""
    network, batch = network_of(MANY), batch_of(MANY, SENTENCES)
    with torch.no_grad():
        network.reader.wildcard.fill_(torch.nan)
    with compiled_recurrence(wanted=True):
        found, _ = gradients(network, batch)
    assert found.isnan().any()


def test_terms_of_no_single_machine_have_no_tables() -> None:
    assert machine_tables([(0, 2), (2, 3)], [0, -1]) is None
    tables = machine_tables([(0, 2), (2, 3)], [1, 0, 1])
    assert tables is not None
    assert tables.machines.tolist() == [[0, 2, 0, 1], [2, 1, 1, 2]]
    assert tables.order.tolist() == [1, 0, 2]


def test_a_training_runs_them_for_many_texts(calls: list[str]) -> None:
    network = network_of(SMALL)
    for texts in (MANY_TEXTS - 1, MANY_TEXTS):
        learner = Learner(network, TrainConfig(batch_size=texts), torch.device("cpu"), 0)
        one_epoch(learner, EncodedExamples([[1, 2]] * texts, [0, 1] * (texts // 2) + [0] * (texts % 2)), None)
        assert calls == ([] if texts < MANY_TEXTS else ["read_order", "kept_states", "gradients"])


def test_predictions_run_them_once_very_many_words_were_read(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_machine, "is_loaded", lambda: False)
    monkeypatch.setattr(by_machine, "_predicted", [0])
    assert loops_for(by_machine.WORTH_LOADING, learns=False) is None
    assert loops_for(1, learns=False) is not None
    assert loops_for(by_machine.WORTH_LOADING, learns=True) is None
    monkeypatch.setattr(by_machine, "_predicted", [0])
    monkeypatch.setattr(by_machine, "is_loaded", lambda: True)
    assert loops_for(1, learns=False) is not None


@pytest.mark.parametrize("error", [ImportError, RuntimeError])
def test_without_numba_torch_runs(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise error

    by_machine.loaded.cache_clear()
    monkeypatch.setattr(by_machine, "import_module", missing)
    with compiled_recurrence(wanted=True):
        assert loops_for(1, learns=True) is None
        assert isinstance(network_of(SMALL)(batch_of(SMALL, SENTENCES)), torch.Tensor)
    by_machine.loaded.cache_clear()
