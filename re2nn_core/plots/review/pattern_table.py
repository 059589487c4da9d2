"""The patterns of a new rule as a table: what each does alone, and what the rule does without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from re2nn_core.plots.review.change_html import escape
from re2nn_core.text.joined_names import first_names, join_names

_SHOWN, _NAMED = 6, 3
Counts = tuple[int, int]  # texts fixed and broken


@dataclass(frozen=True)
class PatternRow:
    """A pattern as people read it, with what it fixes and breaks `alone`, and the rule `without` it; `texts` that it
    matches, and an `example` of what an expression matches. `text` is what drops it. `note`: what is to be known of it,
    and `why` stands behind that."""

    text: str
    shown: str
    texts: int
    alone: Counts
    without: Counts
    example: str = ""
    note: str = ""
    why: str = ""


@dataclass(frozen=True)
class BetterWithout:
    """The patterns without which a rule is better, as people read them, and the rule without them as it is written;
    what it then fixes and breaks, whether that is more (`gains`), and how many texts that do not decide it no longer
    fixes (`lost`)."""

    names: Sequence[str]
    text: str
    counts: Counts
    gains: bool
    lost: int = 0

    @property
    def named(self) -> str:
        """The first of the patterns."""
        few = len(self.names) <= _NAMED
        return join_names(self.names) if few else first_names(self.names, _NAMED)


def better_as_html(better: BetterWithout, base: str) -> str:
    """That a rule is better without some patterns, and the button that drops them."""
    fixed, broken = better.counts
    lead = "Better without" if better.gains else "As good without"
    lost = f'; elsewhere <span class="re2-down">{better.lost:,} fewer fixed</span>' if better.lost else ""
    drop = "Drop it" if len(better.names) == 1 else "Drop them"
    title = escape(f"{drop} and accept the rest. Fixed and broken texts are of {base}")
    return (
        f"<div><b>{lead}</b> {escape(better.named)}: fixes <b>{fixed:,}</b> and breaks <b>{broken:,}</b>{lost}. "
        f'<button type="button" class="re2-better" data-better="{escape(better.text)}" title="{title}">{drop}</button>'
        "</div>"
    )


def patterns_as_html(rows: Sequence[PatternRow], base: str, *, droppable: bool = False) -> str:
    """`base`: the texts that decide, as `74 held-out test texts`, empty where there are none. Many rows stand behind a
    click. `droppable`: each has a button that drops it, where another is left."""
    droppable = droppable and len(rows) > 1
    shown = rows if len(rows) <= _SHOWN + 1 else rows[:_SHOWN]
    rest = rows[len(shown) :]
    columns = _columns(base, several=len(rows) > 1)
    body = _body(shown, columns, base, droppable)
    table = f'<table class="re2-patterns"><thead>{_head(columns, base)}</thead>{body}</table>'
    if not rest:
        return table
    more = f'<table class="re2-patterns">{_body(rest, columns, base, droppable)}</table>'
    return f"{table}<details><summary>{len(rest):,} more</summary>{more}</details>"


def _columns(base: str, *, several: bool) -> tuple[str, ...]:
    """Of one pattern the figures are those of the rule, which stand above the table."""
    return (*(("Alone", "Rule without it") if base and several else ()), "Your texts")


def _head(columns: Sequence[str], base: str) -> str:
    titles = {
        "Alone": f"What the pattern fixes and breaks as the only one of the rule, of {base}",
        "Rule without it": f"What the rule fixes and breaks without the pattern, of {base}",
        "Your texts": "The texts that the pattern matches, of all texts of the project",
    }
    cells = "".join(f'<th title="{escape(titles[name])}">{name}</th>' for name in columns)
    return f"<tr><th>Matches</th>{cells}</tr>"


def _body(rows: Sequence[PatternRow], columns: Sequence[str], base: str, droppable: bool) -> str:
    return f"<tbody>{''.join(_row(row, columns, base, droppable) for row in rows)}</tbody>"


def _row(row: PatternRow, columns: Sequence[str], base: str, droppable: bool) -> str:
    cells = {
        "Alone": _moved(row.alone),
        "Rule without it": _moved(row.without),
        "Your texts": f"{row.texts:,}",
    }
    example = f' <span class="re2-muted">e.g. “{escape(row.example)}”</span>' if row.example else ""
    note = f'<div class="re2-thin" title="{escape(row.why)}">{escape(row.note)}</div>' if row.note else ""
    name = f'<b class="re2-up">{escape(row.shown)}</b>{_drop(row, base) if droppable else ""}{example}{note}'
    return f"<tr><td>{name}</td>{''.join(f'<td>{cells[column]}</td>' for column in columns)}</tr>"


def _drop(row: PatternRow, base: str) -> str:
    fixed, broken = row.without
    then = f"; the rule then fixes {fixed:,} and breaks {broken:,} of {base}" if base else ""
    title = escape(f"Drop {row.shown}, accept the rest{then}")
    named = f'title="{title}" aria-label="{title}"'
    return f'<button type="button" class="re2-drop" data-pattern="{escape(row.text)}" {named}>×</button>'


def _moved(counts: Counts) -> str:
    fixed, broken = counts
    lost = f'<span class="re2-down">{broken:,} broken</span>' if broken else "0 broken"
    return f"{fixed:,} fixed, {lost}"
