"""Every address of the server, and what is asked of those who come to it. The first line that fits counts.

What is left open says why. The others open to the cookie of a sign-in, where people sign in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pages._shared.session.browser_session import SESSION

Asks = Literal["sign-in", "nothing", "closed"]


@dataclass(frozen=True)
class Door:
    """`path`: an address below the server's base, or with a star the beginning of addresses. `any_host`: whether it
    answers under any name of the server."""

    path: str
    asks: Asks
    why: str
    any_host: bool = False

    def fits(self, path: str) -> bool:
        """Whether an address is one of this line."""
        return path.startswith(self.path[:-1]) if self.path.endswith("*") else path == self.path


UPLOADS = "/_stcore/upload_file/"
REST = "/*"
DOORS: Sequence[Door] = (
    Door("/_stcore/health", "nothing", "load balancers ask, by whatever name; it says ok and no more", any_host=True),
    Door("/_stcore/host-config", "nothing", "the browser asks before it can draw a form; settings of Streamlit alone"),
    Door("/_stcore/stream", "nothing", "the web socket of the pages: the gate asks on every run, each fragment too"),
    Door("/_stcore/metrics", "closed", "how much everybody has in memory is nobody's business"),
    Door(f"{UPLOADS}*", "sign-in", "files of people; there is a limit for a session and for the server"),
    Door("/_stcore/*", "sign-in", "whatever else Streamlit serves"),
    Door("/media/*", "sign-in", "downloads and pictures"),
    Door("/component/*", "sign-in", "files of components"),
    Door("/app/*", "sign-in", "files next to the application, which are not served"),
    Door(
        SESSION, "nothing", "takes the ticket of a sign-in, which nobody can guess, and drops a cookie that has ended"
    ),
    Door("/re2nn/*", "sign-in", "whatever else the application serves"),
    Door("/auth/login", "nothing", "the way to an OpenID Connect provider"),
    Door("/auth/logout", "nothing", "the way out of it"),
    Door("/oauth2callback", "nothing", "the way back from it, which the provider signs"),
    Door(REST, "nothing", "the program's own scripts and styles and an empty page, which the form to sign in needs"),
)


def door_of(path: str, base: str = "") -> Door:
    """The line of an address; `base`: what stands before all addresses of the server."""
    base = base.strip("/")
    below = path.removeprefix(f"/{base}") if base and path.startswith(f"/{base}/") else path
    return next(door for door in DOORS if door.fits(below))
