"""One person's work on the spans of texts: what each message of the editor does. Everything is in the store before the
screen moves on."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, final

from re2nn_core.errors import InputError, Re2nnError
from re2nn_core.services.annotation.annotation_queue import NOTHING_TO_UNDO, AnnotationQueueState, go_to_next_open
from re2nn_core.services.annotation.classification import changed_since, judge, judge_all, undo_label
from re2nn_core.services.annotation.slot_filling import Elsewhere, elsewhere, spans_in_characters
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.store import Store, TextRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import Span, read_spans, write_spans

MessageKind = Literal["save", "move", "undo", "count", "all", "look", "same", "skip", "flag", "return", "next"]
Records = Callable[[], Sequence[TextRecord]]


@dataclass(frozen=True)
class SpanMessage:
    """One thing that was done in the editor. `marks` are in numbers of words: all of the text for "save" and "same",
    the one to look for elsewhere for "count". `by`: texts to move; `note`: of a flag. `number` tells messages apart."""

    kind: MessageKind
    text_id: int
    number: int
    marks: tuple[Span, ...] = ()
    by: int = 0
    note: str = ""


@dataclass(frozen=True)
class NoticeAction:
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
    acts: tuple[NoticeAction, ...]


@final
@dataclass
class SpanAnnotationState:
    """Where a person is with the spans of one project. `seen` and `saved` go back to the browser: the message that was
    dealt with last, and the text it saved. `draft`: a text that an undo has brought back, as it was annotated. `asked`:
    the span that the notice asks about. `together`: the texts that were annotated together last; `undone`: what is to
    be said of them, also where the queue is another one by then. `session` tells the browser that the server knows
    nothing of what was done before."""

    queue: AnnotationQueueState
    seen: int = 0
    saved: int | None = None
    draft: tuple[int, tuple[Span, ...]] | None = None
    notice: Notice | None = None
    asked: Span | None = None
    together: tuple[int, ...] = ()
    undone: str = ""
    session: str = field(default_factory=lambda: secrets.token_hex(4))

    def is_new(self, message: SpanMessage) -> bool:
        """Whether the message was not dealt with yet; nothing is saved by it so far."""
        if message.number <= self.seen:
            return False  # sent again, and done already
        self.saved = None
        return True

    def move(self, by: int) -> None:
        """Go on or back without an annotation."""
        self.draft = None
        self.queue.move(1 if by > 0 else -1)

    def draft_of(self, text_id: int) -> tuple[Span, ...] | None:
        """The spans of a text as an undo has brought them back; None where it has not."""
        return self.draft[1] if self.draft is not None and self.draft[0] == text_id else None


@dataclass(frozen=True)
class SpanWork:
    """A text as it was drawn, with the predictions for all texts of its project."""

    state: SpanAnnotationState
    drawn: TextRecord
    answered: SpanPredictions

    def in_characters(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """Spans in numbers of words as spans in characters; InputError for one past the last word."""
        return spans_in_characters(spans, self.answered.tokens[self.drawn.position])

    def quoted(self, span: Span) -> str:
        """The words of a span in quotes."""
        [found] = self.in_characters([span])
        return f"“{self.drawn.text[found.start : found.end]}”"


def handle_span_message(store: Store, person: str, work: SpanWork, message: SpanMessage, records: Records) -> bool:
    """Do what a message says; whether the texts that were annotated together are to be shown. A message that comes
    late, for a text before, does nothing. `records`: all texts of the project."""
    state = work.state
    if not state.is_new(message):
        return False
    taken = work.drawn.id == message.text_id == state.queue.text_id
    try:
        if taken:
            _do(store, person, work, message, records)
    except Re2nnError as fault:
        # The place stays: what was not saved must not be gone from the screen.
        state.queue.fault = fault
    # Only now: a message that was broken off, as Streamlit does where another run is asked for, comes again.
    state.seen = message.number
    return taken and message.kind == "look" and bool(state.together)


def _do(store: Store, person: str, work: SpanWork, message: SpanMessage, records: Records) -> None:
    state = work.state
    match message.kind:
        case "save":
            save_spans(store, person, work, message.marks)
        case "move":
            state.move(message.by)
        case "undo":
            undo_spans(store, person, state)
        case "count":
            state.asked, state.notice = _question(work, message, records())
        case "all" if state.asked is not None:
            _annotate_together(store, person, work, state.asked, message.number, records())


def save_spans(store: Store, person: str, work: SpanWork, found: Sequence[Span]) -> None:
    """Save the spans of the text, and go on to the next text that nobody has annotated meanwhile. Where somebody has
    annotated this one since it was drawn, show that instead."""
    state, drawn = work.state, work.drawn
    changed = changed_since(store, drawn)
    if changed is not None:
        who = f"Marked by {changed.annotator}" if changed.annotator else "Its marks were taken back"
        state.queue.said = f"{who} a moment ago. Yours were not saved."
        return
    spans = work.in_characters(found)
    judge(store, drawn.id, write_spans(spans), person)
    state.saved, state.draft = drawn.id, None
    go_to_next_open(store, state.queue)
    state.queue.said = f"Saved: {saved_spans_text(len(spans))}."


def undo_spans(store: Store, person: str, state: SpanAnnotationState) -> None:
    """Undo this person's last annotation, also one from before a reload. A single text is shown again as it was before
    Enter; behind many that were annotated together the text on the screen stays."""
    queue = state.queue
    try:
        undone = undo_label(store, queue.project_id, person)
    except Re2nnError as fault:
        queue.fault = fault
        return
    if undone is None:
        queue.said = NOTHING_TO_UNDO
        return
    state.notice = None
    if undone.text_ids == state.together or len(undone.text_ids) > 1:
        state.together = ()
        state.undone = f"The marks of {counted(len(undone.text_ids), 'text')} were taken back."
        return
    queue.show_again(undone.text_ids[0])
    state.draft = (undone.text_ids[0], read_spans(undone.label))
    queue.said = "Taken back; it is as it was before you saved it."


def _question(work: SpanWork, message: SpanMessage, records: Sequence[TextRecord]) -> tuple[Span | None, Notice]:
    """Whether the same words get the same slot in other texts as well: the span that is asked about, None where there
    is nothing to ask, and what is said."""
    if not message.marks:
        raise InputError("No mark was named. Choose one in the text first.")
    span = message.marks[0]
    there, phrase = _elsewhere(work, span, records), work.quoted(span)
    taken = f" {counted(there.taken, 'text')} with other marks there stay as they are." if there.taken else ""
    count = len(there.labels)
    if not count:
        sentence = f"{phrase} stands nowhere else unmarked, in texts that nobody has judged.{taken}"
        return None, Notice(message.number, work.drawn.id, sentence, (NoticeAction("Close"),))
    sentence = (
        f"{phrase} stands unmarked in {counted(count, 'other text')} that nobody has judged. "
        f"Mark it as {span.slot} there too? They are then saved as yours, with {_rest(there)}.{taken}"
    )
    acts = (NoticeAction(f"Mark in {counted(count, 'text')}", "all", "Shift+A"), NoticeAction("No"))
    return span, Notice(message.number, work.drawn.id, sentence, acts)


def _rest(there: Elsewhere) -> str:
    """Where the other spans of the texts come from."""
    count = len(there.labels)
    if there.with_data == count:
        return "the marks from the data beside it"
    if not there.with_data:
        return "the answer’s marks beside it"
    return f"marks from the data beside it in {there.with_data:,}, the answer’s in {count - there.with_data:,}"


def _annotate_together(
    store: Store, person: str, work: SpanWork, span: Span, number: int, records: Sequence[TextRecord]
) -> None:
    """Annotate the words that were asked about in all the other texts: one action, taken back by one undo."""
    state, there = work.state, _elsewhere(work, span, records)
    if there.labels:
        judge_all(store, there.labels, person)
    state.together = tuple(text_id for text_id, _ in there.labels)
    sentence = f"{work.quoted(span)} is now {span.slot} in {counted(len(there.labels), 'other text')}."
    acts = (NoticeAction("Look at them", "look"), NoticeAction("Undo", "undo"), NoticeAction("Close"))
    state.notice, state.asked = Notice(number, work.drawn.id, sentence, acts), None


def _elsewhere(work: SpanWork, span: Span, records: Sequence[TextRecord]) -> Elsewhere:
    words = work.answered.words[work.drawn.position][span.start : span.end]
    return elsewhere(records, work.answered, work.drawn.id, words, span.slot)


def saved_spans_text(count: int) -> str:
    """How many spans were saved, in words."""
    return counted(count, "mark") if count else "nothing"
