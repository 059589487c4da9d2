"""Components that are drawn anew with each key, apart from their scripts: Streamlit sends a component's script
whenever it draws the component, and a script is many times as long as what there is to draw.

A script puts a function under its name in `window.re2nnScripts`, says so by the event `re2nn-NAME`, and is drawn once a
page, outside of what is drawn anew. The component is then a few lines that call the function.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from pages._shared.catalog import ASSETS


def draw_script(name: str, *files: Path) -> None:
    """Give the browser the script of these files: one module."""
    _script(name, files)(key=f"_script_{name}", height=0)


@st.cache_resource(show_spinner=False)
def _script(name: str, files: tuple[Path, ...]) -> Any:
    js = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return st.components.v2.component(f"re2nn_{name}_script", js=js)


def attached(name: str, html: Path, *css: Path) -> Any:
    """The component whose script is drawn by `draw_script` under this name; to be kept."""
    attach = (ASSETS / "attached.js").read_text(encoding="utf-8")
    return st.components.v2.component(
        f"re2nn_{name}",
        html=html.read_text(encoding="utf-8"),
        css="\n".join(file.read_text(encoding="utf-8") for file in css),
        js=f'const NAME = "{name}";\n{attach}',
    )
