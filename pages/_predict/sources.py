"""Where the texts come from: a file, pasted lines, or the project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar, get_args

import streamlit as st

from pages._shared.cached.models import records_of
from pages._shared.components.left_out import draw_left_out
from pages._shared.components.table_file import NOTHING, read_pasted, read_table_file
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from re2nn_core.exchange.corpora import CorpusRead
from re2nn_core.exchange.slot_filling.corpora import SlotCorpusRead, looks_like_slots
from re2nn_core.exchange.tables.table import Table
from re2nn_core.services.prediction.table_rows import SourceRows, source_of
from re2nn_core.services.projects.projects import Upload, corpus_of, read_upload
from re2nn_core.services.values.stored import ProjectRecord, TextRecord
from re2nn_core.text.tokenization import Tokenization

Gold = TypeVar("Gold")
Way = Literal["file", "paste", "project"]
_TITLES: dict[Way, str] = {"file": "A file", "paste": "Pasted texts", "project": "Texts of this project"}
_KEPT = "_predict_file"
PASTED = "pasted texts"


@dataclass(frozen=True)
class Given(Generic[Gold]):
    """The texts to predict. `gold` are the labels or spans they came with, None where nobody has given any; `source`
    the rows they stood in; `ids` those of the project's texts."""

    texts: tuple[str, ...]
    gold: tuple[Gold | None, ...]
    lines: tuple[int, ...]
    source: SourceRows | None
    name: str
    ids: tuple[int, ...] = ()
    splits: tuple[str | None, ...] = ()

    @property
    def of_project(self) -> bool:
        return bool(self.ids)

    @property
    def labelled(self) -> bool:
        return any(gold is not None for gold in self.gold)


@dataclass(frozen=True)
class Reading(Generic[Gold]):
    """What texts may come with.

    types     the endings of the files that can be given
    stored    what a text of the project has
    read      what the texts of a table or of pasted lines came with
    labels    whether a column of a table may hold it
    marked    reads a file with spans that is no table; None where none is expected
    files     what files may hold, for the page without texts
    """

    types: Sequence[str]
    stored: Callable[[TextRecord], Gold | None]
    read: Callable[[CorpusRead], tuple[Gold | None, ...]]
    labels: bool = True
    marked: Callable[[KeptFile, Tokenization], Given[Gold] | None] | None = None
    files: str = ""


@dataclass(frozen=True)
class KeptFile:
    """An uploaded file, kept while the session lasts, so that a look at another page does not lose it."""

    name: str
    data: bytes


def _choose_way() -> Way:
    """Where the texts are to come from."""
    way = st.segmented_control(
        "Source of the texts",
        get_args(Way),
        format_func=_TITLES.__getitem__,
        default="file",
        required=True,
        key="predict_way",
        persist_state="session",
        label_visibility="collapsed",
    )
    return way or "file"


def choose_texts(project: ProjectRecord, reading: Reading[Gold]) -> Given[Gold] | None:
    """The texts that were chosen; None while there are none."""
    way = _choose_way()
    if way == "project":
        return given_by_project(project, reading)
    if way == "file":
        return _from_file(project, reading)
    read = _pasted_texts()
    return None if read is None else _given(read, reading, None, PASTED)


def given_by_project(project: ProjectRecord, reading: Reading[Gold]) -> Given[Gold] | None:
    """The project's texts; where there are none the page says so."""
    records = records_of(project)
    if not records:
        messages.empty("This project has no texts.", "Choose a file, or paste some texts.")
        return None
    return Given(
        texts=tuple(record.text for record in records),
        gold=tuple(map(reading.stored, records)),
        lines=tuple(range(1, len(records) + 1)),
        source=_stored_rows(records, labels=reading.labels),
        name=project.name,
        ids=tuple(record.id for record in records),
        splits=tuple(record.split for record in records),
    )


def _stored_rows(records: Sequence[TextRecord], *, labels: bool) -> SourceRows:
    """Texts with their splits and labels, as far as any text has them, so that a download has them too."""
    columns = {"text": [record.text for record in records]}
    columns |= {"split": [record.split for record in records]}
    if labels:
        columns["label"] = [record.label for record in records]
    known = {name: cells for name, cells in columns.items() if any(cell is not None for cell in cells)}
    return SourceRows(tuple(known), tuple(zip(*known.values(), strict=True)))


