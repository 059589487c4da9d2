"""A change of a rule as HTML: what a reader must not take for a loss, and classes that nobody named yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from re2nn_core.plots.review.change_html import Side, rule_as_html, with_rewritten
from re2nn_core.rules.parser import parse_expression
from re2nn_core.services.rule_difference.drawn_differences import drawn_trees
from re2nn_core.services.rule_systems.inline_difference import InlinePiece


def test_a_word_that_moved_is_no_loss() -> None:
    pieces = (InlinePiece("$+ from home | ", "removed"), InlinePiece("$ ( from | get )", "added"))
    assert "from is not lost: moved to another part of the rule." in rule_as_html(pieces)
    assert "not lost" not in rule_as_html(pieces[:1])


def test_an_added_class_is_shown_by_its_words() -> None:
    words = tuple((word, "added") for word in ("?", "%", "days", "here", "one"))
    shown = rule_as_html((InlinePiece("@rule.here_5@", "added", words),))  # type: ignore[arg-type]
    summary = shown.split("</summary>")[0]
    assert "@rule.here_5@" not in summary
    assert summary.index("here") < summary.index("days") < summary.index("one")
    assert "and 2 more" in summary
    assert "@rule.here_5@: " in shown


def test_a_learned_class_of_one_kind_is_shown_by_that() -> None:
    words = tuple((word, "added") for word in ("10th", "11th", "12th", "13th"))
    shown = rule_as_html((InlinePiece("@rule.ordinals_4<:>I-date@", "added", words),))  # type: ignore[arg-type]
    assert "ordinals</ins>" in shown.split("</summary>")[0]
    assert "&lt;:&gt;I-date</ins> <i>4 words</i>" in shown.split("</summary>")[0]
    assert "@rule.ordinals_4&lt;:&gt;I-date@: " in shown


def test_words_of_a_learned_class_that_are_of_another_kind_are_shown() -> None:
    """“ordinals, 10 words” hid three that were none: “friday”, “october” and “december”."""
    words = tuple((word, "added") for word in (*(f"{number}th" for number in range(10, 17)), "friday", "october"))
    shown = rule_as_html((InlinePiece("@rule.ordinals_9<:>I-date@", "added", words),))  # type: ignore[arg-type]
    assert "ordinals <i>7 words</i></ins> | <ins" in shown
    assert ">friday</ins> | " in shown.split("</summary>")[0]


def test_a_learned_class_that_is_named_after_a_word_of_its_phrases_is_shown_by_its_words() -> None:
    """“friday, 61 words” stood for phrases of which few had this word, which was none of them."""
    words = tuple((word, "added") for word in ("saturday", "this? friday", "( 11 | late )? march"))
    shown = rule_as_html((InlinePiece("@rule.friday_3@", "added", words),))  # type: ignore[arg-type]
    assert shown.split("</summary>")[0].count("re2-new") == 3


def test_a_class_of_the_author_keeps_its_name() -> None:
    words = (("monday", "kept"), ("tuesday", "kept"), ("friday", "kept"), ("noon", "added"))
    shown = rule_as_html((InlinePiece("@day@", "kept", words),))  # type: ignore[arg-type]
    assert "@day@ <i>+1</i>" in shown.split("</summary>")[0]


def test_a_class_that_the_rule_had_is_not_marked_as_new_where_a_part_is_written_in_another_way() -> None:
    words = (("oslo", "added"), ("rome", "added"))
    pieces = InlinePiece("from @city@", "rewritten"), InlinePiece("@city@", "added", words)  # type: ignore[arg-type]
    assert '<ins class="re2-new">@city@' not in rule_as_html(pieces)
    assert '<ins class="re2-new">@city@' in rule_as_html(pieces[1:])


def test_what_the_automaton_still_reads_is_not_struck_through() -> None:
    """The text and the drawing agree: a piece went only where some word of it went from a transition."""
    pieces = (InlinePiece("&? ", "removed"), InlinePiece("( a", "kept"), InlinePiece(" | b", "removed"))
    before, after = parse_expression("&? ( a | b )"), parse_expression("&? a")
    shown = rule_as_html(with_rewritten(pieces, drawn_trees("r", before, after, tagging=False).difference))
    assert '">&amp;? </span>' in shown
    assert '<del class="re2-gone"> | b</del>' in shown
    assert "Grey: still matched" in shown
    assert "Grey" not in rule_as_html(with_rewritten(pieces, None))


def test_a_long_row_of_words_is_folded_to_as_many_as_a_drawing_shows() -> None:
    row = " | ".join(f"w{chr(97 + number)}" for number in range(20))
    shown = rule_as_html((InlinePiece(row, "added"),))
    assert re.sub(r"<[^>]*>", "", shown).startswith("wa | wb | wc | 17 more wd | we")
    assert '<summary><ins class="re2-new">17 more</ins></summary>' in shown


def test_words_of_one_kind_are_an_alternative_between_the_brackets_of_their_row() -> None:
    """Not behind the bracket, and not without a bar: `( % | 555-0195 ) phone numbers, 18 words`."""
    numbers = [f"555-01{number}" for number in range(78, 96)]
    row = f"call ( % | {' | '.join(numbers)} ) [ us | me ]<who> now"
    shown = rule_as_html((InlinePiece("late | ", "kept"), InlinePiece(row, "added")))
    folded = re.sub(r"</summary>.*?</details>", "", shown)
    assert re.sub(r"<[^>]*>", "", folded) == "late | call ( % | phone numbers, 18 words ) [ us | me ]<who> now".replace(
        "<", "&lt;"
    ).replace(">", "&gt;")
    whole = re.sub(r"<summary>.*?</summary> ", "", shown)
    assert re.sub(r"<[^>]*>", "", whole) == f"late | {row}".replace("<", "&lt;").replace(">", "&gt;")


def test_words_of_the_author_are_not_marked_as_new_where_a_part_is_written_in_another_way() -> None:
    pieces = (
        InlinePiece("( ", "kept"),
        InlinePiece("$+ from home", "removed"),
        InlinePiece(" | ", "kept"),
        InlinePiece("( from | get ) ( home | a )", "added"),
    )
    shown = rule_as_html(pieces)
    assert re.findall(r'<ins class="re2-new">(.*?)</ins>', shown) == ["get", "a"]


def test_a_long_row_of_words_is_folded_by_what_they_are() -> None:
    urls = [f"page{number}.example" for number in range(61)]
    row = rule_as_html((InlinePiece("late | ", "kept"), InlinePiece(" | ".join([*urls, "refund"]), "added")))
    assert '<summary><ins class="re2-new">URLs, 61 words</ins></summary>' in row
    assert '<ins class="re2-new">refund</ins>' in row.partition("<details>")[0]
    words = tuple((word, "added") for word in [*urls, "refund", "money"])
    shown = rule_as_html((InlinePiece("@r.refund_63@", "added", words),)).partition("</summary>")[0]
    assert "URLs <i>61 words</i></ins> | " in shown
    assert "refund" in shown


@pytest.mark.parametrize(
    ("pieces", "marked"),
    [
        ((("$* ", "kept"), ("&", "removed"), (" ", "kept"), ("[^ ! to ]", "added")), ["[^"]),
        ((("( BOS", "kept"), (" | $* &", "rewritten"), (" | $+", "added"), (" )", "kept")), ["$+"]),
        ((("$*", "removed"), (" hi ", "kept"), ("&", "rewritten"), (" ", "kept"), ("$*", "added")), ["$*"]),
        ((("[ ", "kept"), ("$", "removed"), (" ", "kept"), ("[^ by ]", "added"), (" ]<who>", "kept")), []),
        ((("$+ home", "removed"), (" ", "kept"), ("$+ ( home | town )", "added")), ["town"]),
    ],
)
def test_a_wildcard_in_the_place_of_a_symbol_is_marked(
    pieces: Sequence[tuple[str, Side]], marked: Sequence[str]
) -> None:
    """`[^ ! to ]` in the place of `&` looked as if nothing had come, as did `$+` in that of `$* &`."""
    shown = rule_as_html([InlinePiece(text, side) for text, side in pieces])  # type: ignore[arg-type]
    assert re.findall(r'<ins class="re2-new">(.*?)</ins>', shown) == marked
