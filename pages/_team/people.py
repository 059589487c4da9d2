"""The people of the team, for owners: added, given other roles and passwords, let in no more."""

from __future__ import annotations

import streamlit as st

from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import access, state
from re2nn_core.services.annotation.annotator_lookup import known_people
from re2nn_core.services.annotation.removed_members import waiting_texts_message, waits_for
from re2nn_core.services.team.accounts import NewPassword, add_person, change_role, new_password, remove_person
from re2nn_core.services.team.people import ROLES, check_role
from re2nn_core.services.team.stored_people import list_accounts, people_events
from re2nn_core.services.values.stored import Account, Event

_SHOWN_ONCE = "_people_new_password"
_WIDTHS = (3, 2, 3, 2, 2)
_EVENTS = 20


def draw_people() -> None:
    """The view "People": an owner's; others read why it is not theirs."""
    why = access.why_not("owner")
    if why is not None:
        messages.empty("Owners manage members and their roles.", why)
        return
    with messages.guard("Loading the accounts"):
        accounts = list_accounts(store())
        if not accounts:
            _draw_nobody()
            return
        _draw_new_password()
        _draw_accounts([account for account in accounts if account.active])
        _draw_add()
        _draw_former([account for account in accounts if not account.active])
        _draw_events()


def _draw_nobody() -> None:
    html(
        '<div class="re2-muted">There are no accounts, so every name may do everything on this computer. The '
        "first account must be an owner; from then on sign-in is required. Create it on the server:</div>"
    )
    st.code("re2nn users add NAME --role owner", language=None)
    names = known_people(store())
    if names:
        html(f"""<div class="re2-notes">Names in use: {escape(", ".join(names))}.</div>""")


def _draw_new_password() -> None:
    """A password that has just been made. It is nowhere else, and gone once this is closed."""
    made: tuple[str, str] | None = st.session_state.get(_SHOWN_ONCE)
    if made is None:
        return
    name, password = made
    with st.container(border=True, key="people_new_password"):
        html(f"<b>Password of {escape(name)}</b>, shown only once. Copy it and pass it on securely.")
        st.code(password, language=None)
        if st.button("Hide the password", key="people_copied", icon=":material/check:"):
            del st.session_state[_SHOWN_ONCE]
            st.rerun()


def _draw_accounts(accounts: list[Account]) -> None:
    titles = ("Name", "Role", "Sign-in", "", "")
    for column, title in zip(st.columns(_WIDTHS), titles, strict=True):
        column.html(f'<span class="re2-muted">{escape(title)}</span>')
    for account in accounts:
        _draw_account(account)


def _draw_account(account: Account) -> None:
    name, role, way, password, out = st.columns(_WIDTHS, vertical_alignment="center")
    you = ' <span class="re2-muted">you</span>' if account.name == state.person() else ""
    name.html(f"<b>{escape(account.name)}</b>{you}")
    key = f"people_role_{account.id}_{account.role}"
    with role:
        chosen = st.selectbox(
            f"Role of {account.name}",
            ROLES,
            index=ROLES.index(check_role(account.role)),
            key=key,
            label_visibility="collapsed",
        )
    ways = [way for way in ("password" if account.has_password else None, account.email) if way]
    way.html(f'<span class="re2-muted">{escape(", ".join(ways))}</span>')
    if account.has_password and password.button("Set new password", key=f"people_password_{account.id}"):
        with messages.guard(f"New password for {account.name}") as outcome:
            made = new_password(store(), account.name, person=state.person())
        if outcome.ok:
            _show_once(made)
    with out.popover("Remove", key=f"people_out_{account.id}"):
        html(
            f"{escape(account.name)} can no longer sign in. The name is kept in the log. Assigned texts return "
            "to the queue."
        )
        left = waiting_texts_message(account.name, waits_for(store(), account.name))
        if left:
            html(f'<div class="re2-warn">{escape(left)}</div>')
        if st.button(
            "Remove member", key=f"people_remove_{account.id}", type="primary", icon=":material/person_remove:"
        ):
            with messages.guard(f"Removing {account.name}") as outcome:
                remove_person(store(), account.name, person=state.person())
            if outcome.ok:
                messages.remember(f"{account.name} was removed. {left}".rstrip())
                st.rerun()
    if chosen is not None and chosen != account.role:
        with messages.guard("Changing the role") as outcome:
            change_role(store(), account.name, chosen, person=state.person())
        if outcome.ok:
            messages.remember(f"{account.name} is now {chosen}.")
            st.rerun()


def _draw_add() -> None:
    with st.expander("Add a member"), st.form("people_add", border=False):
        first, second, third = st.columns((3, 2, 3))
        name = first.text_input("Name", max_chars=100, key="people_name")
        role = second.selectbox("Role", ROLES, key="people_role")
        email = third.text_input("Email, if they sign in elsewhere", max_chars=254, key="people_email")
        oidc = st.checkbox(
            "Sign in only by OpenID Connect, without a password",
            key="people_oidc",
            help="Uses the provider in .streamlit/secrets.toml and this email address.",
        )
        asked = st.form_submit_button("Add member", type="primary", icon=":material/person_add:")
    if not asked:
        return
    with messages.guard("Adding a member") as outcome:
        made = add_person(
            store(), name or "", role or ROLES[0], email=email or None, oidc=bool(oidc), person=state.person()
        )
    if outcome.ok:
        messages.remember(f"{made.account.name} was added.")
        _show_once(made)


def _show_once(made: NewPassword) -> None:
    if made.password is not None:
        st.session_state[_SHOWN_ONCE] = (made.account.name, made.password)
    st.rerun()


def _draw_former(accounts: list[Account]) -> None:
    if accounts:
        named = ", ".join(account.name for account in accounts)
        html(f'<div class="re2-muted">Removed: {escape(named)}. Adding a name again restores access.</div>')
        for account in accounts:
            left = waiting_texts_message(account.name, waits_for(store(), account.name))
            if left:
                html(f'<div class="re2-warn">{escape(left)}</div>')


def _draw_events() -> None:
    with st.expander("Account log"):
        rows = "".join(
            f"<tr><td>{event.created_at:%Y-%m-%d %H:%M} UTC</td><td>{escape(event.person)}</td>"
            f"<td>{escape(_in_words(event))}</td></tr>"
            for event in people_events(store(), limit=_EVENTS)
        )
        html(f'<table class="re2-table"><tr><th>When</th><th>Member</th><th>Action</th></tr>{rows}</table>')


def _in_words(event: Event) -> str:
    """One change of an account, in words."""
    data, name = event.data or {}, event.value or ""
    wordings = {
        "added": f"added {name} as {data.get('role')}",
        "role": f"changed the role of {name} from {data.get('before')} to {data.get('role')}",
        "password": f"set a new password for {name}" if event.person != name else "changed the own password",
        "removed": f"removed {name}",
    }
    return wordings.get(str(data.get("did")), str(data.get("did")))
