"""Two finished runs as tables: what they were trained with and what came out, the figures of each label, and texts with
both predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pages._shared.drawing.markup import escape
from pages._shared.drawing.measures import ACCURACY, F1, Measure
from pages._shared.drawing.tables import html_table
from pages._train.known_settings import Setting
from pages._train.runs_table import time_taken
from re2nn_core.services.fine_tuning.run_comparison import SettingPair
from re2nn_core.services.fine_tuning.runs import RunSummary

NOT_KNOWN = "–"
_FIGURES = ("precision", "recall", "F1")
_FULL_BAR = 0.5  # a difference in F1 that fills one side

STYLE = """
<style>
.re2-pair-facts table { table-layout: fixed; }
.re2-pair-facts th:first-child { width: 40%; }
.re2-pair-facts td:nth-child(n+2), .re2-pair-facts th:nth-child(n+2) { text-align: right; overflow-wrap: anywhere; }
.re2-pair-facts b { font-size: .9em; font-weight: 600; opacity: .75; display: block; margin-top: .7rem; }
.re2-pair { overflow-x: auto; }
.re2-pair th, .re2-pair td { white-space: nowrap; }
.re2-pair th.re2-group { text-align: center; border-bottom: none; padding-bottom: 0; }
.re2-pair .re2-first { padding-left: 1.4rem; }
.re2-pair th.re2-run { text-align: right; font-weight: 400; }
.re2-pair td.re2-bar, .re2-pair th.re2-bar { width: 34%; min-width: 13rem; padding-left: 1.4rem; padding-right: 0; }
.re2-pair th.re2-bar { text-align: center; }
.re2-pair-texts td { overflow-wrap: anywhere; }
.re2-pair-texts td:nth-child(n+2) { white-space: nowrap; width: 1%; padding-right: 0; padding-left: 1rem; }
.re2-pair-texts th:nth-child(n+2) { white-space: nowrap; padding-right: 0; padding-left: 1rem; }
.re2-lean { display: grid; grid-template-columns: 1fr 5.4rem 1fr; align-items: center; }
.re2-lean span { text-align: center; font-variant-numeric: tabular-nums; }
.re2-lean i { display: block; height: .6em; border-radius: .2em; }
.re2-lean i.re2-less { justify-self: end; background: #c4514b; }
.re2-lean i.re2-more { background: #2e9e6b; }
</style>
"""


def setting_titles(network: Sequence[Setting], train: Sequence[Setting]) -> dict[tuple[str, str], str]:
    """The titles of settings by part and name."""
    parts = (("network", network), ("train", train))
    return {(part, setting.name): setting.title for part, settings in parts for setting in settings}


def facts_table(
    first: RunSummary,
    second: RunSummary,
    settings: Sequence[SettingPair],
    *,
    turns: Sequence[bool],
    measure: Measure,
    titles: Mapping[tuple[str, str], str],
) -> str:
    """What came out, what it took, and the settings that differ. `turns`: whether a run's dev figure was measured on
    shares of all labelled texts. `titles` are those of settings by part and name."""
    rows = [
        *_accuracies(first, second, turns, measure),
        _row("rules", *(f"v{run.version}" if run.version else NOT_KNOWN for run in (first, second))),
        _row("training texts", *(run.learned_from or NOT_KNOWN for run in (first, second))),
        _row("epoch kept", *(_epochs(run) for run in (first, second))),
        _row("took", *(NOT_KNOWN if run.seconds is None else time_taken(run.seconds) for run in (first, second))),
        _row("parameters", *(_count(run.parameters) for run in (first, second))),
        _row("word vectors", *(escape(run.vectors) or NOT_KNOWN for run in (first, second))),
    ]
    runs = [f"Run {first.number}", f"Run {second.number}"]
    changed = [_row(_title(pair, titles), _value(pair.first), _value(pair.second)) for pair in settings]
    return (
        f'<div class="re2-pair-facts">{html_table(["", *runs, "change"], rows)}'
        + (f"<b>Different settings</b>{html_table(['', *runs, ''], changed)}" if changed else "")
        + "</div>"
    )


def _accuracies(first: RunSummary, second: RunSummary, turns: Sequence[bool], measure: Measure) -> list[list[str]]:
    alike = first.dev_name == second.dev_name
    each = "; ".join(f"run {run.number}: {run.dev_name}" for run in (first, second))
    dev = first.dev_name if alike else f"dev ({each})"
    both = (
        (f"{dev}, rules", first.zero_dev, second.zero_dev),
        (dev, first.dev, second.dev),
        ("test, rules", first.zero_test, second.zero_test),
        ("test", first.test, second.test),
    )
    rows = []
    for name, one, other in both:
        if one is None and other is None:
            continue
        gain = None if one is None or other is None else other - one
        if not name.startswith("test") and not (alike and turns[0] == turns[1]):
            gain = None  # not of the same texts, or not of the same kind
        shown = [measure.shown(share, NOT_KNOWN) for share in (one, other)]
        rows.append([measure.on(name), *shown, measure.gain(gain)])
    return rows


def _row(name: str, one: str, other: str) -> list[str]:
    return [name, one, other, ""]


def _title(pair: SettingPair, titles: Mapping[tuple[str, str], str]) -> str:
    title = titles.get((pair.part, pair.name), pair.name)
    ambiguous = sum(known == title for known in titles.values()) > 1
    return escape(f"{title} ({pair.part})" if ambiguous else title)


def _value(value: Any) -> str:
    if value is None:
        return NOT_KNOWN
    if isinstance(value, bool):
        return "on" if value else "off"
    return escape(f"{value:g}" if isinstance(value, float) else str(value))


def _count(number: int | None) -> str:
    return f"{number:,}" if number else NOT_KNOWN


def _epochs(run: RunSummary) -> str:
    return NOT_KNOWN if run.epochs is None else f"{run.best_epoch} of {run.epochs}"


def pair_table(first: str, count: str, numbers: tuple[int, int], rows: Sequence[str]) -> str:
    """A table of figures of both runs; `first` and `count` name the first two columns, `rows` are HTML."""
    groups = "".join(f'<th class="re2-group re2-first" colspan="2">{name}</th>' for name in _FIGURES)
    runs = "".join(
        f'<th class="re2-run{" re2-first" if place == 0 else ""}">run {number}</th>'
        for _ in _FIGURES
        for place, number in enumerate(numbers)
    )
    return (
        '<div class="re2-pair"><table class="re2-table"><thead>'
        f'<tr><th rowspan="2">{first}</th><th rowspan="2" class="re2-run">{count}</th>{groups}'
        f'<th rowspan="2" class="re2-bar">F1, from run {numbers[0]} to run {numbers[1]}</th></tr>'
        f"<tr>{runs}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def pair_row(name: str, count: int, shares: Sequence[float | None], change: float) -> str:
    """One row: `name` is HTML; precision of both runs, then recall, then F1; and by how much F1 differs."""
    measures = [ACCURACY] * (len(shares) - 2) + [F1] * 2
    cells = "".join(
        f'<td class="re2-number{"" if place % 2 else " re2-first"}">{_whole(share, one)}</td>'
        for place, (share, one) in enumerate(zip(shares, measures, strict=True))
    )
    return (
        f'<tr><td>{name}</td><td class="re2-number">{count:,}</td>{cells}<td class="re2-bar">{_lean(change)}</td></tr>'
    )


def _whole(share: float | None, measure: Measure) -> str:
    if share is None:
        return NOT_KNOWN
    return f"{100 * share:.0f}" if measure.name else f"{share:.0%}"


def _lean(change: float) -> str:
    """The difference in figures, and a bar that leans to its side."""
    width = f"width:{100 * min(1.0, abs(change) / _FULL_BAR):.0f}%"
    less, more = (f'<i class="re2-less" style="{width}"></i>', "") if change < 0 else ("", "")
    if change > 0:
        more = f'<i class="re2-more" style="{width}"></i>'
    message = F1.gain(change) or '<span class="re2-muted">no difference</span>'
    return f'<div class="re2-lean"><div>{less}</div><span>{message}</span><div>{more}</div></div>'
