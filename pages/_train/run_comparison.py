"""Two finished runs side by side: both curves, what they were trained with, the figures of each label, and the texts on
which they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

import streamlit as st

from pages._shared.cached.models import answers_for_project, records_of
from pages._shared.drawing import messages
from pages._shared.drawing.appearance import dark
from pages._shared.drawing.labels import Palette, palette_of
from pages._shared.drawing.markup import difference, escape, figures, html
from pages._shared.drawing.measures import Measure, measure_of
from pages._shared.resources import store
from pages._train.figures import rules_of
from pages._train.run_pair import STYLE, facts_table, label_table, text_table
from pages._train.splits import choose_split
from re2nn_core.errors import ModelError
from re2nn_core.plots.curves import Curve, Level, two_curves
from re2nn_core.services.fine_tuning.classification.run_comparison import OtherAnswer, RunComparison, compare_runs
from re2nn_core.services.fine_tuning.dev_figures import DEV
from re2nn_core.services.fine_tuning.reports import damaged_network
from re2nn_core.services.fine_tuning.run_comparison import differing_settings, learned_from_dev
from re2nn_core.services.fine_tuning.run_figures import epoch_dev_name
from re2nn_core.services.fine_tuning.runs import RunRow, finished_runs, run_rows, watch
from re2nn_core.services.prediction.classification.predictions import Answered
from re2nn_core.services.values.stored import UNFINISHED, ProjectRecord, RunRecord, TextRecord
from re2nn_core.text.corpus import Corpus, Example

ADVICE = "Train it again, or choose another run for this side."  # where a network cannot be read
_SHOWN = 200
_CURVE_HEIGHT = 360
Pair = tuple[RunRecord, RunRecord]
Sides = tuple[RunRow, RunRow]
Numbers = tuple[int, int]


class _Won(Protocol):
    """A text that two runs answer differently."""

    @property
    def winner(self) -> str: ...


Differing = TypeVar("Differing", bound=_Won)


@st.fragment
def draw_run_comparison(project: ProjectRecord, run: RunRecord) -> None:
    """The run beside the newest other one, until somebody chooses two."""
    draw_two_runs(project, run, _draw_pair)


def draw_two_runs(
    project: ProjectRecord, run: RunRecord, draw_pair: Callable[[ProjectRecord, Pair, Sides], None]
) -> None:
    """The choice of two runs, and both by `draw_pair`."""
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Comparing the runs"):
        rows = {row.id: row for row in run_rows(store(), project.id)}
        runs = finished_runs(store(), project.id)
        if len(runs) < 2:
            _draw_alone(any(row.state in UNFINISHED for row in rows.values()))
            return
        st.html(STYLE)
        pair = _choose_pair(run, runs, rows)
        if pair[0].id == pair[1].id:
            html('<div class="re2-empty re2-muted">These are the same run. Choose another one for one side.</div>')
            return
        draw_pair(project, pair, (rows[pair[0].id], rows[pair[1].id]))


def _draw_alone(another_at_work: bool) -> None:
    """What to do where there is one finished run."""
    advice = (
        "The other one is still at work or waiting; they stand here side by side when it is done."
        if another_at_work
        else "Change a setting at the top of this page, or label more texts, and start again. "
        "Both runs are kept; look at them here when the second one is done."
    )
    messages.empty("There is one finished run, and it takes two to compare.", advice)


def _choose_pair(run: RunRecord, runs: Sequence[RunRecord], rows: dict[int, RunRow]) -> Pair:
    """The two runs; the older one stands on the left until somebody chooses otherwise."""
    by_id = {record.id: record for record in runs}
    beside = next(record.id for record in runs if record.id != run.id)
    chosen = []
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for side, wanted in zip(("first", "second"), sorted((run.id, beside)), strict=True):
            if side == "second":
                st.html('<span class="re2-muted">beside</span>', width="content")
            chosen.append(
                st.selectbox(
                    f"The {side} run",
                    list(by_id),
                    index=list(by_id).index(wanted),
                    format_func=lambda number: _title(rows[number], measure_of(run)),
                    key=f"train_{side}_run_{run.id}_{len(runs)}",
                    label_visibility="collapsed",
                    width=270,
                )
            )
    return by_id[chosen[0]], by_id[chosen[1]]


def _title(row: RunRow, measure: Measure) -> str:
    dev = "" if row.dev is None else f", {measure.on(row.dev_name)} {measure.shown(row.dev)}"
    return f"Run {row.number}{', edited' if row.edit else ''}{dev}"


def _draw_pair(project: ProjectRecord, pair: Pair, sides: Sides) -> None:
    records = records_of(project)
    corpus = Corpus(tuple(Example(record.text, record.label, record.split) for record in records))
    learned = [learned_from_dev(run, corpus) for run in pair]
    left, right = st.columns([12, 11], gap="medium")
    with left:
        draw_pair_curves(pair, sides)
        draw_recipes(sides)
    with right:
        settings = differing_settings(*pair)
        html(facts_table(*sides, settings, turns=learned))
        html(f'<div class="re2-muted">{escape(_about(sides, bool(settings), learned))}</div>')
    with messages.guard("Comparing their answers"):
        _draw_answers(project, pair, sides, records, learned)


def _about(sides: Sides, other_settings: bool, turns: Sequence[bool]) -> str:
    """What the figures do not say by themselves."""
    told = [f"Run {side.number} is {side.edit}." for side in sides if side.edit]
    if not other_settings and not told:
        told.append("Both have the same settings.")
    for side, by_turns, other in zip(sides, turns, reversed(turns), strict=True):
        if by_turns and not other and not side.edit:
            told.append(
                f"Dev of run {side.number} was measured by its copies in turns on all labelled texts (see its recipe), "
                "so the two dev figures are not of the same texts."
            )
    return " ".join(told)


def draw_pair_curves(pair: Pair, sides: Sides) -> None:
    """Both curves in one figure."""
    measured = measure_of(pair[0]).name
    first, second = (_curve(run, side) for run, side in zip(pair, sides, strict=True))
    if first is None or second is None:
        missing = sides[0] if first is None else sides[1]
        why = ": it was edited, and has learned from these texts" if missing.edit and missing.turns else ""
        what = measured or "accuracy"
        html(f'<div class="re2-empty re2-muted">Run {missing.number} has no {what} on dev to draw{why}.</div>')
        return
    names = list(dict.fromkeys(epoch_dev_name(run) for run in pair))
    dev = names[0] if len(names) == 1 else DEV
    st.plotly_chart(
        two_curves(first, second, dark=dark(), height=_CURVE_HEIGHT, measured=measured, dev=dev),
        key=f"train_two_curves_{pair[0].id}_{pair[1].id}",
        config={"displayModeBar": False},
        alt=f"{measured or 'Accuracy'} on {dev} by epoch of both runs, with that of the rules alone drawn across",
    )


def _curve(run: RunRecord, side: RunRow) -> Curve | Level | None:
    """A run's curve; the level of one that was edited without training."""
    found = watch(store(), run.id)
    if found.has_dev:
        return Curve(f"run {side.number}", found.epochs, min(side.best_epoch or 0, len(found.epochs) - 1))
    return Level(f"run {side.number}, edited", side.dev) if side.edit and side.dev is not None else None


