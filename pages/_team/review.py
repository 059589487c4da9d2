"""Review: one text after the other on which people differ or that was flagged, one key for each decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from pages._shared.catalog import LABEL
from pages._shared.components.key_presses import KeyPress, Typed, draw_ears, hear
from pages._shared.drawing import messages
from pages._shared.drawing.labels import button_style, palette_of
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import access, state
from pages._shared.session.acting import acting
from pages._shared.session.fragments import fragment
from pages._team.confirming import draw_confirming
from pages._team.parts import Machines, ShownCase
from pages._team.review_state import review_state_of
from pages._team.task_parts import parts_of
from re2nn_core.services.annotation.classification import DIGITS
from re2nn_core.services.annotation.stored_queue import get_queue
from re2nn_core.services.projects.stored_projects import get_project
from re2nn_core.services.team.annotations import Why
from re2nn_core.services.team.review import LETTERS, Case, ReviewSide
from re2nn_core.services.team.review_queue import ReviewQueueState, next_case, restart_review, undo_last_decision
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted

# Pixels. The button of Enter is as wide for each answer, so that those behind it stay where they are.
_TAKE_WIDTH = 240
_WHY: dict[Why, str] = {
    "differ": "Annotators disagree.",
    "flagged": "This text is flagged.",
    "reopened": "Adjudicated; another annotation was added since.",
    "agreed": "Annotators agree. The label is used for training once a reviewer confirms it.",
    "alone": "One annotation. It is used for training once a reviewer confirms it.",
}


def draw_review(project: ProjectRecord) -> None:
    """The whole part."""
    version, model, parts = state.current_version(project), state.current_model(project), parts_of(project)
    # People can be decided between without the rules.
    machines: Callable[[int], Machines] = _silent
    with messages.guard("Evaluating the rules"):
        machines = partial(parts.review.machines, parts.predictions(project, version, model.run), model.title)
    _draw_queue(project, machines)
    draw_ears()


def _silent(_: int) -> Machines:
    return Machines((), ())


@fragment()
def _draw_queue(project: ProjectRecord, machines: Callable[[int], Machines]) -> None:
    # A fragment shows its errors itself; none of them reaches a guard around it.
    with messages.guard("Reviewing"):
        project = get_project(store(), project.id)
        queue = review_state_of(project.id)
        if queue.fault is not None:
            messages.show_error(queue.fault, "Adjudicating")
            queue.fault = None
        case = next_case(store(), queue)
        if access.may("reviewer"):
            draw_confirming(queue)
        if case is None:
            _draw_end(queue)
        else:
            _draw_case(project, queue, case, machines(case.record.position))


def _draw_end(queue: ReviewQueueState) -> None:
    if queue.later:
        messages.empty(f"You postponed {counted(len(queue.later), 'text')}.", "Review them when you are ready.")
    elif queue.decided:
        messages.empty("All texts for review are adjudicated.", "New annotations can differ again. Check later.")
    else:
        messages.empty(
            "No text waits for review.",
            "Texts are listed here when two annotators disagree, or when a text is flagged. Open a queue on "
            "Label with two annotations per text to measure agreement.",
            link=LABEL,
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        if queue.later:
            st.button(
                "Show postponed texts",
                key="review_again",
                icon=":material/refresh:",
                on_click=restart_review,
                args=(store(), queue),
            )
        if queue.decided:
            _undo_button(queue)
    _draw_message(queue)
    _hear(queue, None, ())


def _undo_button(queue: ReviewQueueState) -> None:
    st.button(
        "Undo",
        key="review_undo",
        shortcut="U",
        on_click=acting(undo_last_decision),
        args=(queue,),
        icon=":material/undo:",
    )


def _draw_message(queue: ReviewQueueState, beside: str = "") -> None:
    """What became of the last key, on a line that is there without words too; `beside`: what else stands there."""
    html(
        f'<div class="re2-under re2-muted"><span>{escape(beside)}</span>'
        f'<span class="re2-said">{escape(queue.message) or "&nbsp;"}</span></div>'
    )


def _draw_case(project: ProjectRecord, queue: ReviewQueueState, case: Case, machines: Machines) -> None:
    annotated = bool(case.sides)
    # Of a text that was flagged at once nobody has said anything: then what the machines say can be taken.
    case = case if annotated else replace(case, sides=_machine_sides(case, machines))
    left, right = st.columns([13, 6], gap="medium")
    with right:
        beside = st.container(border=True, key="review_beside")
        blind = _hides_names(project)
    palette = palette_of(project.id, machines.labels)
    may = access.may("reviewer")
    shown = ShownCase(project, queue, case, machines, palette, parts_of(project), may, blind, annotated)
    with left:
        _draw_text(shown)
        if not may:
            html('<div class="re2-warn">Reviewers and owners adjudicate. You can only view.</div>')
        with st.container(key="review_sides", gap="small"):
            for number, side in enumerate(case.sides[: len(LETTERS)]):
                _draw_side(number, side, shown)
        _draw_keys(shown)
        shown.parts.review.draw_own(shown)
        _hear(queue, shown, _key_presses(shown) if may else ())
    with beside:
        _draw_beside(shown)


def _machine_sides(case: Case, machines: Machines) -> tuple[ReviewSide, ...]:
    """The data, rule set and network as sides, the answer of most in front."""
    found: dict[str, list[str]] = {} if case.record.gold is None else {case.record.gold: ["imported"]}
    for name, annotation, _ in machines.annotations:
        if annotation is not None:
            found.setdefault(annotation, []).append(name)
    sides = [ReviewSide(annotation, tuple(names)) for annotation, names in found.items()]
    return tuple(sorted(sides, key=lambda side: -len(side.people)))


def _key_presses(shown: ShownCase) -> tuple[KeyPress, ...]:
    """The keys that decide. A letter, and Enter, mean what the text's own people say: only a digit means the same for
    a text that was not seen."""
    sides = [
        KeyPress(letter.lower(), "decide", side.annotation, sight=True)
        for letter, side in zip(LETTERS, shown.case.sides, strict=False)
    ]
    proposed = shown.proposed
    enter = (
        KeyPress("Enter", "none", sight=True) if proposed is None else KeyPress("Enter", "decide", proposed, sight=True)
    )
    digits = [KeyPress(str(number % DIGITS), "decide", label) for number, label in enumerate(shown.buttons, start=1)]
    return (*sides, enter, *digits)


def _why_none(shown: ShownCase) -> str:
    """Why Enter decides nothing here, and which keys do."""
    letters = LETTERS[: len(shown.case.sides)]
    sides = f"{' or '.join((', '.join(letters[:-1]), letters[-1]) if letters[1:] else letters)} chooses an annotation, "
    others = shown.parts.review.other_way
    why = "There is no majority" if shown.case.sides else "There is no annotation"
    return f"{why}, so Enter is disabled: {sides if letters else ''}{others}, S postpones."


def _hear(queue: ReviewQueueState, shown: ShownCase | None, key_presses: Sequence[KeyPress]) -> None:
    text_id = None if shown is None else shown.case.record.id

    def do(typed: Typed) -> None:
        if typed.does == "undo":
            acting(undo_last_decision)(queue)
        elif typed.text_id != text_id or queue.text_id != text_id:
            queue.message = "Your last key was too late for its text and had no effect."
        elif shown is None:
            return
        elif typed.does == "none":
            queue.message = _why_none(shown)
        elif typed.does == "later":
            queue.postpone(shown.case.record.id)
        elif typed.does == "decide":
            shown.decide(typed.value)

    later = () if shown is None else (KeyPress("s", "later", sight=True),)
    hear(f"review_{queue.project_id}", text_id, (*key_presses, *later, KeyPress("u", "undo")), do)


def _hides_names(project: ProjectRecord) -> bool:
    team_queue = get_queue(store(), project.id)
    return st.toggle(
        "hide names",
        value=team_queue is not None and team_queue.blind,
        key=f"review_blind_{project.id}",
        help="Adjudicate without seeing the names of annotators",
    )


def _draw_text(shown: ShownCase) -> None:
    case, queue, buttons = shown.case, shown.queue, shown.buttons
    style = button_style("review_label", buttons, shown.palette) if buttons else ""
    why = _WHY[case.why] if case.why else "You selected it."
    split = f" · {case.record.split}" if case.record.split else ""
    html(
        f'{style}<div class="re2-case"><div class="re2-case-text">{escape(case.record.text)}</div><div '
        f'class="re2-muted">{escape(why)} <span style="float:right">{queue.left:,} waiting · text '
        f"{case.record.position + 1:,}{split}</span></div></div>"
    )


def _draw_side(number: int, side: ReviewSide, shown: ShownCase) -> None:
    """One answer: the key that takes it, what it is, and who gave it."""
    hidden = shown.blind and shown.annotated
    who = counted(len(side.people), "person", "people") if hidden else ", ".join(side.people)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            'Choose', key=f"review_side_{number}_{shown.case.record.id}", shortcut=LETTERS[number],
            on_click=shown.decide, args=(side.annotation,), disabled=not shown.may,
        )  # fmt: skip
        html(f'<div class="re2-side">{shown.html(side.annotation)} <span class="re2-muted">{escape(who)}</span></div>')


def _draw_keys(shown: ShownCase) -> None:
    case, queue, review, proposed = shown.case, shown.queue, shown.parts.review, shown.proposed
    if proposed is None:
        title = "There is no majority"
    else:
        title = review.confirm(proposed) if case.why in ("agreed", "alone") else review.take(shown, proposed)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            title,
            key=f"review_take_{case.record.id}",
            type="secondary" if proposed is None else "primary",
            shortcut="Enter",
            disabled=not shown.may,
            # Where nothing can be taken it says so, and does not leave what the key before did in its place.
            on_click=partial(queue.say, _why_none(shown)) if proposed is None else partial(shown.decide, proposed),
            help="The majority; in a tie, the annotation that rules and network predict",
            width=_TAKE_WIDTH,
        )
        st.button(
            'Postpone', key=f"review_later_{case.record.id}", shortcut="S", on_click=queue.postpone,
            args=(case.record.id,), icon=":material/schedule:",
        )  # fmt: skip
        _undo_button(queue)
    _draw_message(queue, review.under)


def _draw_beside(shown: ShownCase) -> None:
    """What rules and network say, the label it has now, the notes of those who put it aside."""
    case, rows = shown.case, []
    for name, annotation, why in shown.machines.annotations:
        note = f' <span class="re2-muted">{escape(why)}</span>' if why else ""
        rows.append(f"<div><b>{escape(name)}</b><br>{shown.html(annotation)}{note}</div>")
    if case.record.gold is not None:
        rows.append(f"<div><b>Imported</b><br>{shown.html(case.record.gold)}</div>")
    if case.decision is not None:
        who = "" if shown.blind else f' <span class="re2-muted">{escape(case.decision.person)}</span>'
        rows.append(f"<div><b>Adjudicated before</b><br>{shown.html(case.decision.value)}{who}</div>")
    for person, note in case.flags:
        who = "Flagged" if shown.blind else f"Flagged by {person}"
        rows.append(f"<div><b>{escape(who)}</b><br>{escape(note) or '<i>without a note</i>'}</div>")
    html("".join(f'<div class="re2-side">{row}</div>' for row in rows) or '<span class="re2-muted">No rules.</span>')
