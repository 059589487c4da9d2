"""The body of a page that needs the network library, which takes seconds to load when the server is fresh: the bar
is drawn first, so that nobody looks at an empty window.
"""

from __future__ import annotations

import importlib
import sys
from contextlib import nullcontext

import streamlit as st


def draw_body(module: str) -> None:
    """Load the module and call its `draw_page`. Only the first page of a fresh server has to wait."""
    waiting = nullcontext() if module in sys.modules else st.spinner("Starting …")
    with waiting:
        # Also where it is in sys.modules: another session may be in the middle of loading it.
        body = importlib.import_module(module)
    body.draw_page()
