"""The router: which pages there are, and nothing else. Started with `streamlit run app.py`."""

from __future__ import annotations

from pages._shared.router import run_page

run_page()
