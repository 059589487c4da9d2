"""The page Label over a team's queue: who gets what, keys, undo, flags, and lost texts."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update
from support.app.app_studio import Studio, small_project
from support.app.team_queue_steps import person, press, say, shown, six_texts, without_label

from pages._shared.cached import recent
from re2nn_core.services.annotation.queue_progress import queue_progress
from re2nn_core.services.team.activity import LogFilter, read_log
from re2nn_core.store import (
    ProjectRecord,
    Store,
    close_queue,
    create_project,
    flag,
    flagged_texts,
    get_text,
    given_annotations,
    leases_of,
    open_queue,
    save,
    texts_of,
)
from re2nn_core.store.checks import now
from re2nn_core.store.schema import SeatRow
from re2nn_core.text.corpus import Corpus, Example


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    return six_texts(store)


@pytest.fixture
def ids(store: Store, project: ProjectRecord) -> list[int]:
    return without_label(store, project)


def let_time_pass(store: Store, text_id: int) -> None:
    with store.writing() as connection:
        over = update(SeatRow).where(SeatRow.text_id == text_id, SeatRow.held_until.is_not(None))
        connection.execute(over.values(held_until=now() - timedelta(seconds=1)))


def test_who_can_open_a_queue_has_a_tab_for_it_and_no_sentence_about_it(project: ProjectRecord) -> None:
    studio = person("Ann", project)
    assert "No team queue is open" not in studio.html
    assert shown(studio)


def test_texts_are_given_to_names(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    studio = Studio()
    studio.open("label", project=project.id)
    assert "It assigns texts by name: enter your name above." in studio.html
    assert leases_of(store, project.id, "analyst") == ()
    press(studio, "label_name_no")
    assert shown(studio) == ids[0]


def test_two_people_get_texts_of_their_own(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    ann, bob = person("Ann", project), person("Bob", project)
    assert (shown(ann), shown(bob)) == (ids[0], ids[1])
    assert say(ann, "accept") == ids[0]
    assert "travel was saved." in ann.html
    assert shown(ann) == ids[2]
    assert (get_text(store, ids[0]).label, get_text(store, ids[0]).annotator) == ("travel", "Ann")
    assert "by you (Ann)" in ann.html
    assert "of 6 annotations" in ann.html


def test_the_text_in_hand_is_there_after_a_reload(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    first = shown(person("Ann", project))
    assert shown(person("Ann", project)) == first
    assert len(leases_of(store, project.id, "Ann")) == 1


def test_undo_goes_back_without_limit_and_after_a_reload(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    before = person("Ann", project)
    assert [say(before, what) for what in ("accept", "skip", "flag")] == ids[:3]
    after = person("Ann", project)
    for text_id, sentence in zip(
        ids[2::-1],
        ("The flag was removed.", "The text is assigned to you again.", "Your label was undone."),
        strict=True,
    ):
        press(after, "label_undo")
        assert shown(after) == text_id
        assert sentence in after.html
    assert given_annotations(store, project.id) == {}
    press(after, "label_undo")
    assert "You have nothing to undo." in after.html
    # What was taken back comes first, and nothing new is held meanwhile.
    assert {say(after, "accept") for _ in range(4)} == set(ids[:4])


def mine(studio: Studio) -> int:
    """What the line says of the person's own labels."""
    found = re.search(r"<b>(\d+)</b> <span>by you", studio.html)
    assert found is not None
    return int(found[1])


