"""The drawing of a difference in Chromium: click, search, zoom, fold and step, on machines of more than 100 states."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.app.app_studio import small_project
from support.app.served import in_chromium, opened_page, picture, served, sync_api

from re2nn_core.rules.read import read_rules
from re2nn_core.services.rule_difference.drawn_differences import machine_of
from re2nn_core.store import open_store, save_version
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium
ROWS = 14
FIRST = 120_000  # milliseconds: the first page of a server loads the libraries


def large_rule(added: str = "") -> str:
    """Rows of ten words: about 130 states; `added` comes into the middle of the third."""
    rows = [" ".join(f"w{row}x{word}" for word in range(10)) for row in range(ROWS)]
    rows[2] = rows[2].replace("w2x5", f"( w2x5 | {added} )" if added else "w2x5")
    return f"[flight]\nfly := {' | '.join(rows)}\n[baggage]\nbag := $* bag $*\n"


@pytest.mark.long
def test_a_large_difference_is_clicked_searched_and_walked_through(tmp_path: Path) -> None:
    with open_store(tmp_path / DATABASE_NAME) as store:
        project = small_project(store, "Large")
        for number, text in ((1, large_rule()), (2, large_rule("newword"))):
            save_version(store, project.id, rules_text=text, logic_text="", author="Ann", expected_number=number)
    with served(tmp_path) as address, opened_page() as page:
        page.goto(f"{address}/compare?project={project.id}")
        page.locator(".review .difference figure").nth(1).wait_for(timeout=FIRST)
        page.get_by_role("radio", name="Automata").click()
        page.locator(".review").wait_for(state="detached")
        page.locator(".difference figure").nth(1).wait_for(timeout=FIRST)
        folded = page.locator(".difference figure").first.locator(".state").count()
        assert folded < 100
        assert page.locator(".state text", has_text="states").count() > 0
        picture(page, "difference_folded")
        looks_into_folds(page)
        assert grounds_fit(page)
        heads = page.locator(".difference .arc .head").evaluate_all("all => all.map(e => getComputedStyle(e).fill)")
        assert heads
        assert "none" not in heads
        page.get_by_text("Fold unchanged parts").click()
        sync_api.expect(page.locator(".difference figure").first.locator(".state")).to_have_count(
            states_of(large_rule("newword")), timeout=20_000
        )
        search = page.locator(".difference input[type=search]")
        search.fill("newword")
        page.locator(".found", has_text="1 of 1").wait_for()
        changed = page.locator(".difference figure").nth(1).locator(".arc.changed").first
        assert "newword" in (changed.locator("title").text_content() or "")
        search.fill("w5x3")
        page.locator(".found", has_text="1 of 1").wait_for()
        page.locator(".difference figure").first.locator(".arc.hit-found .hit").click(force=True)
        page.locator(".re2-words", has_text="w5x3").first.wait_for()
        before = page.locator(".difference svg[role=img]").first.get_attribute("viewBox")
        page.locator(".difference button", has_text="+").first.click()
        views = [svg.get_attribute("viewBox") for svg in page.locator(".difference svg[role=img]").all()]
        assert views[0] == views[1] != before
        page.get_by_role("textbox", name="Step a sentence through both").fill("w2x0 w2x1")
        page.keyboard.press("Enter")
        sync_api.expect(page.locator(".difference .arc.walked")).to_have_count(2, timeout=20_000)
        sync_api.expect(page.locator(".difference .state.alive")).to_have_count(2)
        picture(page, "difference_stepped")


def looks_into_folds(page: sync_api.Page) -> None:
    """A word inside a fold is found there, and Enter on a fold lists what it stands for."""
    inside = page.locator(".difference .inside")
    sync_api.expect(inside).to_be_hidden()
    search, found = page.locator(".difference input[type=search]"), page.locator(".difference .found")
    search.fill("w5x3")
    sync_api.expect(found).to_have_text("1 of 1, in a fold")
    sync_api.expect(inside.locator("li")).to_have_count(1)
    sync_api.expect(inside).to_contain_text("w5x3")
    search.fill("nowhere")
    sync_api.expect(found).to_have_text("not found")
    sync_api.expect(inside).to_be_hidden()
    search.fill("")
    fold = page.locator(".difference figure").first.locator(".state.fold").first
    fold.focus()
    page.keyboard.press("Enter")
    sync_api.expect(inside).to_contain_text("Folded, all unchanged:")
    assert inside.locator("li").count() > 1
    page.keyboard.press("Escape")
    sync_api.expect(inside).to_be_hidden()
    assert fold.evaluate("element => element.matches(':focus')")
    # Nobody works by keys who cannot see where the focus is.
    assert fold.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"


LONG_RULE = " ".join(f"word{number}" for number in range(70))


@pytest.mark.long
def test_a_large_drawing_opens_at_what_changed(tmp_path: Path) -> None:
    """All changes lie far to the right; without a word to search for, Next goes from change to change."""
    after = LONG_RULE.replace("word50", "( word50 | new )").replace("word60", "other")
    with open_store(tmp_path / DATABASE_NAME) as store:
        project = small_project(store, "Long")
        for number, expression in ((1, LONG_RULE), (2, after)):
            text = f"[flight]\nfly := {expression}\n[baggage]\nbag := $* bag $*\n"
            save_version(store, project.id, rules_text=text, logic_text="", author="Ann", expected_number=number)
    with served(tmp_path) as address, opened_page() as page:
        page.goto(f"{address}/compare?project={project.id}")
        page.locator(".review .difference figure").nth(1).wait_for(timeout=FIRST)
        page.get_by_role("radio", name="Automata").click()
        page.locator(".review").wait_for(state="detached")
        page.locator(".difference figure").nth(1).wait_for(timeout=FIRST)
        sync_api.expect(page.get_by_role("switch", name="Fold unchanged parts")).not_to_be_checked()
        found, following = page.locator(".difference .found"), page.locator(".difference [data-do=next]")
        sync_api.expect(found).to_have_text("change 1 of 2")
        sync_api.expect(following).to_have_text("Next change")
        assert at_change_in_view(page)
        picture(page, "difference_opened")
        following.click()
        sync_api.expect(found).to_have_text("change 2 of 2")
        assert at_change_in_view(page)
        page.locator(".difference svg[role=img]").first.focus()
        page.keyboard.press("n")
        sync_api.expect(found).to_have_text("change 1 of 2")
        page.locator(".re2-words", has_text="new").first.wait_for()  # the list beside it follows
        sync_api.expect(page.locator(".difference svg[role=img]").first).to_be_focused()
        page.keyboard.press("n")
        sync_api.expect(found).to_have_text("change 2 of 2")
        page.locator(".re2-words", has_text="other").first.wait_for()
        page.locator(".difference input[type=search]").fill("word3")
        sync_api.expect(following).to_have_text("Next")


def at_change_in_view(page: sync_api.Page) -> bool:
    """Whether the change that is reported lies inside the first drawing."""
    drawing = page.locator(".difference svg[role=img]").first.bounding_box()
    change = page.locator(".difference figure").first.locator(".words.at-change").first.bounding_box()
    assert drawing is not None
    assert change is not None
    return drawing["x"] <= change["x"] and change["x"] + change["width"] <= drawing["x"] + drawing["width"]


def states_of(text: str) -> int:
    """How many states the first rule of a text has: its side of the drawing shows as many."""
    rule = read_rules(text).ruleset.rules[0]
    return len(machine_of(rule.expanded, rule.name, tagging=False))


def grounds_fit(page: sync_api.Page) -> bool:
    """Whether each label that is seen hides the line below it by an outline of its own letters: nothing beside them."""
    fits = page.locator(".difference figure").first.evaluate(
        """figure => [...figure.querySelectorAll(".words:not(.quiet)")].map((arc) => {
            const style = getComputedStyle(arc.querySelector("text"));
            return style.paintOrder.startsWith("stroke") && parseFloat(style.strokeWidth) <= 8
                && style.stroke !== "none" && !arc.querySelector("rect");
        })"""
    )
    return bool(fits) and all(fits)
