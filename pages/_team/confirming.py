"""Texts on which nobody differs, where the project's policy wants them decided all the same: all of them at once."""

from __future__ import annotations

import streamlit as st

from pages._shared.drawing.markup import html
from pages._shared.session.acting import acting
from re2nn_core.services.team.annotations import Why
from re2nn_core.services.team.review_queue import ReviewQueueState, confirm_cases

# Why a text is only to be confirmed, and what such texts are called: one, and several.
_CONFIRMED: tuple[tuple[Why, str, str], ...] = (
    ("agreed", "the one text on which annotators agree", "all {:,} on which annotators agree"),
    ("alone", "the one text with one annotation", "all {:,} with one annotation"),
)


def draw_confirming(queue: ReviewQueueState) -> None:
    """Where the policy wants texts confirmed on which nobody differs: all of them at once, after one question."""
    offered = [(why, one, several, queue.unanimous(why)) for why, one, several in _CONFIRMED]
    if not any(text_ids for *_, text_ids in offered):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="review_confirming"):
        st.html('<span class="re2-muted">Texts without disagreement:</span>', width="content")
        for why, one, several, text_ids in offered:
            if not text_ids:
                continue
            count = len(text_ids)
            with st.popover(f"Confirm {one if count == 1 else several.format(count)}", key=f"review_many_{why}"):
                html(
                    "The agreed label is adjudicated as yours and used for training. U undoes "
                    f"{'it' if count == 1 else 'all of them'}."
                )
                st.button(
                    f"Yes, confirm {count:,}", key=f"review_confirm_{why}", type="primary",
                    icon=":material/done_all:", on_click=acting(confirm_cases), args=(queue, text_ids),
                )  # fmt: skip
