"""The page Team: its parts, empty and with people who differ, and what each button does."""

from __future__ import annotations

import pytest
import streamlit as st
from support.app.app_studio import Studio, small_project
from support.projects.conflicts import Made, conflict_project
from support.projects.span_samples import annotated_project

from re2nn_core.store import (
    DECISION,
    Policy,
    ProjectRecord,
    Store,
    get_project,
    get_text,
    list_events,
    open_queue,
    record_label,
    set_policy,
    texts_of,
    verify_store,
)

PARTS = ("progress", "agreement", "review", "policy", "activity", "people")


@pytest.fixture
def made(store: Store) -> Made:
    return conflict_project(store)


def part(studio: Studio, name: str, project: ProjectRecord) -> Studio:
    studio.test.query_params["view"] = name
    studio.open("team", project=project.id)
    return studio


def press(studio: Studio, key: str) -> None:
    studio.test.button(key=key).click().run()
    studio.checked()


def shown(studio: Studio) -> int:
    """The id of the text that is reviewed."""
    [later] = [button for button in studio.test.button if (button.key or "").startswith("review_later_")]
    return int(later.key.rsplit("_", 1)[1])


def test_without_a_project_it_says_where_to_go(studio: Studio) -> None:
    studio.open("team")
    assert "No project is open." in studio.html


@pytest.mark.parametrize(
    ("name", "reported"),
    [
        ("progress", "Nobody has annotated a text in this application yet."),
        ("agreement", "No text has annotations of two annotators yet"),
        ("review", "No text waits for review."),
        ("policy", "0</b> <span>texts wait"),
        ("activity", "page 1"),
        ("people", "There are no accounts, so every name may do everything"),
    ],
)
def test_each_part_where_nobody_has_judged(studio: Studio, project: ProjectRecord, name: str, reported: str) -> None:
    assert reported in part(studio, name, project).html


def test_progress_tells_people_labels_and_what_waits(studio: Studio, made: Made) -> None:
    html = part(studio, "progress", made[0]).html
    assert "<b>6</b> <span>of 7 texts have a label</span>" in html
    assert "<b>4</b> <span>annotated in this application</span>" in html
    assert "<b>3</b> <span>by two or more annotators</span>" in html
    assert "<b>3</b> <span>wait for review, 1 of them flagged</span>" in html
    assert "There is no queue" in html
    assert html.index("Ann") < html.index("Bob") < html.index("Cleo")
    studio.test.segmented_control(key="team_unit").set_value("By annotations").run()
    studio.checked()
    press(studio, "team_to_review")
    assert shown(studio) == made[1][1]


def test_agreement_says_what_is_undefined_and_shows_where_two_differ(studio: Studio, made: Made) -> None:
    project, ids = made
    part(studio, "agreement", project)
    assert "it compares two people, here are 3; see them pair by pair" in studio.html
    assert "44%" in studio.html
    frame = studio.frame("Ann")
    assert list(frame.columns) == ["Ann", "Bob", "Cleo", "rule set"]
    assert frame.loc["Ann", "Bob"] == pytest.approx(2 / 3)
    studio.test.toggle(key="team_rules").set_value(True).run()
    studio.checked()
    assert "rule to_place" in studio.frame("Ann").columns


def test_one_decision_after_the_other(studio: Studio, made: Made, store: Store) -> None:
    project, ids = made
    part(studio, "review", project)
    assert shown(studio) == ids[1]
    # People are even; the rules say baggage, so Enter takes that.
    assert studio.test.button(key=f"review_take_{ids[1]}").label == "Choose baggage"
    press(studio, f"review_side_0_{ids[1]}")
    assert (get_text(store, ids[1]).label, get_text(store, ids[1]).decided) == ("flight", True)
    assert shown(studio) == ids[2]
    # It stands above another text, so it names its own; that is gone with the next key, though it decides nothing.
    assert "Adjudicated: flight, for “my bag is lost on the flight”." in studio.html
    press(studio, "review_undo")
    assert shown(studio) == ids[1]
    assert get_text(store, ids[1]).label == "baggage"
    press(studio, f"review_take_{ids[1]}")
    press(studio, f"review_later_{ids[2]}")
    assert shown(studio) == ids[5]
    assert "=unclear" in studio.html
    # Nobody has annotated it, so what the data and the rules say can be taken.
    assert '<span class="re2-muted">imported</span>' in studio.html
    assert studio.test.button(key=f"review_take_{ids[5]}").label == "Choose baggage"
    press(studio, f"review_side_0_{ids[5]}")
    assert "You postponed 1 text." in studio.html
    press(studio, "review_again")
    assert shown(studio) == ids[2]
    press(studio, f"review_take_{ids[2]}")
    assert "All texts for review are adjudicated." in studio.html
    assert [get_text(store, text_id).label for text_id in ids] == [
        "flight", "baggage", "baggage", "flight", "flight", "baggage", None,
    ]  # fmt: skip
    assert verify_store(store) == ()


