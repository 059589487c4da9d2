"""The router: which pages there are, and nothing else. Started with `streamlit run app.py`.

Streamlit loads this file as a module for what the server answers, and runs it as a script for every page.
"""

from __future__ import annotations

import streamlit as st

from pages._shared.server.middleware import middleware
from pages._shared.session import warming
from pages._shared.session.browser_session import routes
from pages._shared.session.router import run_page

if __name__ == "__main__":
    run_page()
else:
    warming.allow()
    app = st.App(__file__, routes=routes(), middleware=middleware())
