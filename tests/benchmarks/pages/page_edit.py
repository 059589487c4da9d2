"""Measures, in Chromium, the time from the last key in the rule editor to refreshed figures on 10,000 texts.

    python tests/benchmarks/pages/page_edit.py [--edits 10]

The time is taken inside the page, from the key's event to the change of the figure beside the edited rule.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1]), str(HERE.parents[2])]

from key_time import key_time
from support.app.served import opened_page, put_caret_behind, served

from re2nn_core.services.projects.projects import open_sample
from re2nn_core.store import add_texts, open_store, texts_of
from re2nn_core.store.engine.addresses import DATABASE_NAME
from re2nn_core.text.corpus import Corpus, Example

TEXTS = 10_000
TARGET = 0.5
# Resolves with the milliseconds from the next key to the first change of the figures in the list of rules.
WATCH = """() => { window.taken = new Promise(done => {
  const area = window.ruleArea, list = window.ruleList;
  let pressed = 0;
  area.addEventListener('keydown', () => { pressed = performance.now(); }, {once: true});
  setTimeout(() => done(20000), 20000);
  new MutationObserver((_, watcher) => { if (pressed) { watcher.disconnect(); done(performance.now() - pressed); } })
    .observe(list, {childList: true, subtree: true, characterData: true});
}); }"""


@click.command()
@click.option("--edits", default=10, show_default=True, help="How many keys are measured.")
def main(edits: int) -> None:
    """Print the median and the largest time as JSON; exit code 1 past the target."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        project = _project(home)
        with served(home) as address, opened_page() as page:
            page.goto(f"{address}/rules?project={project}")
            page.locator(".row.rule").first.wait_for()
            put_caret_behind(page, "[find_flight]\n")
            page.keyboard.type("measured := $* flight $*\n")
            put_caret_behind(page, "measured := $* flight")
            page.locator(".row.rule", has_text="measured").wait_for()
            page.locator("textarea[aria-label=Rules]").evaluate("area => { window.ruleArea = area; }")
            page.locator(".row.rule").first.evaluate("row => { window.ruleList = row.getRootNode(); }")
            page.wait_for_timeout(1000)
            # "flight" and "flights" in turn: each key changes how many texts the rule hits.
            times = [key_time(page, WATCH, "s" if number % 2 == 0 else "Backspace") for number in range(edits)]
    found = {"texts": TEXTS, "median_s": statistics.median(times), "largest_s": max(times), "target_s": TARGET}
    click.echo(json.dumps(found))
    sys.exit(0 if found["median_s"] <= TARGET else 1)


def _project(home: Path) -> int:
    """The sample project, its texts again and again under other numbers until there are 10,000."""
    with open_store(home / DATABASE_NAME) as store:
        project = open_sample(store, "flight_intents", "benchmark").id
        own = texts_of(store, project)
        more = [Example(f"{t.text} {n}", t.label, t.split) for n in range(TEXTS // len(own) + 1) for t in own]
        add_texts(store, project, Corpus(tuple(more[: TEXTS - len(own)])))
    return project


if __name__ == "__main__":
    main()
