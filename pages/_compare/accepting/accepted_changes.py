"""What is taken over of what was read back, for labels and for slots: which rules, and what they do on all texts."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Generic, TypeVar

from pages._compare.accepting.conflicts import Conflicts, conflicts_of
from pages._compare.accepting.switches import draw_take_switch, is_taken, left_alone
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion


@dataclass(frozen=True)
class Choice:
    """The rules `taken` over of those that changed; `conflicts` are the changes that sentences of the rules stand
    against."""

    taken: frozenset[str]
    conflicts: Conflicts
    accepted: Acceptance

    @property
    def left_out(self) -> Conflicts:
        """The conflicts that are not taken over."""
        return {name: told for name, told in self.conflicts.items() if name not in self.taken}


Analysed = TypeVar("Analysed")
Moved = TypeVar("Moved")


@dataclass(frozen=True)
class TakenOver(Choice, Generic[Analysed, Moved]):
    """A choice, and what the rules do with it on all texts, against the newest version."""

    newest: RuleVersion
    before: Analysed
    now: Analysed
    effect: Moved


def choice_of(
    project: ProjectRecord,
    newest: RuleVersion,
    changed: frozenset[str],
    accept: Callable[[Collection[str]], Acceptance],
    key_of: Callable[[str], str],
    *,
    whole: bool = False,
) -> Choice:
    """The changed rules, less those that were left out by hand, and those that sentences stand against and nobody has
    chosen. `key_of` a rule: what the session knows its switch by; `whole`: all are taken over at once or none."""
    accepted = accept(changed)
    conflicts: Conflicts = {} if whole else conflicts_of(project, newest, accepted)
    taken = frozenset(name for name in changed if is_taken(key_of(name), conflict=name in conflicts))
    return Choice(taken, conflicts, accepted if taken == changed else accept(taken))


def draw_choice(title: str, name: str, key: str, found: Choice | None) -> None:
    """The switch that takes a rule over; nothing where the newest rules have it as it was read back."""
    if found is None:
        draw_take_switch(title, key)
    elif name not in found.accepted.there:
        draw_take_switch(title, key, refused=name in left_alone(found.accepted), conflict=name in found.conflicts)
