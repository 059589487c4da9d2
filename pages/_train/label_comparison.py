"""What two runs for labels say of the project's texts: the figures of each label, and texts with both predictions."""

from __future__ import annotations

from collections.abc import Sequence

from pages._shared.cached.models import predictions_for_project
from pages._shared.drawing.labels import NO_PREDICTION, Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.measures import ACCURACY
from pages._shared.drawing.tables import html_table
from pages._shared.session.fragments import fragment
from pages._train.known_settings import DEVICE, NETWORK, TRAIN, VARIANTS
from pages._train.run_comparison import Compared, Words, draw_two_runs
from pages._train.run_pair import pair_row, setting_titles
from pages._train.splits import caution_of_pair, choose_split
from re2nn_core.services.fine_tuning.classification.run_comparison import LabelPair, OtherPrediction, compare_runs
from re2nn_core.services.values.stored import ProjectRecord, RunRecord, TextRecord


@fragment()
def draw_run_comparison(project: ProjectRecord, run: RunRecord) -> None:
    """The run beside another one."""
    draw_two_runs(_COMPARED, project, run)


def _choose_places(
    records: Sequence[TextRecord], runs: Sequence[tuple[str, RunRecord]], seen: Sequence[str]
) -> Sequence[int]:
    return choose_split(records, "train_pair_split", runs=runs, caution=caution_of_pair(seen))


def _row(pair: LabelPair, palette: Palette) -> str:
    both = (pair.first, pair.second)
    shares = [None if one is None else getattr(one, name) for name in ("precision", "recall", "f1") for one in both]
    return pair_row(palette.chip(pair.label), pair.support, shares, pair.change)


def _draw_texts(
    differing: Sequence[OtherPrediction],
    records: Sequence[TextRecord],
    numbers: tuple[int, int],
    palette: Palette,
    one_set: bool,
) -> None:
    """Texts with their labels and all predictions, the right ones ticked."""
    rules = ["Rules"] if one_set else [f"Rules of run {number}" for number in numbers]
    head = ["Text", "Label", *(f"Run {number}" for number in numbers), *rules]
    rows = [[escape(records[other.place].text), *_predictions(other, palette, one_set)] for other in differing]
    html(f'<div class="re2-pair-texts">{html_table(head, rows)}</div>')


def _predictions(text: OtherPrediction, palette: Palette, one_set: bool) -> list[str]:
    given = [text.first, text.second, text.first_rules, *([] if one_set else [text.second_rules])]
    ticked = (
        palette.chip(prediction, missing=NO_PREDICTION) + (" ✓" if prediction == text.label else "")
        for prediction in given
    )
    return [palette.chip(text.label), *ticked]


_COMPARED = Compared(
    Words(
        name="Label",
        counted="texts",
        texts="labelled texts",
        no_text="No text of this split has a label.",
        alike="Both runs predict the same for each of these texts.",
        name_help="Texts that have this label, or for which one of the runs predicts it.",
        who="Correct run",
        better="is correct",
        neither="Both incorrect",
        who_key="train_pair_who",
        own_rules="; each run uses its own",
    ),
    ACCURACY,
    setting_titles((*NETWORK, *VARIANTS), (*TRAIN, DEVICE)),
    predictions=predictions_for_project,
    names=lambda predicted: predicted.labels,
    choose_places=_choose_places,
    compare=lambda _, first, second, records, places: compare_runs(
        first, second, [record.label for record in records], places
    ),
    reached=lambda found: (found.first.accuracy or 0.0, found.second.accuracy or 0.0),
    rows=lambda found, palette: [_row(pair, palette) for pair in found.labels],
    about=lambda text: text.labels,
    draw_texts=_draw_texts,
    turns=True,
)
