"""Why a text got its answer: the rules that accept it with the words they read, and the labels'
probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from re2nn_core.rules.printer import print_expression
from re2nn_core.services.prediction.classification.predictions import Ground, Predictions
from re2nn_core.services.rule_writing.classification.rule_coverage import Mark, matched_words


@dataclass(frozen=True)
class RuleHit:
    """A rule that accepts the text. `speaks` is True where it speaks for the answer; `marks` are the
    characters of the words it names."""

    name: str
    label: str
    expression: str
    speaks: bool
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Reasons:
    """All that decides one text. `hits` that speak for the answer come first; `ranked` holds the likeliest
    labels."""

    text: str
    answer: str | None
    rules_answer: str | None
    confidence: float
    ground: Ground
    trained: bool
    hits: tuple[RuleHit, ...]
    ranked: tuple[tuple[str, float], ...]

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The words of the first rule that names any."""
        return next((hit.marks for hit in self.hits if hit.marks), ())

    @property
    def sureness(self) -> str:
        """How sure the answer is, in words: a percentage only where something was weighed. Empty for no answer."""
        if self.ground == "none":
            return ""
        if self.ground == "default":
            return f"default label, no rule {'decides' if self.hits else 'matches'}"
        return f"{self.confidence:.0%} sure"

    @property
    def scored(self) -> tuple[tuple[str, float], ...]:
        """`ranked` where the scores decided; empty for no answer, and where the rules gave the default label."""
        weighed = self.ground in ("rules", "network") or (self.ground == "default" and self.trained)
        return self.ranked if weighed else ()

    @property
    def sentence(self) -> str:
        """The reason in a sentence for people."""
        answer, rules = self.answer or "no answer", self.rules_answer or "no answer"
        if answer != rules:
            sure = "" if self.answer is None else f", {self.confidence:.0%} sure"
            return f"The rules say {rules}; the trained network says {answer}{sure}."
        if self.ground == "rules":
            names = ", ".join(hit.name for hit in self.hits if hit.speaks)
            others = [hit.name for hit in self.hits if not hit.speaks]
            against = f" {', '.join(others)} matched as well, for another label." if others else ""
            return f"Matched by {names}.{against}"
        if self.ground == "default":
            return "No rule decides this text, so it gets the default label."
        if self.ground == "network":
            return "No rule speaks for this answer; the trained network alone gives it."
        if self.hits:
            return "Rules match this text, but label logic lets none of them decide; there is no default label."
        return "No rule matches this text, and there is no default label."


def confidence_percent(answered: Predictions, place: int) -> int | None:
    """How sure an answer is, in whole percent; None for no answer and for a default label, which nothing weighed."""
    # No rule's name has a blank in it, so these words are never one.
    if answered.answers[place] < 0 or answered.grounds[place] == "default label":
        return None
    return round(100 * float(answered.confidence[place]))


def reasons_for(answered: Predictions, place: int, *, most_labels: int = 5) -> Reasons:
    """The reasons behind the answer for one text."""
    text = answered.texts[place]
    speaking = frozenset(answered.deciding(place))
    rules = [answered.system.ruleset.rules[number] for number in np.flatnonzero(answered.fired[place])]
    hits = [
        RuleHit(
            name=rule.name,
            label=rule.label,
            expression=print_expression(rule.tree),
            speaks=rule.name in speaking,
            marks=matched_words(rule.expanded, [text], answered.system.tokenization)[0],
        )
        for rule in rules
    ]
    return Reasons(
        text=text,
        answer=answered.answer(place),
        rules_answer=answered.rules_answer(place),
        confidence=float(answered.confidence[place]),
        ground=answered.ground(place),
        trained=answered.trained,
        hits=tuple(sorted(hits, key=lambda hit: not hit.speaks)),
        ranked=tuple(answered.ranked(place, most_labels)),
    )
