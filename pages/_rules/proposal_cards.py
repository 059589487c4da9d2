"""Proposals one below the other, each with a button that accepts it; the first nine by their number. For labels and
slots the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from pages._rules.draft import keep
from pages._shared.drawing import messages
from pages._shared.drawing.markup import html
from re2nn_core.errors import InputError
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.values.stored import TextRecord

MANY = 2_000  # texts from which on a search takes a while
Found = TypeVar("Found")
_DIGITS = 9
_SEARCHED = "rules_searched"


@dataclass(frozen=True)
class Card:
    """One proposal as it is drawn: HTML, and what the draft gets."""

    body: str
    change: Any
    title: str = "Accept"


def draw_found(
    known: Hashable, look: Callable[[bool], Found], draw: Callable[[Found, bool], None], meanwhile: str | None
) -> None:
    """What is found, or why nothing can be. Where a search takes a while, there is something to say `meanwhile`: a
    quick look comes first, and what is found takes its place. `look` is given whether it is to be quick, `draw` whether
    it was; `known`: what has been searched for once is shown at once."""
    place = st.empty()
    try:
        if meanwhile is not None and st.session_state.get(_SEARCHED) != known:
            with place.container():
                draw(look(True), True)
                st.caption(meanwhile)
        found = look(False)
        st.session_state[_SEARCHED] = known
    except InputError as error:
        with place.container():
            messages.show_error(error)
        return
    with place.container():
        draw(found, False)


def draw_cards(cards: Iterable[Card], accept: Callable[..., None], *about: object, first: bool = False) -> None:
    """The cards; `accept` is called with all that they are `about`, and the change of one. `first`: others take their
    place in the same run."""
    kind = "first_" if first else ""
    for number, card in enumerate(cards, start=1):
        row = f"re2_row_proposal_{kind}{number}"
        with st.container(horizontal=True, vertical_alignment="top", gap="xsmall", key=row):
            html(card.body)
            st.button(
                card.title,
                key=f"rules_accept_{kind}{number}",
                shortcut=str(number) if number <= _DIGITS else None,
                on_click=accept,
                args=(*about, card.change),
            )


def keep_accepted(accepted: Draft | None) -> None:
    """Keep the draft with a proposal in it. Where something was typed meanwhile, there is none: it is not what was
    looked at any more."""
    if accepted is None:
        messages.remember("The rules have changed since. Look at the new proposals.", ":material/refresh:")
        return
    keep(accepted)


def effect_html(fixed: int, broken: int) -> str:
    """How many are fixed and broken."""
    return f'<b class="re2-up">▲ {fixed:,}</b> <b class="re2-down">▼ {broken:,}</b>'


def first_places(places: Iterable[int], records: Sequence[TextRecord], most: int) -> list[int]:
    """The first places of texts that are not the same."""
    first: dict[str, int] = {}
    for place in places:
        first.setdefault(records[place].text, place)
        if len(first) == most:
            break
    return list(first.values())


def mark_html(*, fixed: bool) -> str:
    """The sign in front of what is fixed or broken."""
    kind, sign, title = ("re2-up", "▲", "fixed") if fixed else ("re2-down", "▼", "broken")
    return f'<b class="{kind}" title="{title}">{sign}</b>'


def figures_html(parts: Iterable[str]) -> str:
    """Figures in a row, none of them broken across lines."""
    kept = " · ".join(f'<span style="white-space:nowrap">{part}</span>' for part in parts)
    return f'<div class="re2-muted">{kept}</div>'
