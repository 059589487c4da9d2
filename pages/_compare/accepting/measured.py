"""What a version of the rules would do to the predictions, in figures, and what test texts say of it: for labels and
slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages._compare.accepting.gains import moved
from pages._compare.split_names import test_had_part
from pages._shared.drawing.markup import count_figure, figures, html
from pages._shared.drawing.measures import ACCURACY, Measure
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.rule_review.split_roles import (
    DEV_LOSES,
    LOSES,
    NO_CHANGE,
    NO_TEST,
    dev_loses,
    moves_in_words,
    test_evidence,
)
from re2nn_core.services.rule_writing.classification.rule_coverage import Effect
from re2nn_core.services.rule_writing.slot_filling.rule_coverage import SlotEffect
from re2nn_core.services.values.stored import TextRecord

Measured = Sequence[tuple[str, float, float]]  # split, its figure before and now
Moves = Mapping[str, SplitMoves]  # by split


def moves_of(change: Effect | SlotEffect, records: Sequence[TextRecord]) -> dict[str, SplitMoves]:
    """How many labelled texts of dev and of test come out better, and worse."""
    fixed, broken = set(change.fixed.tolist()), set(change.broken.tolist())
    return {
        split: SplitMoves(len(places), len(fixed & set(places)), len(broken & set(places)))
        for split, places in labelled_splits(records)
    }


def labelled_splits(records: Sequence[TextRecord]) -> list[tuple[str, list[int]]]:
    """dev and test with the places of their labelled texts, where they have any."""
    found = []
    for split in ("dev", "test"):
        places = [place for place, record in enumerate(records) if record.label is not None and record.split == split]
        if places:
            found.append((split, places))
    return found


def loses(measured: Measured) -> bool:
    """Whether the figure of one of the splits falls, so that nothing should recommend the changes."""
    return any(will < was for _, was, will in measured)


def measured_in_words(measure: Measure, measured: Measured, dev: str) -> str:
    """`dev 74.5% → 77.5%, test ...` as HTML; what falls is marked. `dev` is what figures on dev are called."""

    def reported(split: str, was: float, will: float) -> str:
        tone = ' class="re2-down"' if will < was else ""
        return (
            f"{measure.on(dev if split == 'dev' else split)} {measure.shown(was)} → <b{tone}>{measure.shown(will)}</b>"
        )

    return ", ".join(reported(*one) for one in measured) or "no labelled dev or test text"


def draw_moves(measured: Measured, change: Effect | SlotEffect, measure: Measure, dev: str) -> None:
    """The figures of each split, and how many texts are fixed and broken; `dev` is what those on dev are called."""
    named = {"dev": dev}
    shown = [
        (measure.shown(will), measure.on(named.get(split, split)), moved(measure, will - was))
        for split, was, will in measured
    ]
    fixed = len(change.fixed)
    of_all = [
        count_figure(fixed, "text fixed", "texts fixed"),
        (f"{len(change.broken):,}", "broken", ""),
    ]
    html(figures([*shown, *of_all]))


def advice(
    gains: Mapping[str, float],
    moves: Moves,
    measure: Measure = ACCURACY,
    *,
    listed: bool = True,
    test_chose: bool = False,
) -> str:
    """What the texts say that had no part in choosing the changes, as HTML; `gains` are those of each split. `listed`:
    the texts fixed and broken stand on the page. `test_chose`: whether test texts, the only ones held out, order the
    changes."""
    worse = f'<div class="re2-warn">{DEV_LOSES}</div>' if dev_loses(gains, moves) else ""
    if "test" not in gains:
        return f'{worse}<div class="re2-muted">{NO_TEST}</div>'
    return worse + _test_advice(gains, moves, measure, listed=listed, test_chose=test_chose)


def _test_advice(gains: Mapping[str, float], moves: Moves, measure: Measure, *, listed: bool, test_chose: bool) -> str:
    test = moves["test"]
    message = (
        f"On the test texts, which {test_had_part(test_chose)}: "
        f"{measure.change(gains['test'], NO_CHANGE)}, {moves_in_words(test)} of {test.texts:,} texts."
    )
    against, much = test_evidence(gains, moves)
    if not much:
        return f'<div class="re2-muted">{" ".join(filter(None, (message, against)))}</div>'
    if against == LOSES:
        return f'<div class="re2-warn">{message} {against}</div>'
    read = " Read the fixed and broken texts below before you save." if listed else ""
    return f'<div class="re2-muted">{message}</div><div class="re2-warn">{against}{read}</div>'
