"""`re2nn agreement`, and what `re2nn export` leaves out by the project's policy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import Call
from support.projects.conflicts import conflict_project
from support.projects.span_samples import annotated_project

from re2nn_core.store import Policy, Store, open_store, record_label, set_policy, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / DATABASE_NAME) as opened:
        yield opened


def test_coefficients_and_pairs(re2nn: Call, store: Store, tmp_path: Path) -> None:
    conflict_project(store)
    reported = re2nn("agreement", "--home", str(tmp_path), "--project", "conflicts", "--json")
    assert reported.code == 0
    data = reported.data
    assert data["judged_by"] == {"1": 1, "2": 2, "3": 1}
    assert data["together"]["texts"] == 3
    assert data["together"]["percent"]["value"] == pytest.approx(4 / 9)
    assert data["together"]["cohen"] == {
        "value": None,
        "why": "it compares two people, here are 3; see them pair by pair",
    }
    assert list(data["labels"]) == ["baggage", "flight"]
    assert {"one": "Ann", "other": "Bob"}.items() <= data["pairs"][0].items()
    assert data["pairs"][0]["cohen"]["value"] == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))
    text = re2nn("agreement", "--home", str(tmp_path), "--project", "conflicts", "--no-rules").out
    assert "Annotated: 1 text by 1, 2 texts by 2, 1 text by 3." in text
    assert "Cohen is undefined: it compares two people" in text
    assert "rule set" not in text


def test_slots(re2nn: Call, store: Store, tmp_path: Path) -> None:
    project = annotated_project(store)
    first, second, *_ = texts_of(store, project.id)
    for person, spans in (("Ann", '[[7,11,"to_city"]]'), ("Bob", "[]")):
        record_label(store, first.id, spans, person)
        record_label(store, second.id, second.gold or "", person)
    data = re2nn("agreement", "--home", str(tmp_path), "--project", "Trips", "--json").data
    assert data["together"]["percent"]["value"] == 0.5
    # Four spans and three: three of them the same.
    assert data["together"]["f1"]["value"] == pytest.approx(2 * 3 / 7)
    assert data["pairs"][0]["f1"]["value"] == pytest.approx(2 * 3 / 7)
    assert "to_city" in data["labels"]


def test_a_project_that_is_not_there(re2nn: Call, store: Store, tmp_path: Path) -> None:
    reported = re2nn("agreement", "--home", str(tmp_path), "--project", "X")
    assert (reported.code, reported.err) == (2, "Error: There is no project named 'X'. There are: none.\n")


def test_an_export_holds_what_trains(re2nn: Call, store: Store, tmp_path: Path) -> None:
    project, _ = conflict_project(store)
    set_policy(store, project.id, Policy("least", 2))
    file = tmp_path / "texts.jsonl"
    given = ("export", str(file), "--home", str(tmp_path), "--project", "Conflicts")
    reported = re2nn(*given)
    assert reported.out.endswith(
        "3 labels of the project may not train yet and stay out. On Team, Review, a reviewer decides or confirms them; "
        "--every-label writes them as they are.\n"
    )
    assert [json.loads(line)["label"] for line in file.read_text(encoding="utf-8").splitlines()] == [
        "flight", None, "baggage", "flight", None, None, None,
    ]  # fmt: skip
    assert re2nn(*given, "--json").data["waiting"] == 3
    assert re2nn(*given, "--every-label", "--json").data["waiting"] == 0
    labels = [json.loads(line)["label"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert labels == ["flight", "baggage", "flight", "flight", "flight", "baggage", None]
