"""Projects: made in one transaction with texts and rules, listed with counts, renamed, deleted."""

from __future__ import annotations

import shutil
from itertools import count

from sqlalchemy import Connection, delete, func, insert, select, update

from re2nn_core.errors import ConflictError, InputError
from re2nn_core.store.checks import check_corpus, check_line, check_name, check_text, now
from re2nn_core.store.database import Store
from re2nn_core.store.project_rows import hold_project, project_from_row, read_project
from re2nn_core.store.records import TASKS, UNFINISHED, ProjectRecord, ProjectSummary
from re2nn_core.store.schema import NAME_LENGTH, ProjectRow, RunRow, TextRow
from re2nn_core.store.texts import insert_texts
from re2nn_core.store.versions import check_version, insert_version
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization


def create_project(
    store: Store,
    *,
    name: str,
    examples: Corpus,
    rules_text: str,
    logic_text: str,
    author: str,
    task: str = "classification",
    description: str = "",
    tokenization: Tokenization | None = None,
    sample: str | None = None,
    ignore_slot_case: bool = False,
) -> ProjectRecord:
    """A new project with its texts, and its rules as version 1: all of it, or nothing."""
    if task not in TASKS:
        raise InputError(f"The task must be one of {', '.join(TASKS)} (got {task!r}).")
    tokenization = tokenization or Tokenization()
    name, moment = check_name(name), now()
    project = {
        "name": name,
        "name_key": name.casefold(),
        "task": task,
        "description": check_text(description, "the description"),
        "tokenizer": tokenization.kind,
        "lowercase": tokenization.lowercase,
        "sample": None if sample is None else check_line(sample, "the sample's name", NAME_LENGTH),
        "ignore_slot_case": ignore_slot_case,
        "created_at": moment,
        "updated_at": moment,
    }
    texts = check_corpus(examples, task, tokenization)
    version = check_version(rules_text, logic_text, author, "First version")
    with store.writing() as connection:
        _refuse_taken_name(connection, name)
        project_id = connection.execute(insert(ProjectRow).values(project).returning(ProjectRow.id)).scalar_one()
        insert_texts(connection, project_id, texts, first=0)
        insert_version(connection, project_id, 1, version)
        return read_project(connection, project_id)


def list_projects(store: Store) -> tuple[ProjectSummary, ...]:
    """All projects with their counts, the one changed last in front."""
    of_project = TextRow.project_id == ProjectRow.id
    accuracy = (
        select(RunRow.accuracy)
        .where(RunRow.project_id == ProjectRow.id, RunRow.state == "done", RunRow.accuracy.is_not(None))
        .order_by(RunRow.finished_at.desc(), RunRow.id.desc())
        .limit(1)
    )
    query = select(
        ProjectRow.__table__,
        select(func.count(TextRow.id)).where(of_project).scalar_subquery().label("texts"),
        select(func.count(TextRow.label)).where(of_project).scalar_subquery().label("labelled"),
        select(func.count(RunRow.id)).where(RunRow.project_id == ProjectRow.id).scalar_subquery().label("runs"),
        accuracy.scalar_subquery().label("last_accuracy"),
    ).order_by(ProjectRow.updated_at.desc(), ProjectRow.id.desc())
    with store.reading() as connection:
        return tuple(
            ProjectSummary(project_from_row(row), row.texts, row.labelled, row.runs, row.last_accuracy, row.updated_at)
            for row in connection.execute(query)
        )


def get_project(store: Store, project_id: int) -> ProjectRecord:
    with store.reading() as connection:
        return read_project(connection, project_id)


def rename_project(store: Store, project_id: int, name: str) -> ProjectRecord:
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
        return read_project(connection, project_id)


def set_slot_case(store: Store, project_id: int, *, ignore: bool) -> ProjectRecord:
    """Say whether the slots of a project's rules are those of its texts, whatever the case of their letters."""
    with store.writing() as connection:
        hold_project(connection, project_id)
        connection.execute(
            update(ProjectRow).where(ProjectRow.id == project_id).values(ignore_slot_case=ignore, updated_at=now())
        )
        return read_project(connection, project_id)


def delete_project(store: Store, project_id: int) -> None:
    """Remove a project, all that belongs to it, and the folders of its runs."""
    with store.writing() as connection:
        hold_project(connection, project_id)
        runs = connection.execute(select(RunRow.state, RunRow.folder).where(RunRow.project_id == project_id)).all()
        busy = sum(1 for state, _ in runs if state in UNFINISHED)
        if busy:
            raise ConflictError(
                f"The project has {busy} {'run' if busy == 1 else 'runs'} at work or waiting. "
                "Cancel first, then delete the project."
            )
        connection.execute(delete(ProjectRow).where(ProjectRow.id == project_id))
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
