"""Rules that predict what a classifier predicts, found from its predictions alone: for models whose weights are no
rules, and for models of other programs.

The search that proposes rules from labelled texts runs on the predictions of labelled and unlabelled texts, and adds to
the written rules, if there are any. What its rules are worth is measured on texts that it does not see: those of dev
and test, or every fifth text where there are none. Fidelity is the share of texts with the same prediction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError, shortened
from re2nn_core.proposals.label_order import NONE, LabelOrder, label_order, winning_labels
from re2nn_core.rules.added_lines import with_rules_added
from re2nn_core.rules.names import LABEL_ADVICE
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.tree import named_words
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_writing.classification.grown_rules import grown_rules
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import HELD_OUT, material_of
from re2nn_core.services.rule_writing.classification.proposals import (
    NewRule,
    Priority,
    add_priorities,
    with_default_label,
    with_proposals,
)
from re2nn_core.services.rule_writing.classification.rule_coverage import analyse
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import Tokenization

EVERY = 5  # without dev and test, every fifth text is kept for measuring
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class SplitFidelity:
    """Texts of a split that have a prediction; `fidelity`: share of them with the same prediction of the rules;
    `accuracy` and `model`: shares of the labelled ones that the rules and the model predict correctly, None without
    labels; `labelled`: how many these are, `fixed` and `broken`: of how many the new rules make the prediction right or
    wrong."""

    texts: int
    fidelity: float
    accuracy: float | None
    model: float | None
    labelled: int = 0
    fixed: int = 0
    broken: int = 0


@dataclass(frozen=True)
class RulesOfSize:
    """The first so many of the found rules, in the order in which they were found, and the words that these name; what
    they reach with the written rules, by split."""

    rules: int
    words: int
    splits: Mapping[str, SplitFidelity]


@dataclass(frozen=True)
class PredictedRules:
    """Rules found from predictions. `curve`: from no found rule to all of them; `chosen` is the size that was written;
    `learned_from`: texts whose predictions the search saw; `stopped`: it was asked to stop before it was done."""

    rules_text: str
    logic_text: str
    new_rules: tuple[NewRule, ...]
    curve: tuple[RulesOfSize, ...]
    chosen: RulesOfSize
    learned_from: int
    stopped: bool = False


@dataclass(frozen=True, eq=False)
class _Measured:
    """The texts with a prediction by split, as places; of all texts by number what the model predicts, their labels and
    what the written rules predict, NONE for none."""

    splits: Mapping[str, Integers]
    predicted: Integers
    gold: Integers
    written: Integers

    def of(self, predictions: Integers) -> dict[str, SplitFidelity]:
        """What predictions [texts] reach."""
        return {split: self._split(predictions, places) for split, places in self.splits.items()}

    def _split(self, predictions: Integers, places: Integers) -> SplitFidelity:
        own, teacher, gold = predictions[places], self.predicted[places], self.gold[places]
        known = gold != NONE
        accuracy, model = (float((found == gold)[known].mean()) if known.any() else None for found in (own, teacher))
        right, before = (own == gold)[known], (self.written[places] == gold)[known]
        fidelity, labelled = float((own == teacher).mean()), int(known.sum())
        fixed, broken = int((right & ~before).sum()), int((before & ~right).sum())
        return SplitFidelity(len(places), fidelity, accuracy, model, labelled, fixed, broken)


def reconstruct_predictions(
    written: RuleSystem | None,
    corpus: Corpus,
    predicted: Sequence[str | None],
    tokenization: Tokenization,
    *,
    most_words: int | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> PredictedRules:
    """Rules for the `predicted` labels of the texts of a corpus (None: no prediction), in addition to the `written`
    ones. With `most_words`, as many rules as name no more words than that, those found first. Once `should_stop`
    says so, the search ends with the rules found by then. InputError where no text outside of dev and test has a
    prediction."""
    splits = _splits(corpus)
    bench = TextBench(corpus.texts, tokenization)
    material = material_of(predicted, splits, () if written is None else written.logic.labels)
    if not len(material.gold):
        raise InputError(_nothing_predicted(predicted, splits))
    order, holds = _before(written, bench, predicted, material.labels)
    taken = set() if written is None else {entry.name for entry in written.ruleset.entries}
    stop = _Stop(should_stop)
    rules, grown, priorities = grown_rules(bench, material, order, holds, taken, should_stop=stop.asked)
    measured = _measured(corpus, predicted, splits, grown, winning_labels(order, holds))
    curve = tuple(_curve(bench, grown, holds, rules, measured))
    chosen = [one for one in curve if most_words is None or one.words <= most_words][-1]
    kept = rules[: chosen.rules]
    texts = _written(written, kept, (order, grown), priorities)
    predictions = read_system(*texts, tokenization)[0].predictions(corpus.texts) if kept or written else []
    if predictions:  # what is written is what is measured
        chosen = replace(chosen, splits=measured.of(_numbers(predictions, grown)))
    return PredictedRules(*texts, tuple(kept), curve, chosen, len(material.gold), stop.was_asked)


@dataclass
class _Stop:
    """Remembers that the search was to stop."""

    should_stop: Callable[[], bool] | None
    was_asked: bool = False

    def asked(self) -> bool:
        self.was_asked = self.was_asked or (self.should_stop is not None and self.should_stop())
        return self.was_asked


def _before(
    written: RuleSystem | None, bench: TextBench, predicted: Sequence[str | None], labels: Sequence[str]
) -> tuple[LabelOrder, Bools]:
    """The label order of the written rules with these labels, too, and [texts, labels]: those whose rules match."""
    if written is None:
        return LabelOrder(tuple(labels)), np.zeros((len(predicted), len(labels)), dtype=np.bool_)
    now = analyse(bench, predicted, written.rules_text, written.logic_text)
    order = label_order(now.system.logic, (*now.labels, *labels))
    return order, np.pad(now.label_holds, ((0, 0), (0, len(order.labels) - now.label_holds.shape[1])))


def _nothing_predicted(predicted: Sequence[str | None], splits: Sequence[str]) -> str:
    """Why there is nothing to learn from, and what to do."""
    own = [label for label, split in zip(predicted, splits, strict=True) if label is not None and split not in HELD_OUT]
    none = "No text outside of dev and test has a prediction that can be the name of a label, so no rule can be found."
    if own:
        return f"{none}\nPredicted is {shortened(repr(own[0]))}. {LABEL_ADVICE}"
    return f"{none}\nGive predictions of train texts, or of unlabelled ones."


def _splits(corpus: Corpus) -> list[str]:
    named = [example.split or "train" for example in corpus]
    if set(named) & set(HELD_OUT):
        return named
    return ["dev" if place % EVERY == EVERY - 1 else split for place, split in enumerate(named)]


def _measured(
    corpus: Corpus, predicted: Sequence[str | None], splits: Sequence[str], order: LabelOrder, written: Integers
) -> _Measured:
    teacher = _numbers(predicted, order)
    own = [(split, place) for place, split in enumerate(splits) if predicted[place] is not None]
    names = [name for name in ("train", *HELD_OUT) if any(split == name for split, _ in own)]
    places = {name: np.asarray([place for split, place in own if split == name], dtype=np.int64) for name in names}
    return _Measured(places, teacher, _numbers([example.label for example in corpus], order), written)


def _numbers(labels: Sequence[str | None], order: LabelOrder) -> Integers:
    """[texts]: NONE for no label; of labels that the order lacks a number of their own below it."""
    known = {label: place for place, label in enumerate(order.labels)}
    others = {label: place for place, label in enumerate(sorted({one for one in labels if one} - set(known)), start=2)}
    return np.asarray([NONE if one is None else known.get(one, -others.get(one, 1)) for one in labels], dtype=np.int64)


def _curve(
    bench: TextBench, order: LabelOrder, holds: Bools, rules: Sequence[NewRule], measured: _Measured
) -> Iterator[RulesOfSize]:
    """Every size, from no found rule on; `holds` [texts, labels] those of the written ones."""
    holds, words = holds.copy(), 0
    yield RulesOfSize(0, 0, measured.of(winning_labels(order, holds)))
    if not rules:
        return
    matched = bench.matched([Rule(one.name, one.label, one.tree, one.tree) for one in rules])  # [texts, rules]
    for place, rule in enumerate(rules):
        holds[matched[:, place], order.number(rule.label)] = True
        words += len(named_words(rule.tree))
        yield RulesOfSize(place + 1, words, measured.of(winning_labels(order, holds)))


def _written(
    written: RuleSystem | None,
    rules: Sequence[NewRule],
    orders: tuple[LabelOrder, LabelOrder],
    priorities: Sequence[Priority],
) -> tuple[str, str]:
    """Rules and label logic as texts; `orders` before and after the search. The sections of new labels come in their
    order, which decides where no priority does."""
    before, after = orders
    sorted_rules = sorted(rules, key=lambda rule: after.number(rule.label))
    if written is None:
        named = [(one.label, one.name, one.tree) for one in sorted_rules]
        rules_text, logic_text = with_rules_added("", RuleSet(()), named), ""
        known = {rule.label for rule in rules}
    else:
        rules_text, logic_text = with_proposals(written, sorted_rules)
        known = {*written.logic.labels, *(rule.label for rule in rules)}
    if after.default != NONE and before.default == NONE:
        logic_text = with_default_label(logic_text, after.labels[after.default])
        known.add(after.labels[after.default])
    return rules_text, add_priorities(logic_text, [p for p in priorities if {p.stronger, p.weaker} <= known])
