"""Texts of a file for a project that exists: what the file would add, and the button that adds it."""

from __future__ import annotations

import hashlib

import streamlit as st

from pages._projects.parts import choose_keys, choose_offsets, chosen_offsets
from pages._shared.components.left_out import draw_left_out
from pages._shared.components.table_file import ENCODINGS, NOTHING
from pages._shared.drawing import messages
from pages._shared.resources import store
from pages._shared.session import state
from re2nn_core.exchange.large_files import FileReading
from re2nn_core.exchange.tables.decoding import EncodingError
from re2nn_core.services.projects.exchanging import Imported, import_more
from re2nn_core.services.projects.import_report import imported_in_words
from re2nn_core.services.projects.uploads import on_disk
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.corpus import SPLITS
from re2nn_core.text.counting import counted

# What the file in the box would add: (what was asked, Imported); what was added last: (project, Imported).
_READ, _ADDED = "_more_file_read", "_texts_added"
# How many files were added, so that the box is empty behind each.
_ROUND = "_texts_added_round"
_SPLIT_HELP = "The split of rows that name none. Texts of the split test are not used for training."


def draw_add_texts(project: ProjectRecord, types: list[str]) -> None:
    """A box for a file of one of the `types`; with a file in it what would be added, and the button."""
    uploaded = st.file_uploader(
        "Add texts",
        type=types,
        key=f"more_file_{project.id}_{st.session_state.get(_ROUND, 0)}",
        help="Texts that the project already has with the same annotation are left out.",
    )
    if uploaded is None:
        _draw_added(project)
        return
    st.session_state.pop(_ADDED, None)
    data, name = uploaded.getvalue(), uploaded.name
    reading, again = _choose_reading(project, name, len(data))
    asked = (hashlib.sha256(data).digest(), name, project.id, project.updated_at, reading, again)
    kept = st.session_state.get(_READ, (None, None))
    with messages.guard("Reading the file") as outcome:
        if kept[0] != asked:
            kept = st.session_state[_READ] = (asked, _done(project, data, name, reading, again, write=False))
    found: Imported | None = kept[1] if outcome.ok else None
    if reading.encoding is not None or isinstance(outcome.error, EncodingError):
        st.selectbox("Encoding of the file", [NOTHING, *ENCODINGS], key=_key(project, "encoding"))
    if found is None:
        choose_offsets([str(outcome.error)], _of(project, name), len(data))
        return
    _draw_report(found)
    choose_offsets([note for read in found.files for note in read.notes], _of(project, name), len(data))
    if found.already or again:
        st.checkbox("Also add texts that the project already has", key=_key(project, "again"))
    if not st.button(
        f"Add {counted(found.added, 'text')}",
        key=_key(project, "add"),
        type="primary",
        icon=":material/add:",
        disabled=not found.added,
    ):
        return
    with messages.guard("Adding the texts") as outcome:
        added = _done(project, data, name, reading, again, write=True)
    if outcome.ok:
        st.session_state[_ADDED] = (project.id, added)
        st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
        st.session_state.pop(_READ, None)
        messages.remember(next(imported_in_words(added)))
        st.rerun()


def _choose_reading(project: ProjectRecord, name: str, size: int) -> tuple[FileReading, bool]:
    """How the file is read, by what a person chose, and whether texts that are there are added again."""
    keys = choose_keys(_of(project, name), size)
    split = st.selectbox("Split", [NOTHING, *SPLITS], key=_key(project, "split"), help=_SPLIT_HELP)
    encoding = st.session_state.get(_key(project, "encoding"), NOTHING)
    reading = FileReading(
        encoding=None if encoding == NOTHING else encoding,
        text_column=keys.text,
        label_column=keys.annotations,
        split=None if split == NOTHING else split,
        offsets=chosen_offsets(_of(project, name), size),
    )
    return reading, bool(st.session_state.get(_key(project, "again"), False))


def _done(
    project: ProjectRecord, data: bytes, name: str, reading: FileReading, again: bool, *, write: bool
) -> Imported:
    """What the file adds, or without `write` would add, with a bar beside it. DataFileError."""
    bar = st.progress(0.0, "Reading the file")
    try:
        with on_disk(data, name) as path:
            return import_more(
                store(),
                project,
                [path],
                person=state.person(),
                reading=reading,
                keep_doubles=again,
                write=write,
                on_progress=lambda share: bar.progress(min(1.0, share), "Reading the file") and None,
            )
    finally:
        bar.empty()


def _draw_added(project: ProjectRecord) -> None:
    """What was added last, until another file is chosen."""
    of, added = st.session_state.get(_ADDED, (None, None))
    if of == project.id:
        _draw_report(added)


def _draw_report(done: Imported) -> None:
    """The report of an import, as on the command line."""
    for line in imported_in_words(done):
        st.caption(messages.note(line))
    for read in done.files:
        for note in read.notes:
            st.caption(messages.note(note))
        draw_left_out(read.bad_rows, read.name, f"more_{done.project.id}")


def _key(project: ProjectRecord, what: str) -> str:
    return f"more_{what}_{project.id}"


def _of(project: ProjectRecord, name: str) -> str:
    """The file among those of other boxes of the page."""
    return f"{name}_{project.id}"
