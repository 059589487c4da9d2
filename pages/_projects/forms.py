"""New projects: from a file of texts with a preview and a choice of columns, from pasted lines, from an
archive.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from pages._projects.parts import (
    Keys,
    choose_keys,
    choose_name_and_words,
    choose_task,
    draw_create,
    draw_notes,
    offer_hold_out,
    open_new,
)
from pages._projects.slot_filling import SLOT_FILES, draw_annotated_file, draw_unannotated
from pages._shared.components.left_out import draw_left_out
from pages._shared.components.table_file import NOTHING, read_pasted, read_table_file
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import access, state
from re2nn_core.exchange.annotation_tools.annotated import WantedParts
from re2nn_core.exchange.corpora import CorpusRead
from re2nn_core.exchange.slot_filling.corpora import looks_like_slots
from re2nn_core.exchange.tables.table import FORMATS, Table
from re2nn_core.services.projects.projects import (
    Upload,
    corpus_of,
    create_from_corpus,
    import_archive,
    read_upload,
)
from re2nn_core.services.projects.refused_labels import refused_labels
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.task import Task
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import suggested_kind

FILE_TYPES = (*FORMATS, *SLOT_FILES, "spacy", "zip")
_READ = "_new_file_read"  # the uploaded file as it was read, while it stands in the box
_PREVIEW_ROWS = 6


def new_project() -> None:
    """The three ways to a new project."""
    st.subheader("New project", anchor=False)
    if (why := access.why_not("owner")) is not None:
        html(f'<div class="re2-muted">{escape(why)}</div>')
        return
    from_file, pasted, archive = st.tabs(["From a file", "From pasted texts", "From an archive"])
    with from_file:
        _from_file()
    with pasted:
        _from_paste()
    with archive:
        _from_archive()


def _from_file() -> None:
    uploaded = st.file_uploader(
        f"Texts, one per row: {', '.join(FORMATS)}; with slots: JSON lines, CoNLL or a column of spans; "
        "exports of Label Studio, Prodigy, doccano and spaCy; zipped Hugging Face folders. Labels, spans and "
        f"splits are imported. At most {st.get_option('server.maxUploadSize')} MB; for larger files use `re2nn "
        "import`.",
        type=list(FILE_TYPES),
        key="new_file",
    )
    if uploaded is None:
        st.session_state.pop(_READ, None)
        return
    data, name = uploaded.getvalue(), uploaded.name
    keys = choose_keys(name, len(data))
    stem, marked = name.rsplit(".", 1)[0], looks_like_slots(data, name, WantedParts(Task.SLOT_FILLING, *keys))
    # Spans that only a named key shows are a new guess at the task.
    by_name = "_named" if marked and any(keys) else ""
    found = Task.SLOT_FILLING if marked else Task.CLASSIFICATION
    task = choose_task(found, key=f"new_task_{name}_{len(data)}{by_name}")
    if marked and task == Task.SLOT_FILLING:
        draw_annotated_file(data, name, stem, keys)
        return
    upload = read_table_file(
        lambda encoding, header: _upload(data, name, encoding, header, keys), f"{name}_{len(data)}", "new"
    )
    if upload is None:
        return
    _preview(upload.table)
    read = _choose_columns(upload, keys, labels=_KINDS[task].labels)
    if read is not None:
        _KINDS[task].draw(read, stem, "file", stem, upload.table.notes)


def _upload(data: bytes, name: str, encoding: str | None, header: bool | None, keys: Keys) -> Upload:
    """The file as a table, with a bar while it is read; a rerun of the page finds it read."""
    key = (hashlib.sha256(data).digest(), name)
    if st.session_state.get(_READ, (None,))[0] != key:
        st.session_state[_READ] = (key, {})
    known: dict[tuple[str | None, bool | None, Keys], Upload] = st.session_state[_READ][1]
    if (encoding, header, keys) not in known:
        bar = st.progress(0.0, "Reading the file")
        try:
            reported = lambda share: bar.progress(min(1.0, share), "Reading the file") and None  # noqa: E731
            known[encoding, header, keys] = read_upload(
                data,
                name,
                encoding=encoding,
                header=header,
                text_column=keys.text,
                label_column=keys.annotations,
                on_progress=reported,
            )
        finally:
            bar.empty()
    return known[encoding, header, keys]


def _from_paste() -> None:
    text = st.text_area("Texts, one per line", key="new_paste", height=160, placeholder="One text per line")
    if not (text or "").strip():
        return
    read = read_pasted(text or "")
    if read is None:
        return
    task = choose_task(Task.CLASSIFICATION, key="new_task_paste")
    _KINDS[task].draw(read, "My texts", "paste", "pasted", ())


def _from_archive() -> None:
    uploaded = st.file_uploader("A project exported as .zip", type=["zip"], key="new_archive")
    if uploaded is not None and st.button("Import archive", key="import", type="primary"):
        with messages.guard("Importing the archive") as outcome:
            project = import_archive(store(), uploaded.getvalue(), state.person())
        if outcome.ok:
            open_new(project)


def _preview(table: Table) -> None:
    for note in table.notes:
        st.caption(messages.note(note))
    st.dataframe(
        pd.DataFrame(list(table.rows[:_PREVIEW_ROWS]), columns=list(table.columns)),
        hide_index=True,
        height="content",
    )


def _choose_columns(upload: Upload, keys: Keys, *, labels: bool) -> CorpusRead | None:
    named = "".join(f"_by_{name}" for name in keys if name)  # what a person names is a new choice
    columns = list(upload.table.columns)
    optional = [NOTHING, *columns]
    first, second, third = st.columns(3)
    guess = upload.guess.text
    texts = [*columns, *upload.guess.turns]
    texts = texts if guess in texts else [guess, *texts]  # several that a person joins are none of them
    text = first.selectbox("Texts", texts, index=texts.index(guess), key=f"new_text{named}")
    label: str | None = NOTHING
    if labels:
        given = upload.guess.label or NOTHING
        labelled = optional if given in optional else [*optional, given]  # a column for each label is none of them
        labelled = [*labelled, ",".join(upload.guess.candidates)] if upload.guess.are_ticked else labelled
        label = second.selectbox("Labels", labelled, index=labelled.index(given), key=f"new_label{named}")
    split = third.selectbox(
        "Split (train, dev, test)",
        optional,
        index=optional.index(upload.guess.split or NOTHING),
        key="new_split",
    )
    chosen = replace(
        upload.guess,
        text=text or columns[0],
        label=None if label == NOTHING else label,
        split=None if split == NOTHING else split,
    )
    st.caption(messages.plain(f"Columns read: {chosen.in_words()}."))
    has_html = any(column.markup for column in chosen.columns if column.name in chosen.texts)
    strip_html = has_html and st.checkbox("Remove HTML from texts", key="new_strip_html")
    chosen = replace(chosen, html_removed=bool(strip_html))
    for remark in chosen.remarks if labels else ():
        st.caption(messages.note(remark))
    if labels and chosen.lists_of_labels:
        st.warning(messages.plain(chosen.lists_of_labels))
    if labels and chosen.question:
        st.warning(messages.plain(f"{chosen.question} Choose one under Labels."))
    with messages.guard("Reading the columns") as outcome:
        read = corpus_of(
            upload.table,
            text_column=chosen.text,
            label_column=chosen.label,
            split_column=chosen.split,
            strip_html=chosen.html_removed,
        )
    return read if outcome.ok else None


def _summary(read: CorpusRead, name: str, way: str, reported: Sequence[str]) -> None:
    """What the project would hold: counts, labels, rows left out, and notes that were not told above."""
    labels = read.corpus.labels
    palette = Palette(labels)
    chips = " ".join(palette.chip(label) for label in labels[:40])
    more = f" and {len(labels) - 40:,} more" if len(labels) > 40 else ""
    known = f"{counted(len(labels), 'label')}: {chips}{more}" if labels else "no labels yet"
    html(f"<b>{len(read.corpus):,}</b> {'text' if len(read.corpus) == 1 else 'texts'}, {known}")
    if refused := refused_labels(labels):
        st.warning(messages.plain(refused))
    draw_left_out(read.bad_rows, name, way)
    draw_notes([note for note in read.notes if note not in reported])


def _create(read: CorpusRead, name: str, way: str) -> None:
    chosen, tokenization = choose_name_and_words(read.corpus.texts, name, suggested_kind(read.corpus.texts[:200]), way)

    def create(suggest: bool) -> ProjectRecord:
        with st.spinner(f"Storing {counted(len(read.corpus), 'text')}"):
            return create_from_corpus(
                store(),
                name=chosen,
                read=read,
                tokenization=tokenization,
                person=state.person(),
                suggest_rules=suggest,
            )

    draw_create(way, create, suggests=bool(read.corpus.labels))


def _draw_labelled(read: CorpusRead, name: str, way: str, left_out: str, reported: Sequence[str]) -> None:
    _summary(read, left_out, way, reported)
    _create(replace(read, corpus=offer_hold_out(read.corpus, way)), name, way)


@dataclass(frozen=True)
class _Kind:
    """What becomes of texts in a table or pasted ones, and whether one of its columns may hold labels."""

    labels: bool
    draw: Callable[[CorpusRead, str, str, str, Sequence[str]], None]


_KINDS = {
    Task.CLASSIFICATION: _Kind(True, _draw_labelled),
    Task.SLOT_FILLING: _Kind(False, lambda read, name, way, *_: draw_unannotated(read, name, way)),
}
