"""Under which names the server answers, and to whose pages: no site may use it through somebody's browser."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from pages._shared.session.reachable import is_local

WRONG_HOST = (
    "This server is not available under this name. Its operator can allow it: re2nn app --allow-host NAME, or "
    "server.allowedHosts in .streamlit/config.toml."
)
WRONG_ORIGIN = (
    "This request comes from a page of another address. Behind a proxy, pass the Host header on unchanged, or "
    "add the address to server.corsAllowedOrigins in .streamlit/config.toml."
)
_USUAL_PORTS = {"http": 80, "https": 443}


def refused_host(headers: Headers) -> str:
    """Why the name that was asked for is refused; empty where it is allowed."""
    return "" if is_host_allowed(headers.get("host")) else WRONG_HOST


def refused_origin(headers: Headers) -> str:
    """Why the page that asks is refused; empty for a page of this server, and for what is no page."""
    origin = headers.get("origin")
    if origin is None or _same_place(origin, headers.get("host") or ""):
        return ""
    allowed = {one.rstrip("/").lower() for one in st.get_option("server.corsAllowedOrigins") or ()}
    return "" if origin.lower() in allowed or _is_named(origin) else WRONG_ORIGIN


def _same_place(origin: str, host: str) -> bool:
    """Whether a page has the address that was asked for, its port too."""
    try:
        page, asked = urlsplit(origin), urlsplit(f"//{host}")
        usual = _USUAL_PORTS.get(page.scheme)
        same_port = (page.port or usual) == (asked.port or usual)
    except ValueError:
        return False
    return page.hostname is not None and page.hostname == asked.hostname and same_port


def _is_named(origin: str) -> bool:
    """Whether it is what `browser.serverAddress` calls the server for others, which a proxy may have renamed."""
    named = str(st.get_option("browser.serverAddress") or "")
    return not is_local(named) and urlsplit(origin).hostname == named.lower()
