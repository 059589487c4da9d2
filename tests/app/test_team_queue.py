"""The page Label over a team's queue: who gets what, keys, undo, flags, lost texts, and the queue's own settings."""

from __future__ import annotations

from datetime import timedelta

import pytest
from app_studio import Studio
from finished_run import learnable_project, plant_a_change
from sqlalchemy import update

from re2nn_core.services.activity import Wanted, read_log
from re2nn_core.services.batch import answer_texts
from re2nn_core.services.gone_people import gone_with_texts, told_gone, who_can_help
from re2nn_core.services.readback import kept_readback, read_back
from re2nn_core.services.runs import bundle_of
from re2nn_core.services.systems import read_system
from re2nn_core.store import (
    ProjectRecord,
    RunRecord,
    Store,
    add_account,
    close_queue,
    count_queue,
    create_project,
    decide,
    flag,
    flagged_texts,
    get_queue,
    get_text,
    judgements,
    leases_of,
    list_events,
    open_queue,
    save,
    save_version,
    shut_account,
    texts_of,
)
from re2nn_core.store.checks import now
from re2nn_core.store.schema import SeatRow
from re2nn_core.text.corpus import Corpus, Example

RULES = "[travel]\nall := $* boston $*\n"


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    """Six texts that nobody has labelled, behind 64 with a label."""
    return learnable_project(store, unlabelled=6)


@pytest.fixture
def ids(store: Store, project: ProjectRecord) -> list[int]:
    """The texts without a label."""
    return [record.id for record in texts_of(store, project.id) if record.label is None]


def person(name: str, project: ProjectRecord) -> Studio:
    """A session of this person, on the page Label."""
    studio = Studio()
    studio.test.query_params["person"] = name
    studio.open("label", project=project.id)
    return studio


def shown(studio: Studio) -> int:
    [accept] = [button for button in studio.test.button if (button.key or "").startswith("label_accept_")]
    return int(accept.key.rsplit("_", 1)[1])


def press(studio: Studio, key: str) -> None:
    studio.test.button(key=key).click().run()
    studio.checked()


def say(studio: Studio, what: str) -> int:
    """Press accept, skip or flag on the text that is shown; its id."""
    text_id = shown(studio)
    press(studio, f"label_{what}_{text_id}")
    return text_id


def let_time_pass(store: Store, text_id: int) -> None:
    with store.writing() as connection:
        over = update(SeatRow).where(SeatRow.text_id == text_id, SeatRow.held_until.is_not(None))
        connection.execute(over.values(held_until=now() - timedelta(seconds=1)))


def test_without_a_queue_the_page_says_that_one_can_be_opened(project: ProjectRecord) -> None:
    studio = person("Ann", project)
    assert "No team queue is open. Open one above (Team queue)" in studio.html
    assert shown(studio)


def test_texts_are_given_to_names(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    studio = Studio()
    studio.open("label", project=project.id)
    assert "It gives texts to people by name: say above who you are." in studio.html
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
    assert "of 6 judgements" in ann.html


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
        ids[2::-1], ("The flag was taken back.", "It is yours again.", "Your label was taken back."), strict=True
    ):
        press(after, "label_undo")
        assert shown(after) == text_id
        assert sentence in after.html
    assert judgements(store, project.id) == {}
    press(after, "label_undo")
    assert "There is nothing of yours to undo." in after.html
    # What was taken back comes first, and nothing new is held meanwhile.
    assert {say(after, "accept") for _ in range(4)} == set(ids[:4])


def test_skipped_texts_go_to_others(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:1])
    ann = person("Ann", project)
    say(ann, "skip")
    assert "Nothing waits for you in the team’s queue." in ann.html
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
    assert "<b>Ann</b> flagged it" in bob.html
    say(bob, "accept")
    assert flagged_texts(store, project.id) == ()
    assert get_text(store, text_id).annotator == "Bob"
    assert "No text is flagged." in bob.html


