"""The parts of the page Team in a project for slots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pages._shared.cached.models import all_records_of
from pages._shared.cached.taggers import slot_predictions_for_project
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape
from pages._shared.drawing.spans import SpanText, span_list, spans_html
from pages._team.editing import draw_edit
from pages._team.parts import Machines, ReviewParts, TeamParts, Words
from re2nn_core.services.explanation.classification.reasons import confidence_in_words
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.team.annotations import TeamAnnotations
from re2nn_core.services.team.raters import Matrix, Rater, people_of, read_ratings, slot_machines, slot_matrix
from re2nn_core.services.team.review import Case
from re2nn_core.services.team.team_agreement import AgreementFigures, slot_agreement_figures
from re2nn_core.services.team.team_progress import team_progress
from re2nn_core.services.values.stored import ProjectRecord, TextRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import read_spans, write_spans

_WORDS = Words(
    noun="Slot",
    nouns="Slots",
    having="are annotated",
    same="Same spans",
    beyond="F1 of spans",
    measures=(("f1", "F1 of spans"), ("percent", "Same spans"), ("alpha", "Alpha of words")),
    reading="F1 of spans: mean agreement on spans over pairs of annotators. Alpha of words: agreement corrected for "
    "chance, word by word; 1 is full agreement, 0 is chance.",
)


def _figures(project: ProjectRecord, team_annotations: TeamAnnotations) -> AgreementFigures:
    texts = {record.id: record.text for record in all_records_of(project)}
    return slot_agreement_figures(team_annotations, texts, project.tokenization)


def _matrix(team_annotations: TeamAnnotations, ids: Sequence[int], annotated: SpanPredictions, title: str) -> Matrix:
    # Rules are measured where people have annotated; a text takes a moment for each rule.
    places = [place for place, text_id in enumerate(ids) if text_id in team_annotations.by_text] or list(
        range(len(ids))
    )
    network = (title, [annotated.spans[place] for place in places]) if annotated.trained else None
    machines = slot_machines(
        annotated.system,
        [ids[place] for place in places],
        [annotated.tokens[place] for place in places],
        [annotated.by_rules[place] for place in places],
        network,
    )
    return slot_matrix(read_ratings(people_of(team_annotations)) | machines)


def _draw_differing(records: Sequence[TextRecord], matrix: Matrix, one: Rater, other: Rater, palette: Palette) -> None:
    def message(record: TextRecord, rater: Rater) -> str:
        marked = spans_html(record.text, matrix.by_rater[rater][record.id], palette)
        return f'<span class="re2-muted">{escape(rater.title)}</span> {marked}'

    span_list([SpanText(message(record, one), notes=(message(record, other),)) for record in records])


def _machines(annotated: SpanPredictions, title: str, place: int) -> Machines:
    found = [("Rules", write_spans(annotated.by_rules[place]), "")]
    if annotated.trained:
        found.append((title, annotated.prediction(place), confidence_in_words(float(annotated.confidence[place]))))
    return Machines(tuple(found), annotated.slots)


def _html(annotation: str, case: Case, palette: Palette) -> str:
    spans = read_spans(annotation)
    return spans_html(case.record.text, spans, palette) if spans else '<span class="re2-muted">no span</span>'


SLOTS: TeamParts[SpanPredictions] = TeamParts(
    words=_WORDS,
    predictions=slot_predictions_for_project,
    progress=partial(team_progress, slots=True),
    figures=_figures,
    matrix=_matrix,
    draw_differing=_draw_differing,
    review=ReviewParts(
        machines=_machines,
        in_words=lambda annotation: counted(len(read_spans(annotation)), "span"),
        html=_html,
        buttons=lambda machines, palette: (),
        confirm=lambda _: "Confirm",
        take=lambda shown, annotation: f"Choose {shown.letter(annotation)}",
        other_way="Save your own spans below",
        under="",
        draw_own=lambda shown: draw_edit(shown.project, shown.case, shown.decide, disabled=not shown.may),
    ),
)
