"""Learning from the rules beside the labels: what a teacher says of each unit, and what the student loses by it.

    loss = (1 - w) CE(label, p) + w (what the teacher says against p),   w = (1 - student) * anneal^epoch

+kd: the teacher is the rule system, its prediction a logit of `trust` (Hinton et al., 2015, section 2: both sides at a
temperature T, the term times T squared). +pr: the teacher is the student itself, projected into the space that the
rules allow (Hu et al., ACL 2016, equations 2 to 4), anew in each step. Where the rules say nothing of a unit, its
label alone teaches.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from re2nn_core.baselines.config import BaselineConfig


def rule_teacher(predictions: Tensor, labels: int, config: BaselineConfig) -> Tensor:
    """[units, labels]: the probabilities that the rule system gives, at the temperature; predictions [units] >= 0."""
    if config.teacher == "hard":
        return functional.one_hot(predictions, labels).float()
    logits = config.trust * functional.one_hot(predictions, labels)
    return torch.softmax(logits / config.temperature, 1)


def projected(log_probabilities: Tensor, predictions: Tensor, trust: float) -> Tensor:
    """[units, labels]: the distribution nearest to the student's that the rules' constraints allow, their violation
    priced at `trust` (Hu et al., equations 3 and 4): q(y) ~ p(y) exp(-trust (1 - r(y))), r being 1 for the rules'
    prediction and 0 for other labels. From log_probabilities [units, labels] and predictions [units] >= 0."""
    agreed = functional.one_hot(predictions, log_probabilities.shape[1])
    return torch.softmax(log_probabilities - trust * (1 - agreed), 1)


def imitation_loss(log_probabilities: Tensor, predictions: Tensor, config: BaselineConfig, knowledge: str) -> Tensor:
    """[units]: what the student loses against its teacher, from its log_probabilities [units, labels]; 0 where the
    rules say nothing (predictions [units] below 0)."""
    decided, asked = predictions >= 0, predictions.clamp(min=0)
    if knowledge == "pr":
        with torch.no_grad():
            teacher = projected(log_probabilities, asked, config.trust)
        return -(teacher * log_probabilities).sum(1) * decided
    teacher = rule_teacher(asked, log_probabilities.shape[1], config)
    if config.teacher == "hard":
        return -(teacher * log_probabilities).sum(1) * decided
    student = torch.log_softmax(log_probabilities / config.temperature, 1)
    divergence = (torch.xlogy(teacher, teacher) - teacher * student).sum(1)  # Kullback-Leibler
    return config.temperature**2 * divergence * decided


def teacher_weight(config: BaselineConfig, epoch: int) -> float:
    """The teacher's share of the loss in an epoch, the first being 0."""
    return (1 - config.student) * config.anneal**epoch
