"""What leaves is what is there: two files of one length that differ in one byte are never taken for each other."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from support.app.page_parts import Part, every_part

from pages._shared.components import downloads
from pages._shared.session import permission
from re2nn_core.errors import ConflictError, NotAllowedError

DOWNLOADS = [part for part in every_part() if part.kind == "download"]
SIZES = {"small": 1000, "over 1 MiB": 3 * 1024 * 1024, "a byte over": 1024 * 1024 + 1}
NAME = "texts.csv"


class Server:
    """Streamlit's own store of files, as a page fills it and a browser asks for it."""

    def __init__(self) -> None:
        self.storage = MemoryMediaFileStorage("/media")
        self.files = MediaFileManager(self.storage)
        self.types: list[str] = []

    def button(self, title: str, data: object, name: str, kind: str, **_: object) -> None:
        """What st.download_button does with its data."""
        self.types.append(kind)
        self.click: Callable[[], str]
        if callable(data):
            drawn = self.files.add_deferred(data, kind, "at", file_name=name)
            self.click = lambda: self.files.execute_deferred(drawn)
        else:
            content = data.encode() if isinstance(data, str) else data
            assert isinstance(content, bytes)
            url = self.files.add(content, kind, "at", file_name=name, is_for_static_download=True)
            self.click = lambda: url

    def taken(self) -> bytes:
        return self.storage.get_file(self.click().removeprefix("/media/")).content


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    made = Server()
    monkeypatch.setattr(st, "download_button", made.button)
    monkeypatch.setattr(permission, "holds", lambda was: True)
    return made


def middle_changed(content: bytes) -> bytes:
    """One byte that is in none of the samples."""
    place = len(content) // 3
    return content[:place] + b"!" + content[place + 1 :]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("how", ["bytes", "text", "made on a click"])
@pytest.mark.parametrize("part", DOWNLOADS, ids=lambda part: part.place)
def test_a_byte_makes_another_file(server: Server, part: Part, how: str, size: str) -> None:
    """As each place does it: under one name and type, drawn anew after the change."""
    before = b"a" * SIZES[size]
    after = middle_changed(before)
    for content in (before, after, before):
        data = {"bytes": content, "text": content.decode(), "made on a click": lambda content=content: content}[how]
        downloads.download(part.what, data, NAME, "text/csv", key="one")
        assert server.taken() == content


def test_streamlits_own_button_would_take_them_for_each_other(server: Server) -> None:
    before = b"a" * SIZES["over 1 MiB"]
    for content in (before, middle_changed(before)):
        server.button("Texts", content, NAME, "text/csv")
        assert server.taken() == before


def test_what_is_made_twice_by_one_button_is_never_the_former(server: Server) -> None:
    """Somebody else labels between two clicks."""
    first = b"a" * SIZES["over 1 MiB"]
    contents = iter([first, first, first + b"b", b"few", b"new", middle_changed(first)])
    downloads.download("Texts", lambda: next(contents), NAME, "text/csv", key="one")
    assert server.taken() == first
    assert server.taken() == first
    assert server.taken() == first + b"b"
    assert [server.taken(), server.taken()] == [b"few", b"new"]
    with pytest.raises(Exception, match="has changed. Reload the page") as refused:
        server.taken()
    assert isinstance(refused.value.__cause__, ConflictError)


def test_what_may_be_seen_no_more_is_not_made(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    downloads.download("Texts", lambda: made.append(1) or b"labels", NAME, "text/csv", key="one")
    monkeypatch.setattr(permission, "holds", lambda was: False)
    with pytest.raises(Exception, match="Your permissions have changed") as refused:
        server.taken()
    assert isinstance(refused.value.__cause__, NotAllowedError)
    assert made == []


def test_names_stay_readable_and_types_are_types(server: Server) -> None:
    downloads.download("Texts", b"a", NAME, "text/csv", key="one")
    assert server.storage.get_file(server.click().removeprefix("/media/")).filename == NAME
    assert re.fullmatch(r"text/csv; mark=[0-9a-f]{64}", server.types[0])
