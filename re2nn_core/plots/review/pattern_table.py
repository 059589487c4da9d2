"""The patterns of a new rule as a table: what each does alone, and what the rule does without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from re2nn_core.plots.review.change_html import escape

_SHOWN, _BRIEF = 6, 3
Counts = tuple[int, int]  # texts fixed and broken


class PatternRow(Protocol):
    """A pattern as people read it, with what it fixes and breaks `alone`, and the rule `without` it, of the texts that
    decide, and how many others the rule no longer fixes then (`lost`); `texts` that it matches, how many of
    them have an `other` label, and an `example` of what an expression matches. `text` is what drops it."""

    @property
    def text(self) -> str: ...

    @property
    def shown(self) -> str: ...

    @property
    def texts(self) -> int: ...

    @property
    def alone(self) -> Counts: ...

    @property
    def without(self) -> Counts: ...

    @property
    def example(self) -> str: ...

    @property
    def lost(self) -> int: ...

    @property
    def other(self) -> int: ...


class BetterWithout(Protocol):
    """The patterns without which a rule is better, as they are `named`, and how many (`names`); the rule without them
    as it is written; what it then fixes and breaks, whether that is more (`gains`), and how many texts that do not
    decide it no longer fixes (`lost`)."""

    @property
    def names(self) -> Sequence[str]: ...

    @property
    def named(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def counts(self) -> Counts: ...

    @property
    def gains(self) -> bool: ...

    @property
    def lost(self) -> int: ...


def better_as_html(better: BetterWithout) -> str:
    """That a rule is better without some patterns."""
    fixed, broken = better.counts
    lead = "Better without" if better.gains else "As good without"
    lost = f'; elsewhere <span class="re2-down">{better.lost:,} fewer fixed</span>' if better.lost else ""
    return (
        f'<div class="re2-better"><b>{lead}</b> {escape(better.named)}: fixes <b>{fixed:,}</b> and breaks '
        f"<b>{broken:,}</b>{lost}.</div>"
    )


def left_out_as_html(better: BetterWithout, learned: Counts, base: str) -> str:
    """Which learned patterns the recommended form of a rule has not, and what they would fix and break in addition, of
    the texts that decide; `learned`: what the rule does with them."""
    fixed, broken = (of_all - own for of_all, own in zip(learned, better.counts, strict=True))
    lead = f'<b class="re2-gone">{escape(better.named)}</b> learned too, left out'
    it = "it" if len(better.names) == 1 else "they"
    if not better.gains:
        return f'<div class="re2-better">{lead}: {it} would fix nothing.</div>'
    return (
        f'<div class="re2-better">{lead}: {it} would fix {fixed:,} more and break '
        f'<span class="re2-down">{broken:,} more</span> of {escape(base)}.</div>'
    )


def patterns_in_brief(rows: Sequence[PatternRow]) -> str:
    """The first ones, for a queue."""
    return ", ".join(row.shown for row in rows[:_BRIEF]) + (" …" if len(rows) > _BRIEF else "")


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
    notes = {"Alone": base, "Rule without it": "same", "Your texts": "all"} if len(columns) > 1 else {}
    cells = "".join(
        f'<th title="{escape(titles[name])}">{name}{f" <small>({escape(notes[name])})</small>" if notes else ""}</th>'
        for name in columns
    )
    return f"<tr><th>Matches</th>{cells}</tr>"


def _body(rows: Sequence[PatternRow], columns: Sequence[str], base: str, droppable: bool) -> str:
    return f"<tbody>{''.join(_row(row, columns, base, droppable) for row in rows)}</tbody>"


def _row(row: PatternRow, columns: Sequence[str], base: str, droppable: bool) -> str:
    cells = {
        "Alone": _moved(row.alone),
        "Rule without it": _moved(row.without) + _lost(row),
        "Your texts": f"{row.texts:,}{_of_another_label(row)}",
    }
    example = f' <span class="re2-muted">e.g. “{escape(row.example)}”</span>' if row.example else ""
    name = f'<b class="re2-up">{escape(row.shown)}</b>{_drop(row, base) if droppable else ""}{example}'
    return f"<tr><td>{name}</td>{''.join(f'<td>{cells[column]}</td>' for column in columns)}</tr>"


def _drop(row: PatternRow, base: str) -> str:
    fixed, broken = row.without
    elsewhere = f", and {row.lost:,} fewer of the others" if row.lost else ""
    then = f"; the rule then fixes {fixed:,} and breaks {broken:,} of {base}{elsewhere}" if base else ""
    title = escape(f"Drop {row.shown}, accept the rest{then}")
    named = f'title="{title}" aria-label="{title}"'
    return f'<button type="button" class="re2-drop" data-pattern="{escape(row.text)}" {named}>×</button>'


def _of_another_label(row: PatternRow) -> str:
    return f' <span class="re2-muted">({row.other:,} of another label)</span>' if row.other else ""


def _lost(row: PatternRow) -> str:
    return f' <span class="re2-muted">and {row.lost:,} fewer fixed elsewhere</span>' if row.lost else ""


def _moved(counts: Counts) -> str:
    fixed, broken = counts
    lost = f'<span class="re2-down">{broken:,} broken</span>' if broken else "0 broken"
    return f"{fixed:,} fixed, {lost}"
