"""Review: one text after the other on which people differ or that was put aside, one key for each decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from pages._shared.cached.models import answers_for_project
from pages._shared.cached.taggers import slot_answers_for_project
from pages._shared.catalog import LABEL
from pages._shared.components.strokes import Stroke, Typed, draw_ears, hear
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette, button_style, palette_of
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.spans import spans_html
from pages._shared.resources import store
from pages._shared.session import access, state
from pages._team.confirming import draw_confirming
from pages._team.desk import (
    ReviewDesk,
    cannot_take,
    decide_case,
    desk_of,
    next_case,
    put_off,
    start_over,
    take_back,
)
from pages._team.editing import draw_edit
from re2nn_core.services.annotation.classification import DIGITS, choices
from re2nn_core.services.annotation.stored_queue import get_queue
from re2nn_core.services.projects.stored_projects import get_project
from re2nn_core.services.team.annotations import Why
from re2nn_core.services.team.review import LETTERS, Case, ReviewSide
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import read_spans, write_spans

# Pixels. The button of Enter is as wide for each answer, so that those behind it stay where they are.
_TAKE_WIDTH = 240
_WHY: dict[Why, str] = {
    "differ": "People say different things.",
    "flagged": "Somebody has put it aside.",
    "reopened": "It was decided, and somebody has said something else since.",
    "agreed": "People agree on it; it trains here once a reviewer confirms it.",
    "alone": "One person has judged it; it trains here once a reviewer confirms it.",
}


@dataclass(frozen=True)
class Machines:
    """What rule set and network say of a text, each with its name and, for the rules, why."""

    answers: tuple[tuple[str, str | None, str], ...]
    labels: tuple[str, ...]


def draw_review(project: ProjectRecord) -> None:
    """The whole part."""
    version = state.current_version(project)
    with messages.guard("Asking the rules") as outcome:
        machines = _machines_of(project, version)
    if not outcome.ok:
        # People can be decided between without the rules.
        machines = _silent
    _draw_desk(project, machines)
    draw_ears()


def _silent(_: int) -> Machines:
    return Machines((), ())


def _machines_of(project: ProjectRecord, version: RuleVersion) -> Callable[[int], Machines]:
    """What the rules, and the chosen network, say of the text at a place."""
    model = state.current_model(project)
    if project.task == Task.SLOT_FILLING:
        answered = slot_answers_for_project(project, version, model.run)

        def of_slots(place: int) -> Machines:
            found = [("Rules", write_spans(answered.by_rules[place]), "")]
            if answered.trained:
                found.append((model.title, answered.answer(place), f"{answered.confidence[place]:.0%} sure"))
            return Machines(tuple(found), answered.slots)

        return of_slots
    labels = answers_for_project(project, version, model.run)

    def of_labels(place: int) -> Machines:
        fired = [name for name, told in zip(labels.system.rule_names, labels.fired[place], strict=True) if told]
        why = ", ".join(fired) or ("default label" if labels.rules_answer(place) else "no rule accepts it")
        found = [("Rules", labels.rules_answer(place), why)]
        if labels.trained:
            found.append((model.title, labels.answer(place), f"{labels.confidence[place]:.0%} sure"))
        return Machines(tuple(found), tuple(labels.system.logic.labels))

    return of_labels


@st.fragment
def _draw_desk(project: ProjectRecord, machines: Callable[[int], Machines]) -> None:
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Reviewing"):
        project = get_project(store(), project.id)
        desk = desk_of(project.id)
        if desk.fault is not None:
            messages.show_error(desk.fault, "Deciding")
            desk.fault = None
        case = next_case(desk)
        if access.may("reviewer"):
            draw_confirming(desk)
        if case is None:
            _draw_end(desk)
        else:
            _draw_case(project, desk, case, machines(case.record.position))


def _draw_end(desk: ReviewDesk) -> None:
    if desk.later:
        messages.empty(f"You put {counted(len(desk.later), 'text')} off.", "Look at them again when you are ready.")
    elif desk.decided:
        messages.empty("All that waited is decided.", "What people judge meanwhile may differ again: look once more.")
    else:
        messages.empty(
            "No text waits for a decision.",
            "A text comes here when two people say different things of it, or when somebody puts it aside. Open a "
            "queue on Label in which each text comes to two people. Where decided labels alone train, all that people "
            "judge comes here to be confirmed.",
            link=LABEL,
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Look again", key="review_again", icon=":material/refresh:", on_click=start_over, args=(desk,))
        _undo_button(desk)
    _draw_said(desk)
    _hear(desk, None, ())


def _undo_button(desk: ReviewDesk) -> None:
    st.button("Undo", key="review_undo", shortcut="U", on_click=take_back, args=(desk,), icon=":material/undo:")


def _draw_said(desk: ReviewDesk, beside: str = "") -> None:
    """What became of the last key, on a line that is there without words too; `beside`: what else stands there."""
    html(
        f'<div class="re2-under re2-muted"><span>{escape(beside)}</span>'
        f'<span class="re2-said">{escape(desk.said) or "&nbsp;"}</span></div>'
    )


def _draw_case(project: ProjectRecord, desk: ReviewDesk, case: Case, machines: Machines) -> None:
    may, judged = access.may("reviewer"), bool(case.sides)
    # Of a text that was put aside at once nobody has said anything: then what the machines say can be taken.
    case = case if judged else replace(case, sides=_machine_sides(case, machines))
    palette = palette_of(project.id, machines.labels)
    slots = project.task == Task.SLOT_FILLING
    left, right = st.columns([13, 6], gap="medium")
    with right:
        beside = st.container(border=True, key="review_beside")
        blind = _hides_names(project)
    with left:
        _draw_text(case, desk, "" if slots else button_style("review_label", _buttons(machines, palette), palette))
        if not may:
            html('<div class="re2-warn">Reviewers and owners decide. You may look on.</div>')
        decide = partial(_decide, desk, case, slots)
        with st.container(key="review_sides", gap="small"):
            for number, side in enumerate(case.sides[: len(LETTERS)]):
                _draw_side(number, side, case, palette, decide, slots=slots, blind=blind and judged, may=may)
        _draw_keys(desk, case, machines, decide, slots=slots, may=may)
        if slots:
            draw_edit(project, case, decide, disabled=not may)
        else:
            _draw_labels(case, machines, palette, decide, may=may)
        _hear(desk, case, _strokes(case, machines, palette, slots=slots) if may else (), decide, slots=slots)
    with beside:
        _draw_beside(case, machines, palette, slots=slots, blind=blind)


def _machine_sides(case: Case, machines: Machines) -> tuple[ReviewSide, ...]:
    """The data, rule set and network as sides, the answer of most in front."""
    found: dict[str, list[str]] = {} if case.record.gold is None else {case.record.gold: ["in the data"]}
    for name, answer, _ in machines.answers:
        if answer is not None:
            found.setdefault(answer, []).append(name)
    sides = [ReviewSide(answer, tuple(names)) for answer, names in found.items()]
    return tuple(sorted(sides, key=lambda side: -len(side.people)))


def _strokes(case: Case, machines: Machines, palette: Palette, *, slots: bool) -> tuple[Stroke, ...]:
    """The keys that decide. A letter, and Enter, mean what the text's own people say: only a digit means the same for
    a text that was not seen."""
    sides = [
        Stroke(letter.lower(), "decide", side.answer, sight=True)
        for letter, side in zip(LETTERS, case.sides, strict=False)
    ]
    proposed = case.proposed([answer for _, answer, _ in machines.answers])
    enter = Stroke("Enter", "none", sight=True) if proposed is None else Stroke("Enter", "decide", proposed, sight=True)
    digits = [] if slots else [
        Stroke(str(number % DIGITS), "decide", label)
        for number, label in enumerate(_buttons(machines, palette), start=1)
    ]  # fmt: skip
    return (*sides, enter, *digits)


def _why_none(case: Case, *, slots: bool) -> str:
    """Why Enter decides nothing here, and which keys do."""
    letters = LETTERS[: len(case.sides)]
    sides = f"{' or '.join((', '.join(letters[:-1]), letters[-1]) if letters[1:] else letters)} takes a side, "
    others = "Save below what you mark yourself" if slots else "a digit gives a label"
    why = "No answer has most votes" if case.sides else "Nobody has said anything of it"
    return f"{why}, so Enter decides nothing: {sides if letters else ''}{others}, S comes back to it later."


def _hear(
    desk: ReviewDesk,
    case: Case | None,
    strokes: Sequence[Stroke],
    decide: Callable[[str], None] | None = None,
    *,
    slots: bool = False,
) -> None:
    text_id = None if case is None else case.record.id

    def do(typed: Typed) -> None:
        if typed.does == "undo":
            take_back(desk)
        elif typed.text_id != text_id or desk.text_id != text_id:
            desk.said = "Your last key came too late for its text: nothing was decided by it."
        elif typed.does == "none" and case is not None:
            cannot_take(desk, _why_none(case, slots=slots))
        elif typed.does == "later" and text_id is not None:
            put_off(desk, text_id)
        elif typed.does == "decide" and decide is not None:
            decide(typed.value)

    later = () if case is None else (Stroke("s", "later", sight=True),)
    hear(f"review_{desk.project_id}", text_id, (*strokes, *later, Stroke("u", "undo")), do)


def _decide(desk: ReviewDesk, case: Case, slots: bool, answer: str) -> None:
    said = counted(len(read_spans(answer)), "span") if slots else answer
    decide_case(desk, case, answer, said)


def _hides_names(project: ProjectRecord) -> bool:
    queue = get_queue(store(), project.id)
    return st.toggle(
        "hide names",
        value=queue is not None and queue.blind,
        key=f"review_blind_{project.id}",
        help="Decide without knowing who said what",
    )


def _draw_text(case: Case, desk: ReviewDesk, style: str) -> None:
    why = _WHY[case.why] if case.why else "You chose it."
    split = f" · {case.record.split}" if case.record.split else ""
    html(
        f'{style}<div class="re2-case"><div class="re2-case-text">{escape(case.record.text)}</div>'
        f'<div class="re2-muted">{escape(why)} <span style="float:right">{desk.left:,} wait · '
        f"text {case.record.position + 1:,}{split}</span></div></div>"
    )


def _draw_side(
    number: int,
    side: ReviewSide,
    case: Case,
    palette: Palette,
    decide: Callable[[str], None],
    *,
    slots: bool,
    blind: bool,
    may: bool,
) -> None:
    """One answer: the key that takes it, what it is, and who gave it."""
    letter = LETTERS[number]
    who = counted(len(side.people), "person", "people") if blind else ", ".join(side.people)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Take",
            key=f"review_side_{number}_{case.record.id}",
            shortcut=letter,
            on_click=decide,
            args=(side.answer,),
            disabled=not may,
        )
        shown = _shown(side.answer, case, palette, slots=slots)
        html(f'<div class="re2-side">{shown} <span class="re2-muted">{escape(who)}</span></div>')


def _shown(answer: str | None, case: Case, palette: Palette, *, slots: bool) -> str:
    """An answer as HTML: a chip, or the text with its spans."""
    if not slots or answer is None:
        return palette.chip(answer, missing="no answer")
    spans = read_spans(answer)
    return spans_html(case.record.text, spans, palette) if spans else '<span class="re2-muted">nothing marked</span>'


def _labels(machines: Machines, palette: Palette) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*machines.labels, *palette.labels]))


def _buttons(machines: Machines, palette: Palette) -> tuple[str, ...]:
    """The labels that have a digit."""
    return choices(_labels(machines, palette), ())


def _draw_labels(case: Case, machines: Machines, palette: Palette, decide: Callable[[str], None], *, may: bool) -> None:
    labels = _labels(machines, palette)
    buttons = _buttons(machines, palette)
    with st.container(key="re2_grid"):  # as on the page Label, so that a label has one place on both
        for number, label in enumerate(buttons, start=1):
            st.button(
                messages.plain(label),
                key=f"review_label_{number}_{case.record.id}",
                shortcut=str(number % DIGITS),
                on_click=decide,
                args=(label,),
                disabled=not may,
                width="stretch",
            )
    others = [label for label in labels if label not in buttons]
    key = f"review_other_{case.record.id}"
    if others:
        st.selectbox(
            "Another label", others, index=None, key=key, placeholder=f"{len(others):,} more labels: type to find one",
            on_change=lambda: decide(st.session_state[key]) if st.session_state.get(key) else None,
            label_visibility="collapsed", disabled=not may,
        )  # fmt: skip


def _draw_keys(
    desk: ReviewDesk,
    case: Case,
    machines: Machines,
    decide: Callable[[str], None],
    *,
    slots: bool,
    may: bool,
) -> None:
    proposed = case.proposed([answer for _, answer, _ in machines.answers])
    if proposed is None:
        title = "No answer has most votes"
    elif case.why in ("agreed", "alone"):
        title = "Confirm" if slots else f"Confirm {messages.plain(proposed)}"
    else:
        title = f"Take {_letter(case, proposed)}" if slots else f"Take {messages.plain(proposed)}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            title,
            key=f"review_take_{case.record.id}",
            type="secondary" if proposed is None else "primary",
            shortcut="Enter",
            disabled=not may,
            # Where nothing can be taken it says so, and does not leave what the key before did in its place.
            on_click=partial(cannot_take, desk, _why_none(case, slots=slots))
            if proposed is None
            else partial(decide, proposed),
            help="What most people say; where as many say something else, what rules and network say with them",
            width=_TAKE_WIDTH,
        )
        st.button(
            "Later", key=f"review_later_{case.record.id}", shortcut="S", on_click=put_off,
            args=(desk, case.record.id), icon=":material/schedule:",
        )  # fmt: skip
        _undo_button(desk)
    _draw_said(desk, "" if slots else "Or another label")


def _letter(case: Case, answer: str) -> str:
    return next(letter for letter, side in zip(LETTERS, case.sides, strict=False) if side.answer == answer)


def _draw_beside(case: Case, machines: Machines, palette: Palette, *, slots: bool, blind: bool) -> None:
    """What rules and network say, the label it has now, the notes of those who put it aside."""
    rows = []
    for name, answer, why in machines.answers:
        note = f' <span class="re2-muted">{escape(why)}</span>' if why else ""
        rows.append(f"<div><b>{escape(name)}</b><br>{_shown(answer, case, palette, slots=slots)}{note}</div>")
    record = case.record
    if record.gold is not None:
        rows.append(f"<div><b>In the data</b><br>{_shown(record.gold, case, palette, slots=slots)}</div>")
    if case.decision is not None:
        who = "" if blind else f' <span class="re2-muted">{escape(case.decision.person)}</span>'
        shown = _shown(case.decision.value, case, palette, slots=slots)
        rows.append(f"<div><b>Decided before</b><br>{shown}{who}</div>")
    for person, note in case.flags:
        who = "Put aside" if blind else f"Put aside by {person}"
        rows.append(f"<div><b>{escape(who)}</b><br>{escape(note) or '<i>without a note</i>'}</div>")
    html("".join(f'<div class="re2-side">{row}</div>' for row in rows) or '<span class="re2-muted">No rules.</span>')
