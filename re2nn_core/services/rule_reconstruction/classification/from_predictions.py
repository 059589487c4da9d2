"""Rules that predict what a classifier predicts, found from its predictions alone: for models whose weights are no
rules, and for models of other programs.

The search that proposes rules from labelled texts runs on the predictions of labelled and unlabelled texts, and adds to
the written rules, if there are any. What its rules are worth is measured on texts that it does not see (fidelity.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.errors import InputError, shortened
from re2nn_core.proposals.label_order import NONE, LabelOrder, label_order, winning_labels
from re2nn_core.reconstruction.stopping import Stop
from re2nn_core.rules.added_lines import with_rules_added
from re2nn_core.rules.names import LABEL_ADVICE
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.rules.tree import named_words
from re2nn_core.services.rule_reconstruction.classification.fidelity import (
    Labels,
    MeasuredTexts,
    RulesOfSize,
    as_labels,
    deciding_split,
    measured_texts,
    splits_of,
)
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_writing.classification.grown_rules import OnProgress, grown_rules
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

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class PredictedRules:
    """Rules found from predictions. `new_rules` are those that nobody has written, `changed` the names of written ones
    that say something else now. `curve`: from the written rules as they are to all that were found; `chosen` is the
    size that was written; `learned_from`: texts whose predictions were learned; `stopped`: it was asked to stop before
    it was done;
    `by_network`: a network of the found rules learned the predictions too, and these are its rules; False where dev
    agreed no more with it, None where there was none; `begun`: rules and label logic that this network began with;
    `repeated`: by split, texts that are not measured because they stand among the learned ones, too."""

    rules_text: str
    logic_text: str
    new_rules: tuple[NewRule, ...]
    curve: tuple[RulesOfSize, ...]
    chosen: RulesOfSize
    learned_from: int
    stopped: bool = False
    changed: tuple[str, ...] = ()
    by_network: bool | None = None
    begun: tuple[str, str] | None = None
    repeated: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class FoundRules:
    """What a search found: `rules` in the order in which they were found, for the texts that are `measured`. `orders`:
    the label order before and after."""

    written: RuleSystem | None
    texts: Sequence[str]
    tokenization: Tokenization
    rules: Sequence[NewRule]
    orders: tuple[LabelOrder, LabelOrder]
    priorities: Sequence[Priority]
    measured: MeasuredTexts
    curve: tuple[RulesOfSize, ...]
    learned_from: int
    stopped: bool

    def within(self, most_words: int | None) -> PredictedRules:
        """As many rules as name no more words than that (None: all), those found first."""
        return self.of_size([one for one in self.curve if most_words is None or one.words <= most_words][-1])

    def as_good(self, kept: PredictedRules) -> PredictedRules:
        """The rules with the fewest words that give no fewer of the deciding texts the model's prediction than what is
        `kept`; that where there are none, or no such texts."""
        split = deciding_split(kept.chosen.splits)
        if split is None:
            return kept
        least, words = kept.chosen.splits[split].fidelity, kept.chosen.words
        for size in self.curve[1:]:
            if size.words < words and size.splits[split].fidelity >= least:
                found = self.of_size(size)
                if found.chosen.splits[split].fidelity >= least:
                    return replace(found, stopped=kept.stopped, by_network=None if kept.by_network is None else False)
        return kept

    def of_size(self, chosen: RulesOfSize) -> PredictedRules:
        """The rules of a size of the curve."""
        kept = tuple(self.rules[: chosen.rules])
        rules, logic = _written(self.written, kept, self.orders, self.priorities)
        if kept or self.written:  # what is written is what is measured
            predictions = read_system(rules, logic, self.tokenization)[0].predictions(self.texts)
            chosen = replace(chosen, splits=self.measured.of(as_labels(predictions)))
        found = PredictedRules(rules, logic, kept, self.curve, chosen, self.learned_from, self.stopped)
        return replace(found, repeated=self.measured.repeated)


def search_predictions(
    written: RuleSystem | None,
    corpus: Corpus,
    predicted: Sequence[str | None],
    tokenization: Tokenization,
    *,
    should_stop: Callable[[], bool] | None = None,
    on_progress: OnProgress | None = None,
) -> FoundRules:
    """Rules for the `predicted` labels of the texts of a corpus (None: no prediction), in addition to the `written`
    ones. Once `should_stop` says so, the search ends with the rules found by then; `on_progress` is told as
    `grown_rules` says. InputError where no text outside of dev and test has a prediction."""
    splits = splits_of(corpus)
    bench = TextBench(corpus.texts, tokenization)
    material = material_of(predicted, splits, () if written is None else written.logic.labels)
    if not len(material.gold):
        raise InputError(_nothing_predicted(predicted, splits))
    order, holds = _before(written, bench, predicted, material.labels)
    taken = set() if written is None else {entry.name for entry in written.ruleset.entries}
    stop = Stop(should_stop)
    rules, grown, priorities = grown_rules(
        bench, material, order, holds, taken, should_stop=stop.asked, on_progress=on_progress
    )
    measured = measured_texts(corpus, bench.sentences, predicted, _labels(order, winning_labels(order, holds)))
    curve = tuple(_curve(bench, grown, holds, rules, measured))
    found = (rules, (order, grown), priorities, measured, curve, len(material.gold), stop.was_asked)
    return FoundRules(written, corpus.texts, tokenization, *found)


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


def _labels(order: LabelOrder, numbers: Integers) -> Labels:
    """[texts]: the labels of these numbers, None for NONE."""
    return as_labels([None if number == NONE else order.labels[number] for number in numbers])


def _curve(
    bench: TextBench, order: LabelOrder, holds: Bools, rules: Sequence[NewRule], measured: MeasuredTexts
) -> Iterator[RulesOfSize]:
    """The written rules as they are, and every size with the label order that was found; `holds` [texts, labels] those
    of the written ones."""
    holds, words = holds.copy(), 0
    yield RulesOfSize(0, 0, measured.of(measured.written))
    if not rules:
        return
    matched = bench.matched([Rule(one.name, one.label, one.tree, one.tree) for one in rules])  # [texts, rules]
    for place, rule in enumerate(rules):
        holds[matched[:, place], order.number(rule.label)] = True
        words += len(named_words(rule.tree))
        yield RulesOfSize(place + 1, words, measured.of(_labels(order, winning_labels(order, holds))))


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
