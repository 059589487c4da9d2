"""The review as a document: what each change says about itself, for labels and for slots."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from support.networks.small_system import LOGIC, RULES

from re2nn_core.errors import StateBudgetError
from re2nn_core.rules.parser import parse_expression
from re2nn_core.services.rule_reconstruction.classification.reconstruction import AddedRule, Reconstruction, RuleChange
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import (
    LearnedRule,
    SlotReconstruction,
    SlotRuleChange,
)
from re2nn_core.services.rule_review.classification.deciding_words import deciding_words
from re2nn_core.services.rule_review.classification.reviewed_labels import label_effects, label_material, label_repairs
from re2nn_core.services.rule_review.decisions import ChangeDecision, ReviewState
from re2nn_core.services.rule_review.review_document import (
    WHOLE,
    ReviewDocument,
    ReviewedRule,
    ReviewMaterial,
    review_document,
)
from re2nn_core.services.rule_review.slot_filling.reviewed_slots import slot_effects, slot_material
from re2nn_core.services.rule_review.split_roles import held_out_places
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.rule_systems.slot_filling.systems import read_slot_system
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.spans import Span
from re2nn_core.text.tokenization import Tokenization

LEARNED = RULES.replace("( price | fare )", "( price | fare | cost )").replace("how much", "( how much | how )")
NEW = "travel.new := $* planes $*\n"
TEXTS = Corpus(
    (
        Example("what does it cost", "money", "dev"),
        Example("cost of a seat", "travel", "train"),
        Example("how far is it", "travel", "dev"),
        Example("how is it", None, "dev"),
        Example("planes", "travel", "dev"),
    )
)
SLOT_RULES = "to := $* to [ oslo ]<city> $*\nday := $* on [ $ ]<day> $*\n"
LEARNED_SLOTS = "to := $* to [ oslo | rome ]<city> $*\nday := $* on [ monday ]<day> $*\n"


def change(name: str, label: str, *, kept: bool) -> RuleChange:
    return RuleChange(name, label, "", "", None if kept else 0.5, kept, None, None, (), ())


def label_document(
    rules_text: str = LEARNED, decisions: dict[str, ChangeDecision] | None = None, *, merged: bool = False
) -> ReviewDocument:
    """`price` has learned `cost`, `much` has learned `how`; `travel.new` is new where the text has it."""
    names = {"go": "travel", "to_city": "travel", "price": "money", "much": "money"}
    rules = tuple(change(name, label, kept=name not in ("price", "much")) for name, label in names.items())
    new = (AddedRule("travel.new", "travel", "$* planes $*", (4,)),) if NEW in rules_text else ()
    found = Reconstruction(rules_text, LOGIC, (), rules[2:] if merged else rules, new_rules=new)
    systems = tuple(read_system(text, LOGIC, Tokenization())[0] for text in (RULES, rules_text))
    held = held_out_places([e.split for e in TEXTS], [e.label is not None for e in TEXTS], learned_from_dev=False)
    effects = label_effects(systems[0], found, TEXTS, sorted(held[1]))
    texts = [(example.text, example.split) for example in TEXTS]
    material = label_material((systems[0], systems[1]), found, effects, texts, held, learned_from_dev=False)
    return document_of(material, decisions)


def repaired_document(state: ReviewState = ReviewState.OPEN) -> ReviewDocument:
    """`price` takes two planes for money, `travel.new`, which gains nothing alone, keeps them; three texts gain."""
    rules_text = RULES.replace("( price | fare )", "( price | fare | cost | planes to )")
    rules_text = rules_text.replace("[money]", "travel.new := $* ( planes | i $* and ) $*\n[money]")
    texts = ["the cost", "cost of it", "a cost", "our planes to oslo", "planes to rome"]
    labels = ["money", "money", "money", "travel", "travel"]
    corpus = Corpus(tuple(Example(text, label, "dev") for text, label in zip(texts, labels, strict=True)))
    names = {"go": "travel", "to_city": "travel", "price": "money", "much": "money"}
    rules = tuple(change(name, label, kept=name != "price") for name, label in names.items())
    new = (AddedRule("travel.new", "travel", "$* ( planes | i $* and ) $*", (3, 4)),)
    found = Reconstruction(rules_text, f'{LOGIC}first = ["travel.new -> travel"]\n', (), rules, new_rules=new)
    both = ((RULES, LOGIC), (rules_text, found.logic_text))
    systems = tuple(read_system(*one, Tokenization())[0] for one in both)
    held = held_out_places(["dev"] * 5, [True] * 5, learned_from_dev=False)
    effects = label_effects(systems[0], found, corpus, sorted(held[1]))
    repairs = label_repairs(systems[0], found, corpus, effects)
    own = [(example.text, example.split) for example in corpus]
    kept = {"learned_from_dev": False, "repairs": repairs}
    material = label_material((systems[0], systems[1]), found, effects, own, held, **kept)
    return document_of(material, {"price": ChangeDecision(state)})


def slot_document() -> ReviewDocument:
    """`to` has learned a city, `day` is narrower; `learned.day.1` is new."""
    learned = f"{LEARNED_SLOTS}learned.day.1 := $* [ tomorrow ]<day> $*\n"
    corpus = Corpus(
        (
            Example("to rome", None, "dev", (Span(3, 7, "city"),)),
            Example("on foot", None, "dev", ()),
            Example("on friday", None, "train", (Span(3, 9, "day"),)),
            Example("go tomorrow", None, "train", None),
        )
    )
    rules = tuple(SlotRuleChange(name, slot, "", "", False) for name, slot in (("to", "city"), ("day", "day")))
    found = SlotReconstruction(learned, "", (), rules, (LearnedRule("learned.day.1", "day", "", 1),), ())
    systems = tuple(read_slot_system(text, "", Tokenization())[0] for text in (SLOT_RULES, learned))
    held = held_out_places([e.split for e in corpus], [e.spans is not None for e in corpus], learned_from_dev=False)
    effects = slot_effects(systems[0], found, corpus, sorted(held[1]))
    texts = [(example.text, example.split) for example in corpus]
    material = slot_material((systems[0], systems[1]), found, effects, texts, held, learned_from_dev=False)
    return document_of(material, None)


def document_of(material: ReviewMaterial, decisions: dict[str, ChangeDecision] | None) -> ReviewDocument:
    return review_document(material, title="t", subject="s", decisions=decisions or {})


def rule(document: ReviewDocument, name: str) -> ReviewedRule:
    return next(one for one in document.rules if one.name == name)


def counts(one: ReviewedRule) -> tuple[int, int, int, int, int]:
    return one.fixed.count, one.broken.count, one.other.count, one.held_fixed, one.held_broken


LABELS = label_document(LEARNED.replace("[money]", f"{NEW}[money]"))
SLOTS = slot_document()


@pytest.mark.parametrize(
    ("document", "name", "expected"),
    [
        (LABELS, "price", (1, 1, 0, 1, 0)),
        (LABELS, "much", (0, 1, 1, 0, 1)),
        (LABELS, "travel.new", (0, 0, 0, 0, 0)),
        (SLOTS, "to", (1, 0, 0, 1, 0)),
        (SLOTS, "day", (1, 1, 0, 1, 0)),
        (SLOTS, "learned.day.1", (0, 0, 1, 0, 0)),
    ],
)
def test_each_change_says_what_it_does_alone(
    document: ReviewDocument, name: str, expected: tuple[int, int, int, int, int]
) -> None:
    assert counts(rule(document, name)) == expected


def test_changes_come_in_the_order_of_the_review() -> None:
    assert [one.name for one in LABELS.rules] == ["price", "travel.new", "much"]
    assert (LABELS.split, LABELS.held_texts) == ("dev", 3)


def test_a_rule_is_shown_in_both_of_its_forms() -> None:
    price = rule(LABELS, "price")
    assert [piece.text.strip() for piece in price.pieces if piece.side == "added"] == ["| cost"]
    assert price.groups == ("money",)
    assert price.difference is not None
    assert (price.only_before, price.only_after) == (None, "cost")
    assert not price.new
    assert rule(LABELS, "travel.new").new


def test_texts_have_the_words_that_decide_and_both_predictions() -> None:
    [fixed] = rule(LABELS, "price").fixed.shown
    assert (fixed.before, fixed.after, fixed.gold) == ("travel", "money", "money")
    assert [fixed.text[mark.start : mark.end] for mark in fixed.marks] == ["cost"]
    [other] = rule(LABELS, "much").other.shown
    assert other.gold is None


def test_spans_that_came_and_went_are_marked() -> None:
    [fixed] = rule(SLOTS, "to").fixed.shown
    assert [(mark.kind, mark.note) for mark in fixed.marks] == [("new", "city")]
    assert (fixed.before, fixed.after, fixed.gold) == ("no span", "city: rome", "city: rome")
    [broken] = rule(SLOTS, "day").broken.shown
    assert [(mark.kind, broken.text[mark.start : mark.end]) for mark in broken.marks] == [("gone", "friday")]
    assert (broken.before, broken.after, broken.gold) == ("day: friday", "no span", "day: friday")
    [other] = rule(SLOTS, "learned.day.1").other.shown
    assert [mark.kind for mark in other.marks] == ["new"]


def test_an_automaton_past_the_budget_is_drawn_by_positions_or_told_by_its_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn_differences = "re2nn_core.services.rule_difference.drawn_differences"
    monkeypatch.setattr(f"{drawn_differences}.pseudo_dfa", too_large)
    price = rule(label_document(), "price")
    assert price.difference is not None
    assert price.refusal.startswith("Drawn by positions, with a state for each word of the rule: as an automaton the ")
    monkeypatch.setattr(f"{drawn_differences}._POSITIONS", 1)
    price = rule(label_document(), "price")
    assert price.difference is None
    assert price.refusal.startswith("The automaton of the original rule is too large to draw: ")
    assert counts(price) == (1, 1, 0, 1, 0)


def too_large(tree: object, *, budget: int, rule: str) -> None:
    raise StateBudgetError(budget, "cost", rule)


def test_decisions_stand_at_their_changes() -> None:
    when = datetime(2026, 5, 1, tzinfo=UTC)
    document = label_document(
        decisions={
            "price": ChangeDecision(ReviewState.EDITED, "ann", when, text="cost"),
            "much": ChangeDecision(ReviewState.REJECTED, "bob", when, earlier=True),
        }
    )
    price, much = rule(document, "price"), rule(document, "much")
    assert (price.state, price.by, price.edited) == ("edited", "by ann, 2026-05-01", "cost")
    assert (much.state, much.by) == ("rejected", "by bob, 2026-05-01 about an earlier run")


def test_rules_that_were_merged_are_one_change() -> None:
    document = label_document(merged=True)
    [one] = document.rules
    assert one.name == WHOLE
    assert "accepted all at once" in one.refusal
    assert counts(one) == (1, 2, 1, 1, 1)


@pytest.mark.parametrize(
    ("splits", "labelled", "learned", "expected"),
    [
        (["dev", "test"], [True, True], False, ("dev", {0})),
        (["dev", "test"], [True, True], True, ("test", {1})),
        (["dev", "test", "test"], [True, False, True], True, ("test", {2})),
        (["train", None], [True, True], False, (None, set())),
    ],
)
def test_held_out_texts_are_those_that_nothing_learned_from(
    splits: list[str | None], labelled: list[bool], learned: bool, expected: tuple[str | None, set[int]]
) -> None:
    assert held_out_places(splits, labelled, learned_from_dev=learned) == expected


def test_a_new_rule_has_its_patterns_and_what_it_overrides() -> None:
    """The page had them, and the exported review listed words."""
    new = rule(repaired_document(), "travel.new")
    assert new.patterns is not None
    assert [(row.shown, row.texts) for row in new.patterns.rows] == [("“planes”", 2), ("“i … and”", 0)]
    assert new.overridden is not None
    assert rule(repaired_document(), "price").patterns is None


def test_changes_that_repair_others_name_each_other() -> None:
    document = repaired_document(ReviewState.ACCEPTED)
    assert rule(document, "price").beside.repaired == [("travel.new", 2)]
    assert rule(document, "travel.new").beside.repairs == [("price", 2, True)]
    assert not rule(repaired_document(ReviewState.REJECTED), "travel.new").beside.repairs


def test_words_of_a_text_that_is_no_longer_matched_are_marked() -> None:
    """Nothing was marked in a text that a rule lost."""
    before, after = (parse_expression(text) for text in ("$* paid daily $*", "$* paid weekly $*"))
    found = deciding_words(before, after, ["paid daily", "paid weekly", "paid"], Tokenization())
    assert found == [((0, 4, "hit"), (5, 10, "gone")), ((0, 4, "hit"), (5, 11, "new")), ()]
