"""Measures how long a difference of two machines takes from rule text to picture, and every search for a witness on
the published rules.

    python tests/benchmarks/difference_speed.py                  results/difference_speed.json

Each figure is the median of several rounds on one thread, in seconds of the processor and of the clock. The clock of a
machine that does other things too says little; the targets hold for either.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path
from statistics import median
from typing import TypeVar

import click
import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from benchmarks.synthetic import made_up_words

from re2nn_core.automata.differences.folding import fold
from re2nn_core.errors import InputError
from re2nn_core.experiments.datasets.classification import benchmark_folder
from re2nn_core.plots.difference_files import difference_file
from re2nn_core.plots.difference_scene import scene_of
from re2nn_core.rules.read import read_rule_file, read_rules
from re2nn_core.services.rule_difference.dead_and_subsumed_rules import find_dead_and_subsumed, peers_of, subsumed_by
from re2nn_core.services.rule_difference.drawn_differences import DrawnDifference, drawn_rule
from re2nn_core.services.rule_difference.language_difference import RuleSide, label_side, language_verdict, slot_side
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.tokenization import Tokenization

TITLES = ("before", "after")
LABEL_FILES = ("atis.rules.v0.config", "trec.rules.old.config", "sms.rules.config")
SLOT_FILES = ("atis_bio.bio.rules.config", "snips_bio.bio.rules.v1.config")
DRAWN = ((100, 11, 2.0), (1_000, 113, 4.0))  # states, alternatives that give about as many, seconds
WITNESS_SECONDS = 1.0
T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """Seconds of the processor and of the clock; `note` says what was measured, in figures."""

    what: str
    cpu: float
    wall: float
    note: str
    target: float | None = None

    @property
    def missed(self) -> bool:
        return self.target is not None and self.cpu > self.target


@click.command()
@click.option("--rounds", default=5, show_default=True, help="How often each picture is made.")
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "results" / "difference_speed.json")
def main(rounds: int, output: Path) -> None:
    """Measure."""
    rows = []
    for row in [*pictures(rounds), *witnesses()]:
        click.echo(line(row))
        rows.append(row)
    output.write_text(json.dumps(report(rows, rounds), indent=2) + "\n", encoding="utf-8")
    click.echo(f"Written to {output}")
    sys.exit(1 if any(row.missed for row in rows) else 0)


def pictures(rounds: int) -> Iterator[Row]:
    """From the text of two rules to both machines as SVG; what is drawn from a difference that is at hand; PNG."""
    for states, alternatives, target in DRAWN:
        before, after = rule_pair(alternatives)
        cpu, wall, drawn = timed(lambda before=before, after=after: picture(before, after), rounds)
        difference = drawn.difference
        assert difference is not None
        assert drawn.left is not None
        assert drawn.right is not None
        note = f"{len(drawn.left):,} and {len(drawn.right):,} states, {len(difference.arcs):,} arcs"
        yield Row(f"two machines of {states:,} states, rule text to SVG", cpu, wall, note, target)
        cpu, wall, _ = timed(lambda d=difference: difference_file(scene_of(d, fold(d)), TITLES, "svg"), rounds)
        yield Row(f"the same folded, from the difference, {states:,} states", cpu, wall, "")
        cpu, wall, found = timed(lambda d=difference: difference_file(scene_of(d), TITLES, "png"), 1)
        yield Row(f"PNG of {states:,} states", cpu, wall, f"{len(found):,} bytes")


def rule_pair(alternatives: int, *, seed: int = 0) -> tuple[str, str]:
    """A rule of so many rows of ten words each, and the same with words and rows that came and went."""
    random = np.random.default_rng(seed)
    words = made_up_words(400)
    rows = [
        [" | ".join(sorted(random.choice(words, 3, replace=False))) for _ in range(10)] for _ in range(alternatives)
    ]
    changed = [[*row] for row in rows if random.random() > 0.04]
    for row in changed:
        if random.random() < 0.4:
            row[int(random.integers(10))] += " | newword"
        if random.random() < 0.2:
            row.pop()
    before, after = ("[l]\nr := " + " | ".join(" ".join(f"( {g} )" for g in row) for row in r) for r in (rows, changed))
    return f"{before}\n", f"{after}\n"


def picture(before: str, after: str) -> DrawnDifference:
    """What a person waits for: rules read, machines made, aligned, laid out, drawn."""
    sides = [label_side(read_rules(text).ruleset, title) for text, title in zip((before, after), TITLES, strict=True)]
    drawn = drawn_rule(sides[0], sides[1], "r")
    assert drawn.difference is not None
    difference_file(scene_of(drawn.difference), TITLES, "svg")
    return drawn


def witnesses() -> Iterator[Row]:
    """The slowest of all searches on each published file; nothing where the files are not there."""
    for name, side in published():
        yield slowest(f"{name}: sentences of one rule that another does not accept", rule_searches(side))
        yield slowest(f"{name}: the same for {side.kind}s", group_searches(side))
        yield slowest(f"{name}: whether a rule is needed", need_searches(side))
        cpu, wall, found = timed(lambda side=side: find_dead_and_subsumed(side), 1)
        note = f"{len(found.dead_or_subsumed)} idle, {len(found.overlaps)} overlaps, {len(found.skipped)} not looked at"
        yield Row(f"{name}: all overlaps and idle rules together", cpu, wall, note)


def published() -> Iterator[tuple[str, RuleSide]]:
    """The published rule files, as sides."""
    try:
        folder = benchmark_folder() / "rules"
    except InputError:
        return
    for name in LABEL_FILES:
        yield name, label_side(read_rule_file(folder / name).ruleset, name)
    for name in SLOT_FILES:
        system, _ = read_slot_system((folder / name).read_text(encoding="utf-8"), "", Tokenization())
        yield name, slot_side(system, name)


Search = tuple[str, Callable[[], object]]


def rule_searches(side: RuleSide) -> Iterator[Search]:
    for one, other in permutations(side.rules, 2):
        yield f"{one}, {other}", lambda a=one, b=other: language_verdict("", side.rules[a], side.rules[b])


def group_searches(side: RuleSide) -> Iterator[Search]:
    trees = {name: side.tree_of_group(name) for name in side.groups}
    for one, other in permutations(side.groups, 2):
        yield f"{one}, {other}", lambda a=one, b=other: language_verdict("", trees[a], trees[b])


def need_searches(side: RuleSide) -> Iterator[Search]:
    for group, names in side.groups.items():
        for name in names:
            peers = peers_of(side, group, name)
            yield name, lambda name=name, peers=peers: subsumed_by(side.rules, name, peers)


def slowest(what: str, searches: Iterator[Search]) -> Row:
    """The search that takes longest, and how many there were."""
    found = []
    for name, search in searches:
        cpu, wall, _ = timed(search, 1)
        found.append((cpu, wall, name))
    cpu, wall, name = max(found)
    total = sum(own for own, _, _ in found)
    return Row(what, cpu, wall, f"the slowest of {len(found):,}: {name}; all {total:.2f} s", WITNESS_SECONDS)


def timed(action: Callable[[], T], rounds: int) -> tuple[float, float, T]:
    """Median seconds of the processor and of the clock, and what came out."""
    processor, clock = [], []
    for _ in range(rounds):
        began, started = time.process_time(), time.perf_counter()
        outcome = action()
        processor.append(time.process_time() - began)
        clock.append(time.perf_counter() - started)
    return median(processor), median(clock), outcome


def line(row: Row) -> str:
    """One row as text."""
    verdict = "" if row.target is None else f"<= {row.target:g}  {'MISSED' if row.missed else 'reached'}"
    return f"{row.what:76} {row.cpu:8.4f} s cpu {row.wall:8.4f} s  {verdict}  {row.note}"


def report(rows: list[Row], rounds: int) -> dict[str, object]:
    """All rows with what they were measured on."""
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, one thread",
        "rounds": rounds,
        "rows": [asdict(row) | {"cpu": round(row.cpu, 5), "wall": round(row.wall, 5)} for row in rows],
    }


if __name__ == "__main__":
    main()
