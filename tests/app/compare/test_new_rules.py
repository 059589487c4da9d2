"""Rules that nobody has written on the page Compare: measured, and saved one by one or all at once."""

from __future__ import annotations

import re

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import cards, decided, review_data, seen_as, states
from support.projects.finished_run import plant_new_rules

from pages._compare.accepting.held_out import HeldOutGains
from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.store import ProjectRecord, RunRecord, Store, latest_version, save_version, texts_of
from re2nn_core.text.tokenization import Tokenization

pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture
def planted(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> RunRecord:
    studio.open("compare", project=learnable.id)
    plant_new_rules(run)
    studio.test.run()
    studio.checked()
    return run


@pytest.fixture
def several(studio: Studio, planted: RunRecord) -> RunRecord:
    """The new rule with two patterns that do nothing to any text."""
    path = planted.folder / FILE
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("$* cost $*", "$* ( cost | i $* and | never ) $*"), encoding="utf-8")
    studio.test.run()
    studio.checked()
    return planted


def predictions(store: Store, project: ProjectRecord, *texts: str) -> list[str | None]:
    newest = latest_version(store, project.id)
    return read_system(newest.rules_text, newest.logic_text, Tokenization())[0].predictions(list(texts))


def test_new_rules_show_what_they_put_right(studio: Studio, planted: RunRecord) -> None:
    # Eight texts ask for the cost, two of them are test; planes are travel by default already.
    found = cards(studio)
    assert list(found) == ["money.new", "travel.new"]
    assert [card["effect"] for card in found.values()] == [[2, 0], [0, 0]]
    assert (
        "under <code>first</code> in <i>Label logic</i>: where it matches, no other formula counts"
        in found["money.new"]["summary"]
    )
    assert "<b>overrides</b> the priority <b>money &gt; travel</b>" in found["travel.new"]["summary"]
    assert "Thin evidence</b>: fixes <b>2</b> and breaks <b>0</b>" in found["money.new"]["summary"]
    assert "No gain</b>: fixes <b>0</b> and breaks <b>0</b>" in found["travel.new"]["summary"]
    below = "At this rate, about 10 more annotated texts would be enough to recommend “money.new”."
    assert f"<b>Thin evidence</b> for “money.new”: the gain may be chance. {below}" in studio.html


