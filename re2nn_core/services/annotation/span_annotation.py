"""One person's work on the spans of texts: what each message of the editor does. Everything is in the store before the
screen moves on."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, final

from re2nn_core.errors import InputError, Re2nnError
from re2nn_core.services.annotation.annotation_queue import NOTHING_TO_UNDO, AnnotationQueueState, go_to_next_open
from re2nn_core.services.annotation.classification import annotate, annotate_all, changed_since, undo_label
from re2nn_core.services.annotation.equal_spans import EqualSpans, SpanProposal, equal_spans, proposal_sentence
from re2nn_core.services.annotation.slot_filling import spans_in_characters
from re2nn_core.services.prediction.slot_filling.predictions import SpanPredictions
from re2nn_core.services.team.people import reaches, role_of_person
from re2nn_core.store import Store, TextRecord, get_queue
from re2nn_core.text.counting import counted
from re2nn_core.text.spans import Span, read_spans, write_spans

MessageKind = Literal["save", "move", "undo", "count", "all", "look", "same", "skip", "flag", "return", "next"]
Records = Callable[[], Sequence[TextRecord]]


@dataclass(frozen=True)
class SpanMessage:
    """One thing that was done in the editor. `marks` are in numbers of words: all of the text for "save" and "same",
    the one to look for in other texts for "count", none to go on with the one before. `texts`: the ids that were
    selected for "all". `by`: texts to move; `note`: of a flag. `number` tells messages apart."""

    kind: MessageKind
    text_id: int
    number: int
    marks: tuple[Span, ...] = ()
    by: int = 0
    note: str = ""
    texts: tuple[int, ...] = ()


@dataclass(frozen=True)
class NoticeAction:
    """A button of a notice: its title, its key, and the message that it sends; "" only closes the notice."""

    title: str
    kind: str = ""
    key: str = ""


@dataclass(frozen=True)
class Notice:
    """A question or an answer below the text `text_id`; a new `id` shows it again. `proposals`: texts to select
    from."""

    id: int
    text_id: int
    sentence: str
    acts: tuple[NoticeAction, ...]
    proposals: tuple[SpanProposal, ...] = ()


@final
@dataclass
class SpanAnnotationState:
    """Where a person is with the spans of one project. `seen` and `saved` go back to the browser: the message that was
    dealt with last, and the text it saved. `draft`: a text that an undo has brought back, as it was annotated. `asked`:
    the span that the notice asks about, and `declined` the texts that were not selected for it. `together`: the
    texts that were annotated together last; `undone`: what is to be said of them, also where the queue is another one
    by then. `session` tells the browser that the server knows nothing of what was done before."""

    queue: AnnotationQueueState
    seen: int = 0
    saved: int | None = None
    draft: tuple[int, tuple[Span, ...]] | None = None
    notice: Notice | None = None
    asked: Span | None = None
    declined: frozenset[int] = frozenset()
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
    predicted: SpanPredictions

    def in_characters(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """Spans in numbers of words as spans in characters; InputError for one past the last word."""
        return spans_in_characters(spans, self.predicted.tokens[self.drawn.position])

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
        case "count" if _may_annotate_together(store, person, state):
            _ask(work, message, records())
        case "all" if state.asked is not None and _may_annotate_together(store, person, state):
            _annotate_together(store, person, work, state.asked, message, records())


def save_spans(store: Store, person: str, work: SpanWork, found: Sequence[Span]) -> None:
    """Save the spans of the text, and go on to the next text that nobody has annotated meanwhile. Where somebody has
    annotated this one since it was drawn, show that instead."""
    state, drawn = work.state, work.drawn
    changed = changed_since(store, drawn)
    if changed is not None:
        who = f"Annotated by {changed.annotator}" if changed.annotator else "Its spans were undone"
        state.queue.message = f"{who} a moment ago. Your spans were not saved."
        return
    spans = work.in_characters(found)
    annotate(store, drawn.id, write_spans(spans), person)
    state.saved, state.draft = drawn.id, None
    go_to_next_open(store, state.queue)
    state.queue.message = f"Saved: {saved_spans_text(len(spans))}."


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
        queue.message = NOTHING_TO_UNDO
        return
    state.notice = None
    if undone.text_ids == state.together or len(undone.text_ids) > 1:
        state.together = ()
        state.undone = f"The spans of {counted(len(undone.text_ids), 'text')} were undone."
        return
    queue.show_again(undone.text_ids[0])
    state.draft = (undone.text_ids[0], read_spans(undone.label))
    queue.message = "Undone. The text is as it was before you saved it."


def _may_annotate_together(store: Store, person: str, state: SpanAnnotationState) -> bool:
    """Whether this person may annotate several texts at once; while a team's queue is open nobody does so here: it
    assigns the texts, and may be blind."""
    if get_queue(store, state.queue.project_id) is not None:
        state.queue.message = "A team queue was opened. Only this text was changed."
    elif not reaches(role_of_person(store, person), "reviewer"):
        state.queue.message = "Annotated in this text. Only reviewers can annotate several texts at once."
    else:
        return True
    return False


def _ask(work: SpanWork, message: SpanMessage, records: Sequence[TextRecord]) -> None:
    """Ask in which other texts the same words get the same span, each text shown with the spans it would have."""
    state = work.state
    if message.marks:
        state.asked, state.declined = message.marks[0], frozenset()
    if state.asked is None:
        raise InputError("No span is selected. Select a span in the text first.")
    span, found = state.asked, _equal_spans(work, state.asked, records)
    sentence = proposal_sentence(found, work.quoted(span), span.slot)
    if found.proposals:
        acts = [NoticeAction("Annotate {} selected texts", "all", "Shift+A"), NoticeAction("Cancel")]
    else:
        state.asked, acts = None, [NoticeAction("Close")]
    state.notice = Notice(message.number, work.drawn.id, sentence, tuple(acts), found.shown)


def _annotate_together(
    store: Store, person: str, work: SpanWork, span: Span, message: SpanMessage, records: Sequence[TextRecord]
) -> None:
    """Save the selected texts with the spans that were shown: one action, taken back by one undo. A text that would get
    other spans by now is left alone."""
    state = work.state
    shown = {one.text_id: one.label for one in state.notice.proposals} if state.notice is not None else {}
    selected = [text_id for text_id in message.texts if text_id in shown]
    now = {one.text_id: one.label for one in _equal_spans(work, span, records).proposals}
    labels = [(text_id, shown[text_id]) for text_id in selected if now.get(text_id) == shown[text_id]]
    if labels:
        annotate_all(store, labels, person)
    state.together = tuple(text_id for text_id, _ in labels)
    state.declined |= frozenset(shown) - frozenset(selected)
    left = len(now.keys() - state.declined - frozenset(state.together))
    sentence = f"{work.quoted(span)} is now {span.slot} in {counted(len(labels), 'other text')}."
    if changed := len(selected) - len(labels):
        sentence += f" {counted(changed, 'text')} changed meanwhile and {'was' if changed == 1 else 'were'} not saved."
    acts = [NoticeAction("Review texts", "look"), NoticeAction("Undo", "undo")] if labels else []
    if left:
        acts.insert(0, NoticeAction(f"Show the other {counted(left, 'text')}", "count"))
    state.asked = span if left else None
    state.notice = Notice(message.number, work.drawn.id, sentence, (*acts, NoticeAction("Close")))


def _equal_spans(work: SpanWork, span: Span, records: Sequence[TextRecord]) -> EqualSpans:
    words = work.predicted.words[work.drawn.position][span.start : span.end]
    declined = work.state.declined
    return equal_spans(records, work.predicted, work.drawn.id, words, span.slot, declined=declined)


def saved_spans_text(count: int) -> str:
    """How many spans were saved, in words."""
    return counted(count, "span") if count else "nothing"
