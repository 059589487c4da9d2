"""The threshold moved by hand on the page Compare."""

from __future__ import annotations

import pytest
from app_studio import Studio

from re2nn_core.store import ProjectRecord, Store, list_projects

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    [summary] = list_projects(store)
    return summary.project


def explored(studio: Studio, project: ProjectRecord) -> None:
    studio.open("compare", project=project.id)
    [switch] = [toggle for toggle in studio.test.toggle if toggle.label == "Move the threshold"]
    switch.set_value(True).run()
    studio.checked()


def test_what_dev_takes_is_shown_first(studio: Studio, project: ProjectRecord) -> None:
    explored(studio, project)
    [slider] = [found for found in studio.test.select_slider if found.label == "Threshold"]
    assert f"Dev takes {slider.value:.2f} where one threshold is to serve all rules." in studio.html
    assert "same answer as the network" in studio.html


def test_rule_and_figures_follow_the_threshold(studio: Studio, project: ProjectRecord) -> None:
    explored(studio, project)
    [slider] = [found for found in studio.test.select_slider if found.label == "Threshold"]
    shown = []
    for threshold in (slider.options[0], slider.options[-1]):
        [slider] = [found for found in studio.test.select_slider if found.label == "Threshold"]
        slider.set_value(float(threshold)).run()
        studio.checked()
        assert f" at {float(threshold):.2f}</div>" in studio.html
        shown.append(studio.html)
    assert shown[0] != shown[1]


def test_one_rule_moves_alone(studio: Studio, project: ProjectRecord) -> None:
    explored(studio, project)
    studio.test.segmented_control(key="compare_moving_1").set_value("this rule alone").run()
    studio.checked()
    changed = studio.html.split("<span>machines changed")[0].rsplit("<b>", 1)[1]
    assert changed.startswith(("0<", "1<"))
