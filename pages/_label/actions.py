"""What can be done with a text besides choosing a label: each by a button and by a key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from pages._shared.components.key_presses import CHOOSE, KeyPress, Typed, hear
from pages._shared.drawing.markup import escape, html
from re2nn_core.services.annotation.annotation_queue import LATE, AnnotationQueueState

UNDO = "undo"


@dataclass(frozen=True)
class TextAction:
    """A button with its key (`key_press`). `do` gets the chosen label where the stroke gives it, else what the key
    brings along; `note`: a field for a note behind the button."""

    title: str
    key: str
    key_press: KeyPress
    do: Callable[[str], object]
    icon: str | None = None
    help: str | None = None
    disabled: bool = False
    note: str = ""

    def draw(self, chosen: str | None = None) -> None:
        """The button."""
        value, key = (chosen if self.key_press.gives else ""), self.key_press.key
        st.button(
            self.title, key=self.key, shortcut=key.removeprefix("Arrow") if len(key) > 1 else key.upper(),
            on_click=self.do, args=(value,), icon=self.icon, help=self.help, disabled=self.disabled or value is None,
        )  # fmt: skip
        if self.note:
            st.text_input(
                'Note for the flag', key=self.note, max_chars=300, placeholder='Note for the flag, Enter flags',
                width=215, label_visibility="collapsed",
            )  # fmt: skip


def hear_actions(
    queue: AnnotationQueueState,
    text_id: int | None,
    actions: Sequence[TextAction],
    chosen: str | None = None,
    digits: Sequence[KeyPress] = (),
) -> None:
    """Hear the keys of these actions, and digits that choose a label."""
    does = {action.key_press.does: action.do for action in actions}

    def do(typed: Typed) -> None:
        if typed.does != UNDO and (typed.text_id != text_id or queue.text_id != text_id):
            queue.message = LATE
        elif typed.does == CHOOSE and text_id is not None:
            queue.choose(text_id, typed.value)
        elif typed.does in does:
            does[typed.does](typed.value)

    key_presses = (*digits, *(action.key_press for action in actions))
    hear(f"label_{queue.project_id}", text_id, key_presses, do, chosen)


def own_moves(queue: AnnotationQueueState, undo: Callable[[], object]) -> tuple[TextAction, TextAction, TextAction]:
    """Back, skip, undo in the person's own queue: also behind its last text."""
    behind = queue.at >= len(queue.text_ids)
    back, skip = KeyPress("ArrowLeft", "back"), KeyPress("ArrowRight", "skip")
    return (
        TextAction("Back", "label_back", back, lambda _: queue.move(-1), ":material/arrow_back:", None, queue.at == 0),
        TextAction("Skip", "label_skip", skip, lambda _: queue.move(1), ":material/arrow_forward:", None, behind),
        undo_action(undo, disabled=not queue.can_undo),
    )


def undo_action(
    undo: Callable[[], object], help: str | None = None, *, disabled: bool = False, note: str = ""
) -> TextAction:
    """Undo, without limit: also what was done before a reload."""
    icon = ":material/undo:"
    return TextAction("Undo", "label_undo", KeyPress("u", UNDO), lambda _: undo(), icon, help, disabled, note)


def draw_message(queue: AnnotationQueueState, *, centred: bool = False) -> None:
    """What became of the last key, on a line that is there without words too: what is below it does not move."""
    style = ' style="text-align:center"' if centred else ""
    html(f'<div class="re2-muted re2-said"{style}>{escape(queue.message) or "&nbsp;"}</div>')
