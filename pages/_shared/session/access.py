"""Who is in front of the page: nobody in particular, a typed name, or somebody who has signed in; and what they may do.

Streamlit forgets a session with its page. What lasts is a cookie, which no script can read (see browser_session), and
each run asks the database whether that sign-in still stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from time import monotonic
from typing import Any, NoReturn

import streamlit as st

from pages._shared.resources import store
from pages._shared.session.browser_session import cookie_name
from pages._shared.session.reachable import reachable
from re2nn_core.errors import NotAllowedError, UnavailableError
from re2nn_core.services.team import sign_in as signing
from re2nn_core.services.team.people import Role, check_role, reaches, role_refusal
from re2nn_core.services.team.stored_people import has_accounts
from re2nn_core.services.values.stored import Account, SignIn

SIGN_IN, TICKET, _SEEN, _LEFT = "_sign_in", "_sign_in_ticket", "_sign_in_seen", "_sign_in_left"
# Services ask the database each time, whatever is remembered here.
HOLDS_SECONDS = 0.5


@dataclass(frozen=True)
class Visitor:
    """Somebody who has signed in: here, as `sign_in` shows, or at a provider."""

    account: Account
    sign_in: SignIn | None = None


@dataclass(frozen=True)
class Seen:
    """What was found at a moment of the clock: whether a sign-in is needed, who has signed in, why somebody whom a
    provider vouches for is not let in, and why nobody is signed in any more."""

    at: float
    needed: bool
    visitor: Visitor | None = None
    refused: str = ""
    ended: str = ""


def needs_sign_in() -> bool:
    """Whether who is in front of the page has to sign in."""
    return signing.needs_sign_in(store(), reachable=reachable(st.context.headers))


def address() -> str | None:
    """The address of the browser's machine, where it is another one than this and known."""
    found = st.context.ip_address
    return found if isinstance(found, str) else None


def has_provider() -> bool:
    """Whether `[auth]` of .streamlit/secrets.toml names an OpenID Connect provider."""
    return st.secrets.load_if_toml_exists() and bool(st.secrets.get("auth"))


def provider_is_installed() -> bool:
    """Whether Streamlit can speak with a provider: the extra `oidc` brings what it takes."""
    return all(find_spec(name) is not None for name in ("authlib", "httpx"))


def nobody_can_sign_in() -> bool:
    """Whether there is no way in at all."""
    return not has_accounts(store()) and not has_provider()


def look(*, again: bool = False) -> Seen:
    """Who is in front of the page. Asked for many times a run, so an answer holds for a moment; `again` asks anew."""
    known: Seen | None = st.session_state.get(_SEEN)
    if not again and known is not None and monotonic() - known.at < HOLDS_SECONDS:
        return known
    try:
        seen = _look()
    except UnavailableError:
        # Services ask anew and refuse; a callback must get as far as these, which keep what was to be saved.
        if known is None or again:
            raise
        return known
    st.session_state[_SEEN] = seen
    return seen


def _look() -> Seen:
    needed = needs_sign_in()
    if not needed:
        return Seen(monotonic(), needed)
    found = _by_session() or _by_cookie()
    if found is not None:
        return Seen(monotonic(), needed, Visitor(found.account, found))
    claims = provider_claims()
    try:
        account = None if claims is None else signing.known_by_claims(store(), claims)
    except NotAllowedError as refused:
        return Seen(monotonic(), needed, refused=str(refused))
    if account is None:
        return Seen(monotonic(), needed, ended=_why_ended())
    return Seen(monotonic(), needed, Visitor(account))


def _why_ended() -> str:
    """Why nobody is signed in any more; empty where nobody was."""
    before: Seen | None = st.session_state.get(_SEEN)
    if before is not None and before.ended:
        return before.ended
    if before is not None and before.visitor is not None and before.visitor.sign_in is not None:
        return f"{signing.why_ended(store(), before.visitor.sign_in)} Your last action was not executed."
    if _LEFT in st.session_state:
        return "You signed out."
    return "Your sign-in has ended." if isinstance(st.context.cookies.get(cookie_name()), str) else ""


def visitor() -> Visitor | None:
    """Who has signed in in this browser; None for nobody."""
    return look().visitor


def _by_session() -> SignIn | None:
    known = st.session_state.get(SIGN_IN)
    return None if known is None else signing.still_in(store(), known)


def _by_cookie() -> SignIn | None:
    token = st.context.cookies.get(cookie_name())
    # Without a browser, as in tests, a cookie is no text.
    found = signing.known_by_token(store(), token) if isinstance(token, str) else None
    if found is not None:
        st.session_state[SIGN_IN] = found.id
    return found


def provider_claims() -> Mapping[str, Any] | None:
    """What a provider says of who has signed in there; None where nobody has."""
    if not has_provider() or not st.user.get("is_logged_in"):
        return None
    return st.user.to_dict()


def person() -> str | None:
    """The name under which everything is done where people sign in, empty for nobody; None where a typed name is
    enough."""
    seen = look()
    if not seen.needed:
        return None
    return "" if seen.visitor is None else seen.visitor.account.name


def take_in(signed_in: signing.SignedIn) -> None:
    """Somebody has signed in; the next run hands the ticket to the browser."""
    st.session_state.clear()
    st.session_state[SIGN_IN] = signed_in.sign_in.id
    st.session_state[TICKET] = signed_in.ticket


def sign_out() -> None:
    """Nobody is signed in in this browser any more, and nothing of theirs is left in its session."""
    known = st.session_state.get(SIGN_IN)
    if known is not None:
        signing.sign_out(store(), known)
    elsewhere = provider_claims() is not None
    st.session_state.clear()
    st.session_state[_LEFT] = True
    if elsewhere:
        st.logout()


def give_way() -> NoReturn:
    """Signed out meanwhile, or removed: what is still on the screen gives way to the gate, which stands before the
    next run. NotAllowedError outside a run, where nothing can be drawn: nobody does anything under no name."""
    st.rerun()
    raise NotAllowedError("Nobody is signed in any more. Sign in and try again.")


def why_not(role: Role) -> str | None:
    """Why the person in front of the page may not do what takes this role, in a sentence; None where they may.

    For the help of a button that is switched off; the services check again.
    """
    seen = look()
    if not seen.needed:
        return None
    if seen.visitor is None:
        give_way()
    has = check_role(seen.visitor.account.role)
    return None if reaches(has, role) else f"No permission: {role_refusal(has, role)}"


def may(role: Role) -> bool:
    """Whether the person in front of the page may do what takes this role."""
    return why_not(role) is None
