"""A word of a learned class of many words is dropped: the rules name the class without it, and do not list the rest."""

from __future__ import annotations

from re2nn_core.rules.ruleset import RuleSet, WordClass
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance, accept_rules
from re2nn_core.services.rule_review.dropped_words import expression_without
from re2nn_core.services.rule_review.edited_rules import with_edited_rules, with_known_classes
from re2nn_core.services.values.rules import read_rules

TOWNS = tuple(f"town{number}" for number in range(30))
WRITTEN = "@city@=( oslo | rome )\nto := $* to [ @city@ ]<to> $*\nvia := $* via [ @city@ ]<via> $*\n"
LEARNED = WRITTEN.replace(
    "\nto :=", f"\n@city.bonn_32@=( bonn | new york | {' | '.join(TOWNS)} )    // 32 phrases; strongest: bonn\nto :="
).replace("[ @city@ ]", "[ @city@ | @city.bonn_32@ ]")


def dropped(rule: str, *words: str, edited: str = "") -> str:
    found = expression_without(LEARNED, WRITTEN, rule, words, edited=edited, lowercase=True)
    assert found is not None
    return found


def accepted(edited: dict[str, str], rules_text: str = WRITTEN) -> Acceptance:
    text = with_edited_rules(LEARNED, edited, lowercase=True)
    options = {"trained_on": WRITTEN, "logic_text": "", "lowercase": True}
    return accept_rules(text, ["to", "via"], rules_text=rules_text, edited=list(edited), **options)  # type: ignore[arg-type]


def classes(text: str) -> dict[str, WordClass]:
    ruleset: RuleSet = read_rules(text, lowercase=True).ruleset
    return {entry.name: entry for entry in ruleset.entries if isinstance(entry, WordClass)}


def test_the_class_without_a_word_is_named() -> None:
    text = accepted({"to": dropped("to", "town7", "new york")}).rules_text
    assert "to := $* to [ @city@ | @city.bonn_30@ ]<to> $*\n" in text
    assert "via := $* via [ @city@ | @city.bonn_32@ ]<via> $*\n" in text
    assert list(classes(text)) == ["city", "city.bonn_30", "city.bonn_32"]
    assert classes(text)["city.bonn_30"].note == "30 phrases; strongest: bonn; without new york, town7"
    lacks = {one.text for one in classes(text)["city.bonn_30"].tree.options if hasattr(one, "text")}  # type: ignore[attr-defined]
    assert lacks == {"bonn", *TOWNS} - {"town7"}


def test_more_words_are_dropped_one_after_the_other() -> None:
    once = dropped("to", "town7")
    text = accepted({"to": dropped("to", "bonn", edited=once)}).rules_text
    assert "[ @city@ | @city.town0_30@ ]<to>" in text  # named after a word that it has


def test_the_class_of_two_rules_without_one_word_is_defined_once() -> None:
    text = accepted({rule: dropped(rule, "town7") for rule in ("to", "via")}).rules_text
    assert list(classes(text)) == ["city", "city.bonn_31"]


def test_classes_without_different_words_have_different_names() -> None:
    """The one would be in force for both rules, and the other for none."""
    done = accepted({"to": dropped("to", "town7"), "via": dropped("via", "town8")})
    names = ("city.bonn_31", "city.bonn_31_2")
    rules = {rule.name: rule for rule in read_rules(done.rules_text, lowercase=True).ruleset.rules}
    found = classes(done.rules_text)
    assert set(found) == {"city", *names}
    assert "town7" not in str(rules["to"].expanded)
    assert "town8" in str(rules["to"].expanded)
    assert "town8" not in str(rules["via"].expanded)
    again = accepted({"to": dropped("to", "town7"), "via": dropped("via", "town8")}, done.rules_text)
    assert (again.there, again.refused) == (("to", "via"), ())


def test_few_words_that_are_left_are_listed() -> None:
    assert "[ @city@ | bonn | new york | town0 ]<to>" in accepted({"to": dropped("to", *TOWNS[1:])}).rules_text


def test_words_that_somebody_writes_as_a_whole_class_are_the_class() -> None:
    listed = f"$* to [ @city@ | bonn | new york | {' | '.join(TOWNS)} ]<to> $*"
    assert "to := $* to [ @city@ | @city.bonn_32@ ]<to> $*\n" in accepted({"to": listed}).rules_text


def test_an_edit_that_names_the_shortened_class_as_shown_keeps_its_words() -> None:
    """The box of an edit began with a list of all words that the class kept."""
    shown = with_edited_rules(LEARNED, {"to": dropped("to", "town7")}, lowercase=True)
    edit = "$* to [ @city@ | @city.bonn_31@ | paris ]<to> $*"
    text = with_known_classes(edit, "to", shown, LEARNED, lowercase=True)
    assert "town8" in text
    assert "town7 " not in text
    now = with_edited_rules(LEARNED, {"to": text}, lowercase=True)
    assert "to := $* to [ @city@ | @city.bonn_31@ | paris ]<to> $*\n" in now
    assert with_known_classes("$* a $*", "to", shown, LEARNED, lowercase=True) == "$* a $*"
