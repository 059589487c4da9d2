"""Changes that depend on each other: one breaks texts, and another one, which gains nothing alone, repairs them."""

from __future__ import annotations

import re

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import cards, change_reconstruction, decided
from support.projects.finished_run import plant_new_rules

from re2nn_core.services.rule_review import change_effects
from re2nn_core.store import ProjectRecord, RunRecord, Store

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")

_PLANES = "planes to ( boston | oslo | paris )"


def plain(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html)


@pytest.fixture
def dependent(studio: Studio, learnable: ProjectRecord, run: RunRecord, monkeypatch: pytest.MonkeyPatch) -> RunRecord:
    """The rule `price` learns `cost`, and takes some travel texts for money that `travel.new` would keep; they are
    travel by default, so that `travel.new` alone changes nothing."""
    monkeypatch.setattr(change_effects, "_LIKELY", 0.25)
    studio.open("compare", project=learnable.id)
    plant_new_rules(run)
    change_reconstruction(run, "( price | fare )", f"( price | fare | cost | {_PLANES} )", "price")
    studio.open("compare", project=learnable.id)
    return run


def test_a_change_that_repairs_what_a_recommended_one_breaks_is_recommended_with_it(
    studio: Studio, dependent: RunRecord
) -> None:
    found = cards(studio)
    assert "travel.new repairs 3 of the 3 broken texts." in plain(found["price"]["summary"])
    assert found["travel.new"]["effect"] == [0, 0]
    assert found["travel.new"]["verdict"] == "Recommended with price"
    assert "Repairs 3 texts that price breaks: accept both." in plain(found["travel.new"]["summary"])
    assert 'data-go="price"' in found["travel.new"]["summary"]
    button = studio.test.button(key="compare_accept_gaining")
    assert button.label == "Accept all recommended: 3"
    assert button.help.endswith("on test texts, or repairs what another of them breaks.")


def test_it_stays_so_once_the_other_one_is_accepted(
    studio: Studio, learnable: ProjectRecord, dependent: RunRecord, store: Store
) -> None:
    decided(store, dependent, "price")
    studio.open("compare", project=learnable.id)
    card = cards(studio)["travel.new"]
    assert card["verdict"] == "Recommended with price"
    assert "Repairs 3 texts that price breaks." in plain(card["summary"])


def test_where_the_other_one_is_rejected_there_is_nothing_to_repair(
    studio: Studio, learnable: ProjectRecord, dependent: RunRecord, store: Store
) -> None:
    decided(store, dependent, "price", "rejected")
    studio.open("compare", project=learnable.id)
    card = cards(studio)["travel.new"]
    assert card["verdict"] == "No gain"
    assert "Repairs" not in card["summary"]
