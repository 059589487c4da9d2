"""Rule versions: numbered one after the other, never overwritten, never lost to a second editor."""

from __future__ import annotations

import pytest

from re2nn_core.errors import ConflictError, InputError, NotFoundError
from re2nn_core.store import (
    ProjectRecord,
    Store,
    get_project,
    get_version,
    latest_version,
    list_versions,
    save_version,
    version_by_number,
)


def save(store: Store, project: ProjectRecord, rules: str, author: str, expected: int | None) -> int:
    return save_version(
        store,
        project.id,
        rules_text=rules,
        logic_text="",
        author=author,
        message=f" by {author} ",
        expected_number=expected,
    ).number


def test_versions_count_up_and_stay(store: Store, project: ProjectRecord) -> None:
    first = latest_version(store, project.id)
    assert save(store, project, "[a]\none\n", "Bob", 1) == 2
    assert save(store, project, "[a]\ntwo\n", "Cleo", 2) == 3
    versions = list_versions(store, project.id)
    assert [version.number for version in versions] == [3, 2, 1]
    assert versions[2] == first
    assert (versions[1].rules_text, versions[1].author, versions[1].message) == (
        "[a]\none\n",
        "Bob",
        "by Bob",
    )
    assert latest_version(store, project.id) == versions[0]
    assert get_version(store, versions[1].id) == version_by_number(store, project.id, 2) == versions[1]
    assert get_project(store, project.id).updated_at > project.updated_at


def test_a_second_editor_is_told_who_was_first(store: Store, project: ProjectRecord) -> None:
    save(store, project, "one", "Bob", 1)
    when = latest_version(store, project.id).created_at.strftime("%Y-%m-%d %H:%M UTC")
    with pytest.raises(ConflictError) as refusal:
        save(store, project, "two", "Cleo", 1)
    assert str(refusal.value) == (
        f"Bob saved rules v2 on {when}, after you opened rules v1. Nothing was saved. "
        "Compare your edit with rules v2, then save again on top of it."
    )
    assert latest_version(store, project.id).rules_text == "one"
    assert save(store, project, "two", "Cleo", 2) == 3
    assert save(store, project, "three", "Cleo", None) == 4


def test_a_version_from_nowhere_is_a_conflict(store: Store, project: ProjectRecord) -> None:
    with pytest.raises(ConflictError, match="started from rules v5, but the newest are v1. Load the rules"):
        save(store, project, "two", "Cleo", 5)


def test_missing_versions_are_named(store: Store, project: ProjectRecord) -> None:
    with pytest.raises(NotFoundError, match="There are no rules v3; this project has v1 to v1."):
        version_by_number(store, project.id, 3)
    with pytest.raises(NotFoundError, match="There is no rule version with the id 99"):
        get_version(store, 99)
    for ask in (latest_version, list_versions):
        with pytest.raises(NotFoundError, match="There is no project 99"):
            ask(store, 99)


def test_rules_that_cannot_be_stored_are_refused(store: Store, project: ProjectRecord) -> None:
    with pytest.raises(InputError, match="the rules holds U\\+D800, half of a surrogate pair, at character 3"):
        save(store, project, "ab\ud800", "Bob", 1)
    assert len(list_versions(store, project.id)) == 1


def test_sentences_are_kept_with_their_version_and_stay_where_none_are_given(
    store: Store, project: ProjectRecord
) -> None:
    text = '[a]\nmust = ["x"]\n'
    given = {"logic_text": "", "author": "Bob", "expected_number": None}
    save_version(store, project.id, rules_text="1", sentences_text=text, **given)  # type: ignore[arg-type]
    save_version(store, project.id, rules_text="2", **given)  # type: ignore[arg-type]
    save_version(store, project.id, rules_text="3", sentences_text="", **given)  # type: ignore[arg-type]
    assert [version.sentences_text for version in list_versions(store, project.id)] == ["", text, text, ""]
    with pytest.raises(InputError, match="the rules' sentences holds a NUL character at character 2"):
        save_version(store, project.id, rules_text="4", sentences_text="a\x00", **given)  # type: ignore[arg-type]
