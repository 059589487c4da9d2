"""Finds the keys that pages put into the session, or give to widgets, in their syntax trees; nothing is run.

A key that is put together, as f"label_skip_{text_id}", is found as the prefix "label_skip_*". Constants, variables and
small functions that return a key are followed within the pages; what cannot be followed is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SESSION = "st.session_state"
_METHODS = {"get", "pop", "setdefault"}
_OTHER_KEYS = {"ModelChoice", "KeyPress"}  # their keys are of the address and of the keyboard
_DEEPEST = 6  # steps that a name is followed


@dataclass(frozen=True)
class Found:
    """A key, or a prefix with a star, and the page that uses it: the first part of its path without a line in front."""

    key: str
    page: str
    file: str


@dataclass
class _Module:
    """A file with its constants, the functions that return an expression, what it imports from other pages, and the
    place of the parameter `key` of its functions and classes."""

    tree: ast.Module
    constants: dict[str, ast.expr] = field(default_factory=dict)
    returns: dict[str, ast.expr] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    key_places: dict[str, int] = field(default_factory=dict)


def keys_of(root: Path) -> set[Found]:
    """All keys of the pages below `root`."""
    files = sorted([*root.glob("pages/*.py"), *root.glob("pages/**/*.py")])
    modules = {_name(file, root): _read(file) for file in files}
    found = set()
    for file in files:
        path = file.relative_to(root)
        page = path.with_suffix("").parts[1].removeprefix("_")
        for key in _keys(modules[_name(file, root)], modules):
            found.add(Found(key, page, path.as_posix()))
    return found


def _name(file: Path, root: Path) -> str:
    return ".".join(file.relative_to(root).with_suffix("").parts)


def _read(file: Path) -> _Module:
    module = _Module(ast.parse(file.read_text(encoding="utf-8")))
    for node in module.tree.body:
        if isinstance(node, ast.Assign):
            module.constants.update(_assigned(node))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pages."):
            for alias in node.names:
                module.imports[alias.asname or alias.name] = (node.module or "", alias.name)
        elif isinstance(node, ast.FunctionDef):
            values = [one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value is not None]
            if len(values) == 1:
                module.returns[node.name] = values[0]
            module.key_places.update(_key_place(node.name, [one.arg for one in node.args.args]))
        elif isinstance(node, ast.ClassDef) and node.name not in _OTHER_KEYS:
            fields = [
                one.target.id
                for one in node.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            ]
            module.key_places.update(_key_place(node.name, fields))
    return module


def _key_place(name: str, parameters: Sequence[str]) -> dict[str, int]:
    return {name: parameters.index("key")} if "key" in parameters else {}


def _assigned(node: ast.Assign) -> dict[str, ast.expr]:
    """The names that an assignment binds, also side by side."""
    [target, *others] = node.targets
    if isinstance(target, ast.Name) and not others:
        return {target.id: node.value}
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        pairs = zip(target.elts, node.value.elts, strict=False)
        return {name.id: value for name, value in pairs if isinstance(name, ast.Name)}
    return {}


def _keys(module: _Module, modules: Mapping[str, _Module]) -> Iterator[str]:
    yield from _keys_in(module.tree, {}, module, modules)


def _keys_in(
    node: ast.AST, names: Mapping[str, ast.expr], module: _Module, modules: Mapping[str, _Module]
) -> Iterator[str]:
    """The keys below a node. `names`: what the functions around it assign."""
    if isinstance(node, ast.FunctionDef):
        names = dict(names)
        for inner in ast.walk(node):
            if isinstance(inner, ast.Assign):
                names.update(_assigned(inner))
    for expression in [*_key_expressions(node), *_given_in_place(node, module, modules)]:
        key = _text(expression, names, module, modules)
        if key is not None:
            yield key
    for child in ast.iter_child_nodes(node):
        yield from _keys_in(child, names, module, modules)


def _key_expressions(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == SESSION:
        yield node.slice
    elif isinstance(node, ast.Compare) and any(ast.unparse(side) == SESSION for side in node.comparators):
        yield node.left
    elif isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in _METHODS and ast.unparse(called.value) == SESSION:
            yield node.args[0]
        # What sorts has a key as well, and calls it.
        yield from (keyword.value for keyword in node.keywords if keyword.arg == "key")


def _given_in_place(node: ast.AST, module: _Module, modules: Mapping[str, _Module]) -> Iterator[ast.expr]:
    """The key that a function of the pages gets without the word key before it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        source, name = module.imports.get(node.func.id, ("", node.func.id))
        place = (modules.get(source) or module).key_places.get(name)
        if place is not None and place < len(node.args):
            yield node.args[place]


def _text(
    node: ast.expr, names: Mapping[str, ast.expr], module: _Module, modules: Mapping[str, _Module], depth: int = 0
) -> str | None:
    """The key that an expression gives, a star where it varies; None where it does not begin with words."""
    if depth > _DEEPEST:
        return None
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return _joined(node, names, module, modules, depth)
    if isinstance(node, ast.Name):
        if node.id in names:
            return _text(names[node.id], {**names, node.id: ast.Constant(None)}, module, modules, depth + 1)
        if node.id in module.constants:
            return _text(module.constants[node.id], {}, module, modules, depth + 1)
        return _imported(node.id, "constants", module, modules, depth)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        where = module.imports.get(node.value.id)
        other = modules.get(".".join(where)) if where else None
        return None if other is None else _text(ast.Name(node.attr), {}, other, modules, depth + 1)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in module.returns:
            return _text(module.returns[node.func.id], {}, module, modules, depth + 1)
        return _imported(node.func.id, "returns", module, modules, depth)
    return None


def _joined(
    node: ast.JoinedStr, names: Mapping[str, ast.expr], module: _Module, modules: Mapping[str, _Module], depth: int
) -> str | None:
    first = node.values[0]
    if isinstance(first, ast.Constant):
        start = str(first.value)
    elif isinstance(first, ast.FormattedValue):
        start = _text(first.value, names, module, modules, depth + 1) or ""
    else:
        start = ""
    return f"{start.removesuffix('*')}*" if any(map(str.isalpha, start)) else None


def _imported(name: str, kind: str, module: _Module, modules: Mapping[str, _Module], depth: int) -> str | None:
    if name not in module.imports:
        return None
    source, original = module.imports[name]
    other = modules.get(source)
    value = None if other is None else getattr(other, kind).get(original)
    if other is None or value is None:
        return None
    return _text(value, {}, other, modules, depth + 1)
