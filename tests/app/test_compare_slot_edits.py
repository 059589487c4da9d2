"""What a rule for slots has learned, taken over edit by edit on the page Compare, and new rules one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from app_studio import Studio
from slot_run import finished_slot_run, slot_project

from re2nn_core.services.slot_readback import FILE, read_slots_back
from re2nn_core.store import (
    ProjectRecord,
    RunRecord,
    Store,
    latest_version,
    list_projects,
    list_runs,
    open_store,
    texts_of,
)

pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture(scope="module")
def trained_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run whose readback has two new rules as well."""
    folder = tmp_path_factory.mktemp("trained")
    with open_store(folder / "re2nn.sqlite3") as store:
        run = finished_slot_run(store, slot_project(store))
        read_slots_back(run, texts_of(store, run.project_id))
        plant_new_rules(run)
    return folder


def plant_new_rules(run: RunRecord) -> None:
    """The first marks every destination that the written rules miss; of the second no text says anything."""
    path = run.folder / FILE
    values = json.loads(path.read_text(encoding="utf-8"))
    found = values["reconstruction"]
    texts = {"learned.to.1": "$* to [ @far@ ]<to_city> $*", "learned.day.1": "good [ evening ]<day>"}
    found["rules_text"] += "@far@=( vienna | lisbon | cairo | quito )\n"
    found["rules_text"] += "".join(f"{name} := {text}\n" for name, text in texts.items())
    found["new_rules"] = [
        {"name": name, "slot": name.split(".")[1], "text": text, "gain": gain}
        for (name, text), gain in zip(texts.items(), (50, 30), strict=True)
    ]
    path.write_text(json.dumps(values), encoding="utf-8")


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    [summary] = list_projects(store)
    return summary.project


@pytest.fixture
def run(store: Store, project: ProjectRecord) -> RunRecord:
    [run] = list_runs(store, project.id)
    return run


def without_new_rules(run: RunRecord) -> None:
    path = run.folder / FILE
    values = json.loads(path.read_text(encoding="utf-8"))
    values["reconstruction"]["new_rules"] = []
    path.write_text(json.dumps(values), encoding="utf-8")


def test_an_edit_is_shown_with_what_it_does_and_accepted(
    studio: Studio, project: ProjectRecord, run: RunRecord, store: Store
) -> None:
    without_new_rules(run)
    studio.open("compare", project=project.id)
    table = studio.frame("edit")
    assert list(table["edit"]) == ["in the place of @city@ read any word"]
    assert "Each is proved on the transducers" in studio.html
    dev = studio.html.index("What was learned, edit by edit")
    assert "F1 on dev" in studio.html[dev:]
    next(box for box in studio.test.text_input if box.label == "Reason").set_value("any city").run()
    studio.test.button(key="compare_accept").click().run()
    studio.checked()
    saved = latest_version(store, project.id)
    assert (saved.number, saved.message) == (2, "any city")
    assert "to := $* to [ $ ]<to_city> $*" in saved.rules_text
    # Nothing else is taken over with it.
    assert "day := $* on [ monday | friday | foot ]<day> $*" in saved.rules_text
    assert "No small edit is left" in studio.html


def test_a_new_rule_is_taken_over_by_itself(studio: Studio, project: ProjectRecord, store: Store) -> None:
    studio.open("compare", project=project.id)
    part = studio.html[studio.html.index("This new rule by itself") :]
    assert "F1 on dev" in part
    assert "▲ +" in part
    studio.test.button(key="compare_new").click().run()
    studio.checked()
    saved = latest_version(store, project.id)
    assert saved.message == "new rule learned.to.1 (learned by run 1)"
    assert (
        "@far@=( vienna | lisbon | cairo | quito )\nlearned.to.1 := $* to [ @far@ ]<to_city> $*\n" in saved.rules_text
    )
    assert "learned.day.1" not in saved.rules_text
    assert "It is in the newest rules." in studio.html


def test_all_new_rules_are_taken_over_at_once(studio: Studio, project: ProjectRecord, store: Store) -> None:
    studio.open("compare", project=project.id)
    studio.test.button(key="compare_new_all").click().run()
    studio.checked()
    saved = latest_version(store, project.id)
    assert saved.message == "2 new rules (learned by run 1)"
    assert "learned.to.1 := " in saved.rules_text
    assert "learned.day.1 := " in saved.rules_text
    assert "to := $* to [ @city@ ]<to_city> $*" in saved.rules_text


def test_the_threshold_moves_rule_and_figures(studio: Studio, project: ProjectRecord, run: RunRecord) -> None:
    without_new_rules(run)
    studio.open("compare", project=project.id)
    [switch] = [toggle for toggle in studio.test.toggle if toggle.label == "Move the threshold"]
    switch.set_value(True).run()
    studio.checked()
    assert not studio.messages
    assert "where one threshold is to serve all rules." in studio.html
    assert "same words as the network" in studio.html
    assert "It stays as written: training changed nothing." in studio.html
    [slider] = [found for found in studio.test.select_slider if found.label == "Threshold"]
    slider.set_value(float(slider.options[-1])).run()
    studio.checked()
    assert " at 0.90</div>" in studio.html
