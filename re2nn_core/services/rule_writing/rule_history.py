"""What became of the rules since a version: who changed a rule last, and what an undo or a redo
would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.errors import RuleError
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_writing.rule_saving import SAVING, return_to
from re2nn_core.services.team.people import require_role
from re2nn_core.store import ProjectRecord, RuleVersion, Store, list_versions

# Messages of such versions, before the number of the step; the newest form in front, those of older databases behind.
UNDONE, REDONE = ("Undo of rules v", "Undo of version "), ("Redo of rules v", "Redo of version ")


@dataclass(frozen=True)
class UndoStep:
    """A version as a step from the one `before` it, which an undo brings back."""

    version: RuleVersion
    before: RuleVersion


@dataclass(frozen=True)
class Steps:
    """The `last` step, which an undo takes back, and the `undone` one that a redo makes again."""

    last: UndoStep | None
    undone: UndoStep | None


def last_change(versions: Sequence[RuleVersion], name: str, *, lowercase: bool) -> RuleVersion | None:
    """The newest of some versions, given with the newest in front, in which the rule of a name is another one than in
    the version before it; None where it is the same in all of them."""
    if not versions:
        return None
    now = _rule(versions[0], name, lowercase)
    for version, before in zip(versions, versions[1:], strict=False):
        then = _rule(before, name, lowercase)
        if then != now:
            return version
    return None


def changed_rules(before: RuleVersion, version: RuleVersion, *, lowercase: bool) -> tuple[str, ...]:
    """The names of the rules of a version that it added to another one or changed, in its order; none where one of the
    two cannot be read."""
    try:
        was, now = (read_rules(one.rules_text, lowercase=lowercase).ruleset.rules for one in (before, version))
    except RuleError:
        return ()
    known = {rule.name: rule.expanded for rule in was}
    return tuple(rule.name for rule in now if known.get(rule.name) != rule.expanded)


def _rule(version: RuleVersion, name: str, lowercase: bool) -> Node | None:
    """The rule of a name; None where there is none, or the version cannot be read."""
    try:
        rules = read_rules(version.rules_text, lowercase=lowercase).ruleset.rules
    except RuleError:
        return None
    return next((rule.expanded for rule in rules if rule.name == name), None)


def undo_steps_of(versions: Sequence[RuleVersion]) -> Steps:
    """What an undo and a redo would do to the newest of some versions, which begin with the first of the project.

    Read from the versions alone, so that all members of a team undo the same: each version is a step, but for those
    that say that they undo or redo one, and hold what that leaves. A version that is saved after an undo ends what can
    be redone.
    """
    done: list[UndoStep] = []
    undone: list[UndoStep] = []
    ordered = sorted(versions, key=lambda version: version.number)
    for before, version in zip(ordered, ordered[1:], strict=False):
        if done and _is(version, UNDONE, done[-1], done[-1].before):
            undone.append(done.pop())
        elif undone and _is(version, REDONE, undone[-1], undone[-1].version):
            done.append(undone.pop())
        else:
            done.append(UndoStep(version, before))
            undone.clear()
    return Steps(done[-1] if done else None, undone[-1] if undone else None)


def _is(version: RuleVersion, messages: tuple[str, ...], step: UndoStep, left: RuleVersion) -> bool:
    """Whether a version undoes or redoes a step: by its message, and by what it holds."""
    return version.message in {f"{message}{step.version.number}" for message in messages} and _texts(version) == _texts(
        left
    )


def _texts(version: RuleVersion) -> tuple[str, str, str]:
    return version.rules_text, version.logic_text, version.sentences_text


def undo(store: Store, project: ProjectRecord, number: int, *, author: str) -> RuleVersion | None:
    """Take back the last step of version `number`, by a new version that equals the one before that step; None where
    there is none. ConflictError where `number` is not the newest any more; NotAllowedError."""
    require_role(store, author, "reviewer", SAVING)
    step = undo_steps_of(_until(store, project, number)).last
    if step is None:
        return None
    message = f"{UNDONE[0]}{step.version.number}"
    return return_to(store, project, step.before.number, author=author, expected_number=number, message=message)


def redo(store: Store, project: ProjectRecord, number: int, *, author: str) -> RuleVersion | None:
    """Make again the step that was undone last; None where there is none. Errors as `undo`."""
    require_role(store, author, "reviewer", SAVING)
    step = undo_steps_of(_until(store, project, number)).undone
    if step is None:
        return None
    message = f"{REDONE[0]}{step.version.number}"
    return return_to(store, project, step.version.number, author=author, expected_number=number, message=message)


def _until(store: Store, project: ProjectRecord, number: int) -> list[RuleVersion]:
    return [version for version in list_versions(store, project.id) if version.number <= number]
