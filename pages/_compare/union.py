"""Two machines side by side, and all that is drawn as a table and as a list: arrows that came, went and stayed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages._compare.canvas import clicked, draw_canvas
from pages._compare.stepping import lights, sentence_through_both
from pages._compare.words import word_list
from pages._shared import messages
from pages._shared.grid import walk_rows
from pages._shared.markup import escape, html
from re2nn_core.automata.difference import MachineDifference, Mark
from re2nn_core.automata.folding import READABLE_STATES, fold, unfolded, word_classes
from re2nn_core.plots.difference_files import FORMATS, difference_file
from re2nn_core.plots.difference_scene import Scene, scene_of
from re2nn_core.services.drawn_differences import ArcRow, DrawnDifference, arc_rows
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

_TABLE_HEIGHT = 300
_NUMBERS = "The number of the state; 1→2 is number 1 before and number 2 after, -3 stands before alone, +4 after alone"
_LISTED = 60  # changes of the list; the table has all
_MIME = {"svg": "image/svg+xml", "png": "image/png", "dot": "text/vnd.graphviz"}
Weights = Mapping[int, tuple[float, float]]


@dataclass(frozen=True)
class Titles:
    """What the two sides are called above the drawing."""

    left: str
    right: str

    @property
    def both(self) -> tuple[str, str]:
        return self.left, self.right


def stamp_of(*parts: str) -> str:
    """A short name for texts, under which what is made from them is kept."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8")).hexdigest()[:16]


def draw_union(
    drawn: DrawnDifference,
    titles: Titles,
    *,
    key: str,
    stamp: str,
    tokenization: Tokenization,
    weights: Weights | None = None,
    example: str = "",
) -> None:
    """The drawing with its table, the words of the chosen arrow, a sentence through both, and files. `stamp` names the
    difference; `weights` are those of a trained network."""
    difference = drawn.difference
    if difference is None or drawn.left is None or drawn.right is None:
        st.warning(messages.plain(drawn.refusal), icon=":material/warning:")
        return
    html(f'<div class="re2-head">{_counts(difference)}</div>')
    folded = _asks_for_folding(difference, key)
    scene_stamp = stamp_of(stamp, str(folded), str(sorted((weights or {}).items())))
    scene = _scene(scene_stamp, difference, folded, weights)
    trace, step = sentence_through_both(drawn.left, drawn.right, tokenization, key=key, stamp=stamp, example=example)
    rows = arc_rows(difference)
    canvas, table = f"_union_{key}", f"_arcs_{key}_{stamp}"
    chosen = _chosen(canvas, table, scene_stamp, rows)
    lit = lights(scene, difference, trace, step)
    note = "Click an arrow for its words. Drag to move; zoom with + and −, or the wheel while Ctrl is held."
    draw_canvas(
        scene, difference, titles.both, key=canvas, stamp=scene_stamp, chosen=chosen, lit=lit, note=note
    )  # fmt: skip
    left, right = st.columns([13, 9], gap="medium")
    with left:
        _draw_table(rows, table, weights)
    with right:
        _draw_arc(rows, chosen, weights)
        _draw_files(scene, titles, scene_stamp, drawn.name)
    with st.expander("The changes as a list, and sets of words that arrows share"):
        html(_listed(rows, difference))


def _counts(difference: MachineDifference) -> str:
    def told(counts: Mapping[Mark, int]) -> str:
        return ", ".join(f"{mark.value} {count:,} {mark.word}" for mark, count in counts.items() if count) or "none"

    if difference.same:
        size = f"{counted(len(difference.nodes), 'state')}, {counted(len(difference.arcs), 'arrow')}"
        return f"The same machine on both sides: {size}"
    return f"States: {told(difference.state_counts)} · Arrows: {told(difference.arc_counts)}"


def _asks_for_folding(difference: MachineDifference, key: str) -> bool:
    states = len(difference.nodes)
    if states <= READABLE_STATES:
        return False
    return st.toggle(
        f"Fold what stayed ({states:,} states in all)",
        value=True,
        key=f"_fold_{key}",
        help="States that did not change, and are not next to a change, are drawn as one that says how many they are.",
    )


@st.cache_resource(show_spinner=False, max_entries=24)
def _scene(stamp: str, _difference: MachineDifference, folded: bool, _weights: Weights | None) -> Scene:
    return scene_of(_difference, fold(_difference) if folded else unfolded(_difference), _weights)


def _chosen(canvas: str, table: str, stamp: str, rows: Sequence[ArcRow]) -> int | None:
    """The arrow chosen last, in the drawing or in the table."""
    by_click, row = clicked(canvas, stamp), _row_of(st.session_state.get(table))
    by_row = rows[row].place if row is not None and row < len(rows) else None
    kept: dict[str, Any] = st.session_state.setdefault(f"{table}_last", {})
    if by_click != kept.get("click"):
        kept.update(click=by_click, chosen=by_click)
    if by_row != kept.get("row"):
        kept.update(row=by_row, chosen=by_row)
    if kept.get("chosen") is None:
        return rows[0].place if rows else None
    return int(kept["chosen"])


def _row_of(shown: Any) -> int | None:
    cells = shown["selection"]["cells"] if shown else []
    return int(cells[0][0]) if cells else None


