"""What is done to the marks of texts. Everything is in the store before the screen moves on."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st

from pages._label.choose_queue import AGAIN
from pages._label.desk import Desk, bring_back, desk_of, go_on, move
from pages._label.slot_filling.message import Message
from pages._label.slot_filling.wording import marks, texts
from pages._shared.cached.models import records_of
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.errors import InputError, Re2nnError
from re2nn_core.services.annotation.classification import changed_since, judge, judge_all, undo_label
from re2nn_core.services.annotation.slot_filling import Elsewhere, elsewhere, spans_in_characters
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.projects.stored_projects import get_project
from re2nn_core.services.values.stored import ProjectRecord, TextRecord
from re2nn_core.text.spans import Span, read_spans, write_spans


@dataclass(frozen=True)
class Act:
    """A button of a notice: its title, its key, and the message that it sends; "" only closes the notice."""

    title: str
    kind: str = ""
    key: str = ""


@dataclass(frozen=True)
class Notice:
    """A question or an answer below the text `text_id`; a new `id` shows it again."""

    id: int
    text_id: int
    sentence: str
    acts: tuple[Act, ...]


@dataclass
class Bench:
    """One session's work on the marks of one project. `seen` and `saved` go back to the browser: the message that was
    dealt with last, and the text it saved. `draft`: a text that an undo has brought back, as it was marked. `asked`:
    the mark that the notice asks about. `together`: the texts that were marked together last; `undone`: what is to be
    said of them, also where the queue is another one by then. `session` tells the browser that the server knows nothing
    of what was done before."""

    desk: Desk
    seen: int = 0
    saved: int | None = None
    draft: tuple[int, tuple[Span, ...]] | None = None
    notice: Notice | None = None
    asked: Span | None = None
    together: tuple[int, ...] = ()
    undone: str = ""
    session: str = field(default_factory=lambda: secrets.token_hex(4))


def bench_of(project_id: int) -> Bench:
    """The session's bench for a project."""
    key = f"_bench_{project_id}"
    if key not in st.session_state:
        st.session_state[key] = Bench(desk_of(project_id))
    return st.session_state[key]


def do(bench: Bench, message: Message, drawn: TextRecord, answered: SpanPredictions) -> None:
    """Do what a message says. One that comes late, for a text before, does nothing."""
    if message.number <= bench.seen:
        return  # sent again, and done already
    before, bench.seen, bench.saved = bench.seen, message.number, None
    if message.text_id != bench.desk.text_id or message.text_id != drawn.id:
        return
    try:
        _do(bench, message, drawn, answered)
    except Re2nnError as fault:
        # The place stays: what was not saved must not be gone from the screen.
        bench.desk.fault = fault
    except BaseException:
        # Streamlit breaks a run off where another one is asked for; the message then comes again.
        bench.seen = before
        raise


def _do(bench: Bench, message: Message, drawn: TextRecord, answered: SpanPredictions) -> None:
    match message.kind:
        case "save":
            save(bench, message.marks, drawn, answered)
        case "move":
            skip(bench, message.by)
        case "undo":
            take_back(bench)
        case "count":
            ask(bench, message.marks, drawn, answered)
        case "all":
            mark_together(bench, drawn, answered)
        case "look":
            look(bench)


def save(bench: Bench, found: Sequence[Span], drawn: TextRecord, answered: SpanPredictions) -> None:
    """Give the text its marks, and go on to the next text that nobody has judged meanwhile. Where somebody has marked
    this one since it was drawn, show that instead."""
    desk = bench.desk
    changed = changed_since(store(), drawn)
    if changed is not None:
        who = f"Marked by {changed.annotator}" if changed.annotator else "Its marks were taken back"
        desk.said = f"{who} a moment ago. Yours were not saved."
        return
    spans = spans_in_characters(found, answered.tokens[drawn.position])
    judge(store(), drawn.id, write_spans(spans), state.person())
    bench.saved, bench.draft = drawn.id, None
    go_on(desk)
    desk.said = f"Saved: {marks(len(spans))}."


