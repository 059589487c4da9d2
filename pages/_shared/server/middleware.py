"""Stands before every route of the server, Streamlit's own too: asks what the table of doors says.

Pages are asked for by the web socket, where the gate stands. All else that Streamlit answers would go past it.
"""

from __future__ import annotations

import logging

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages._shared.server.doors import UPLOADS, door_of
from pages._shared.server.hosts import refused_host, refused_origin
from pages._shared.server.uploads import Uploads
from pages._shared.server.visitors import is_let_in

SIGN_IN_FIRST = "Sign in to the application first, in this browser."
CLOSED = "This server does not publish metrics. Watch the process, or request /_stcore/health."
# Nobody else's page shows this one in a frame of its own, where clicks can be led astray.
HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'self'",
    "X-Frame-Options": "SAMEORIGIN",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
Refusal = tuple[int, str]
_log = logging.getLogger(__name__)


class Doorkeeper:
    """Lets a request through to the application, or answers why not."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._uploads = Uploads()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; everything else that servers speak of goes through."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        refusal = await _refusal(request)
        if refusal is not None:
            await _refuse(refusal, scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "PUT" and UPLOADS in scope["path"]:
            await self._take_in(request, receive, send)
        else:
            await self._app(scope, receive, _guarded(send))

    async def _take_in(self, request: HTTPConnection, receive: Receive, send: Send) -> None:
        session = request.scope["path"].partition(UPLOADS)[2].partition("/")[0]
        with self._uploads.coming(session, request.headers.get("content-length")) as full:
            if full:
                await _refuse((413, full), request.scope, receive, send)
            else:
                await self._app(request.scope, receive, _guarded(send))


def middleware() -> list[Middleware]:
    """What the application puts before its routes."""
    return [Middleware(Doorkeeper)]


async def _refusal(request: HTTPConnection) -> Refusal | None:
    """The status and the words for a request that may not go on."""
    door = door_of(request.scope["path"], st.get_option("server.baseUrlPath") or "")
    if not door.any_host and (why := refused_host(request.headers)):
        return 403, why
    if why := refused_origin(request.headers):
        _log.warning("Refused a request that comes from %r: %s", request.headers.get("origin"), why)
        return 403, why
    if door.asks == "closed":
        return 403, CLOSED
    if door.asks == "sign-in" and not await run_in_threadpool(is_let_in, request):
        return 401, SIGN_IN_FIRST
    return None


async def _refuse(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        # Before it was accepted: the server answers 403.
        await send({"type": "websocket.close", "code": 1008})
        return
    status, why = refusal
    response = PlainTextResponse(why + "\n", status, {"Cache-Control": "no-store"})
    await response(scope, receive, _guarded(send))


def _guarded(send: Send) -> Send:
    """Sends what it is given, an answer with the headers that all of them have."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
