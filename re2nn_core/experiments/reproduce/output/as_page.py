"""A table as Markdown and as an HTML file that needs nothing else."""

from __future__ import annotations

from html import escape

from re2nn_core.experiments.reproduce.output.leading import leads_in_words
from re2nn_core.experiments.reproduce.output.results import Filled, Result
from re2nn_core.experiments.reproduce.output.wording import (
    FOOT,
    difference_text,
    left_out,
    mixed_vectors,
    other_settings,
    ours,
    published,
    seeds,
    summary,
    why_not,
)

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #23282b; background: #fff; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .6rem; }
th, td { border: 1px solid #d5dadc; padding: .3rem .6rem; text-align: right; vertical-align: top; white-space: nowrap; }
th { background: #f1f4f4; } tbody th, thead th:first-child { text-align: left; }
td span { display: block; color: #5a6469; font-size: .88em; } td.none { color: #5a6469; font-style: italic; }
@media (prefers-color-scheme: dark) { body { color: #e4e7e5; background: #1b1f21; } th { background: #272d30; }
th, td { border-color: #3a4246; } td span, td.none { color: #a9b3b7; } }
"""


def markdown_of(filled: Filled) -> str:
    """One table; a cell tells ours, seeds, published and the difference."""
    table = filled.table
    columns = _columns(filled)
    lines = [f"## {table.paper}, {table.number}: {table.title}", ""]
    lines.append("| | " + " | ".join(_cut(column) for column in columns) + " |")
    lines.append("| --- |" + " ---: |" * len(columns))
    for row in dict.fromkeys(result.cell.row for result in filled.results):
        cells = [_markdown_cell(filled.at(row, column)) for column in columns]
        lines.append(f"| {_cut(row)} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *(f"{line}\n" for line in _notes(filled))])


def html_of(filled: Filled) -> str:
    """A whole page. Row and column names are headers of their cells, for those who listen to it."""
    table = filled.table
    columns = _columns(filled)
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = []
    for row in dict.fromkeys(result.cell.row for result in filled.results):
        cells = "".join(_html_cell(filled.at(row, column)) for column in columns)
        body.append(f'<tr><th scope="row">{escape(row)}</th>{cells}</tr>')
    title = escape(f"{table.paper}, {table.number}: {table.title}")
    notes = "".join(f"<p>{escape(line)}</p>" for line in _notes(filled))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body><table><caption>{title}</caption><thead><tr><td></td>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table>{notes}</body></html>\n"
    )


def _columns(filled: Filled) -> tuple[str, ...]:
    return tuple(dict.fromkeys(result.cell.column.title for result in filled.results))


def _notes(filled: Filled) -> list[str]:
    table = filled.table
    reported = [f"Cells: {table.unit}. {FOOT}", summary(filled)]
    reported += [text for text in (leads_in_words(filled), table.note) if text]
    reported += [*mixed_vectors(filled), *other_settings(filled), *why_not(filled)]
    reported += [left_out(filled)] if filled.left_out else []
    return reported


def _cut(text: str) -> str:
    """Text inside a cell of Markdown."""
    return text.replace("|", "\\|")


def _markdown_cell(result: Result | None) -> str:
    if result is None:
        return ""
    head = f"**{ours(result)}**" if result.measured is not None else ours(result)
    return "<br>".join([head, *_beneath(result)])


def _html_cell(result: Result | None) -> str:
    if result is None:
        return "<td></td>"
    beneath = "".join(f"<span>{escape(line)}</span>" for line in _beneath(result))
    kind = ' class="none"' if result.measured is None else ""
    title = f' title="{escape(result.why_not)}"' if result.why_not else ""
    return f"<td{kind}{title}>{escape(ours(result))}{beneath}</td>"


def _beneath(result: Result) -> list[str]:
    lines = [seeds(result)] if result.measured is not None else []
    if result.published is not None:
        reported = difference_text(result)
        lines.append(f"published {published(result)}" + (f", {reported}" if reported else ""))
    return lines
