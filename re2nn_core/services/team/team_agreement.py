"""All that is reported about the agreement of a team, for labels and for slots: together, label by label, two by
two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.rule_systems.slot_filling.stored_spans import known_slots_of
from re2nn_core.services.rule_systems.slot_filling.systems import slot_system_of
from re2nn_core.services.team.agreement import Agreement, agreement, agreement_by_label
from re2nn_core.services.team.annotations import TeamAnnotations, team_annotations_of
from re2nn_core.services.team.raters import (
    AgreementCell,
    Matrix,
    TextsShared,
    label_machines,
    label_matrix,
    people_of,
    read_ratings,
    slot_machines,
    slot_matrix,
)
from re2nn_core.services.team.span_agreement import SpanAgreement, span_agreement, span_agreement_by_slot
from re2nn_core.services.team.span_annotations import marks_of
from re2nn_core.store import ProjectRecord, Store, latest_version, texts_of
from re2nn_core.task import Task
from re2nn_core.text.spans import spans_of
from re2nn_core.text.tokenization import Tokenization, tokenize, word_borders


@dataclass(frozen=True)
class AgreementFigures:
    """How far people agree on all labels `together` and on each of `labels`; for slots the same of spans.
    `annotated_by`: number of people -> texts that so many judged."""

    annotated_by: Mapping[int, int]
    together: Agreement | SpanAgreement
    labels: Mapping[str, Agreement] | Mapping[str, SpanAgreement]


@dataclass(frozen=True)
class TeamAgreement(AgreementFigures):
    """The same, and every two raters. `beyond` names what a cell gives beside the share of same answers."""

    pairs: tuple[tuple[str, str, AgreementCell], ...]
    beyond: str


def label_agreement_figures(team_annotations: TeamAnnotations) -> AgreementFigures:
    """For projects whose texts carry a label."""
    counts = TextsShared(team_annotations).counts
    return AgreementFigures(counts, agreement(team_annotations.table), agreement_by_label(team_annotations.table))


def slot_agreement_figures(
    team_annotations: TeamAnnotations, texts: Mapping[int, str], tokenization: Tokenization
) -> AgreementFigures:
    """For projects whose texts carry spans; `texts` by their ids."""
    opinions = {rater.name: given for rater, given in read_ratings(people_of(team_annotations)).items()}
    marks = marks_of(opinions, _Borders(texts, tokenization))
    counts = TextsShared(team_annotations).counts
    return AgreementFigures(counts, span_agreement(marks), span_agreement_by_slot(marks))


class _Borders(dict[int, Sequence[tuple[int, int]]]):
    """Where the words of texts begin and end, found when it is asked for."""

    def __init__(self, texts: Mapping[int, str], tokenization: Tokenization) -> None:
        super().__init__()
        self._texts, self._tokenization = texts, tokenization

    def __missing__(self, text_id: int) -> Sequence[tuple[int, int]]:
        return word_borders(self._texts[text_id], self._tokenization)


def team_agreement(store: Store, project: ProjectRecord, *, rules: bool = True) -> TeamAgreement:
    """All of it, with the newest rules. RuleError and LogicError where these cannot be read."""
    team_annotations = team_annotations_of(store, project.id)
    texts = {record.id: record.text for record in texts_of(store, project.id)}
    measures = _MEASURES[project.task]
    figures = measures.figures(team_annotations, texts, project.tokenization)
    matrix = measures.matrix(store, project, team_annotations, texts, rules)
    pairs = tuple(
        (matrix.raters[one].title, matrix.raters[other].title, cell) for (one, other), cell in matrix.cells.items()
    )
    return TeamAgreement(figures.annotated_by, figures.together, figures.labels, pairs, measures.beyond)


def _label_matrix(
    store: Store, project: ProjectRecord, team_annotations: TeamAnnotations, texts: Mapping[int, str], rules: bool
) -> Matrix:
    opinions = people_of(team_annotations)
    if rules:
        version = latest_version(store, project.id)
        system, _ = read_system(version.rules_text, version.logic_text, project.tokenization)
        words = list(texts.values())
        opinions |= label_machines(system, list(texts), system.matched(words), system.predictions(words))
    return label_matrix(opinions)


def _slot_matrix(
    store: Store, project: ProjectRecord, team_annotations: TeamAnnotations, texts: Mapping[int, str], rules: bool
) -> Matrix:
    opinions = read_ratings(people_of(team_annotations))
    if rules:
        system = slot_system_of(project, latest_version(store, project.id), known_slots_of(store, project))
        # Rules are measured where people have annotated; a text takes a moment for each rule.
        ids = [text_id for text_id in texts if text_id in team_annotations.by_text] or list(texts)
        tokens = [tokenize(texts[text_id], project.tokenization) for text_id in ids]
        tags = system.tags_of_words([tuple(token.text for token in one) for one in tokens])
        by_rules = [spans_of(given, one) for given, one in zip(tags, tokens, strict=True)]
        opinions |= slot_machines(system, ids, tokens, by_rules)
    return slot_matrix(opinions)


@dataclass(frozen=True)
class _Measures:
    """What agreement is measured by for a task; `beyond` as in TeamAgreement."""

    figures: Callable[[TeamAnnotations, Mapping[int, str], Tokenization], AgreementFigures]
    matrix: Callable[[Store, ProjectRecord, TeamAnnotations, Mapping[int, str], bool], Matrix]
    beyond: str


_MEASURES = {
    Task.CLASSIFICATION: _Measures(
        lambda team_annotations, texts, tokenization: label_agreement_figures(team_annotations), _label_matrix, "cohen"
    ),
    Task.SLOT_FILLING: _Measures(slot_agreement_figures, _slot_matrix, "f1"),
}
