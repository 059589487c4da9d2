"""All that a difference draws, in words and in order: for a screen reader, and for whoever would rather read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages._shared.drawing.markup import escape
from re2nn_core.services.rule_difference.drawn_differences import ArcTableRow
from re2nn_core.services.values.automata import MachineDifference, Mark, show_symbol, word_classes
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

_LISTED = 60  # of either list; the table has all
Weights = Mapping[int, tuple[float, float]]


def weight_in_words(pair: tuple[float, float] | None) -> str:
    """A weight before and after training; nothing where the network has no such arrow."""
    return "" if pair is None else f"{pair[0]:.2f} → {pair[1]:.2f}"


def everything_listed(rows: Sequence[ArcTableRow], difference: MachineDifference, weights: Weights | None) -> str:
    """All that is drawn, one after the other: states that changed, arrows that did, and those that stayed."""
    changed = [row for row in rows if row.mark != Mark.KEPT.value]
    kept = [row for row in rows if row.mark == Mark.KEPT.value]
    states = [(place, node.mark) for place, node in enumerate(difference.nodes) if node.mark is not Mark.KEPT]
    reported = ", ".join(f"{place} ({mark.word} {mark.value})" for place, mark in states[:_LISTED])
    classes = "".join(
        f"<li>{found.name}: {counted(len(found.symbols), 'word')} on {counted(found.arcs, 'transition')}, "
        f"{escape(' '.join(sorted(map(show_symbol, found.symbols))[:8]))} …</li>"
        for found in word_classes(difference.arcs)[:12]
    )
    head = "" if changed or states else "<p>Nothing changed.</p>"
    return (
        head
        + _items("Changed transitions", changed, weights)
        + (f"<p>Changed states: {escape(reported)}</p>" if states else "")
        + _items("Unchanged transitions", kept, weights)
        + (f"<p>Word sets:</p><ul>{classes}</ul>" if classes else "")
    )


def _items(title: str, rows: Sequence[ArcTableRow], weights: Weights | None) -> str:
    if not rows:
        return ""
    items = "".join(f"<li>{escape(_in_words(row, weights))}</li>" for row in rows[:_LISTED])
    more = f"<p>and {len(rows) - _LISTED:,} more in the table</p>" if len(rows) > _LISTED else ""
    return f"<p>{title}, {len(rows):,}:</p><ol>{items}</ol>{more}"


def _in_words(row: ArcTableRow, weights: Weights | None) -> str:
    weight = weight_in_words((weights or {}).get(row.place))
    reported = f"; weight {weight}" if weight else ""
    tag = f", tag {row.tag}" if row.tag else ""
    way = f"{row.mark} {row.meaning}: transition from {row.source} to {row.target}{tag}"
    if row.mark != Mark.CHANGED.value:
        return f"{way}, words {first_names(row.after or row.before)}{reported}"
    parts = [f"words added: {first_names(row.added)}"] if row.added else []
    parts += [f"words removed: {first_names(row.removed)}"] if row.removed else []
    parts += [f"words with another tag: {first_names(row.retagged)}"] if row.retagged else []
    return f"{way}, {'; '.join(parts)}{reported}"


def fitting(words: Sequence[str], signs: int = 27) -> str:
    """As many of the words as a column of a table shows, at least one, and how many more there are."""
    most = max(1, len(words))
    while most > 1 and len(first_names(words, most)) > signs:
        most -= 1
    return first_names(words, most)
