"""The measurement of labelling: it counts what is there, and notices what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from re2nn_core.errors import InputError
from re2nn_core.services.annotation import annotation_load_test
from re2nn_core.services.annotation.annotation_load_test import Work, measure_labelling
from re2nn_core.store import list_projects, open_store


@pytest.mark.long
def test_every_text_is_labelled_once_by_processes_and_threads(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db") as store:
        found = measure_labelling(store, annotators=4, texts=40, processes=2)
        assert (found.labels, found.lost, found.double, found.errors) == (40, 0, 0, ())
        assert 0 < found.p50_ms <= found.p99_ms
        assert list_projects(store) == ()


def test_what_is_lost_or_double_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels that were acknowledged and never stored, one text by two people, and one error."""
    reported = Work(
        [(1, "Ann", "x"), (1, "Bob", "x"), (2, "Ann", "x")], [0.1, 0.2, 0.3], ["The database was busy"], 0.6
    )
    monkeypatch.setattr(annotation_load_test, "_all_work", lambda *_: reported)
    with open_store(tmp_path / "a.db") as store:
        found = measure_labelling(store, annotators=1, texts=3)
    assert (found.labels, found.lost, found.double, found.errors) == (3, 3, 1, ("The database was busy",))
    assert (found.p50_ms, found.processor_ms) == (pytest.approx(200), pytest.approx(200))


def test_nobody_cannot_label(tmp_path: Path) -> None:
    with (
        open_store(tmp_path / "a.db") as store,
        pytest.raises(InputError, match=r"number of annotators must be 1 or more \(got 0\)"),
    ):
        measure_labelling(store, annotators=0, texts=3)