def draw_recipes(sides: Sides) -> None:
    """How each was trained, once where that is the same."""
    first, second = sides
    if first.recipe == second.recipe:
        st.caption(messages.plain(f"Both: {first.recipe}") if first.recipe else "")
        return
    for side in sides:
        if side.recipe:
            st.caption(messages.plain(f"Run {side.number}: {side.recipe}"))


def _draw_answers(
    project: ProjectRecord, pair: Pair, sides: Sides, records: Sequence[TextRecord], learned: Sequence[bool]
) -> None:
    """What both say of the project's texts: by label, and text by text."""
    numbers = sides[0].number, sides[1].number
    first, second = (_answers(project, run, number) for run, number in zip(pair, numbers, strict=True))
    with st.container(horizontal=True, vertical_alignment="center"):
        named = [(f"Run {number}", run) for number, run in zip(numbers, pair, strict=True)]
        places = choose_split(records, "train_pair_split", runs=named)
        seen = [f"run {number}" for number, by_turns in zip(numbers, learned, strict=True) if by_turns]
        if seen and places and records[places[0]].split == "dev":
            html(f'<span class="re2-muted">The copies of {" and ".join(seen)} have learned from these texts.</span>')
    if not places:
        html('<div class="re2-empty re2-muted">No text of this split has a label.</div>')
        return
    palette = palette_of(project.id, (*first.labels, *second.labels))
    found = compare_runs(first, second, [record.label for record in records], places)
    html(figures(_head(found, numbers)))
    one_set = _rule_texts(first) == _rule_texts(second)
    if not one_set:
        html(f'<div class="re2-muted">{escape(_other_rules(sides))}</div>')
    html(label_table(found, numbers, palette))
    _draw_texts(found, sides, records, palette, one_set=one_set)


