"""Projects: made in one transaction with texts and rules, listed with counts, renamed, deleted."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from re2nn_core.errors import ConflictError
from re2nn_core.store.checks import CheckedText, check_corpus, check_line, check_name, check_text, now
from re2nn_core.store.engine.database import Store
from re2nn_core.store.log.events import append_event
from re2nn_core.store.policy import read_policy
from re2nn_core.store.project_rows import hold_project, project_from_row, projects_query, read_project
from re2nn_core.store.queue.archived import KeptQueue, check_kept_queue, write_kept_queue
from re2nn_core.store.records import UNFINISHED, ProjectRecord, ProjectSummary
from re2nn_core.store.replay.history import History, check_history, write_history
from re2nn_core.store.schema import NAME_LENGTH, ProjectRow, RunRow, TextRow
from re2nn_core.store.staged_texts import Progress, staged_texts
from re2nn_core.store.texts import insert_texts
from re2nn_core.store.versions import check_version, insert_version
from re2nn_core.task import Task, read_task
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization

# Rules are begun from so many texts.
_RULES_FROM = 20_000


def create_project(  # noqa: PLR0913 - what a project begins with, each by keyword
    store: Store,
    *,
    name: str,
    examples: Corpus,
    rules_text: str,
    logic_text: str,
    author: str,
    task: Task = Task.CLASSIFICATION,
    description: str = "",
    tokenization: Tokenization | None = None,
    sample: str | None = None,
    ignore_slot_case: bool = False,
    sentences_text: str = "",
    policy: str = "every",
) -> ProjectRecord:
    """A new project with its texts, and its rules as version 1: all of it, or nothing."""
    tokenization = tokenization or Tokenization()
    project = _checked_project(name, task, description, tokenization, sample, ignore_slot_case, policy)
    texts = check_corpus(examples, task, tokenization)
    version = check_version(rules_text, logic_text, author, "First version", sentences_text)
    with store.writing() as connection:
        project_id = _insert_project(connection, project, texts, author)
        insert_version(connection, project_id, 1, version, project["created_at"])
        return read_project(connection, project_id)


def create_from_stream(  # noqa: PLR0913 - what a project begins with, each by keyword
    store: Store,
    *,
    name: str,
    examples: Iterable[Example],
    rules_of: Callable[[Corpus], str],
    author: str,
    task: Task,
    description: str,
    tokenization: Tokenization,
    logic_text: str = "",
    progress: Progress | None = None,
    written: Progress | None = None,
) -> tuple[ProjectRecord, int]:
    """A new project from any number of texts, as files give them one by one, in one transaction (see staged_texts.py);
    and how many there are. `rules_of` makes its rules from the first ones. `progress` is reported how many were read,
    then `written` how many went in."""
    project = _checked_project(name, task, description, tokenization, None, False, "every")
    first: list[Example] = []
    with staged_texts(_keeping(first, examples), task, tokenization, progress) as waiting:
        version = check_version(rules_of(Corpus(tuple(first))), logic_text, author, "First version")
        with store.writing() as connection:
            project_id = _insert_project(connection, project, waiting.texts(written), author)
            insert_version(connection, project_id, 1, version, project["created_at"])
            return read_project(connection, project_id), waiting.count


def _keeping(first: list[Example], examples: Iterable[Example]) -> Iterator[Example]:
    """The examples; those that rules are made from are kept in `first`."""
    for example in examples:
        if len(first) < _RULES_FROM:
            first.append(example)
        yield example


def create_with_history(  # noqa: PLR0913 - what a project begins with, each by keyword
    store: Store,
    *,
    name: str,
    examples: Corpus,
    history: History,
    author: str,
    task: Task,
    description: str,
    tokenization: Tokenization,
    ignore_slot_case: bool,
    policy: str = "every",
    queue: KeptQueue | None = None,
) -> ProjectRecord:
    """A new project with all that was done in another one: rule versions, labels, undos, skips, flags and decisions,
    each with its person and moment, and the queue as it stands. All of it, or nothing."""
    project = _checked_project(name, task, description, tokenization, None, ignore_slot_case, policy)
    texts = check_corpus(examples, task, tokenization)
    check_history(history, texts, task, tokenization, project["policy"])
    if queue is not None:
        check_kept_queue(queue, len(texts))
    with store.writing() as connection:
        project_id = _insert_project(connection, project, texts, author)
        write_history(connection, project_id, history)
        if queue is not None:
            write_kept_queue(connection, project_id, queue)
        return read_project(connection, project_id)


def _checked_project(
    name: str,
    task: Task,
    description: str,
    tokenization: Tokenization,
    sample: str | None,
    ignore_slot_case: bool,
    policy: str,
) -> dict[str, Any]:
    """The row of a new project, whose moment is now."""
    name, moment = check_name(name), now()
    return {
        "name": name,
        "name_key": name.casefold(),
        "task": read_task(task).value,
        "description": check_text(description, "the description"),
        "tokenizer": tokenization.kind,
        "lowercase": tokenization.lowercase,
        "sample": None if sample is None else check_line(sample, "the sample's name", NAME_LENGTH),
        "ignore_slot_case": ignore_slot_case,
        "policy": read_policy(policy).written,
        "created_at": moment,
        "updated_at": moment,
    }


def _insert_project(connection: Connection, project: dict[str, Any], texts: Iterable[CheckedText], author: str) -> int:
    """The rows and events of a project and its texts; its id."""
    moment = project["created_at"]
    _refuse_taken_name(connection, project["name"])
    project_id = connection.execute(insert(ProjectRow).values(project).returning(ProjectRow.id)).scalar_one()
    logged = {key: value for key, value in project.items() if key not in ("name_key", "created_at", "updated_at")}
    append_event(connection, project_id, "project", person=author, data=logged, moment=moment)
    insert_texts(connection, project_id, texts, first=0, person=author, moment=moment)
    return project_id


def list_projects(store: Store) -> tuple[ProjectSummary, ...]:
    """All projects with their counts, the one changed last in front."""
    of_project = TextRow.project_id == ProjectRow.id
    measured = (RunRow.project_id == ProjectRow.id, RunRow.state == "done", RunRow.accuracy.is_not(None))
    last = select(RunRow.id).where(*measured).order_by(RunRow.finished_at.desc(), RunRow.id.desc()).limit(1)
    query = projects_query().add_columns(
        select(func.count(TextRow.id)).where(of_project).scalar_subquery().label("texts"),
        select(func.count(TextRow.label)).where(of_project).scalar_subquery().label("labelled"),
        select(func.count(RunRow.id)).where(RunRow.project_id == ProjectRow.id).scalar_subquery().label("runs"),
        last.scalar_subquery().label("last_run"),
        last.with_only_columns(RunRow.accuracy).scalar_subquery().label("last_accuracy"),
    )
    with store.reading() as connection:
        found = [
            ProjectSummary(
                project_from_row(row),
                row.texts,
                row.labelled,
                row.runs,
                row.last_accuracy,
                row.changed_at,
                row.last_run,
            )
            for row in connection.execute(query)
        ]
    return tuple(sorted(found, key=lambda summary: (summary.last_change, summary.project.id), reverse=True))


def get_project(store: Store, project_id: int) -> ProjectRecord:
    with store.reading() as connection:
        return read_project(connection, project_id)


def rename_project(store: Store, project_id: int, name: str, *, person: str = "") -> ProjectRecord:
    """Give a project another name, which no other project may have."""
    name = check_name(name)
    with store.writing() as connection:
        hold_project(connection, project_id)
        _refuse_taken_name(connection, name, besides=project_id)
        connection.execute(
            update(ProjectRow)
            .where(ProjectRow.id == project_id)
            .values(name=name, name_key=name.casefold(), updated_at=now())
        )
        append_event(connection, project_id, "rename", person=person, value=name)
        return read_project(connection, project_id)


def set_slot_case(store: Store, project_id: int, *, ignore: bool, person: str = "") -> ProjectRecord:
    """Say whether the slots of a project's rules are those of its texts, whatever the case of their letters."""
    with store.writing() as connection:
        hold_project(connection, project_id)
        connection.execute(
            update(ProjectRow).where(ProjectRow.id == project_id).values(ignore_slot_case=ignore, updated_at=now())
        )
        append_event(connection, project_id, "slot_case", person=person, data={"ignore": ignore})
        return read_project(connection, project_id)


