"""What became of rules since a version: who changed one last, and what an undo leads back to."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from re2nn_core.errors import ConflictError
from re2nn_core.services.rule_writing.rule_history import last_change, undo, undo_target
from re2nn_core.services.rule_writing.rule_saving import return_to
from re2nn_core.store import (
    ProjectRecord,
    RuleVersion,
    Store,
    create_project,
    latest_version,
    list_versions,
    open_store,
    save_version,
)
from re2nn_core.text.corpus import Corpus, Example

FIRST = "[a]\none := $* first $*\ntwo := $* second $*\n"
SECOND = FIRST.replace("first", "( first | other )")
THIRD = SECOND.replace("second", "( second | other )")


def version(number: int, rules: str, message: str = "", logic: str = "") -> RuleVersion:
    moment = datetime(2026, 1, number, tzinfo=UTC)
    return RuleVersion(number, 1, number, rules, logic, f"person {number}", message, moment)


def history(*versions: RuleVersion) -> list[RuleVersion]:
    """The newest in front, as the store gives them."""
    return sorted(versions, key=lambda found: -found.number)


@pytest.mark.parametrize(("name", "changed_in"), [("one", 2), ("two", 3), ("gone", None)])
def test_the_version_that_changed_a_rule_last(name: str, changed_in: int | None) -> None:
    versions = history(version(1, FIRST), version(2, SECOND), version(3, THIRD), version(4, THIRD + "// a remark\n"))
    found = last_change(versions, name, lowercase=True)
    assert (None if found is None else found.number) == changed_in


def test_a_version_that_cannot_be_read_has_no_rules() -> None:
    versions = history(version(1, FIRST), version(2, "[a]\n( b\n"), version(3, FIRST))
    found = last_change(versions, "one", lowercase=True)
    assert found is not None
    assert found.number == 3


def test_an_undo_leads_to_the_version_before() -> None:
    versions = history(version(1, FIRST), version(2, SECOND), version(3, THIRD))
    assert undo_target(versions) == versions[1]
    assert undo_target(versions[-1:]) is None


def test_undo_after_undo_goes_on_backwards() -> None:
    back = version(4, SECOND, "Back to v2")
    versions = history(version(1, FIRST), version(2, SECOND), version(3, THIRD), back)
    assert undo_target(versions) == versions[-1]
    once_more = history(*versions, version(5, FIRST, "Back to v1"))
    assert undo_target(once_more) is None
    # What is accepted then is undone to what was there before it, not to what was left long ago.
    assert undo_target(history(*once_more, version(6, THIRD, "accepted"))) == once_more[0]


def test_only_a_true_return_counts_as_one() -> None:
    versions = history(version(1, FIRST), version(2, SECOND), version(3, THIRD, "Back to v1"))
    assert undo_target(versions) == versions[1]
    other_logic = history(version(1, FIRST), version(2, SECOND), version(3, FIRST, "Back to v1", logic="x"))
    assert undo_target(other_logic) == other_logic[1]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "re2nn.sqlite3") as opened:
        yield opened


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    examples = Corpus((Example("the first one", "a"),))
    return create_project(store, name="P", examples=examples, rules_text=FIRST, logic_text="", author="Ann")


def save(store: Store, project: ProjectRecord, rules: str) -> RuleVersion:
    return save_version(store, project.id, rules_text=rules, logic_text="", author="Ann", expected_number=None)


def test_what_was_accepted_is_taken_back_by_a_version_of_its_own(store: Store, project: ProjectRecord) -> None:
    save(store, project, SECOND)
    save(store, project, THIRD)
    back = undo(store, project, 3, author="Bob")
    assert back is not None
    assert (back.number, back.rules_text, back.author, back.message) == (4, SECOND, "Bob", "Back to v2")
    again = undo(store, project, 4, author="Bob")
    assert again is not None
    assert (again.number, again.rules_text) == (5, FIRST)
    assert undo(store, project, 5, author="Bob") is None
    assert len(list_versions(store, project.id)) == 5


def test_a_version_that_somebody_saved_meanwhile_is_not_undone(store: Store, project: ProjectRecord) -> None:
    save(store, project, SECOND)
    save(store, project, THIRD)
    with pytest.raises(ConflictError, match="Ann saved version 3"):
        undo(store, project, 2, author="Bob")
    assert latest_version(store, project.id).number == 3


def test_every_return_of_the_store_counts(store: Store, project: ProjectRecord) -> None:
    save(store, project, SECOND)
    return_to(store, project, 1, author="Ann", expected_number=2)
    assert undo_target(list_versions(store, project.id)) is None
