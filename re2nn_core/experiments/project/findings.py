"""What the trainings of a series come to, as rows of a table and in a plain sentence. All figures in per cent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from re2nn_core.experiments.project.chance import error_of_difference, within_chance
from re2nn_core.experiments.project.data import Measured
from re2nn_core.experiments.project.series import SeriesOutcome
from re2nn_core.experiments.result_tables.table import Spread, spread, spread_of_all

LITTLE = 1.0  # points; a smaller gain is not worth labelling for
_SAME = 0.05
_NAMES = {"dev": "dev accuracy", "test": "test accuracy", "set apart": "held-out accuracy"}


@dataclass(frozen=True)
class FindingRow:
    """All seeds of a portion, or of a beta (None: as by default)."""

    at: float | None
    texts: int
    seeds: int
    main: Spread
    beside: Spread | None
    precision: Spread
    recall: Spread
    untrained: Spread | None


def finding_rows(outcomes: Iterable[SeriesOutcome]) -> tuple[FindingRow, ...]:
    """One row for each portion or beta, in the order in which they were measured."""
    groups: dict[float | None, list[SeriesOutcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.at, []).append(outcome)
    return tuple(_row(group) for group in groups.values())


def _row(group: Sequence[SeriesOutcome]) -> FindingRow:
    return FindingRow(
        at=group[0].at,
        texts=group[0].texts,
        seeds=len(group),
        main=spread([outcome.main for outcome in group]),
        beside=spread_of_all(outcome.beside for outcome in group),
        precision=spread([outcome.precision for outcome in group]),
        recall=spread([outcome.recall for outcome in group]),
        untrained=spread_of_all(outcome.untrained for outcome in group),
    )


def accuracy_name(measured: Measured) -> str:
    """What the main figure is called."""
    return _NAMES[measured]


def curve_in_words(rows: Sequence[FindingRow], measured: Measured, texts: int) -> str:
    """What more texts brought, from the rows of all trainings; empty for fewer than two amounts. `texts` are measured
    on."""
    if len(rows) < 2:
        return ""
    steps = list(zip(rows, rows[1:], strict=False))
    reported = []
    for number, (before, after) in enumerate(steps):
        what = f"{accuracy_name(measured)} " if number == 0 else "it "
        verb, gain = _change(before, after)
        if number and verb == _change(*steps[number - 1])[0] and gain:
            reported.append(f"from {before.texts:,} to {after.texts:,} by {gain}")
        else:
            of_what = " texts" if number == 0 else ""
            by = f" by {gain} points" if gain else ""
            reported.append(f"from {before.texts:,} to {after.texts:,}{of_what} {what}{verb}{by}")
    sentence = "; ".join(reported)
    return f"{sentence[0].upper()}{sentence[1:]}: {_verdict(*steps[-1], one_text=100 / texts)}"


def _change(before: FindingRow, after: FindingRow) -> tuple[str, str]:
    """The verb and by how much; nothing for a change that rounding hides."""
    gain = after.main.mean - before.main.mean
    if abs(gain) < _SAME:
        return "stayed the same", ""
    return ("rose" if gain > 0 else "fell"), f"{abs(gain):.1f}"


def _error(before: FindingRow, after: FindingRow) -> float:
    return error_of_difference(before.main, before.seeds, after.main, after.seeds)


def _verdict(before: FindingRow, after: FindingRow, *, one_text: float) -> str:
    gain = after.main.mean - before.main.mean
    chance = within_chance(gain, _error(before, after), one_text)
    if gain >= LITTLE:
        return (
            "more texts of the same kind may still help, but the gain is not statistically significant."
            if chance
            else "more texts of the same kind still help."
        )
    if gain <= -LITTLE and not chance:
        return "more texts of the same kind did not help. Check whether their labels are correct."
    return "more texts of the same kind bring little now."


def beta_in_words(rows: Sequence[FindingRow], rules: SeriesOutcome, measured: Measured, texts: int) -> str:
    """What beta costs before training and gives after; empty until all are measured, the default (no beta) last."""
    if not rows or rows[-1].at is not None:
        return ""
    *mixed, default = rows
    best = max(reversed(mixed), key=lambda row: row.main.mean)  # of equals the one that is nearest to the rules
    gain = best.main.mean - default.main.mean
    reached = (
        f"After training beta {best.at:g} is best with {best.main.mean:.1f}% {accuracy_name(measured)}, against "
        f"{default.main.mean:.1f}% without beta, as by default"
    )
    if gain >= LITTLE and not within_chance(gain, _error(best, default), 100 / texts):
        advice = "worth a try, under All settings, Variants."
    elif gain > -LITTLE:
        advice = "it matters little here, so leave it empty."
    else:
        advice = "leave it empty."
    return f"{_cost(mixed, rules)} {reached}: {advice}"


def _cost(mixed: Sequence[FindingRow], rules: SeriesOutcome) -> str:
    before = [(row.untrained.mean, row.at) for row in mixed if row.untrained is not None]
    lowest, at = min(before)
    lost = rules.main - lowest
    if lost < _SAME:
        return f"Before training no beta loses anything against the rules alone ({rules.main:.1f}%)."
    return f"Before training beta {at:g} loses {lost:.1f} points against the rules alone ({rules.main:.1f}%)."
