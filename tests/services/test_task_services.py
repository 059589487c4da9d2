"""What each task offers, by the same calls."""

from __future__ import annotations

import pytest

from re2nn_core.services.task_services import services_for
from re2nn_core.store import TextRecord
from re2nn_core.task import Task
from re2nn_core.text.tokenization import Tokenization

OLD = {Task.CLASSIFICATION: "[travel]\ngo := $* fly $*", Task.SLOT_FILLING: "go := $* to [ oslo ]<city> $*"}
NEW = {
    Task.CLASSIFICATION: "[travel]\ngo := $* ( fly | sail ) $*",
    Task.SLOT_FILLING: "go := $* to [ oslo | rome ]<city> $*",
}


def record(text: str, label: str | None) -> TextRecord:
    return TextRecord(1, 1, 0, text, None, None, label, None)


@pytest.mark.parametrize("task", Task)
def test_two_versions_are_compared(task: Task) -> None:
    services = services_for(task)
    old, new = (services.analyse(rules[task], "", Tokenization(), ()) for rules in (OLD, NEW))
    moved = services.compare(old, new, ["we fly to oslo", "we sail to rome"])
    assert [text.text for text in moved.moved] == ["we sail to rome"]
    side = services.rule_side(new, "rules v2")
    assert (side.title, tuple(side.rules), side.tagging) == ("rules v2", ("go",), task is Task.SLOT_FILLING)


@pytest.mark.parametrize(
    ("task", "label", "words"),
    [(Task.CLASSIFICATION, "travel", "travel"), (Task.SLOT_FILLING, '[[7, 11, "city"]]', "city: oslo")],
)
def test_what_stands_for_a_text_is_told_in_words(task: Task, label: str, words: str) -> None:
    services = services_for(task)
    assert services.in_words(record("fly to oslo", label)) == words
    assert services.in_words(record("fly", None)) == ""
