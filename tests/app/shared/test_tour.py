"""The tour: offered on Projects, six steps on the pages they are about, left at any time."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio

from pages._shared.catalog import PROJECTS
from pages._shared.components.tour import STEPS
from re2nn_core.store import ProjectRecord, Store, list_projects


def _keys(studio: Studio) -> set[str]:
    return {button.key for button in studio.test.button if (button.key or "").startswith("tour")}


def _click(studio: Studio, key: str) -> None:
    studio.test.button(key=key).click().run()
    studio.checked()


def _texts(studio: Studio) -> str:
    return "\n".join(element.value for element in studio.test.markdown)


def test_the_tour_has_at_most_six_steps_and_begins_at_projects() -> None:
    assert len(STEPS) <= 6
    assert STEPS[0].page is PROJECTS


def test_it_is_offered_on_projects_alone(studio: Studio, sample: ProjectRecord) -> None:
    studio.open("projects")
    assert _keys(studio) == {"tour_start", "tour_hide"}
    studio.open("predict", project=sample.id)
    assert _keys(studio) == set()


def test_hidden_it_does_not_come_back(studio: Studio) -> None:
    studio.open("projects")
    _click(studio, "tour_hide")
    assert _keys(studio) == set()
    studio.open("projects")
    assert _keys(studio) == set()


def test_each_step_is_shown_on_its_page_and_the_last_one_ends_it(studio: Studio, sample: ProjectRecord) -> None:
    studio.open("projects", project=sample.id)
    _click(studio, "tour_start")
    for number, step in enumerate(STEPS, 1):
        studio.open(step.page.file.removeprefix("pages/").removesuffix(".py"))
        assert f"Tour, step {number} of {len(STEPS)}: {step.page.title}." in _texts(studio)
        assert ("tour_back" in _keys(studio)) == (number > 1)
        assert "tour_leave" in _keys(studio)
    _click(studio, "tour_finish")
    assert "Tour, step" not in _texts(studio)
    studio.open("projects")
    assert _keys(studio) == set()


def test_without_a_project_it_opens_the_sample(studio: Studio, store: Store) -> None:
    studio.open("projects")
    _click(studio, "tour_start")
    _click(studio, "tour_open")
    assert [one.project.sample for one in list_projects(store)] == ["flight_intents"]
    assert "Tour, step 2 of 6: Write rules." in _texts(studio)


@pytest.mark.parametrize("page", ["rules", "train"])
def test_it_can_be_left_on_every_page(studio: Studio, sample: ProjectRecord, page: str) -> None:
    studio.open("projects", project=sample.id)
    _click(studio, "tour_start")
    studio.open(page)
    _click(studio, "tour_leave")
    assert "Tour, step" not in _texts(studio)


def test_it_begins_again_from_the_help(studio: Studio, sample: ProjectRecord) -> None:
    studio.open("projects", project=sample.id)
    _click(studio, "tour_hide")
    studio.open("rules")
    _click(studio, "help_open")
    _click(studio, "_help_tour")
    studio.test.run()
    assert "Tour, step 2 of 6: Write rules." in _texts(studio)
