"""Two machines side by side, and all that is drawn as a table and as a list: arrows that came, went and stayed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages._compare.drawing.canvas import clicked, draw_canvas
from pages._compare.drawing.stepping import lights, sentence_through_both
from pages._compare.drawing.union_list import Weights, everything_listed, fitting, weight_in_words
from pages._compare.drawing.words import word_list
from pages._shared.components.downloads import download
from pages._shared.components.grid import height_of, walk_rows
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from re2nn_core.plots.difference_files import FORMATS, difference_file
from re2nn_core.plots.difference_scene import Scene, moved, scene_of
from re2nn_core.plots.scene_geometry import NO_COUNTS
from re2nn_core.services.rule_difference.drawn_differences import ArcTableRow, DrawnDifference, arc_rows
from re2nn_core.services.values.automata import (
    READABLE_STATES,
    Folded,
    MachineDifference,
    Mark,
    fold,
    unfolded,
    worth_folding,
)
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.tokenization import Tokenization

_MOST_ROWS = 8
_NUMBERS = "State number, the same in both drawings; 0 is the start"
_MIME = {"svg": "image/svg+xml", "png": "image/png", "dot": "text/vnd.graphviz"}


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
    counts: Mapping[str, int] = NO_COUNTS,
) -> None:
    """The drawing with its table, the words of the chosen arrow, a sentence through both, and files. `stamp` names the
    difference; `weights` are those of a trained network; of many words the first by
    their `counts` are written out."""
    difference = drawn.difference
    if difference is None or drawn.left is None or drawn.right is None:
        st.warning(messages.plain(drawn.refusal), icon=":material/warning:")
        return
    if drawn.by_positions:
        html(f'<div class="re2-muted">{escape(drawn.by_positions)}</div>')
        weights = None  # they are of the minimal automaton
    weighed_stamp = stamp_of(stamp, str(sorted((weights or {}).items())))
    small = _folding(weighed_stamp, difference, weights)
    html(f'<div class="re2-head">{_counts(difference, folds=worth_folding(small))}</div>')
    folded = _asks_for_folding(small, key)
    scene_stamp = stamp_of(weighed_stamp, str(folded))
    scene = _scene(scene_stamp, difference, small if folded else None, weights, counts)
    machines = drawn.left, drawn.right
    trace, step = sentence_through_both(machines, difference, tokenization, key=key, stamp=stamp, example=example)
    rows = arc_rows(difference)
    canvas, table = f"_union_{key}", f"_arcs_{key}_{stamp}"
    chosen = _chosen(canvas, table, scene_stamp, rows)
    lit = lights(scene, difference, trace, step)
    note = (
        "Click a transition for its words. Drag to move, zoom with + and − or Ctrl and the wheel. Keys N and "
        "P: next and previous change."
    )
    draw_canvas(
        scene, difference, titles.both, key=canvas, stamp=scene_stamp, chosen=chosen, lit=lit, note=note
    )  # fmt: skip
    left, right = st.columns([13, 9], gap="medium")
    with left:
        _draw_table(rows, table, weights)
    with right:
        _draw_arc(rows, chosen, weights)
        _draw_files(scene, titles, scene_stamp, drawn.name)
    with st.expander("Everything as a list, with word sets shared by transitions"):
        html(everything_listed(rows, difference, weights))


def _counts(difference: MachineDifference, *, folds: bool) -> str:
    """How many states and transitions there are; `folds`: the drawing may show several of them as one."""

    def reported(counts: Mapping[Mark, int]) -> str:
        return ", ".join(f"{count:,} {mark.word} ({mark.value})" for mark, count in counts.items() if count) or "none"

    if difference.same:
        size = f"{counted(len(difference.nodes), 'state')}, {counted(len(difference.arcs), 'transition')}"
        return f"Both automata are the same: {size}"
    states = "States, folded ones too" if folds else "States"
    return (
        f"{states}: {reported(difference.state_counts)} · transitions: {reported(difference.arc_counts)}. A number is "
        "the same state on both sides; 0 is the start."
    )


def _asks_for_folding(small: Folded, key: str) -> bool:
    """Offered where it hides enough; on from the start only where the whole is too large to be read."""
    if not worth_folding(small):
        return False
    states = sum(map(len, small.groups))
    large = states > READABLE_STATES
    return st.toggle(
        f"Fold unchanged parts ({states:,} states, {len(small.groups):,} when folded)",
        value=large,
        # Another key for large drawings, lest the choice for a small one decides about them.
        key=f"_fold_{key}_{'large' if large else 'small'}",
        help="Unchanged states that are not next to a change are drawn as one node. Click it, or press Enter on "
        "it, to see its content.",
    )


@st.cache_resource(show_spinner=False, max_entries=24)
def _folding(stamp: str, _difference: MachineDifference, _weights: Weights | None) -> Folded:
    return fold(_difference, moved(_weights))


@st.cache_resource(show_spinner=False, max_entries=24)
def _scene(
    stamp: str,
    _difference: MachineDifference,
    _folded: Folded | None,
    _weights: Weights | None,
    _words: Mapping[str, int],
) -> Scene:
    return scene_of(_difference, _folded or unfolded(_difference), _weights, _words)


def _chosen(canvas: str, table: str, stamp: str, rows: Sequence[ArcTableRow]) -> int | None:
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


def _draw_table(rows: Sequence[ArcTableRow], key: str, weights: Weights | None) -> None:
    columns: dict[str, list[Any]] = {
        "mark": [f"{row.mark} {row.meaning}" for row in rows],
        "source": [row.source for row in rows],
        "target": [row.target for row in rows],
    }
    config = {
        "mark": st.column_config.TextColumn("Change", width=84),
        "source": st.column_config.TextColumn("From", width=50, help=_NUMBERS),
        "target": st.column_config.TextColumn("To", width=44, help=_NUMBERS),
        "tag": st.column_config.TextColumn("Tag", width=130, help="Tag of the words; before → after if it changed"),
        "added": st.column_config.TextColumn("+ words added", width=190),
        "removed": st.column_config.TextColumn("− words removed", width=190),
        "retagged": st.column_config.TextColumn("± words with another tag", width=190),
        "kept": st.column_config.TextColumn("= words kept", width=190),
        "weight": st.column_config.TextColumn(
            "Weight",
            width=104,
            help="Weight in the network, before → after training; empty if the network has no such transition",
        ),
    }
    if weights:
        columns["weight"] = [weight_in_words(weights.get(row.place)) for row in rows]
    if any(row.tag for row in rows):
        columns["tag"] = [row.tag for row in rows]
    columns["added"] = [fitting(row.added) for row in rows]
    columns["removed"] = [fitting(row.removed) for row in rows]
    if any(row.retagged for row in rows):
        columns["retagged"] = [fitting(row.retagged) for row in rows]
    columns["kept"] = [fitting(row.kept) for row in rows]
    columns = {name: cells for name, cells in columns.items() if name not in ("added", "removed") or any(cells)}
    config = {name: config[name] for name in columns}
    walk_rows(columns, key=key, config=config, height=height_of(len(rows), _MOST_ROWS))


def _draw_arc(rows: Sequence[ArcTableRow], chosen: int | None, weights: Weights | None) -> None:
    row = next((row for row in rows if row.place == chosen), None)
    if row is None:
        return
    tag = f", tag {row.tag}" if row.tag else ""
    again = f" · {len(row.retagged):,} with another tag: {first_names(row.retagged)}" if row.retagged else ""
    weight = weight_in_words((weights or {}).get(row.place))
    reported = f" · weight {weight}" if weight else ""
    html(
        f'<div class="re2-state">{escape(row.mark)} Transition from <b>{escape(row.source)}</b> to '
        f"<b>{escape(row.target)}</b>{escape(tag)}, {row.meaning}{escape(again)}{reported}</div>"
    )
    left, right = st.columns(2, gap="small")
    with left:
        html(_words("Before", row.before, row.removed, "gone"))
    with right:
        html(_words("After", row.after, row.added, "new"))


def _words(title: str, words: Sequence[str], own: Sequence[str], kind: Any) -> str:
    kept = [word for word in words if word not in set(own)]
    sign = "−" if kind == "gone" else "+"
    parts = [f"""<div class="re2-head">{title}: {counted(len(words), "word")} on this transition</div>"""]
    if own:
        parts.append(word_list(f"{sign} only here", own, kind))
    if kept:
        shown = escape(first_names(kept, 40))
        parts.append(f'<div class="re2-head">= on both sides, {len(kept):,}</div><div class="re2-words">{shown}</div>')
    return "".join(parts)


def _draw_files(scene: Scene, titles: Titles, stamp: str, name: str) -> None:
    with st.container(horizontal=True, gap="small"):
        for format in FORMATS:
            download(
                format.upper(),
                _maker(scene, titles, format),
                f"difference_{_file_name(name)}.{format}",
                _MIME[format],
                key=f"_get_{format}_{stamp}",
            )


def _maker(scene: Scene, titles: Titles, format: str) -> Callable[[], bytes]:
    """Makes the file when it is asked for: a picture of a thousand states takes seconds."""
    return lambda: difference_file(scene, titles.both, format)


def _file_name(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in name)[:60]
