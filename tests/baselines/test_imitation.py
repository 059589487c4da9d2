"""What a student loses against its teacher: by hand, and against a search for the projected distribution."""

from __future__ import annotations

import math

import pytest
import torch
from support.networks.baseline_samples import config, lesson, network

from re2nn_core.baselines.imitation import imitation_loss, projected, rule_teacher, teacher_weight
from re2nn_core.task import Task

LOG = torch.log(torch.tensor([[0.2, 0.3, 0.5]]))


def test_the_rules_as_a_teacher_by_hand() -> None:
    # A logit of ln 6 at temperature 1: 6 : 1 : 1.
    found = rule_teacher(torch.tensor([0]), 3, config(trust=math.log(6)))
    torch.testing.assert_close(found, torch.tensor([[0.75, 0.125, 0.125]]))
    # At temperature 2 the square root of it.
    found = rule_teacher(torch.tensor([0]), 3, config(trust=math.log(4), temperature=2.0))
    torch.testing.assert_close(found, torch.tensor([[0.5, 0.25, 0.25]]))
    assert rule_teacher(torch.tensor([2]), 3, config(teacher="hard")).tolist() == [[0.0, 0.0, 1.0]]


def test_distillation_by_hand() -> None:
    soft = imitation_loss(LOG, torch.tensor([0]), config(trust=math.log(6)), "kd")
    by_hand = 0.75 * math.log(0.75 / 0.2) + 0.125 * math.log(0.125 / 0.3) + 0.125 * math.log(0.125 / 0.5)
    assert float(soft) == pytest.approx(by_hand, rel=1e-5)
    hard = imitation_loss(LOG, torch.tensor([0]), config(teacher="hard"), "kd")
    assert float(hard) == pytest.approx(-math.log(0.2), rel=1e-5)


def test_a_temperature_softens_both_sides_and_is_made_up_for() -> None:
    found = imitation_loss(LOG, torch.tensor([0]), config(trust=math.log(4), temperature=2.0), "kd")
    roots = [math.sqrt(share) for share in (0.2, 0.3, 0.5)]
    student = [root / sum(roots) for root in roots]
    by_hand = sum(t * math.log(t / s) for t, s in zip((0.5, 0.25, 0.25), student, strict=True))
    assert float(found) == pytest.approx(4 * by_hand, rel=1e-5)


def test_where_rules_are_silent_there_is_no_teacher() -> None:
    for knowledge in ("kd", "pr"):
        assert float(imitation_loss(LOG, torch.tensor([-1]), config(), knowledge)) == 0.0


@pytest.mark.parametrize("trust", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("prediction", [0, 2])
def test_the_projection_is_what_a_search_finds(trust: float, prediction: int) -> None:
    """Hu et al., equation 3: the least of KL(q || p) + trust (1 - q(prediction)), found by steps downhill."""
    student = torch.softmax(torch.tensor([0.3, -1.2, 0.8, 0.0]), 0)
    free = torch.zeros(4, requires_grad=True)
    steps = torch.optim.Adam([free], lr=0.05)
    for _ in range(800):
        steps.zero_grad()
        q = torch.softmax(free, 0)
        loss = (q * (q / student).log()).sum() + trust * (1 - q[prediction])
        loss.backward()
        steps.step()
    found = projected(student.log()[None], torch.tensor([prediction]), trust)[0]
    torch.testing.assert_close(found, torch.softmax(free.detach(), 0), atol=2e-3, rtol=0)
    assert float(found[prediction]) > float(student[prediction])


def test_the_projected_student_teaches_without_learning_itself() -> None:
    logits = torch.tensor([[0.5, -0.5, 0.1]], requires_grad=True)
    loss = imitation_loss(torch.log_softmax(logits, 1), torch.tensor([1]), config(trust=2.0), "pr").sum()
    loss.backward()
    student = torch.softmax(logits.detach(), 1)
    teacher = projected(student.log(), torch.tensor([1]), 2.0)
    # The gradient of a cross entropy with a fixed target.
    torch.testing.assert_close(logits.grad, student - teacher)


def test_the_teachers_weight_decays() -> None:
    own = config(student=0.6, anneal=0.5)
    assert [teacher_weight(own, epoch) for epoch in range(3)] == pytest.approx([0.4, 0.2, 0.1])


@pytest.mark.parametrize(
    ("task", "name"),
    [(Task.CLASSIFICATION, "bigru+kd"), (Task.SLOT_FILLING, "bigru+pr"), (Task.SLOT_FILLING, "bigru-crf+kd")],
)
def test_loss_goes_over_to_the_labels_alone(task, name: str) -> None:
    """With the teacher's weight at nothing a system loses what the plain one does."""
    some = lesson(task, [4, 3, 2])
    (numbered,) = some.shuffled(8, torch.device("cpu"), torch.Generator().manual_seed(0))
    taught = network(name, task, dropout=0.0, student=0.5, anneal=0.1)
    plain = network(name.partition("+")[0], task, dropout=0.0)
    first = float(some.loss(taught, numbered).detach())
    some.epoch = 50
    assert float(some.loss(taught, numbered).detach()) == pytest.approx(
        float(some.loss(plain, numbered).detach()), rel=1e-5
    )
    assert first != pytest.approx(float(some.loss(plain, numbered).detach()), rel=1e-3)
