"""What the threshold explorer for slots found out, kept beside the network as classification/stored_reconstruction.py
keeps what was read back: the explorer opens at once the next time, also behind a restart.

`slot_thresholds.json` in the run's folder holds, with a fingerprint of the texts, the tags of each marked text, and of
each rule its forms as they are printed and what they say of the texts. Rows of tags are written once and named by their
number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.classification.learned_weight import LearnedWeight
from re2nn_core.reconstruction.classification.threshold_choice import THRESHOLDS, KeptMachines
from re2nn_core.reconstruction.slot_filling.rewritten_rule import Rewritten
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression
from re2nn_core.rules.ruleset import WordClass
from re2nn_core.services.fine_tuning.result_file import Numbers, kept_or_made
from re2nn_core.services.fine_tuning.runs import fingerprint
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import OnProgress
from re2nn_core.services.rule_review.slot_filling.threshold_rules import RuleForm, TagsByText, ThresholdRule
from re2nn_core.services.rule_review.slot_filling.thresholds import (
    SlotThresholdSweep,
    SplitAt,
    SweepTexts,
    sweep_slot_thresholds,
    system_of,
)
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.services.rule_systems.slot_filling.systems import Tags
from re2nn_core.store import TextRecord
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tagged_texts import tagged_texts
from re2nn_core.training.span_scores import SpanScores

FILE = "slot_thresholds.json"
FORMAT = 2


def stored_slot_sweep(
    bundle: TaggerBundle, folder: Path, records: Sequence[TextRecord], *, on_progress: OnProgress | None = None
) -> SlotThresholdSweep:
    """The explorer of the network in a run's folder on a project's texts: from what is kept there, where texts and
    spans are those of then; else made, as `sweep_slot_thresholds` does, and kept."""
    examples = span_examples_of(records, bundle.parts.known_slots)
    stamp = {"format": FORMAT, "texts": fingerprint(records), "thresholds": list(THRESHOLDS)}

    def make() -> SlotThresholdSweep:
        return sweep_slot_thresholds(bundle, Corpus(examples), on_progress=on_progress)

    def read(values: Mapping[str, Any]) -> SlotThresholdSweep:
        marked = [example for example in examples if example.spans is not None]
        words = tuple(text.words for text in tagged_texts(marked, bundle.tokenization))
        return _explorer(bundle, values, words)

    return kept_or_made(folder / FILE, stamp, read=read, make=make, values_of=_values)


def _explorer(bundle: TaggerBundle, values: Mapping[str, Any], words: tuple[Tags, ...]) -> SlotThresholdSweep:
    system = system_of(bundle)
    if [rule["name"] for rule in values["rules"]] != list(system.rule_names):
        raise ValueError("other rules")
    return SlotThresholdSweep(system, *_Reading(values).explored(words), _measured(values["scores"]))


def _measured(scores: Sequence[Sequence[Mapping[str, Any]]]) -> dict[float, tuple[SplitAt, ...]]:
    kinds = ("original", "network", "reconstructed")
    return {
        threshold: tuple(
            SplitAt(**{**split, **{kind: SpanScores(**split[kind]) for kind in kinds}}) for split in splits
        )
        for threshold, splits in zip(THRESHOLDS, scores, strict=True)
    }


def _values(explorer: SlotThresholdSweep) -> dict[str, Any]:
    rows: Numbers[tuple[str, ...]] = Numbers()
    sets: Numbers[tuple[frozenset[str], ...]] = Numbers()

    def as_numbers(own: TagsByText) -> dict[str, int]:
        return {str(text): sets.number(row) for text, row in own.items()}

    rules = [_of_rule(rule, as_numbers) for rule in explorer.rules]
    return {
        "gold": [rows.number(tags) for tags in explorer.texts.gold],
        "network": [rows.number(tags) for tags in explorer.texts.network],
        "splits": {split: list(places) for split, places in explorer.texts.splits.items()},
        "scores": [[asdict(split) for split in explorer.scores_at(threshold)] for threshold in THRESHOLDS],
        "rules": rules,
        "rows": [list(row) for row in rows.known],
        "sets": [[sorted(tags) for tags in row] for row in sets.known],
    }


def _of_rule(rule: ThresholdRule, as_numbers: Callable[[TagsByText], dict[str, int]]) -> dict[str, Any]:
    numbers = {id(form): number for number, form in enumerate(rule.forms)}
    return {
        "name": rule.name,
        "learned": [rule.learned.weight, rule.learned.what],
        "written": as_numbers(rule.written),
        "at": [one.name if isinstance(one, KeptMachines) else numbers[id(one)] for one in map(rule.at.get, THRESHOLDS)],
        "forms": [
            {
                "rule": print_expression(one.form.tree),
                "classes": [[entry.name, print_expression(entry.tree), entry.note] for entry in one.form.classes],
                "tags": list(one.tags),
                "said": as_numbers(one.tags_by_text),
            }
            for one in rule.forms
        ],
    }


class _Reading:
    """Reads what `_values` gives."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.rows = [tuple(row) for row in values["rows"]]
        known: dict[tuple[str, ...], frozenset[str]] = {}  # few sets stand in all rows
        self.sets = [tuple(known.setdefault(tuple(tags), frozenset(tags)) for tags in row) for row in values["sets"]]

    def explored(self, words: tuple[Tags, ...]) -> tuple[tuple[ThresholdRule, ...], SweepTexts]:
        values = self.values
        gold, network = (tuple(self.rows[number] for number in values[name]) for name in ("gold", "network"))
        splits = {split: tuple(places) for split, places in values["splits"].items()}
        return tuple(self._rule(rule) for rule in values["rules"]), SweepTexts(words, gold, network, splits)

    def _tags_by_text(self, own: Mapping[str, int]) -> TagsByText:
        return {int(text): self.sets[number] for text, number in own.items()}

    def _rule(self, rule: Mapping[str, Any]) -> ThresholdRule:
        forms = [self._form(form) for form in rule["forms"]]
        at = {
            t: KeptMachines[one] if isinstance(one, str) else forms[one]
            for t, one in zip(THRESHOLDS, rule["at"], strict=True)
        }
        weight, what = rule["learned"]
        return ThresholdRule(
            rule["name"], at, self._tags_by_text(rule["written"]), LearnedWeight(float(weight), str(what))
        )

    def _form(self, form: Mapping[str, Any]) -> RuleForm:
        classes = tuple(WordClass(name, parse_expression(text), note=note) for name, text, note in form["classes"])
        tree = parse_expression(form["rule"])
        return RuleForm(Rewritten(tree, classes), tuple(form["tags"]), self._tags_by_text(form["said"]))