def _rule_texts(answered: Answered) -> tuple[str, str]:
    return answered.system.rules_text, answered.system.logic_text


def _other_rules(sides: Sides) -> str:
    first, second = (
        f"run {side.number} from v{side.version or '?'}{', edited' if side.edit else ''}" for side in sides
    )
    return f"The two have different rules, {first} and {second}; each answers with its own."


def _answers(project: ProjectRecord, run: RunRecord, number: int) -> Answered:
    try:
        return answers_for_project(project, rules_of(project, run), run)
    except ModelError as fault:
        raise damaged_network(number, ADVICE) from fault


def _head(found: RunComparison, numbers: Numbers) -> list[tuple[str, str, str]]:
    before, after = found.first.accuracy or 0.0, found.second.accuracy or 0.0
    return [
        (f"{found.texts:,}", "labelled texts", ""),
        (f"{before:.1%}", f"run {numbers[0]}", ""),
        (f"{after:.1%}", f"run {numbers[1]}", difference(after - before, percent=True)),
        (f"{len(found.differing):,}", "texts answered differently", ""),
    ]


def _draw_texts(
    found: RunComparison, sides: Sides, records: Sequence[TextRecord], palette: Palette, *, one_set: bool
) -> None:
    """The texts with different answers, by label and by who is right."""
    if not found.differing:
        html('<div class="re2-empty re2-muted">Both give the same answer for each of these texts.</div>')
        return
    numbers = sides[0].number, sides[1].number
    with st.container(horizontal=True, vertical_alignment="center"):
        texts = _of_label(found.differing, palette, numbers)
        texts = _of_winner(texts, numbers)
    if not texts:
        html('<div class="re2-empty re2-muted">There is no such text on this split.</div>')
        return
    shown = texts[:_SHOWN]
    html(text_table(shown, [records[text.place].text for text in shown], numbers, palette, one_set=one_set))
    if len(texts) > _SHOWN:
        html(f'<div class="re2-muted">The first {_SHOWN:,} of {len(texts):,} texts are shown.</div>')


def _of_label(texts: Sequence[OtherAnswer], palette: Palette, numbers: Numbers) -> list[OtherAnswer]:
    counts = {label: sum(label in text.labels for text in texts) for label in palette.labels}
    label = st.selectbox(
        "Label",
        [None, *palette.labels],
        format_func=lambda label: f"any label, {len(texts):,}" if label is None else f"{label}, {counts[label]:,}",
        key=f"train_pair_label_{numbers[0]}_{numbers[1]}",
        label_visibility="collapsed",
        help="Texts that carry this label, or to which one of the two gave it.",
        width=230,
    )
    return [text for text in texts if label is None or label in text.labels]


def _of_winner(texts: Sequence[OtherAnswer], numbers: Numbers) -> list[OtherAnswer]:
    titles = {
        "second": f"Run {numbers[1]} is right",
        "first": f"Run {numbers[0]} is right",
        "neither": "Neither is",
    }
    return texts_of_winner(texts, "Who is right", titles, f"train_pair_who_{numbers[0]}_{numbers[1]}")


def texts_of_winner(texts: Sequence[Differing], title: str, titles: Mapping[str, str], key: str) -> list[Differing]:
    """The texts on which the chosen one of two runs does better, or all; `titles` by who that is."""
    counts = {who: sum(text.winner == who for text in texts) for who in titles}
    shown = {"all": f"All {len(texts):,}"} | {who: f"{name} {counts[who]:,}" for who, name in titles.items()}
    who = st.segmented_control(
        title,
        list(shown),
        default="all",
        required=True,
        format_func=shown.__getitem__,
        key=key,
        label_visibility="collapsed",
    )
    return [text for text in texts if who in (None, "all", text.winner)]
