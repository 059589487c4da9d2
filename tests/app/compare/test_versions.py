"""Two versions of hand-written rules side by side: their sentences, overlaps, and marks of words."""

from __future__ import annotations

import re

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import cards, review_data

from pages._compare.language import apart
from re2nn_core.store import ProjectRecord, Store, latest_version, save_version

pytestmark = pytest.mark.usefixtures("filled")
HELD = '[fly]\nmust = ["a flight", "fly", "old one"]\n[bag]\nmust_not = ["a flight"]\n'
HOLDS = '[fly]\nmust = ["a flight", "fly", "a plane"]\n[bag]\nmust_not = ["a flight"]\n'


def next_version(store: Store, project: ProjectRecord, rules: str, sentences: str, number: int) -> None:
    logic = latest_version(store, project.id).logic_text
    save_version(
        store,
        project.id,
        rules_text=rules,
        logic_text=logic,
        sentences_text=sentences,
        author="Bob",
        expected_number=number,
    )


@pytest.fixture
def page(studio: Studio, project: ProjectRecord, store: Store) -> Studio:
    rules = latest_version(store, project.id).rules_text
    next_version(store, project, rules, HELD, 1)
    next_version(store, project, rules.replace("( fly | flight )", "( plane | flight )"), HOLDS, 2)
    studio.open("compare", project=project.id)
    return studio


def seen(studio: Studio, view: str) -> Studio:
    """Another view of the two versions."""
    studio.test.segmented_control(key="compare_version_view").set_value(view).run()
    studio.checked()
    return studio


def test_sentences_that_came_went_or_turned_are_told(page: Studio) -> None:
    seen(page, "Sentences")
    assert (
        "Test sentences of the rules, v2 → v3: "
        "1 added, 1 removed, 1 different result, 2 unchanged; 1 fails now" in page.html
    )
    table = page.frame("Sentence")
    rows = {row["Sentence"]: (row[""], row["v2"], row["v3"]) for row in table.to_dict("records")}
    assert rows["a plane"] == ("+ added", "", "must match: ✓ it does")
    assert rows["old one"] == (
        "− removed",
        "must match: ✗ but refuses it; the nearest that it matches is “old one flight”",
        "",
    )
    mark, before, after = rows["fly"]
    assert (mark, before) == ("± different result", "must match: ✓ it does")
    assert after.startswith("must match: ✗ but refuses it")
    assert "a flight" not in rows


def test_versions_are_measured_and_texts_show_what_is_right(
    studio: Studio, project: ProjectRecord, store: Store
) -> None:
    rules = latest_version(store, project.id).rules_text
    next_version(store, project, rules.replace("to @place@", "to paris"), "", 1)
    studio.open("compare", project=project.id)
    assert "v2 on labelled texts, compared with v1" in studio.html
    assert '<b>57.1%</b> <span>all labelled texts</span> <span class="re2-down">' in studio.html
    assert "<b>1</b> <span>broken</span>" in studio.html
    moved = seen(studio, "Texts").frame("Count")
    assert moved.to_dict("records") == [
        {"Count": 1, "v1": "flight", "v2": "(none)", "Correct": "flight", "Text": "to new york please"}
    ]


def test_all_sentences_can_be_seen(page: Studio) -> None:
    seen(page, "Sentences")
    next(toggle for toggle in page.test.toggle if toggle.label.startswith("Show all 5 sentences")).set_value(True).run()
    page.checked()
    assert list(page.frame("Sentence")[""]).count("= unchanged") == 2


def test_versions_without_sentences_say_where_to_add_some(studio: Studio, project: ProjectRecord, store: Store) -> None:
    rules = latest_version(store, project.id).rules_text
    next_version(store, project, rules.replace("( fly | flight )", "flight"), "", 1)
    studio.open("compare", project=project.id)
    seen(studio, "Sentences")
    assert "Neither version has any. Add some on Write rules, under Sentences" in studio.html


def test_overlaps_that_stayed_and_are_decided_are_counted(page: Studio) -> None:
    seen(page, "Rules")
    assert "Sentences that rules of two labels match: 0 added" in page.html
    assert "None was added or removed." in page.html
    page.test.toggle(key="_overlaps_versions").set_value(True).run()
    page.checked()
    overlaps = page.frame("Shortest sentence")
    assert list(overlaps["Where"]) == ["= on both sides"]
    assert list(overlaps["Decided by"]) == ["baggage > flight"]


def test_overlaps_without_a_sentence_in_common_show_that_of_each_side(
    studio: Studio, project: ProjectRecord, store: Store
) -> None:
    one, other = (f"[flight]\nsaid_so := {word}\n[baggage]\ntoo := {word}\n" for word in ("red", "blue"))
    next_version(store, project, one, "", 1)
    next_version(store, project, other, "", 2)
    studio.open("compare", project=project.id)
    seen(studio, "Rules")
    studio.test.toggle(key="_overlaps_versions").set_value(True).run()
    studio.checked()
    overlaps = studio.frame("Shortest sentence")
    assert list(overlaps["Shortest sentence"]) == ["v2: red; v3: blue"]
    assert list(overlaps["Rules"]) == ["said_so / too"]


def test_of_two_predictions_only_what_differs_is_shown() -> None:
    assert apart("to_city: rome, day: friday", "day: friday") == ("to_city: rome", "–")
    assert apart("to_city: rome, italy, day: friday", "to_city: rome, day: friday") == (
        "to_city: rome, italy",
        "to_city: rome",
    )
    assert apart("(none)", "day: friday") == ("(none)", "day: friday")
    assert apart("fare", "flight") == ("fare", "flight")


def test_a_rule_that_was_added_has_a_table_of_its_patterns(
    studio: Studio, project: ProjectRecord, store: Store
) -> None:
    """Only new rules of a training had one."""
    rules = latest_version(store, project.id).rules_text
    next_version(store, project, f"{rules}asked := $* ( new york | hello | what ) $*\n", "", 1)
    studio.open("compare", project=project.id)
    summary = cards(studio)["asked"]["summary"]
    shown = " ".join(re.sub("<[^>]*>", " ", summary).split())
    assert "New rule. " in shown
    assert "Matches Alone (7 labelled texts) Rule without it (same) Your texts (all) “" in shown
    assert "<button" not in summary


def test_a_change_that_moves_no_prediction_has_examples(studio: Studio, project: ProjectRecord, store: Store) -> None:
    """The evidence of such a change between two versions was empty."""
    rules = latest_version(store, project.id).rules_text
    next_version(store, project, f"{rules}never := nobody asks this\n", "", 1)
    studio.open("compare", project=project.id)
    evidence = cards(studio)["never"]["evidence"]
    assert "Only v2 matches (made up)" in evidence
    assert "nobody asks this" in evidence
    assert review_data(studio)["legend"].count([".rule .re2-new", "green: added"]) == 1
