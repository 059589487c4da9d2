"""How far each person has come in a queue, so that nobody's walk to their next text begins at the first one.

Where several people judge each text, whoever is ahead of the others passes all that they judged and the others have
not: thirty thousand texts, each time anew. So a place is kept before which there is nothing that they can be given: all
is judged by as many as should, or by them, or is flagged. It is moved on now and then. Where a text comes back that
may be theirs, it is moved back in the same transaction. A place that is too low costs time alone. One that is too high,
as two transactions on a server may leave it that do not see each other, is mended by the walk from the start that
follows where nothing is found. For this package alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Insert, Table, and_, bindparam, delete, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from re2nn_core.store.engine.bulk_rows import batched
from re2nn_core.store.log.events import RESOLVE
from re2nn_core.store.schema import EventRow, ReachRow, SeatRow

# One in so many annotations moves the place on, whichever these are.
_ONE_IN = 32
_PIECE = 500
_SEAT: Table = SeatRow.metadata.tables[SeatRow.__tablename__]
_EVENT: Table = EventRow.metadata.tables[EventRow.__tablename__]
_REACH: Table = ReachRow.metadata.tables[ReachRow.__tablename__]
_KEY = ("project_id", "person", "assigned")
_OWN = and_(
    _REACH.c.project_id == bindparam("of_project"),
    _REACH.c.person == bindparam("of_person"),
    _REACH.c.assigned == bindparam("of_assigned"),
)


def nothing_in_the_way(person: Any) -> Any:
    """No annotation or skip of the person, and nobody's flag, of a seat's text that was not taken back or settled."""
    undo = _EVENT.alias("undo")
    taken_back = select(undo.c.id).where(undo.c.undoes == _EVENT.c.id).correlate(_EVENT).exists()
    own = and_(_EVENT.c.person == person, _EVENT.c.kind.in_(("label", "skip")))
    flag = and_(_EVENT.c.kind == "flag", ~is_resolved())
    logged = select(_EVENT.c.id).where(_EVENT.c.text_id == _SEAT.c.text_id, or_(own, flag))
    return ~logged.where(~taken_back).correlate(_SEAT, _REACH).exists()


def is_resolved() -> Any:
    """Of an event that is a flag: somebody has resolved the flags of its text since, and nobody took that back."""
    resolved, undo = _EVENT.alias("settled"), _EVENT.alias("unsettled")
    taken_back = select(undo.c.id).where(undo.c.undoes == resolved.c.id).correlate(resolved).exists()
    since = resolved.c.text_id == _EVENT.c.text_id, resolved.c.kind == RESOLVE, resolved.c.id > _EVENT.c.id
    return select(resolved.c.id).where(*since, ~taken_back).correlate(_EVENT).exists()


def within_reach() -> Any:
    """A seat does not lie before the place that is kept for a person. Its parameters are those of a lease."""
    place = select(_REACH.c.place).where(_OWN).scalar_subquery()
    return and_(
        _SEAT.c.project_id == bindparam("of_project"),
        _SEAT.c.assigned == bindparam("of_assigned"),
        _SEAT.c.place >= func.coalesce(place, 0),
    )


def _further(dialect: Any) -> Any:
    key: list[Any] = [bindparam(name).label(column) for name, column in zip(_NAMES, _KEY, strict=True)]
    first = select(*key, _SEAT.c.place).where(within_reach(), ~_SEAT.c.done, ~_SEAT.c.closed)
    first = first.where(nothing_in_the_way(bindparam("of_person"))).order_by(_SEAT.c.place, _SEAT.c.id).limit(1)
    written = dialect.insert(_REACH).from_select([*_KEY, "place"], first)
    return written.on_conflict_do_update(index_elements=_KEY, set_={"place": written.excluded.place})


_NAMES = ("of_project", "of_person", "of_assigned")
_FURTHER: dict[str, Insert] = {"sqlite": _further(sqlite), "postgresql": _further(postgresql)}
_FORGET = delete(_REACH).where(_OWN)


def is_time(event_id: int) -> bool:
    """Whether the place is to be moved on behind this event: one in many, and not every second one of those of two
    people who judge in turns."""
    return (event_id * 2_654_435_761 >> 9) % _ONE_IN == 0


def move_on(connection: Connection, project_id: int, person: str, assigned: str) -> None:
    """Keep the first place where there is something that the person could still be given."""
    which = {"of_project": project_id, "of_person": person, "of_assigned": assigned}
    connection.execute(_FURTHER[connection.dialect.name], which)


def begin_again(connection: Connection, project_id: int, person: str, assigned: str) -> bool:
    """Let the person's next walk begin at the first text; False where it does anyway."""
    which = {"of_project": project_id, "of_person": person, "of_assigned": assigned}
    return bool(connection.execute(_FORGET, which).rowcount)


def move_back(connection: Connection, project_id: int, text_ids: Sequence[int]) -> None:
    """These texts came back: they are before nobody's place who may be given one of them."""
    for piece in batched(text_ids, _PIECE):
        here = _SEAT.c.text_id.in_(piece), nothing_in_the_way(_REACH.c.person)
        first = select(func.min(_SEAT.c.place)).where(*here).correlate(_REACH).scalar_subquery()
        behind = update(_REACH).where(_REACH.c.project_id == project_id, _REACH.c.place > first)
        connection.execute(behind.values(place=first))


def forget_all(connection: Connection, project_id: int) -> None:
    """The queue is laid out anew."""
    connection.execute(delete(_REACH).where(_REACH.c.project_id == project_id))
