"""The pictures of the README, taken in Chromium: Write rules with the sample Flight intents, and Compare with Message
spam after a training.

python tests/support/app/readme_pictures.py          writes both to .readme (two minutes)
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[3]), str(Path(__file__).parents[2])]

from support.app.app_studio import ROOT
from support.app.served import adjudicated, chromium, served, sync_api, window

from re2nn_core.jobs.worker import run_job
from re2nn_core.services.projects.projects import open_sample
from re2nn_core.services.rule_review.classification.stored_reconstruction import reconstruct_run
from re2nn_core.store import Store, create_run, get_run, latest_version, open_store, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME

SIZE = (1440, 900)


def draw_pictures(folder: Path) -> None:
    """Write rules.png and compare.png into a folder."""
    with TemporaryDirectory() as home:
        with open_store(Path(home) / DATABASE_NAME) as store:
            project = open_sample(store, "flight_intents", "Ann").id
            trained = trained_sample(store, "message_spam")
        with served(Path(home)) as address, chromium() as browser, window(browser, *SIZE) as page:
            page.goto(f"{address}/rules?project={project}")
            page.locator("textarea[aria-label=Rules]").wait_for()
            page.locator(".row.rule", has_text="late").get_by_text("late", exact=True).last.click()
            _take(page, folder / "rules.png")
            page.goto(f"{address}/compare?project={trained}")
            page.locator("svg").first.wait_for()
            _take(page, folder / "compare.png")


def trained_sample(store: Store, name: str = "flight_intents") -> int:
    """A sample project with a training that was reconstructed; its id."""
    project = open_sample(store, name, "Ann")
    version = latest_version(store, project.id)
    config = {"network": {"vectors": "builtin"}, "train": {"device": "cpu"}, "threads": 1}
    run = create_run(store, project.id, "train", rule_version_id=version.id, config=config)
    run_job(store, run.id)
    reconstruct_run(get_run(store, run.id), texts_of(store, project.id))
    return project.id


def _take(page: sync_api.Page, file: Path) -> None:
    adjudicated(page)
    page.wait_for_timeout(4000)
    page.screenshot(path=str(file))


if __name__ == "__main__":
    draw_pictures(ROOT / ".readme")
