"""What a rule set does on a project's texts: the figures of each rule and label, and the texts behind each figure.

hits        texts that a rule accepts
missed      texts without the correct prediction that no rule accepts; of a label, that none of its rules accepts
wrong       texts that a rule accepts and that carry another label; of all rules, texts that some rule accepts and that
            do not get their label
conflicts   texts for which several labels hold and no priority decides between them, so that their order does

Figures of a rule are of the texts that it accepts, whatever the label logic makes of them. Those of a label and of all
rules leave out unused rules, which no formula names: they move with predictions alone.

Of all rules the labelled texts are those with the correct prediction, the wrong and the missed ones: each text once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.explain import Reading, explain
from re2nn_core.automata.positions import build_positions
from re2nn_core.errors import Fault
from re2nn_core.rules.logic.label_logic import LabelLogic, decide_all, evaluate_formula
from re2nn_core.rules.logic.unused_rules import unused_rule_warnings, unused_rules
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_systems.classification.sources import all_warnings, in_order
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.text.case_words import surfaces_of
from re2nn_core.text.tokenization import Tokenization, tokenize

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]
LOGIC_TAB = "the tab Label logic"  # where the page with the editor has it
Mark = tuple[int, int, str]  # half-open range of characters; "hit" or "any"


@dataclass(frozen=True)
class RuleFigures:
    """One rule on all texts. `labelled` counts its hits whose label is known; `alone` those that no other
    rule of its label accepts; `conflicts` those for which several labels are active.
    """

    name: str
    label: str
    line: int
    matches: int
    labelled: int
    correct: int
    alone: int
    conflicts: int

    @property
    def wrong(self) -> int:
        return self.labelled - self.correct

    @property
    def precision(self) -> float | None:
        return self.correct / self.labelled if self.labelled else None


@dataclass(frozen=True)
class LabelFigures:
    """One label on all texts: those that carry it, those it is the prediction for, and how these meet."""

    label: str
    rules: int
    texts: int
    predicted: int
    labelled: int
    correct: int
    missed: int

    @property
    def precision(self) -> float | None:
        return self.correct / self.labelled if self.labelled else None

    @property
    def recall(self) -> float | None:
        return self.correct / self.texts if self.texts else None


@dataclass(frozen=True, eq=False)
class Analysis:
    """A rule system on all texts. `labels` are those of the logic, then those that only the texts carry."""

    system: RuleSystem
    warnings: tuple[Fault, ...]
    labels: tuple[str, ...]
    gold: Integers  # [texts], index into labels, -1 where no label is known
    matched: Bools  # [texts, rules]
    label_holds: Bools  # [texts, labels], the label's formula holds
    predictions: Integers  # [texts], index into labels, -1 for no prediction

    @property
    def texts(self) -> int:
        return len(self.gold)

    @cached_property
    def rule_index(self) -> dict[str, int]:
        return {rule.name: place for place, rule in enumerate(self.system.ruleset.rules)}

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Of each label with rules, the places of its rules."""
        places: dict[str, list[int]] = {}
        for place, rule in enumerate(self.system.ruleset.rules):
            places.setdefault(rule.label, []).append(place)
        return places

    @cached_property
    def unused(self) -> tuple[Rule, ...]:
        """The rules that no formula of the label logic names: whatever they match, no prediction changes."""
        return unused_rules(self.system.ruleset, self.system.logic)

    @cached_property
    def correct(self) -> Bools:
        """[texts]: the prediction is the known label."""
        return (self.gold >= 0) & (self.predictions == self.gold)

    @property
    def labelled(self) -> int:
        return int((self.gold >= 0).sum())

    @property
    def predicted(self) -> int:
        """Texts that get a prediction from a rule or as the default."""
        return int((self.predictions >= 0).sum())

    @cached_property
    def by_default(self) -> Bools:
        """[texts]: the prediction is the default, because no label holds."""
        return (self.predictions >= 0) & ~self.label_holds.any(axis=1)

    @property
    def covered(self) -> int:
        """Texts that some rule accepts."""
        return int(self.of_label(None).sum())

    @property
    def accuracy(self) -> float | None:
        """The share of labelled texts with the correct prediction; no prediction is a wrong one."""
        return int(self.correct.sum()) / self.labelled if self.labelled else None

    @cached_property
    def active(self) -> Bools:
        """[texts, labels]: the label's formula holds, and that of no label with priority over it."""
        number = {label: place for place, label in enumerate(self.labels)}
        active = self.label_holds.copy()
        for stronger, weaker in self.system.logic.priorities:
            active[:, number[weaker]] &= ~self.label_holds[:, number[stronger]]
        return active

    @cached_property
    def in_conflict(self) -> Bools:
        """[texts]: more than one label is active, so that their order decides."""
        return np.asarray(self.active.sum(axis=1) > 1)

    def of_label(self, label: str | None) -> Bools:
        """[texts]: some rule of the label accepts the text; some rule at all for None. Unused rules do not count."""
        places = range(self.matched.shape[1]) if label is None else self.places.get(label, [])
        unused = {self.rule_index[rule.name] for rule in self.unused}
        return np.asarray(self.matched[:, [place for place in places if place not in unused]].any(axis=1))

    def matches(self, *, rule: str | None = None, label: str | None = None) -> Integers:
        """Texts that the rule, or any rule of the label, accepts. [texts found]."""
        return np.flatnonzero(self._accepted(rule, label))

    def missed(self, label: str | None = None) -> Integers:
        """Texts of the label without the correct prediction that none of its rules accepts; for None those of any label
        that no rule accepts. [texts found]."""
        mine = self.gold >= 0 if label is None else self.gold == self._number(label)
        return np.flatnonzero(mine & ~self.correct & ~self.of_label(label))

    def wrong(self, *, rule: str | None = None, label: str | None = None) -> Integers:
        """Labelled texts that the rule, or a rule of the label, accepts and that carry another label; for neither,
        those that some rule accepts and that have no correct prediction. [texts found].
        """
        if rule is None and label is None:
            return np.flatnonzero((self.gold >= 0) & ~self.correct & self.of_label(None))
        owner = label if rule is None else self.system.ruleset.rules[self.rule_index[rule]].label
        other = (self.gold >= 0) & (self.gold != self._number(owner or ""))
        return np.flatnonzero(self._accepted(rule, label) & other)

    def conflicts(self, *, rule: str | None = None, label: str | None = None) -> Integers:
        """Texts that are in conflict, among those that the rule or the label's rules accept.
        [texts found]."""
        return np.flatnonzero(self._accepted(rule, label) & self.in_conflict)

    def prediction(self, text: int) -> str | None:
        """The prediction for one text."""
        number = int(self.predictions[text])
        return None if number < 0 else self.labels[number]

    def rules_that_hit(self, text: int, *, label: str | None = None) -> tuple[str, ...]:
        """Names of the rules that accept the text, of one label or of all."""
        rules = self.system.ruleset.rules
        return tuple(
            rules[place].name
            for place in np.flatnonzero(self.matched[text])
            if label is None or rules[place].label == label
        )

    def _accepted(self, rule: str | None, label: str | None) -> Bools:
        return self.of_label(label) if rule is None else np.asarray(self.matched[:, self.rule_index[rule]])

    def _number(self, label: str) -> int:
        return self.labels.index(label) if label in self.labels else -2

    @cached_property
    def rule_figures(self) -> tuple[RuleFigures, ...]:
        found = {figures.name: figures for label in self.places for figures in _rule_figures(self, label)}
        return tuple(found[rule.name] for rule in self.system.ruleset.rules)

    @cached_property
    def label_figures(self) -> tuple[LabelFigures, ...]:
        return tuple(_label_figures(self, number) for number in range(len(self.labels)))


