"""DOT of machines: nodes, arcs, marks and escaping."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ElementTree

import pytest

from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa
from re2nn_core.errors import InputError
from re2nn_core.plots.automaton import (
    Highlight,
    arc_label,
    automaton_dot,
    drawing_refusal,
    quote,
    render,
)
from re2nn_core.rules.parser import parse_expression

NASTY = ('quo"te', "back\\slash", "</title><script>", "&lt;", "\\N", "<b>bold</b>", "tab\tnul\x00")
needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


def test_states_finals_and_arcs_are_there() -> None:
    dot = automaton_dot(pseudo_dfa(parse_expression("$* a b")))
    assert dot.count('class="state') == 3
    assert dot.count("doublecircle") == 1
    assert 's0 -> s0 [label=" $ "' in dot
    assert 's0 -> s1 [label=" a "' in dot


def test_highlights_are_more_than_colour() -> None:
    machine = exact_dfa(parse_expression("a b"))
    dot = automaton_dot(machine, Highlight(frozenset({1}), frozenset({(0, 1)}), frozenset({(1, 2)})))
    assert 'penwidth=3, color="#1f6f8b", fillcolor="#cfe6ee", class="state alive"' in dot
    assert 'penwidth=2.6, color="#1f6f8b", class="arc walked"' in dot
    assert 'style=dashed, color="#b3501f", class="arc marked"' in dot


@pytest.mark.parametrize(
    ("words", "label"),
    [
        (["a"], "a"),
        (["b", "a"], "a | b"),
        (["a", "b", "c", "d"], "a | b | c | d"),
        (list("abcdef"), "a | b | c | +3"),
        (["x" * 40], "x" * 23 + "…"),
    ],
)
def test_long_word_sets_are_shortened(words: list[str], label: str) -> None:
    assert arc_label(words) == label


@pytest.mark.parametrize("text", NASTY)
def test_quoting_leaves_nothing_that_graphviz_reads(text: str) -> None:
    quoted = quote(text)
    inner = quoted[1:-1]
    assert quoted[0] == quoted[-1] == '"'
    assert "<" not in inner
    assert ">" not in inner
    assert '"' not in inner.replace('\\"', "")
    assert inner.replace("\\\\", "").replace('\\"', "").count("\\") == 0


@needs_dot
@pytest.mark.parametrize("text", NASTY[:-1])
def test_words_are_drawn_exactly_as_they_are(text: str) -> None:
    svg = render(f"digraph {{ a [label={quote(text)}] }}", "svg").decode()
    elements = ElementTree.fromstring(svg).iter()  # noqa: S314 - drawn by our own program
    drawn = [element.text for element in elements if element.tag.endswith("}text")]
    assert drawn == [text]


@needs_dot
def test_pictures_have_their_formats() -> None:
    dot = automaton_dot(pseudo_dfa(parse_expression("$* a ( b | c )")))
    assert b"<svg" in render(dot, "svg")
    assert render(dot, "png").startswith(b"\x89PNG")


def test_large_machines_are_refused_with_advice() -> None:
    machine = pseudo_dfa(parse_expression("a{120}"))
    assert "The automaton has 121 states" in (drawing_refusal(machine) or "")
    with pytest.raises(InputError, match="Choose a single rule instead of a whole label"):
        automaton_dot(machine)


def test_without_the_program_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="`dot` of Graphviz is not installed"):
        render("digraph { a }", "svg")
    with pytest.raises(ValueError, match="must be svg or png"):
        render("digraph { a }", "pdf")
