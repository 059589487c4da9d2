"""The review of learned changes: what its cards say, what is decided, and what that means for everybody."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import (
    cards,
    change_reconstruction,
    decided,
    opened_with_a_change,
    review_data,
    seen_as,
    states,
)
from support.projects.finished_run import plant_new_rules

from pages._compare.review.cards import text_section
from re2nn_core.services.rule_review import change_effects
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.store import ProjectRecord, RunRecord, Store, latest_version, save_version

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture
def planted(studio: Studio, learnable: ProjectRecord, run: RunRecord, monkeypatch: pytest.MonkeyPatch) -> RunRecord:
    monkeypatch.setattr(change_effects, "_LIKELY", 0.25)  # more texts than two of the few that are held out do not move
    return opened_with_a_change(studio, learnable, run)


def change_for_the_worse(run: RunRecord) -> None:
    """Beside the planted change the rule `much` has learned what test texts of another label say."""
    change_reconstruction(run, "how much $*", "( how much | to quito ) $*", "much")


def test_a_card_has_the_rule_in_the_authors_order_its_automata_and_its_texts(
    studio: Studio, planted: RunRecord
) -> None:
    card = cards(studio)["price"]
    assert '$* ( price | fare | <ins class="re2-new">cost</ins> ) $*' in card["html"]
    assert card["state"] == "open"
    assert "Recommended</b>: fixes <b>2</b> and breaks <b>0</b> of 16 held-out test texts." in card["summary"]
    assert "texts: 4 fixed" not in card["summary"]  # they are counted beside the texts
    assert 'Learned: <span class="re2-dropped-by"><b class="re2-up">“cost”</b><button ' in card["summary"]
    assert 'data-drop="[&quot;cost&quot;]" title="Drop “cost”, accept the rest"' in card["summary"]
    assert (card["verdict"], card["effect"]) == ("Recommended", [2, 0])
    assert card["tone"] == "up"
    assert card["evidence"].startswith('<h4 class="re2-muted">Broken 0</h4><h4 class="re2-up">Fixed 8 ')
    assert "2 test, 2 dev, 4 train" in card["evidence"]
    assert '<mark class="re2-hit re2-new">cost</mark>' in card["evidence"]
    assert re.search(r">was</span> .*?>travel</span></span> .*?>now</span> .*?>money</span>", card["evidence"])
    assert "Made-up examples" not in card["evidence"]  # the texts show it
    drawing = card["drawing"]
    assert drawing["titles"] == ["Original", "Reconstructed"]
    assert [arc["mark"] for arc in drawing["arcs"] if arc["mark"] != "kept"] == ["changed"]


def test_a_link_leads_to_the_change_of_its_rule(studio: Studio, planted: RunRecord) -> None:
    studio.test.query_params["rule"] = "price"
    studio.test.run()
    assert studio.component(f"compare_review_{planted.id}")["go"][0] == "price"
    studio.test.query_params["rule"] = "nothing_learned"
    studio.test.run()
    studio.checked()
    assert [toast.value for toast in studio.test.toast] == ["Training did not change the rule nothing\\_learned."]
    assert studio.component(f"compare_review_{planted.id}")["go"][0] == "price"


def test_without_a_link_it_begins_at_the_best_open_change(studio: Studio, planted: RunRecord) -> None:
    """Not at the rule that was edited last on Write rules, nor at one that a link led to before."""
    studio.test.query_params["rule"] = "price"
    studio.test.run()
    studio.open("rules")
    draft: Draft = studio.test.session_state[f"_draft_{planted.project_id}"]
    studio.test.session_state[f"_draft_{planted.project_id}"] = replace(draft, rule="go")
    studio.open("rules")
    assert studio.test.query_params["rule"] == "go"
    studio.open("compare")
    assert studio.component(f"compare_review_{planted.id}")["go"][0] == ""


def test_the_texts_of_a_section_are_one_list_that_opens() -> None:
    rows = [f"<p>{number}</p>" for number in range(40)]
    shown = text_section("Fixed", "re2-up", rows, 40)
    assert re.findall(r"\d+ more", shown) == ["34 more"]
    assert all(row in shown for row in rows)
    large = text_section("Fixed", "re2-up", rows, 400)
    assert re.findall(r"\d+ more[^<]*", large) == ["34 more", "360 more: view Automata"]


def test_the_queue_says_why_these_texts_decide(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert review_data(studio)["measured"] == "16 held-out test texts decide (dev was used for training)"
    monkeypatch.setattr("pages._compare.accepting.held_out.held_out_split", lambda *_: "dev")
    studio.open("compare", project=learnable.id)
    assert re.fullmatch(r"\d+ dev texts decide, test texts check", review_data(studio)["measured"])


def test_texts_that_chose_the_changes_are_held_against_test_texts(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._compare.accepting.held_out.held_out_split", lambda *_: "dev")
    studio.open("compare", project=learnable.id)
    summary = cards(studio)["price"]["summary"]
    assert re.search(r"of \d+ dev texts. <span class=\"re2-muted\">Test texts: 2 fixed, 0 broken.</span>", summary)
    assert "held-out" not in summary


def test_held_out_texts_come_first_in_the_evidence(studio: Studio, planted: RunRecord) -> None:
    evidence = cards(studio)["price"]["evidence"]
    splits = re.findall(r'<span class="re2-muted">(test|dev|train)<', evidence)
    assert splits[:2] == ["test", "test"]
    assert "test" not in splits[2:]
    assert len(splits) == 8


def test_changes_are_ordered_by_what_they_gain_on_held_out_texts(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord
) -> None:
    change_for_the_worse(planted)
    studio.open("compare", project=learnable.id)
    assert {rule: (card["tone"], card["state"]) for rule, card in cards(studio).items()} == {
        "price": ("up", "open"),
        "much": ("down", "open"),
    }


def test_nothing_is_accepted_before_somebody_does_and_one_button_accepts_all_that_gain(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord
) -> None:
    change_for_the_worse(planted)
    studio.open("compare", project=learnable.id)
    save = studio.test.button(key="compare_save")
    assert (save.label, save.disabled) == ("Save 0 accepted changes as rules v2", True)
    button = studio.test.button(key="compare_accept_gaining")
    assert (button.label, button.proto.type) == ("Accept all recommended: 1", "secondary")
    assert button.help == "“price”. Each gains clearly by itself on test texts."
    assert "with the recommended change</abbr> <b>" in studio.html
    button.click().run()
    studio.checked()
    assert states(studio) == {"price": "accepted", "much": "open"}
    save = studio.test.button(key="compare_save")
    assert (save.label, save.proto.type) == ("Save 1 accepted change as rules v2", "primary")
    assert "with the accepted change</abbr> <b>" in studio.html
    assert cards(studio)["price"]["by"] == "accepted by analyst"


def test_one_or_two_texts_are_thin_evidence_and_no_button_accepts_by_them(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_effects, "_LIKELY", 0.125)
    studio.open("compare", project=learnable.id)
    card = cards(studio)["price"]
    assert "Thin evidence</b>: fixes <b>2</b> and breaks <b>0</b> of 16" in card["summary"]
    assert (card["verdict"], card["tone"]) == ("Thin evidence", "thin")
    assert "compare_accept_gaining" not in [button.key for button in studio.test.button]
    assert "<b>Thin evidence</b> for “price”: the gain may be chance." in studio.html


def test_what_loses_is_saved_by_no_main_button(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    change_for_the_worse(planted)
    decided(store, planted, "price")
    decided(store, planted, "much")
    studio.open("compare", project=learnable.id)
    save = studio.test.button(key="compare_save")
    assert (save.label, save.proto.type) == ("Save 2 accepted changes as rules v2 despite losses", "secondary")
    assert '→ <b class="re2-down">' in studio.html
    assert "Test gets worse" in studio.html


def test_where_nothing_gains_the_page_says_what_would_help(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    change_for_the_worse(planted)
    decided(store, planted, "price", "rejected")
    studio.open("compare", project=learnable.id)
    nothing = "<b>None of the open changes gains</b> on 16 held-out test texts: nothing more to accept. What helps:"
    assert nothing in studio.html
    # Every text has a label, so that there is none to give.
    offered = [link.proto.label for link in studio.test.get("page_link")]
    assert offered[-3:] == ["add texts", "write rules", "train again"]
    assert "label more texts" not in offered


def test_a_rejected_change_stays_rejected_in_a_later_run_of_the_same_rule(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    change_reconstruction(planted, "( cost | fare | price )", "( cost | fare | price | rome )")
    decided(store, planted, "price", "rejected", person="Bo")
    change_reconstruction(planted, "( cost | fare | price | rome )", "( cost | fare | price )")
    studio.open("compare", project=learnable.id)
    card = cards(studio)["price"]
    assert (card["state"], card["by"]) == ("rejected", "rejected by Bo in an earlier run")
    change_reconstruction(planted, "( cost | fare | price )", "( cost | fare | price | quito )")
    studio.open("compare", project=learnable.id)
    assert states(studio) == {"price": "open"}


def test_what_one_decides_another_sees(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    other = Studio()
    other.test.query_params["person"] = "Bo"
    other.open("compare", project=learnable.id)
    studio.test.button(key="compare_accept_gaining").click().run()
    other.test.run()
    assert cards(other.checked() and other)["price"]["by"] == "accepted by analyst"
    assert other.test.button(key="compare_save").label == "Save 1 accepted change as rules v2"


def test_a_rule_that_nobody_wrote_is_a_card_and_is_saved_with_the_others(
    studio: Studio, learnable: ProjectRecord, run: RunRecord, store: Store
) -> None:
    studio.open("compare", project=learnable.id)
    plant_new_rules(run)
    decided(store, run, "money.new")
    studio.open("compare", project=learnable.id)
    found = cards(studio)
    assert {rule: (card["fresh"], card["state"]) for rule, card in found.items()} == {
        "money.new": (True, "accepted"),
        "travel.new": (True, "open"),
    }
    assert '<ins class="re2-new">cost</ins>' in found["money.new"]["html"]
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert "money.new := $* cost $*" in newest.rules_text
    assert "travel.new" not in newest.rules_text
    assert '"money.new -> money",' in newest.logic_text
    assert states(studio) == {"travel.new": "open", "money.new": "saved"}


def test_an_edited_change_is_saved_as_it_was_edited(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    decided(store, planted, "price", "edited", text="$* ( price | fare | cost | costs ) $*")
    studio.open("compare", project=learnable.id)
    assert cards(studio)["price"]["text"] == "$* ( price | fare | cost | costs ) $*"
    assert states(studio) == {"price": "edited"}
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    assert "price := $* ( price | fare | cost | costs ) $*" in latest_version(store, learnable.id).rules_text
    assert states(studio) == {"price": "saved"}


def test_an_edited_change_shows_the_edited_rule_and_what_was_learned(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    """The middle showed the learned rule with its figures after somebody had edited it."""
    decided(store, planted, "price", "edited", text="$* ( price | fare | costing ) $*")
    studio.open("compare", project=learnable.id)
    card = cards(studio)["price"]
    assert '<ins class="re2-new">costing</ins>' in card["html"]
    assert "cost<" not in card["html"]
    assert "fixes <b>0</b> and breaks <b>0</b> of 16" in card["summary"]
    assert 'data-drop="[&quot;costing&quot;]"' in card["summary"]
    assert card["drawing"]["titles"] == ["Original", "Edited"]
    assert card["by"] == "edited and accepted by analyst"
    assert card["effect"] == [0, 0]
    former = card["former"]
    assert '<ins class="re2-new">cost</ins>' in former["html"]
    assert "Better</b>: fixes <b>2</b> and breaks <b>0</b> of 16" in former["summary"]
    assert former["drawing"]["titles"] == ["Original", "Reconstructed"]
    assert former["drawing"]["stamp"] != card["drawing"]["stamp"]


def test_an_edit_moves_no_change_in_the_queue(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    change_for_the_worse(planted)
    decided(store, planted, "price", "edited", text="$* ( price | fare | rome ) $*")
    studio.open("compare", project=learnable.id)
    assert list(cards(studio)) == ["price", "much"]


def test_open_changes_are_measured_in_the_rules_that_were_just_saved(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    """They kept the figures that they had in the version before."""
    change_reconstruction(planted, "how much $*", "( how much | cost ) $*", "much")
    studio.open("compare", project=learnable.id)
    alone = {rule: card["effect"] for rule, card in cards(studio).items()}
    assert alone == {"price": [2, 0], "much": [2, 0]}
    assert "in v" not in review_data(studio)["measured"]
    decided(store, planted, "price")
    studio.test.run()
    assert cards(studio)["much"]["effect"] == [2, 0]  # nothing is saved yet
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    found = cards(studio)
    assert found["much"]["effect"] == [0, 0]  # `price` fixes these texts now
    assert "16 held-out test texts in v2 decide (" in review_data(studio)["measured"]
    assert (found["price"]["state"], found["price"]["effect"]) == ("saved", [2, 0])
    assert (
        "Better</b>: fixes <b>2</b> and breaks <b>0</b> of 16 held-out test texts in v1." in found["price"]["summary"]
    )


def test_a_gain_by_common_words_alone_is_not_recommended(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("re2nn_core.services.rule_review.decisions.is_common_word", lambda _: True)
    studio.open("compare", project=learnable.id)
    card = cards(studio)["price"]
    assert (card["verdict"], card["tone"]) == ("Only common words", "thin")
    assert "compare_accept_gaining" not in [button.key for button in studio.test.button]


def test_recommended_and_other_changes_add_up_to_the_open_ones(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change whose test sentence fails was left out of "all" without a word."""
    newest = latest_version(store, learnable.id)
    save_version(
        store,
        learnable.id,
        rules_text=newest.rules_text,
        logic_text=newest.logic_text,
        sentences_text='[much]\nmust_not = ["to quito"]\n',
        author="Ann",
        expected_number=1,
    )
    change_for_the_worse(planted)
    studio.open("compare", project=learnable.id)
    assert list(trial_states := states(studio)) == ["price", "much"]
    assert set(trial_states.values()) == {"open"}
    assert studio.test.button(key="compare_accept_gaining").label == "Accept all recommended: 1"
    assert "with the recommended change</abbr>" in studio.html


