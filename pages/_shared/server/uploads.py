"""How much the files of a session, and those of all sessions, may take up while the server holds them in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import streamlit as st
from streamlit import runtime

_MIB = 1024 * 1024
# In files of the largest size that may be uploaded (server.maxUploadSize).
OF_SESSION, OF_SERVER = 5, 20
FULL = {
    "session": "The files of this session reach its limit. Reload the page to remove them.",
    "server": "Files of all sessions reach the limit of this server. Try again in some minutes.",
}


class Uploads:
    """What is held, and what is on its way."""

    def __init__(self) -> None:
        self._coming: Counter[str] = Counter()

    @contextmanager
    def coming(self, session: str, length: str | None) -> Iterator[str]:
        """Keep room for a file while it comes; why there is none, empty where there is. `length` as the request says
        it: a file without one may be as large as any."""
        size = int(length) if length is not None and length.isascii() and length.isdigit() else largest()
        refused = self._refused(session, size)
        if refused:
            yield refused
            return
        self._coming[session] += size
        try:
            yield ""
        finally:
            self._coming[session] -= size
            if not self._coming[session]:
                del self._coming[session]

    def _refused(self, session: str, size: int) -> str:
        held = Counter(_held())
        held.update(self._coming)
        if held[session] + size > OF_SESSION * largest():
            return FULL["session"]
        return FULL["server"] if held.total() + size > OF_SERVER * largest() else ""


def largest() -> int:
    """The bytes of the largest file that may be uploaded."""
    return int(st.get_option("server.maxUploadSize")) * _MIB


def _held() -> Mapping[str, int]:
    """Session -> the bytes of its files that the server has in memory."""
    held: Any = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    sessions = {} if held is None else held.file_storage.copy()
    return {session: sum(len(file.data) for file in files.copy().values()) for session, files in sessions.items()}
