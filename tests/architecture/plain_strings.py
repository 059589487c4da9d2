"""Every string that a person sees, with its place: read off the sources, nothing is run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from architecture.imports import parsed

_PYTHON = ("app.py", "pages/**/*.py", "re2nn_core/**/*.py")
_SCRIPTS = ("pages/**/*.js", "pages/**/*.html")
_TEXTS = ("README.md", "re2nn_core/guide/topics/*.md", "sample_projects/*/*.md", "sample_projects/*/*.toml")
_RULES = ("sample_projects/*/rules.txt",)

# Style sheets and statements for the database are no sentences.
_NO_SENTENCE = re.compile(
    r"<style>|[.#]re2-[\w-]+[^<>]*\{|^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH) |^\s*digraph"
)
_TAGS = re.compile(r"</?[a-z][a-z0-9]*\b|\b(class|style|id|data-[\w-]+)=\"[^\"]*\"?")
_SCRIPT_STRING = re.compile(
    r"//[^\n]*|/\*.*?\*/|(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)", re.DOTALL
)
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


@dataclass(frozen=True)
class SeenText:
    """One string with the file and the line where it begins. A docstring of the interface is checked less strictly."""

    path: str
    line: int
    text: str
    is_docstring: bool = False


@cache
def seen_texts(root: Path) -> tuple[SeenText, ...]:
    """The strings of pages, commands and services, docstrings of public names, scripts, sample projects and guide: read
    once, since every check goes over all of them."""
    return tuple(_seen(root))


def _seen(root: Path) -> Iterator[SeenText]:
    for readers, of_file in ((_PYTHON, _python), (_SCRIPTS, _script), (_TEXTS, _prose), (_RULES, _comments)):
        for pattern in readers:
            for path in sorted(root.glob(pattern)):
                for line, text, is_docstring in of_file(path):
                    yield SeenText(path.relative_to(root).as_posix(), line, text, is_docstring)


def _python(path: Path) -> Iterator[tuple[int, str, bool]]:
    tree = parsed(path)
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = _docstring(node)
            if docstring is not None:
                skipped.add(id(docstring))
                if not isinstance(node, ast.Module) and not node.name.startswith("_"):
                    yield docstring.lineno, str(docstring.value), not _is_command(node)
    skipped.update(id(name) for exported in tree.body if _names_code(exported) for name in ast.walk(exported))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped.update(id(part) for part in node.values)
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            text = node.value
        else:
            continue
        if _is_sentence(text):
            yield node.lineno, _TAGS.sub(" ", text), False


def _docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> ast.Constant | None:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value
    return None


def _names_code(node: ast.stmt) -> bool:
    """Whether a statement holds names of code: those that a module exports, or that of a type variable."""
    if not isinstance(node, ast.Assign):
        return False
    name, value = node.targets[0], node.value
    exports = isinstance(name, ast.Name) and name.id == "__all__"
    return exports or (isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "TypeVar")


def _is_command(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(re.search(r"\b(command|group)\(", ast.unparse(decorator)) for decorator in node.decorator_list)


def _is_sentence(text: str) -> bool:
    """Whether a person reads it: it has words with a blank between them, or is a heading of one word."""
    words = " " in text.strip() or re.fullmatch(r"[A-Z][a-z]+[.:!?…]?", text.strip())
    return bool(words) and re.search(r"[A-Za-z]{3}", text) is not None and not _NO_SENTENCE.search(text)


def _script(path: Path) -> Iterator[tuple[int, str, bool]]:
    source = path.read_text(encoding="utf-8")
    if source.lstrip().startswith("<"):
        yield 1, _TAGS.sub(" ", source), False
        return
    for found in _SCRIPT_STRING.finditer(source):
        text = re.sub(r"\$\{[^}]*\}", "{}", found.group(1) or "")[1:-1]
        if _is_sentence(text):
            yield source.count("\n", 0, found.start()) + 1, _TAGS.sub(" ", text), False


def _prose(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Line by line, without code: its words are names."""
    without_code = _CODE.sub(lambda found: "\n" * found.group().count("\n"), path.read_text(encoding="utf-8"))
    for number, line in enumerate(without_code.splitlines(), 1):
        if line.strip():
            yield number, line, False


def _comments(path: Path) -> Iterator[tuple[int, str, bool]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("//"):
            yield number, line, False
