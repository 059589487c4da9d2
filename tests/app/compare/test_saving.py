"""Changes are taken over on the page Compare: saved as a new version, accepted one by one, undone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import cards, change_reconstruction, decided, opened_with_a_change, seen_as, states

from pages._compare.accepting import edit_table
from pages._compare.accepting.measured import advice
from pages._shared.components.jumps import LAND
from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.rule_writing.draft import Draft
from re2nn_core.store import ProjectRecord, RunRecord, Store, latest_version, save_version

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture
def planted(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> RunRecord:
    return opened_with_a_change(studio, learnable, run)


def test_changes_are_saved_as_a_new_version(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    decided(store, planted, "price")
    studio.test.run()
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert newest.number == 2
    assert "price := $* ( price | fare | cost ) $*" in newest.rules_text
    assert newest.message == f"Run {planted.id}, reconstructed: price"


def test_write_rules_opens_on_what_was_changed_by_a_save_on_compare(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    """Not on the rule that was looked at before, on either page; once, and then what is chosen holds."""
    decided(store, planted, "price")
    studio.test.query_params["rule"] = "go"
    studio.open("rules", project=learnable.id)
    studio.open("compare")
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    studio.test.session_state["_chosen_rule"] = "much"  # the next change in the review
    studio.open("rules")
    draft: Draft = studio.test.session_state[f"_draft_{learnable.id}"]
    line = draft.rules_text.split("\n").index("price := $* ( price | fare | cost ) $*") + 1
    assert (draft.rule, draft.reveal_line, draft.caret_line) == ("price", line, line)
    assert studio.component(f"_rule_automaton_{learnable.id}")["title"] == "price"
    assert studio.test.query_params["rule"] == "price"
    studio.open("automaton")
    studio.test.selectbox(key=f"_machine_Rule_{learnable.id}").set_value("go").run()
    studio.open("rules")
    assert studio.test.session_state[f"_draft_{learnable.id}"].rule == "go"


FEW, MANY = SplitMoves(80, 3, 0), SplitMoves(80, 20, 1)


@pytest.mark.parametrize(
    ("gains", "dev", "said", "cautious"),
    [
        (
            {"dev": 0.1, "test": 0.0},
            MANY,
            "check the changes: ±0.0 points, 1 better and 1 worse of 80 texts.",
            True,
        ),
        (
            {"dev": 0.1, "test": 0.0},
            FEW,
            "(on dev 3 better and 0 worse of 80), but the difference is not statistically",
            False,
        ),
        ({"dev": 0.1, "test": 0.05}, MANY, "only check the changes: +5.0 points,", False),
        ({"dev": 0.0, "test": -0.02}, MANY, "only check the changes: -2.0 points,", False),
        ({"dev": 0.1}, MANY, "There are no test texts", False),
    ],
)
def test_what_test_says_stands_beside_the_button(
    gains: dict[str, float], dev: SplitMoves, said: str, cautious: bool
) -> None:
    reported = advice(gains, {"dev": dev, "test": SplitMoves(80, 1, 1)})
    assert said in reported
    assert ("Dev improves and test does not" in reported) == cautious


def test_the_gain_on_test_is_on_the_page(studio: Studio, planted: RunRecord, store: Store) -> None:
    """The network of the run has learned from dev, so test is what is left to judge changes by."""
    decided(store, planted, "price")
    studio.test.run()
    assert "On the test texts, which were not used for training, but decide the order of the changes: " in studio.html


def held_to(store: Store, project: ProjectRecord, sentences: str) -> None:
    """The same rules as a second version, with sentences."""
    newest = latest_version(store, project.id)
    texts = {"rules_text": newest.rules_text, "logic_text": newest.logic_text, "sentences_text": sentences}
    save_version(store, project.id, **texts, author="Ann", expected_number=1)


def test_what_stands_in_the_way_is_told_before_and_left_out_by_a_button(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    held_to(store, learnable, '[price]\nmust_not = ["the cost of it"]\n')
    studio.open("compare", project=learnable.id)
    card = cards(studio)["price"]
    assert "because its test sentence would fail: Rule &#x27;price&#x27; must not" in card["note"]
    assert (card["verdict"], card["tone"]) == ("Test sentence fails", "thin")
    # What fails a sentence is not among the changes that gain.
    assert "compare_accept_gaining" not in [button.key for button in studio.test.button]
    decided(store, planted, "price")
    studio.test.run()
    studio.checked()
    assert "<b>Cannot be saved as it is.</b>" in studio.html
    assert studio.test.button(key="compare_save").disabled
    assert "Rule &#x27;price&#x27; must not match “the cost of it”" in studio.html
    [button] = [button for button in studio.test.button if button.key == "compare_leave_out"]
    assert button.label == "Leave out “price”"
    next(box for box in studio.test.text_input if box.label.startswith("Reason to save anyway")).set_value(
        "on trial"
    ).run()
    assert not studio.test.button(key="compare_save").disabled
    studio.test.button(key="compare_leave_out").click().run()
    studio.checked()
    assert states(studio) == {"price": "open"}
    assert studio.test.button(key="compare_save").label.startswith("Save 0 accepted changes")
    assert "Open: <b>“price”</b> gains on 16 held-out test texts, but a test sentence fails with it." in studio.html


def test_sentences_that_fail_already_are_not_blamed_on_a_change(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    others = ", ".join(f'"not {number}"' for number in range(6))
    held_to(store, learnable, f'[price]\nmust = ["nothing of the kind", {others}]\n')
    decided(store, planted, "price")
    studio.open("compare", project=learnable.id)
    assert cards(studio)["price"]["note"] == ""
    assert "<b>7 sentences fail in v2 already</b>, and the selected changes do not fix that." in studio.html
    assert "Rule &#x27;price&#x27; must match “nothing of the kind”" in studio.html
    assert studio.test.button(key="compare_save").disabled
    assert "<details><summary>and 2 more</summary>" in studio.html
    assert "compare_leave_out" not in [button.key for button in studio.test.button]
    next(box for box in studio.test.text_input if box.label.startswith("Reason to save anyway")).set_value(
        "known"
    ).run()
    studio.checked()
    assert not studio.test.button(key="compare_save").disabled


def test_an_edit_that_sentences_stop_is_told_where_the_focus_goes(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    sentences = '[price]\nmust_not = ["the cost of it"]\n'
    texts = newest.rules_text, newest.logic_text
    save_version(
        store, learnable.id, rules_text=texts[0], logic_text=texts[1], sentences_text=sentences, author="Ann",
        expected_number=1,
    )  # fmt: skip
    studio.open("compare", project=learnable.id)
    accepted(studio)
    assert latest_version(store, learnable.id).number == 2
    assert '<div class="re2-landing re2-fault" tabindex="-1"><b>Not saved.</b>' in studio.html
    assert studio.test.session_state[LAND][1] == "compare_accept_stopped"
    assert studio.test.button(key="compare_accept").disabled
    next(box for box in studio.test.text_input if box.label.startswith("Reason to save anyway")).set_value(
        "on trial"
    ).run()
    studio.test.button(key="compare_accept").click().run()
    studio.checked()
    assert latest_version(store, learnable.id).message.endswith("Saved although 1 sentence fails: on trial")


def test_one_of_several_changes_is_taken_over_alone(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    change_reconstruction(planted, "( flight | flights )", "( flight | flights | planes )", "go")
    decided(store, planted, "price")
    studio.open("compare", project=learnable.id)
    assert states(studio) == {"price": "accepted", "go": "open"}
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert newest.message == "Run 1, reconstructed: price"
    assert "( price | fare | cost )" in newest.rules_text
    assert "go := $* ( flight | flights ) $*" in newest.rules_text


def test_a_version_saved_meanwhile_is_not_overwritten(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = latest_version(store, learnable.id)
    save_version(
        store,
        learnable.id,
        rules_text=newest.rules_text + "more := $* fee $*\n",
        logic_text=newest.logic_text,
        author="Bob",
        expected_number=1,
    )
    # It comes between the drawing of the page and the click.
    monkeypatch.setattr("pages._compare.accepting.accepted_changes.latest_version", lambda *_: newest)
    monkeypatch.setattr("pages._compare.newest.list_versions", lambda *_: (newest,))
    decided(store, planted, "price")
    studio.test.run()
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    assert "Bob saved rules v2" in studio.messages.replace("\\", "")
    assert latest_version(store, learnable.id).number == 2


def test_a_learned_word_is_accepted_by_itself(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    edits = learned_table(seen_as(studio, "By word"))
    assert edits["edit"] == ["at price | fare, also match cost"]
    assert (edits["won"], edits["right"]) == (["8"], ["+6"])
    assert "here" not in edits, "a result of train and dev beside the verdict of held-out texts"
    assert '( price | fare | <ins class="re2-new">cost</ins> )' in studio.html
    next(box for box in studio.test.text_input if box.label == "Reason").set_value("people say cost").run()
    studio.test.button(key="compare_accept").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert newest.number == 2
    assert "price := $* ( price | fare | cost ) $*" in newest.rules_text
    assert newest.message == "people say cost"
    assert "No single edit is left" in studio.html


def test_the_rest_of_a_rule_is_taken_over_after_one_of_its_edits(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    learn_more(planted)
    seen_as(studio, "By word")
    edits = learned_table(studio)["edit"]
    assert edits[0] == "at price | fare, also match cost"
    accepted(studio)
    assert learned_table(studio)["edit"] == ["at price | fare | cost, also match rome"]
    decided(store, planted, "price")
    seen_as(studio, "By rule")
    save = studio.test.button(key="compare_save")
    assert save.label == "Save 1 accepted change as rules v3"
    save.click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert newest.number == 3
    assert "price := $* ( price | fare | cost | rome ) $*" in newest.rules_text


def learn_more(run: RunRecord) -> None:
    """The planted change has one word more, `rome`."""
    path = run.folder / FILE
    text = path.read_text(encoding="utf-8")
    assert "( cost | fare | price )" in text
    path.write_text(text.replace("( cost | fare | price )", "( cost | fare | price | rome )"), encoding="utf-8")


def learned_table(studio: Studio) -> dict[str, list[str]]:
    table = studio.frame("edit")
    return {name: list(values) for name, values in table.items()}


def accepted(studio: Studio, person: str = "") -> None:
    """Accept the best edit."""
    if person:
        studio.test.query_params["person"] = person
    seen_as(studio, "By word")
    studio.test.button(key="compare_accept").click().run()
    studio.checked()


def test_what_was_accepted_is_told_and_the_newest_version_stands_on_the_left(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord
) -> None:
    accepted(studio)
    seen_as(studio, "By rule")
    assert "<b>v2</b> saved by you (“price: at price | fare, also match cost" in studio.html
    assert (cards(studio)["price"]["state"], cards(studio)["price"]["note"]) == ("saved", "")
    seen_as(studio, "Automata")
    assert "it was edited" not in studio.html
    assert "Written (v2, newest)" in studio.html
    assert "Words added: none" in studio.html
    [side] = [box for box in studio.test.segmented_control if box.label == "Compare with"]
    side.set_value("v1, trained from").run()
    studio.checked()
    assert "Written (v1, trained from)" in studio.html
    assert '<ins class="re2-new">cost</ins>' in studio.html


def test_an_accepted_edit_is_undone_after_a_reload_too(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    before = latest_version(store, learnable.id).rules_text
    accepted(studio)
    reloaded = Studio()
    reloaded.open("compare", project=learnable.id)
    [undo] = [button for button in reloaded.test.button if button.key == "version_undo"]
    assert undo.label == "Back to rules v1"
    undo.click().run()
    reloaded.checked()
    newest = latest_version(store, learnable.id)
    assert (newest.number, newest.rules_text, newest.message) == (3, before, "Undo of rules v2")
    assert not [button for button in reloaded.test.button if button.key == "version_undo"]
    assert "No single edit is left" not in seen_as(reloaded, "By word").html


@pytest.mark.parametrize("button", ["version_undo", "compare_save"])
def test_a_click_meant_for_an_older_version_changes_nothing(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store, button: str
) -> None:
    if button == "version_undo":
        accepted(studio)
        seen_as(studio, "By rule")
    else:
        decided(store, planted, "price")
        studio.test.run()
    newest = latest_version(store, learnable.id)
    other = newest.rules_text + "\n// another window\n"
    logic, now = newest.logic_text, newest.number
    save_version(store, learnable.id, rules_text=other, logic_text=logic, author="bo", expected_number=now)
    studio.test.button(key=button).click().run()
    studio.checked()
    number = newest.number + 1
    assert latest_version(store, learnable.id).rules_text == other
    said = f"Rules v{number} were saved by bo in the meantime, so your click had no effect."
    assert any(toast.value.startswith(said) for toast in studio.test.toast)
    assert f"<b>v{number}</b> saved by bo" in studio.html
    studio.test.button(key="version_undo").click().run()
    studio.checked()
    assert latest_version(store, learnable.id).rules_text == newest.rules_text


def test_an_edit_that_changes_no_prediction_is_no_main_action(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    rules = newest.rules_text + "cost := $* cost $*\n"
    save_version(store, learnable.id, rules_text=rules, logic_text=newest.logic_text, author="Bob", expected_number=1)
    seen_as(studio, "By word")
    assert "The edit changes no prediction by itself." in studio.html
    assert learned_table(studio)["right"] == ["0"]
    assert "no evidence for or against it" in studio.html
    button = studio.test.button(key="compare_accept")
    assert button.label == "Accept edit as rules v3 without effect here"
    assert button.proto.type == "secondary"


def test_a_gain_on_trained_texts_alone_is_called_so() -> None:
    """By rule says that there is no gain, so By word does not say that there is one."""
    edits = (SimpleNamespace(verdict="gains", held_out=held_out) for held_out in (None, 2, 0))
    assert ["No gain on held-out texts" in edit_table._caution(edit) for edit in edits] == [False, False, True]


def test_an_edit_that_loses_warns(studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store) -> None:
    newest = latest_version(store, learnable.id)
    turned = newest.rules_text.replace("[money]\nprice := $* ( price | fare ) $*\n", "[money]\n")
    turned = turned.replace("[travel]\n", "[travel]\nprice := $* ( price | fare ) $*\n")
    logic = newest.logic_text.replace('default = "travel"', 'default = "money"')
    save_version(store, learnable.id, rules_text=turned, logic_text=logic, author="Bob", expected_number=1)
    seen_as(studio, "By word")
    assert "This edit breaks more texts than it fixes, by 2 on held-out texts." in studio.html
    reported = "This edit alone: -6 (6 correct predictions fewer in labelled train and dev texts)."
    assert reported in studio.html
    assert learned_table(studio)["right"] == ["-6"]
    assert studio.test.button(key="compare_accept").label == "Accept edit as rules v3 despite losses"


def test_a_change_that_loses_on_dev_is_warned_of() -> None:
    reported = advice({"dev": -0.1}, {"dev": SplitMoves(80, 0, 8)})
    assert '<div class="re2-warn">Dev gets worse: fewer of its predictions are correct than before.</div>' in reported
    assert "Dev loses" not in advice({"dev": -0.01}, {"dev": SplitMoves(80, 0, 1)})  # as chance might have it
