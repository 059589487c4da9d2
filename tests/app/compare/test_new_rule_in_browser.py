"""A new rule in Chromium: the button that drops the patterns without which it is better, and the way to label logic."""

from __future__ import annotations

import shutil
from pathlib import Path

from support.app.served import in_chromium, opened_page, served, sync_api
from support.projects.finished_run import plant_new_rules

from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE
from re2nn_core.store import list_projects, list_runs, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium
FIRST = 120_000  # milliseconds: the first page of a server loads the libraries


def test_one_button_drops_what_does_not_help_and_is_undone(tmp_path: Path, trained_home: Path) -> None:
    """Each pattern had to be dropped by itself, and the page did not say that the rule is better without it."""
    home = tmp_path / "home"
    shutil.copytree(trained_home, home)
    with open_store(home / DATABASE_NAME) as store:
        project = list_projects(store)[0].project.id
        run = list_runs(store, project)[0]
    with served(home) as address, opened_page() as page:
        page.goto(f"{address}/compare?project={project}")
        page.locator(".review").or_(page.get_by_text("No change of a rule")).first.wait_for(timeout=FIRST)
        plant_new_rules(run)
        text = (run.folder / FILE).read_text(encoding="utf-8")
        several = text.replace("$* cost $*", "$* ( cost | i $* and | never ) $*")
        (run.folder / FILE).write_text(several, encoding="utf-8")
        page.goto(f"{address}/compare?project={project}&rule=money.new")
        button = page.locator(".review .re2-better", has_text="Drop them")
        button.click(timeout=FIRST)
        state = page.locator('.review nav li[data-rule="money.new"] .is')
        sync_api.expect(state).to_contain_text("Edited")
        sync_api.expect(page.locator(".review .rule")).to_have_text("$* cost $*")
        sync_api.expect(button).to_have_count(0)
        page.keyboard.press("u")
        sync_api.expect(button).to_be_visible()
        page.locator('.review nav li[data-rule="travel.new"]').click()
        page.locator(".review .summary a", has_text="Label logic").click()
        page.wait_for_url("**/rules?*rule=price*")