@dataclass(frozen=True, eq=False)
class Effect:
    """What an edit changes: labelled texts fixed and broken, and unlabelled or still wrong ones whose prediction
    changed.
    """

    fixed: Integers
    broken: Integers
    changed: Integers
    accuracy_before: float | None
    accuracy_now: float | None

    @property
    def nothing(self) -> bool:
        return not (len(self.fixed) or len(self.broken) or len(self.changed))


def analyse(bench: TextBench, gold: Sequence[str | None], rules_text: str, logic_text: str | None) -> Analysis:
    """Run rules and logic on the bench's texts; RuleError and LogicError with every fault."""
    system, warnings = read_system(
        rules_text, logic_text, bench.tokenization, rules_file="rules", logic_file="label logic"
    )
    return analyse_system(bench, gold, system, warnings)


def analyse_system(
    bench: TextBench, gold: Sequence[str | None], system: RuleSystem, warnings: Sequence[Fault] = ()
) -> Analysis:
    """Run a rule system on the bench's texts; `warnings`: those of its rule text."""
    matched = bench.matched(system.ruleset.rules)
    predictions = np.asarray(decide_all(system.logic, system.rule_names, matched), dtype=np.int64)
    labels = _all_labels(system.logic, gold)
    return Analysis(
        system=system,
        warnings=in_order(
            (
                *all_warnings(warnings, system.ruleset, bench.tokenization, Path("rules")),
                *unused_rule_warnings(
                    system.ruleset, system.logic, system.logic_text, file="rules", logic_file=LOGIC_TAB
                ),
            )
        ),
        labels=labels,
        gold=_numbers(gold, labels),
        matched=matched,
        label_holds=_label_holds(system.logic, system.rule_names, matched, len(labels)),
        predictions=predictions,
    )