def test_what_i_did_is_counted_once_and_after_a_reload(
    store: Store, project: ProjectRecord, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where counting takes so long that its figures are kept a while, and whatever they were read with."""
    monkeypatch.setattr(recent, "_AT_ONCE", -1.0)
    monkeypatch.setattr(recent, "_LONGEST", 600.0)
    monkeypatch.setattr(recent, "_TIMES", 1e9)
    open_queue(store, project.id, ids)
    ann = person("Ann", project)
    for done in range(1, 4):
        say(ann, "accept")
        assert mine(ann) == done
    assert mine(person("Ann", project)) == 3
    # Figures that were begun before a label was saved and read after it: it is in both, and counts once.
    shelf = recent._shelf()
    [key] = [key for key in shelf.made if key[0] == "queue"]
    shelf.made[key] = replace(shelf.made[key], value=queue_progress(store, project.id))
    ann.test.run()
    assert mine(ann) == 3
    press(ann, "label_undo")
    assert mine(ann) == 2
    assert mine(person("Ann", project)) == 2
    say(ann, "accept")
    assert mine(ann) == 3


def test_skipped_texts_go_to_others(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:1])
    ann = person("Ann", project)
    say(ann, "skip")
    assert "No text is waiting for you in the team queue." in ann.html
    assert shown(person("Bob", project)) == ids[0]


def test_a_flag_carries_its_note_to_the_reviewer(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:3])
    ann = person("Ann", project)
    text_id = shown(ann)
    ann.test.text_input(key=f"label_note_{text_id}").set_value("two <b>things</b>").run()
    press(ann, f"label_flag_{text_id}")
    assert "Flagged for a reviewer." in ann.html
    assert [(text.id, who, note) for text, who, note in flagged_texts(store, project.id)] == [
        (text_id, "Ann", "two <b>things</b>")
    ]
    bob = person("Bob", project)
    bob.test.segmented_control(key="label_team_way").set_value("Flagged").run()
    assert shown(bob) == text_id
    assert "two &lt;b&gt;things&lt;/b&gt;" in bob.html
    assert "Flagged by <b>Ann</b>" in bob.html
    say(bob, "accept")
    assert flagged_texts(store, project.id) == ()
    assert get_text(store, text_id).annotator == "Bob"
    assert "No text is flagged." in bob.html


def test_a_flagged_text_is_given_back(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:2])
    flag(store, ids[0], "Ann")
    flag(store, ids[1], "Ann", "why?")
    bob = person("Bob", project)
    assert "No text is waiting for you" in bob.html
    assert "2 flagged" in bob.html
    bob.test.segmented_control(key="label_team_way").set_value("Flagged").run()
    assert shown(bob) == ids[0]
    assert "without a note" in bob.html
    press(bob, "label_next_flagged")
    assert shown(bob) == ids[1]
    press(bob, f"label_return_{ids[1]}")
    assert "Given back to the queue." in bob.html
    assert [text.id for text, _, _ in flagged_texts(store, project.id)] == [ids[0]]
    assert shown(person("Cleo", project)) == ids[1]


def test_giving_back_is_taken_back_by_undo(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    """The flag comes back, with its person and note, and the flagged text is shown again; so it is with a label."""
    open_queue(store, project.id, ids[:2])
    flag(store, ids[0], "Ann", "why?")
    bob = person("Bob", project)
    bob.test.segmented_control(key="label_team_way").set_value("Flagged").run()
    press(bob, f"label_return_{ids[0]}")
    assert flagged_texts(store, project.id) == ()
    press(bob, "label_undo")
    assert "The text is flagged again." in bob.html
    assert [(text.id, who, note) for text, who, note in flagged_texts(store, project.id)] == [(ids[0], "Ann", "why?")]
    assert shown(bob) == ids[0]
    assert "Flagged by <b>Ann</b>" in bob.html
    say(bob, "accept")
    assert flagged_texts(store, project.id) == ()
    press(bob, "label_undo")
    assert "Your label was undone; the text is flagged again." in bob.html
    assert shown(bob) == ids[0]
    assert get_text(store, ids[0]).annotator is None
    press(bob, "label_undo")
    assert "You have nothing to undo." in bob.html
    words = [line.words for line in read_log(store, project, LogFilter(("flags and skips",)))]
    assert words == [
        "Bob adjudicated text 65, which Ann had flagged",
        "Bob returned text 65, which Ann had flagged",
        "Ann flagged text 65: why?",
    ]


def test_blind_shows_neither_what_others_said_nor_who(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    for blind in (False, True):
        open_queue(store, project.id, ids[:1], overlap=2, blind=blind)
        if not blind:
            save(store, ids[0], "money", "Zoe")
        ann = person("Ann", project)
        assert shown(ann) == ids[0]
        assert ("Zoe" in ann.html) is not blind
        assert "Save: travel" in ann.test.button(key=f"label_accept_{ids[0]}").label or not blind
        assert ("blind: labels of others and imported labels are hidden" in ann.html) is blind
        assert "2 annotations per text" in ann.html


def test_a_lost_text_is_told_and_the_next_one_comes(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:2])
    ann = person("Ann", project)
    let_time_pass(store, ids[0])
    assert shown(person("Bob", project)) == ids[0]
    say(ann, "accept")
    assert "Your time for this text ran out, and Bob has it now. Nothing was stored." in ann.messages
    assert "You had chosen travel." in ann.messages
    assert shown(ann) == ids[1]
    assert given_annotations(store, project.id) == {}


def test_a_queue_closed_under_ones_hands_loses_nothing(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    ann = person("Ann", project)
    text_id = shown(ann)
    close_queue(store, project.id, person="Bob")
    press(ann, f"label_accept_{text_id}")
    assert get_text(store, text_id).annotator == "Ann"
    assert "travel was saved. The queue was closed meanwhile." in ann.html
    assert "No team queue is open" not in ann.html


def test_the_same_text_is_labelled_everywhere(store: Store, ids: list[int]) -> None:
    made = create_project(
        store, name="Twins", examples=Corpus(tuple(Example(text) for text in ("hi", "yes", "hi", "hi"))),
        rules_text="[greeting]\nhi\n", logic_text="", author="tester",
    )  # fmt: skip
    texts = [record.id for record in texts_of(store, made.id)]
    open_queue(store, made.id, texts)
    ann = person("Ann", made)
    press(ann, f"label_same_{texts[0]}")
    assert "greeting was saved for 3 texts; press U to undo." in ann.html
    assert [get_text(store, text_id).label for text_id in texts] == ["greeting", None, "greeting", "greeting"]
    assert shown(ann) == texts[1]
    press(ann, "label_undo")
    assert given_annotations(store, made.id) == {}


def test_many_are_accepted_after_a_look_and_taken_back_at_once(
    store: Store, project: ProjectRecord, ids: list[int]
) -> None:
    open_queue(store, project.id, ids)
    ann = person("Ann", project)
    ann.test.segmented_control(key="label_team_way").set_value("Many texts").run()
    ann.test.segmented_control(key="bulk_kind").set_value("by a label").run()
    ann.checked()
    accept = ann.test.button(key="bulk_accept")
    count = int(accept.label.split()[1])
    press(ann, "bulk_accept")
    assert f"{count} predictions were accepted; press U to undo all of them." in ann.html
    assert len(given_annotations(store, project.id)) == count
    press(ann, "label_undo")
    assert given_annotations(store, project.id) == {}
    assert f"{count} labels were undone." in ann.html


def test_many_at_once_says_what_it_means_for_the_queue(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    """Answers for texts that are shared out, or judged blind, are asked for once more; the figures are those after."""
    open_queue(store, project.id, ids, overlap=2, blind=True, share_with=["Ann", "Bob"])
    zoe = person("Zoe", project)
    zoe.test.segmented_control(key="label_team_way").set_value("Many texts").run()
    zoe.test.segmented_control(key="bulk_kind").set_value("by a label").run()
    zoe.checked()
    assert "Each accepted prediction counts as one of 2 annotations of its text." in zoe.html
    assert "The queue is assigned to Ann and Bob: your annotation replaces one of theirs." in zoe.html
    assert zoe.test.button(key="bulk_accept").disabled
    [confidence] = [box for box in zoe.test.checkbox if (box.key or "").startswith("bulk_sure_")]
    confidence.check().run()
    count = int(zoe.test.button(key="bulk_accept").label.split()[1])
    press(zoe, "bulk_accept")
    assert f"<b>{count}</b> <span>need another annotation" in zoe.html
    press(zoe, "label_undo")
    assert "<b>0</b> <span>need another annotation" in zoe.html


def test_in_a_blind_queue_no_label_of_the_data_is_offered(store: Store) -> None:
    project = small_project(store)
    wrong = next(record for record in texts_of(store, project.id) if record.text == "lost in paris")
    for blind in (True, False):
        open_queue(store, project.id, [wrong.id], blind=blind)
        ann = person("Ann", project)
        accept = ann.test.button(key=f"label_accept_{wrong.id}").label
        assert ("label hidden (blind)" in ann.html) is blind
        assert "no label yet" not in ann.html
        assert ("current label, imported" in ann.html) is not blind
        assert accept == ("Save: baggage" if blind else "Save: flight")
