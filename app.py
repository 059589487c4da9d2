"""The router: which pages there are, and nothing else. Started with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st

from pages._shared.catalog import ENTRIES, PROJECTS, ROOT

st.set_page_config(page_title="RE2NN Studio", page_icon=":material/account_tree:", layout="wide")

st.navigation(
    [
        st.Page(ROOT / entry.file, title=entry.title, icon=entry.icon, default=entry is PROJECTS)
        for entry in ENTRIES
        if entry.exists
    ],
    position="top",
).run()
