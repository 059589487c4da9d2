"""A review as an HTML page: all that people wrote is escaped, and a change is shown with its marks."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from re2nn_core.plots.review.page import review_page
from re2nn_core.rules.tree import Word
from re2nn_core.services.rule_difference.drawn_differences import drawn_trees
from re2nn_core.services.rule_review.change_repairs import Beside
from re2nn_core.services.rule_review.patterns import (
    BetterWithout,
    NewRulePatterns,
    OverriddenLogic,
    ReviewedPattern,
)
from re2nn_core.services.rule_review.review_document import (
    ReviewDocument,
    ReviewedRule,
    ReviewedText,
    ReviewFigure,
    TextList,
    TextMark,
)
from re2nn_core.services.rule_systems.inline_difference import InlinePiece

HOSTILE = ("<script>alert(1)</script>", '" onload="x', "</style><script>", "&amp;", "a\u202eb", "]]>", "'")


class Reader(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def document(word: str = "cost", **changes: object) -> ReviewDocument:
    """One change, in which every text holds the word."""
    text = ReviewedText(f"what {word}", word, word, word, f"{word}!", (TextMark(5, 5 + len(word), "matched", word),))
    drawn = drawn_trees("r", Word("fare"), Word(word), tagging=False)
    one = ReviewedRule(
        name=word,
        groups=(word,),
        new=False,
        pieces=(
            InlinePiece("( fare", "kept"),
            InlinePiece(f" | {word}", "added"),
            InlinePiece(f"{word}s fare", "removed"),
        ),
        difference=drawn.difference,
        refusal="",
        fixed=TextList(1, (text,)),
        broken=TextList(25, (text,)),
        other=TextList(0),
        held_fixed=1,
        weak="few",
        held_broken=0,
        gain=0.5,
        only_before=None,
        only_after=word,
        state="accepted",
        by=f"by {word}",
        edited=word,
    )
    figures = (ReviewFigure(word, 12, 0.5, None, 0.75),)
    return ReviewDocument(word, word, False, "Accuracy", figures, word, 3, (replace(one, **changes),), (word,))  # type: ignore[arg-type]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_people_wrote_is_text(hostile: str) -> None:
    plain, shown = Reader(review_page(document())), Reader(review_page(document(hostile)))
    assert {tag for tag, _ in shown.elements} == {tag for tag, _ in plain.elements}
    assert not any(name.startswith("on") for _, attributes in shown.elements for name in attributes)


def test_the_page_asks_for_nothing_outside_it() -> None:
    page = review_page(document())
    assert not re.search(r"""(src|href)=["'](?!#)""", page)
    assert "url(http" not in page
    assert "default-src 'none'" in page


def test_a_change_is_shown_with_its_marks() -> None:
    page = review_page(document())
    assert '<ins class="re2-new">cost</ins>' in page
    assert '<del class="re2-gone">costs fare</del>' in page
    assert '<mark class="matched">cost<small>cost</small></mark>' in page
    assert "Thin evidence</b>: fixes <b>1</b> and breaks <b>0</b> of 3 cost texts." in page
    assert 'Other texts: 0 fixed, <span class="re2-down">25 broken</span>.' in page
    assert "In drawings: = kept, ± changed: other words or tags, dash and dots</span>" in page
    assert page.index("Broken 25") < page.index("Fixed 1<")
    assert '<span class="state accepted">Accepted</span>' in page
    assert "and 24 more" in page
    assert '<td class="number">50.0%</td><td class="number">–</td><td class="number">75.0%</td>' in page


def test_ids_of_several_drawings_are_told_apart() -> None:
    one = document()
    page = review_page(replace(one, rules=one.rules * 2))
    ids = [attributes["id"] for _, attributes in Reader(page).elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r"url\(#([^)]+)\)", page))
    assert used
    assert used <= set(ids)


def test_a_new_rule_has_one_drawing() -> None:
    drawn = drawn_trees("r", None, Word("cost"), tagging=False)
    page = review_page(document(new=True, difference=drawn.difference))
    assert ">Original</text>" not in page
    assert ">Reconstructed</text>" in page


def test_a_new_rule_has_its_patterns_and_leads_to_what_it_repairs() -> None:
    """The page had them, and the file did not."""
    rows = (ReviewedPattern("$* a $*", "“a”", 3, (2, 0), (0, 1)), ReviewedPattern("$* b $*", "“b”", 1, (0, 1), (2, 0)))
    patterns = NewRulePatterns(rows, BetterWithout(["“b”"], "$* a $*", (2, 0), gains=True))
    overridden = OverriddenLogic(stronger=("travel",), example="cost", before="travel")
    beside = Beside([("fare", 6, False)], safely="up")
    one = document(new=True, patterns=patterns, beside=beside, overridden=overridden)
    page = review_page(replace(one, rules=(*one.rules, replace(one.rules[0], name="fare"))))
    plain = " ".join(re.sub("<[^>]*>", " ", page).split())
    assert 'Repairs 6 texts that <a href="#c2">fare</a> breaks' in page
    assert (
        "New rule, under first in Label logic : it overrides the priority travel &gt; cost , which still counts"
        in plain
    )
    assert "Better without “b”: fixes 2 and breaks 0 . Matches Alone (" in plain
    assert ") Rule without it (same) Your texts (all) “a” 2 fixed" in plain
    assert "<button" not in page
    assert '>cost</a> <span class="quiet">new</span></td>' in page


def test_what_is_overridden_without_an_example_is_not_said() -> None:
    """Nobody could act on a veto that matters for no text."""
    page = review_page(document(new=True, overridden=OverriddenLogic(vetoes=("refund",), first=False)))
    assert (
        "proposed from your labelled texts and not read from the network, in addition to yours for <b>cost</b>." in page
    )
    assert "overrides" not in page


def test_what_is_too_large_to_draw_says_so() -> None:
    assert '<p class="quiet">too large</p>' in review_page(document(difference=None, refusal="too large"))


def test_no_change_is_said() -> None:
    page = review_page(replace(document(), rules=()))
    assert "No rule changed." in page
    assert "Each is shown" not in page
    assert "<h3>Changes</h3>" not in page
