"""The texts that wait for a reviewer, and the place among them. Each decision is in the store before the next text
comes, so a closed window loses nothing but the place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from pages._shared.resources import store
from pages._shared.session import state
from pages._team.views import go_to
from re2nn_core.errors import Re2nnError
from re2nn_core.services.team.annotations import Why
from re2nn_core.services.team.review import Case, case_of, confirm, settle_case, texts_to_review, undo_decision
from re2nn_core.text.counting import counted

_QUOTED = 40  # so many characters of a text are enough to know it again


@dataclass
class ReviewDesk:
    """One session's review of one project. `later`: texts that were put off; `asked`: texts that are to be shown though
    they do not wait; `fault` and `said` are shown once."""

    project_id: int
    queue: list[int] = field(default_factory=list)
    why: Mapping[int, Why] = field(default_factory=dict)
    at: int = 0
    later: list[int] = field(default_factory=list)
    asked: set[int] = field(default_factory=set)
    decided: int = 0
    fault: Re2nnError | None = None
    said: str = ""

    @property
    def text_id(self) -> int | None:
        """The text that is shown; None behind the end."""
        return self.queue[self.at] if self.at < len(self.queue) else None

    @property
    def left(self) -> int:
        """How many wait, this one included."""
        return len(self.queue) - self.at + len(self.later)

    def lay_out(self, waiting: Mapping[int, Why]) -> None:
        """Begin with all that waits."""
        self.queue, self.why, self.at, self.later = list(waiting), waiting, 0, []


def desk_of(project_id: int) -> ReviewDesk:
    """The session's desk for a project, laid out once; what comes meanwhile is there after the last text."""
    key = f"_review_{project_id}"
    if key not in st.session_state:
        desk = ReviewDesk(project_id)
        desk.lay_out(texts_to_review(store(), project_id))
        st.session_state[key] = desk
    return st.session_state[key]


def next_case(desk: ReviewDesk) -> Case | None:
    """The text that is looked at; those that somebody else has settled meanwhile are passed over."""
    while desk.text_id is not None:
        case = _case(desk.text_id)
        if case is not None and (case.why is not None or case.record.id in desk.asked):
            return case
        desk.at += 1
    return None


def _case(text_id: int) -> Case | None:
    try:
        return case_of(store(), text_id)
    except Re2nnError:
        return None  # the text is gone


def ask_for(project_id: int, text_ids: Sequence[int]) -> None:
    """Review these texts next, and go there; for buttons."""
    desk = desk_of(project_id)
    rest = [text_id for text_id in desk.queue[desk.at :] if text_id not in text_ids]
    desk.queue, desk.at, desk.asked = [*text_ids, *rest], 0, set(text_ids)
    go_to("review")


def start_over(desk: ReviewDesk) -> None:
    """Look at all that waits now, with what was put off."""
    desk.lay_out(texts_to_review(store(), desk.project_id))
    desk.said = ""


def decide_case(desk: ReviewDesk, case: Case, answer: str, said: str) -> None:
    """Decide and go on. A key that arrives late, for a text before, does nothing."""
    if desk.text_id != case.record.id:
        return
    try:
        settle_case(store(), case, answer, state.person())
    except Re2nnError as fault:
        # The place stays: what was not saved must not be gone from the screen.
        desk.fault = fault
        return
    desk.at += 1
    desk.asked.discard(case.record.id)
    desk.decided += 1
    # It stands above the next text, so it says which one it means.
    desk.said = f"Decided: {said}, for {quoted(case.record.text)}."


def quoted(text: str) -> str:
    """The first words of a text, in quotes."""
    words = text[: 2 * _QUOTED].split()
    short = " ".join(words)
    if len(short) > _QUOTED or len(text) > 2 * _QUOTED:
        short = f"{short[:_QUOTED].rstrip()} …"
    return f"“{short}”"


def to_confirm(desk: ReviewDesk, why: Why) -> tuple[int, ...]:
    """The texts that are before this person and only to be confirmed for this reason."""
    ahead = [*desk.queue[desk.at :], *desk.later]
    return tuple(text_id for text_id in ahead if desk.why.get(text_id) == why)


def confirm_many(desk: ReviewDesk, text_ids: Sequence[int]) -> None:
    """Decide all these texts as who judged them say, as one action."""
    try:
        done = confirm(store(), desk.project_id, text_ids, state.person())
    except Re2nnError as fault:
        desk.fault = fault
        return
    left = {*done}
    desk.queue = [*desk.queue[: desk.at], *(one for one in desk.queue[desk.at :] if one not in left)]
    desk.later = [one for one in desk.later if one not in left]
    desk.decided += len(done)
    desk.said = (
        f"{counted(len(done), 'text was', 'texts were')} confirmed; U takes {'it' if len(done) == 1 else 'all'} back."
    )
    if len(done) < len(text_ids):
        rest = counted(len(text_ids) - len(done), "other text", "other texts")
        desk.said += f" Of {rest} somebody has said something meanwhile."


def cannot_take(desk: ReviewDesk, sentence: str) -> None:
    """Say why Enter decides nothing here, in the place of what the key before did."""
    desk.said = sentence


def put_off(desk: ReviewDesk, text_id: int) -> None:
    """The next text first."""
    if desk.text_id == text_id:
        desk.later.append(text_id)
        desk.at += 1
        desk.said = "It comes again when the others are done."


def take_back(desk: ReviewDesk) -> None:
    """Take this person's last decision back, also one from before a reload, and show its text again."""
    try:
        undone = undo_decision(store(), desk.project_id, state.person())
    except Re2nnError as fault:
        desk.fault = fault
        return
    if not undone:
        desk.said = "There is no decision of yours to take back."
        return
    # In one walk: as many may come back as were confirmed at once.
    back = {*undone}
    before = [text_id for text_id in desk.queue[: desk.at] if text_id not in back]
    desk.queue = [*before, *undone, *(text_id for text_id in desk.queue[desk.at :] if text_id not in back)]
    desk.at = len(before)
    many = len(undone) > 1
    if many:
        desk.why = texts_to_review(store(), desk.project_id)
    elif (case := _case(undone[0])) is not None and case.why is not None:
        desk.why = {**desk.why, undone[0]: case.why}
    desk.said = f"{len(undone):,} decisions were taken back." if many else "Your decision was taken back."
