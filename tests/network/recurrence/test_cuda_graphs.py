"""The steps that a GPU captures, run one by one on any machine; and the capture itself, where there is a GPU."""

from __future__ import annotations

import copy

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
    weighted,
)

from re2nn_core.network.classification.predict import run_network
from re2nn_core.network.recurrence import cuda_graphs as captured_module
from re2nn_core.network.recurrence.batch import Batch
from re2nn_core.network.recurrence.cuda_graphs import Programs, Shape
from re2nn_core.network.recurrence.recurrent_layer import RecurrentLayer

SHORT = ["b c", "d", ""]


@pytest.fixture
def captured(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a GPU, without one."""
    monkeypatch.setattr(RecurrentLayer, "run", lambda reader, batch: reader._run_captured(reader.groups, batch))


@pytest.mark.usefixtures("captured")
@pytest.mark.parametrize("rules", [SMALL, MANY], ids=["small", "many"])
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_padded_steps_have_the_gradients_of_the_plain_loop(
    rules: str, form: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = batch_of(rules, SENTENCES, in_context=form.get("vectors") == "context")
    found, by_steps = gradients(network_of(rules, **form), batch)
    monkeypatch.undo()
    wanted, by_loop = gradients(plain(network_of(rules, **form)), batch)
    assert torch.allclose(found, wanted, rtol=1e-10, atol=1e-10)
    assert_same_gradients(by_steps, by_loop)


@pytest.mark.usefixtures("captured")
def test_another_batch_before_the_gradient_changes_nothing() -> None:
    """Both batches fill the same buffers; the first one's gradient is asked for last."""
    network, alone = network_of(SMALL), network_of(SMALL)
    first, second = batch_of(SMALL, SENTENCES), batch_of(SMALL, SHORT)
    _, wanted = gradients(alone, first)
    logits = network(first)
    with torch.no_grad():
        network(second)
    assert len(network.reader.programs.kept) == 2
    same_shape = Batch(first.words.flip(0).contiguous(), [len(first.words[0])] * len(first.lengths))
    network(same_shape).sum().backward()
    network.zero_grad()
    weighted(logits).backward()
    found = {name: p.grad for name, p in network.named_parameters() if p.grad is not None}
    assert_same_gradients(found, wanted)


def test_programs_are_kept_by_shape_and_never_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(captured_module, "MOST", 2)
    programs, like = Programs(), torch.zeros(1)
    shapes = [Shape(time, 2, 1, 3, 3, 0.1) for time in (1, 2, 3)]
    first, second = programs.of(shapes[0], like), programs.of(shapes[1], like)
    assert programs.of(shapes[0], like) is first
    programs.of(shapes[2], like)
    assert list(programs.kept) == [shapes[0], shapes[2]]
    assert programs.of(shapes[1], like) is not second
    assert programs.of(shapes[1], like.double()).like.dtype == torch.float64
    assert copy.deepcopy(programs).kept == {}


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA GPU here")
@pytest.mark.parametrize("rules", [SMALL, MANY], ids=["small", "many"])
def test_captured_graphs_have_the_gradients_of_the_plain_loop(rules: str) -> None:
    batch = batch_of(rules, SENTENCES)
    there = Batch(batch.words.cuda(), batch.lengths)
    network = network_of(rules).cuda()
    for _ in range(3):  # captured the first time, replayed from then on
        network.zero_grad()
        found, by_graph = gradients(network, there)
    wanted, by_loop = gradients(plain(network_of(rules)), batch)
    assert torch.allclose(found.cpu(), wanted, rtol=1e-8, atol=1e-8)
    assert_same_gradients({name: gradient.cpu() for name, gradient in by_graph.items()}, by_loop)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA GPU here")
def test_predictions_are_the_same_on_a_gpu() -> None:
    codes = [batch_of(SMALL, [sentence]).words[0].tolist() for sentence in SENTENCES]
    here = run_network(network_of(SMALL), codes, abstain=False)
    there = run_network(network_of(SMALL).cuda(), codes, abstain=False)
    assert here.predictions.tolist() == there.predictions.tolist()
    assert abs(here.machine_scores - there.machine_scores).max() < 1e-6
