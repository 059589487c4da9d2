"""A rule written into a rule text: the rest stays as it was."""

from __future__ import annotations

from re2nn_core.rules.added_lines import free_name, with_rules_added
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.tree import Word, choice, concat

TEXT = (
    "// head\n[fare]\nprice := $* price $*   // why\nlong := $* ( a \\\n    | b ) $*\n\n// seats\n[seat]\n$* seat $*\n"
)
TREE = concat([Word("how"), Word("much")])


def test_behind_the_last_rule_of_its_label() -> None:
    ruleset = read_rules(TEXT, lowercase=True).ruleset
    found = with_rules_added(TEXT, ruleset, [("fare", "how_much", TREE)])
    assert found == TEXT.replace("    | b ) $*\n", "    | b ) $*\nhow_much := how much\n")
    names = [(rule.name, rule.label) for rule in read_rules(found, lowercase=True).ruleset.rules]
    assert names == [("price", "fare"), ("long", "fare"), ("how_much", "fare"), ("seat.1", "seat")]


def test_in_a_section_of_its_own_where_the_label_has_none() -> None:
    ruleset = read_rules(TEXT, lowercase=True).ruleset
    found = with_rules_added(TEXT, ruleset, [("bag", "bag", Word("bag"))])
    assert found == f"{TEXT}\n[bag]\nbag := bag\n"
    assert read_rules(found, lowercase=True).ruleset.labels == ("fare", "seat", "bag")


def test_a_long_rule_is_broken_as_people_break_it() -> None:
    ruleset = read_rules(TEXT, lowercase=True).ruleset
    tree = choice([Word(f"word{number}") for number in range(40)])
    found = with_rules_added(TEXT, ruleset, [("fare", "many", tree)])
    assert " \\\n" in found
    assert read_rules(found, lowercase=True).ruleset.rules[2].tree == tree


def test_a_name_of_its_words_that_is_free() -> None:
    assert free_name(["how", "much", "is", "it"], ()) == "how_much_is"
    assert free_name(["can't", "£5"], {"cant_5"}) == "cant_5_2"
    assert free_name(["..."], ()) == "proposed"


def test_several_rules_of_several_labels_each_with_a_comment() -> None:
    ruleset = read_rules(TEXT, lowercase=True).ruleset
    added = [
        ("seat", "row", Word("row")),
        ("bag", "bag", Word("bag")),
        ("fare", "fee", Word("fee")),
        ("bag", "b", TREE),
    ]
    found = with_rules_added(TEXT, ruleset, added, comment="// proposed")
    expected = TEXT.replace("    | b ) $*\n", "    | b ) $*\nfee := fee     // proposed\n")
    expected += "row := row     // proposed\n\n[bag]\nbag := bag     // proposed\nb := how much     // proposed\n"
    assert found == expected
    assert with_rules_added(TEXT, ruleset, []) == TEXT
