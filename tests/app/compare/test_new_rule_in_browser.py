"""A new rule in Chromium: accepted without the patterns that do not help, or whole, and the way to label logic."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.app.served import in_chromium, opened_page, served, sync_api
from support.projects.finished_run import plant_new_rules

from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE
from re2nn_core.store import list_projects, list_runs, open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

pytestmark = in_chromium
FIRST = 120_000  # milliseconds: the first page of a server loads the libraries


@pytest.mark.long
def test_accept_leaves_out_what_does_not_help_and_is_undone(tmp_path: Path, trained_home: Path) -> None:
    """“Accept” took all of a rule of which “Accept all recommended” left out patterns."""
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
        left_out = page.locator(".review .re2-better")
        sync_api.expect(left_out).to_contain_text("“i … and” and “never” learned too, left out", timeout=FIRST)
        sync_api.expect(page.locator(".review .rule")).to_have_text("$* cost $*")
        row = page.locator('.review nav li[data-rule="money.new"]')
        sync_api.expect(row.locator(".fresh")).to_have_text("new")
        sync_api.expect(row.locator(".beyond")).to_have_text("elsewhere 6 fixed")
        page.locator(".review [data-act=accept]").click()
        row.click()
        state = row.locator(".is")
        sync_api.expect(state).to_have_text("Accepted")
        sync_api.expect(page.locator(".review .rule")).to_have_text("$* cost $*")
        undo = page.locator(".review [data-act=undo]")
        sync_api.expect(undo).to_have_text("Undo: accepted “money.new” without “i … and” and “never”")
        page.wait_for_timeout(500)  # a second click so soon is not heard
        undo.click()
        sync_api.expect(state).not_to_have_text("Accepted")
        sync_api.expect(undo).to_be_hidden()  # and Redo is not in its place
        # Accept takes the form that is shown.
        page.locator(".review [data-form=learned]").click()
        sync_api.expect(page.locator(".review .rule")).to_have_text("$* ( cost | i $* and | never ) $*")
        page.locator(".review [data-act=accept]").click()
        row.click()
        sync_api.expect(state).to_have_text("Accepted")
        sync_api.expect(page.locator(".review .rule")).to_have_text("$* ( cost | i $* and | never ) $*")
        page.locator('.review nav li[data-rule="travel.new"]').click()
        page.locator(".review .summary a", has_text="Label logic").click()
        page.wait_for_url("**/rules?*rule=price*")