def test_what_others_say_meanwhile_is_told(studio: Studio, made: Made, store: Store) -> None:
    project, ids = made
    part(studio, "review", project)
    record_label(store, ids[1], "flight", "Cleo")
    press(studio, f"review_side_0_{ids[1]}")
    assert "a moment ago, so nothing was stored" in studio.messages
    assert list_events(store, project.id, kinds=(DECISION,)) == ()
    press(studio, f"review_side_0_{ids[1]}")  # looked at again
    assert get_text(store, ids[1]).decided


def test_any_text_can_be_asked_for(studio: Studio, made: Made, store: Store) -> None:
    project, ids = made
    part(studio, "review", project)
    desk = studio.test.session_state[f"_review_{project.id}"]
    desk.text_ids, desk.at, desk.asked = [ids[0], *desk.text_ids], 0, {ids[0]}
    studio.test.run()
    assert shown(studio) == ids[0]
    assert "You selected it." in studio.html
    press(studio, f"review_label_2_{ids[0]}")
    assert (get_text(store, ids[0]).label, get_text(store, ids[0]).decided) == ("baggage", True)
    assert shown(studio) == ids[1]


def test_annotators_look_on_and_choose_no_policy(
    studio: Studio, made: Made, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, ids = made
    monkeypatch.setattr("re2nn_core.services.team.annotations.role_of_person", lambda store, person: "annotator")
    monkeypatch.setattr(
        "pages._shared.session.access.why_not", lambda role: None if role == "annotator" else "No permission."
    )
    part(studio, "review", project)
    assert "Reviewers and owners adjudicate." in studio.html
    assert studio.test.button(key=f"review_side_0_{ids[1]}").disabled
    part(studio, "policy", project)
    assert "Owners of the project set this policy." in studio.html
    open_queue(store, project.id, ids, overlap=2, blind=True)
    for name in ("agreement", "review", "activity"):
        assert "The queue is blind" in part(studio, name, project).html


def test_the_policy_is_chosen_and_fine_tune_tells_what_waits(studio: Studio, made: Made, store: Store) -> None:
    project, _ = made
    part(studio, "policy", project)
    radio = studio.test.radio(key=f"team_policy_{project.id}_every")
    radio.set_value("agreed").run()
    assert "<b>3</b> <span>texts wait for review</span>" in studio.html
    press(studio, "team_policy_save")
    assert get_project(store, project.id).policy == "agreed"
    studio.open("train", project=project.id)
    assert "3 texts are not used yet: training labels are labels that are agreed or adjudicated." in studio.html


def test_the_log_is_filtered_and_paged(studio: Studio, made: Made, store: Store) -> None:
    project, ids = made
    for number in range(60):
        record_label(store, ids[6], f"label {number}", "Eve")
    part(studio, "activity", project)
    assert len(studio.frame("words")) == 50
    press(studio, "team_log_older")
    assert "page 2" in studio.html
    assert len(studio.frame("words")) == 22
    studio.test.text_input(key="team_log_text").set_value("3").run()
    studio.checked()
    assert list(studio.frame("words")["words"]) == [
        "Cleo labelled text 3 as flight; Bob had baggage",
        "Bob labelled text 3 as baggage; as Ann annotated",
        "Ann labelled text 3 as baggage",
    ]
    studio.test.text_input(key="team_log_text").set_value("no such text").run()
    assert "No such activity." in studio.html


def test_slots(studio: Studio, store: Store) -> None:
    project = annotated_project(store)
    first, *_ = texts_of(store, project.id)
    record_label(store, first.id, '[[7,11,"to_city"]]', "Ann")
    record_label(store, first.id, "[]", "Bob")
    for name in PARTS:
        part(studio, name, project)
    part(studio, "review", project)
    assert shown(studio) == first.id
    assert "no span" in studio.html
    marks = studio.test.text_area(key=f"review_marks_{first.id}")
    assert marks.value == "3-3 to_city  oslo"
    marks.input("9-9 to_city").run()
    press(studio, f"review_own_{first.id}")
    assert "There is no word 9" in "".join(box.value for box in studio.test.error)
    studio.test.text_area(key=f"review_marks_{first.id}").input("1-1 verb\n3-3 to_city").run()
    press(studio, f"review_own_{first.id}")
    assert get_text(store, first.id).label == '[[0,3,"verb"],[7,11,"to_city"]]'
    assert get_text(store, first.id).decided


def test_names_and_notes_are_text(studio: Studio, store: Store) -> None:
    project = small_project(store)
    [text, *_] = texts_of(store, project.id)
    record_label(store, text.id, "<b>x</b>", "<i>Ann</i>")
    record_label(store, text.id, "y", "*Bob*")
    for name in PARTS:
        html = part(studio, name, project).html
        assert "<i>Ann</i>" not in html
        assert "<b>x</b>" not in html
    st.cache_resource.clear()


def test_enter_without_a_majority_says_why_and_which_keys_decide(studio: Studio, store: Store, made: Made) -> None:
    project, ids = made
    record_label(store, ids[4], "fare", "Bob")
    record_label(store, ids[4], "baggage", "Cleo")
    record_label(store, ids[2], "flight", "Dora")
    part(studio, "review", project)
    press(studio, f"review_side_0_{ids[1]}")
    press(studio, f"review_take_{ids[2]}")
    enter = studio.test.button(key=f"review_take_{shown(studio)}")
    while enter.label != "There is no majority":
        press(studio, f"review_later_{shown(studio)}")
        enter = studio.test.button(key=f"review_take_{shown(studio)}")
    before = list_events(store, project.id, kinds=(DECISION,))
    press(studio, enter.key)
    assert "There is no majority, so Enter is disabled: A" in studio.html
    assert "chooses an annotation, a digit chooses a label, S postpones." in studio.html
    assert "Decided:" not in studio.html
    assert list_events(store, project.id, kinds=(DECISION,)) == before


def test_where_decided_labels_alone_train_all_that_waits_can_be_decided(
    studio: Studio, store: Store, made: Made
) -> None:
    project, ids = made
    set_policy(store, project.id, Policy("decided"))
    part(studio, "policy", project)
    assert "2 texts without disagreement can be confirmed in Review" in studio.html
    assert studio.test.button(key="team_policy_review").label == "Review 5 texts"
    assert "wait for review, 1 of them flagged, 2 to be confirmed" in part(studio, "progress", project).html
    part(studio, "review", project)
    offered = [block.proto.popover.label for block in studio.test.get("popover")]
    assert offered[-2:] == [
        "Confirm the one text on which annotators agree",
        "Confirm the one text with one annotation",
    ]
    for _ in range(3):
        press(studio, f"review_label_1_{shown(studio)}")
    # Behind those on which people differ; Enter confirms.
    assert shown(studio) == ids[0]
    assert "Annotators agree. The label is used for training once a reviewer confirms it." in studio.html
    assert studio.test.button(key=f"review_take_{ids[0]}").label == "Confirm flight"
    press(studio, f"review_take_{ids[0]}")
    assert (get_text(store, ids[0]).decided, shown(studio)) == (True, ids[4])
    assert "One annotation. It is used for training once a reviewer confirms it." in studio.html
    press(studio, "review_undo")
    assert shown(studio) == ids[0]
    press(studio, "review_confirm_alone")
    press(studio, "review_confirm_agreed")
    assert "1 text was confirmed; press U to undo." in studio.html
    assert "All texts for review are adjudicated." in studio.html
    assert all(get_text(store, ids[place]).decided for place in (0, 4))
    press(studio, "review_undo")
    assert (get_text(store, ids[0]).decided, shown(studio)) == (False, ids[0])
    studio.open("train", project=project.id)
    assert "1 text is not used yet: training labels are only adjudicated labels. They need a review." in studio.html
    log = part(studio, "activity", project).frame("words")["words"]
    assert "analyst confirmed text 5: flight, as Ann annotated together with others" in list(log)
