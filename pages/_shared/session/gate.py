"""What stands before every page: the form to sign in, or why nobody can. Nothing of a project is shown before it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NoReturn

import streamlit as st

from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html, styles
from pages._shared.resources import database_predictions, store
from pages._shared.session import access, state
from pages._shared.session.browser_session import hand_in, keep, take_back
from pages._shared.session.fragments import wait_until
from re2nn_core.errors import Re2nnError, SignInError
from re2nn_core.services.team.sign_in import sign_in
from re2nn_core.services.team.stored_people import has_accounts

_WIDTH = 430
_PASSED = "_gate_passed"
_AWAY_SECONDS = 3.0
NO_WAY_IN = (
    "This server can be reached from other computers, so users must sign in, and there is no account yet. "
    "Create one first."
)


def in_the_way() -> Callable[[], None] | None:
    """What is to be drawn in place of the page; None where the page may be."""
    st.session_state.pop(_PASSED, None)
    try:
        seen = access.look(again=True)
        if seen.refused:
            return partial(_draw_refused, seen.refused)
        if seen.needed and seen.visitor is None:
            return _draw_no_way_in if access.nobody_can_sign_in() else partial(_draw_form, seen.ended)
    except Re2nnError as error:
        return _draw_away if messages.is_away(error) else partial(_draw_error, error)
    st.session_state[_PASSED] = True
    found = seen.visitor
    if found is not None and (found.sign_in is None or found.sign_in.kept):
        st.session_state.pop(access.TICKET, None)
    return None


def stop_unless_passed() -> None:
    """End the run where it came to a page past the gate, and may not see it."""
    if not st.session_state.pop(_PASSED, False) and (instead := in_the_way()) is not None:
        instead()
        st.stop()


def hand_over() -> None:
    """Give the ticket of a new sign-in to the browser, until it was taken: before the page is drawn, since whoever
    leaves the page earlier would have to sign in again. Where nobody signs in, the name that was typed. Takes the place
    of one empty element."""
    with st.empty():
        if access.TICKET in st.session_state:
            hand_in(st.session_state[access.TICKET])
        elif name := state.typed_name():
            keep("name", name)


def _draw_away() -> NoReturn:
    """The database does not answer. The run is stopped, so that what was typed into the page is kept for it."""
    styles()
    st.warning(
        "**The database does not respond.** Unsaved edits are kept, and the page comes back by itself. Trying again …",
        icon=":material/cloud_off:",
    )
    wait_until(database_predictions, every_seconds=_AWAY_SECONDS)
    st.stop()


def _draw_error(error: Re2nnError) -> None:
    styles()
    messages.show_error(error, "Opening the database")


def _draw_form(ended: str) -> None:
    with _card():
        if ended:
            st.info(messages.plain(ended), icon=":material/info:")
            take_back()
        if access.has_provider():
            _draw_provider()
        if not has_accounts(store()):
            return
        with st.form("sign_in", border=False):
            name = st.text_input("Name", max_chars=100, autocomplete="username", key="sign_in_name")
            password = st.text_input(
                "Password", type="password", max_chars=1000, autocomplete="current-password", key="sign_in_password"
            )
            asked = st.form_submit_button("Sign in", type="primary", width="stretch", icon=":material/login:")
        if asked:
            _try(name or "", password or "")
        html(
            '<div class="re2-muted">For accounts and forgotten passwords, ask an owner of this server. You '
            "stay signed in for seven days in this browser.</div>"
        )


def _try(name: str, password: str) -> None:
    if not name.strip() or not password:
        st.error("Enter your name and your password.", icon=":material/error:")
        return
    try:
        signed_in = sign_in(store(), name, password, address=access.address())
    except SignInError as refused:
        icon = ":material/hourglass:" if refused.seconds else ":material/error:"
        st.error(messages.plain(str(refused)), icon=icon)
        return
    except Re2nnError as error:
        messages.show_error(error, "Signing in")
        return
    access.take_in(signed_in)
    st.rerun()


def _draw_provider() -> None:
    """The way in by an OpenID Connect provider."""
    if not access.provider_is_installed():
        st.warning(
            "Cannot use the OpenID Connect provider of .streamlit/secrets.toml: its package is not installed. "
            "Run pip install 're2nn-studio[oidc]'",
            icon=":material/warning:",
        )
        return
    st.button(
        "Sign in with your organization", key="sign_in_provider", icon=":material/key:", width="stretch",
        on_click=st.login,
    )  # fmt: skip


def _draw_refused(reason: str) -> None:
    """Somebody whom a provider vouches for, and who has no account here."""
    with _card():
        st.error(messages.plain(reason), icon=":material/block:")
        st.button("Sign out", key="sign_in_leave", icon=":material/logout:", on_click=access.sign_out)


def _draw_no_way_in() -> None:
    with _card():
        st.error(NO_WAY_IN, icon=":material/lock:")
        html('<div class="re2-muted">On the server, create the first account, an owner:</div>')
        st.code("re2nn users add NAME --role owner", language=None)
        html(
            '<div class="re2-muted">or configure an OpenID Connect provider in '
            "<code>.streamlit/secrets.toml</code>: see <code>re2nn help sign-in</code>. For a single user on "
            "one computer, listen on 127.0.0.1.</div>"
        )


def _card() -> st.delta_generator.DeltaGenerator:
    """A narrow column in the middle, under the name of the program."""
    styles()
    with st.container(horizontal=True, horizontal_alignment="center"):
        card = st.container(border=True, width=_WIDTH, key="re2_sign_in")
    with card:
        html(
            "<style>.st-key-re2_sign_in { margin-top: 9vh; }</style>"
            '<div style="font-size:1.35rem;font-weight:600;margin-bottom:.15rem">RE2NN Studio</div>'
            f'<div class="re2-muted" style="margin-bottom:.4rem">{escape("Word rules that learn")}</div>'
        )
    return card
