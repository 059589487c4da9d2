"""What the files of the pages hold that runs without the whole page: fragments and dialogs, and files handed over and
taken in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.app.app_studio import ROOT

# Streamlit's own, and the one module that may use it: what stands there in its place asks first.
BARE = {
    "fragment": "pages/_shared/session/fragments.py",
    "dialog": "pages/_shared/session/fragments.py",
    "dialog_decorator": "",
    "experimental_fragment": "",
    "experimental_dialog": "",
    "download_button": "pages/_shared/components/downloads.py",
}
ASKING = ("fragment", "dialog", "download")
# Streamlit's own that take files in: the browser sends them to a route, which asks.
TAKING = ("file_uploader", "camera_input", "audio_input")


@dataclass(frozen=True)
class Part:
    """A place in a file where one of them is made; `what` is its function, or the title of a download."""

    kind: str
    what: str
    place: str


def files() -> list[Path]:
    return [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]


def bare_uses(source: str, file: str) -> list[str]:
    """Where Streamlit's own is used: as `anything.fragment`, by name from Streamlit, or by getattr."""
    found = []
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Attribute):
            names = [node.attr]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "streamlit":
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr":
            names = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        found += [f"{file}:{node.lineno}: {name}" for name in names if name in BARE and BARE[name] != file]
    return found


def parts(source: str, file: str) -> Iterator[Part]:
    """What asks first: decorated functions, functions that are made parts on the spot, downloads."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for one in node.decorator_list:
                kind = _asking(one)
                if kind:
                    yield Part(kind, node.name, f"{file}:{node.lineno}")
        elif isinstance(node, ast.Call) and _asking(node.func) in ("fragment", "dialog"):
            yield Part(_asking(node.func), ast.unparse(node.args[0]), f"{file}:{node.lineno}")
        elif isinstance(node, ast.Call) and _asking(node) == "download":
            yield Part("download", ast.unparse(node.args[0]), f"{file}:{node.lineno}")
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in TAKING:
            yield Part("upload", ast.unparse(node.args[0]), f"{file}:{node.lineno}")


def every_part() -> list[Part]:
    found = []
    for file in files():
        name = str(file.relative_to(ROOT))
        if name not in BARE.values():
            found += parts(file.read_text(encoding="utf-8"), name)
    return found


def _asking(node: ast.expr) -> str:
    """Which of those that ask a call is of; empty for others."""
    if not isinstance(node, ast.Call):
        return ""
    name = str(getattr(node.func, "id", "") or getattr(node.func, "attr", ""))
    return name if name in ASKING else ""
