"""The router: which pages there are, and nothing else. Started with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st

from pages._shared.catalog import ICON
from pages._shared.router import run_page

st.set_page_config(page_title="RE2NN Studio", page_icon=ICON, layout="wide")
run_page()
