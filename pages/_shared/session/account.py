"""What stands behind the name in the bar where people sign in: the role, another password, the way out."""

from __future__ import annotations

import streamlit as st

from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import access
from re2nn_core.services.team.accounts import change_own_password
from re2nn_core.services.team.passwords import LEAST

_MAY = {
    "annotator": "can label texts and view everything",
    "reviewer": "can label, review, edit rules and train",
    "owner": "can do everything, including projects and members",
}


def draw_account() -> None:
    """The name of who has signed in, and what can be done about it."""
    found = access.visitor()
    if found is None:
        return
    account = found.account
    with st.popover(messages.plain(account.name), icon=":material/person:", help="Your account"):
        html(
            f"<b>{escape(account.name)}</b><br>"
            f'<span class="re2-muted">{escape(account.role)}: {escape(_MAY.get(account.role, ""))}</span>'
        )
        st.button("Sign out", key="account_leave", icon=":material/logout:", on_click=access.sign_out)
        if account.has_password:
            _draw_password(found)


def _draw_password(found: access.Visitor) -> None:
    with st.form("account_password", clear_on_submit=True, border=False):
        former = st.text_input(
            "Current password", type="password", autocomplete="current-password", key="account_former"
        )
        new = st.text_input(
            "New password", type="password", autocomplete="new-password", key="account_new",
            help=f'At least {LEAST} characters. You are signed out everywhere else.',
        )  # fmt: skip
        asked = st.form_submit_button("Change password")
    if asked:
        with messages.guard("Changing the password") as outcome:
            keep = None if found.sign_in is None else found.sign_in.id
            change_own_password(store(), former or "", new or "", person=found.account.name, keep=keep)
        if outcome.ok:
            st.success("Your password was changed.", icon=":material/check:")
