"""One reviewer's walk through the texts that wait for a decision. Each decision is in the store before the next text
comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

from re2nn_core.errors import Re2nnError
from re2nn_core.services.team.annotations import Why
from re2nn_core.services.team.review import Case, adjudicate_case, case_of, confirm, texts_to_review, undo_decision
from re2nn_core.store import Store
from re2nn_core.text.counting import counted

_QUOTED = 40  # so many characters of a text are enough to know it again


@final
@dataclass
class ReviewQueueState:
    """Where a reviewer is in the texts of one project that wait. `later`: texts that were put off; `asked`: texts that
    are to be shown though they do not wait; `decided`: how many were; `fault` and `message` are to be shown."""

    project_id: int
    text_ids: list[int] = field(default_factory=list)
    why: Mapping[int, Why] = field(default_factory=dict)
    at: int = 0
    later: list[int] = field(default_factory=list)
    asked: set[int] = field(default_factory=set)
    decided: int = 0
    fault: Re2nnError | None = None
    message: str = ""

    @property
    def text_id(self) -> int | None:
        """The text that is shown; None behind the end."""
        return self.text_ids[self.at] if self.at < len(self.text_ids) else None

    @property
    def left(self) -> int:
        """How many wait, this one included."""
        return len(self.text_ids) - self.at + len(self.later)

    def lay_out(self, waiting: Mapping[int, Why]) -> None:
        """Begin with all that waits."""
        self.text_ids, self.why, self.at, self.later = list(waiting), waiting, 0, []

    def show_first(self, text_ids: Sequence[int]) -> None:
        """Review these texts next, whether they wait or not."""
        rest = [text_id for text_id in self.text_ids[self.at :] if text_id not in text_ids]
        self.text_ids, self.at, self.asked = [*text_ids, *rest], 0, set(text_ids)

    def postpone(self, text_id: int) -> None:
        """Show the next text first."""
        if self.text_id == text_id:
            self.later.append(text_id)
            self.at += 1
            self.message = "It returns after the other texts."

    def say(self, sentence: str) -> None:
        """Say this in the place of what the key before did."""
        self.message = sentence

    def unanimous(self, why: Why) -> tuple[int, ...]:
        """The texts ahead that are only to be confirmed, for this reason."""
        ahead = [*self.text_ids[self.at :], *self.later]
        return tuple(text_id for text_id in ahead if self.why.get(text_id) == why)


def start_review(store: Store, project_id: int) -> ReviewQueueState:
    """All that waits for a decision in a project; what comes meanwhile is there after the last text."""
    state = ReviewQueueState(project_id)
    state.lay_out(texts_to_review(store, project_id))
    return state


def restart_review(store: Store, state: ReviewQueueState) -> None:
    """Look at all that waits now, with what was put off."""
    state.lay_out(texts_to_review(store, state.project_id))
    state.message = ""


def next_case(store: Store, state: ReviewQueueState) -> Case | None:
    """The text that is looked at; those that somebody else has decided meanwhile are passed over."""
    while state.text_id is not None:
        case = _case(store, state.text_id)
        if case is not None and (case.why is not None or case.record.id in state.asked):
            return case
        state.at += 1
    return None


def _case(store: Store, text_id: int) -> Case | None:
    try:
        return case_of(store, text_id)
    except Re2nnError:
        return None  # the text is gone


def decide_case(store: Store, person: str, state: ReviewQueueState, case: Case, annotation: str, message: str) -> None:
    """Decide and go on. A key that arrives late, for a text before, does nothing."""
    if state.text_id != case.record.id:
        return
    try:
        adjudicate_case(store, case, annotation, person)
    except Re2nnError as fault:
        # The place stays: what was not saved must not be gone from the screen.
        state.fault = fault
        return
    state.at += 1
    state.asked.discard(case.record.id)
    state.decided += 1
    # It stands above the next text, so it says which one it means.
    state.message = f"Adjudicated: {message}, for {_quoted(case.record.text)}."


def _quoted(text: str) -> str:
    """The first words of a text, in quotes."""
    words = text[: 2 * _QUOTED].split()
    short = " ".join(words)
    if len(short) > _QUOTED or len(text) > 2 * _QUOTED:
        short = f"{short[:_QUOTED].rstrip()} …"
    return f"“{short}”"


def confirm_cases(store: Store, person: str, state: ReviewQueueState, text_ids: Sequence[int]) -> None:
    """Decide all these texts as everybody annotated them, as one action."""
    try:
        done = confirm(store, state.project_id, text_ids, person)
    except Re2nnError as fault:
        state.fault = fault
        return
    left = {*done}
    state.text_ids = [*state.text_ids[: state.at], *(one for one in state.text_ids[state.at :] if one not in left)]
    state.later = [one for one in state.later if one not in left]
    state.decided += len(done)
    state.message = f"{counted(len(done), 'text was', 'texts were')} confirmed; press U to undo."
    if len(done) < len(text_ids):
        rest = counted(len(text_ids) - len(done), "other text", "other texts")
        state.message += f" {rest[0].upper()}{rest[1:]} had new annotations."


def undo_last_decision(store: Store, person: str, state: ReviewQueueState) -> None:
    """Undo this person's last decision, also one from before a reload, and show its text again."""
    try:
        undone = undo_decision(store, state.project_id, person)
    except Re2nnError as fault:
        state.fault = fault
        return
    if not undone:
        state.message = "You have no adjudication to undo."
        return
    # In one walk: as many may come back as were confirmed at once.
    back = {*undone}
    before = [text_id for text_id in state.text_ids[: state.at] if text_id not in back]
    state.text_ids = [*before, *undone, *(text_id for text_id in state.text_ids[state.at :] if text_id not in back)]
    state.at = len(before)
    many = len(undone) > 1
    if many:
        state.why = texts_to_review(store, state.project_id)
    elif (case := _case(store, undone[0])) is not None and case.why is not None:
        state.why = {**state.why, undone[0]: case.why}
    state.message = f"{len(undone):,} adjudications were undone." if many else "Your adjudication was undone."
