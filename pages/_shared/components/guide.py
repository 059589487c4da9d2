"""The help of every page: the guide with its search, and the keys of the page, in a panel at the side behind "?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from pages._shared.catalog import ASSETS, PageEntry
from pages._shared.components.keys import Key, show_keys
from pages._shared.components.scripts import draw_script
from pages._shared.components.tour import start_tour
from pages._shared.session.fragments import dialog
from re2nn_core.guide.contents import Section, anchor_of, find_section, find_topic, topics
from re2nn_core.guide.search import search_guide

_TOPIC, _QUERY, _KEYS = "_help_topic", "_help_query", "_help_keys"
_TABLE_RULE = re.compile(r"[|\s:-]+")
_LINK = re.compile(r"\[([^\]]+)\]\(([\w-]+)(#[\w-]+)?\)")  # to another topic; other links lead out of the guide


def help_button(page: PageEntry, keys: Sequence[Key] = ()) -> None:
    """A "?" that opens the help at the section about the page; the key ? does the same."""
    draw_script("help_key", ASSETS / "help_key.js")
    st.session_state[_KEYS] = keys
    if st.button("?", key="help_open", help="Help and keys of this page"):
        open_guide(f"pages#{anchor_of(page.title)}")


def open_guide(link: str) -> None:
    """The help at topic#anchor, with the keys of the page that is shown."""
    st.session_state.pop(_QUERY, None)
    st.session_state[_TOPIC] = link
    _dialog(st.session_state[_KEYS])


def learn_more(link: str, title: str = "Learn more") -> None:
    """A button that opens the help at topic#anchor; a dialog cannot have one."""
    if st.button(title, key=f"_help_learn_{link}", type="tertiary", icon=":material/help:"):
        open_guide(link)


@dialog("Help", width="medium")
def _dialog(keys: Sequence[Key]) -> None:
    with st.container(key="re2_help"):
        draw_script("help_beside", ASSETS / "help_beside.js")
        guide, page_keys = st.tabs(["Guide", "Keys"])
        with guide:
            query = st.text_input(
                "Search the guide",
                key=_QUERY,
                placeholder="Ask or search: why has my rule no effect?",
                label_visibility="collapsed",
            )
            if query:
                _found(search_guide(query), query)
            else:
                _topic(st.session_state[_TOPIC])
            if st.button(
                "Take the tour", key="_help_tour", type="tertiary", icon=":material/tour:", on_click=start_tour
            ):
                st.rerun()
        with page_keys:
            show_keys(keys)


def _found(sections: Sequence[Section], query: str) -> None:
    if not sections:
        st.info(f"No section of the guide contains “{query}”. Try another word, or clear the search to see all topics.")
    for section in sections:
        _open_button(section.title, f"{section.topic}#{section.anchor}", find_topic(section.topic).title)
        st.caption(_opening(section.text))


def _topic(link: str) -> None:
    """One section where the link names one, otherwise a whole topic; below it what it links to, and all topics."""
    name, _, anchor = link.partition("#")
    topic = find_topic(name)
    section = find_section(link)
    st.markdown(_shown(f"# {section.title}\n\n{section.text}" if anchor else topic.text))
    related = _related(section.text if anchor else topic.text)
    if anchor:
        related = {name: f"All of: {topic.title}", **related}
    with st.container(horizontal=True):
        for other, title in related.items():
            _open_button(title, other)
    by_name = {one.name: f"{one.group}: {one.title}" for one in topics()}
    st.selectbox(
        "All topics",
        list(by_name),
        index=None,
        format_func=by_name.__getitem__,
        key=f"_help_all_{link}",
        on_change=_choose,
        args=(f"_help_all_{link}",),
    )


def _open_button(title: str, link: str, topic: str = "") -> None:
    label = f"{title} · {topic}" if topic and topic != title else title
    st.button(label, key=f"_help_open_{link}", type="tertiary", icon=":material/article:", on_click=_go, args=(link,))


def _go(link: str) -> None:
    st.session_state[_QUERY] = ""
    st.session_state[_TOPIC] = link


def _choose(key: str) -> None:
    if st.session_state.get(key):
        _go(st.session_state[key])


def _related(text: str) -> dict[str, str]:
    """Links of a text to other topics -> their titles."""
    links = [f"{name}{anchor}" for _, name, anchor in _LINK.findall(text)]
    return {link: find_section(link).title for link in links}


def _shown(text: str) -> str:
    """Markdown as the dialog shows it: smaller headings, links to other topics as plain words (they stand below)."""
    return _LINK.sub(r"\1", re.sub(r"^(#{1,3}) ", r"#\1 ", text, flags=re.MULTILINE))


def _opening(text: str) -> str:
    lines = [line for line in _LINK.sub(r"\1", text).replace("```", "").splitlines() if not _TABLE_RULE.fullmatch(line)]
    rows = [line.strip("| ").replace(" | ", ": ") if line.startswith("|") else line for line in lines]
    plain = " ".join(" ".join(rows).split())
    return plain if len(plain) <= 160 else plain[:160].rsplit(" ", 1)[0] + " …"
