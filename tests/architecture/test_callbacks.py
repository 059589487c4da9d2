"""What a click calls draws nothing: in a part of a page that runs alone, it would take the place of the first elements
of the page, which is its style."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "pages"
CALLED = ("on_click", "on_change")
ALLOWED = {"session_state", "rerun", "switch_page", "query_params", "cache_data", "cache_resource"}


def _named(node: ast.expr) -> str | None:
    """The function that is given, by itself or with some of its arguments."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("partial") and node.args:
        node = node.args[0]
    return node.id if isinstance(node, ast.Name) else None


def drawn_by_clicks(source: str) -> Iterator[str]:
    """What functions that are given to widgets draw, or functions of the same file that these call."""
    tree = ast.parse(source)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    given = [
        key.value for node in ast.walk(tree) if isinstance(node, ast.Call) for key in node.keywords if key.arg in CALLED
    ]
    waiting, seen = [name for node in given if (name := _named(node)) in functions], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for node in ast.walk(functions[name]):
            if isinstance(node, ast.Name) and node.id in functions:
                waiting.append(node.id)
            of_streamlit = isinstance(node, ast.Attribute) and ast.unparse(node.value) == "st"
            if of_streamlit and node.attr not in ALLOWED:
                yield f"{name}: st.{node.attr}"


def test_what_a_click_calls_draws_nothing() -> None:
    found = [
        f"{file.relative_to(PAGES)}: {one}" for file in PAGES.rglob("*.py") for one in drawn_by_clicks(file.read_text())
    ]
    assert not found


def test_what_is_drawn_further_down_is_found() -> None:
    source = (
        "def a():\n    b()\ndef b():\n    with st.spinner('x'):\n        pass\nst.button('x', on_click=partial(a, 1))\n"
    )
    assert list(drawn_by_clicks(source)) == ["b: st.spinner"]
    assert not list(drawn_by_clicks(source.replace("st.spinner('x')", "st.session_state.lock")))
