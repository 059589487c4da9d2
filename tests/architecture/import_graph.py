"""Which module imports which, and where that goes round in a circle: read off the syntax trees, nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

from architecture.imports import parsed, source_files

Graph = Mapping[str, set[str]]


def module_of(path: Path, root: Path) -> str:
    """The dotted name of a file's module; of an `__init__.py` that of its package."""
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def import_graph(root: Path) -> dict[str, set[str]]:
    """Each module of the application with the modules of the application that it imports anywhere, inside functions and
    for types too."""
    paths = {module_of(path, root): path for path in source_files(root)}
    return {name: _imported(path, paths) - {name} for name, path in paths.items()}


def _imported(path: Path, known: Mapping[str, Path]) -> set[str]:
    found = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            full = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in known else node.module for name in full.values()}
    return found & known.keys()


def cycles(graph: Graph) -> list[list[str]]:
    """The groups of modules that import each other, each sorted (Tarjan, SIAM J. Comput. 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in number:
                visit(other)
            if other in stack:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == number[name]:
            place = stack.index(name)
            group = sorted(stack[place:])
            del stack[place:]
            if len(group) > 1:
                found.append(group)

    for name in sorted(graph):
        if name not in number:
            visit(name)
    return found


def package_cycles(graph: Graph) -> list[list[str]]:
    """The same for what stands side by side in one folder, modules and packages: what is in a package counts as the
    package."""
    return [group for folder in sorted(_folders(graph)) for group in cycles(_inside(folder, graph))]


def _folders(names: Iterable[str]) -> set[str]:
    return {name.rsplit(".", depth)[0] for name in names for depth in range(1, name.count(".") + 1)}


def _inside(folder: str, graph: Graph) -> dict[str, set[str]]:
    """The graph of a folder's own entries, without the folder's `__init__.py`, which may gather all of them."""

    def entry(name: str) -> str | None:
        return ".".join(name.split(".")[: folder.count(".") + 2]) if name.startswith(f"{folder}.") else None

    entries: dict[str, set[str]] = {}
    for name, others in graph.items():
        if (own := entry(name)) is not None:
            reached = {other for other in map(entry, others) if other is not None}
            entries.setdefault(own, set()).update(reached - {own})
    return entries
