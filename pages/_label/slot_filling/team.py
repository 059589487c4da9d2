"""The page Label while a queue is open, in a project for slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from pages._label.slot_filling.bench import Bench
from pages._label.slot_filling.editor import Shown, Team, draw_editor
from pages._label.slot_filling.message import Message
from pages._label.slot_filling.plain import Step, draw_plain
from pages._label.slot_filling.reasons import draw_reasons
from pages._label.slot_filling.wording import marks
from pages._label.team.bulk import draw_choice
from pages._label.team.desk import TeamDesk, give, give_same, put_aside, settle, skip, take_back
from pages._label.team.flagged import flagged_now, head_of
from pages._label.team.page import draw_frame, draw_terms, lease_of, nothing_waits, palette_now
from pages._shared.components.editor import plain
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.spans import SpanText, span_list, spans_html
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.errors import Re2nnError
from re2nn_core.services.annotation.bulk_accept import BulkHits, slot_hits
from re2nn_core.services.annotation.queue_progress import QueueProgress
from re2nn_core.services.annotation.slot_filling import spans_in_characters, why_spans_in_queue
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.values.stored import ProjectRecord, Queue, RuleVersion, TextRecord
from re2nn_core.text.spans import Span, read_spans, write_spans


def draw_team_spans(project: ProjectRecord, queue: Queue, version: RuleVersion, answered: SpanPredictions) -> None:
    """Everything below the bar."""
    palette = palette_now(project, answered.slots)
    draw_frame(
        project,
        queue,
        version,
        answered,
        one=partial(_one_text, queue, answered, palette),
        settling=partial(_settling, answered, palette),
        many=lambda team: _many(team, project, answered, palette),
    )


def _bench(team: TeamDesk) -> Bench:
    """The session's bench for the texts of the queue."""
    key = f"_team_bench_{team.project_id}_{state.person()}"
    if key not in st.session_state:
        st.session_state[key] = Bench(team.desk)
    bench: Bench = st.session_state[key]
    bench.desk = team.desk
    return bench


def _one_text(queue: Queue, answered: SpanPredictions, palette: Palette, team: TeamDesk, found: QueueProgress) -> None:
    bench = _bench(team)
    lease = lease_of(team, len(answered))
    if lease is None:
        nothing_waits(team, found, partial(undo, bench, team))
        return
    draw_terms(queue)
    record = lease.text
    why = "You took it back." if team.taken_back == record.id else why_spans_in_queue(answered, record, state.person())
    keys = Team(state.person(), copies=answered.copies.get(record.text, 1), note=f"label_note_{record.id}")
    _draw_marks(bench, team, record, answered, palette, why, keys)


def _settling(answered: SpanPredictions, palette: Palette, team: TeamDesk) -> None:
    bench = _bench(team)
    found = flagged_now(team, len(answered), partial(undo, bench, team))
    if found is None:
        return
    one, others = found
    keys = Team(state.person(), settling=True, others=others)
    _draw_marks(bench, team, one.text, answered, palette, head_of(one), keys)


def _draw_marks(
    bench: Bench,
    team: TeamDesk,
    record: TextRecord,
    answered: SpanPredictions,
    palette: Palette,
    why: str,
    keys: Team,
) -> None:
    bench.desk.can_undo = True
    shown = Shown(
        record,
        answered,
        # The rules' slots come first, as on the other pages; then those that only texts have.
        team.desk.order([*answered.slots, *palette.labels]),
        palette,
        why,
        f"text {record.position + 1}" + (f" · {record.split}" if record.split else ""),
        before=False,
        team=keys,
    )
    left, right = st.columns([12, 6], gap="medium")
    with left:
        if plain():
            draw_plain(shown, bench, _steps(bench, team, record, answered, keys))
        else:
            draw_editor(shown, bench, partial(_do, bench, team, record, answered, keys))
        if keys.note:
            st.text_input(
                "Note for the flag", key=keys.note, max_chars=300, placeholder="note for the flag, Enter flags",
                width=300, label_visibility="collapsed",
            )  # fmt: skip
    with right, st.container(border=True, key="label_reasons"):
        draw_reasons(answered, record, palette)


