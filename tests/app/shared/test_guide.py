"""The help of a page: its own section first, then whatever is searched or chosen."""

from __future__ import annotations

from support.app.app_studio import Studio

from pages._shared.components.guide import _opening
from re2nn_core.guide.contents import topics
from re2nn_core.store import ProjectRecord


def _opened(studio: Studio, page: str, project: ProjectRecord | None = None) -> Studio:
    studio.open(page, **({} if project is None else {"project": project.id}))
    studio.test.button(key="help_open").click().run()
    return studio.checked()


def _markdown(studio: Studio) -> str:
    return "\n".join(element.value for element in studio.test.markdown)


def test_help_opens_at_the_section_about_the_page(studio: Studio, sample: ProjectRecord) -> None:
    _opened(studio, "predict", sample)
    assert "## Predict\n" in _markdown(studio)
    assert "Explain the selected text" in _markdown(studio)


def test_help_works_without_a_project(studio: Studio) -> None:
    _opened(studio, "projects")
    assert "## Projects\n" in _markdown(studio)


def test_the_opening_of_a_section_has_no_signs_of_tables() -> None:
    for topic in topics():
        for section in topic.sections:
            opening = _opening(section.text)
            assert not opening.startswith("|"), section.title
            assert "| --- |" not in opening, section.title
