"""The runs behind a cell: seed by seed, with machine, day, version and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from re2nn_core.experiments.reproduce.measured import Run
from re2nn_core.experiments.reproduce.output.results import Result
from re2nn_core.experiments.reproduce.output.wording import difference_text, ours, published, seeds

_ASKED = (
    "Below: the requested settings. Learning rates, L2 pull, epochs and members that have their defaults "
    "there are replaced by those of the line above, which suit this number of texts."
)


def draw_detail(result: Result, table: str) -> None:
    """What is known of a cell of a table; what runs it, where nobody has."""
    cell = result.cell
    st.subheader(f"{cell.row}, {cell.column.title}".replace("+", "\\+"), anchor=False)
    html(f'<div class="re2-figures">{"".join(_figures(result))}</div>')
    if result.measured is None:
        why = escape(result.why_not) or f"Not run yet. Run <code>{escape(_command(result, table))}</code>."
        html(f'<p class="re2-muted">{why}</p>')
        return
    runs = result.measured.runs
    html(
        html_table(
            ["Seed", cell.measure, "train texts", "epoch kept", "seconds", "day (UTC)", "version"],
            [_line(run, cell.measure, cell.digits) for run in runs],
        )
    )
    for reported in _places(runs):
        html(f'<div class="re2-muted">{escape(reported)}</div>')
    if result.measured.others:
        count = len(result.measured.others)
        html(f'<div class="re2-muted">{count} more with other settings, not in the mean.</div>')
    with st.expander("Settings of these runs"):
        html(f'<p class="re2-muted">{escape(runs[0].measured.recipe)}</p>')
        if runs[0].measured.epochs:
            html(f'<p class="re2-muted">{_ASKED}</p>')
        html(_settings(runs[0].measured.settings))


def _command(result: Result, table: str) -> str:
    """What runs the cell, and as little else as can be: a name with a comma cannot be given."""
    given = (("--only", result.cell.row), ("--columns", result.cell.column.title))
    return " ".join(["re2nn reproduce", table, *(f'{how} "{name}"' for how, name in given if "," not in name)])


def _figures(result: Result) -> list[str]:
    items = [(ours(result), seeds(result) or "ours")]
    items += [(reported, "published")] if (reported := published(result)) else []
    items += [(reported, "difference")] if (reported := difference_text(result)) else []
    return [
        f'<div class="re2-figure"><b>{escape(value)}</b> <span>{escape(name)}</span></div>' for value, name in items
    ]


def _line(run: Run, measure: str, digits: int) -> list[str]:
    measured = run.measured
    trained = measured.epochs > 0
    return [
        str(run.seed),
        f"{measured.values[measure]:,.{digits}f}",
        f"{measured.texts:,}" if measured.texts else "none",
        f"{measured.best_epoch} of {measured.epochs}" if trained else "",
        f"{measured.seconds:,.1f}",
        escape(run.date[:16].replace("T", " ")),
        escape(run.code.rpartition(" ")[2]),
    ]


def _places(runs: Sequence[Run]) -> list[str]:
    """Machine, version and word vectors, each once."""
    machines = " / ".join(dict.fromkeys(run.machine for run in runs))
    numbers = " / ".join(dict.fromkeys(run.code.partition(",")[0] for run in runs))
    changed = any(run.code.endswith("+") for run in runs)
    vectors = " / ".join(dict.fromkeys(run.measured.vectors for run in runs))
    reported = f"Version: {numbers}, with the commit of each run" + (" (+: with changes since)." if changed else ".")
    return [
        f"Computer: {machines}.",
        f"{reported} Word vectors: {vectors}.",
        "The same seed can give another figure on another processor or with an older version.",
    ]


def _settings(settings: Mapping[str, Any]) -> str:
    if not settings:
        return '<p class="re2-muted">Nothing was trained.</p>'
    rows = [[escape(name), escape(str(value))] for name, value in sorted(settings.items())]
    half = (len(rows) + 1) // 2
    lines = [[*rows[at], *(rows[at + half] if at + half < len(rows) else ["", ""])] for at in range(half)]
    return html_table(["Setting", "value", "Setting", "value"], lines)
