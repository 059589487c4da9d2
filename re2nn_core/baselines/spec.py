"""Which of the papers' other systems is meant: an ordinary network, and how it hears of the rules.

Names are those of the papers' tables in small letters: `bigru`, `cnn+kd`, `bigru+io+u`; for slots `bilstm`,
`bilstm-crf+pr`, `encoder+i` (Jiang et al., EMNLP 2020, section 4.2 and table 5; EMNLP 2021, section 4.1 and table 5).

    +i    rule results as input features (Luo et al., ACL 2018, section 3.3)
    +o    rule results on the logits (Luo et al., section 3.5)
    +io   both
    +kd   distillation from the rule system (Hinton et al., 2015)
    +pr   distillation from the student projected by the rules (Hu et al., ACL 2016)
    +u    texts without labels are learned from too, with the rules' predictions
"""

from __future__ import annotations

from dataclasses import dataclass

from re2nn_core.errors import InputError
from re2nn_core.task import Task, by_task

CRF = "-crf"
ENCODER = "encoder"
RECURRENT = ("rnn", "gru", "lstm", "birnn", "bigru", "bilstm")
BASES: dict[Task, tuple[str, ...]] = {
    Task.CLASSIFICATION: (*RECURRENT, "cnn", "dan"),
    Task.SLOT_FILLING: tuple(f"{base}{end}" for end in ("", CRF) for base in ("birnn", "bigru", "bilstm", ENCODER)),
}
KNOWLEDGE = ("i", "o", "io", "kd", "pr")
UNLABELLED = "u"


@dataclass(frozen=True)
class BaselineSpec:
    """`base` is one of BASES, `knowledge` one of KNOWLEDGE or empty; `unlabelled` is +u."""

    task: Task
    base: str
    knowledge: str = ""
    unlabelled: bool = False

    def __post_init__(self) -> None:
        if self.base not in BASES[self.task] or self.knowledge not in ("", *KNOWLEDGE):
            raise InputError(unknown_name(self.name, self.task))

    @property
    def name(self) -> str:
        """As in the tables."""
        return "+".join(filter(None, (self.base, self.knowledge, UNLABELLED if self.unlabelled else "")))

    @property
    def cell(self) -> str:
        """The kind of encoder: rnn, gru, lstm, cnn, dan or encoder."""
        return self.base.removesuffix(CRF).removeprefix("bi")

    @property
    def tags_words(self) -> bool:
        """Whether each word gets a tag, and not each text a label."""
        return self.task == Task.SLOT_FILLING

    @property
    def bidirectional(self) -> bool:
        return self.base.startswith("bi")

    @property
    def chain(self) -> bool:
        """Whether a CRF stands over the tags."""
        return self.base.endswith(CRF)

    @property
    def reads_rules(self) -> bool:
        """Rule results are input features."""
        return self.knowledge in ("i", "io")

    @property
    def adds_rules(self) -> bool:
        """Rule results are added to the logits."""
        return self.knowledge in ("o", "io")

    @property
    def imitates(self) -> bool:
        """The loss has a teacher beside the labels."""
        return self.knowledge in ("kd", "pr")


def spec_of(name: str, task: Task) -> BaselineSpec:
    """The system of a name. InputError where no system of the task has it."""
    base, *rest = name.strip().lower().split("+")
    base = base.removesuffix("-softmax")
    unlabelled = UNLABELLED in rest
    others = [part for part in rest if part != UNLABELLED]
    if base not in BASES[task] or len(others) > 1 or len(rest) - len(others) > 1 or not set(others) <= {*KNOWLEDGE}:
        raise InputError(unknown_name(name, task))
    return BaselineSpec(task, base, others[0] if others else "", unlabelled)


def is_baseline_name(name: str, task: Task) -> bool:
    """Whether a system of the task has this name."""
    try:
        spec_of(name, task)
    except InputError:
        return False
    return True


def unknown_name(name: str, task: Task) -> str:
    """What to tell where no baseline of the task has the name."""
    what = by_task(task, classification="labels", slot_filling="slots")
    return (
        f"'{name}' is no baseline for {what}: one of {', '.join(BASES[task])} is expected, then at most one of "
        f"{', '.join(f'+{part}' for part in KNOWLEDGE)}, then +u or not, such as {BASES[task][4]}+kd."
    )