def test_a_flagged_text_is_given_back(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:2])
    flag(store, ids[0], "Ann")
    flag(store, ids[1], "Ann", "why?")
    bob = person("Bob", project)
    assert "Nothing waits for you" in bob.html
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
    assert "It is flagged again." in bob.html
    assert [(text.id, who, note) for text, who, note in flagged_texts(store, project.id)] == [(ids[0], "Ann", "why?")]
    assert shown(bob) == ids[0]
    assert "<b>Ann</b> flagged it" in bob.html
    say(bob, "accept")
    assert flagged_texts(store, project.id) == ()
    press(bob, "label_undo")
    assert "Your label was taken back; it is flagged again." in bob.html
    assert shown(bob) == ids[0]
    assert get_text(store, ids[0]).annotator is None
    press(bob, "label_undo")
    assert "There is nothing of yours to undo." in bob.html
    words = [line.words for line in read_log(store, project, Wanted(("flags and skips",)))]
    assert words == [
        "Bob settled with a label text 65, which Ann had put aside",
        "Bob gave back text 65, which Ann had put aside",
        "Ann put text 65 aside: why?",
    ]


def test_blind_shows_neither_what_others_said_nor_who(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    for blind in (False, True):
        open_queue(store, project.id, ids[:1], overlap=2, blind=blind)
        if not blind:
            save(store, ids[0], "money", "Zoe")
        ann = person("Ann", project)
        assert shown(ann) == ids[0]
        assert ("Zoe" in ann.html) is not blind
        assert "Accept travel" in ann.test.button(key=f"label_accept_{ids[0]}").label or not blind
        assert ("blind: nobody sees what others said, nor labels of the data" in ann.html) is blind
        assert "2 people judge each text" in ann.html


def test_a_lost_text_is_told_and_the_next_one_comes(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids[:2])
    ann = person("Ann", project)
    let_time_pass(store, ids[0])
    assert shown(person("Bob", project)) == ids[0]
    say(ann, "accept")
    assert "Your time for this text ran out, and Bob has it now. Nothing was stored." in ann.messages
    assert "You had chosen travel." in ann.messages
    assert shown(ann) == ids[1]
    assert judgements(store, project.id) == {}


def test_a_queue_closed_under_ones_hands_loses_nothing(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, ids)
    ann = person("Ann", project)
    text_id = shown(ann)
    close_queue(store, project.id, person="Bob")
    press(ann, f"label_accept_{text_id}")
    assert get_text(store, text_id).annotator == "Ann"
    assert "travel was saved. The queue was closed meanwhile." in ann.html
    assert "No team queue is open." in ann.html


def test_the_same_text_is_labelled_everywhere(store: Store, ids: list[int]) -> None:
    made = create_project(
        store, name="Twins", examples=Corpus(tuple(Example(text) for text in ("hi", "yes", "hi", "hi"))),
        rules_text="[greeting]\nhi\n", logic_text="", author="tester",
    )  # fmt: skip
    texts = [record.id for record in texts_of(store, made.id)]
    open_queue(store, made.id, texts)
    ann = person("Ann", made)
    press(ann, f"label_same_{texts[0]}")
    assert "greeting was saved for 3 texts; U takes all of them back." in ann.html
    assert [get_text(store, text_id).label for text_id in texts] == ["greeting", None, "greeting", "greeting"]
    assert shown(ann) == texts[1]
    press(ann, "label_undo")
    assert judgements(store, made.id) == {}


def test_many_are_accepted_after_a_look_and_taken_back_at_once(
    store: Store, project: ProjectRecord, ids: list[int]
) -> None:
    open_queue(store, project.id, ids)
    ann = person("Ann", project)
    ann.test.segmented_control(key="label_team_way").set_value("Many at once").run()
    ann.test.segmented_control(key="bulk_kind").set_value("by a label").run()
    ann.checked()
    accept = ann.test.button(key="bulk_accept")
    count = int(accept.label.split()[2])
    press(ann, "bulk_accept")
    assert f"{count} answers were saved; U takes all of them back." in ann.html
    assert len(judgements(store, project.id)) == count
    press(ann, "label_undo")
    assert judgements(store, project.id) == {}
    assert f"{count} labels were taken back." in ann.html


def test_a_queue_is_opened_seen_changed_and_closed(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    ann = person("Ann", project)
    ann.test.segmented_control(key="label_way").set_value("Team queue").run()
    assert "6 texts, 1 judgement each, 6 to do" in ann.html
    ann.test.number_input(key="queue_overlap").set_value(2).run()
    ann.test.multiselect(key="queue_people").set_value(["Ann", "Bob", "Cleo"]).run()
    ann.test.toggle(key="queue_blind").set_value(True).run()
    assert "6 texts, 2 judgements each, 12 to do, 4 for each of 3 people" in ann.html
    assert "Nobody called Bob or Cleo has been here yet, so their texts would wait for ever." in ann.html
    assert "Known here: tester, Ann." in ann.html
    assert ann.test.button(key="queue_open").disabled
    ann.test.checkbox(key="queue_newcomers").check().run()
    assert "those texts wait until somebody works under exactly that name" in ann.html
    press(ann, "queue_open")
    queue = get_queue(store, project.id)
    assert queue is not None
    assert (queue.overlap, queue.blind, queue.shared, queue.lease_seconds) == (2, True, True, 600)
    assert shown(ann) in ids
    assert (list_events(store, project.id, kinds=("queue",))[0].data or {})["share_with"] == ["Ann", "Bob", "Cleo"]
    say(ann, "accept")
    ann.test.segmented_control(key="label_team_way").set_value("Team queue").run()
    assert "is open: 1 of 12 judgements done" in ann.html
    press(ann, "queue_open")
    assert count_queue(store, project.id).done == 1
    press(ann, "queue_close")
    assert get_queue(store, project.id) is None
    assert len(judgements(store, project.id)) == 1


def test_people_who_cannot_be_are_told(project: ProjectRecord) -> None:
    ann = person("Ann", project)
    ann.test.segmented_control(key="label_way").set_value("Team queue").run()
    ann.test.number_input(key="queue_overlap").set_value(3).run()
    ann.test.multiselect(key="queue_people").set_value(["Ann"]).run()
    # That is no failure: it is said where the preview stands, without a heading of one.
    assert "3 people should judge each text, but they are shared out among 1. Name more people" in ann.html
    assert ann.messages == ""
    assert "did not work" not in ann.html


def test_decided_texts_stay_out_unless_they_are_asked_for(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    decide(store, ids[0], "travel", "Rita")
    ann = person("Ann", project)
    ann.test.segmented_control(key="label_way").set_value("Team queue").run()
    ann.test.segmented_control(key="queue_which").set_value("all").run()
    assert "69 texts, 1 judgement each, 69 to do" in ann.html
    assert "1 more are decided, and stay out." in ann.html
    ann.test.toggle(key="queue_decided").set_value(True).run()
    assert "70 texts, 1 judgement each, 70 to do" in ann.html
    press(ann, "queue_open")
    queue = get_queue(store, project.id)
    assert queue is not None
    assert queue.with_decided


def test_answers_that_a_network_or_a_reconstruction_altered_come_first(
    learnable: ProjectRecord, store: Store, run: RunRecord
) -> None:
    """Rules against another version, the newest network, and what was read out of it."""
    read_back(run, texts_of(store, learnable.id))
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
    now = answer_texts(system, None, [record.text for record in records])
    trained = answer_texts(system, bundle_of(run), [record.text for record in records])
    kept = kept_readback(run.folder)
    assert kept is not None
    rebuilt = kept.reconstruction
    read = read_system(rebuilt.rules_text, rebuilt.logic_text, learnable.tokenization)[0]
    learned = answer_texts(read, None, [record.text for record in records])
    for place, then in ((1, trained), (2, learned)):
        ann.test.selectbox(key="queue_since_False").select_index(place).run()
        moved = [record.id for record in records if then.answer(record.position) != now.answer(record.position)]
        assert 0 < len(moved) < len(records)
        assert f"{len(moved)} whose answer changed come first." in ann.html
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
    assert "This queue is shared out to Ann and Bob; 12 judgements wait for them. On Label, Team queue," in zoe.html
    assert "The queue is done." not in zoe.html


def test_many_at_once_says_what_it_means_for_the_queue(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    """Answers for texts that are shared out, or judged blind, are asked for once more; the figures are those after."""
    open_queue(store, project.id, ids, overlap=2, blind=True, share_with=["Ann", "Bob"])
    zoe = person("Zoe", project)
    zoe.test.segmented_control(key="label_team_way").set_value("Many at once").run()
    zoe.test.segmented_control(key="bulk_kind").set_value("by a label").run()
    zoe.checked()
    assert "Each answer counts as one of 2 judgements of its text." in zoe.html
    assert "The queue is shared out to Ann and Bob: your answer takes the place of a judgement of theirs." in zoe.html
    assert zoe.test.button(key="bulk_accept").disabled
    [sure] = [box for box in zoe.test.checkbox if (box.key or "").startswith("bulk_sure_")]
    sure.check().run()
    count = int(zoe.test.button(key="bulk_accept").label.split()[2])
    press(zoe, "bulk_accept")
    assert f"<b>{count}</b> <span>wait for more judgements" in zoe.html
    press(zoe, "label_undo")
    assert "<b>0</b> <span>wait for more judgements" in zoe.html


def team_queue(name: str, project: ProjectRecord, way: str = "label_team_way") -> Studio:
    """A session of this person that looks at the settings of the queue."""
    studio = person(name, project)
    studio.test.segmented_control(key=way).set_value("Team queue").run()
    return studio


def test_the_texts_of_an_open_queue_are_remembered_and_what_leaves_is_told(
    store: Store, project: ProjectRecord, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._shared.recent._AT_ONCE", -1.0)  # as where counting takes long
    ann = team_queue("Ann", project, "label_way")
    ann.test.segmented_control(key="queue_which").set_value("all").run()
    ann.test.selectbox(key="queue_order").set_value("first").run()
    ann.test.toggle(key="queue_blind").set_value(True).run()
    assert "Blind: nobody sees what others said, nor the label that a text came with" in ann.html
    press(ann, "queue_open")
    say(ann, "accept")
    # After a reload the panel stands as the queue was laid out, so laying out anew drops nothing.
    again = team_queue("Ann", project)
    assert again.test.segmented_control(key="queue_which").value == "all"
    assert again.test.selectbox(key="queue_order").value == "first"
    assert "leave the queue" not in again.html
    press(again, "queue_open")
    assert count_queue(store, project.id).waiting + count_queue(store, project.id).held == 69
    # Whoever takes fewer texts is told before, and head and panel then tell the same figures.
    again.test.segmented_control(key="queue_which").set_value("without a label").run()
    held = count_queue(store, project.id).held
    assert f"{64 - 1 - held} texts that wait leave the queue; the one judgement made in it stays." in again.html
    press(again, "queue_open")
    counts = count_queue(store, project.id)
    wanted = counts.done + counts.held + counts.waiting
    assert wanted < 70
    assert f"is open: 1 of {wanted} judgements done" in again.html
    assert f"of {wanted} judgements <" in again.html.replace("</span>", " <")
    again.test.segmented_control(key="label_team_way").set_value("One text").run()
    assert f"of {wanted} judgements <" in again.html.replace("</span>", " <")


def test_a_queue_of_chosen_texts_stays_one_of_these(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    open_queue(store, project.id, [*ids[:2], texts_of(store, project.id)[0].id])
    ann = team_queue("Ann", project)
    assert ann.test.segmented_control(key="queue_which").value == "those in it now"
    assert "2 texts, 1 judgement each, 2 to do" in ann.html  # and one is in Ann's hands
    assert "leave the queue" not in ann.html


def test_in_a_blind_queue_no_label_of_the_data_is_offered(store: Store, project: ProjectRecord) -> None:
    wrong = next(record for record in texts_of(store, project.id) if record.label not in (None, "travel"))
    for blind in (True, False):
        open_queue(store, project.id, [wrong.id], blind=blind)
        ann = person("Ann", project)
        accept = ann.test.button(key=f"label_accept_{wrong.id}").label
        assert ("no label yet" in ann.html) is blind
        assert ("in the data" in ann.html) is not blind
        assert (accept == f"Keep {wrong.label}") is not blind


def test_who_has_nothing_left_is_told_what_to_do(store: Store, project: ProjectRecord, ids: list[int]) -> None:
    for name, role in (("Rae", "owner"), ("Bob", "annotator"), ("Cid", "annotator")):
        add_account(store, name=name, role=role, password_hash="none", person="Rae")
    open_queue(store, project.id, ids, share_with=["Cid"])
    assert gone_with_texts(store, project.id) == {}
    shut_account(store, "Cid", person="Rae")
    assert gone_with_texts(store, project.id) == {"Cid": 6}
    assert told_gone({"Cid": 6}) == (
        "6 judgements wait for Cid, who has no account: nobody else gets these texts. On Label, Team queue, name "
        "others under “Share out to” and lay the queue out anew."
    )
    assert told_gone({}) == ""
    assert who_can_help(store, "Bob") == (
        "For more texts ask a reviewer or an owner (Rae): they lay the queue out anew."
    )
    assert who_can_help(store, "Rae").startswith("On Label, Team queue, name others")
