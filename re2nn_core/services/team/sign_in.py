"""Signing in: who comes by name and password, or by an address that a provider has verified.

A page gets a ticket, which the browser hands in once for a token that no script can read. Of both the database has the
digest alone, so that nobody can come in with what it holds.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from re2nn_core.errors import NotAllowedError, SignInError
from re2nn_core.services.team.passwords import fits, hashed, is_outdated
from re2nn_core.store import (
    Account,
    SignIn,
    Store,
    account_of_email,
    end_sign_in,
    find_account,
    give_back,
    has_accounts,
    open_sign_in,
    password_hash_of,
    people_events,
    redeem,
    renew_hash,
    seconds_to_wait,
    sign_in_by_id,
    sign_in_by_token,
    take_attempt,
)
from re2nn_core.store.accounts import name_key

LASTS = timedelta(days=7)
TICKET_LASTS = timedelta(minutes=1)
# So many attempts are free, by one name and from one address; a whole office may have the same address.
FREE_BY_NAME, FREE_BY_ADDRESS = 5, 30
LONGEST_WAIT = 15 * 60.0
WRONG = "The name or the password is not right."


@dataclass(frozen=True)
class SignedIn:
    """Somebody who has just signed in, and the ticket for the browser."""

    sign_in: SignIn
    ticket: str = field(repr=False)


def needs_sign_in(store: Store, *, reachable: bool) -> bool:
    """Whether people have to sign in: where anybody has an account, and wherever other machines reach the server."""
    return reachable or has_accounts(store)


def sign_in(store: Store, name: str, password: str, *, address: str | None = None) -> SignedIn:
    """Let somebody in. SignInError where name and password are not right, whichever of the two it is, and where too
    many attempts failed; it says how long to wait. `address`: of the other machine, where it is known."""
    by_name = _digest(f"name:{name_key(name)}")
    by_address = [] if address is None else [_digest(f"address:{address}")]
    waits = {by_name: _wait_by_name, **dict.fromkeys(by_address, _wait_by_address)}
    moment = _now()
    if waiting := take_attempt(store, waits, moment):
        raise SignInError(f"Too many attempts. Try again in {wait_in_words(waiting)}.", waiting)
    account = find_account(store, name)
    # Asked for whoever it is, so that the time tells nothing.
    kept = password_hash_of(store, account.id if account is not None and account.active else 0)
    if not fits(password, kept) or account is None or kept is None:
        waiting = seconds_to_wait(store, waits, _now())
        raise SignInError(
            WRONG + (f" The next attempt is possible in {wait_in_words(waiting)}." if waiting else ""), waiting
        )
    give_back(store, forget=by_name, less=by_address)
    if is_outdated(kept):
        renew_hash(store, account.id, kept, hashed(password))
    ticket = secrets.token_urlsafe(32)
    moment = _now()
    opened = open_sign_in(store, account.id, _digest(ticket), moment=moment, expires_at=moment + LASTS)
    return SignedIn(opened, ticket)


def token_for(store: Store, ticket: str) -> str | None:
    """What the browser keeps, for a ticket that is fresh and was not taken before; else None."""
    token, moment = secrets.token_urlsafe(32), _now()
    found = redeem(store, _digest(ticket), _digest(token), moment=moment, since=moment - TICKET_LASTS)
    return None if found is None else token


def known_by_token(store: Store, token: str) -> SignIn | None:
    """Who is signed in in the browser that has this token."""
    return sign_in_by_token(store, _digest(token), _now())


def still_in(store: Store, sign_in_id: int) -> SignIn | None:
    """A sign-in that was met before, where it still stands."""
    return sign_in_by_id(store, sign_in_id, _now())


def why_ended(store: Store, was: SignIn) -> str:
    """Why a sign-in that was met before stands no more, in a sentence for whoever had it."""
    account = find_account(store, was.account.name)
    if account is None or not account.active:
        return "An owner removed this account."
    if was.expires_at <= _now():
        return f"Your sign-in expired after {LASTS.days} days."
    begun = was.expires_at - LASTS
    changes = (one for one in people_events(store) if one.value == account.name and one.created_at >= begun)
    if any((one.data or {}).get("did") == "password" for one in changes):
        return "Your password was changed."
    return "You signed out in another tab or window."


def sign_out(store: Store, sign_in_id: int) -> None:
    """End a sign-in; the browser's token is worth nothing from now on."""
    end_sign_in(store, sign_in_id)


def known_by_claims(store: Store, claims: Mapping[str, Any]) -> Account:
    """The account of somebody whom an OpenID Connect provider vouches for. NotAllowedError where the provider has not
    verified the address, and where nobody has an account with it."""
    email = claims.get("email")
    if not isinstance(email, str) or not email:
        raise NotAllowedError(
            "The provider names no email address, by which accounts are found. Ask an owner to have the scope "
            "'email' given to this application."
        )
    if claims.get("email_verified") is not True:
        raise NotAllowedError(
            f"The provider does not confirm that {email} is verified, so it cannot be used to sign in."
        )
    account = account_of_email(store, email)
    if account is None or not account.active:
        raise NotAllowedError(
            f"Nobody has an account with the address {email.lower()}. Ask an owner for one: "
            f"re2nn users add NAME --email {email.lower()} --oidc --role annotator"
        )
    return account


def wait_in_words(seconds: float) -> str:
    """A wait as people say it, rounded up."""
    whole = max(1, int(-(-seconds // 1)))
    if whole < 90:
        return f"{whole} second{'' if whole == 1 else 's'}"
    return f"{-(-whole // 60)} minutes"


def _wait_by_name(attempts: int) -> float:
    return _wait(attempts, FREE_BY_NAME)


def _wait_by_address(attempts: int) -> float:
    return _wait(attempts, FREE_BY_ADDRESS)


def _wait(attempts: int, free: int) -> float:
    """Doubled by each attempt behind the free ones."""
    return 0.0 if attempts < free else min(LONGEST_WAIT, 2.0 ** (attempts - free + 1))


def _digest(text: str) -> str:
    # Tickets and tokens are 256 random bits: nothing slower is needed to keep them from being guessed.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _now() -> datetime:
    return datetime.now(UTC)
