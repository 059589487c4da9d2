"""What a version of the rules would do to the answers, in figures, and what test texts say of it: for labels and
slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages._compare.gains import moved
from pages._shared.markup import figures, html
from pages._shared.measures import ACCURACY, Measure
from re2nn_core.services.hits import Effect
from re2nn_core.services.slot_hits import SlotEffect
from re2nn_core.services.split_chance import SplitMoves, loses, more_than_chance
from re2nn_core.services.split_roles import DEV_ALONE, NO_CHANGE, NO_TEST, dev_alone_gains
from re2nn_core.store import TextRecord

_DEV_LOSES = '<div class="re2-warn">Dev loses by it: these texts are answered worse than before.</div>'
LOSES = "Test loses by it: these texts are answered worse than before."
Measured = Sequence[tuple[str, float, float]]  # split, its figure before and now
Moves = Mapping[str, SplitMoves]  # by split


def moves_of(change: Effect | SlotEffect, records: Sequence[TextRecord]) -> dict[str, SplitMoves]:
    """How many labelled texts of dev and of test come out better, and worse."""
    won, lost = set(change.won.tolist()), set(change.lost.tolist())
    return {
        split: SplitMoves(len(places), len(won & set(places)), len(lost & set(places)))
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


def draw_moves(measured: Measured, change: Effect | SlotEffect, measure: Measure, dev: str) -> None:
    """The figures of each split, and how many texts are won and lost; `dev` is what those on dev are called."""
    named = {"dev": dev}
    shown = [
        (measure.shown(will), measure.on(named.get(split, split)), moved(measure, will - was))
        for split, was, will in measured
    ]
    won = len(change.won)
    of_all = [(f"{won:,}", "text won" if won == 1 else "texts won", ""), (f"{len(change.lost):,}", "lost", "")]
    html(figures([*shown, *of_all]))


def draw_advice(measured: Measured, moves: Moves, measure: Measure, *, where_test_alone: bool = False) -> None:
    """What test texts say of it. `where_test_alone`: for what is tried out, of which no texts are listed; nothing is
    said where there are none."""
    gains = {split: will - was for split, was, will in measured}
    if "test" in gains or not where_test_alone:
        html(advice(gains, moves, measure, listed=not where_test_alone))


def advice(gains: Mapping[str, float], moves: Moves, measure: Measure = ACCURACY, *, listed: bool = True) -> str:
    """What the texts say that had no part in choosing the changes, as HTML; `gains` are those of each split. `listed`:
    the texts won and lost stand on the page."""
    worse = _DEV_LOSES if gains.get("dev", 0.0) < -NO_CHANGE and loses(moves["dev"]) else ""
    if "test" not in gains:
        return f'{worse}<div class="re2-muted">{NO_TEST}</div>'
    return worse + _test_advice(gains, moves, measure, listed=listed)


def _test_advice(gains: Mapping[str, float], moves: Moves, measure: Measure, *, listed: bool) -> str:
    test = moves["test"]
    said = (
        f"On test, which had no part in choosing: {measure.change(gains['test'], NO_CHANGE)}, "
        f"{_counts(test)} of {test.texts:,} texts."
    )
    if gains["test"] < -NO_CHANGE:
        much = loses(test)
        told = LOSES if much else f"{LOSES.removesuffix('.')}, though by so few texts that it may be chance."
        return f'<div class="{"re2-warn" if much else "re2-muted"}">{said} {told}</div>'
    if not dev_alone_gains(gains):
        return f'<div class="re2-muted">{said}</div>'
    dev = moves["dev"]
    on_dev = f"on dev {_counts(dev)} of {dev.texts:,}"
    if not more_than_chance(dev, test):
        return f'<div class="re2-muted">{said} Dev gains ({on_dev}), but by so few texts that it may be chance.</div>'
    read = " Read the texts won and lost, further below, before you save." if listed else ""
    return (
        f'<div class="re2-muted">{said}</div>'
        f'<div class="re2-warn">{DEV_ALONE} Chance hardly explains the gap ({on_dev}).{read}</div>'
    )


def _counts(moves: SplitMoves) -> str:
    return f"{moves.won:,} better and {moves.lost:,} worse"
