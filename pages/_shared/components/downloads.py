"""Files that people take along. What they get is what was asked for at that moment, and only who may still have it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Literal

import streamlit as st

from pages._shared.session import permission
from re2nn_core.errors import ConflictError, NotAllowedError

Content = str | bytes
# The samples by which Streamlit tells large files apart cover a file of this size.
_SAMPLES = 3 * 64 * 1024


def download(
    title: str,
    data: Content | Callable[[], Content],
    name: str,
    kind: str,
    *,
    key: str,
    type: Literal["primary", "secondary"] = "secondary",
    why_not: str | None = None,
) -> None:
    """In place of `st.download_button`: a button that hands over the file `name`, whose content may be made on the
    click. `kind`: the media type. `why_not`: why there is no such file now, shown on the button, which is disabled.

    Streamlit tells files of over 1 MiB apart by length, name, type and three samples, and keeps the first. So the type
    says more: the digest of the content, or for what is made on a click a mark of its own each time it is drawn.
    """
    mark = secrets.token_hex(8) if callable(data) else _digest(data)
    st.download_button(
        title,
        _Making(data, permission.now()) if callable(data) else data,
        name,
        f"{kind}; mark={mark}",
        key=key,
        type=type,
        icon=":material/download:",
        on_click="ignore",
        disabled=why_not is not None,
        help=why_not,
    )


class _Making:
    """Makes a file on a click, as often as there is one."""

    def __init__(self, make: Callable[[], Content], drawn_for: permission.Permission) -> None:
        self._make, self._drawn_for = make, drawn_for
        # Length -> digest of what was made under the same mark.
        self._made: dict[int, str] = {}

    def __call__(self) -> Content:
        """The content. NotAllowedError for who may not have it any more, ConflictError where Streamlit would hand over
        what was made before."""
        if not permission.holds(self._drawn_for):
            raise NotAllowedError("Your permissions have changed. Reload the page.")
        content = self._make()
        digest = _digest(content)
        if len(content) > _SAMPLES and self._made.setdefault(len(content), digest) != digest:
            raise ConflictError("The content has changed. Reload the page, then download it.")
        return content


def _digest(content: Content) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content).hexdigest()
