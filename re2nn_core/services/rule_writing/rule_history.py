"""What became of the rules since a version: who changed a rule last, and which version an undo leads back to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from re2nn_core.errors import RuleError
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_writing.rule_saving import RETURNED, SAVING, return_to
from re2nn_core.services.team.people import require_role
from re2nn_core.store import ProjectRecord, RuleVersion, Store, list_versions

_RETURNED = re.compile(re.escape(RETURNED) + r"(\d+)")


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


def _rule(version: RuleVersion, name: str, lowercase: bool) -> Node | None:
    """The rule of a name; None where there is none, or the version cannot be read."""
    try:
        rules = read_rules(version.rules_text, lowercase=lowercase).ruleset.rules
    except RuleError:
        return None
    return next((rule.expanded for rule in rules if rule.name == name), None)


def undo_target(versions: Sequence[RuleVersion]) -> RuleVersion | None:
    """The version that an undo of the newest one leads back to; None where there is none before it.

    A version that is itself a return counts as the one that it returned to, so undo after undo goes on backwards, and
    never forth again.
    """
    known = {version.number: version for version in versions}
    now = known[max(known)]
    while (old := _returned_to(now, known)) is not None:
        now = old
    return known.get(now.number - 1)


def _returned_to(version: RuleVersion, known: Mapping[int, RuleVersion]) -> RuleVersion | None:
    """The older version that one brought back."""
    found = _RETURNED.fullmatch(version.message)
    old = None if found is None else known.get(int(found[1]))
    if old is None or old.number >= version.number:
        return None
    alike = (old.rules_text, old.logic_text) == (version.rules_text, version.logic_text)
    return old if alike and old.sentences_text == version.sentences_text else None


def undo(store: Store, project: ProjectRecord, number: int, *, author: str) -> RuleVersion | None:
    """Take version `number` back, by a new one that equals the one before it; None where there is none before it.
    ConflictError where `number` is the newest no more."""
    require_role(store, author, "reviewer", SAVING)
    target = undo_target([version for version in list_versions(store, project.id) if version.number <= number])
    return None if target is None else return_to(store, project, target.number, author=author, expected_number=number)
