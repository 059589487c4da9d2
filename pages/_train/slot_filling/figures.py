"""What a finished run for slots gets right and wrong: figures slot by slot, errors by kind, and the texts behind each
number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from pages._shared.cached.models import records_of
from pages._shared.cached.systems import known_slots
from pages._shared.cached.taggers import slot_predictions_for_project
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.drawing.markup import count_figure, figures, html
from pages._shared.drawing.measures import F1
from pages._shared.drawing.tables import label_column, score_meanings
from pages._shared.session.fragments import fragment
from pages._train.figures import rules_of
from pages._train.slot_filling.lines import draw_lines, prediction_lines
from pages._train.splits import caution_of, choose_split
from re2nn_core.services.prediction.slot_filling.figures import (
    Figure,
    PredictedSpans,
    SlotFigure,
    SpanFigures,
    behind_errors,
    behind_figure,
    measure_slots,
)
from re2nn_core.services.rule_systems.slot_filling.stored_spans import span_examples_of
from re2nn_core.services.rule_writing.slot_filling.span_errors import ErrorKind
from re2nn_core.services.values.stored import ProjectRecord, RunRecord, TextRecord
from re2nn_core.text.counting import counted

_SHOWN = 60
_ROW, _MOST = 36, 16
_FIGURES: tuple[tuple[Figure, str], ...] = (("f1", "F1"), ("precision", "Precision"), ("recall", "Recall"))
_WHO = ("network", "rules")
_WIDTHS: dict[Figure, tuple[int, int]] = {"f1": (52, 74), "precision": (74, 108), "recall": (60, 92)}  # pixels
_ANY = "all slots"
_KINDS: dict[ErrorKind, tuple[str, str]] = {
    "missed": ("missed", "an annotated span that was not predicted"),
    "invented": ("invented", "a predicted span that is not annotated"),
    "boundary": ("other boundaries", "the correct slot with fewer or more words"),
    "type": ("other slot", "the correct words with another slot"),
    "both": ("both", "another slot with fewer or more words"),
}


@dataclass(frozen=True)
class Cell:
    """What was clicked: a figure of a slot, or errors of a kind; of whom. A slot of None means all."""

    who: str
    slot: str | None
    figure: Figure | None = None
    kind: ErrorKind | None = None


@fragment()
def draw_slot_figures(project: ProjectRecord, run: RunRecord) -> None:
    """The figures of a run beside those of the rules it was trained from, on one split."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Evaluating the run"):
        _draw(project, run)


def _draw(project: ProjectRecord, run: RunRecord) -> None:
    records = records_of(project)
    predicted = slot_predictions_for_project(project, rules_of(project, run), run)
    with st.container(horizontal=True, vertical_alignment="center"):
        places = choose_split(records, "train_slots_split", runs=[("", run)], caution=caution_of(run, records))
    if not places:
        html('<div class="re2-empty re2-muted">No text of this split is annotated.</div>')
        return
    marked = span_examples_of([records[place] for place in places], known_slots(project))
    found = measure_slots(
        [example.spans or () for example in marked],
        [predicted.by_rules[place] for place in places],
        [predicted.spans[place] for place in places],
    )
    palette = palette_of(project.id, predicted.slots)
    html(figures(_head(found)))
    key = f"{run.id}_{len(places)}_{places[0]}"
    left, right = st.columns([12, 10], gap="medium")
    with left:
        _draw_slots(found, palette, key)
    with right:
        _draw_errors(found, key)
    _draw_texts(found, _cell(key), [records[place] for place in places], palette)


def _head(found: SpanFigures) -> list[tuple[str, str, str]]:
    before, now = found.rules.counts, found.network.counts
    gain = None if now.f1 is None or before.f1 is None else now.f1 - before.f1
    return [
        count_figure(len(found.gold), "annotated text"),
        count_figure(now.marked, "span"),
        (F1.shown(before.f1, "–"), "F1, rules", ""),
        (F1.shown(now.f1, "–"), "F1, trained network", F1.gain(gain)),
        (_percent(now.precision), "precision", ""),
        (_percent(now.recall), "recall", ""),
    ]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _draw_slots(found: SpanFigures, palette: Palette, key: str) -> None:
    """One row for each slot; a click on a number asks for its texts."""
    columns: dict[str, list[object]] = {
        "slot": [[entry.slot] for entry in found.slots],
        "spans": [entry.rules.marked for entry in found.slots],
    }
    config = {
        "slot": label_column("Slot", palette, [entry.slot for entry in found.slots], width=130),
        "spans": st.column_config.NumberColumn("Spans", width=60, format="%d"),
    }
    meanings = score_meanings()
    for figure, title in _FIGURES:
        for who in _WHO:
            name = f"{figure}_{who}"
            columns[name] = [_whole(getattr(getattr(entry, who), figure)) for entry in found.slots]
            shown = title if who == "network" else f"{title}, rules"
            sign = "%d" if figure == "f1" else "%d%%"
            config[name] = st.column_config.NumberColumn(
                shown, format=sign, width=_WIDTHS[figure][who == "rules"], help=meanings[figure]
            )
        if figure == "f1":
            columns["change"] = [_points(entry) for entry in found.slots]
            config["change"] = st.column_config.NumberColumn("Change", format="%+d", width=68, help="Of F1, in points")
    _clickable("slots", columns, config, key)
    st.caption("Click a number to list its texts, those with errors first.")


