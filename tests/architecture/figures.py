"""The structure of the source tree in figures: `python tests/architecture/figures.py [ROOT]`."""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1])]

from architecture.import_graph import cycles, import_graph, package_cycles  # noqa: E402
from architecture.imports import source_files  # noqa: E402

# What a page gets from services alone.
_NOT_FOR_PAGES = {"network", "automata", "rules", "store", "jobs"}
_ENTRIES = {"__init__", "env"}
_TASKS = {"SLOTS", "LABELS", "slots", "classification", "labels", "SLOT_FILLING", "CLASSIFICATION"}
_ASKS = {"of_slots", "is_slots"}


def flat_folders(root: Path) -> Counter[str]:
    """How many Python files lie directly in each folder of the application and of its tests."""
    files = [*source_files(root), *root.glob("tests/**/*.py")]
    return Counter(path.parent.relative_to(root).as_posix() for path in files if path.stem not in _ENTRIES)


def task_branches(root: Path) -> list[str]:
    """Where something is decided by the task: a comparison with the name of one, or a question whether it is slots."""
    return [
        f"{path.relative_to(root).as_posix()}:{node.lineno}"
        for path in source_files(root)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if _branches(node)
    ]


def _branches(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        named = any(_name(side) in _TASKS for side in sides)
        return named and (any("task" in _name(side).lower() for side in sides) or any(map(_is_member, sides)))
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ASKS


def _is_member(node: ast.expr) -> bool:
    return _name(node) in {"SLOTS", "SLOT_FILLING", "CLASSIFICATION"}


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Call):
        return _name(node.func)
    if isinstance(node, ast.Subscript):
        return _name(node.value)
    return node.id if isinstance(node, ast.Name) else ""


def choices_by_task(root: Path) -> list[str]:
    """Where a part is chosen by the task without a branch: a call of `by_task`, or a table with an entry for a task."""
    return [
        f"{path.relative_to(root).as_posix()}:{node.lineno}"
        for path in source_files(root)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Call) and _name(node.func) == "by_task")
        or (isinstance(node, ast.Dict) and any(key is not None and _name(key) == "SLOT_FILLING" for key in node.keys))
    ]


def public_names(root: Path) -> Iterator[tuple[str, str]]:
    """Each public function and class of a module of the core, with its module."""
    for path in sorted((root / "re2nn_core").rglob("*.py")):
        if "migrations" not in path.parts:
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                    yield node.name, path.relative_to(root).as_posix()


def duplicate_names(root: Path) -> list[str]:
    """Public names that stand in more than one module of the core."""
    return sorted(name for name, count in Counter(name for name, _ in public_names(root)).items() if count > 1)


def task_prefixes(root: Path) -> list[str]:
    """Modules whose name begins with the name of a task."""
    files = [*source_files(root), *root.glob("tests/**/*.py")]
    stems = {path.relative_to(root).as_posix(): path.stem.removeprefix("test_") for path in files}
    return sorted(
        path for path, stem in stems.items() if stem.startswith(("slot_", "tag_")) and not stem.startswith("slot_fill")
    )


def page_imports(root: Path) -> list[str]:
    """Imports of pages from stages that they should know by services alone."""
    graph = import_graph(root)
    return sorted(
        f"{name} -> {other}"
        for name, others in graph.items()
        if name.partition(".")[0] == "pages"
        for other in others
        if other.startswith("re2nn_core.") and other.split(".")[1] in _NOT_FOR_PAGES
    )


def product_lines(root: Path) -> int:
    """Lines of the application: Python files, and the pages' assets."""
    assets = [path for path in root.glob("pages/**/assets/*") if path.suffix in (".css", ".js", ".html")]
    files = [*source_files(root), *assets]
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)


def rows(root: Path) -> Iterator[tuple[str, str, str]]:
    """What is counted, what it comes to, and what it should be at most."""
    folder, count = flat_folders(root).most_common(1)[0]
    graph, branches = import_graph(root), task_branches(root)
    yield "largest flat folder", f"{count} files, {folder}", "25 files"
    yield "folders with more than 25 files", str(sum(count > 25 for count in flat_folders(root).values())), "0"
    yield "circles of modules", str(len(cycles(graph))), "0"
    yield "circles of packages", str(len(package_cycles(graph))), "0"
    files = len({place.partition(":")[0] for place in branches})
    yield "conditions that ask for the task", f"{len(branches)} in {files} files", "25"
    yield "tables with an entry for each task", str(len(choices_by_task(root))), ""
    yield "modules named slot_ or tag_", str(len(task_prefixes(root))), "0"
    yield "public names in several modules", str(len(duplicate_names(root))), ""
    yield "imports of pages past services and plots", str(len(page_imports(root))), "0"
    yield "product lines, Python and page assets, no tests", f"{product_lines(root):,}", ""


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("root", nargs="?", type=Path, default=HERE.parents[2], help="another checkout to count")
    asked.add_argument("--places", action="store_true", help="list the conditions and the names that are counted")
    given = asked.parse_args()
    print(f"{'':52}{'found':32}at most")
    for what, figure, most in rows(given.root.resolve()):
        print(f"{what:52}{figure:32}{most}".rstrip())
    if given.places:
        print(*task_branches(given.root.resolve()), *duplicate_names(given.root.resolve()), sep="\n")
