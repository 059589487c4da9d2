"""How far a team is with its queue."""

from __future__ import annotations

from dataclasses import dataclass

from re2nn_core.store import Store, count_queue, labelled_until


@dataclass(frozen=True)
class QueueProgress:
    """`done` of `wanted` annotations are there; `people` holds how many texts each person has labelled. `second`: texts
    that wait for more annotations than they have; `held`: locked by an annotator; `flagged`: flagged; `until`: each
    person's last label that is counted, as the id of its event."""

    done: int
    wanted: int
    held: int
    second: int
    flagged: int
    people: tuple[tuple[str, int], ...]
    until: tuple[tuple[str, int], ...] = ()

    def last_of(self, person: str) -> int:
        """The id of the event of this person's last label that is counted; 0 where none is."""
        return dict(self.until).get(person, 0)

    def of(self, person: str) -> int:
        """How many this person has labelled."""
        return dict(self.people).get(person, 0)


def queue_progress(store: Store, project_id: int) -> QueueProgress:
    """Counts, read fresh from the store: with 100,000 texts that takes a moment."""
    counts = count_queue(store, project_id)
    wanted = counts.done + counts.held + counts.waiting
    given = labelled_until(store, project_id)
    people = tuple((person, texts) for person, (texts, _) in given.items())
    until = tuple((person, last) for person, (_, last) in given.items())
    return QueueProgress(counts.done, wanted, counts.held, counts.second, counts.flagged, people, until)
