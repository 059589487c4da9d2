"""What a page says when something is missing or went wrong: empty states, errors, faults. Never a
traceback.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from pages._shared.catalog import PageEntry
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.option_names import in_page_words
from pages._shared.resources import database_is_a_server, database_predictions
from re2nn_core.errors import (
    ConflictError,
    DataFileError,
    Fault,
    FaultsError,
    Re2nnError,
    StateBudgetError,
    UnavailableError,
)
from re2nn_core.text.visible import visible

_SHOWN_FAULTS = 30
_AWAY = "The database did not respond, and nothing was saved. Try again; the reason is in the log of the server."
_log = logging.getLogger(__name__)


@dataclass
class Outcome:
    """What became of a guarded block: `error` is None where it went through."""

    error: Re2nnError | None = field(default=None)

    @property
    def ok(self) -> bool:
        return self.error is None


@contextmanager
def guard(doing: str = "") -> Iterator[Outcome]:
    """Run a block; an error that is meant for people is shown in its place, and the page goes on behind it.

    with guard("Open the sample") as outcome:
        project = open_sample(...)
    if outcome.ok:
        ...
    """
    outcome = Outcome()
    try:
        yield outcome
    except Re2nnError as error:
        outcome.error = error
        show_error(error, doing)


@contextmanager
def guard_click(doing: str) -> Iterator[Outcome]:
    """The same for what a click calls. It says its error once, at the bottom of the screen, in the run that follows:
    what a click draws in a part of a page that runs alone takes the place of the page's first elements."""
    outcome = Outcome()
    try:
        yield outcome
    except Re2nnError as error:
        outcome.error = error
        reported = error.faults[0].in_one_line() if isinstance(error, FaultsError) else str(error)
        _say_next(f"**{plain(doing)} did not work.** {plain(reported)}", ":material/error:", "long")


def show_error(error: Re2nnError, doing: str = "") -> None:
    """The error as a box: what was tried, what is wrong, what to do. While the database is away the whole page says
    that, once, in its place."""
    if is_away(error):
        if doing:
            remember(f"{doing} did not work: the database did not respond.", ":material/error:")
        _log.error("%s", error)
        st.rerun()
    if isinstance(error, FaultsError):
        faults(error.faults)
        return
    if isinstance(error, UnavailableError) and database_is_a_server():
        # Its address is nobody's business who is on a page.
        _log.error("%s", error)
        error = UnavailableError(_AWAY)
    head = f"**{plain(doing)} did not work.**\n\n" if doing else ""
    reported = in_page_words(str(error)) if isinstance(error, DataFileError) else str(error)
    body = head + plain(reported).replace("\n", "  \n")
    if isinstance(error, ConflictError | StateBudgetError):
        st.warning(body, icon=":material/warning:")
    else:
        st.error(body, icon=":material/error:")


def is_away(error: Re2nnError) -> bool:
    """Whether the error is that of a server of a database which does not answer now."""
    return isinstance(error, UnavailableError) and database_is_a_server() and not database_predictions()


def plain(text: str) -> str:
    """Text as it is inside Markdown: nothing in it is a link, an emphasis, a colour, a formula or an icon, and nothing
    turns the direction of what follows."""
    return "".join(f"\\{sign}" if sign in _MARKDOWN else sign for sign in visible(text))


_MARKDOWN = frozenset("\\`*_{}[]()<>#+-!|$:~^&")


def note(text: str) -> str:
    """A note on a file that was read, as `plain` text, with controls of the page in place of options."""
    return plain(in_page_words(text))


def faults(found: Sequence[Fault], *, warning: bool = False) -> None:
    """Faults of rules or label logic: place, message, the line with a caret, advice."""
    boxes = [_fault_box(fault, "re2-warn" if warning else "re2-fault") for fault in found[:_SHOWN_FAULTS]]
    if len(found) > _SHOWN_FAULTS:
        boxes.append(f'<div class="re2-muted">and {len(found) - _SHOWN_FAULTS} more</div>')
    html("".join(boxes))


def _fault_box(fault: Fault, kind: str) -> str:
    who = f"{escape(fault.where)}: " if fault.where else ""
    before, at, behind = fault.quoted()
    return (
        f'<div class="{kind}"><div class="re2-fault-head"><span class="re2-place">{escape(fault.file)}, '
        f"line {fault.line}, column {fault.column}</span> {who}{escape(fault.message)}</div>"
        f"<pre>{escape(before)}<mark>{escape(at or ' ')}</mark>{escape(behind)}</pre>"
        f'<div class="re2-advice">{escape(fault.advice)}</div></div>'
    )


def empty(title: str, advice: str, *, link: PageEntry | None = None) -> None:
    """The page has nothing to show: says so, and where to go next."""
    with st.container(border=True):
        html(f'<div class="re2-empty"><b>{escape(title)}</b><br>{escape(advice)}</div>')
        if link is not None:
            with st.container(horizontal=True, horizontal_alignment="center"):
                st.page_link(link.file, label=f"Go to {link.title}", icon=link.icon)


def remember(message: str, icon: str = ":material/check:") -> None:
    """Say this once, at the bottom of the screen, after the rerun that is about to come."""
    _say_next(plain(message), icon, "short")


def _say_next(markdown: str, icon: str, duration: Literal["short", "long"]) -> None:
    st.session_state.setdefault("_messages", []).append((markdown, icon, duration))


def show_remembered() -> None:
    """Say what was kept for this run; the bar calls this, and each part of a page that runs alone after a click."""
    for markdown, icon, duration in st.session_state.pop("_messages", []):
        st.toast(markdown, icon=icon, duration=duration)
