"""What was decided about the changes that a network learned: accepted, rejected, edited, or still open.

Decisions are the team's: they stand in the project's log, and everybody who reviews the run sees them. A change that
was rejected stays rejected in later runs, as long as it adds and removes nothing that was not rejected before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from re2nn_core.rules.named_leaves import leaf_names, named_leaves
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.tree import Node
from re2nn_core.services.team.people import require_role
from re2nn_core.store import Event, Store, record_review, review_events
from re2nn_core.text.word_lists import is_common_word


class ReviewState(Enum):
    """What stands of a change. The value is stored, and shown."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EDITED = "edited"

    @property
    def taken(self) -> bool:
        """Whether the rule is to change, as it was learned or as somebody edited it."""
        return self in (ReviewState.ACCEPTED, ReviewState.EDITED)


@dataclass(frozen=True)
class LearnedChange:
    """A change of one rule, told from others: its fingerprint, and the words that it adds and removes."""

    rule: str
    fingerprint: str
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ChangeDecision:
    """What stands of a change, and who decided it when; `text` is the rule as somebody edited it. `earlier`: it was
    decided about the change of another run."""

    state: ReviewState = ReviewState.OPEN
    by: str = ""
    at: datetime | None = None
    text: str = ""
    earlier: bool = False


UNDECIDED = ChangeDecision()


def learned_change(rule: str, before: Node | None, after: Node) -> LearnedChange:
    """The change of a rule between two expanded trees; `before` is None for a new rule."""
    old = frozenset() if before is None else named_leaves(before)
    new = named_leaves(after)
    text = "\x1f".join((rule, "" if before is None else print_expression(before), print_expression(after)))
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
    return LearnedChange(rule, digest, frozenset(leaf_names(new - old)), frozenset(leaf_names(old - new)))


def adds_only_common(change: LearnedChange, seen: Collection[str] | None = None) -> bool:
    """Whether all that a change does is to add words that only hold sentences together, beside words that are rare: not
    among those `seen` in several texts."""
    telling = (word for word in change.added if seen is None or word in seen or word.lower() in seen)
    return bool(change.added) and not change.removed and all(map(is_common_word, telling))


def decisions_of(store: Store, project_id: int, changes: Iterable[LearnedChange]) -> dict[str, ChangeDecision]:
    """What stands of each change, by its rule. NotFoundError for a project that is gone."""
    by_rule: dict[str, list[tuple[Event, Mapping[str, Any]]]] = {}
    for event in review_events(store, project_id):
        for one in (event.data or {}).get("decided", ()):
            by_rule.setdefault(one["rule"], []).append((event, one))
    return {change.rule: _standing(change, by_rule.get(change.rule, ())) for change in changes}


def decided_since(store: Store, project_id: int, moment: datetime | None) -> frozenset[str]:
    """The rules about whose change somebody has decided since a moment, and not opened it again. NotFoundError for a
    project that is gone."""
    states: dict[str, str] = {}
    for event in review_events(store, project_id):
        if moment is None or event.created_at >= moment:
            states.update((one["rule"], one["state"]) for one in (event.data or {}).get("decided", ()))
    return frozenset(rule for rule, state in states.items() if state != ReviewState.OPEN.value)


def _standing(change: LearnedChange, decided: Iterable[tuple[Event, Mapping[str, Any]]]) -> ChangeDecision:
    found = UNDECIDED
    for event, one in decided:
        state = ReviewState(one["state"])
        own = one["fingerprint"] == change.fingerprint
        if own:
            found = ChangeDecision(state, event.person, event.created_at, one["text"])
        elif _contains(one, change) and state in (ReviewState.REJECTED, ReviewState.OPEN):
            rejected = state is ReviewState.REJECTED
            found = ChangeDecision(state, event.person, event.created_at, earlier=True) if rejected else UNDECIDED
    return found


def _contains(decided: Mapping[str, Any], change: LearnedChange) -> bool:
    """Whether an earlier change did all that this one does."""
    names = change.added | change.removed
    return bool(names) and change.added <= set(decided["added"]) and change.removed <= set(decided["removed"])


def decide_changes(
    store: Store, project_id: int, decided: Iterable[tuple[LearnedChange, ChangeDecision]], person: str
) -> None:
    """Decide about changes as one action; of each `Decision` its state and text count. NotAllowedError for an
    annotator, NotFoundError for a project that is gone."""
    require_role(store, person, "reviewer", "review changes of rules")
    rows = [
        {
            "rule": change.rule,
            "fingerprint": change.fingerprint,
            "state": decision.state.value,
            "added": sorted(change.added),
            "removed": sorted(change.removed),
            "text": decision.text,
        }
        for change, decision in decided
    ]
    if rows:
        record_review(store, project_id, rows, person)
