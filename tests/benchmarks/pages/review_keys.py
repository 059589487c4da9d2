"""Measures, in Chromium, the time from the key J on Compare to the next change: its rule, automata and texts.

    python tests/benchmarks/pages/review_keys.py [--keys 20]

The sample Flight intents is trained first (a minute). The time is taken inside the page, from the key's event to the
frame behind the one in which all is laid out.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1]), str(HERE.parents[2])]

from support.app.readme_pictures import trained_sample
from support.app.served import adjudicated, opened_page, served

from re2nn_core.store import open_store
from re2nn_core.store.engine.addresses import DATABASE_NAME

TARGET = 0.15
# Resolves with the milliseconds of a key and the name of the rule that is shown then.
PRESS = """async (key) => {
  const root = [...document.querySelectorAll('*')].map((one) => one.shadowRoot?.querySelector('.review')).find(Boolean);
  const begin = performance.now();
  document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  root.getBoundingClientRect();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return [performance.now() - begin, root.querySelector('.title .name').textContent];
}"""


@click.command()
@click.option("--keys", default=20, show_default=True, help="How many keys are measured.")
def main(keys: int) -> None:
    """Print the median and the largest time as JSON; exit code 1 past the target."""
    with tempfile.TemporaryDirectory() as folder:
        with open_store(Path(folder) / DATABASE_NAME) as store:
            project = trained_sample(store)
        with served(Path(folder)) as address, opened_page() as page:
            page.goto(f"{address}/compare?project={project}")
            page.locator(".review svg").first.wait_for()
            adjudicated(page)
            changes = page.locator(".review nav li").count()
            # Down to the last change and back again, so that every key shows another one.
            order = ["j" if number // (changes - 1) % 2 == 0 else "k" for number in range(keys)]
            pressed = [page.evaluate(PRESS, key) for key in order]
    times = [milliseconds / 1000 for milliseconds, _ in pressed]
    names = [name for _, name in pressed]
    found = {
        "median_s": round(statistics.median(times), 3),
        "largest_s": round(max(times), 3),
        "target_s": TARGET,
        "changes": len(set(names)),
        "load": round(os.getloadavg()[0], 2),
    }
    click.echo(json.dumps(found))
    moved = all(name != other for name, other in zip(names, names[1:], strict=False))
    sys.exit(0 if moved and found["median_s"] <= TARGET else 1)


if __name__ == "__main__":
    main()