def skip(bench: Bench, by: int) -> None:
    """Go on or back without a judgement."""
    bench.draft = None
    move(bench.desk, 1 if by > 0 else -1)


def take_back(bench: Bench) -> None:
    """Undo this person's last judgement, also one from before a reload. A single text is shown again as it was before
    Enter; behind many that were marked together the text on the screen stays."""
    desk = bench.desk
    undone = undo_label(store(), desk.project_id, state.person())
    if undone is None:
        desk.said = "There is nothing of yours to undo."
        return
    bench.notice = None
    if undone.text_ids == bench.together or len(undone.text_ids) > 1:
        bench.together = ()
        bench.undone = f"The marks of {texts(len(undone.text_ids))} were taken back."
        return
    bring_back(desk, undone.text_ids[0])
    bench.draft = (undone.text_ids[0], read_spans(undone.label))
    desk.said = "Taken back; it is as it was before you saved it."


def ask(bench: Bench, found: Sequence[Span], drawn: TextRecord, answered: SpanPredictions) -> None:
    """Ask whether the same words get the same slot in other texts as well."""
    there = _elsewhere(bench, found, drawn, answered)
    phrase = _quoted(found[0], drawn, answered)
    taken = f" {texts(there.taken)} with other marks there stay as they are." if there.taken else ""
    if not there.labels:
        sentence = f"{phrase} stands nowhere else unmarked, in texts that nobody has judged.{taken}"
        bench.notice = Notice(bench.seen, drawn.id, sentence, (Act("Close"),))
        return
    bench.asked = found[0]
    count = len(there.labels)
    sentence = (
        f"{phrase} stands unmarked in {texts(count, 'other ')} that nobody has judged. "
        f"Mark it as {found[0].slot} there too? They are then saved as yours, with {_rest(there)}.{taken}"
    )
    acts = (Act(f"Mark in {texts(count)}", "all", "Shift+A"), Act("No"))
    bench.notice = Notice(bench.seen, drawn.id, sentence, acts)


def _rest(there: Elsewhere) -> str:
    """Where the other marks of the texts come from."""
    count = len(there.labels)
    if there.with_data == count:
        return "the marks from the data beside it"
    if not there.with_data:
        return "the answer’s marks beside it"
    return f"marks from the data beside it in {there.with_data:,}, the answer’s in {count - there.with_data:,}"


def mark_together(bench: Bench, drawn: TextRecord, answered: SpanPredictions) -> None:
    """Mark the words that were asked about in all the other texts: one action, taken back by one undo."""
    if bench.asked is None:
        return
    there = _elsewhere(bench, [bench.asked], drawn, answered)
    if there.labels:
        judge_all(store(), there.labels, state.person())
    bench.together = tuple(text_id for text_id, _ in there.labels)
    phrase = _quoted(bench.asked, drawn, answered)
    sentence = f"{phrase} is now {bench.asked.slot} in {texts(len(there.labels), 'other ')}."
    acts = (Act("Look at them", "look"), Act("Undo", "undo"), Act("Close"))
    bench.notice, bench.asked = Notice(bench.seen, drawn.id, sentence, acts), None


def look(bench: Bench) -> None:
    """Go through the texts that were marked together."""
    if bench.together:
        st.session_state["label_order"] = AGAIN


def _elsewhere(bench: Bench, found: Sequence[Span], drawn: TextRecord, answered: SpanPredictions) -> Elsewhere:
    if not found:
        raise InputError("No mark was named. Choose one in the text first.")
    project: ProjectRecord = get_project(store(), bench.desk.project_id)
    words = answered.words[drawn.position][found[0].start : found[0].end]
    return elsewhere(records_of(project), answered, drawn.id, words, found[0].slot)


def _quoted(mark: Span, drawn: TextRecord, answered: SpanPredictions) -> str:
    [span] = spans_in_characters([mark], answered.tokens[drawn.position])
    return f"“{drawn.text[span.start : span.end]}”"
