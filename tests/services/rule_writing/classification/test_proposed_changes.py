"""All that is proposed at once, for one label or all, and a draft that takes one of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from re2nn_core.errors import InputError
from re2nn_core.services.rule_writing.classification import exclusions
from re2nn_core.services.rule_writing.classification.accepted_changes import accept_change
from re2nn_core.services.rule_writing.classification.incremental_matcher import TextBench
from re2nn_core.services.rule_writing.classification.material import Material, material_of
from re2nn_core.services.rule_writing.classification.proposed_changes import (
    Asked,
    ProposedChanges,
    held_out_effects,
    propose_changes,
)
from re2nn_core.services.rule_writing.classification.rule_coverage import Analysis, analyse
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.services.rule_writing.editor_texts import EditorTexts
from re2nn_core.text.tokenization import Tokenization

RULES = "[fare]\nprice := $* price $*\n\n[seat]\nseat := $* seat $*\n"
ROWS = (
    *((f"how much is {city}", "fare", "train") for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")),
    *((f"the seat price to {city}", "seat", "train") for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")),
    *((f"soup for {city}", "meal", "train") for city in ("paul", "anna", "otto")),
    *((f"good {what}", "other", "train") for what in ("morning", "evening", "bye", "one", "idea")),
    ("how much", "fare", "dev"),
    ("seat price", "seat", "test"),
)
SPLITS = [row[2] for row in ROWS]
BENCH_TEXTS = [row[0] for row in ROWS]
BENCH = TextBench(BENCH_TEXTS, Tokenization())


def _analysis(rules: str = RULES, logic: str = "") -> tuple[Analysis, Material]:
    gold = [row[1] for row in ROWS]
    return analyse(BENCH, gold, rules, logic), material_of(gold, SPLITS)


def _proposed(label: str | None = None) -> tuple[Analysis, ProposedChanges]:
    now, material = _analysis()
    return now, propose_changes(BENCH, now, material, SPLITS, Asked(label))


def _draft(rules: str = RULES, logic: str = "") -> Draft:
    return Draft(1, 1, 1, (rules, logic, ""), EditorTexts(rules, logic), "")


def test_rules_priorities_and_a_default_label_are_proposed_together() -> None:
    _, found = _proposed()
    assert [(one.label, one.expression) for one in found.rules] == [
        ("fare", "$* much $*"),
        ("other", "$* good $*"),
        ("meal", "$* soup $*"),
    ]
    assert [str(one) for one in found.priorities] == ["seat > fare"]
    assert found.default is not None
    assert (found.default.label, found.default.fixed, found.default.of) == ("fare", 6, 14)


@pytest.mark.parametrize(
    ("label", "rules", "priorities", "default"),
    [
        ("fare", ["$* much $*"], ["seat > fare"], "fare"),
        ("meal", ["$* soup $*"], [], None),
        ("seat", [], ["seat > fare"], None),
    ],
)
def test_of_one_label_only_what_it_takes_part_in(
    label: str, rules: list[str], priorities: list[str], default: str | None
) -> None:
    _, found = _proposed(label)
    assert [one.expression for one in found.rules] == rules
    assert [str(one) for one in found.priorities] == priorities
    assert (found.default and found.default.label) == default
    assert not found.nothing


def test_an_accepted_rule_is_in_the_editor_and_in_sight() -> None:
    now, found = _proposed()
    draft = accept_change(_draft(), now, found.rules[0])
    assert draft is not None
    assert draft.rules_text.splitlines()[2] == "much := $* much $*"
    assert (draft.reveal_line, draft.reveal_nonce, draft.dirty) == (3, 1, True)


def test_accepted_priorities_and_default_label_are_in_the_label_logic() -> None:
    now, found = _proposed()
    assert found.default is not None
    with_order = accept_change(_draft(), now, found.priorities)
    with_label = accept_change(_draft(), now, found.default)
    assert with_order is not None
    assert with_label is not None
    assert (with_order.rules_text, with_order.logic_text) == (RULES, 'priorities = [\n    "seat > fare",\n]\n')
    assert (with_label.rules_text, with_label.logic_text) == (RULES, 'default = "fare"\n')


def test_what_was_typed_meanwhile_is_never_replaced() -> None:
    now, found = _proposed()
    typed = dataclasses.replace(_draft(), editors=EditorTexts(RULES + "\n// more\n", ""))
    assert accept_change(typed, now, found.rules[0]) is None


def test_what_it_does_to_dev_and_test_is_counted_apart() -> None:
    _, found = _proposed()
    shown = [(one.split, one.fixed, one.broken) for one in held_out_effects(found.rules[0], SPLITS)]
    assert shown == [("dev", 1, 0), ("test", 0, 0)]
    assert held_out_effects(found.rules[0], ["train"] * len(ROWS)) == ()


def test_nothing_is_proposed_from_no_labelled_text() -> None:
    few = TextBench([row[0] for row in ROWS[:9]], Tokenization())
    nothing = [None] * len(few)
    now = analyse(few, nothing, RULES, "")
    with pytest.raises(InputError, match="There is no labelled text to propose a rule from"):
        propose_changes(few, now, material_of(nothing, SPLITS), SPLITS)


LOST = [f"my luggage is lost in {city} again" for city in ("rome", "oslo", "bonn", "bern", "kyiv")]
LOST += [f"refund for {city} please" for city in ("rome", "oslo", "bonn", "bern", "kyiv", "riga")]


def _unlabelled(splits: Sequence[str | None], *, chosen: tuple[int, ...], label: str | None = None) -> ProposedChanges:
    bench, gold = TextBench([*BENCH_TEXTS, *LOST], Tokenization()), [*(row[1] for row in ROWS), *([None] * len(LOST))]
    now = analyse(bench, gold, RULES, "")
    every = [*SPLITS, *splits]
    places = tuple(len(ROWS) + place for place in chosen)
    return propose_changes(bench, now, material_of(gold, every), every, Asked(label, chosen=places))


def test_selected_texts_without_a_label_begin_a_new_one() -> None:
    found = _unlabelled([None] * len(LOST), chosen=(0, 1))
    assert not found.rules
    best = found.new_labels[0]
    assert (best.label, best.expression, len(best.texts), best.within, best.of) == (
        "luggage",
        "$* luggage $*",
        5,
        2,
        2,
    )
    draft = accept_change(_draft(), _analysis()[0], best)
    assert draft is not None
    assert draft.rules_text.endswith("[luggage]\nluggage := $* luggage $*\n")


def test_selected_texts_without_a_label_count_for_the_label_that_is_looked_at() -> None:
    [first, *_] = _unlabelled([None] * len(LOST), chosen=(0, 1, 2), label="other").rules
    assert (first.label, first.expression) == ("other", "$* luggage $*")


@pytest.mark.parametrize("split", ["dev", "test"])
def test_selected_texts_of_dev_and_test_make_no_rule(split: str) -> None:
    with pytest.raises(InputError, match="is of dev or test, which only evaluate"):
        _unlabelled([split] * len(LOST), chosen=(0, 1))
    now, material = _analysis()
    with pytest.raises(InputError, match="The selected texts are of dev or test, which only evaluate"):
        propose_changes(BENCH, now, material, SPLITS, Asked(chosen=(len(ROWS) - 2,)))


def test_a_rule_leaves_out_what_it_predicts_incorrectly() -> None:
    rules = (
        "[fare]\n// above\nprice := $* ( price | much ) $* but not ( $* never $* ) // mine\n\n[seat]\n$* nothing $*\n"
    )
    now, material = _analysis(rules)
    found = propose_changes(BENCH, now, material, SPLITS, Asked("fare", "price"))
    [exclusion] = found.exclusions
    assert (exclusion.rule, exclusion.condition, exclusion.removed_unseen) == ("price", "but not ( $* seat $* )", 6)
    assert (len(exclusion.removed), len(exclusion.fixed), len(exclusion.broken), exclusion.gain) == (7, 0, 0, 0)
    draft = accept_change(_draft(rules), now, exclusion)
    assert draft is not None
    changed = "price := $* ( price | much ) $* but not ( $* never $* | $* seat $* ) // mine\n"
    assert f"[fare]\n// above\n{changed}\n[seat]\n" in draft.rules_text
    assert propose_changes(BENCH, _analysis(draft.rules_text)[0], material, SPLITS, Asked("fare")).exclusions == ()
    assert propose_changes(BENCH, now, material, SPLITS, Asked("seat")).exclusions == ()


def _of_rows(rows: Sequence[tuple[str, str]], rules: str) -> tuple[TextBench, Analysis, Material]:
    bench, gold = TextBench([text for text, _ in rows], Tokenization()), [label for _, label in rows]
    return bench, analyse(bench, gold, rules, ""), material_of(gold, [None] * len(rows))


def test_no_condition_is_proposed_that_lowers_accuracy() -> None:
    """A condition took most incorrect predictions away, which stayed incorrect, and lost correct ones."""
    rows = [(f"what price has item{n}", "fare") for n in range(12)]
    rows += [(f"what seat has item{n}", "seat") for n in range(30)]
    rules = "[fare]\nall := $* has $*\n\n[meal]\nwhat := $* what $*\n\n[seat]\nnone := $* nothing $*\n"
    bench, now, material = _of_rows(rows, rules)
    for one in propose_changes(bench, now, material, [None] * len(rows)).exclusions:
        assert one.gain > 0, (one.condition, one.fixed_unseen, one.broken_unseen)
    rows += [(f"what soup has item{n}", "meal") for n in range(12)]
    bench, now, material = _of_rows(rows, rules)
    [one] = propose_changes(bench, now, material, [None] * len(rows)).exclusions
    assert (one.condition, one.fixed_unseen, one.broken_unseen) == ("but not ( $* soup $* )", 12, 0)
    assert (one.gain, len(one.fixed), len(one.broken), len(one.removed)) == (12, 12, 0, 0)


def test_the_default_label_is_ranked_by_what_it_fixes() -> None:
    rows = [*((f"lost {n} luggage{n}", "lost") for n in range(9)), *((f"how much {n}", "fare") for n in range(4))]
    rows += [(f"seat {n}", "seat") for n in range(5)]
    bench, now, material = _of_rows(rows, "[fare]\nprice := $* price $*\n\n[seat]\nseat := $* seat $*\n")
    found = propose_changes(bench, now, material, [None] * len(rows))
    assert [(type(one).__name__, one.gain) for one in found.ranked()] == [
        ("Proposal", 9),
        ("DefaultLabel", 9),
        ("Proposal", 4),
    ]
    assert found.ranked(1) == found.rules[:1]


def test_a_default_label_that_most_of_its_texts_do_not_have_comes_last_and_says_so() -> None:
    """Of many labels each is the most frequent by chance."""
    rows = [(f"lost {label} {n}", label) for label in ("ring", "coat", "hat", "bag") for n in range(5)]
    rows += [("blue", "ring"), ("round one", "ring")]
    bench, now, material = _of_rows(rows, "[ring]\nnothing := nothing\n")
    found = propose_changes(bench, now, material, [None] * len(rows))
    assert [type(one).__name__ for one in found.ranked()] == ["Proposal"] * 4 + ["DefaultLabel"]
    assert found.default is not None
    assert found.default.gain == 7 > found.rules[0].gain == 5
    assert found.default.reach == "of 22 labelled texts that no rule matches, incorrect for the other 15"


def test_a_rule_that_is_asked_for_is_looked_at_whatever_others_have_more_errors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exclusions, "MOST_RULES", 1)
    now, material = _analysis("[fare]\nprice := $* price $*\n\n[other]\nfor := $* for $*\n")
    for asked in (Asked(rule="for"), Asked(label="other")):
        assert [one.rule for one in propose_changes(BENCH, now, material, SPLITS, asked).exclusions] == ["for"]
