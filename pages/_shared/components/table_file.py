"""A file of texts read as a table, and pasted texts: with the choice of an encoding where it cannot be read, and of
whether the first row names the columns where that is not clear."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages._shared.drawing import messages
from re2nn_core.exchange.corpora import CorpusRead
from re2nn_core.exchange.tables.decoding import EncodingError
from re2nn_core.exchange.tables.foreign_texts import ForeignTextError
from re2nn_core.services.projects.projects import Upload, corpus_of, read_upload

NOTHING = "(none)"
ENCODINGS = ("utf-8", "cp1252", "latin-1", "utf-16", "gb18030", "big5", "shift_jis")


def read_table_file(
    read: Callable[[str | None, bool | None], Upload], file: str, key: str, **kept: Any
) -> Upload | None:
    """The file as a table, by `read` with an encoding and whether the first row names the columns, None for what it
    looks like. `file` tells it from other files, `key` begins the keys of the inputs, `kept` is how long they stay."""
    chosen = st.session_state.get(f"{key}_encoding", NOTHING)
    encoding = None if chosen == NOTHING else chosen
    with messages.guard("Reading the file") as outcome:
        upload = read(encoding, None)
    if not outcome.ok:
        if encoding is not None or isinstance(outcome.error, EncodingError):
            st.selectbox("Encoding of the file", [NOTHING, *ENCODINGS], key=f"{key}_encoding", width=260)
        return None
    found = upload.table.had_header
    if not upload.may_have_header:
        return upload
    if st.toggle("First row contains column names", value=found, key=f"{key}_header_{file}", **kept) == found:
        return upload
    with messages.guard("Reading the file") as outcome:
        upload = read(encoding, not found)
    return upload if outcome.ok else None


def read_pasted(text: str) -> CorpusRead | None:
    """Texts that are pasted, one a line, also where they look like a file of another kind, which is then shown; None
    where they cannot be read."""
    data, name = text.encode("utf-8", "replace"), "pasted.txt"
    with messages.guard("Reading the texts") as outcome:
        try:
            upload = read_upload(data, name)
        except ForeignTextError as error:
            upload = read_upload(data, name, format="txt")
            kind = str(error).partition(". ")[0].replace(f"'{name}' looks", "The pasted text looks")
            st.warning(messages.plain(f"{kind}. Each line was read as a text."))
        guess = upload.guess
        read = corpus_of(upload.table, text_column=guess.text, label_column=guess.label, split_column=None)
    return read if outcome.ok else None
