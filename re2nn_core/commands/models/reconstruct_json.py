"""What `re2nn reconstruct --json` prints: the same keys for labels and for slots, null where a task has no such thing.

figures     per split and, of the split that counts, at the top: `original`, `network`, `changed` (slots: the written
            rules as they were changed, without new ones) and `reconstructed`, each with `accuracy` (labels) or
            `precision`, `recall` and `f1` of spans (slots); `agreement` of texts, `agreement_words` (slots);
            how many texts the rules read back predict `better` and `worse` than the written ones
rules       `name`, `label` (or slot), `kept`, the texts `original` and `reconstructed`, how many `words` came or went,
            `unread`; labels: `threshold`, `edges`, `learned` (with weights), and the shortest sentences `only_original`
            and `only_reconstructed`; slots: `gain` in spans, `steps`, words and tags that only one of both names
new_rules   `name`, `label` (or slot), `text`; labels: how many `sentences` it accepts; slots: its `gain` in spans
interval    of the split that counts, the ends of the 95% interval of the reconstructed rules' figure, and, as
            `gain_interval`, of what they gain over the written ones
curve       the same figures with some of the changes, from none to all; `counts`: how many `changes` and added `words`
recommended the names of the changes that `re2nn review` recommends, null where that was not looked at
stopped     whether the time was up before the end
counts      how many rules were `kept`, `changed`, are `new` or `dropped`; `words`, and for labels `edges`
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from re2nn_core.task import Task

if TYPE_CHECKING:
    from re2nn_core.reconstruction.classification.report import (
        AddedRule,
        Reconstruction,
        RuleChange,
        SplitAccuracy,
    )
    from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import (
        LearnedRule,
        SlotReconstruction,
        SlotRuleChange,
        SplitScores,
    )
    from re2nn_core.training.span_scores import SpanScores

Values = dict[str, Any]
_MEASURES = ("accuracy", "precision", "recall", "f1")
_SYSTEMS = ("original", "network", "changed", "reconstructed")
_OF_ONE_TASK = {
    "rules": (
        *("threshold", "edges", "learned", "only_original", "only_reconstructed"),
        *("gain", "steps", "words_added", "words_removed", "tags_added", "tags_removed"),
    ),
    "new_rules": ("sentences", "gain"),
    "logic": ("new_logic", "unclear_logic", "new_priorities"),
}


def figures_data(figures: SplitAccuracy | SplitScores) -> Values:
    """The figures of one split: the rules as written, the network, and the reconstructed rules."""
    measured = {name: _measured(getattr(figures, name, None)) for name in _SYSTEMS}
    words = getattr(figures, "agreement_words", None)
    moves = {"better": figures.better, "worse": figures.worse}
    return {**measured, "agreement": figures.agreement, "agreement_words": words, "sentences": figures.texts, **moves}


def _measured(found: float | SpanScores | None) -> Values:
    empty = dict.fromkeys(_MEASURES)
    if found is None or isinstance(found, float):
        return {**empty, "accuracy": found}
    return {**empty, "precision": found.precision, "recall": found.recall, "f1": found.f1}


def labels_data(result: Reconstruction) -> Values:
    """The rules reconstructed from a network for labels."""
    counts = _counts(result, dropped=len(result.dropped), words=result.words, edges=result.edges)
    counts["new_words"] = result.new_words
    rules, new = [_rule(rule) for rule in result.rules], [_new_rule(rule) for rule in result.new_rules]
    logic = {"new_logic": list(result.new_logic), "unclear_logic": list(result.unclear_logic)}
    return _data(Task.CLASSIFICATION, counts, rules, new, list(result.dropped), logic)


def slots_data(result: SlotReconstruction) -> Values:
    """The rules reconstructed from a network for slots; none of them is ever dropped."""
    rules, new = [_slot_rule(rule) for rule in result.rules], [_new_slot_rule(rule) for rule in result.new_rules]
    counts = _counts(result, dropped=0, words=sum(rule["words"] for rule in rules), edges=None)
    counts["new_words"] = None
    return _data(Task.SLOT_FILLING, counts, rules, new, [], {"new_priorities": list(result.new_priorities)})


def _data(
    task: Task, counts: Values, rules: list[Values], new: list[Values], dropped: list[str], logic: Mapping[str, Any]
) -> Values:
    return {
        "task": task,
        "rules": [_whole("rules", rule) for rule in rules],
        "counts": counts,
        "new_rules": [_whole("new_rules", rule) for rule in new],
        "dropped": dropped,
        **_whole("logic", logic),
    }


def _whole(part: str, values: Mapping[str, Any]) -> Values:
    """With the keys that only the other task fills."""
    return {**values, **{name: values.get(name) for name in _OF_ONE_TASK[part]}}


def _counts(result: Reconstruction | SlotReconstruction, *, dropped: int, words: int, edges: int | None) -> Values:
    return {
        "kept": len(result.rules) - result.changed,
        "changed": result.changed,
        "new": len(result.new_rules),
        "dropped": dropped,
        "edges": edges,
        "words": words,
    }


def _both(rule: RuleChange | SlotRuleChange, words: int) -> Values:
    return {
        "name": rule.name,
        "label": rule.label,
        "kept": rule.kept_original,
        "original": rule.original_text,
        "reconstructed": rule.reconstructed_text,
        "words": words,
        "unread": rule.unread,
    }


def _rule(rule: RuleChange) -> Values:
    return {
        **_both(rule, rule.words),
        "only_original": _words(rule.witness_only_original),
        "only_reconstructed": _words(rule.witness_only_reconstructed),
        "threshold": rule.threshold,
        "edges": rule.edges,
        "learned": [asdict(edge) for edge in rule.learned],
    }


def _slot_rule(rule: SlotRuleChange) -> Values:
    only = ("steps", "words_added", "words_removed", "tags_added", "tags_removed")
    words = len(rule.words_added) + len(rule.words_removed)
    return {**_both(rule, words), "gain": rule.gain, **{name: list(getattr(rule, name)) for name in only}}


def _new_rule(rule: AddedRule) -> Values:
    return {"name": rule.name, "label": rule.label, "text": rule.text, "sentences": len(rule.texts)}


def _new_slot_rule(rule: LearnedRule) -> Values:
    return {"name": rule.name, "label": rule.slot, "text": rule.text, "gain": rule.gain}


def _words(witness: tuple[str, ...] | None) -> list[str] | None:
    return None if witness is None else list(witness)
