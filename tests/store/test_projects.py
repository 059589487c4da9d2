"""Projects: all or nothing, one name each, counts, deletion with everything below."""

from __future__ import annotations

from typing import Any

import pytest

from re2nn_core.errors import ConflictError, InputError, NotFoundError
from re2nn_core.store import (
    ProjectRecord,
    Store,
    create_project,
    create_run,
    delete_project,
    finish_run,
    get_project,
    get_text,
    latest_version,
    list_projects,
    record_label,
    rename_project,
    texts_of,
)
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization


def make(store: Store, name: str, *texts: Example) -> ProjectRecord:
    return create_project(store, name=name, examples=Corpus(texts), rules_text="", logic_text="", author="Ann")


def test_a_project_comes_back_as_it_was_made(store: Store) -> None:
    made = create_project(
        store,
        name="  Reisen 旅行 ",
        description="two\nlines",
        examples=Corpus((Example("a b", "x", "train"),)),
        tokenization=Tokenization("punctuation", lowercase=False),
        rules_text="[x]\na\n",
        logic_text='default = "x"\n',
        author="Ann",
        sample="reisen",
    )
    assert made == get_project(store, made.id)
    assert (made.name, made.task, made.description, made.sample) == (
        "Reisen 旅行",
        "classification",
        "two\nlines",
        "reisen",
    )
    assert made.tokenization == Tokenization("punctuation", lowercase=False)
    assert made.created_at == made.updated_at
    assert made.created_at.tzinfo is not None
    first = latest_version(store, made.id)
    assert (first.number, first.rules_text, first.logic_text, first.author) == (
        1,
        "[x]\na\n",
        'default = "x"\n',
        "Ann",
    )


@pytest.mark.parametrize(("first", "second"), [("Trips", "Trips"), ("Trips", " tRIPS "), ("Straße", "STRASSE")])
def test_a_taken_name_is_refused_with_a_free_one(store: Store, first: str, second: str) -> None:
    make(store, first)
    make(store, f"{second.strip()} 2")
    with pytest.raises(ConflictError) as refusal:
        make(store, second, Example("lost?"))
    assert str(refusal.value) == (
        f"There is already a project named {second.strip()!r}. Choose another name, for example "
        f"'{second.strip()} 3', or open the project that has it."
    )
    assert len(list_projects(store)) == 2


def test_nothing_is_left_of_a_project_that_cannot_be_stored(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr("re2nn_core.store.projects.insert_version", fail)
    with pytest.raises(OSError, match="the disk is gone"):
        make(store, "Half", Example("a text"))
    assert list_projects(store) == ()
    with store.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM text").scalar() == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "  "}, "the project's name is empty. Give it at least one character."),
        (
            {"name": "x" * 201},
            "the project's name has 201 characters; at most 200 can be stored. Shorten it.",
        ),
        ({"name": "a\tb"}, "the project's name holds the control character U+0009 at character 2. "),
        ({"author": ""}, "the author's name is empty."),
        ({"task": "parsing"}, "The task must be one of classification, slots (got 'parsing')."),
        ({"rules_text": "a\x00"}, "the rules holds a NUL character at character 2, which cannot be stored."),
        ({"logic_text": "\ud800"}, "the label logic holds U+D800, half of a surrogate pair, at character 1"),
        ({"description": "\udfff"}, "the description holds U+DFFF, half of a surrogate pair, at character 1"),
    ],
)
def test_what_cannot_be_stored_is_named(store: Store, change: dict[str, Any], message: str) -> None:
    values: dict[str, Any] = {
        "name": "A",
        "rules_text": "",
        "logic_text": "",
        "author": "Ann",
        "task": "classification",
    }
    with pytest.raises(InputError) as refusal:
        create_project(store, examples=Corpus(()), **{**values, **change})
    assert message in str(refusal.value)
    assert list_projects(store) == ()


def test_faults_of_an_upload_are_all_counted(store: Store) -> None:
    texts = [Example("fine"), Example("bad \ud83d", "x"), *(Example(f"t{n}", " ") for n in range(6))]
    with pytest.raises(InputError) as refusal:
        make(store, "A", *texts)
    lines = str(refusal.value).splitlines()
    assert lines[0] == (
        "text 2 holds U+D83D, half of a surrogate pair, at character 5, which cannot be stored. Remove that character."
    )
    assert lines[1] == "the label of text 3 is empty. Give it at least one character."
    assert lines[5:] == ["... and 2 more.", "Nothing was stored."]


def test_the_list_counts_and_puts_the_last_changed_in_front(store: Store, project: ProjectRecord) -> None:
    empty = make(store, "Empty")
    assert [summary.project.id for summary in list_projects(store)] == [empty.id, project.id]
    record_label(store, texts_of(store, project.id)[2].id, "ground", "Bob")
    for accuracy in (0.5, 0.75):
        finish_run(store, create_run(store, project.id, "train").id, "done", result={"accuracy": accuracy})
    finish_run(store, create_run(store, project.id, "train").id, "failed", error="no")
    trips, other = list_projects(store)
    assert trips.project == get_project(store, project.id)
    assert (trips.texts, trips.labelled, trips.runs, trips.last_accuracy) == (5, 4, 3, 0.75)
    assert trips.last_change == trips.project.updated_at > project.updated_at
    assert (other.texts, other.labelled, other.runs, other.last_accuracy) == (0, 0, 0, None)


def test_renaming_keeps_names_apart(store: Store, project: ProjectRecord) -> None:
    other = make(store, "Other")
    assert rename_project(store, other.id, "OTHER").name == "OTHER"
    with pytest.raises(ConflictError, match="already a project named 'trips'. Choose another name"):
        rename_project(store, other.id, "trips")
    with pytest.raises(NotFoundError, match="There is no project 99; it may have been deleted."):
        rename_project(store, 99, "New")


def test_deleting_takes_everything_along_but_other_projects(store: Store, project: ProjectRecord) -> None:
    other = make(store, "Other", Example("stays"))
    text = texts_of(store, project.id)[0]
    record_label(store, text.id, "fare", "Bob")
    run = create_run(store, project.id, "train")
    run.folder.mkdir(parents=True)
    (run.folder / "log.txt").write_text("log")
    with pytest.raises(ConflictError) as refusal:
        delete_project(store, project.id)
    assert str(refusal.value) == ("The project has 1 run at work or waiting. Cancel first, then delete the project.")
    finish_run(store, run.id, "cancelled")
    delete_project(store, project.id, person="Cleo")
    assert not run.folder.exists()
    assert [summary.project.id for summary in list_projects(store)] == [other.id]
    assert len(texts_of(store, other.id)) == 1
    with pytest.raises(NotFoundError, match=f"There is no text with the id {text.id}"):
        get_text(store, text.id)
    with store.reading() as connection:
        for table in ("run", "run_point", "event WHERE text_id IS NOT NULL"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0
        reported = connection.exec_driver_sql("SELECT person, value FROM event WHERE project_id IS NULL").all()
    assert [tuple(row) for row in reported] == [("Cleo", "Trips")]
    with pytest.raises(NotFoundError):
        delete_project(store, project.id)


def test_deletion_never_leaves_the_models_folder(store: Store, project: ProjectRecord) -> None:
    outside = store.folder / "outside"
    outside.mkdir(parents=True)
    run = create_run(store, project.id, "train")
    finish_run(store, run.id, "cancelled")
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE run SET folder = '../outside'")
    delete_project(store, project.id)
    assert outside.exists()


def test_an_id_is_never_given_twice(store: Store, project: ProjectRecord) -> None:
    delete_project(store, project.id)
    assert make(store, "Next").id > project.id
