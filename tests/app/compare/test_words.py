"""Small pieces of the page Compare: the sentence above the figures, and words in a narrow column."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pages._compare.accepting.gains import Gain
from pages._compare.drawing.union_list import fitting
from pages._compare.drawing.words import rule_html, word_list
from pages._compare.reconstruction.summary_sentence import (
    Held,
    held_figures,
    summary_sentence,
    with_chosen,
    with_newest,
)
from pages._compare.review.component import LEGEND
from pages._shared.components.grid import height_of
from pages._shared.drawing.measures import ACCURACY, F1
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.tree import Any, Word
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.rule_systems.rule_pieces import Piece, pieces_of_tree
from re2nn_core.text.spans import spans_of
from re2nn_core.text.tokenization import Tokenization, tokenize

NONE_MOVE = SplitMoves(102, 0, 0)
_NO_BETTER = " (no better than your rules on these texts)"


@pytest.mark.parametrize(
    ("shares", "reported", "offered"),
    [
        ((0.912, 0.953, 0.929), "your rules 91.2%, with every change 92.9%, the network 95.3%.", True),
        ((0.9, 0.95, 0.8), "your rules 90.0%, with every change 80.0%, the network 95.0%.", True),
        ((0.9, 0.91, 0.93), "your rules 90.0%, with every change 93.0%, the network 91.0%.", False),
        (
            (0.9, 0.904, 0.9),
            "your rules 90.0%, with every change 90.0% (3 become correct, 3 incorrect), the network 90.4%.",
            False,
        ),
        ((0.9, 0.8, 0.85), f"your rules 90.0%, with every change 85.0%, the network 80.0%{_NO_BETTER}.", False),
    ],
)
def test_what_training_brought_is_in_a_sentence_of_figures(
    shares: tuple[float, float, float], reported: str, *, offered: bool
) -> None:
    moves = SplitMoves(74, 3, 3) if shares[0] == shares[2] else SplitMoves(74, 0, 0)
    held = held_figures({"dev": (30, (0.0, 1.0, 1.0), SplitMoves(30, 1, 0)), "test": (74, shares, moves)}, "dev")
    assert held is not None
    held = replace(held, beyond=("weights between 0 and 1", "word vectors"))
    assert text_of(held) == f"Accuracy on 74 test texts: {reported}"
    better = summary_sentence(replace(held, network=1.0), ACCURACY)
    assert 'strong ones. It also uses weights between 0 and 1 and word vectors: view Figures."' in better
    assert held.network_is_better is offered


def test_the_figures_are_those_of_the_newest_version_too() -> None:
    """After a save the sentence does not go on about the rules before it."""
    held = held_figures({"test": (74, (0.706, 0.745, 0.76), SplitMoves(74, 5, 1))}, "dev")
    assert held is not None
    now = with_newest(held, ("v1", "v2"), {"test": 0.75}.get)
    assert text_of(now).endswith(f"your rules v2 75.0%, v1 70.6%, the network 74.5%{_NO_BETTER}.")
    gain = Gain(SplitMoves(74, 1, 0), (-0.023, 0.05))
    chosen = with_chosen(now, {"test": (0.75, 0.765)}, gain, 0, 2)
    interval = " (95% interval -2.3 to +5.0 points)"
    assert f"v2 75.0%, with the 2 accepted changes 76.5%{interval}, v1 70.6%, the network" in text_of(chosen)
    assert text_of(chosen).endswith("At this rate, about 300 more annotated texts would decide.")
    unknown = with_newest(held, ("v1", "v2"), lambda _: None)
    assert text_of(unknown).endswith("test texts: v1 70.6%, the network 74.5%.")
    counted = replace(held, changes=19)
    assert ", with all 19 changes 76.0% (95% interval " in text_of(counted)
    assert "19" not in text_of(with_newest(counted, ("v1", "v2"), {"test": 0.75}.get))
    better = with_newest(replace(held, network=0.8), ("v1", "v2"), lambda _: 0.8)
    assert not better.network_is_better


@pytest.mark.parametrize(
    ("recommended", "accepted", "called"),
    [
        (1, 0, "with the recommended change 75.0%"),
        (0, 3, "with the 3 accepted changes 75.0%"),
        (2, 1, "with the 3 accepted and recommended changes 75.0%"),
        (0, 0, "with all 4 changes 76.0%"),
    ],
)
def test_the_figure_is_that_of_the_changes_that_are_recommended_or_accepted(
    recommended: int, accepted: int, called: str
) -> None:
    """“With all changes” was of those too that nobody is to take."""
    held = held_figures({"test": (74, (0.706, 0.745, 0.76), SplitMoves(74, 5, 1))}, "dev")
    assert held is not None
    counted = replace(held, changes=4)
    gain = Gain(SplitMoves(74, 4, 1), (-0.02, 0.1))
    chosen = with_chosen(counted, {"test": (0.706, 0.75), "dev": (0.5, 0.6)}, gain, recommended, accepted)
    assert f"your rules 70.6%, {called} (95% interval " in text_of(chosen)
    assert "with all 4 changes 76.0%" in text_of(with_chosen(counted, {"dev": (0.5, 0.6)}, gain, 1, 0))


@pytest.mark.parametrize(
    ("moves", "interval", "more"),
    [
        (
            SplitMoves(102, 3, 0),
            "(95% interval -0.8 to +6.6 points)",
            "At this rate, about 70 more annotated texts would decide.",
        ),
        (SplitMoves(102, 6, 0), "(95% interval +0.9 to +10.6 points)", ""),
        (SplitMoves(102, 0, 3), "(95% interval -6.6 to +0.8 points)", ""),
        (
            SplitMoves(102, 20, 19),
            "(95% interval -11.0 to +12.9 points)",
            "more than 1,000 more annotated texts would be needed to decide.",
        ),
        (SplitMoves(102, 0, 0), "", ""),
    ],
)
def test_a_gain_has_its_interval_and_thin_evidence_the_texts_that_would_do(
    moves: SplitMoves, interval: str, more: str
) -> None:
    held = held_figures({"test": (102, (0.706, 0.9, 0.735), moves)}, "dev")
    assert held is not None
    assert f"every change 73.5%{interval and ' '}{interval}, the network" in text_of(held)
    assert (more in text_of(held)) if more else text_of(held).endswith("90.0%.")
    of_spans = held_figures({"test": (102, (0.706, 0.9, 0.735), moves)}, "dev", of_texts=False)
    assert "interval" not in summary_sentence(of_spans, F1)
    assert "points" not in text_of(replace(held, trained=True))


def test_what_the_figures_are_of_is_explained_in_place() -> None:
    held = held_figures({"test": (74, (0.7, 0.9, 0.8), SplitMoves(74, 9, 1))}, "dev")
    shown = summary_sentence(held, ACCURACY)
    assert 'title="Your rules with all changes that are listed below, the good ones and the bad ones."' in shown
    assert 'title="The trained network itself, which adds up many small weights.' in shown


def test_without_test_texts_it_is_of_dev_or_of_all() -> None:
    splits = {"dev": (1, (0.5, 1.0, 1.0), SplitMoves(1, 1, 0))}
    dev = held_figures(splits, "dev")
    assert dev is not None
    assert "Accuracy on 1 dev text: your rules" in text_of(dev)
    held = held_figures(splits, "all labelled texts")
    assert held is not None
    assert "F1 on 1 labelled text (used for training): your rules <b>50.0</b>" in summary_sentence(held, F1)
    learned = held_figures(splits, "dev (also used for training)")
    assert learned is not None
    assert "Accuracy on 1 dev text (used for training): your rules" in text_of(learned)
    tested = held_figures({"test": splits["dev"]}, "dev (also used for training)")
    assert tested is not None
    assert "Accuracy on 1 test text: your rules" in text_of(tested)
    assert with_newest(held, ("v1", "v2"), {"dev": 0.75}.get).newest == 0.75
    assert summary_sentence(held_figures({}, "dev"), F1) == ""
    assert held_figures({"test": (9, (0.5, None, 1.0), NONE_MOVE)}, "dev") is None


def test_without_a_change_there_is_no_figure_of_changes() -> None:
    held = held_figures({"test": (102, (0.706, 0.725, 0.706), NONE_MOVE)}, "dev")
    assert held is not None
    assert text_of(replace(held, changes=0)) == "Accuracy on 102 test texts: your rules 70.6%, the network 72.5%."


def text_of(held: Held) -> str:
    return re.sub("<[^>]*>", "", summary_sentence(held, ACCURACY))


def test_words_that_do_not_fit_are_counted() -> None:
    assert fitting(()) == ""
    assert fitting(("american", "united")) == "american, united"
    assert fitting(tuple(f"10{number}" for number in range(25))) == "100, 101, 102 and 22 more"
    assert fitting(("an-unusually-long-word-for-a-column", "b")) == "an-unusually-long-word-for-a-column and 1 more"


def test_numbers_come_behind_words() -> None:
    shown = word_list("Words added", ["1020", "american", "%"], "new")
    assert shown.index("american") < shown.index("1020")


def test_a_table_is_no_higher_than_its_rows_and_shows_that_there_are_more() -> None:
    assert height_of(4, 12) < height_of(12, 12) < height_of(13, 12) == height_of(400, 12) < height_of(13, 13)


def test_a_class_that_lost_words_says_which_and_is_not_struck_through() -> None:
    class_of = [Piece(word, "changed" if word in ("b", "d") else "same") for word in "abcde"]
    shown = rule_html([Piece("@city@", "changed", tuple(class_of))], "gone").partition("</summary>")[0]
    assert "<summary>@city@ <i>5 words</i><i>, 2 removed</i>" in shown
    assert shown.count('<del class="re2-gone">') == 2
    assert '<del class="re2-gone">b</del>, <del class="re2-gone">d</del>' in shown
    whole = rule_html([Piece("@city@", "changed", tuple(Piece(word, "changed") for word in "ab"))], "gone")
    assert '<del class="re2-gone">@city@</del> <i>2 words</i><i>, all removed</i>' in whole


def test_the_legend_says_why_a_single_word_of_a_slot_has_an_i_tag() -> None:
    """“a word of the slot” did not; a lone I- begins a span as a B- does."""
    assert dict(LEGEND)["<:>I-"] == "<:>I- continues the slot, alone it begins one"
    tokens = tokenize("to rome now", Tokenization())
    lone, begun = (spans_of(["O", tag, "O"], tokens) for tag in ("I-city", "B-city"))
    assert lone == begun != ()


def test_of_many_words_in_a_row_those_that_gain_most_are_shown() -> None:
    """An edit of 353 words was written out, and filled the page."""
    tree = parse_expression(f"$* ( from | new york | {' | '.join(f'w{number}' for number in range(20))} ) $*")
    pieces = pieces_of_tree(tree, {}, {Word("from"), Any()})
    shown = rule_html(pieces, "new", {"w7": 5, "york": 9})
    first, _, rest = re.sub(r"<(?!/?summary)[^>]*>", "", shown).partition("<summary>")
    assert first == f"$* ( from | new york | w7 | {' | '.join(f'w{n}' for n in (*range(7), *range(8, 11)))} | "
    assert rest == f"9 more</summary> {' | '.join(f'w{n}' for n in range(11, 20))} ) $*"
    assert "<summary>" not in rule_html(pieces[:30], "new")
