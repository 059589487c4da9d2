"""Definitions of terms: read from the glossary, and there for each term that a page asks for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from re2nn_core.errors import InputError
from re2nn_core.guide.glossary import definition

PAGES = Path(__file__).parents[2] / "pages"


def terms_in(source: str) -> Iterator[str]:
    """The terms whose definition a file asks for; each is written where it is asked for."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "definition":
            [term] = node.args
            assert isinstance(term, ast.Constant), ast.unparse(node)
            yield str(term.value)


TERMS = sorted({term for path in PAGES.rglob("*.py") for term in terms_in(path.read_text(encoding="utf-8"))})


def test_a_definition_is_one_line() -> None:
    assert definition("Wildcard") == "`$`, any one word."
    assert definition("Out-of-fold") == "Predicted by networks that were not trained on the text (cross-validation)."
    assert "\n" not in definition("Automaton")


@pytest.mark.parametrize("term", TERMS)
def test_the_glossary_has_each_term_that_a_page_explains(term: str) -> None:
    assert definition(term).endswith(".")


def test_pages_explain_terms_and_a_term_without_an_entry_is_found() -> None:
    assert {"Reconstruction", "Threshold"} <= set(TERMS)
    assert list(terms_in('help = definition("Nonsense")')) == ["Nonsense"]
    with pytest.raises(InputError, match="The topic 'glossary' has no section 'nonsense'"):
        definition("Nonsense")
