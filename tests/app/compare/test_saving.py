"""Changes are taken over on the page Compare: saved as a new version, accepted one by one, undone."""

from __future__ import annotations

import json

import pytest
from support.app.app_studio import Studio
from support.app.compare_steps import opened_with_a_change

from pages._compare.accepting.measured import advice
from pages._shared.components.jumps import LAND
from re2nn_core.services.rule_review.classification.stored_reconstruction import FILE
from re2nn_core.services.rule_review.split_chance import SplitMoves
from re2nn_core.store import ProjectRecord, RunRecord, Store, latest_version, save_version

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")


@pytest.fixture
def planted(studio: Studio, learnable: ProjectRecord, run: RunRecord) -> RunRecord:
    return opened_with_a_change(studio, learnable, run)


def test_changes_are_saved_as_a_new_version(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert newest.number == 2
    assert "price := $* ( cost | fare | price ) $*" in newest.rules_text
    assert newest.message == f"Run {planted.id}, reconstructed: price"


FEW, MANY = SplitMoves(80, 3, 0), SplitMoves(80, 20, 1)


@pytest.mark.parametrize(
    ("gains", "dev", "said", "cautious"),
    [
        ({"dev": 0.1, "test": 0.0}, MANY, "choose the changes: ±0.0 points, 1 better and 1 worse of 80 texts.", True),
        (
            {"dev": 0.1, "test": 0.0},
            FEW,
            "(on dev 3 better and 0 worse of 80), but the difference is not statistically",
            False,
        ),
        ({"dev": 0.1, "test": 0.05}, MANY, "choose the changes: +5.0 points,", False),
        ({"dev": 0.0, "test": -0.02}, MANY, "choose the changes: -2.0 points,", False),
        ({"dev": 0.1}, MANY, "There are no test texts", False),
    ],
)
def test_what_test_says_stands_beside_the_button(
    gains: dict[str, float], dev: SplitMoves, said: str, cautious: bool
) -> None:
    told = advice(gains, {"dev": dev, "test": SplitMoves(80, 1, 1)})
    assert said in told
    assert ("Dev improves and test does not" in told) == cautious


def test_the_gain_on_test_is_on_the_page(studio: Studio, planted: RunRecord) -> None:
    """The network of the run has learned from dev, so test is what is left to judge changes by."""
    assert (
        "On the test texts, which were not used for training, but decide which changes are preselected: " in studio.html
    )


def test_a_change_can_be_left_out(studio: Studio, planted: RunRecord) -> None:
    studio.test.toggle(key=f"_take_{planted.id}_price_switch").set_value(False).run()
    studio.checked()
    assert "There is no change to accept." in studio.html
    assert "left out" in list(studio.test.dataframe[0].value["change"])


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
    # At first the change is left out, so that nothing stands in the way.
    assert "<b>Cannot be saved as it is.</b>" not in studio.html
    assert "<b>price</b> is left out, because its test sentence would fail: Rule" in studio.html
    assert list(studio.test.dataframe[0].value["change"])[0] == "left out, sentence fails"
    studio.test.toggle(key=f"_take_{planted.id}_price_although_switch").set_value(True).run()
    studio.checked()
    assert "<b>Cannot be saved as it is.</b>" in studio.html
    assert studio.test.button(key="compare_save").disabled
    assert "Rule &#x27;price&#x27; must not match “the cost of it”" in studio.html
    [button] = [button for button in studio.test.button if button.key == "compare_leave_out"]
    assert button.label == "Leave out price"
    next(box for box in studio.test.text_input if box.label.startswith("Reason to save anyway")).set_value(
        "on trial"
    ).run()
    assert not studio.test.button(key="compare_save").disabled
    studio.test.button(key="compare_leave_out").click().run()
    studio.checked()
    assert "There is no change to accept." in studio.html
    assert not studio.test.toggle(key=f"_take_{planted.id}_price_although_switch").value


def test_sentences_that_fail_already_are_not_blamed_on_a_change(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    others = ", ".join(f'"not {number}"' for number in range(6))
    held_to(store, learnable, f'[price]\nmust = ["nothing of the kind", {others}]\n')
    studio.open("compare", project=learnable.id)
    assert list(studio.test.dataframe[0].value["change"])[0] == "selected"
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
    assert "Only this rule" not in studio.html  # it is the only one
    change_another(planted)
    studio.open("compare", project=learnable.id)
    assert studio.test.button(key="compare_save").label == "Accept 2 changes as rules v2"
    alone = studio.html[studio.html.index("Only this rule") :]
    assert "texts fixed" in alone
    studio.test.button(key="compare_alone").click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert newest.message == "Run 1, reconstructed: price"
    assert "( cost | fare | price )" in newest.rules_text
    assert "go := $* ( flight | flights ) $*" in newest.rules_text


def change_another(run: RunRecord) -> None:
    """Beside the planted change the rule `go` has learned `planes`."""
    path = run.folder / FILE
    values = json.loads(path.read_text(encoding="utf-8"))
    found = values["reconstruction"]
    found["rules_text"] = found["rules_text"].replace("( flight | flights )", "( flight | flights | planes )")
    rule = next(rule for rule in found["rules"] if rule["name"] == "go")
    rule.update(kept_original=False, threshold=0.4, won=[2], lost=[])
    values["best_edits"] = {"price": 6, "go": 1}
    path.write_text(json.dumps(values), encoding="utf-8")


def change_for_the_worse(run: RunRecord) -> None:
    """Beside the planted change the rule `much` has learned what test texts of another label say."""
    path = run.folder / FILE
    values = json.loads(path.read_text(encoding="utf-8"))
    found = values["reconstruction"]
    found["rules_text"] = found["rules_text"].replace("how much $*", "( how much | to quito ) $*")
    rule = next(rule for rule in found["rules"] if rule["name"] == "much")
    rule.update(kept_original=False, threshold=0.4, won=[56], lost=[])
    path.write_text(json.dumps(values), encoding="utf-8")


def test_a_change_that_loses_on_held_out_texts_is_not_selected_nor_recommended(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord
) -> None:
    assert studio.test.button(key="compare_save").proto.type == "primary"
    change_for_the_worse(planted)
    studio.open("compare", project=learnable.id)
    rules = studio.test.dataframe[0].value
    assert list(rules["name"])[:2] == ["price", "much"]
    assert list(rules["held"])[:3] == ["+12.5", "-25.0", ""]
    assert list(rules["change"])[:2] == ["selected", "left out"]
    assert "Not selected, because each loses on test: much." in studio.html
    save = studio.test.button(key="compare_save")
    assert (save.label, save.proto.type) == ("Accept 1 change as rules v2", "primary")
    studio.test.session_state[f"_take_{planted.id}_much"] = True
    studio.test.run()
    studio.checked()
    assert "Not selected" not in studio.html
    assert "Test gets worse" in studio.html
    save = studio.test.button(key="compare_save")
    assert (save.label, save.proto.type) == ("Accept 2 changes as rules v2 despite losses", "secondary")


def test_a_rule_that_was_edited_since_is_left_alone(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    save_version(
        store,
        learnable.id,
        rules_text=newest.rules_text.replace("( price | fare )", "( price | fare | fee )"),
        logic_text=newest.logic_text,
        author="Bob",
        expected_number=1,
    )
    studio.test.run()
    studio.checked()
    assert (
        "<b>price</b> is not changed: Bob changed it in v2, after the training, and accepting the whole" in studio.html
    )
    assert "What still fits is offered below, edit by edit." in studio.html
    assert "edited since" in list(studio.test.dataframe[0].value["change"])


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
    studio.test.button(key="compare_save").click().run()
    studio.checked()
    assert "Bob saved version 2" in studio.messages.replace("\\", "")
    assert latest_version(store, learnable.id).number == 2


def test_a_learned_word_is_accepted_by_itself(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    edits = learned_table(studio)
    assert edits["edit"] == ["where price | fare is read, also read cost"]
    assert (edits["won"], edits["right"], edits["here"]) == (["8"], ["+6"], ["gains"])
    assert list(studio.test.dataframe[0].value["best"])[0] == "+6"
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
    studio.test.run()
    edits = learned_table(studio)["edit"]
    assert edits[0] == "where price | fare is read, also read cost"
    accepted(studio)
    assert list(studio.test.dataframe[0].value["change"])[0] == "rest selected"
    assert "<b>price</b> has some of its learned edits already; the rest is accepted." in studio.html
    assert learned_table(studio)["edit"] == ["where price | fare | cost is read, also read rome"]
    save = studio.test.button(key="compare_save")
    assert save.label == "Accept 1 change as rules v3"
    save.click().run()
    studio.checked()
    newest = latest_version(store, learnable.id)
    assert newest.number == 3
    assert "price := $* ( cost | fare | price | rome ) $*" in newest.rules_text


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
    studio.test.button(key="compare_accept").click().run()
    studio.checked()


def test_what_was_accepted_is_told_and_the_newest_version_stands_on_the_left(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord
) -> None:
    accepted(studio)
    assert "<b>v2</b> saved by you (“price: where price | fare is read, also read cost" in studio.html
    assert "Already accepted: price." in studio.html
    assert list(studio.test.dataframe[0].value["change"])[0] == "accepted"
    assert list(studio.test.dataframe[0].value["best"])[0] == ""
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
    assert undo.label == "Undo: version 2"
    undo.click().run()
    reloaded.checked()
    newest = latest_version(store, learnable.id)
    assert (newest.number, newest.rules_text, newest.message) == (3, before, "Undo of version 2")
    assert not [button for button in reloaded.test.button if button.key == "version_undo"]
    assert "No single edit is left" not in reloaded.html


@pytest.mark.parametrize("button", ["version_undo", "compare_save"])
def test_a_click_meant_for_an_older_version_changes_nothing(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store, button: str
) -> None:
    if button == "version_undo":
        accepted(studio)
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


def test_an_edit_that_changes_no_answer_is_no_main_action(
    studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store
) -> None:
    newest = latest_version(store, learnable.id)
    rules = newest.rules_text + "cost := $* cost $*\n"
    save_version(store, learnable.id, rules_text=rules, logic_text=newest.logic_text, author="Bob", expected_number=1)
    studio.test.run()
    studio.checked()
    assert "The remaining edit changes no prediction on these texts." in studio.html
    assert learned_table(studio)["here"] == ["no change"]
    assert "no evidence for or against it" in studio.html
    button = studio.test.button(key="compare_accept")
    assert button.label == "Accept edit as rules v3 without effect here"
    assert button.proto.type == "secondary"


def test_an_edit_that_loses_warns(studio: Studio, learnable: ProjectRecord, planted: RunRecord, store: Store) -> None:
    newest = latest_version(store, learnable.id)
    turned = newest.rules_text.replace("[money]\nprice := $* ( price | fare ) $*\n", "[money]\n")
    turned = turned.replace("[travel]\n", "[travel]\nprice := $* ( price | fare ) $*\n")
    logic = newest.logic_text.replace('default = "travel"', 'default = "money"')
    save_version(store, learnable.id, rules_text=turned, logic_text=logic, author="Bob", expected_number=1)
    studio.test.run()
    studio.checked()
    assert learned_table(studio)["here"] == ["loses"]
    assert "This edit breaks more texts than it fixes, by 2 on held-out texts." in studio.html
    told = "This edit alone: -6 (6 correct predictions fewer in labelled train and dev texts)."
    assert told in studio.html
    assert learned_table(studio)["right"] == ["-6"]
    assert studio.test.button(key="compare_accept").label == "Accept edit as rules v3 despite losses"


def test_a_change_that_loses_on_dev_is_warned_of() -> None:
    told = advice({"dev": -0.1}, {"dev": SplitMoves(80, 0, 8)})
    assert '<div class="re2-warn">Dev gets worse: fewer of its predictions are correct than before.</div>' in told
    assert "Dev loses" not in advice({"dev": -0.01}, {"dev": SplitMoves(80, 0, 1)})  # as chance might have it