def _do(
    bench: Bench, team: TeamDesk, drawn: TextRecord, answered: SpanPredictions, keys: Team, message: Message
) -> None:
    """Do what a message of the editor says. One that comes late, for a text before, does nothing."""
    if message.number <= bench.seen:
        return  # sent again, and done already
    bench.saved = None
    _do_for(bench, team, drawn, answered, keys, message)
    # Only now: a message that was broken off by another key comes again.
    bench.seen = message.number


def _do_for(
    bench: Bench, team: TeamDesk, drawn: TextRecord, answered: SpanPredictions, keys: Team, message: Message
) -> None:
    if message.kind == "undo":
        undo(bench, team)  # it means what was done last, whatever text is shown
        return
    if message.text_id != team.desk.text_id or message.text_id != drawn.id:
        team.desk.said = "Your last key came too late for its text: nothing was saved by it."
        return
    match message.kind:
        case "save" | "same":
            save(bench, team, drawn, answered, message.marks, keys, same=message.kind == "same")
        case "skip" | "flag" | "return" | "next":
            _leave(message.kind, team, drawn, keys, message.note)


def _leave(kind: str, team: TeamDesk, drawn: TextRecord, keys: Team, note: str = "") -> None:
    if kind == "next":
        team.settling = keys.others[0] if keys.others else None
    elif kind == "return":
        settle(team, drawn, None)
    elif kind == "skip":
        skip(team, drawn)
    else:
        put_aside(team, drawn, note or str(st.session_state.get(keys.note) or ""))


def save(
    bench: Bench,
    team: TeamDesk,
    drawn: TextRecord,
    answered: SpanPredictions,
    found: Sequence[Span],
    keys: Team,
    *,
    same: bool = False,
) -> bool:
    """Save the marks, and go on; False where they could not be saved."""
    try:
        spans = spans_in_characters(found, answered.tokens[drawn.position])
    except Re2nnError as fault:
        team.desk.fault = fault
        return False
    label, told = write_spans(spans), marks(len(spans))
    act = settle if keys.settling else give_same if same else give
    if not act(team, drawn, label, told):
        return False
    bench.saved, bench.draft = drawn.id, None
    return True


def undo(bench: Bench, team: TeamDesk) -> None:
    """Take back the last judgement; marks are shown as they were before they were saved."""
    undone = take_back(team)
    if undone is not None and undone.kind == "label" and len(undone.text_ids) == 1:
        bench.draft = (undone.text_ids[0], read_spans(undone.label))


def _steps(bench: Bench, team: TeamDesk, record: TextRecord, answered: SpanPredictions, keys: Team) -> tuple[Step, ...]:
    """The buttons of the plain editor besides Save."""

    def leave(kind: str) -> Callable[[], None]:
        return partial(_leave, kind, team, record, keys)

    def keep(found: Sequence[Span]) -> bool:
        return save(bench, team, record, answered, found, keys)

    def keep_same(found: Sequence[Span]) -> bool:
        return save(bench, team, record, answered, found, keys, same=True)

    steps = [Step("Save", f"label_save_{record.id}", saves=keep)]
    if keys.copies > 1:
        steps.append(Step(f"Save for all {keys.copies:,} such texts", f"label_same_{record.id}", saves=keep_same))
    if keys.settling:
        steps.append(Step("Give it back", f"label_return_{record.id}", does=leave("return")))
        if keys.others:
            steps.append(Step("Next", "label_next_flagged", does=leave("next")))
    else:
        steps.append(Step("Skip", f"label_skip_{record.id}", does=leave("skip")))
        steps.append(Step("Flag", f"label_flag_{record.id}", does=leave("flag")))
    return (*steps, Step("Undo", "label_undo", does=partial(undo, bench, team)))


def _many(team: TeamDesk, project: ProjectRecord, answered: SpanPredictions, palette: Palette) -> None:
    def find(rule: str | None, slot: str | None) -> BulkHits:
        return slot_hits(store(), project.id, state.person(), answered, rule=rule, label=slot)

    def sample(places: Sequence[int], rule: str | None) -> None:
        span_list([SpanText(spans_html(answered.texts[p], answered.spans[p], palette)) for p in places])

    draw_choice(team, answered, answered.system.rule_names, answered.slots, "slot", palette, find, sample)
