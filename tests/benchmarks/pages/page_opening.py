"""Measures, in Chromium, how long each page of a large finished project takes to open and to rest: 100,000 texts, 200
rules, a trained network.

    python tests/benchmarks/pages/page_opening.py [--texts 100000] [--rules 200] [--turns 2]

The pages are opened by their link in the bar, one after another, in `turns` turns: in the first one everything is
computed that later ones find remembered. The time to first content is from the click to the first element below the
title of the page, the time to rest to the end of the last run of its script.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1]), str(HERE.parents[2])]

from playwright.sync_api import Page
from support.app.served import opened_page, served
from synthetic import rule_file

from pages._shared.catalog import ENTRIES, PageEntry
from re2nn_core.jobs.worker import run_job
from re2nn_core.services.projects.projects import open_sample
from re2nn_core.store import Store, add_texts, create_run, latest_version, open_store, save_version, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME
from re2nn_core.text.corpus import Corpus, Example

CONFIG = {"network": {"vectors": "builtin"}, "train": {"device": "cpu", "epochs": 3}, "threads": 1}
TARGET = 1.0  # seconds to first content
QUIET_SECONDS, LONGEST_SECONDS = 1.0, 90.0
# Seconds from the click on the link of a page to its first content, and to the end of the last run of its script.
OPEN = """([title, purpose, quiet, longest]) => new Promise((done) => {
  const begun = performance.now(), now = () => (performance.now() - begun) / 1000;
  let first = 0, rest = 0;
  const look = () => {
    const [, below = ''] = (document.querySelector('[data-testid=stMain]')?.innerText ?? '').split(purpose);
    const state = document.querySelector('[data-test-script-state]')?.dataset.testScriptState;
    if (!first && below.split('\\n').filter((line) => line.trim()).length > BAR) first = now();
    rest = first && state === 'notRunning' ? rest || now() : 0;
    if ((rest && now() - rest > quiet) || now() > longest) done([first, rest]);
    else setTimeout(look, 10);
  };
  [...document.querySelectorAll('a')].find((one) => one.innerText.trim().endsWith(title)).click();
  look();
})""".replace("BAR", "5")  # lines of the bar: the project, the version, who is there, Help


@click.command()
@click.option("--texts", default=100_000, show_default=True)
@click.option("--rules", default=200, show_default=True)
@click.option("--turns", default=2, show_default=True, help="How often each page is opened.")
@click.option("--home", type=click.Path(path_type=Path), help="Keeps the project there, and takes it from there.")
def main(texts: int, rules: int, turns: int, home: Path | None) -> None:
    """Print seconds to first content and to rest, by turn and page; exit code 1 past the target in the last turn."""
    with tempfile.TemporaryDirectory() as folder:
        place = home or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        with open_store(place / DATABASE_NAME) as store:
            project = 1 if home and any(place.glob("models/*")) else large_project(store, texts, rules)
        with served(place) as address, opened_page() as page:
            page.goto(f"{address}/?project={project}")
            page.get_by_role("link", name=ENTRIES[-1].title).wait_for(timeout=120_000)
            found = [{entry.title: opened(page, entry) for entry in ENTRIES[1:]} for _ in range(turns)]
    for number, turn in enumerate(found):
        for title, (first, rest) in turn.items():
            click.echo(f"{number + 1}  {title:<15}{first:>7.2f} s{rest:>8.2f} s")
    click.echo(json.dumps({"texts": texts, "rules": rules, "target_s": TARGET, "load": round(os.getloadavg()[0], 2)}))
    sys.exit(0 if all(0 < first <= TARGET for first, _ in found[-1].values()) else 1)


def opened(page: Page, entry: PageEntry) -> tuple[float, float]:
    """Seconds to first content and to rest, 0 for what did not come."""
    first, rest = page.evaluate(OPEN, [entry.title, entry.purpose, QUIET_SECONDS, LONGEST_SECONDS])
    return first, rest


def large_project(store: Store, texts: int, rules: int) -> int:
    """The sample Flight intents with more rules, trained, and then with more texts, unlabelled ones."""
    project = open_sample(store, "flight_intents", "benchmark")
    version, own = latest_version(store, project.id), texts_of(store, project.id)
    words = sorted({word for one in own for word in re.findall("[a-z]+", one.text.lower())})
    labels = sorted({one.label for one in own if one.label})
    made = rule_file(rules - version.rules_text.count(":="), words)
    named = re.sub(r"label(\d+)", lambda found: labels[int(found[1]) % len(labels)], made)
    save_version(
        store,
        project.id,
        rules_text=f"{version.rules_text}\n{named}",
        logic_text=version.logic_text,
        author="benchmark",
        expected_number=version.number,
    )
    run = create_run(store, project.id, "train", rule_version_id=latest_version(store, project.id).id, config=CONFIG)
    run_job(store, run.id)
    more = [Example(f"{t.text} {n}", None, None) for n in range(texts // len(own) + 1) for t in own]
    add_texts(store, project.id, Corpus(tuple(more[: texts - len(own)])))
    return project.id


if __name__ == "__main__":
    main()
