"""Rules that nobody has written on the page Compare: measured, taken over one by one and all at once."""

from __future__ import annotations

import pytest
from support.app.app_studio import Studio
from support.projects.finished_run import plant_new_rules

from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.store import ProjectRecord, RunRecord, Store, latest_version, save_version
from re2nn_core.text.tokenization import Tokenization

pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture
def planted(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> RunRecord:
    studio.open("compare", project=learnable.id)
    plant_new_rules(run)
    studio.test.run()
    studio.checked()
    return run


def answers(store: Store, project: ProjectRecord, *texts: str) -> list[str | None]:
    newest = latest_version(store, project.id)
    return read_system(newest.rules_text, newest.logic_text, Tokenization())[0].answers(list(texts))


def test_new_rules_are_listed_with_what_they_put_right(studio: Studio, planted: RunRecord) -> None:
    table = studio.frame("rule")
    # Eight texts ask for the cost, two of them are test and do not count; planes are travel by default already.
    assert list(table["name"]) == ["money.new", "travel.new"]
    assert (list(table["hits"]), list(table["right"])) == (["8", "8"], ["+6", "0"])
    assert '<div class="re2-rule-text">$* cost $*</div>' in studio.html


def test_the_effect_on_dev_is_there_before_the_button(studio: Studio, planted: RunRecord) -> None:
    # Two dev texts of sixteen ask what something costs.
    assert "▲ +12.5 points" in studio.html


def test_one_click_takes_a_rule_over(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    next(box for box in studio.test.text_input if str(box.key).endswith("_money.new")).set_value("they ask costs").run()
    assert answers(store, learnable, "a flight for the cost of it", "the cost of it") == ["travel", "travel"]
    studio.test.button(key="compare_new").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert (newest.number, newest.message) == (2, "they ask costs")
    assert newest.rules_text.endswith("much := $* how much $*\nmoney.new := $* cost $*\n")
    assert 'first = [\n    "money.new -> money",\n]' in newest.logic_text
    assert answers(store, learnable, "a flight for the cost of it", "the cost of it") == ["money", "money"]
    # The other one is still there to be taken, the first no more.
    assert list(studio.frame("rule")["name"]) == ["travel.new"]
    studio.test.button(key="compare_new").click().run()
    studio.checked()
    assert latest_version(store, learnable.id).number == 3
    assert "All of them are in the newest rules." in studio.html


def test_all_are_taken_over_at_once(studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store) -> None:
    studio.test.button(key="compare_new_all").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert (newest.number, newest.message) == (2, "2 new rules (learned by run 1)")
    assert answers(store, learnable, "the cost", "planes", "how much") == ["money", "travel", "money"]
    assert "All of them are in the newest rules." in studio.html


def test_a_version_saved_meanwhile_is_not_overwritten(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = latest_version(store, learnable.id)
    more = {"rules_text": newest.rules_text + "more := $* fee $*\n", "logic_text": newest.logic_text}
    save_version(store, learnable.id, **more, author="Bob", expected_number=1)
    # It comes between the drawing of the page and the click.
    monkeypatch.setattr("pages._compare.classification.new_rules.latest_version", lambda *_: newest)
    monkeypatch.setattr("pages._compare.newest.list_versions", lambda *_: (newest,))
    studio.test.button(key="compare_new").click().run()
    studio.checked()
    assert "Bob saved version 2" in studio.messages.replace("\\", "")
    assert latest_version(store, learnable.id).number == 2


def test_rules_that_cannot_be_read_any_more_are_a_message(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    texts = {"rules_text": newest.rules_text, "logic_text": 'priorities = ["money > nobody"]\n'}
    save_version(store, learnable.id, **texts, author="Bob", expected_number=1)
    studio.test.run()
    studio.checked()
    assert "there is no label &#x27;nobody&#x27;" in studio.html
