"""Many writers at once, in threads and in processes: nobody's work is lost or written twice."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from re2nn_core.errors import ConflictError
from re2nn_core.store import (
    ProjectRecord,
    Store,
    claim_run,
    create_run,
    get_version,
    label_history,
    list_projects,
    list_versions,
    open_store,
    rebuild_labels,
    record_label,
    save_version,
    texts_of,
    undo_last,
)

WRITER = Path(__file__).parent / "label_writer.py"
EACH = 60


def test_labels_of_threads_and_processes_are_all_kept(store: Store, project: ProjectRecord) -> None:
    texts = texts_of(store, project.id)

    def label(person: str) -> None:
        for number in range(EACH):
            record_label(store, texts[number % len(texts)].id, f"{person}-{number}", person)

    processes = [
        subprocess.Popen([sys.executable, str(WRITER), store.url, str(project.id), f"process {n}", str(EACH)])
        for n in range(2)
    ]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(label, [f"thread {n}" for n in range(4)]))
    assert [process.wait(60) for process in processes] == [0, 0]
    history = label_history(store, project.id, limit=10_000)
    written = Counter(event.annotator for event in history)
    assert written == {f"{kind} {n}": EACH for kind, many in (("thread", 4), ("process", 2)) for n in range(many)}
    for person in written:
        # In the order in which each person gave them.
        own = [event.label for event in reversed(history) if event.annotator == person]
        assert own == [f"{person}-{number}" for number in range(EACH)]
    newest = {event.text_id: event.label for event in reversed(history)}
    assert {text.id: text.label for text in texts_of(store, project.id)} == newest
    assert rebuild_labels(store, project.id) == 0


def test_two_undoing_at_once_take_back_different_labels(store: Store, project: ProjectRecord) -> None:
    text = texts_of(store, project.id)[0]
    for number in range(20):
        record_label(store, text.id, f"l{number}", "Ann")
    with ThreadPoolExecutor(4) as threads:
        undone = list(threads.map(lambda _: undo_last(store, project.id, "Ann"), range(20)))
    assert len({event.undoes for event in undone if event is not None}) == 20
    assert undo_last(store, project.id, "Ann") is None


def test_of_many_saving_on_one_version_one_succeeds(store: Store, project: ProjectRecord) -> None:
    def save(number: int) -> int | None:
        try:
            return save_version(
                store,
                project.id,
                rules_text=f"rules {number}",
                logic_text="",
                author=f"person {number}",
                expected_number=1,
            ).id
        except ConflictError:
            return None

    with ThreadPoolExecutor(8) as threads:
        saved = [version for version in threads.map(save, range(16)) if version is not None]
    assert len(saved) == 1
    assert [version.number for version in list_versions(store, project.id)] == [2, 1]
    assert get_version(store, saved[0]).number == 2


def test_one_place_is_given_once(store: Store, project: ProjectRecord) -> None:
    runs = [create_run(store, project.id, "train").id for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        claimed = list(threads.map(lambda run: claim_run(store, run, max_running=3, pid=1, host="here"), runs))
    assert sum(claimed) == 3


@pytest.mark.parametrize("round_number", range(3))
def test_many_open_a_new_database_at_once(tmp_path: Path, round_number: int) -> None:
    def open_it(_: int) -> int:
        with open_store(tmp_path / f"{round_number}.db") as store:
            return len(list_projects(store))

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(open_it, range(16))) == [0] * 16
