"""The texts of a project: added in their order, read whole or by page, counted, searched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, func, select

from re2nn_core.errors import InputError, NotFoundError
from re2nn_core.store.checks import CheckedText, check_corpus, check_text
from re2nn_core.store.engine.bulk_rows import batched, insert_many
from re2nn_core.store.engine.database import Store
from re2nn_core.store.log.digest import TextsDigest
from re2nn_core.store.log.events import append_event
from re2nn_core.store.project_rows import hold_project, read_project
from re2nn_core.store.records import TextRecord
from re2nn_core.store.schema import EventRow, TextRow
from re2nn_core.store.staged_texts import Progress, staged_texts
from re2nn_core.text.corpus import Corpus, Example

_COLUMNS = TextRow.__table__
_INSERTED = ("project_id", "position", "text", "gold", "split", "label")
_ONE = select(_COLUMNS).where(TextRow.id == bindparam("of_text"))
# So many texts are written at a time.
_PIECE = 20_000


def add_texts(store: Store, project_id: int, corpus: Corpus, *, person: str = "") -> int:
    """Add texts behind those that are there, with the labels they come with; how many were added."""
    with store.reading() as connection:
        project = read_project(connection, project_id)
    texts = check_corpus(corpus, project.task, project.tokenization)
    with store.writing() as connection:
        hold_project(connection, project_id)
        insert_texts(connection, project_id, texts, first=_next_position(connection, project_id), person=person)
    return len(texts)


def import_texts(
    store: Store,
    project_id: int,
    examples: Iterable[Example],
    *,
    person: str = "",
    progress: Progress | None = None,
    written: Progress | None = None,
) -> int:
    """Add any number of texts, as a file gives them one by one, all or none (see staged_texts.py); how many were added.
    `progress` is reported how many were read, then `written` how many went in."""
    with store.reading() as connection:
        project = read_project(connection, project_id)
    with staged_texts(examples, project.task, project.tokenization, progress) as waiting, store.writing() as connection:
        hold_project(connection, project_id)
        first = _next_position(connection, project_id)
        return insert_texts(connection, project_id, waiting.texts(written), first=first, person=person)


def iterate_texts(store: Store, project_id: int) -> Iterator[TextRecord]:
    """All texts of a project in their order, one by one, as they were when the first was read."""
    query = select(_COLUMNS).where(TextRow.project_id == project_id).order_by(TextRow.position)
    with store.reading() as connection:
        read_project(connection, project_id)
        for rows in connection.execute(query.execution_options(yield_per=_PIECE // 4)).partitions():
            yield from (TextRecord(*row) for row in rows)


def texts_of(store: Store, project_id: int) -> tuple[TextRecord, ...]:
    """All texts of a project in their order."""
    query = select(_COLUMNS).where(TextRow.project_id == project_id).order_by(TextRow.position)
    with store.reading() as connection:
        read_project(connection, project_id)
        return tuple(TextRecord(*row) for row in connection.execute(query))


def list_texts(
    store: Store,
    project_id: int,
    *,
    split: str | None = None,
    labelled: bool | None = None,
    label: str | None = None,
    search: str | None = None,
    offset: int = 0,
    limit: int = 100,
) -> tuple[TextRecord, ...]:
    """One page of texts in their order. None filters nothing; `search` is a part of the text, in any case.
    InputError for numbers below 0."""
    if offset < 0 or limit < 0:
        raise InputError(f"offset and limit must be 0 or more (got {offset} and {limit}).")
    wanted = _filters(project_id, split, labelled, label, search)
    query = select(_COLUMNS).where(*wanted).order_by(TextRow.position).offset(offset).limit(limit)
    with store.reading() as connection:
        read_project(connection, project_id)
        return tuple(TextRecord(*row) for row in connection.execute(query))


def count_texts(
    store: Store,
    project_id: int,
    *,
    split: str | None = None,
    labelled: bool | None = None,
    label: str | None = None,
    search: str | None = None,
) -> int:
    """How many texts `list_texts` would show on all its pages."""
    wanted = _filters(project_id, split, labelled, label, search)
    with store.reading() as connection:
        read_project(connection, project_id)
        return connection.execute(select(func.count(TextRow.id)).where(*wanted)).scalar_one()


def get_text(store: Store, text_id: int) -> TextRecord:
    with store.reading() as connection:
        return read_text(connection, text_id)


def texts_by_id(store: Store, text_ids: Sequence[int]) -> dict[int, TextRecord]:
    """These texts, those that are there; at most some hundreds."""
    with store.reading() as connection:
        rows = connection.execute(select(_COLUMNS).where(TextRow.id.in_(list(text_ids))))
        return {row.id: TextRecord(*row) for row in rows}


def labels_of(store: Store, project_id: int, *, came: bool | None = None) -> tuple[str, ...]:
    """The labels in use, gold or given, in the order of the first text that has each. `came`: True for those alone that
    came with the data, False for those that people gave, in the order in which each was given first, so that a label
    keeps its place whatever is labelled later."""
    project = TextRow.project_id == project_id
    gold = select(TextRow.gold, func.min(TextRow.position)).where(project, TextRow.gold.is_not(None))
    label = select(TextRow.label, func.min(TextRow.position)).where(project, TextRow.label.is_not(None))
    annotated = select(TextRow.label).where(project, TextRow.annotator.is_not(None))
    given = select(EventRow.value, func.min(EventRow.id)).where(
        EventRow.project_id == project_id, EventRow.value.in_(annotated)
    )
    queries: list[Any] = []
    if came is not False:
        queries.append(gold.group_by(TextRow.gold))
    if came is None:
        queries.append(label.group_by(TextRow.label))
    if came is False:
        queries.append(given.group_by(EventRow.value))
    first: dict[str, int] = {}
    with store.reading() as connection:
        read_project(connection, project_id)
        for query in queries:
            for name, place in connection.execute(query):
                first[name] = min(place, first.get(name, place))
    return tuple(sorted(first, key=lambda name: (first[name], name)))


def label_counts(store: Store, project_id: int) -> dict[str, int]:
    """How many texts each label is the effective one of, the most frequent label in front."""
    query = (
        select(TextRow.label, func.count(TextRow.id).label("texts"))
        .where(TextRow.project_id == project_id, TextRow.label.is_not(None))
        .group_by(TextRow.label)
    )
    with store.reading() as connection:
        read_project(connection, project_id)
        counts = {row.label: row.texts for row in connection.execute(query)}
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def read_text(connection: Connection, text_id: int) -> TextRecord:
    """NotFoundError where there is none."""
    row = connection.execute(_ONE, {"of_text": text_id}).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no text with the id {text_id}; its project may have been deleted.")
    return TextRecord(*row)


def _next_position(connection: Connection, project_id: int) -> int:
    last = connection.execute(select(func.max(TextRow.position)).where(TextRow.project_id == project_id)).scalar()
    return 0 if last is None else last + 1


def insert_texts(
    connection: Connection,
    project_id: int,
    texts: Iterable[CheckedText],
    first: int,
    person: str = "",
    moment: datetime | None = None,
) -> int:
    """Add texts from position `first` on, in pieces, with one event for all of them; how many there were."""
    digest = TextsDigest()
    position = first
    for piece in batched(texts, _PIECE):
        rows = [
            (project_id, place, one.text, one.label, one.split, one.label) for place, one in enumerate(piece, position)
        ]
        for one in piece:
            digest.add(one.text, one.label, one.split)
        insert_many(connection, TextRow.__tablename__, _INSERTED, rows)
        position += len(rows)
    if digest.count:
        logged = {"first": first, "count": digest.count, "digest": digest.number()}
        append_event(connection, project_id, "texts", person=person, data=logged, moment=moment)
    return digest.count


def _filters(
    project_id: int, split: str | None, labelled: bool | None, label: str | None, search: str | None
) -> list[ColumnElement[bool]]:
    wanted: list[ColumnElement[bool]] = [TextRow.project_id == project_id]
    if split is not None:
        wanted.append(TextRow.split == check_text(split, "the split"))
    if labelled is not None:
        wanted.append(TextRow.label.is_not(None) if labelled else TextRow.label.is_(None))
    if label is not None:
        wanted.append(TextRow.label == check_text(label, "the label"))
    if search:
        wanted.append(TextRow.text.icontains(check_text(search, "the search"), autoescape=True))
    return wanted
