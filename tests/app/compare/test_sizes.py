"""The size of the reconstruction on the page Compare: the curve, the choice, and what follows from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import cards, decided, seen_as, states
from support.projects.finished_run import plant_new_rules

from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE
from re2nn_core.store import ProjectRecord, RunRecord, Store

pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture
def planted(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> RunRecord:
    """Two new rules, of which the smaller size has `money.new` alone."""
    studio.open("compare", project=learnable.id)
    plant_new_rules(run)
    plant_sizes(run.folder / FILE)
    studio.test.run()
    studio.checked()
    return run


def plant_sizes(path: Path) -> None:
    values = json.loads(path.read_text(encoding="utf-8"))
    figures = values["reconstruction"]["accuracy"]
    names = ["money.new", "travel.new"]
    values["sizes"] = [{"names": names[:count], "words": count, "figures": figures} for count in range(3)]
    path.write_text(json.dumps(values), encoding="utf-8")


def choose(studio: Studio, run: RunRecord, changes: int) -> None:
    slider = seen_as(studio, "Figures").test.select_slider(key=f"compare_size_{run.id}")
    slider.set_value(changes).run()
    studio.checked()


def test_the_curve_is_of_unseen_texts_and_the_slider_names_the_sizes(studio: Studio, planted: RunRecord) -> None:
    seen_as(studio, "Figures")
    [chart] = [one for one in studio.test.get("plotly_chart") if "compare_size_curve" in str(one.proto)]
    lines = {line["name"]: line["x"] for line in json.loads(chart.proto.spec)["data"]}
    assert lines == {"accuracy on 16 test texts": [0, 1, 2], "same prediction as the network": [0, 1, 2]}
    slider = studio.test.select_slider(key=f"compare_size_{planted.id}")
    assert slider.options == ["1 added word, 1 change", "2 added words, all 2 changes"]
    assert slider.value == 2


def test_the_queue_and_the_rules_are_those_of_the_chosen_size(studio: Studio, planted: RunRecord, store: Store) -> None:
    decided(store, planted, "travel.new")
    decided(store, planted, "money.new")
    choose(studio, planted, 1)
    seen_as(studio, "By rule")
    assert list(cards(studio)) == ["money.new"]
    assert states(studio) == {"money.new": "accepted"}, "a decision stands, whatever the size"
    assert "Size: 1 added word, 1 change of 2" in studio.html
    assert "Save 1 accepted change as rules v2" in [button.label for button in studio.test.button]
    studio.test.button(key=f"compare_size_{planted.id}_all").click().run()
    seen_as(studio, "By rule")
    assert states(studio) == {"money.new": "accepted", "travel.new": "accepted"}
    assert "Size: " not in studio.html


def test_sizes_of_other_changes_are_not_offered(studio: Studio, planted: RunRecord) -> None:
    """As of what a former version stored."""
    path = planted.folder / FILE
    values = json.loads(path.read_text(encoding="utf-8"))
    values["sizes"] = values["sizes"][:2]
    path.write_text(json.dumps(values), encoding="utf-8")
    studio.test.run()
    seen_as(studio, "Figures")
    assert not studio.test.select_slider
    assert not studio.test.get("plotly_chart")
