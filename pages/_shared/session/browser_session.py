"""What the browser keeps of a sign-in: a cookie that no script can read and that no other site makes it send.

Pages come through a web socket, which can set no cookie. So a page hands a ticket to the browser, which sends it here
once, and the answer sets the cookie.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages._shared.catalog import ASSETS
from pages._shared.resources import store
from re2nn_core.services.team.sign_in import LASTS, known_by_token, token_for

SESSION = "/re2nn/session"
# A page of another site may not send this header, unless the server allowed it, which it does not.
TICKET_HEADER = "X-Re2nn-Ticket"
_LONGEST_KEPT = 80


def cookie_name() -> str:
    """One for each server: cookies are shared by all ports of a host."""
    return f"re2nn_{st.get_option('server.port')}"


def _base() -> str:
    return "/" + (st.get_option("server.baseUrlPath") or "").strip("/")


def _path() -> str:
    return _base().rstrip("/") + SESSION


def set_cookie(request: Request) -> Response:
    """Take a ticket, once and within a minute, and answer with the cookie; 403 for any other."""
    token = token_for(store(), request.headers.get(TICKET_HEADER, ""))
    if token is None:
        return Response(status_code=403)
    response = Response(status_code=204, headers={"Cache-Control": "no-store"})
    response.set_cookie(
        cookie_name(),
        token,
        max_age=int(LASTS.total_seconds()),
        path=_base(),
        httponly=True,
        samesite="strict",
        secure="https" in (request.url.scheme, request.headers.get("X-Forwarded-Proto")),
    )
    return response


def drop_cookie(request: Request) -> Response:
    """Take a cookie back that is worth nothing any more; 409 for one that somebody is signed in by."""
    token = request.cookies.get(cookie_name())
    if token and known_by_token(store(), token) is not None:
        return Response(status_code=409)
    response = Response(status_code=204, headers={"Cache-Control": "no-store"})
    response.delete_cookie(cookie_name(), path=_base(), httponly=True, samesite="strict")
    return response


def routes() -> list[Route]:
    """What the server answers besides the pages."""
    return [Route(_path(), set_cookie, methods=["POST"]), Route(_path(), drop_cookie, methods=["DELETE"])]


def hand_in(ticket: str) -> None:
    """Have the browser send the ticket. Drawn once or several times: a ticket is sent once."""
    _component()(key="re2nn_session", data={"ticket": ticket, "header": TICKET_HEADER, "path": _path()}, height=0)


def keep(what: str, value: str) -> None:
    """Have the browser keep a value for a year, for pages that begin later. It is no secret and gives no access."""
    _component()(key=f"re2nn_kept_{what}", data={"kept": _kept_cookie(what), "name": value, "path": _base()}, height=0)


def kept(what: str) -> str:
    """The value that the browser has kept; empty for none."""
    found = st.context.cookies.get(_kept_cookie(what))
    return unquote(found).strip()[:_LONGEST_KEPT] if isinstance(found, str) else ""


def _kept_cookie(what: str) -> str:
    return f"{cookie_name()}_{what}"


def take_back() -> None:
    """Have the browser give up the cookie of a sign-in that has ended."""
    _component()(key="re2nn_session_end", data={"path": _path()}, height=0)


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    js = (ASSETS / "session.js").read_text(encoding="utf-8")
    return st.components.v2.component("re2nn_session", js=js)
