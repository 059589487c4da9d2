"""No module and no package imports itself through others; and this check can fail."""

from __future__ import annotations

from pathlib import Path

from architecture.import_graph import cycles, import_graph, package_cycles

ROOT = Path(__file__).resolve().parents[2]


def test_no_modules_import_each_other() -> None:
    assert cycles(import_graph(ROOT)) == []


def test_no_packages_import_each_other() -> None:
    assert package_cycles(import_graph(ROOT)) == []


def planted(root: Path, files: dict[str, str]) -> Path:
    """A source tree of these files, with the imports that they hold."""
    for name, source in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(source, encoding="utf-8")
    return root


def test_a_planted_circle_of_modules_is_found(tmp_path: Path) -> None:
    root = planted(
        tmp_path,
        {
            "re2nn_core/store/a.py": "from re2nn_core.store.b import x",
            "re2nn_core/store/b.py": "def f():\n    from re2nn_core.store import c",
            "re2nn_core/store/c.py": "if TYPE_CHECKING:\n    from re2nn_core.store.a import X",
            "re2nn_core/store/d.py": "import re2nn_core.store.a",
        },
    )
    assert cycles(import_graph(root)) == [["re2nn_core.store.a", "re2nn_core.store.b", "re2nn_core.store.c"]]


def test_a_planted_circle_of_packages_is_found_where_no_module_has_one(tmp_path: Path) -> None:
    root = planted(
        tmp_path,
        {
            "re2nn_core/services/one/a.py": "from re2nn_core.services.two.a import x",
            "re2nn_core/services/two/a.py": "",
            "re2nn_core/services/two/b.py": "from re2nn_core.services.one.b import x",
            "re2nn_core/services/one/b.py": "",
        },
    )
    graph = import_graph(root)
    assert cycles(graph) == []
    assert package_cycles(graph) == [["re2nn_core.services.one", "re2nn_core.services.two"]]


def test_a_package_that_gathers_its_modules_is_no_circle(tmp_path: Path) -> None:
    root = planted(
        tmp_path,
        {
            "re2nn_core/store/__init__.py": "from re2nn_core.store.a import x",
            "re2nn_core/store/a.py": "from re2nn_core.store.b import x",
            "re2nn_core/store/b.py": "",
        },
    )
    assert package_cycles(import_graph(root)) == []
