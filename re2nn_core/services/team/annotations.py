"""What a team has said of a project's texts, read once: annotations, flags, decisions, and the texts that wait."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from re2nn_core.errors import NotAllowedError
from re2nn_core.services.team.people import role_of_person
from re2nn_core.services.team.ratings import RatingTable, table_of
from re2nn_core.store import DECISION, Opinion, Store, TextRecord, get_queue, opinions_of

# Why the labels of others are kept back, and until when.
BLIND = "The queue is blind: annotations of others are hidden until it is closed."
Why = Literal["differ", "flagged", "reopened", "agreed", "alone"]


@dataclass(frozen=True, eq=False)
class TeamAnnotations:
    """`events`: what stands, in its order. `by_text`: text -> person -> their last annotation; `flags` and `decisions`
    by text, each the last one of its kind."""

    events: tuple[Opinion, ...]
    by_text: Mapping[int, Mapping[str, Opinion]]
    flags: Mapping[int, Opinion]
    decisions: Mapping[int, Opinion]

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Who has annotated, flagged or decided, in the order of their first event."""
        return tuple(dict.fromkeys(event.person for event in self.events))

    @cached_property
    def ratings(self) -> dict[str, dict[int, str]]:
        """Person -> text -> their last annotation."""
        found: dict[str, dict[int, str]] = {}
        for text_id, given in self.by_text.items():
            for person, opinion in given.items():
                found.setdefault(person, {})[text_id] = opinion.value
        return {person: found[person] for person in self.people if person in found}

    @cached_property
    def standing(self) -> tuple[Opinion, ...]:
        """The annotations that count, in their order: of each person the last one of each text."""
        return tuple(
            event
            for event in self.events
            if event.kind == "label" and self.by_text.get(event.text_id, {}).get(event.person) == event
        )

    @cached_property
    def table(self) -> RatingTable:
        """The same as arrays; for slots a label is all spans of a text."""
        return table_of(self.ratings)

    @cached_property
    def waiting(self) -> dict[int, Why]:
        """The texts that a reviewer should look at, and why:

        differ    two or more annotations, which differ
        flagged   somebody has flagged it
        reopened  it is decided, and somebody has said something else since
        """
        found: dict[int, Why] = {}
        for text_id in sorted(self.by_text.keys() | self.flags.keys()):
            why = self._why(text_id)
            if why is not None:
                found[text_id] = why
        return found

    def _why(self, text_id: int) -> Why | None:
        given = self.by_text.get(text_id, {})
        decision, flag = self.decisions.get(text_id), self.flags.get(text_id)
        if flag is not None and (decision is None or flag.event > decision.event):
            return "flagged"
        if decision is None:
            return "differ" if len({opinion.value for opinion in given.values()}) > 1 else None
        newer = (one for one in given.values() if one.event > decision.event)
        return "reopened" if any(one.value != decision.value for one in newer) else None

    def adjudicated(self, text_id: int) -> str | None:
        """What a text's label is by decision, or by two or more people who all say the same; else None."""
        if text_id in self.decisions:
            return self.decisions[text_id].value
        opinions = {opinion.value for opinion in self.by_text.get(text_id, {}).values()}
        several = len(self.by_text.get(text_id, {})) > 1
        return next(iter(opinions)) if several and len(opinions) == 1 else None


def team_annotations_from(events: Iterable[Opinion]) -> TeamAnnotations:
    """What follows from events that stand, in their order."""
    events = tuple(events)
    opinions: dict[int, dict[str, Opinion]] = {}
    flags: dict[int, Opinion] = {}
    decisions: dict[int, Opinion] = {}
    for event in events:
        if event.kind == "label":
            opinions.setdefault(event.text_id, {})[event.person] = event
        elif event.kind == DECISION:
            decisions[event.text_id] = event
        else:
            flags[event.text_id] = event
    return TeamAnnotations(events, opinions, flags, decisions)


def team_annotations_of(store: Store, project_id: int) -> TeamAnnotations:
    """What a project's team has said."""
    return team_annotations_from(opinions_of(store, project_id))


def may_see_annotations(store: Store, project_id: int, person: str) -> bool:
    """Whether a person may see what others say of single texts: not somebody who labels blind."""
    queue = get_queue(store, project_id)
    return queue is None or not queue.blind or role_of_person(store, person) != "annotator"


def as_seen_by(store: Store, project_id: int, person: str, team_annotations: TeamAnnotations) -> TeamAnnotations:
    """What of it a person may see: all of it, or where they label blind what they said themselves."""
    return team_annotations if may_see_annotations(store, project_id, person) else own_of(team_annotations, person)


def own_of(team_annotations: TeamAnnotations, person: str) -> TeamAnnotations:
    """What one member has annotated and flagged, as if there were nobody else."""
    return team_annotations_from(
        event for event in team_annotations.events if event.person == person and event.kind != DECISION
    )


def own_texts(
    records: Sequence[TextRecord],
    opinions: Mapping[int, Mapping[str, str]],
    person: str,
    queue: Collection[int] = frozenset(),
) -> tuple[TextRecord, ...]:
    """Texts with what one person has said of them, else with what they came with, which is no annotation; those of the
    queue without that too, since they are to be judged. `opinions`: text -> person -> their last label."""
    own = {text_id: given[person] for text_id, given in opinions.items() if person in given}

    def seen(one: TextRecord) -> TextRecord:
        gold = None if one.id in queue else one.gold
        if one.annotator is None and gold == one.gold:
            return one
        label = own.get(one.id, gold)
        return replace(one, gold=gold, label=label, annotator=person if one.id in own else None, decided=False)

    return tuple(map(seen, records))


def refuse_blind(store: Store, project_id: int, person: str) -> None:
    """NotAllowedError where what this person asks for would show them what others said while they label blind."""
    if not may_see_annotations(store, project_id, person):
        raise NotAllowedError(f"{BLIND} Ask a reviewer or an owner of the project for the file.")
