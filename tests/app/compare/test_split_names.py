"""The names of splits beside figures of a network read back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pages._compare.split_names import dev_name, split_namer
from re2nn_core.services.fine_tuning.reports import TASK_KEY
from re2nn_core.store import RunRecord, TextRecord
from re2nn_core.task import Task

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def run_with(task: str, result: dict[str, Any]) -> RunRecord:
    return RunRecord(
        id=1, project_id=1, kind="train", rule_version_id=1, state="done", step=0, total=0, message="",
        config={TASK_KEY: task, "network": {}, "train": {}}, result=result, error=None, pid=None, heartbeat=None,
        cancel_requested=False, created_at=NOW, started_at=NOW, finished_at=NOW, folder=Path("model"),
    )  # fmt: skip


def test_without_dev_texts_all_labelled_ones_are_named() -> None:
    run, train = run_with(tuple(Task)[0], {"turns": False}), TextRecord(1, 1, 0, "a", None, "train", "x", None)
    assert split_namer(run, [train], "thresholds")("dev") == "all labelled texts (chose the thresholds)"
    assert dev_name(run, [train]) == "all labelled texts"
    assert dev_name(run, [train, replace(train, split="dev")]) == "dev"


@pytest.mark.parametrize(
    ("task", "result", "learned"),
    [
        (Task.SLOT_FILLING, {"from_dev": 10}, True),
        (Task.SLOT_FILLING, {"from_dev": 0}, False),
        (tuple(Task)[0], {"turns": True}, True),
        (tuple(Task)[0], {"turns": False}, False),
    ],
)
def test_dev_is_told_where_the_network_has_learned_from_it(task: str, result: dict[str, Any], learned: bool) -> None:
    name = split_namer(run_with(task, result), (), "changes")
    assert name("dev") == f"dev{' (also used for training)' if learned else ''} (chose the changes)"
    assert name("test") == f"test ({'held-out' if learned else 'checks the changes'})"
    assert name("other") == "other"
