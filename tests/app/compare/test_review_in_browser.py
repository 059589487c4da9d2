"""The review in Chromium: walked and decided by keys, edited, saved, and two versions on the same screen."""

from __future__ import annotations

import shutil
from pathlib import Path

from support.app.compare_steps import change_reconstruction
from support.app.served import adjudicated, in_chromium, opened_page, picture, served, sync_api
from support.projects.finished_run import plant_a_change

from re2nn_core.store import latest_version, list_projects, list_runs, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium
FIRST = 120_000  # milliseconds: the first page of a server loads the libraries


def test_changes_are_reviewed_by_keys_and_saved(tmp_path: Path, trained_home: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(trained_home, home)
    with open_store(home / DATABASE_NAME) as store:
        project = list_projects(store)[0].project.id
        run = list_runs(store, project)[0]
    with served(home) as address, opened_page() as page:
        page.goto(f"{address}/compare?project={project}")
        page.locator(".review").or_(page.get_by_text("No change of a rule")).first.wait_for(timeout=FIRST)
        plant_a_change(run)
        change_reconstruction(run, "( flight | flights )", "( flight | flights | planes )", "go")
        page.reload()
        page.locator(".review svg").first.wait_for(timeout=FIRST)
        adjudicated(page)
        shows_a_label_beside_a_long_name(page)
        keeps_its_buttons_in_place(page)
        walks_and_decides(page)
        stays_at_a_change(page)
        stays_where_somebody_turned_to(page)
        sends_again_what_was_not_heard(page)
        lights(page)
        edits(page)
        picture(page, "review")
        page.get_by_role("button", name="Save 2 accepted changes as rules v2").wait_for()
        page.keyboard.press("Control+s")
        page.locator(".review nav .is.saved").first.wait_for()
        page.get_by_role("radio", name="Two rule versions").click()
        page.locator(".review.reading .re2-new", has_text="planes").wait_for()
        assert page.locator(".review nav li .more").count() == 0  # a part of a class would move the verdict
    with open_store(home / DATABASE_NAME) as store:
        rules = latest_version(store, project).rules_text
        assert "( price | fare | cost )" in rules
        assert "go := $* ( flight | flights | planes | jets ) $*" in rules


def shows_a_label_beside_a_long_name(page: sync_api.Page) -> None:
    """Names of rules that are made from a label begin like it, and both may be long."""
    width, inside = page.locator(".review nav li").first.evaluate(
        """row => {
            const who = row.querySelector(".who"), of = row.querySelector(".of"), chip = of.querySelector(".re2-chip");
            const before = [who.innerHTML, chip.innerHTML];
            who.textContent = "restaurant_reservation_of_a_table.new";
            chip.textContent = "restaurant_reservation";
            const [room, shown] = [of, chip].map(one => one.getBoundingClientRect());
            [who.innerHTML, chip.innerHTML] = before;
            return [room.width, shown.right <= room.right + 0.5];
        }"""
    )
    assert width > 50
    assert inside


def name(page: sync_api.Page) -> sync_api.Locator:
    return page.locator(".review .title .name")


def state(page: sync_api.Page, rule: str) -> sync_api.Locator:
    return page.locator(f".review nav li[data-rule={rule}] .is")


def walks_and_decides(page: sync_api.Page) -> None:
    """J and K go through the queue; a decision goes on to the next open change; U and Shift+U take it back."""
    sync_api.expect(name(page)).to_have_text("price")
    page.keyboard.press("j")
    sync_api.expect(name(page)).to_have_text("go")
    page.keyboard.press("k")
    sync_api.expect(name(page)).to_have_text("price")
    page.keyboard.press("a")
    sync_api.expect(state(page, "price")).to_have_text("Accepted")
    sync_api.expect(name(page)).to_have_text("go")
    page.get_by_role("button", name="Save 1 accepted change as rules v2").wait_for()
    page.keyboard.press("r")
    sync_api.expect(state(page, "go")).to_have_text("Rejected")
    page.locator(".review [data-act=undo][title*='rejected “go”']").wait_for()
    page.keyboard.press("u")
    sync_api.expect(state(page, "go")).to_have_text("No gain")
    page.locator(".review [data-act=redo][title*='rejected “go”']").wait_for()
    page.keyboard.press("Shift+U")
    sync_api.expect(state(page, "go")).to_have_text("Rejected")


def stays_at_a_change(page: sync_api.Page) -> None:
    """The address follows the change that an undo leads to, another view shows its rule, and the review goes on at it;
    the second click of a double click decides nothing."""
    page.locator(".review nav li[data-rule=price]").click()
    page.keyboard.press("u")
    page.keyboard.press("u")
    sync_api.expect(state(page, "price")).to_have_text("Thin evidence")
    page.wait_for_url("**rule=price*")
    page.locator(".review [data-act=accept]").dblclick()
    sync_api.expect(name(page)).to_have_text("go")
    sync_api.expect(state(page, "price")).to_have_text("Accepted")
    page.wait_for_url("**rule=go*")
    sync_api.expect(state(page, "go")).to_have_text("No gain")
    page.keyboard.press("r")
    sync_api.expect(state(page, "go")).to_have_text("Rejected")
    leaves(page)
    page.get_by_role("radio", name="By rule").click()
    page.locator(".review svg").first.wait_for()
    sync_api.expect(name(page)).to_have_text("go")


def leaves(page: sync_api.Page) -> None:
    page.get_by_role("radio", name="By word").click()
    page.get_by_text("Learned edits, one by one").wait_for()
    page.locator(".review").wait_for(state="detached")  # one that is on its way out hears no key


def stays_where_somebody_turned_to(page: sync_api.Page) -> None:
    """A click on another change while an undo is on its way wins over the change that the undo leads to."""
    page.keyboard.press("u")
    page.locator(".review nav li[data-rule=price]").click()
    sync_api.expect(state(page, "go")).to_have_text("No gain")
    sync_api.expect(name(page)).to_have_text("price")
    page.locator(".review [data-act=redo][title*='rejected “go”']").wait_for()
    page.keyboard.press("Shift+U")
    sync_api.expect(state(page, "go")).to_have_text("Rejected")
    sync_api.expect(name(page)).to_have_text("go")


def sends_again_what_was_not_heard(page: sync_api.Page) -> None:
    """What was sent last while another view took the review away is sent by the review that comes next; what was heard
    is not kept."""
    assert page.evaluate("[...window.re2nnReviewActs.values()].flat().length") == 0
    leaves(page)
    page.evaluate("[...window.re2nnReviewActs.values()][0].push({ kind: 'undo', number: Date.now() })")
    page.get_by_role("radio", name="By rule").click()
    sync_api.expect(state(page, "go")).to_have_text("No gain")
    page.locator(".review [data-act=redo][title*='rejected “go”']").wait_for()
    page.keyboard.press("Shift+U")
    sync_api.expect(state(page, "go")).to_have_text("Rejected")


def keeps_its_buttons_in_place(page: sync_api.Page) -> None:
    """After a click on Accept the same place is the Accept of the next change, and the button that saves is far below;
    in a small window too, where the rule and its automata are seen one at a time."""
    accept, save = page.locator(".review [data-act=accept]"), page.get_by_role("button", name="Save 1 accepted change")
    for width, height in ((1440, 900), (1024, 700)):
        page.set_viewport_size({"width": width, "height": height})
        comes_to_rest(accept)  # the review takes its room
        tabs = page.locator(".review .tabs")
        assert tabs.is_visible() is (width < 1440)
        if tabs.is_visible():  # the automata have the whole height in their turn
            page.locator(".review .drawing").wait_for(state="hidden")
            page.locator(".review [data-tab=drawing]").click()
            panes = box_of(page.locator(".review .panes"))
            assert panes["y"] < 330  # right below the buttons
            assert panes["y"] + panes["height"] < box_of(page.locator(".review .foot"))["y"]
        before, drawing = box_of(accept), box_of(page.locator(".review .drawing svg").first)
        foot = box_of(page.locator(".review .foot"))
        assert drawing["y"] + 60 < foot["y"]
        accept.click()
        save.wait_for()
        comes_to_rest(accept)
        assert box_of(accept) == before
        assert box_of(save)["y"] > foot["y"]
        assert box_of(save)["y"] + box_of(save)["height"] <= height
        page.keyboard.press("u")
        save.wait_for(state="detached")
        page.locator(".review nav li[data-rule=price]").click()
        if tabs.is_visible():
            page.locator(".review [data-tab=rule]").click()
    page.set_viewport_size({"width": 1280, "height": 900})


def comes_to_rest(part: sync_api.Locator, milliseconds: int = 600) -> None:
    """Until a part of the page has stood still for a while."""
    part.evaluate(
        """(part, still) => new Promise((done) => {
          let [place, since] = ["", performance.now()];
          const look = (now) => {
            const { x, y, width, height } = part.getBoundingClientRect(), there = [x, y, width, height].join();
            if (there !== place) [place, since] = [there, now];
            if (now - since > still) done(); else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        })""",
        milliseconds,
    )


def box_of(part: sync_api.Locator) -> sync_api.FloatRect:
    """Where a part of the page is."""
    found = part.bounding_box()
    assert found is not None
    return found


def lights(page: sync_api.Page) -> None:
    """A word that is pointed to lights its transition."""
    page.locator(".review nav li[data-rule=price]").click()
    page.locator(".review .rule .re2-new", has_text="cost").hover()
    page.locator(".review .drawing .arc.lit").first.wait_for()


def edits(page: sync_api.Page) -> None:
    """An edit that cannot be read says why and changes nothing; a good one is kept."""
    page.locator(".review nav li[data-rule=go]").click()
    page.keyboard.press("e")
    page.keyboard.press("Control+Enter")  # nothing was edited
    sync_api.expect(page.locator(".review .editing")).to_be_hidden()
    page.wait_for_timeout(600)
    sync_api.expect(state(page, "go")).to_have_text("Rejected")
    page.keyboard.press("e")
    field = page.get_by_role("textbox", name="The rule, edited")
    field.fill("$* ( flight")
    page.keyboard.press("Control+Enter")
    sync_api.expect(page.locator(".review .remark")).to_contain_text("is never closed")
    sync_api.expect(state(page, "go")).to_have_text("Rejected")
    drops_a_word_of_a_list(page)
    page.locator(".review [data-act=edit]").click()
    field.fill("$* ( flight | flights | planes | jets ) $*")
    page.keyboard.press("Control+Enter")
    sync_api.expect(state(page, "go")).to_have_text("Edited, accepted")
    sees_both_forms(page)
    drops_a_word(page)


def sees_both_forms(page: sync_api.Page) -> None:
    """The edited rule is in the middle, and what was learned is one click away."""
    rule, titles = page.locator(".review .rule"), page.locator(".review figcaption")
    sync_api.expect(rule).to_contain_text("jets")
    sync_api.expect(titles.last).to_have_text("Edited")
    page.locator(".review [data-form=learned]").click()
    sync_api.expect(rule).not_to_contain_text("jets")
    sync_api.expect(titles.last).to_have_text("Reconstructed")
    page.locator(".review [data-form=edited]").click()
    sync_api.expect(rule).to_contain_text("jets")
    assert not page.locator(".review .drawing .found").is_visible()


def drops_a_word(page: sync_api.Page) -> None:
    """The cross behind a word takes it out of the rule, and undo puts it back."""
    page.locator(".review [data-drop][title*='“jets”']").click()
    sync_api.expect(page.locator(".review .rule")).not_to_contain_text("jets")
    page.locator(".review [data-act=undo][title*='dropped “jets” from “go”']").click()
    sync_api.expect(page.locator(".review .rule")).to_contain_text("jets")


def drops_a_word_of_a_list(page: sync_api.Page) -> None:
    """The list closed behind each word, so that ten of 190 took twenty clicks."""
    page.locator(".review [data-act=edit]").click()
    many = " | ".join(f"plane{letter}" for letter in "abcdefghijklmn")
    page.get_by_role("textbox", name="The rule, edited").fill(f"$* ( flight | flights | planes | {many} ) $*")
    page.keyboard.press("Control+Enter")
    more = page.locator(".review .summary details")
    more.locator("summary").click()
    more.locator("[title*='“planen”']").click()
    sync_api.expect(page.locator(".review .rule")).not_to_contain_text("planen")
    sync_api.expect(more.locator("[title*='“planem”']")).to_be_visible()