def delete_project(store: Store, project_id: int, *, person: str = "") -> None:
    """Remove a project, all that belongs to it, and the folders of its runs. The log keeps that it was there.
    ConflictError while runs are at work."""
    with store.writing() as connection:
        hold_project(connection, project_id)
        runs = connection.execute(select(RunRow.state, RunRow.folder).where(RunRow.project_id == project_id)).all()
        busy = sum(1 for state, _ in runs if state in UNFINISHED)
        if busy:
            raise ConflictError(
                f"The project has {busy} {'run' if busy == 1 else 'runs'} at work or waiting. "
                "Cancel first, then delete the project."
            )
        name = read_project(connection, project_id).name
        connection.execute(delete(ProjectRow).where(ProjectRow.id == project_id))
        append_event(connection, None, "delete", person=person, value=name, data={"project": project_id})
    # After the commit: a folder left behind does no harm, a run without its folder would.
    for _, name in runs:
        folder = store.models_folder / name
        # The name comes from a file that may have been brought from elsewhere.
        if folder.resolve().parent == store.models_folder.resolve():
            shutil.rmtree(folder, ignore_errors=True)


def _refuse_taken_name(connection: Connection, name: str, besides: int | None = None) -> None:
    taken = dict(connection.execute(select(ProjectRow.name_key, ProjectRow.id)).tuples().all())
    if taken.get(name.casefold(), besides) == besides:
        return
    free = next(f"{name} {number}" for number in count(2) if f"{name} {number}".casefold() not in taken)
    raise ConflictError(
        f"There is already a project named {name!r}. Choose another name, for example {free!r}, "
        "or open the project that has it."
    )
