"""The word lists of the draft: how many entries each has and how many come in the texts; upload, replace, edit."""

from __future__ import annotations

import streamlit as st

from pages._rules.analysis import texts
from pages._rules.draft import change_draft
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, html
from pages._shared.drawing.tables import html_table
from pages._shared.resources import store
from re2nn_core.services.rule_writing.draft import Draft, put_texts
from re2nn_core.services.rule_writing.long_alternatives import as_word_list, long_alternatives
from re2nn_core.services.rule_writing.word_lists import (
    ListName,
    Presence,
    StoredList,
    count_entries,
    edited_entries,
    list_columns,
    presence,
    stored_lists,
    uploaded,
    with_list,
)
from re2nn_core.services.values.stored import ProjectRecord
from re2nn_core.text.counting import counted
from re2nn_core.text.tokenization import Tokenization

_EDITED = 140  # height of the text field
_MOST_EDITED = 20_000  # entries that a text field takes without making the page slow


def draw_word_lists(project: ProjectRecord, draft: Draft) -> None:
    """The lists, a field to upload one, and one to edit them."""
    lists = stored_lists(draft.rules_text)
    if lists:
        rows = [_row(project, one) for one in lists]
        html(html_table(["List", "Entries", "In the texts"], rows, numbers=(1,)))
    else:
        st.markdown("A list is a file of words or phrases, one a line, or a column of a table.")
    _draw_upload(project)
    if lists:
        _draw_edit(project, lists)


def offer_word_list(project: ProjectRecord, draft: Draft) -> None:
    """Where somebody pasted a list into a rule: a button that makes a word list of it."""
    found = long_alternatives(draft.rules_text, lowercase=project.tokenization.lowercase)
    if found is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        html(f'<span class="re2-muted">Line {found.line:,} lists {len(found.entries):,} words and phrases.</span>')
        st.button(
            "Make a word list",
            key="rules_list_make",
            icon=":material/list:",
            help="The rule then names the list, and the editor stays short. The rules match the same texts.",
            on_click=_make_list,
            args=(project.id, project.tokenization.lowercase),
        )


def _make_list(project_id: int, lowercase: bool) -> None:
    change_draft(
        project_id,
        lambda draft: put_texts(draft, as_word_list(draft.rules_text, lowercase=lowercase), draft.logic_text),
    )


def _row(project: ProjectRecord, one: StoredList) -> list[str]:
    if not one.entries:
        return [f"<code>{escape(str(one.name))}</code>", "0", "upload it below"]
    found = _presence(store().url, project.id, len(texts(project)), project.tokenization, one.entries, project)
    shown = f"{found.entries:,} entries in {counted(found.texts, 'text')}"
    entries = count_entries(one.entries, lowercase=project.tokenization.lowercase)
    return [f"<code>{escape(str(one.name))}</code>", f"{entries:,}", shown]


@st.cache_data(show_spinner=False, max_entries=16)
def _presence(
    url: str,
    project_id: int,
    count: int,
    tokenization: Tokenization,
    entries: tuple[str, ...],
    _project: ProjectRecord,
) -> Presence:
    return presence(entries, (record.text for record in texts(_project)), tokenization)


def _draw_upload(project: ProjectRecord) -> None:
    given = st.file_uploader(
        "Upload a list", type=["txt", "csv", "tsv"], key="rules_list_file", help="A file of the same name is replaced."
    )
    if given is None:
        return
    content = given.getvalue()
    with messages.guard("Reading the list"):
        columns = list_columns(content, given.name)
        column = st.selectbox("Column", columns, key="rules_list_column") if columns else ""
        name = ListName(given.name, column or "")
        entries = uploaded(content, name)
        st.button(
            f"Use {counted(count_entries(entries, lowercase=project.tokenization.lowercase), 'entry', 'entries')}",
            key="rules_list_use",
            type="primary",
            on_click=_put,
            args=(project.id, name, entries),
        )


def _draw_edit(project: ProjectRecord, lists: tuple[StoredList, ...]) -> None:
    names = {str(one.name): one for one in lists}
    chosen = names[st.selectbox("Edit list", list(names), key="rules_list_chosen")]
    if len(chosen.entries) > _MOST_EDITED:
        st.markdown(f"A list of more than {_MOST_EDITED:,} entries is changed by an upload of the same name.")
        return
    key = f"rules_list_text_{hash((chosen.name, chosen.entries)):x}"
    text = st.text_area("Entries, one a line", "\n".join(chosen.entries), height=_EDITED, key=key)
    with messages.guard("Reading the list"):
        entries = edited_entries(text, chosen.name) if text.strip() or chosen.entries else ()
        st.button(
            "Apply to the rules",
            key="rules_list_apply",
            disabled=entries == chosen.entries,
            on_click=_put,
            args=(project.id, chosen.name, entries),
        )


def _put(project_id: int, name: ListName, entries: tuple[str, ...]) -> None:
    change_draft(
        project_id, lambda draft: put_texts(draft, with_list(draft.rules_text, name, entries), draft.logic_text)
    )
