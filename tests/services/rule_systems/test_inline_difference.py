"""Two forms of a rule as one text: the author's order stays, and only what changed is marked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from support.rules.strategies import trees

from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tree import Node
from re2nn_core.services.rule_difference.language_difference import Verdict, language_verdict
from re2nn_core.services.rule_systems.inline_difference import InlinePiece, inline_difference, whole

BEFORE = {"city": parse_expression("rome | oslo | paris"), "town": parse_expression("rome | oslo | new york")}
AFTER = {
    **BEFORE,
    "more": parse_expression("rome | oslo | paris | vienna"),
    "days": parse_expression("today | now"),
    "signs": parse_expression("noon | %"),
}


def reported(before: str, after: str) -> str:
    return shown(inline_difference(parse_expression(before), parse_expression(after), BEFORE, AFTER))


def shown(pieces: tuple[InlinePiece, ...]) -> str:
    """Removed parts as -this-, added ones as +this+; of a class the words that changed."""
    signs = {"kept": "", "added": "+", "removed": "-"}
    parts = []
    for piece in pieces:
        changed = [f"{signs[side]}{word}" for word, side in piece.words if side != "kept" and piece.side == "kept"]
        words = f"{{{' '.join(changed)}}}" if changed else ""
        parts.append(f"{signs[piece.side]}{piece.text}{signs[piece.side]}{words}")
    return "".join(parts)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        # Nothing but order, or a class in place of its words, is no difference.
        ("$* ( b | a | c ) $*", "$* ( a | b | c ) $*", "$* ( b | a | c ) $*"),
        ("to ( rome | oslo | paris )", "to @city@", "to ( rome | oslo | paris )"),
        ("to @city@", "to ( paris | oslo | rome )", "to @city@"),
        # One word.
        ("$* ( price | fare ) $*", "$* ( cost | fare | price ) $*", "$* ( price | fare+ | cost+ ) $*"),
        ("$* ( price | fare ) $*", "$* price $*", "$* ( price- | fare- ) $*"),
        ("$* lost $*", "$* ( found | lost ) $*", "$* +( +lost+ | found )+ $*"),
        ("a b", "a", "a -b-"),
        ("a", "a b?", "a +b?+"),
        ("$* late+ $*", "$* late $*", "$* -late+- +late+ $*"),
        ("( a | b )+ c", "( a | b )* c", "( a | b -)+-+)*+ c"),
        # A word inside an alternative of several words.
        ("( a | lost bag )", "( a | lost ( bag | case ) )", "a | lost +( +bag+ | case )+"),
        # A class that grew, and one that came.
        ("to @city@", "to @more@", "to @city@{+vienna}"),
        # Words of a class that stand beside the class that took its place, as learned classes have single words alone.
        ("to @town@", "to ( @more@ | new york )", "to @town@{+paris +vienna}"),
        ("to @town@", "to ( @more@ | new york | hong kong )", "to +( +@town@{+paris +vienna}+ | hong kong )+"),
        ("at ( noon | today )", "at ( @days@ | noon )", "at ( noon | today+ | now+ )"),
        # A sign that the new class has is no sign that went.
        ("% a", "@signs@ a", "+( +%+ | noon )+ a"),
        # The words stay where they are, though `$*` at one end is the only part that is the same without a gap.
        (
            "$* ( to | in ) [ @city@ ]<x> $*",
            "[^ born ]* ( to | in ) [ @more@ | new york ]<x> $*",
            "-$*- +[^ born ]*+ ( to | in ) [ @city@{+vienna}+ | new york+ ]<x> $*",
        ),
        # Captures.
        ("to [ a ]<x>", "to [ a | b ]<x>", "to [ a+ | b+ ]<x>"),
        ("to [ a ]<x>", "to [ a ]<y>", "to [ a -]<x>-+]<y>+"),
        ("a [^ b c ] d", "a [^ b ] d", "a -[^ b c ]- +[^ b ]+ d"),
        ("a but not ( b )", "a but not ( b | c )", "a but not ( b+ | c+ )"),
        ("a", "a but not ( b )", "-a- +a but not ( b )+"),
    ],
)
def test_only_what_changed_is_marked(before: str, after: str, expected: str) -> None:
    assert reported(before, after).replace("  ", " ") == expected


def test_a_rule_of_one_side_is_marked_whole() -> None:
    assert shown(whole(parse_expression("to @city@"), BEFORE, "added")) == "+to ++@city@+"


def side(pieces: tuple[InlinePiece, ...], other: str) -> Node:
    """What one side reads of the text: all that the other one alone has left out."""
    return parse_expression("".join(piece.text for piece in pieces if piece.side != other))


@settings(max_examples=50, deadline=None)
@given(trees(classes=False), trees(classes=False))
def test_each_side_of_the_text_is_the_rule_of_that_side(first: Node, second: Node) -> None:
    pieces = inline_difference(first, second, {}, {})
    for text, tree in ((side(pieces, "added"), first), (side(pieces, "removed"), second)):
        assert language_verdict("rule", text, tree).verdict is Verdict.SAME


@settings(max_examples=100, deadline=None)
@given(trees(classes=False))
def test_a_rule_differs_from_itself_in_nothing(tree: Node) -> None:
    assert {piece.side for piece in inline_difference(tree, tree, {}, {})} == {"kept"}
