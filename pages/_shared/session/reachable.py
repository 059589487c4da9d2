"""Whether others than this machine's own people may be in front of a page."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address

import streamlit as st

# What a proxy adds for a request from elsewhere.
_FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Forwarded")


def reachable(headers: Mapping[str, str]) -> bool:
    """Whether the server listens on an address that other machines reach, or was asked under one. `headers` of the
    request, under whatever case of letters."""
    asked_for = (headers.get("Host") or "localhost").rsplit("@", 1)[-1]
    return not (
        is_local(st.get_option("server.address") or "")
        and is_local(_without_port(asked_for))
        and not any(name in headers for name in _FORWARDED)
    )


def is_local(address: str) -> bool:
    """Whether an address can be reached from this machine alone."""
    if address.rstrip(".").lower() == "localhost":
        return True
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]
