"""A team's queue is opened on the page Label: its texts, its people, its settings, and what leaves it."""

from __future__ import annotations

import pytest
from support.app.team_queue_steps import person, press, say, shown, six_texts, team_queue, without_label
from support.projects.finished_run import plant_a_change

from re2nn_core.services.annotation.removed_members import removed_members_message, removed_with_texts, who_can_help
from re2nn_core.services.fine_tuning.classification.runs import bundle_of
from re2nn_core.services.prediction.classification.predictions import predict_texts
from re2nn_core.services.rule_review.classification.stored_reconstruction import reconstruct_run, stored_reconstruction
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.store import (
    ProjectRecord,
    RunRecord,
    Store,
    add_account,
    close_queue,
    count_queue,
    get_queue,
    given_annotations,
    list_events,
    open_queue,
    record_decision,
    save_version,
    shut_account,
    texts_of,
)

RULES = "[travel]\nall := $* boston $*\n"


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    return six_texts(store)


@pytest.fixture
def ids(store: Store, project: ProjectRecord) -> list[int]:
    return without_label(store, project)


def test_a_queue_is_opened_seen_changed_and_closed(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    ann = person("Ann", project)
    ann.test.segmented_control(key="label_way").set_value("Team queue").run()
    assert "6 texts, 1 annotation each, 6 to do" in ann.html
    ann.test.number_input(key="queue_overlap").set_value(2).run()
    ann.test.multiselect(key="queue_people").set_value(["Ann", "Bob", "Cleo"]).run()
    ann.test.toggle(key="queue_blind").set_value(True).run()
    assert "6 texts, 2 annotations each, 12 to do, 4 for each of 3 people" in ann.html
    assert "Nobody called Bob or Cleo has been here yet, so their texts would never be annotated." in ann.html
    assert "Known here: tester, Ann." in ann.html
    assert ann.test.button(key="queue_open").disabled
    ann.test.checkbox(key="queue_newcomers").check().run()
    assert "these texts wait until someone works under exactly that name" in ann.html
    press(ann, "queue_open")
    queue = get_queue(store, project.id)
    assert queue is not None
    assert (queue.overlap, queue.blind, queue.shared, queue.lease_seconds) == (2, True, True, 600)
    assert shown(ann) in ids
    assert (list_events(store, project.id, kinds=("queue",))[0].data or {})["share_with"] == ["Ann", "Bob", "Cleo"]
    say(ann, "accept")
    ann.test.segmented_control(key="label_team_way").set_value("Team queue").run()
    assert "is open: 1 of 12 annotations done" in ann.html
    press(ann, "queue_open")
    assert count_queue(store, project.id).done == 1
    press(ann, "queue_close")
    assert get_queue(store, project.id) is None
    assert len(given_annotations(store, project.id)) == 1


def test_people_who_cannot_be_are_told(project: ProjectRecord) -> None:
    ann = person("Ann", project)
    ann.test.segmented_control(key="label_way").set_value("Team queue").run()
    ann.test.number_input(key="queue_overlap").set_value(3).run()
    ann.test.multiselect(key="queue_people").set_value(["Ann"]).run()
    # That is no failure: it is said where the preview stands, without a heading of one.
    assert "3 annotators are required for each text, but the queue names 1. Name more annotators" in ann.html
    assert ann.messages == ""
    assert "did not work" not in ann.html


def test_decided_texts_stay_out_unless_they_are_asked_for(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    record_decision(store, ids[0], "travel", "Rita")
    ann = person("Ann", project)
    ann.test.segmented_control(key="label_way").set_value("Team queue").run()
    ann.test.segmented_control(key="queue_which").set_value("all").run()
    assert "69 texts, 1 annotation each, 69 to do" in ann.html
    assert "1 more are adjudicated and not included." in ann.html
    ann.test.toggle(key="queue_decided").set_value(True).run()
    assert "70 texts, 1 annotation each, 70 to do" in ann.html
    press(ann, "queue_open")
    queue = get_queue(store, project.id)
    assert queue is not None
    assert queue.with_decided


def test_predictions_that_a_network_or_a_reconstruction_altered_come_first(
    learnable: ProjectRecord, store: Store, run: RunRecord
) -> None:
    """Rules against another version, the newest network, and what was read out of it."""
    reconstruct_run(run, texts_of(store, learnable.id))
    plant_a_change(run)
    records = texts_of(store, learnable.id)
    save_version(store, learnable.id, rules_text=RULES, logic_text="", author="Ann", message="Worse", expected_number=1)
    ann = person("Ann", learnable)
    ann.test.segmented_control(key="label_way").set_value("Team queue").run()
    ann.test.segmented_control(key="queue_which").set_value("all").run()
    ann.test.toggle(key="queue_changed").set_value(True).run()
    since = ann.test.selectbox(key="queue_since_False")
    assert since.options == [
        "compared with rules v1",
        "compared with the network of run 1",
        "compared with the rules read out of run 1",
    ]
    system = read_system(RULES, "", learnable.tokenization)[0]
    now = predict_texts(system, None, [record.text for record in records])
    trained = predict_texts(system, bundle_of(run), [record.text for record in records])
    kept = stored_reconstruction(run.folder)
    assert kept is not None
    rebuilt = kept.reconstruction
    read = read_system(rebuilt.rules_text, rebuilt.logic_text, learnable.tokenization)[0]
    learned = predict_texts(read, None, [record.text for record in records])
    for place, then in ((1, trained), (2, learned)):
        ann.test.selectbox(key="queue_since_False").select_index(place).run()
        moved = [record.id for record in records if then.prediction(record.position) != now.prediction(record.position)]
        assert 0 < len(moved) < len(records)
        assert f"{len(moved)} with a changed prediction come first." in ann.html
        press(ann, "queue_open")
        assert shown(ann) in moved
        close_queue(store, learnable.id)
        ann = person("Ann", learnable)
        ann.test.segmented_control(key="label_way").set_value("Team queue").run()
        ann.test.segmented_control(key="queue_which").set_value("all").run()
        ann.test.toggle(key="queue_changed").set_value(True).run()


def test_a_queue_for_others_says_for_whom(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids, overlap=2, share_with=["Ann", "Bob"])
    zoe = person("Zoe", project)
    assert "This queue is assigned to Ann and Bob; 12 annotations wait for them. On Label, Team queue," in zoe.html
    assert "The queue is done." not in zoe.html


def test_the_texts_of_an_open_queue_are_remembered_and_what_leaves_is_told(
    store: Store, project: ProjectRecord, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._shared.cached.recent._AT_ONCE", -1.0)  # as where counting takes long
    ann = team_queue("Ann", project, "label_way")
    ann.test.segmented_control(key="queue_which").set_value("all").run()
    ann.test.selectbox(key="queue_order").set_value("first").run()
    ann.test.toggle(key="queue_blind").set_value(True).run()
    assert "Blind: annotators see predictions, but neither labels of others nor imported labels" in ann.html
    press(ann, "queue_open")
    say(ann, "accept")
    # After a reload the panel stands as the queue was laid out, so laying out anew drops nothing.
    again = team_queue("Ann", project)
    assert again.test.segmented_control(key="queue_which").value == "all"
    assert again.test.selectbox(key="queue_order").value == "first"
    assert "leave the queue" not in again.html
    press(again, "queue_open")
    assert count_queue(store, project.id).waiting + count_queue(store, project.id).held == 69
    # Whoever takes fewer texts is reported before, and head and panel then tell the same figures.
    again.test.segmented_control(key="queue_which").set_value("unlabelled").run()
    held = count_queue(store, project.id).held
    assert f"{64 - 1 - held} texts that wait leave the queue; its one annotation is kept." in again.html
    press(again, "queue_open")
    counts = count_queue(store, project.id)
    wanted = counts.done + counts.held + counts.waiting
    assert wanted < 70
    assert f"is open: 1 of {wanted} annotations done" in again.html
    assert f"of {wanted} annotations <" in again.html.replace("</span>", " <")
    again.test.segmented_control(key="label_team_way").set_value("One text").run()
    assert f"of {wanted} annotations <" in again.html.replace("</span>", " <")


def test_a_queue_of_chosen_texts_stays_one_of_these(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, [*ids[:2], texts_of(store, project.id)[0].id])
    ann = team_queue("Ann", project)
    assert ann.test.segmented_control(key="queue_which").value == "texts of the queue"
    assert "2 texts, 1 annotation each, 2 to do" in ann.html  # and one is in Ann's hands
    assert "leave the queue" not in ann.html


def test_who_has_nothing_left_is_told_what_to_do(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    for name, role in (("Rae", "owner"), ("Bob", "annotator"), ("Cid", "annotator")):
        add_account(store, name=name, role=role, password_hash="none", person="Rae")
    open_queue(store, project.id, ids, share_with=["Cid"])
    assert removed_with_texts(store, project.id) == {}
    shut_account(store, "Cid", person="Rae")
    assert removed_with_texts(store, project.id) == {"Cid": 6}
    assert removed_members_message({"Cid": 6}) == (
        "6 annotations are assigned to Cid, who has no account: nobody else gets these texts. On Label, Team queue, "
        "name other annotators under “Assign to” and open the queue again."
    )
    assert removed_members_message({}) == ""
    assert who_can_help(store, "Bob") == ("For more texts ask a reviewer or an owner (Rae) to open the queue again.")
    assert who_can_help(store, "Rae").startswith("On Label, Team queue, name other annotators")
