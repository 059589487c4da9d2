"""Registers the pages with Streamlit: once for app.py, and once more for whoever comes in by another door.

Streamlit runs a file of `pages/` by itself when it is the first address that is asked for after the server
has started, without app.py and so without the navigation. The bar notices and sends that first run through
app.py.
"""

from __future__ import annotations

import streamlit as st

from pages._shared.catalog import ENTRIES, ICON, PRODUCT, PROJECTS, ROOT
from pages._shared.drawing import messages
from pages._shared.session import gate, warming
from pages._shared.session.lazy_body import load_page

_ROUTED = "_routed"


def run_page() -> None:
    """The page that the address names, with the navigation above it, for whoever may see it."""
    st.session_state[_ROUTED] = True
    instead = gate.in_the_way()
    page = _navigation(hidden=instead is not None)
    try:
        if instead is None:
            with messages.guard():  # what a page does not guard by itself
                gate.hand_over()
                load_page(next(entry for entry in ENTRIES if entry.title == page.title))
                page.run()
        else:
            instead()
    finally:
        warming.begin()


def ensure_routed() -> None:
    """Start over through app.py where this run came past it."""
    if _ROUTED not in st.session_state:
        st.session_state[_ROUTED] = True
        _navigation()
        st.rerun()


def _navigation(*, hidden: bool = False) -> st.Page:
    st.set_page_config(page_title=PRODUCT, page_icon=ICON, layout="wide")
    return st.navigation(
        [
            st.Page(ROOT / entry.file, title=entry.title, icon=entry.icon, default=entry is PROJECTS)
            for entry in ENTRIES
            if entry.exists
        ],
        position="hidden" if hidden else "top",
    )
