"""The next step of a project in the bar: a link to its page, and nothing on the page itself."""

from __future__ import annotations

from support.app.app_studio import Studio

from re2nn_core.store import ProjectRecord


def links(studio: Studio) -> list[str]:
    labels = (link.proto.label.replace("\\", "") for link in studio.test.get("page_link"))
    return [label for label in labels if label.startswith("Next: ")]


def test_the_bar_leads_to_the_next_step(studio: Studio, sample: ProjectRecord) -> None:
    studio.open("label", project=sample.id)
    assert links(studio) == ["Next: train rules v1"]
    studio.open("train")
    assert links(studio) == []


def test_without_a_project_there_is_none(studio: Studio) -> None:
    studio.open("label")
    assert links(studio) == []
