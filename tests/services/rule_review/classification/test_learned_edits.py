"""Learned edits offered one by one: what they do on texts, in what order, and how one is taken over."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.networks.small_system import RULES, small_corpus

from re2nn_core.errors import InputError
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.services.rule_review.classification.learned_edits import Offers, accept_edit, offered_edits
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.rule_coverage import analyse
from re2nn_core.text.tokenization import Tokenization

LEARNED = """\
[travel]
@new@=( flight | flights | planes | ticket )
go := $* @new@ $*
to_city := $* fly to ( $ | oslo ) $*
[money]
price := $* ( cost | fare | % ) $*
much := how much $*
sign := $* ( & | cost ) of $*
"""


def read(text: str) -> RuleSet:
    return read_rules(text, lowercase=True).ruleset


def offers(name: str, rules: str = RULES, logic: str = "") -> Offers:
    corpus = small_corpus()
    bench = TextBench(corpus.texts, Tokenization())
    now = analyse(bench, [example.label for example in corpus], rules, logic)
    return offered_edits(now, read(LEARNED), name, bench, [example.split for example in corpus])


def test_edits_come_with_the_texts_they_move_and_the_best_first() -> None:
    found = offers("go")
    assert [(edit.in_words, len(edit.won), edit.right) for edit in found.edits] == [
        # Eight cities have a text with planes, two of them are test and do not count.
        ("at flight | flights, also match planes", 8, 6),
        ("at flight | flights, also match planes, ticket", 8, 6),
    ]
    corpus = small_corpus()
    assert all("planes" in corpus.texts[text] for text in found.edits[0].won)
    assert found.edits[0].text == "$* ( flight | flights | planes ) $*"


def test_one_word_beside_any_of_several_alternatives_is_one_edit() -> None:
    found = offers("price", "[money]\nprice := $* ( price | fare | dear fee ) $*\n")
    texts = [edit.text for edit in (*found.edits, *found.without_effect) if edit.words == ("cost",)]
    assert "$* ( price | cost | fare | dear fee ) $*" in texts
    assert "$* ( price | fare | cost | dear fee ) $*" not in texts


def test_a_place_that_reads_punctuation_gets_its_edits_too() -> None:
    rules = f"{RULES}sign := $* & of $*\n"
    [edit] = offers("sign", rules, 'priorities = ["money > travel"]\n').edits
    assert (edit.in_words, edit.text, len(edit.won), edit.right) == (
        "at &, also match cost",
        "$* ( & | cost ) of $*",
        8,
        6,
    )
    accepted = accept_edit(edit, rules_text=rules, logic_text="", lowercase=True)
    assert accepted.rules_text.endswith("sign := $* ( & | cost ) of $*\n")


def test_in_short_the_words_that_come_are_in_sight_however_many_stand_there() -> None:
    many = " | ".join(["flight", "flights", *(f"trip{number}" for number in range(30))])
    edit = offers("go", RULES.replace("( flight | flights )", f"( {many} )")).edits[0]
    assert edit.in_words == f"at {many}, also match planes"
    assert edit.in_short == "at flight | flights | trip0 | …, also match planes"
    assert offers("go").edits[0].in_short == offers("go").edits[0].in_words


def test_texts_of_other_labels_count_against_an_edit() -> None:
    found = offers("to_city")
    [edit] = found.edits
    assert found.more == 0
    assert (edit.in_words, len(edit.won), edit.right) == ("at boston | oslo, match any word", 6, 4)
    turned = offers("price", RULES.replace("[money]\nprice", "[travel]\nprice"), 'default = "money"\n')
    [cost] = [edit for edit in turned.edits if edit.words]
    assert cost.right == -6


def test_texts_that_are_right_already_are_not_counted() -> None:
    """All rules together predict: a text that is right by another rule, or by default, is put right by no edit."""
    found = offers("go", logic='default = "travel"\n')
    assert found.edits == ()
    edit = found.without_effect[0]
    assert (edit.words, len(edit.won), edit.right, edit.predictions, edit.verdict) == (("planes",), 8, 0, 0, "nothing")
    edit = offers("go", RULES + "again := $* cost $*\n", 'priorities = ["travel > money"]\n').edits[0]
    assert (len(edit.won), edit.right) == (8, 6)


def test_edits_that_change_no_prediction_stand_apart_and_one_that_loses_says_so() -> None:
    found = offers("go")
    assert [(edit.verdict, edit.predictions) for edit in found.edits] == [("gains", 8), ("gains", 8)]
    assert found.without_effect == ()
    turned = offers("price", RULES.replace("[money]\nprice", "[travel]\nprice"), 'default = "money"\n')
    assert [(edit.words, edit.verdict, edit.right) for edit in turned.edits] == [(("cost",), "loses", -6)]
    # No text holds a number, so that what it would do cannot be told from these.
    assert [(edit.kind, edit.verdict) for edit in turned.without_effect] == [("number", "nothing")]


def test_an_edit_that_moves_unlabelled_predictions_alone_is_neither_gain_nor_nothing() -> None:
    corpus = small_corpus()
    bench = TextBench(corpus.texts, Tokenization())
    now = analyse(bench, [None for _ in corpus], RULES, "")
    found = offered_edits(now, read(LEARNED), "go", bench, [None for _ in corpus])
    assert [(edit.verdict, edit.right, edit.predictions) for edit in found.edits] == [("even", 0, 8), ("even", 0, 8)]


def test_an_edit_is_made_in_the_line_of_its_rule_alone() -> None:
    written = RULES.replace("price := $* ( price | fare ) $*", "price := $* ( price | fare ) $*    // what it costs")
    edit = offers("price", written).edits[0]
    accepted = accept_edit(edit, rules_text=written, logic_text="", lowercase=True)
    mark = "// price was changed from what was learned; its comments are older\n"
    changed = mark + "price := $* ( price | fare | cost ) $*    // what it costs"
    assert accepted.rules_text == written.replace("price := $* ( price | fare ) $*    // what it costs", changed)
    assert accepted.accepted == ("price",)


def test_one_edit_follows_another() -> None:
    first = accept_edit(offers("go").edits[0], rules_text=RULES, logic_text="", lowercase=True)
    left = offers("go", first.rules_text)
    assert [edit.in_words for edit in left.edits] == []  # ticket stands in no text
    both = accept_edit(offers("go").edits[1], rules_text=RULES, logic_text="", lowercase=True)
    assert offers("go", both.rules_text).edits == ()


def test_a_rule_that_has_gone_is_named() -> None:
    with pytest.raises(
        InputError, match="There is no rule gone in the newest version: it has gone or has another name"
    ):
        offers("gone")


def test_a_word_is_not_dropped_while_learned_texts_hang_on_it() -> None:
    # "please planes" is learned, and the written rule reads it by its please alone.
    found = offers("go", RULES.replace("flight | flights", "flight | flights | please"))
    assert [edit.kind for edit in found.edits] == ["add", "add"]


def test_a_dropped_word_loses_its_texts() -> None:
    found = offers(
        "go", RULES.replace("flight | flights", "flight | flights | planes | ticket | please"), 'default = "money"\n'
    )
    [edit] = [edit for edit in found.edits if edit.kind == "drop"]
    assert edit.in_words == "at flight | flights | planes | ticket | please, no longer match please"
    # "the cost of {} please" is money; "a flight to {} please" stays by its flight.
    assert (len(edit.won), len(edit.lost), edit.right) == (0, 8, 6)


def test_the_best_edit_is_the_best_on_texts_that_were_not_learned_from() -> None:
    """Of two words the one that gains on held-out texts stands first; one that loses there loses, whatever it gains on
    the texts learned from."""
    corpus = [
        *((f"planes number {number}", "travel", "train") for number in range(3)),
        *((f"ticket number {number}", "travel", "train") for number in range(5)),
        ("planes now", "travel", "dev"),
        ("planes later", "travel", "test"),
        ("ticket price", "money", "test"),
    ]
    bench = TextBench([text for text, _, _ in corpus], Tokenization())
    rules, logic = RULES, 'default = "money"\n'
    now = analyse(bench, [label for _, label, _ in corpus], rules, logic)
    splits = [split for _, _, split in corpus]

    def offered(held_out: str | None) -> list[tuple[tuple[str, ...], int, int | None, str]]:
        found = offered_edits(now, read(LEARNED), "go", bench, splits, held_out)
        return [(edit.words, edit.right, edit.held_out, edit.verdict) for edit in found.edits if len(edit.words) == 1]

    assert offered(None) == [(("ticket",), 5, None, "gains"), (("planes",), 4, None, "gains")]
    assert offered("dev") == [(("planes",), 4, 1, "gains"), (("ticket",), 5, 0, "gains")]
    assert offered("test") == [(("planes",), 4, 1, "gains"), (("ticket",), 5, -1, "loses")]


def test_in_short_words_that_are_alike_are_told_by_their_group() -> None:
    edit = replace(offers("go").edits[0], kind="add", at="on", words=("may", "june", "july", "plane"))
    assert edit.in_short == "at on, also match months (3) and plane"
    assert edit.in_words == "at on, also match may, june, july, plane"


def test_similar_words_come_as_one_class_with_a_name() -> None:
    """The class stands above its rule, and is read where its words would be."""
    rules = "[travel]\n@months@=( may )\ngo := $* to oslo in ( may | june ) $*\n[money]\nprice := $* fare $*\n"
    learned = rules.replace("( may | june )", "( may | june | july | august | april | ticket )")
    texts = tuple(f"to oslo in {month}" for month in ("may", "july", "august", "april", "ticket"))
    bench = TextBench(texts, Tokenization())
    now = analyse(bench, ["travel"] * 5, rules, "")
    found = offered_edits(now, read(learned), "go", bench, [None] * 5)
    edit = next(one for one in found.edits if one.word_class is not None)
    assert edit.in_words == "at may | june, also match @months_2@: april, august, july"
    assert (len(edit.won), edit.text) == (3, "$* to oslo in ( may | june | april | august | july ) $*")
    accepted = accept_edit(edit, rules_text=rules, logic_text="", lowercase=True)
    assert "@months_2@=( april | august | july )\n" in accepted.rules_text
    assert "go := $* to oslo in ( may | june | @months_2@ ) $*\n" in accepted.rules_text
    assert (
        read(accepted.rules_text).rules[0].expanded
        == read(rules.replace("( may | june )", "( may | june | april | august | july )")).rules[0].expanded
    )
