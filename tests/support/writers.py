"""Which functions change the store, read off the syntax trees: those of the store itself, and whoever calls them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import re2nn_core.store

ROOT = Path(__file__).resolve().parents[2]
STORE = "re2nn_core.store"
# What a person does on a page, step by step: these change the store through services of the table of roles alone.
WORKFLOWS = (
    "re2nn_core.services.annotation.annotation_queue.",
    "re2nn_core.services.annotation.span_annotation.",
    "re2nn_core.services.annotation.team_annotation.",
    "re2nn_core.services.annotation.team_span_annotation.",
    "re2nn_core.services.team.review_queue.",
)
# A way into a writing transaction.
_WAYS = {"writing", "quickly"}
# These keep the books of processes and of the tables; no person asks for that.
_UPKEEP = {
    "re2nn_core.store.engine.migrate.prepare_schema",
    "re2nn_core.jobs.recover.recover",
    "re2nn_core.jobs.report.Report",
}
Name = str


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    return (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef))


def _module_of(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def store_writers(root: Path = ROOT) -> set[str]:
    """The functions of the store that write and that others may call, by their names."""
    graph: dict[Name, set[Name]] = {}
    writing: set[Name] = set()
    for path in sorted((root / "re2nn_core" / "store").rglob("*.py")):
        graph |= _references(path, root)
        for node in _functions(ast.parse(path.read_text(encoding="utf-8"))):
            used = {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
            if used & _WAYS and isinstance(node, ast.FunctionDef):
                writing.add(f"{_module_of(path, root)}.{node.name}")
    found = closed({name: used for name, used in graph.items() if name not in _UPKEEP}, writing - _UPKEEP)
    return {name.rpartition(".")[2] for name in found} & set(re2nn_core.store.__all__)


def closed(graph: dict[Name, set[Name]], reached: set[Name]) -> set[Name]:
    """All from which something of `reached` can be reached."""
    reached = set(reached)
    while more := {name for name, used in graph.items() if name not in reached and used & reached}:
        reached |= more
    return reached


def _references(path: Path, root: Path) -> dict[Name, set[Name]]:
    """Each function and class of a file, with all of this package that it names."""
    tree, module = ast.parse(path.read_text(encoding="utf-8")), _module_of(path, root)
    known: dict[str, Name] = {node.name: f"{module}.{node.name}" for node in _functions(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("re2nn_core"):
            known |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    found = {}
    for node in _functions(tree):
        names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        parts = {ast.unparse(inner) for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
        direct = {known[name] for name in names & known.keys()}
        through = {
            f"{known[first]}.{rest}" for first, _, rest in (part.partition(".") for part in parts) if first in known
        }
        found[f"{module}.{node.name}"] = (direct | through) - {f"{module}.{node.name}"}
    return found


def changing(parts: tuple[str, ...] = ("services", "experiments", "jobs"), root: Path = ROOT) -> set[Name]:
    """The public functions of these parts of the package that change the store, themselves or by others."""
    graph, writers = _graph_of(parts, root), {f"{STORE}.{name}" for name in store_writers(root)}
    found = closed(graph, writers) - writers
    return {name for name in found if not name.rpartition(".")[2].startswith("_")}


def writing_directly(parts: tuple[str, ...] = ("services", "experiments", "jobs"), root: Path = ROOT) -> set[Name]:
    """The functions of these parts, private ones too, that call a function of the store that writes."""
    writers = {f"{STORE}.{name}" for name in store_writers(root)}
    return {name for name, used in _graph_of(parts, root).items() if used & writers}


def _graph_of(parts: tuple[str, ...], root: Path) -> dict[Name, set[Name]]:
    graph: dict[Name, set[Name]] = {}
    for part in parts:
        for path in sorted((root / "re2nn_core" / part).rglob("*.py")):
            graph |= _references(path, root)
    for name in list(graph):
        if name in _UPKEEP or name.startswith("re2nn_core.jobs.worker."):
            del graph[name]
    return graph


def _hands_out_the_store(module: str) -> bool:
    """Whether names of the store come from a module as they are: from the store, or from services that only pass them
    on."""
    return module.startswith((STORE, "re2nn_core.services.values.stored")) or ".stored_" in module


def written_by_pages(root: Path = ROOT) -> list[str]:
    """Where a page imports a function that writes from the store, past the services."""
    writers, found = store_writers(root), []
    for path in sorted([*root.glob("pages/**/*.py"), *root.glob("app.py")]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and _hands_out_the_store(node.module or ""):
                found += [
                    f"{path.relative_to(root)}:{node.lineno}: {alias.name}"
                    for alias in node.names
                    if alias.name in writers
                ]
    return found
