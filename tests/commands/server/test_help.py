"""re2nn help."""

from __future__ import annotations

from support.command_line import Call


def test_without_words_all_topics_are_listed(re2nn: Call) -> None:
    outcome = re2nn("help")
    assert outcome.code == 0
    assert "  label-logic         Decide between labels: label logic\n" in outcome.out
    assert {"name": "glossary", "title": "Glossary", "group": "More"} in re2nn("help", "--json").data["topics"]


def test_a_topic_is_shown_by_its_name_in_one_or_several_words(re2nn: Call) -> None:
    assert re2nn("help", "label-logic").out == re2nn("help", "label", "logic").out
    assert re2nn("help", "label-logic").out.startswith("# Decide between labels: label logic\n")


def test_a_section_is_shown_by_its_link(re2nn: Call) -> None:
    assert re2nn("help", "glossary#wildcard").out == "Wildcard\n\n`$`, any one word.\n"


def test_other_words_are_searched(re2nn: Call) -> None:
    outcome = re2nn("help", "accounts", "backup", "passwords", "--json")
    assert outcome.data["sections"][0]["link"].startswith(("backup#", "sign-in#"))


def test_what_is_nowhere_is_an_error_that_names_topics(re2nn: Call) -> None:
    outcome = re2nn("help", "tutoriallabelz")
    assert outcome.code == 2
    assert "Nearest: tutorial-labels" in outcome.err