def test_one_rule_is_saved_and_the_other_is_left(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    assert predictions(store, learnable, "a flight for the cost of it", "the cost of it") == ["travel", "travel"]
    decided(store, planted, "money.new")
    studio.test.run()
    next(box for box in studio.test.text_input if box.label == "Description of the new version").set_value(
        "they ask costs"
    ).run()
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert (newest.number, newest.message) == (2, "they ask costs")
    assert newest.rules_text.endswith("much := $* how much $*\nmoney.new := $* cost $*\n")
    assert 'first = [\n    "money.new -> money",\n]' in newest.logic_text
    assert predictions(store, learnable, "a flight for the cost of it", "the cost of it") == ["money", "money"]
    assert states(studio) == {"money.new": "saved", "travel.new": "open"}


def test_all_are_saved_at_once(studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store) -> None:
    for rule in ("money.new", "travel.new"):
        decided(store, planted, rule)
    studio.test.run()
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert newest.message.startswith("Run 1, reconstructed: ")
    assert predictions(store, learnable, "the cost", "planes", "how much") == ["money", "travel", "money"]
    assert set(states(studio).values()) == {"saved"}


def test_rules_that_cannot_be_read_any_more_are_a_message(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    texts = {"rules_text": newest.rules_text, "logic_text": 'priorities = ["money > nobody"]\n'}
    save_version(store, learnable.id, **texts, author="Bob", expected_number=1)
    studio.test.run()
    studio.checked()
    assert "there is no label &#x27;nobody&#x27;" in studio.html


def test_a_card_lists_the_patterns_of_a_new_rule(studio: Studio, several: RunRecord) -> None:
    """All patterns of a new rule were judged as one."""
    card = cards(studio)["money.new"]["former"]
    shown = " ".join(re.sub("<[^>]*>", " ", card["summary"].partition("<table")[2]).split())
    assert shown.endswith(
        "Alone (16 held-out test texts) Rule without it (same) Your texts (all) "
        "“cost” × 2 fixed, 0 broken 0 fixed, 0 broken and 6 fewer fixed elsewhere 8 "
        "“i … and” × 0 fixed, 0 broken 2 fixed, 0 broken 0 "
        "“never” × 0 fixed, 0 broken 2 fixed, 0 broken 0"
    )
    assert card["words"] == "“cost”, “i … and”, “never”"


def test_a_card_shows_the_rule_without_patterns_that_do_nothing(studio: Studio, several: RunRecord) -> None:
    """The table showed it, and the rule was drawn, measured and accepted with all of them."""
    card = cards(studio)["money.new"]
    assert "“i … and” and “never”</b> learned too, left out: they would fix nothing." in card["summary"]
    assert (card["text"], card["form"], card["state"]) == ("$* cost $*", "Recommended", "open")
    assert card["better"] == {"text": "$* cost $*", "without": "“i … and” and “never”"}
    assert card["words"] == "“cost”"
    assert card["former"]["text"] == "$* ( cost | i $* and | never ) $*"


def test_a_rejected_rule_stays_in_the_form_that_was_rejected(studio: Studio, several: RunRecord, store: Store) -> None:
    """It turned into the form as it was learned, which Accept took then."""
    decided(store, several, "money.new", "rejected")
    studio.test.run()
    card = cards(studio)["money.new"]
    assert (card["state"], card["text"], card["form"]) == ("rejected", "$* cost $*", "Recommended")
    assert card["better"]["text"] == "$* cost $*"


def test_a_version_says_of_a_rule_accepted_as_recommended_that_it_was_reconstructed(
    studio: Studio, several: RunRecord, store: Store, learnable: ProjectRecord
) -> None:
    """It was called edited, though nobody had edited it."""
    decided(store, several, "money.new", "edited", text="$* cost $*")
    studio.test.run()
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    assert latest_version(store, learnable.id).message == "Run 1, reconstructed: money.new"


def test_accepting_what_is_recommended_leaves_out_patterns_that_do_nothing(
    studio: Studio, several: RunRecord, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    monkeypatch.setattr(HeldOutGains, "weak", lambda *_: "")
    studio.test.run()
    button = studio.test.button(key="compare_accept_gaining")
    assert button.help.startswith("“money.new” without “i … and” and “never”. ")
    button.click().run()
    studio.checked()
    card = cards(studio)["money.new"]
    assert (card["state"], card["leaner"], card["text"]) == ("edited", True, "$* cost $*")
    assert card["by"].startswith("accepted by ")
    assert review_data(studio)["undo"] == "accepted 1 change"


def test_a_card_names_the_veto_that_a_new_rule_overrides(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    """“No priority and no other formula counts” was not seen to be about one's own veto."""
    newest = latest_version(store, learnable.id)
    logic = f'{newest.logic_text}logic = ["much & !go -> money"]\n'
    texts = {"rules_text": newest.rules_text, "logic_text": logic}
    save_version(store, learnable.id, **texts, author="Bob", expected_number=1)
    studio.test.run()
    studio.checked()
    summary = cards(studio)["money.new"]["summary"]
    shown = " ".join(re.sub("<[^>]*>", "", summary).split())
    assert (
        "New rule, under first in Label logic: it overrides your veto go, which still counts for other rules: “"
        in shown
    )


def test_other_views_show_a_new_rule_as_far_as_they_can(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord
) -> None:
    """All of them said that its patterns are under By rule, By word too."""
    shown = {
        "Thresholds": "This rule is new, so it has no threshold.</b><br>Choose another rule above",
        "Automata": "money.new</b>",
        "By word": "<td>8</td>",
    }
    for view, expected in shown.items():
        seen_as(studio, view)
        studio.test.selectbox(key=f"compare_rule_{planted.id}").set_value("money.new").run()
        studio.checked()
        assert expected in studio.html
        assert "compare_accept" not in [button.key for button in studio.test.button]
    seen_as(studio, "By rule")
    assert review_data(studio)["at"] == "money.new"


def test_a_sentence_of_a_new_rule_is_explained_as_any_other(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    """The view said only that the rule is new."""
    seen_as(studio, "Sentence")
    studio.test.selectbox(key=f"compare_rule_{planted.id}").set_value("money.new").run()
    studio.checked()
    assert "Why is this predicted?" in studio.html
    (field,) = [one for one in studio.test.text_input if one.label == "Sentence to explain"]
    asked = next(record for record in texts_of(store, learnable.id) if record.text == field.value)
    assert asked.label == "money"
    assert "money.new" in studio.html


def test_other_views_begin_at_the_change_at_which_the_review_begins(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    """They began at the first change of the file, and the review went there with them."""
    studio.test.run()
    order = [card["rule"] for card in review_data(studio)["cards"]]
    decided(store, planted, order[0])
    seen_as(studio, "Sentence")
    assert studio.test.selectbox(key=f"compare_rule_{planted.id}").value == order[1]


def test_going_back_to_a_version_opens_the_changes_that_it_has_not(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    decided(store, planted, "money.new")
    studio.test.run()
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    assert "<b>No change gains</b>" not in studio.html
    studio.test.button(key="version_undo").click().run()
    studio.checked()
    assert states(studio)["money.new"] == "open"
    save = studio.test.button(key="compare_save")
    assert (save.label, save.disabled) == ("Save 0 accepted changes as rules v4", True)
    assert review_data(studio)["undo"] == "reopened “money.new”"