def evaluated_by(analysis: Analysis, gold: Sequence[str | None]) -> Analysis:
    """The same rules on the same texts, judged by other labels; the rules do not run again."""
    decided = len(analysis.system.logic.labels)
    labels = _all_labels(analysis.system.logic, gold)
    # No rule predicts what only the texts carry.
    label_holds = np.pad(analysis.label_holds[:, :decided], ((0, 0), (0, len(labels) - decided)))
    return replace(analysis, labels=labels, gold=_numbers(gold, labels), label_holds=label_holds)


def effect(now: Analysis, before: Analysis) -> Effect:
    """What changed between two analyses of the same texts."""
    places = {label: place for place, label in enumerate(now.labels)}
    # Predictions that only the old rules know stay different from all of now's.
    lookup = [places.get(label, -2) for label in before.labels]
    old = np.asarray([*lookup, -1], dtype=np.int64)[before.predictions]
    right_before = (now.gold >= 0) & (old == now.gold)
    fixed, broken = now.correct & ~right_before, right_before & ~now.correct
    changed = (old != now.predictions) & ~fixed & ~broken
    return Effect(np.flatnonzero(fixed), np.flatnonzero(broken), np.flatnonzero(changed), before.accuracy, now.accuracy)


def matched_words(tree: Node, texts: Sequence[str], tokenization: Tokenization) -> list[tuple[Mark, ...]]:
    """For each text the characters of the words that a rule names ("hit") or reads by a single `$` ("any")."""
    automaton = build_positions(tree)
    tokenization = replace(tokenization, cased=surfaces_of(automaton.words))
    kinds = {Reading.NAMED: "hit", Reading.ANY: "any"}
    marks = []
    for text in texts:
        tokens = tokenize(text, tokenization)
        readings = explain(automaton, [token.text for token in tokens]) or ()
        marks.append(
            tuple(
                (token.start, token.end, kinds[reading])
                for token, reading in zip(tokens, readings, strict=False)
                if reading in kinds
            )
        )
    return marks


def _all_labels(logic: LabelLogic, gold: Sequence[str | None]) -> tuple[str, ...]:
    """The labels of the logic, then those that only the texts carry."""
    return tuple(dict.fromkeys((*logic.labels, *(label for label in gold if label is not None))))


def _numbers(gold: Sequence[str | None], labels: Sequence[str]) -> Integers:
    """[texts]: the place of each text's label among all, -1 where it has none."""
    number = {label: place for place, label in enumerate(labels)}
    return np.asarray([-1 if label is None else number[label] for label in gold], dtype=np.int64)


def _label_holds(logic: LabelLogic, names: Sequence[str], matched: Bools, labels: int) -> Bools:
    """[texts, labels]: where the formula of each label holds."""
    columns = {name: matched[:, place] for place, name in enumerate(names)}
    never = np.zeros(len(matched), dtype=np.bool_)
    label_holds = np.zeros((len(matched), labels), dtype=np.bool_)
    for place, formula in enumerate(logic.formulas):
        label_holds[:, place] = evaluate_formula(formula, columns.__getitem__, never=never, negate=np.logical_not)
    return label_holds


def _rule_figures(analysis: Analysis, label: str) -> list[RuleFigures]:
    """The figures of the rules of one label. Each text is looked at once for all of them, not once a pair."""
    rules, places = analysis.system.ruleset.rules, analysis.places[label]
    accepted = analysis.matched[:, places]
    among = {
        "matches": np.ones(analysis.texts, dtype=np.bool_),
        "labelled": analysis.gold >= 0,
        "correct": analysis.gold == analysis._number(label),
        "alone": accepted.sum(axis=1) == 1,
        "conflicts": analysis.in_conflict,
    }
    counts = {name: accepted[texts].sum(axis=0).tolist() for name, texts in among.items()}
    return [
        RuleFigures(rules[place].name, label, rules[place].line, *(counts[name][number] for name in among))
        for number, place in enumerate(places)
    ]


def _label_figures(analysis: Analysis, number: int) -> LabelFigures:
    label = analysis.labels[number]
    gold, given = analysis.gold == number, analysis.predictions == number
    return LabelFigures(
        label=label,
        rules=len(analysis.places.get(label, ())),
        texts=int(gold.sum()),
        predicted=int(given.sum()),
        labelled=int((given & (analysis.gold >= 0)).sum()),
        correct=int((given & gold).sum()),
        missed=len(analysis.missed(label)),
    )
