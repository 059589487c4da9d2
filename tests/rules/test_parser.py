"""What rules read as."""

from __future__ import annotations

import pytest

from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tree import (
    Any,
    Capture,
    Choice,
    ClassReference,
    Concat,
    Empty,
    Node,
    Number,
    Punctuation,
    Repeat,
    SentenceEnd,
    SentenceStart,
    Tagged,
    Word,
)

A, B, C = Word("a"), Word("b"), Word("c")
ANYTHING = Repeat(Any(), 0, None)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a", A),
        ("$", Any()),
        ("%", Number()),
        ("&", Punctuation()),
        ("BOS", SentenceStart()),
        ("EOS", SentenceEnd()),
        ("( )", Empty()),
        ("a ( ) b", Concat((A, Empty(), B))),
        ("a b c", Concat((A, B, C))),
        ("a | b", Choice((A, B))),
        ("a b | c", Choice((Concat((A, B)), C))),
        ("$*", ANYTHING),
        ("$ *", ANYTHING),
        ("$*a$*", Concat((ANYTHING, A, ANYTHING))),
        ("a+b?", Concat((Repeat(A, 1, None), Repeat(B, 0, 1)))),
        ("a {2}", Repeat(A, 2, 2)),
        ("a{2,}", Repeat(A, 2, None)),
        ("a { 1 , 2 } b", Concat((Repeat(A, 1, 2), B))),
        ("( a b )*", Repeat(Concat((A, B)), 0, None)),
        ("( a* )*", Repeat(Repeat(A, 0, None), 0, None)),
        ("((a))", A),
        ("( a | ( b | c ) )", Choice((A, B, C))),
        ("( a b ) c", Concat((A, B, C))),
        ("a | a", A),
        ('a | "a" | b', Choice((A, B))),
        ("\\^ | ^ | ( ) | ()", Choice((Word("^"), Empty()))),
        ("@city@", ClassReference("city")),
        ("(a|@city@)", Choice((A, ClassReference("city")))),
    ],
)
def test_operators(text: str, tree: Node) -> None:
    assert parse_expression(text) == tree


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("747 3.5 dc10 2nd", ["747", "3.5", "dc10", "2nd"]),
        ("st. o'clock 'd u.s. top-rated", ["st.", "o'clock", "'d", "u.s.", "top-rated"]),
        ("机票 飞机票，", ["机票", "飞机票，"]),
        ("bos eos Bos", ["bos", "eos", "Bos"]),
        (r"\$ \% \& \( \) \| \* \+ \? \{ \} \[ \] \@ \" \\", list('$%&()|*+?{}[]@"\\')),
        (r"c\+\+ 50\% at\&t", ["c++", "50%", "at&t"]),
        ('"$" "?" "BOS" "(a|b)*"', ["$", "?", "BOS", "(a|b)*"]),
        (r'"say\"so" "back\\slash" "\d"', ['say"so', "back\\slash", "\\d"]),
        (r"\<:>x", ["<:>x"]),
        ("http://x.org/y a/b", ["http://x.org/y", "a/b"]),
        (
            "a=b c:d <unk> # ; , . - _ `` '' !",
            ["a=b", "c:d", "<unk>", "#", ";", ",", ".", "-", "_", "``", "''", "!"],
        ),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    tree = parse_expression(text)
    parts = tree.parts if isinstance(tree, Concat) else (tree,)
    assert [part.text for part in parts if isinstance(part, Word)] == words
    assert len(parts) == len(words)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("[ a b ]<city>", Capture(Concat((A, B)), "city")),
        ("[a|b]<to.city_name>*", Repeat(Capture(Choice((A, B)), "to.city_name"), 0, None)),
        ("( [ a ]<x> b )?", Repeat(Concat((Capture(A, "x"), B)), 0, 1)),
        ("a<:>B-city", Tagged(A, "B-city")),
        ("$<:>OO*", Repeat(Tagged(Any(), "OO"), 0, None)),
        ("%<:>B-x &<:>I-x", Concat((Tagged(Number(), "B-x"), Tagged(Punctuation(), "I-x")))),
        ("'s<:>I-airline_name", Tagged(Word("'s"), "I-airline_name")),
        ("@city<:>to.city@", Tagged(ClassReference("city"), "to.city")),
        ("@city<:>B-to.city@?", Repeat(Tagged(ClassReference("city"), "B-to.city"), 0, 1)),
        ("EOS<:>O", SentenceEnd()),
        ('"$"<:>B-money', Tagged(Word("$"), "B-money")),
    ],
)
def test_slots(text: str, tree: Node) -> None:
    assert parse_expression(text) == tree


def test_examples_of_the_published_files() -> None:
    tight = parse_expression("$* (class ( ticket ) | how much |(how(far|long)|distance)) numbers)".replace("s)", "s"))
    loose = parse_expression("$ * ( class ticket | how much | how ( far | long ) | distance ) numbers")
    assert tight == loose


def test_lines_and_comments() -> None:
    assert parse_expression("a // note\nb \\\nc // note\n// more") == Concat((A, B, C))
    assert parse_expression("a*//note") == Repeat(A, 0, None)


def test_equal_words_share_one_node() -> None:
    tree = parse_expression("a* a*")
    assert isinstance(tree, Concat)
    assert tree.parts[0] is tree.parts[1]
