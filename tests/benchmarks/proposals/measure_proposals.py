"""Measures what proposed rules are worth when they are accepted blindly.

    python tests/benchmarks/proposals/measure_proposals.py                        results/proposals.json
    python tests/benchmarks/proposals/measure_proposals.py --sets trec --slots mitr --seeds 1

From the published rules with all train texts: the first proposal, of whatever kind, ten times, as the key 1 on Write
rules does. From no rule: proposals until there are none, with a default label, for 200 train texts drawn with each seed
(the others left out, or unlabelled), and for all of them. And the time of proposals for 10,000 texts of 40 labels. Dev
and test texts are only evaluated.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from typing import Any

import click
import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[2])]

from benchmarks.proposals import slot_filling
from benchmarks.published import BENCHMARKS, RULES, load

from re2nn_core.exchange.corpora import read_corpus
from re2nn_core.services.rule_writing.classification.accepted_changes import accept_change
from re2nn_core.services.rule_writing.classification.grown_rules import grow
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import material_of, with_guesses
from re2nn_core.services.rule_writing.classification.proposals import (
    MOST,
    Priority,
    propose,
    with_proposals,
)
from re2nn_core.services.rule_writing.classification.proposed_changes import Asked, Ranked, propose_changes
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse
from re2nn_core.services.rule_writing.classification.starter_rules import starter_rules
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.editor_texts import EditorTexts
from re2nn_core.text.corpus import SPLITS, Corpus, Example
from re2nn_core.text.tokenization import Tokenization

FEW = 200
SETS = (*RULES, "clinc150")


@click.command()
@click.option("--sets", multiple=True, type=click.Choice(SETS), default=SETS, show_default=True)
@click.option("--slots", multiple=True, type=click.Choice(list(slot_filling.RULES)), default=list(slot_filling.RULES))
@click.option("--seeds", default=4, show_default=True, help="How many draws of 200 texts.")
@click.option("--output", type=click.Path(path_type=Path), default=HERE.parent / "results" / "proposals.json")
def main(sets: tuple[str, ...], slots: tuple[str, ...], seeds: int, output: Path) -> None:
    """Propose, accept, evaluate."""
    if not BENCHMARKS.is_dir():
        raise click.ClickException(f"The published data are not here: {BENCHMARKS} does not exist.")
    found: dict[str, Any] = {}
    for name in sets:
        corpus = _corpus(name)
        found[name] = {}
        if name in RULES:
            system, _ = load(name)
            found[name]["ten_on_published_rules"] = _accepted(corpus, system.rules_text, system.logic_text, ten=True)
        for part, unlabelled in (("from_200_texts", False), ("from_200_texts_and_unlabelled_ones", True)):
            few = [_from_nothing(_with_few(corpus, seed, unlabelled=unlabelled)) for seed in range(seeds)]
            found[name][part] = {
                "test": round(mean(one["test"][-1] for one in few), 4),
                "dev": round(mean(one["dev"][-1] for one in few), 4),
                "draws": few,
            }
        found[name]["from_all_texts"] = _from_nothing(corpus)
        click.echo(f"{name}: {json.dumps(found[name])}")
    of_slots: dict[str, Any] = {}
    for name in slots:
        of_slots[name] = slot_filling.slot_report(name, BENCHMARKS, seeds)
        click.echo(f"slots of {name}: {json.dumps(of_slots[name])}")
    report = {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.system()} {platform.machine()}, one thread",
        "sets": found,
        "slots": of_slots,
    }
    if "clinc150" in sets:
        report["speed"] = _speed()
        click.echo(json.dumps(report["speed"]))
    output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def _corpus(name: str) -> Corpus:
    examples: list[Example] = []
    for split in SPLITS:
        corpus = read_corpus(BENCHMARKS / name / f"{split}.tsv").corpus
        examples += [Example(example.text, example.label, split) for example in corpus]
    return Corpus(tuple(examples))


def _with_few(corpus: Corpus, seed: int, *, unlabelled: bool) -> Corpus:
    """So many train texts, and all of dev and test; the other train texts `unlabelled`, if they are wanted."""
    train = [example for example in corpus if example.split == "train"]
    drawn = np.random.default_rng(seed).permutation(len(train))
    kept = [train[place] for place in drawn[:FEW]]
    if unlabelled:
        kept += [Example(train[place].text, None, "train") for place in drawn[FEW:]]
    return Corpus((*kept, *(one for one in corpus if one.split != "train")))


def _from_nothing(corpus: Corpus) -> dict[str, Any]:
    return _accepted(corpus, _no_rule(corpus), "", ten=False)


def _no_rule(corpus: Corpus) -> str:
    """The rules of a new project: one that no text matches."""
    return starter_rules(corpus, Tokenization(), suggest=False)


def _accepted(corpus: Corpus, rules: str, logic: str, *, ten: bool) -> dict[str, Any]:
    """Accuracies before and after each of ten proposals, or after all, and how many rules came."""
    texts, gold = [example.text for example in corpus], [example.label for example in corpus]
    splits = [example.split for example in corpus]
    bench = TextBench(texts, Tokenization())
    before = analyse(bench, gold, rules, logic)
    began = time.process_time()
    steps = [before]
    material = with_guesses(material_of(gold, splits, before.labels), bench.sentences, gold, splits)
    if ten:
        for _ in range(MOST):
            best = propose_changes(bench, steps[-1], material, splits).ranked(1)
            steps += [analyse(bench, gold, *_with(steps[-1], change)) for change in best]
    else:
        steps.append(analyse(bench, gold, *grow(bench, before, material)))
    seconds = time.process_time() - began
    places = {split: np.asarray([one == split for one in splits]) for split in ("dev", "test")}
    figures = {s: [round(float(one.correct[own].mean()), 4) for one in steps] for s, own in places.items()}
    added = len(steps[-1].system.ruleset.rules) - len(before.system.ruleset.rules)
    return {**figures, "rules_added": added, "cpu_seconds": round(seconds, 2)}


def _with(now: Analysis, change: Ranked) -> tuple[str, str]:
    """Rules and label logic with one proposal, accepted as Write rules does."""
    rules, logic = now.system.rules_text, now.system.logic_text
    draft = Draft(1, 1, 1, (rules, logic, ""), EditorTexts(rules, logic), "")
    accepted = accept_change(draft, now, (change,) if isinstance(change, Priority) else change)
    if accepted is None:
        raise RuntimeError("a proposal is not for these rules")
    return accepted.rules_text, accepted.logic_text


def _speed(texts: int = 10_000, labels: int = 40) -> dict[str, Any]:
    """Seconds of the processor for the first proposals, of single words, and for all, from tokenized texts on: without
    any rule, and with thirty rules that were proposed."""
    train = [example for example in _corpus("clinc150") if example.split == "train"]
    known = list(dict.fromkeys(example.label for example in train))[:labels]
    own = [example for example in train if example.label in known]
    drawn: Sequence[Example] = [own[place % len(own)] for place in range(texts)]
    gold = [example.label for example in drawn]
    bench = TextBench([f"{one.text} {'' if n < len(own) else n}" for n, one in enumerate(drawn)], Tokenization())
    splits: list[str | None] = [None] * len(gold)
    material = material_of(gold, splits)
    now = analyse(bench, gold, _no_rule(Corpus(tuple(own))), "")
    found: dict[str, Any] = {"texts": texts, "labels": labels}
    for name in ("without_rules", "with_thirty_rules"):
        seconds = []
        for quick in (True, False):
            began = time.process_time()
            changes = propose_changes(bench, now, material, splits, Asked(quick=quick))
            seconds.append(round(time.process_time() - began, 2))
        found[name] = {"proposals": len(changes.ranked()), "first_cpu_seconds": seconds[0], "cpu_seconds": seconds[1]}
        more = propose(bench, now, material, most=30)
        now = analyse(bench, gold, *with_proposals(now.system, more))
    return found


if __name__ == "__main__":
    main()
