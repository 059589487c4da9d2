"""Everybody who answers a project's texts, in one matrix: people, the rule set, each rule, a network.

A rule says its label, or its spans, where it accepts a text, and nothing elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.team.agreement import Coefficient, cohen_of, percent_of
from re2nn_core.services.team.annotations import TeamAnnotations
from re2nn_core.services.team.ratings import pair_counts, table_of
from re2nn_core.services.team.span_agreement import span_pairs
from re2nn_core.services.team.span_annotations import SpanRatings
from re2nn_core.text.spans import Span, read_spans, spans_of
from re2nn_core.text.tokenization import Token

Kind = Literal["person", "rules", "rule", "network"]


@dataclass(frozen=True)
class Rater:
    """Somebody who answers texts. A person may be called as a rule is, so both are told apart by `kind`."""

    kind: Kind
    name: str

    @property
    def title(self) -> str:
        """As people read it."""
        return {"person": self.name, "rules": "rule set", "rule": f"rule {self.name}", "network": self.name}[self.kind]


@dataclass(frozen=True)
class AgreementCell:
    """Two raters on the `texts` that both answered; `beyond` is Cohen's kappa, for slots the F1 of spans."""

    texts: int
    percent: Coefficient
    beyond: Coefficient


@dataclass(frozen=True, eq=False)
class Matrix:
    """All raters against each other. `by_rater`: rater -> text -> what they say, comparable by ==; `cells` by two
    numbers, the smaller in front."""

    raters: tuple[Rater, ...]
    by_rater: Mapping[Rater, Mapping[int, Any]]
    cells: Mapping[tuple[int, int], AgreementCell]

    def cell(self, one: int, other: int) -> AgreementCell | None:
        """None for a rater and itself."""
        return self.cells.get((min(one, other), max(one, other)))

    def differing(self, one: Rater, other: Rater) -> tuple[int, ...]:
        """Ids of the texts of which two raters say different things."""
        first, second = self.by_rater[one], self.by_rater[other]
        return tuple(text for text, annotation in first.items() if text in second and second[text] != annotation)


def people_of(team_annotations: TeamAnnotations) -> dict[Rater, Mapping[int, str]]:
    """The people with their annotations, as the store keeps them."""
    return {Rater("person", person): opinions for person, opinions in team_annotations.ratings.items()}


def label_machines(
    system: RuleSystem,
    ids: Sequence[int],
    matched: NDArray[np.bool_],
    by_rules: Sequence[str | None],
    network: tuple[str, Sequence[str | None]] | None = None,
) -> dict[Rater, Mapping[int, str]]:
    """Rule set, network (name, answers) and each rule. fired [texts, rules]; the other sequences are as long as
    `ids`."""
    found: dict[Rater, Mapping[int, str]] = {Rater("rules", ""): _annotated(ids, by_rules)}
    if network is not None:
        found[Rater("network", network[0])] = _annotated(ids, network[1])
    for place, rule in enumerate(system.ruleset.rules):
        found[Rater("rule", rule.name)] = {ids[int(text)]: rule.label for text in np.flatnonzero(matched[:, place])}
    return found


def _annotated(ids: Sequence[int], annotations: Sequence[str | None]) -> dict[int, str]:
    return {text: annotation for text, annotation in zip(ids, annotations, strict=True) if annotation is not None}


def label_matrix(opinions: Mapping[Rater, Mapping[int, str]]) -> Matrix:
    """The matrix of raters that give labels."""
    raters = tuple(opinions)
    counts = pair_counts(table_of({str(number): opinions[rater] for number, rater in enumerate(raters)}))
    cells = {pair: AgreementCell(count.texts, percent_of(count), cohen_of(count)) for pair, count in counts.items()}
    return Matrix(raters, opinions, cells)


def slot_machines(
    system: SlotSystem,
    ids: Sequence[int],
    tokens: Sequence[Sequence[Token]],
    by_rules: Sequence[tuple[Span, ...]],
    network: tuple[str, Sequence[tuple[Span, ...]]] | None = None,
) -> dict[Rater, Mapping[int, tuple[Span, ...]]]:
    """Rule set, network (name, spans) and each rule, which says the spans that it alone would give."""
    found: dict[Rater, Mapping[int, tuple[Span, ...]]] = {Rater("rules", ""): dict(zip(ids, by_rules, strict=True))}
    if network is not None:
        found[Rater("network", network[0])] = dict(zip(ids, network[1], strict=True))
    own: list[dict[int, tuple[Span, ...]]] = [{} for _ in system.rule_names]
    sentences = [tuple(token.text for token in one) for one in tokens]
    for text, one, words, readings in zip(ids, tokens, sentences, system.readings(sentences), strict=True):
        for reading in readings:
            own[reading.rule][text] = spans_of(system.decide(words, [reading]), one)
    return found | {Rater("rule", name): opinions for name, opinions in zip(system.rule_names, own, strict=True)}


def read_ratings(opinions: Mapping[Rater, Mapping[int, str]]) -> dict[Rater, Mapping[int, tuple[Span, ...]]]:
    """Spans as the store keeps them, read; equal strings once."""
    memory = _Memory()
    return {rater: {text: memory[spans] for text, spans in given.items()} for rater, given in opinions.items()}


class _Memory(dict[str, tuple[Span, ...]]):
    def __missing__(self, written: str) -> tuple[Span, ...]:
        self[written] = spans = read_spans(written)
        return spans


def slot_matrix(opinions: Mapping[Rater, Mapping[int, tuple[Span, ...]]]) -> Matrix:
    """The matrix of raters that mark spans."""
    raters = tuple(opinions)
    named: SpanRatings = {str(number): opinions[rater] for number, rater in enumerate(raters)}
    cells = {
        (int(pair.one), int(pair.other)): AgreementCell(pair.texts, pair.percent, pair.f1) for pair in span_pairs(named)
    }
    return Matrix(raters, opinions, cells)


@dataclass(frozen=True, eq=False)
class TextsShared:
    """How many texts were judged by how many people."""

    annotations: TeamAnnotations

    @cached_property
    def counts(self) -> dict[int, int]:
        """Number of people -> texts."""
        found: dict[int, int] = {}
        for given in self.annotations.by_text.values():
            found[len(given)] = found.get(len(given), 0) + 1
        return dict(sorted(found.items()))

    @property
    def several(self) -> int:
        """Texts judged by two or more."""
        return sum(texts for people, texts in self.counts.items() if people > 1)
