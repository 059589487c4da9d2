"""How often the rules' spans were right on annotated texts: for each rule and slot, and for spans that no rule predicts
whole.

A rule is measured where it decides: on the predicted spans that it would predict alone, so that a span which another
rule takes away from it does not count against it. A span is right if its words and its slot are annotated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from re2nn_core.services.prediction.precision import Precision, most_trusted, precision_of
from re2nn_core.text.spans import Span

Spans = tuple[Span, ...]
# Of each predicted span of a text the rules that predict just this span alone.
Givers = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class MeasuredSlotRules:
    """`rules`: each measured rule, for each of its slots, with its precision; `combined`: that of spans that only
    several rules together make. What no annotated text tells is not measured."""

    rules: tuple[tuple[tuple[str, str], Precision], ...] = ()
    combined: Precision | None = None

    @property
    def known(self) -> bool:
        """Whether anything was measured."""
        return bool(self.rules) or self.combined is not None

    @cached_property
    def _found(self) -> dict[tuple[str, str], Precision]:
        return dict(self.rules)

    def of(self, rule: str, slot: str) -> Precision | None:
        """That of a rule for a slot."""
        return self._found.get((rule, slot))

    def of_span(self, slot: str, givers: Iterable[str]) -> Precision | None:
        """That of a predicted span: of the rule that can be trusted most among those that predict it."""
        rules = tuple(givers)
        return most_trusted(self.of(rule, slot) for rule in rules) if rules else self.combined


def measure_slot_rules(
    predicted: Sequence[Spans], givers: Sequence[Givers], gold: Sequence[Spans | None]
) -> MeasuredSlotRules:
    """The rules on annotated texts; predicted, givers and gold [texts], gold None where nobody has annotated."""
    count: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    combined = correct = 0
    for spans, by_rule, annotated in zip(predicted, givers, gold, strict=True):
        if annotated is None:
            continue
        for span, rules in zip(spans, by_rule, strict=True):
            combined += not rules
            correct += not rules and span in annotated
            for rule in rules:
                count[rule, span.slot] += 1
                right[rule, span.slot] += span in annotated
    found = ((key, Precision(right[key], total, "span")) for key, total in sorted(count.items()))
    return MeasuredSlotRules(tuple(found), precision_of(correct, combined, "span"))