def _whole(share: float | None) -> float | None:
    return None if share is None else round(100 * share)


def _points(entry: SlotFigure) -> float | None:
    before, now = entry.rules.f1, entry.network.f1
    return None if before is None or now is None else round(100 * (now - before))


def _draw_errors(found: SpanFigures, key: str) -> None:
    """Errors by kind, of both."""
    html('<div class="re2-muted">Errors by kind. A span is correct if its words and its slot are correct.</div>')
    columns: dict[str, list[object]] = {
        "kind": [name for name, _ in _KINDS.values()],
        "network": [found.network.count(kind) for kind in _KINDS],
        "rules": [found.rules.count(kind) for kind in _KINDS],
        "meaning": [meaning for _, meaning in _KINDS.values()],
    }
    config = {
        "kind": st.column_config.TextColumn("Error", width=104),
        "network": st.column_config.NumberColumn("Network", width=74),
        "rules": st.column_config.NumberColumn("Rules", width=58),
        "meaning": st.column_config.TextColumn("Meaning"),
    }
    _clickable("errors", columns, config, key)


def _clickable(table: str, columns: Mapping[str, list[object]], config: Mapping[str, Any], key: str) -> None:
    """A table whose cells can be clicked; a click takes back the one in the other table."""
    turn = st.session_state.setdefault(f"_slots_turn_{table}", 0)
    own = f"train_slots_{table}_{key}_{turn}"
    rows = len(next(iter(columns.values())))
    st.dataframe(
        pd.DataFrame(dict(columns)),
        key=own,
        hide_index=True,
        column_config=dict(config),
        height="content" if rows <= _MOST else _ROW * (_MOST + 1),
        on_select=lambda: _clicked(table, own, key),
        selection_mode="single-cell",
        placeholder="–",
    )


def _clicked(table: str, own: str, key: str) -> None:
    cells = st.session_state[own]["selection"]["cells"]
    st.session_state["_slots_cell"] = (key, table, *cells[0]) if cells else None
    other = "errors" if table == "slots" else "slots"
    if cells:
        st.session_state[f"_slots_turn_{other}"] = st.session_state.get(f"_slots_turn_{other}", 0) + 1


def _cell(key: str) -> tuple[str, int, str] | None:
    """The clicked cell of these figures: its table, row and column."""
    kept = st.session_state.get("_slots_cell")
    if kept is None or kept[0] != key:
        return None
    _, table, row, column = kept
    return table, int(row), str(column)


def _asked(clicked: tuple[str, int, str] | None, found: SpanFigures) -> Cell:
    """What the clicked cell is about; the network's mistakes where none is clicked."""
    if clicked is None:
        return Cell("network", None)
    table, row, column = clicked
    if table == "errors":
        return Cell(column if column in _WHO else "network", None, kind=tuple(_KINDS)[row])
    slot = found.slots[row].slot if row < len(found.slots) else None
    figure, _, who = column.partition("_")
    known: dict[str, Figure] = {name: name for name, _ in _FIGURES}
    return Cell(who if who in _WHO else "network", slot, known.get(figure, "f1"))


def _draw_texts(
    found: SpanFigures, clicked: tuple[str, int, str] | None, records: Sequence[TextRecord], palette: Palette
) -> None:
    asked = _asked(clicked, found)
    side = found.network if asked.who == "network" else found.rules
    places, title = _behind(found.gold, side, asked)
    with st.expander(messages.plain(title), expanded=clicked is not None):
        draw_lines(
            [
                prediction_lines(
                    records[place].text,
                    found.gold[place],
                    [("network", found.network.spans[place]), ("rules", found.rules.spans[place])],
                    palette,
                )
                for place in places[:_SHOWN]
            ]
        )
        if len(places) > _SHOWN:
            html(f'<div class="re2-muted">and {len(places) - _SHOWN:,} more</div>')


def _behind(gold: Sequence[tuple], side: PredictedSpans, asked: Cell) -> tuple[list[int], str]:
    who = asked.who
    if asked.figure is None:
        places = behind_errors(side, asked.kind, asked.slot)
        what = "Texts with an error of the" if asked.kind is None else f"{_KINDS[asked.kind][0].capitalize()}, by the"
        return places, f"{what} {who}, {counted(len(places), 'text')}"
    places, wrong = behind_figure(gold, side, asked.slot, asked.figure)
    title = dict(_FIGURES)[asked.figure]
    return (
        places,
        f"{title} of {asked.slot or _ANY}, {who}: {counted(len(places), 'text')}, {wrong:,} of them with an error",
    )