def _draw_table(rows: Sequence[ArcRow], key: str, weights: Weights | None) -> None:
    columns: dict[str, list[Any]] = {
        "mark": [f"{row.mark} {row.meaning}" for row in rows],
        "source": [row.source for row in rows],
        "target": [row.target for row in rows],
    }
    config = {
        "mark": st.column_config.TextColumn("", width=88),
        "source": st.column_config.TextColumn("From", width=60, help=_NUMBERS),
        "target": st.column_config.TextColumn("To", width=60, help=_NUMBERS),
        "tag": st.column_config.TextColumn("Tag", width=100),
        "added": st.column_config.TextColumn("+ words added", width=190),
        "removed": st.column_config.TextColumn("- words removed", width=190),
        "kept": st.column_config.TextColumn("= words kept", width=190),
        "weight": st.column_config.TextColumn("Weight", width=104, help="In the network, before and after training"),
    }
    if any(row.tag for row in rows):
        columns["tag"] = [row.tag for row in rows]
    columns["added"] = [" ".join(row.added) for row in rows]
    columns["removed"] = [" ".join(row.removed) for row in rows]
    columns["kept"] = [" ".join(word for word in row.after if word not in set(row.added)) for row in rows]
    if weights:
        columns["weight"] = [_weight(weights.get(row.place)) for row in rows]
    height = min(_TABLE_HEIGHT, 35 * (len(rows) + 1) + 3)
    walk_rows(columns, key=key, config={name: config[name] for name in columns}, height=height)


def _weight(pair: tuple[float, float] | None) -> str:
    return "" if pair is None else f"{pair[0]:.2f} → {pair[1]:.2f}"


def _draw_arc(rows: Sequence[ArcRow], chosen: int | None, weights: Weights | None) -> None:
    row = next((row for row in rows if row.place == chosen), None)
    if row is None:
        return
    tag = f", tag {row.tag}" if row.tag else ""
    weight = _weight((weights or {}).get(row.place))
    told = f" · weight {weight}" if weight else ""
    html(
        f'<div class="re2-state">{escape(row.mark)} Arrow from <b>{escape(row.source)}</b> to '
        f"<b>{escape(row.target)}</b>{escape(tag)}, {row.meaning}{told}</div>"
    )
    left, right = st.columns(2, gap="small")
    with left:
        html(_words("Before", row.before, row.removed, "gone"))
    with right:
        html(_words("After", row.after, row.added, "new"))


def _words(title: str, words: Sequence[str], own: Sequence[str], kind: Any) -> str:
    kept = [word for word in words if word not in set(own)]
    sign = "-" if kind == "gone" else "+"
    parts = [f'<div class="re2-head">{title}: {counted(len(words), "word")}</div>']
    if own:
        parts.append(word_list(f"{sign} only here", own, kind))
    if kept:
        shown = ", ".join(map(escape, kept[:40])) + (f" and {len(kept) - 40:,} more" if len(kept) > 40 else "")
        parts.append(f'<div class="re2-head">= on both sides, {len(kept):,}</div><div class="re2-words">{shown}</div>')
    return "".join(parts)


def _draw_files(scene: Scene, titles: Titles, stamp: str, name: str) -> None:
    with st.container(horizontal=True, gap="small"):
        for format in FORMATS:
            st.download_button(
                format.upper(),
                _maker(scene, titles, format),
                f"difference_{_file_name(name)}.{format}",
                _MIME[format],
                key=f"_get_{format}_{stamp}",
                icon=":material/download:",
                on_click="ignore",
            )


def _maker(scene: Scene, titles: Titles, format: str) -> Callable[[], bytes]:
    """Makes the file when it is asked for: a picture of a thousand states takes seconds."""
    return lambda: difference_file(scene, titles.both, format)


def _file_name(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in name)[:60]


def _listed(rows: Sequence[ArcRow], difference: MachineDifference) -> str:
    changed = [row for row in rows if row.mark != Mark.KEPT.value]
    items = "".join(f"<li>{escape(_in_words(row))}</li>" for row in changed[:_LISTED])
    more = f"<p>and {len(changed) - _LISTED:,} more in the table</p>" if len(changed) > _LISTED else ""
    states = [node for node in difference.nodes if node.mark is not Mark.KEPT]
    told = ", ".join(f"{node.name} ({node.mark.word})" for node in states[:_LISTED])
    classes = "".join(
        f"<li>{found.name}: {counted(len(found.symbols), 'word')} on {counted(found.arcs, 'arrow')}, "
        f"{escape(' '.join(sorted(map(str, found.symbols))[:8]))} …</li>"
        for found in word_classes(difference.arcs)[:12]
    )
    head = "<p>Nothing changed.</p>" if not changed and not states else ""
    return (
        head
        + (f"<ol>{items}</ol>{more}" if changed else "")
        + (f"<p>States that changed: {escape(told)}</p>" if states else "")
        + (f"<p>Sets of words:</p><ul>{classes}</ul>" if classes else "")
    )


def _in_words(row: ArcRow) -> str:
    tag = f" and gives {row.tag}" if row.tag else ""
    way = f"the arrow from {row.source} to {row.target}{tag}"
    if row.mark == Mark.ADDED.value:
        return f"+ added: {way} reads {_some(row.after)}"
    if row.mark == Mark.REMOVED.value:
        return f"- removed: {way} read {_some(row.before)}"
    parts = [f"reads {_some(row.added)} too"] if row.added else []
    parts += [f"no longer reads {_some(row.removed)}"] if row.removed else []
    return f"± changed: {way} {' and '.join(parts)}"


def _some(words: Sequence[str], most: int = 12) -> str:
    return ", ".join(words[:most]) + (f" and {len(words) - most:,} more" if len(words) > most else "")
