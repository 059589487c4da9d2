"""Opening: where the database lies, what is refused, and what every connection has switched on."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import platformdirs
import pytest
from sqlalchemy import inspect
from support.projects import postgres_server

from re2nn_core.errors import ConflictError, DataFileError, InputError, UnavailableError
from re2nn_core.store import (
    Store,
    create_project,
    default_store_path,
    import_texts,
    list_projects,
    open_store,
    staged_texts,
    texts_of,
)
from re2nn_core.store.engine import database
from re2nn_core.store.schema import SCHEMA_VERSION
from re2nn_core.text.corpus import Corpus, Example

FULL = Path("/dev/full")
MANY = Corpus(tuple(Example(f"text {number} " * 50, None, None) for number in range(200)))


def test_a_database_is_made_with_its_folder_and_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder with blank & 100%?" / "re2nn.sqlite3"
    with open_store(path) as store:
        create_project(store, name="A", examples=Corpus(()), rules_text="", logic_text="", author="Ann")
        assert store.path == path
        assert store.folder == path.parent
        assert store.models_folder == path.parent / "models"
    with open_store(str(path)) as store:
        assert [summary.project.name for summary in list_projects(store)] == ["A"]


def test_an_address_opens_the_same_database_as_its_path(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db") as first, open_store(first.url) as second:
        create_project(first, name="A", examples=Corpus(()), rules_text="", logic_text="", author="Ann")
        assert second.path == first.path
        assert len(list_projects(second)) == 1


def test_the_default_place_is_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RE2NN_HOME", str(tmp_path / "home"))
    assert default_store_path() == tmp_path / "home" / "re2nn.sqlite3"
    with open_store() as store:
        assert store.models_folder == tmp_path / "home" / "models"
    monkeypatch.delenv("RE2NN_HOME")
    assert default_store_path().parent == Path(platformdirs.user_data_dir("re2nn-studio", appauthor=False))


def test_connections_write_ahead_and_keep_foreign_keys(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db") as store, store.writing() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 30_000


def test_a_newer_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE schema_version (version INTEGER PRIMARY KEY)")
        connection.execute("INSERT INTO schema_version VALUES (?)", (SCHEMA_VERSION + 1,))
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(DataFileError) as refusal:
        open_store(path)
    assert str(refusal.value) == (
        f"{path} was written by a newer version of this program (schema {SCHEMA_VERSION + 1}; this one reads "
        f"up to {SCHEMA_VERSION}). Install the newer version, or name another file."
    )
    assert path.read_bytes() == before


def test_a_database_without_its_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE schema_version (version INTEGER PRIMARY KEY)")
    with pytest.raises(DataFileError, match="names no schema version, so it is damaged. Restore it from a copy"):
        open_store(path)


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    with pytest.raises(DataFileError, match="is a database of another program. Name another one"):
        open_store(path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database\n" * 200)
    with pytest.raises(DataFileError, match="notes.txt is not an SQLite database. Name another file"):
        open_store(path)


@pytest.mark.parametrize("nowhere", [":memory:", "sqlite://", "sqlite:///:memory:", ""])
def test_memory_is_refused_because_other_processes_work_on_it(nowhere: str) -> None:
    with pytest.raises(InputError, match="in memory cannot be shared with the processes that train. Give a file"):
        open_store(nowhere)


def test_other_addresses_are_refused_without_showing_a_password(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refusal:
        open_store("mysql://ann:secret@server/re2nn")
    assert "mysql://ann:***@server/re2nn is of a kind this version cannot use" in str(refusal.value)
    with pytest.raises(InputError) as refusal:
        open_store("postgresql://ann:secret@server:port/re2nn")
    assert "'postgresql://***@server:port/re2nn' is no database address. Give a file," in str(refusal.value)
    with pytest.raises(
        InputError, match=r"postgresql://ann:\*\*\*@server names no database. Write it behind the server"
    ):
        open_store("postgresql://ann:secret@server")
    with pytest.raises(InputError, match="'://' is no database address. Give a file, sqlite:///path/to/file"):
        open_store("://")
    with pytest.raises(InputError, match="is a folder. Name a file in it"):
        open_store(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataFileError, match="folder .*file/inner cannot be made"):
        open_store(tmp_path / "file" / "inner" / "a.db")


def test_a_database_that_stays_busy_is_a_conflict_not_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.2)
    with open_store(tmp_path / "a.db") as store, open_store(tmp_path / "a.db") as other:
        with (
            other.writing(),
            pytest.raises(ConflictError, match="was busy for 0 seconds; nothing was stored"),
        ):
            create_project(store, name="A", examples=Corpus(()), rules_text="", logic_text="", author="Ann")
        create_project(store, name="A", examples=Corpus(()), rules_text="", logic_text="", author="Ann")


def test_a_block_that_raises_stores_nothing(store: Store) -> None:
    def write_half() -> None:
        with store.writing() as connection:
            connection.exec_driver_sql("CREATE TABLE half (way INTEGER)")
            assert inspect(connection).has_table("half")
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        write_half()
    with store.reading() as connection:
        assert not inspect(connection).has_table("half")


def test_what_the_store_needs_leaves_the_heavy_libraries_out() -> None:
    check = "import sys, re2nn_core.store, re2nn_core.jobs; print({'torch', 'streamlit'} & set(sys.modules))"
    annotation = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert annotation.stdout.strip() == "set()"


def test_the_environment_names_the_database(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RE2NN_DATABASE_URL", database)
    with open_store() as store, open_store(store.url) as same:
        create_project(store, name="A", examples=Corpus(()), rules_text="", logic_text="", author="Ann")
        assert len(list_projects(same)) == 1
        assert store.models_folder.parent == default_store_path().parent


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataFileError) as refusal:
        open_store(f"postgresql://ann:secret@/trips?host={tmp_path}")
    reported = str(refusal.value)
    assert "postgresql+psycopg://ann:***@/trips" in reported
    assert "cannot be reached" in reported
    assert reported.endswith(
        "Check that the server runs and that name, password and database in RE2NN_DATABASE_URL are correct."
    )


def test_a_database_that_is_not_there_is_named(postgres: postgres_server.Server) -> None:
    with pytest.raises(DataFileError, match='cannot be reached: .*database "nowhere" does not exist'):
        open_store(postgres.address("nowhere"))


def test_a_database_that_cannot_hold_every_language_is_refused(postgres: postgres_server.Server) -> None:
    address = postgres.database("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(DataFileError, match="keeps texts as LATIN1, which cannot hold every language. Create it again"):
        open_store(address)


def test_a_user_without_rights_is_told(postgres: postgres_server.Server) -> None:
    address = postgres.database()
    postgres.run("DROP ROLE IF EXISTS reader")
    postgres.run("CREATE ROLE reader LOGIN")
    name = address.split("/")[3].split("?")[0]
    with pytest.raises(DataFileError, match="may not do this: permission denied .* Grant the right to read, write"):
        open_store(postgres.address(name, user="reader"))


def test_a_file_that_may_only_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with open_store(path) as store:
        create_project(store, name="A", examples=Corpus(()), rules_text="", logic_text="", author="Ann")
        with store.reading() as connection:
            # As if the file's rights were gone, which count for nothing where tests run as root.
            connection.exec_driver_sql("PRAGMA query_only=ON")
        with pytest.raises(DataFileError) as refusal:
            create_project(store, name="B", examples=Corpus(()), rules_text="", logic_text="", author="Ann")
    assert str(refusal.value) == (
        f"The database {path} cannot be used: attempt to write a readonly database. "
        "See that the disk has room and that the file and its folder may be written."
    )


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with open_store(path) as store:
        with store.reading() as connection:
            # As if the disk had no room for one page more.
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        with pytest.raises(UnavailableError) as refusal:
            create_project(store, name="A" * 100, examples=MANY, rules_text="", logic_text="", author="Ann")
        assert list_projects(store) == ()
    assert str(refusal.value) == (
        f"No space left on the disk that holds {path}. Make room there, then try again. Nothing was stored."
    )


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
def test_a_disk_that_is_full_while_texts_are_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged_texts.tempfile, "TemporaryFile", lambda *_, **__: FULL.open("w"))
    monkeypatch.setattr(staged_texts.tempfile, "gettempdir", lambda: "/scratch")
    with open_store(tmp_path / "a.db") as store:
        project = create_project(store, name="A", examples=Corpus(()), rules_text="", logic_text="", author="Ann")
        with pytest.raises(DataFileError, match="No space left on the disk that holds /scratch. Make room there"):
            import_texts(store, project.id, MANY)
        assert texts_of(store, project.id) == ()
