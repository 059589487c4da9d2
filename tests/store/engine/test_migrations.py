"""Databases of older versions are brought up to date without loss, and come to the same tables as a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, make_url, text

from re2nn_core.errors import DataFileError
from re2nn_core.store import (
    create_project,
    get_project,
    label_counts,
    label_history,
    labelled_by,
    list_events,
    list_projects,
    list_runs,
    list_versions,
    open_store,
    points,
    rebuild_labels,
    record_label,
    set_slot_case,
    texts_of,
    undo_last,
    undo_last_action,
)
from re2nn_core.store.engine.migrate import MIGRATIONS, upgrade
from re2nn_core.store.schema import SCHEMA_VERSION, Base
from re2nn_core.text.corpus import Corpus

OLD = Path(__file__).parents[2] / "testdata" / "stores"
MadeOld = Callable[[int], Path]


@pytest.fixture
def made_old(tmp_path: Path) -> MadeOld:
    """Makes a database as that version wrote it: the file holds its own SQL."""

    def make(version: int) -> Path:
        path = tmp_path / f"version_{version}.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((OLD / f"version_{version}.sql").read_text(encoding="utf-8"))
        return path

    return make


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_database_keeps_all_that_it_held(made_old: MadeOld, version: int) -> None:
    path = made_old(version)
    for _ in range(2):  # the second time there is nothing to do
        with open_store(path) as store:
            project = get_project(store, 1)
            assert [summary.project.name for summary in list_projects(store)] == ["Empty", "Trips"]
            assert project.ignore_slot_case == (version == 2)
            assert [(t.text, t.gold, t.label, t.annotator) for t in texts_of(store, 1)] == [
                ("show me flights to boston", "flight", "fare", "Ann"),
                ("what is the fare", "fare", "meal", "Bob"),
                ("list ground transport", None, "ground", "Bob"),
                ("Ärger mit dem Flug", "flight", "flight", None),
                ("去 波士顿", None, "flight", "Cléo"),
            ]
            assert [(e.id, e.text_id, e.label, e.annotator, e.action, e.undoes) for e in label_history(store, 1)] == [
                (6, 5, "flight", "Cléo", "label", None),
                (5, 3, "flight", "Ann", "undo", 4),
                (4, 3, "flight", "Ann", "label", None),
                (3, 3, "ground", "Bob", "label", None),
                (2, 2, "meal", "Bob", "label", None),
                (1, 1, "fare", "Ann", "label", None),
            ]
            assert labelled_by(store, 1) == {"Bob": 2, "Ann": 1, "Cléo": 1}
            assert label_counts(store, 1) == {"flight": 2, "fare": 1, "ground": 1, "meal": 1}
            assert [(v.number, v.rules_text, v.author) for v in list_versions(store, 1)] == [
                (2, "[flight]\n$* flights $*\n", "Bob"),
                (1, "[flight]\nflights\n", "Ann"),
            ]
            assert [(run.state, run.result, run.config) for run in list_runs(store, 1)] == [
                ("queued", None, {}),
                ("done", {"accuracy": 0.75}, {"rate": 0.5}),
            ]
            assert points(store, 1)[0].metrics == {"loss": 0.5}
            assert rebuild_labels(store, 1) == 0


@pytest.mark.parametrize("version", [1, 2])
def test_work_goes_on_in_an_older_database(made_old: MadeOld, version: int) -> None:
    with open_store(made_old(version)) as store:
        # Bob's two labels were one action before the change, and are one after it.
        assert sorted(event.undoes or 0 for event in undo_last_action(store, 1, "Bob")) == [2, 3]
        event = record_label(store, 1, "meal", "Ann")
        # An id is never given twice, nor is a moved one.
        assert event.id > max(e.id for e in label_history(store, 1)[1:])
        assert undo_last(store, 1, "Ann") is not None
        assert set_slot_case(store, 1, ignore=False) == get_project(store, 1)
        made = create_project(store, name="C", examples=Corpus(()), rules_text="", logic_text="", author="Ann")
        assert made.id == 3


def test_what_was_there_before_the_log_is_told_in_it(made_old: MadeOld) -> None:
    with open_store(made_old(1)) as store:
        reported = list_events(store, 1, kinds=("project", "texts", "version", "run", "run_end"))
        assert [event.kind for event in reversed(reported)] == [
            "project", "texts", "version", "version", "run", "run_end", "run",
        ]  # fmt: skip
        by_kind = {event.kind: event for event in reported}
        assert (by_kind["texts"].data or {})["count"] == 5
        assert (by_kind["run_end"].data or {})["result"] == {"accuracy": 0.75}
        assert [event.person for event in reported if event.kind == "version"] == ["Bob", "Ann"]


def test_migrations_come_to_the_tables_of_a_new_database(database: str) -> None:
    engine = create_engine(make_url(database.replace("postgresql:", "postgresql+psycopg:")))
    if engine.dialect.name == "sqlite":
        Path(engine.url.database or "").parent.mkdir(parents=True)
    with engine.begin() as connection:
        upgrade(connection)
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": False})
        differences = compare_metadata(context, Base.metadata)
        # Alembic knows nothing of an index that one kind of database goes without.
        only_sqlite = [] if engine.dialect.name == "sqlite" else ["text_by_label"]
        assert [difference[1].name for difference in differences] == only_sqlite
        assert connection.execute(text("SELECT version FROM schema_version")).scalar() == SCHEMA_VERSION
        # The check can fail.
        connection.execute(text("ALTER TABLE seat ADD COLUMN extra INTEGER"))
        assert len(compare_metadata(context, Base.metadata)) == len(differences) + 1
    engine.dispose()


def test_each_version_can_be_the_start(database: str) -> None:
    """Tables of every version, made by its migrations, are brought up to date by opening."""
    engine = create_engine(make_url(database.replace("postgresql:", "postgresql+psycopg:")))
    if engine.dialect.name == "sqlite":
        Path(engine.url.database or "").parent.mkdir(parents=True)
    with engine.begin() as connection:
        upgrade(connection, "1")
        _as_the_first_version_wrote(connection)
        connection.execute(text("DROP TABLE alembic_version"))
    engine.dispose()
    with open_store(database) as store:
        assert [(t.text, t.label, t.annotator) for t in texts_of(store, 1)] == [("a", "x", "Ann"), ("b", "y", None)]
        assert [(e.label, e.action) for e in label_history(store, 1)] == [("x", "label")]
        assert record_label(store, 1, "z", "Ann").id > label_history(store, 1)[1].id


def _as_the_first_version_wrote(connection: object) -> None:
    moment = "'2024-01-01 00:00:00'"
    for statement in (
        "INSERT INTO project (name, name_key, task, description, tokenizer, lowercase, created_at, updated_at) "
        f"VALUES ('A', 'a', 'classification', '', 'whitespace', true, {moment}, {moment})",
        "INSERT INTO text (project_id, position, text, gold, label, annotator) VALUES (1, 0, 'a', NULL, 'x', 'Ann'), "
        "(1, 1, 'b', 'y', 'y', NULL)",
        "INSERT INTO rule_version (project_id, number, rules_text, logic_text, author, message, created_at) "
        f"VALUES (1, 1, '', '', 'Ann', 'First', {moment})",
        "INSERT INTO label_event (project_id, text_id, label, annotator, action, batch, created_at) "
        f"VALUES (1, 1, 'x', 'Ann', 'label', 'abc', {moment})",
    ):
        connection.execute(text(statement))  # type: ignore[attr-defined]


def test_the_newest_migration_is_the_version_of_the_schema() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_current_head() == str(SCHEMA_VERSION)
    assert [script.revision for script in scripts.walk_revisions()] == [
        str(number) for number in range(SCHEMA_VERSION, 0, -1)
    ]


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    made_old: MadeOld, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made_old(2)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE seat (taken TEXT)")  # in the way of the last migration
        connection.commit()
    with pytest.raises(DataFileError, match="table seat already exists"):
        open_store(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version FROM schema_version").fetchone() == (2,)
        assert connection.execute("SELECT count(*) FROM label_event").fetchone() == (6,)
        connection.execute("DROP TABLE seat")
        connection.commit()
    with open_store(path) as store:
        assert len(texts_of(store, 1)) == 5
