"""See automaton in Chromium: a sentence stepped by keys, a transition's words, search, and links between pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app.app_studio import small_project
from support.app.served import adjudicated, in_chromium, picture, put_caret_behind, sync_api, window

from re2nn_core.services.projects.projects import open_sample
from re2nn_core.store import ProjectRecord, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium


@pytest.fixture(scope="module")
def project(server: tuple[str, Path]) -> ProjectRecord:
    with open_store(server[1] / DATABASE_NAME) as store:
        return small_project(store, "Seen")


@pytest.fixture
def page(browser: sync_api.Browser) -> Iterator[sync_api.Page]:
    with window(browser, 1024, 700) as opened:
        yield opened


def test_a_sentence_is_stepped_and_words_are_listed_and_found(
    page: sync_api.Page, server: tuple[str, Path], project: ProjectRecord
) -> None:
    page.goto(f"{server[0]}/automaton?project={project.id}&rule=to_place")
    drawing = page.locator(".automaton")
    drawing.locator(".name", has_text="to_place").wait_for()
    reported = drawing.locator(".told")
    reported.get_by_text("Matched.").wait_for()
    assert drawing.locator("svg").bounding_box()["y"] < 500, "in view without scrolling"
    drawing.locator(".text button").first.focus()
    page.keyboard.press("ArrowRight")
    reported.get_by_text("State 0 is active after 2 of").wait_for()
    assert drawing.locator(".state.lit").count() == 1
    drawing.get_by_label("Next word").click()
    reported.get_by_text("after 3 of").wait_for()
    drawing.locator(".arc", has_text="paris | rome").dispatch_event("click")
    inside = drawing.locator(".inside")
    inside.wait_for()
    assert "paris | rome" in inside.inner_text()
    inside.get_by_text("Close").click()
    drawing.get_by_label("Find a word or a state").fill("york")
    drawing.locator(".words.hit-found", has_text="new york").wait_for()
    assert drawing.locator(".found").inner_text() == "1 of 1"
    page.get_by_label("Step a sentence through the automaton").fill("to")
    page.keyboard.press("Enter")
    reported.get_by_text("Not matched.").wait_for()
    picture(page, "see-automaton")


@pytest.mark.parametrize(("width", "height"), [pytest.param(1440, 900, marks=pytest.mark.long), (1024, 700)])
def test_a_large_automaton_opens_whole_with_its_start_at_the_left(
    browser: sync_api.Browser, server: tuple[str, Path], width: int, height: int
) -> None:
    """And the legend names the marks that are drawn, no others."""
    with open_store(server[1] / DATABASE_NAME) as store:
        spam = open_sample(store, "message_spam", "anna")
    with window(browser, width, height) as page:
        page.goto(f"{server[0]}/automaton?project={spam.id}")
        page.locator(".automaton .told", has_text="Matched").wait_for()
        page.get_by_role("radio", name="Label", exact=True).click()
        drawing = page.locator(".automaton")
        drawing.locator(".name", has_text="spam").wait_for()
        assert "drag to see the rest" not in drawing.locator(".size").inner_text()
        view = drawing.locator("svg").bounding_box()
        states = [state.bounding_box() for state in drawing.locator(".state ellipse").all()]
        assert view is not None
        assert len(states) >= 20
        for state in states:
            assert state is not None
            assert view["x"] <= state["x"]
            assert state["x"] + state["width"] <= view["x"] + view["width"]
            assert view["y"] <= state["y"]
            assert state["y"] + state["height"] <= view["y"] + view["height"]
        assert states[0]["x"] < view["x"] + 0.1 * view["width"]
        legend = drawing.locator(".notes").inner_text()
        for meaning in ("start", "final state", "path that accepts the sentence", "$ any word", "% any number"):
            assert meaning in legend
        assert "for a slot" not in legend
        assert "found" not in legend
        drawing.get_by_label("Find a word or a state").fill("log")
        drawing.locator(".notes", has_text="or found").wait_for()


def test_a_rule_leads_from_page_to_page_and_back(
    page: sync_api.Page, server: tuple[str, Path], project: ProjectRecord
) -> None:
    """Predict, the rule in the editor, its automaton, and back: unsaved edits stay."""
    page.goto(f"{server[0]}/rules?project={project.id}")
    page.locator("textarea[aria-label=Rules]").wait_for()
    adjudicated(page)
    put_caret_behind(page, "[baggage]\n")
    page.keyboard.type("trunk := $* trunk $*\n")
    page.locator(".row.rule", has_text="trunk").wait_for()
    page.get_by_test_id("stTopNavLinkContainer").filter(has_text="Predict").click()
    page.locator(".st-key-predict_way button", has_text="project").click()
    link = page.locator("a.re2-rule-link", has_text="fly").first
    link.click()
    drawing = page.locator(".automaton")
    drawing.locator(".name", has_text="fly").wait_for()
    area = page.locator("textarea[aria-label=Rules]")
    assert area.evaluate("area => area.value.slice(area.selectionStart).split('\\n')[0]").startswith("fly :=")
    assert "trunk :=" in area.input_value()
    drawing.locator(".links a", has_text="See automaton").click()
    page.locator(".st-key-re2_bar", has_text="See automaton").wait_for()
    drawing.locator(".told").wait_for()
    drawing.locator(".name", has_text="fly").wait_for()
    drawing.locator(".links a", has_text="Write rules").click()
    page.locator(".row.rule.chosen", has_text="fly").wait_for()
    assert "trunk :=" in page.locator("textarea[aria-label=Rules]").input_value()
