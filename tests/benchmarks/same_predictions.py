"""Whether a trained network predicts the same in all places where models run, on every text of the published sets.

    python tests/benchmarks/same_predictions.py [--sets ATIS TREC ...] [--json FILE]

For each set a network is trained for two epochs on 500 texts. A line for each place: texts with another prediction than
Python's, and the largest difference of a score. The exit code is 1 where a prediction differs or a score is not within
1e-5. Ray is left out where it is not installed. `--folder` names the published sets, as for re2nn experiment.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from support.same_predictions import NEAR, PLACES, Given, compare_places

import re2nn_core as re2nn
from re2nn_core.api.classification import LabelModel
from re2nn_core.api.models import Model
from re2nn_core.api.slot_filling import SlotModel
from re2nn_core.experiments.datasets.classification import benchmark_folder, known_data
from re2nn_core.experiments.datasets.slot_filling import known_slot_data
from re2nn_core.text.corpus import Corpus

SETS = {"ATIS": "", "TREC": "QC", "SMS": "", "ATIS-slots": "ATIS", "SNIPS-slots": "SNIPS"}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    places = [place for place in PLACES if place != "Ray" or importlib.util.find_spec("ray")]
    lines = []
    print(f"{'set':<12} {'place':<26} {'texts':>6} {'other predictions':>18} {'largest difference':>19}")
    for name in asked.sets:
        with tempfile.TemporaryDirectory() as scratch:
            given = given_of(name, asked.folder, Path(scratch))
            for one in compare_places(given, places):
                lines.append({"set": name, "texts": len(given.texts), **asdict(one)})
                print(
                    f"{name:<12} {one.place:<26} {len(given.texts):>6,} {one.differing:>18,} {one.difference:>19.1e}",
                    flush=True,
                )
    if asked.json is not None:
        asked.json.write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")
    sys.exit(any(line["differing"] or line["difference"] >= NEAR for line in lines))


def given_of(name: str, folder: Path | None, scratch: Path) -> Given:
    """A network of a set's rules, trained, and all texts of the set."""
    published, known = benchmark_folder(folder), SETS[name] or name
    slots = name.endswith("-slots")
    data = known_slot_data(known, published) if slots else known_data(known, published)
    rules: Model = SlotModel(data.system) if slots else LabelModel(data.system)  # type: ignore[arg-type]
    learned = Corpus((*data.train[:500], *data.dev[:100]))
    model = re2nn.train(rules, learned, folder=scratch / "model", epochs=2)
    texts = tuple(one.text for one in (*data.train, *data.dev, *data.test))
    lines = [json.dumps({"text": text}) + "\n" for text in texts]
    (scratch / "texts.jsonl").write_text("".join(lines), encoding="utf-8")
    return Given(model, scratch / "model", texts, scratch / "texts.jsonl", scratch)


if __name__ == "__main__":
    main()