def _pasted_texts() -> CorpusRead | None:
    """Texts that are pasted, one a line."""
    text = st.text_area(
        "Texts, one per line",
        key="predict_paste",
        persist_state="session",
        height=120,
        placeholder="One text per line",
        label_visibility="collapsed",
    )
    # Whoever clicks it leaves the box, and with that the box hands its texts over.
    st.button("Predict texts", key="predict_paste_go", help="Or Ctrl+Enter in the box")
    if not (text or "").strip():
        return None
    return read_pasted(text or "")


def _from_file(project: ProjectRecord, reading: Reading[Gold]) -> Given[Gold] | None:
    """Texts with spans where the file holds any, else a column of texts."""
    left, right = st.columns([9, 10], gap="medium", vertical_alignment="center")
    with left:
        kept = _uploaded_file(reading.types)
    if kept is None:
        return None
    if reading.marked is not None and looks_like_slots(kept.data, kept.name):
        return reading.marked(kept, project.tokenization)
    with right:
        upload = read_table_file(
            lambda encoding, header: _table(kept.data, kept.name, encoding, header),
            f"{kept.name}_{len(kept.data)}",
            "predict",
            persist_state="session",
        )
        read = None if upload is None else _choose_columns(upload, reading.labels)
    if read is None or upload is None:
        return None
    draw_notes(read, kept.name)
    return _given(read, reading, source_of(upload.table, read.lines), kept.name)


def _uploaded_file(formats: Sequence[str]) -> KeptFile | None:
    """The file that was given now, or the one kept from before."""
    given = st.file_uploader(
        f"File of texts: {', '.join(formats)}", type=list(formats), key="predict_upload", label_visibility="collapsed"
    )
    if given is not None:
        st.session_state[_KEPT] = KeptFile(given.name, given.getvalue())
        return st.session_state[_KEPT]
    kept: KeptFile | None = st.session_state.get(_KEPT)
    if kept is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            html(f"Last file: <b>{escape(kept.name)}</b>")
            if st.button("Remove file", key="predict_remove", icon=":material/close:", type="tertiary"):
                del st.session_state[_KEPT]
                st.rerun()
    return kept


@st.cache_resource(show_spinner="Reading the file", max_entries=6)
def _table(data: bytes, name: str, encoding: str | None, header: bool | None) -> Upload:
    return read_upload(data, name, encoding=encoding, header=header)


def _choose_columns(upload: Upload, labels: bool) -> CorpusRead | None:
    columns = list(upload.table.columns)
    optional = [NOTHING, *columns]
    stem = f"{upload.table.name}_{len(upload.table.rows)}"
    with st.container(horizontal=True):
        text = st.selectbox(
            "Texts", columns, index=columns.index(upload.guess.text), key=f"predict_text_{stem}", width=220
        )
        label: str | None = NOTHING
        if labels:
            given = upload.guess.label or NOTHING
            optional = optional if given in optional else [*optional, given]  # a column for each label is none of them
            label = st.selectbox(
                "Labels (optional)",
                optional,
                index=optional.index(given),
                key=f"predict_label_{stem}",
                width=220,
                help="Then the page shows how many predictions are correct.",
            )
    with messages.guard("Reading the columns") as outcome:
        read = _corpus(
            upload.table, text or upload.guess.text, None if label in (NOTHING, text) else label, upload.table.name
        )
    return read if outcome.ok else None


@st.cache_resource(show_spinner=False, max_entries=6, hash_funcs={Table: id})
def _corpus(table: Table, text: str, label: str | None, name: str) -> CorpusRead:
    return corpus_of(table, text_column=text, label_column=label, split_column=None)


def draw_notes(read: CorpusRead | SlotCorpusRead, name: str) -> None:
    """What was decided on the way, and every row that was left out with its line and the reason."""
    for note in read.notes[:6]:
        st.caption(messages.note(note))
    if read.bad_rows:
        rows = f"{len(read.bad_rows):,} row{'' if len(read.bad_rows) == 1 else 's'}"
        others = "the other one is" if len(read.corpus) == 1 else f"the other {len(read.corpus):,} are"
        with st.expander(f"{rows} left out; {others} predicted", icon=":material/warning:"):
            draw_left_out(read.bad_rows, name.rsplit(".", 1)[0], "predict", folded=False)


def _given(read: CorpusRead, reading: Reading[Gold], source: SourceRows | None, name: str) -> Given[Gold]:
    return Given(read.corpus.texts, reading.read(read), read.lines, source, name)
