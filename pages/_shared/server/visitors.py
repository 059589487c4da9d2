"""Who sends a request, by its cookies: what the gate finds for a page, for all that is no page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st
from starlette.requests import HTTPConnection
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks

from pages._shared.resources import store
from pages._shared.session.browser_session import cookie_name
from pages._shared.session.reachable import reachable
from re2nn_core.errors import NotAllowedError
from re2nn_core.services.team import sign_in as signing


def is_let_in(request: HTTPConnection) -> bool:
    """Whether a request comes from somebody who has signed in, or from a place where nobody needs to. Asks the
    database."""
    if not signing.needs_sign_in(store(), reachable=reachable(request.headers)):
        return True
    token = request.cookies.get(cookie_name())
    if token and signing.known_by_token(store(), token) is not None:
        return True
    claims = _claims(request.cookies)
    try:
        return claims is not None and signing.known_by_claims(store(), claims) is not None
    except NotAllowedError:
        return False


def _claims(cookies: Mapping[str, str]) -> Mapping[str, Any] | None:
    """What an OpenID Connect provider says of somebody, in the cookie that Streamlit has signed."""
    if USER_COOKIE_NAME not in cookies or not (st.secrets.load_if_toml_exists() and st.secrets.get("auth")):
        return None
    signed = _get_signed_cookie_with_chunks(dict(cookies), USER_COOKIE_NAME)
    try:
        claims = None if signed is None else json.loads(signed)
    except ValueError:
        return None
    return claims if isinstance(claims, dict) and claims.get("is_logged_in") is True else None
