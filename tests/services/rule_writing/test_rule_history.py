"""What became of rules since a version: who changed one last, and what an undo leads back to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from re2nn_core.errors import ConflictError
from re2nn_core.services.rule_writing.rule_history import changed_rules, last_change, redo, undo, undo_steps_of
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

Act = Callable[..., RuleVersion | None]
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


def test_the_rules_that_a_version_changed_or_added_are_named_in_its_order() -> None:
    later = version(3, THIRD.replace("[a]", "// a comment\n[a]\nnew := b"))
    assert changed_rules(version(2, SECOND), later, lowercase=True) == ("new", "two")
    assert changed_rules(version(1, FIRST), later, lowercase=True) == ("new", "one", "two")
    assert changed_rules(later, version(2, SECOND), lowercase=True) == ("two",)
    assert changed_rules(version(1, "[a]\none := ("), later, lowercase=True) == ()


def test_a_version_that_cannot_be_read_has_no_rules() -> None:
    versions = history(version(1, FIRST), version(2, "[a]\n( b\n"), version(3, FIRST))
    found = last_change(versions, "one", lowercase=True)
    assert found is not None
    assert found.number == 3


def shown(versions: list[RuleVersion]) -> tuple[int | None, int | None]:
    """The numbers of the versions whose steps can be undone, and redone."""
    steps = undo_steps_of(versions)
    return steps.last and steps.last.version.number, steps.undone and steps.undone.version.number


UNDONE = version(4, SECOND, "Undo of rules v3")
TWICE = version(5, FIRST, "Undo of rules v2")
BACK = version(4, FIRST, "Restored rules v1")
STEPS = (version(1, FIRST), version(2, SECOND), version(3, THIRD))


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        ((), (3, None)),
        ((UNDONE,), (2, 3)),
        ((UNDONE, TWICE), (None, 2)),
        ((UNDONE, TWICE, version(6, SECOND, "Redo of rules v2")), (2, 3)),
        # What is saved after an undo ends what can be redone, and is undone itself.
        ((UNDONE, TWICE, version(6, THIRD, "accepted")), (6, None)),
        # A restored version is a step like any other: its undo leads to what it replaced.
        ((BACK,), (4, None)),
        ((BACK, version(5, THIRD, "Undo of rules v4")), (3, 4)),
        (
            (BACK, version(5, THIRD, "Undo of rules v4"), version(6, FIRST, "Redo of rules v4")),
            (4, None),
        ),
        # Databases of earlier releases call it a version.
        ((version(4, SECOND, "Undo of version 3"),), (2, 3)),
        ((UNDONE, version(5, THIRD, "Redo of version 3")), (3, None)),
        # What only says that it undoes, or holds something else, is a step.
        ((version(4, THIRD, "Undo of rules v3"),), (4, None)),
        ((version(4, SECOND, "Undo of rules v3", logic="x"),), (4, None)),
        ((version(4, SECOND, "Undo of rules v2"),), (4, None)),
        ((UNDONE, version(5, SECOND, "Redo of rules v3")), (5, None)),
    ],
)
def test_what_can_be_undone_and_redone(later: tuple[RuleVersion, ...], expected: tuple[int | None, int | None]) -> None:
    assert shown(history(*STEPS, *later)) == expected


def test_the_first_version_cannot_be_undone() -> None:
    assert shown(history(STEPS[0])) == (None, None)


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


def test_steps_are_undone_and_redone_by_versions_of_their_own(store: Store, project: ProjectRecord) -> None:
    """By whoever of a team comes next: all walk over the same steps."""
    save(store, project, SECOND)
    save(store, project, THIRD)
    walked = [
        (undo, "Bob", SECOND, "Undo of rules v3"),
        (undo, "Ann", FIRST, "Undo of rules v2"),
        (redo, "Bob", SECOND, "Redo of rules v2"),
        (redo, "Cem", THIRD, "Redo of rules v3"),
        (undo, "Ann", SECOND, "Undo of rules v3"),
    ]
    for number, (act, author, rules, message) in enumerate(walked, start=3):
        saved = act(store, project, number, author=author)
        assert saved is not None
        assert (saved.number, saved.rules_text, saved.author, saved.message) == (number + 1, rules, author, message)
    save(store, project, FIRST)
    assert redo(store, project, 9, author="Bob") is None
    assert len(list_versions(store, project.id)) == 9


def test_nothing_is_undone_before_the_first_step(store: Store, project: ProjectRecord) -> None:
    assert undo(store, project, 1, author="Bob") is None
    assert redo(store, project, 1, author="Bob") is None


@pytest.mark.parametrize("act", [undo, redo])
def test_a_version_that_somebody_saved_meanwhile_stays(store: Store, project: ProjectRecord, act: Act) -> None:
    save(store, project, SECOND)
    undo(store, project, 2, author="Bob")
    save(store, project, THIRD)
    with pytest.raises(ConflictError, match="Ann saved rules v4"):
        act(store, project, 3, author="Bob") if act is redo else act(store, project, 2, author="Bob")
    assert latest_version(store, project.id).number == 4


def test_the_undo_of_a_restored_version_leads_to_what_it_replaced(store: Store, project: ProjectRecord) -> None:
    """Its sentences with it."""
    save(store, project, SECOND)
    sentences = '[one]\nmust = [\n    "my other one",\n]\n'
    save_version(
        store, project.id, rules_text=THIRD, logic_text="", sentences_text=sentences, author="Ann", expected_number=2
    )
    restored = return_to(store, project, 2, author="Ann", expected_number=3)
    assert (restored.message, restored.sentences_text) == ("Restored rules v2", "")
    undone = undo(store, project, 4, author="Ann")
    assert undone is not None
    assert (undone.rules_text, undone.sentences_text) == (THIRD, sentences)
