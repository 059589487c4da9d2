"""What a page needs takes seconds to load when the server is fresh: nobody looks at an empty window meanwhile. Of a
page that needs the network library, the bar is drawn before its body is loaded.
"""

from __future__ import annotations

import ast
import importlib
import sys
from functools import cache

import streamlit as st

from pages._shared.catalog import ROOT, PageEntry

_WAITING = "Starting …"


def load_page(page: PageEntry) -> None:
    """Load what the file of a page imports. Only the first page of a fresh server has to wait."""
    needed = _imports(page.file)
    if all(name in sys.modules for name in needed):
        return
    shown = st.empty()
    shown.caption(_WAITING)  # at once: a spinner waits before it is drawn
    for name in needed:
        importlib.import_module(name)
    shown.empty()


@cache
def _imports(file: str) -> tuple[str, ...]:
    """The modules of this program that a file imports from."""
    lines = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
    named = (line.module or "" for line in lines if isinstance(line, ast.ImportFrom))
    return tuple(name for name in named if name.startswith(("pages.", "re2nn_core.")))


def draw_body(module: str) -> None:
    """Load the module and call its `draw_page`. Only the first page of a fresh server has to wait."""
    shown = st.empty()
    if module not in sys.modules:
        shown.caption(_WAITING)  # at once: a spinner waits before it is drawn
    # Also where it is in sys.modules: another session may be in the middle of loading it.
    body = importlib.import_module(module)
    shown.empty()
    body.draw_page()