def test_an_edit_that_cannot_be_read_any_more_opens_the_change_again(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    decided(store, planted, "price", "edited", text="$* @sums@ $*")
    studio.open("compare", project=learnable.id)
    card = cards(studio)["price"]
    assert card["state"] == "open"
    assert "names a word class that is not there any more. Edit it again" in card["note"]


def test_a_rule_that_was_edited_since_is_closed_and_says_who_did(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    edited = newest.rules_text.replace("( price | fare )", "( price | fare | fee )")
    save_version(store, learnable.id, rules_text=edited, logic_text=newest.logic_text, author="Bob", expected_number=1)
    studio.open("compare", project=learnable.id)
    card = cards(studio)["price"]
    assert (card["state"], card["closed"]) == ("edited since", True)
    assert "Bob changed it in v2, after the training, and accepting the whole change would undo that" in card["note"]
    assert "compare_accept_gaining" not in [button.key for button in studio.test.button]


def test_figures_stand_in_a_view_of_their_own(studio: Studio, planted: RunRecord) -> None:
    assert '<div class="re2-split-table">' not in studio.html
    assert '<div class="re2-split-table">' in seen_as(studio, "Figures").html


def test_the_review_is_sent_what_can_be_undone(studio: Studio, planted: RunRecord) -> None:
    assert (review_data(studio)["undo"], review_data(studio)["redo"]) == ("", "")
    studio.test.button(key="compare_accept_gaining").click().run()
    assert review_data(studio)["undo"] == "accepted 1 change"
