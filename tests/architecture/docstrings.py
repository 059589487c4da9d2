"""What docstrings of public functions have to say: the axes of arrays they return, and the errors they raise."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from architecture.imports import parsed, source_files

Function = ast.FunctionDef | ast.AsyncFunctionDef
# Annotations of arrays, as the package names them (text, tensors and network define the short ones).
ARRAYS = {"Floats", "Integers", "Bools", "Array", "NDArray", "ndarray", "Tensor"}
# Axes stand in brackets, as `[texts, labels]`, or in words.
_AXES = re.compile(r"\[[a-zA-Z_][\w +*-]*(, ?[\w +*-]+)*\]|\bscalar\b|\baxis\b|\baxes\b", re.IGNORECASE)


def public_functions(root: Path) -> Iterator[tuple[str, Function]]:
    """Each public function and method of the core with its place, `file:line name`."""
    for path in source_files(root):
        name = path.relative_to(root).as_posix()
        if name.startswith("re2nn_core/") and "/migrations/" not in name:
            for node in _defined(parsed(path)):
                yield f"{name}:{node.lineno} {node.name}", node


def _defined(tree: ast.Module) -> Iterator[Function]:
    for node in tree.body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield node
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from (inner for inner in node.body if isinstance(inner, Function) and not inner.name.startswith("_"))


def without_axes(root: Path) -> list[str]:
    """Functions that return an array and do not say which axes it has, in their docstring or on the returned line."""
    return [place for place, node in public_functions(root) if _returns_array(node) and not _says_axes(node)]


def _returns_array(node: Function) -> bool:
    returned = node.returns.value if isinstance(node.returns, ast.Subscript) else node.returns
    return returned is not None and ast.unparse(returned).split(".")[-1] in ARRAYS


def _says_axes(node: Function) -> bool:
    return _AXES.search(ast.get_docstring(node) or "") is not None


def error_names(root: Path) -> set[str]:
    """The package's own errors, by name."""
    path = root / "re2nn_core" / "errors.py"
    return {node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)}


def without_errors(root: Path) -> list[str]:
    """Functions that raise one of the package's own errors and do not name it. The docstring of a command is what its
    --help prints, and says it in other words."""
    own = error_names(root)
    return [
        f"{place}: {', '.join(sorted(raised))}"
        for place, node in public_functions(root)
        if not node.name.endswith("_command")
        and (raised := {name for name in _raised(node) if name in own and name not in (ast.get_docstring(node) or "")})
    ]


def _raised(node: Function) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Raise) and inner.exc is not None:
            called = inner.exc.func if isinstance(inner.exc, ast.Call) else inner.exc
            yield ast.unparse(called).split(".")[-1]
