"""Labels that wait by the project's policy count for nothing in what the page Compare offers: single edits, and rules
that nobody has written."""

from __future__ import annotations

import re

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import cards, opened_with_a_change, seen_as
from support.networks.small_system import small_corpus
from support.projects.finished_run import plant_new_rules, texts_with

from re2nn_core.store import Policy, ProjectRecord, RunRecord, Store, record_label, set_policy, texts_of

pytestmark = pytest.mark.usefixtures("filled")
WAIT = "The labels of 3 texts that wait by the project's policy are not counted."


@pytest.fixture
def waiting(store: Store, learnable: ProjectRecord) -> None:
    """Three of the eight texts that ask for the cost, all of them train, have been judged and not yet decided; one of
    them otherwise than the data say."""
    texts = texts_of(store, learnable.id)
    costs = [texts[place] for place in texts_with(small_corpus(), "cost")]
    for record, label in zip(costs, ("money", "money", "travel"), strict=False):
        assert record.split == "train"
        record_label(store, record.id, label, "bo")
    set_policy(store, learnable.id, Policy("decided"))


def moved(studio: Studio, behind: str) -> tuple[str, str]:
    """The texts fixed and broken by the figures that stand first behind a text of the page."""
    found = re.search(
        r"([\d,]+)\W*<[^<]*<[^<]*texts? fixed.*?([\d,]+)\W*<[^<]*<[^<]*broken", studio.html.split(behind)[1], re.DOTALL
    )
    assert found is not None
    return found.group(1), found.group(2)


def test_an_edit_counts_no_label_that_waits(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, waiting: None
) -> None:
    opened_with_a_change(studio, learnable, run)
    table = seen_as(studio, "By word").frame("edit")
    # Eight texts ask for the cost. Two are test, three wait.
    assert (list(table["right"]), list(table["won"])) == (["+3"], ["8"])
    assert WAIT in studio.html
    assert moved(studio, "Learned edits, one by one") == ("5", "0")


def test_a_new_rule_counts_no_label_that_waits(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, waiting: None
) -> None:
    studio.open("compare", project=learnable.id)
    plant_new_rules(run)
    studio.test.run()
    studio.checked()
    assert "Fixed 5" in cards(studio)["money.new"]["evidence"]
    assert WAIT in studio.html


def test_where_nothing_waits_nothing_is_said(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> None:
    opened_with_a_change(studio, learnable, run)
    assert list(seen_as(studio, "By word").frame("edit")["right"]) == ["+6"]
    assert "are not counted" not in studio.html
