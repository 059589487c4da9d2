"""A team's queue: settings, preview, orders, roles, work on it, and many texts at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from app_studio import LOGIC, RULES, small_project
from slot_samples import RULES as SLOT_RULES
from slot_samples import marked_project

from re2nn_core.errors import ConflictError, InputError, LeaseLostError, NotFoundError, Re2nnError
from re2nn_core.services import bulk_accept, labelling, queue_work, team_queue
from re2nn_core.services.batch import Answered, answer_texts
from re2nn_core.services.bulk_accept import accept_hits, label_hits, slot_hits
from re2nn_core.services.labelling import proposed, why_in_queue
from re2nn_core.services.queue_progress import queue_progress
from re2nn_core.services.slot_answers import answer_slot_texts
from re2nn_core.services.slot_systems import read_slot_system
from re2nn_core.services.systems import read_system
from re2nn_core.services.team_queue import Preview, QueueSettings, end_queue, lay_texts, preview_queue, start_queue
from re2nn_core.store import (
    ProjectRecord,
    Store,
    TextRecord,
    add_account,
    add_texts,
    decide,
    flag,
    get_queue,
    get_text,
    judgements,
    lease_next,
    leases_of,
    open_queue,
    record_label,
    same_texts,
    save,
    texts_of,
)
from re2nn_core.text.corpus import Corpus, Example
from re2nn_core.text.tokenization import Tokenization


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    return small_project(store)


@pytest.fixture
def records(store: Store, project: ProjectRecord) -> tuple[TextRecord, ...]:
    return texts_of(store, project.id)


def answers(rules: str, records: tuple[TextRecord, ...], logic: str = "") -> Answered:
    return answer_texts(read_system(rules, logic, Tokenization())[0], None, [record.text for record in records])


@pytest.fixture
def answered(records: tuple[TextRecord, ...]) -> Answered:
    return answers(RULES, records, LOGIC)


class RefusedError(Re2nnError):
    """What a role is refused with in these tests."""


@pytest.fixture
def roles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann is an annotator, Rita a reviewer."""
    levels = {"Ann": 0, "Rita": 1}

    def require(store: Store, person: str, role: str, doing: str) -> None:
        if levels[person] < ("annotator", "reviewer", "owner").index(role):
            raise RefusedError(f"{person} may not {doing}.")

    for module in (bulk_accept, labelling, queue_work, team_queue):
        monkeypatch.setattr(module, "require_role", require)


@pytest.mark.parametrize(
    ("preview", "sentence"),
    [
        (Preview(312, 2, 624, (("A", 208), ("B", 208), ("C", 208))),
         "312 texts, 2 judgements each, 624 to do, 208 for each of 3 people"),
        (Preview(1, 1, 1), "1 text, 1 judgement each, 1 to do"),
        (Preview(5, 1, 5, (("A", 3), ("B", 2))), "5 texts, 1 judgement each, 5 to do, 2 or 3 for each of 2 people"),
        (Preview(5, 2, 7, (("A", 5), ("B", 2))), "5 texts, 2 judgements each, still 7 to do, 5 for A, 2 for B"),
        (Preview(4, 1, 4, (("A", 4),)), "4 texts, 1 judgement each, 4 to do, 4 for A"),
        (Preview(0, 2, 0), "No text waits for anybody: each has the judgements that you ask for."),
    ],
)  # fmt: skip
def test_a_preview_says_what_it_means(preview: Preview, sentence: str) -> None:
    assert preview.sentence == sentence


def test_only_texts_without_a_label_or_all(records: tuple[TextRecord, ...], answered: Answered) -> None:
    assert lay_texts(records, QueueSettings("first"), answered).text_ids == (records[7].id,)
    some = (records[4].id, records[2].id)
    assert lay_texts(records, QueueSettings("first", with_labelled=True, only=some), answered).text_ids == some[::-1]
    every = lay_texts(records, QueueSettings("first", with_labelled=True), answered).text_ids
    assert every == tuple(record.id for record in records)


def test_texts_that_people_judged_wait_for_further_judgements(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], answered: Answered
) -> None:
    record_label(store, records[7].id, "flight", "Ann")
    now = texts_of(store, project.id)
    settings = QueueSettings("first", overlap=2)
    laid = lay_texts(now, settings, answered)
    preview = preview_queue(store, project.id, "Rita", laid, settings)
    assert (preview.texts, preview.judgements) == (1, 1)
    assert "still 1 to do" in preview.sentence


def test_texts_whose_answer_changed_come_first(records: tuple[TextRecord, ...], answered: Answered) -> None:
    before = answers("[flight]\nfly := $* ( fly | flight ) $*\n", records)
    settings = QueueSettings("first", with_labelled=True, changed_first=True)
    laid = lay_texts(records, settings, answered, before)
    changed = [record.id for place, record in enumerate(records) if before.answer(place) != answered.answer(place)]
    assert 0 < len(changed) < len(records)
    assert list(laid.text_ids[: len(changed)]) == changed
    assert set(laid.changed) == set(changed)
    with pytest.raises(InputError, match="if you say what to compare with. Choose older rules, a network"):
        lay_texts(records, settings, answered)


def test_a_change_is_looked_for_between_the_answers_that_are_named(
    records: tuple[TextRecord, ...], answered: Answered
) -> None:
    """The rules against others, though a network gives the answers that people see."""
    rules = answers("[flight]\nfly := $* ( fly | flight ) $*\n", records)
    learned = answers("[flight]\nfly := $* ( fly | flight | to ) $*\n", records)
    settings = QueueSettings("first", with_labelled=True, changed_first=True)
    laid = lay_texts(records, settings, answered, learned, rules)
    moved = [r.id for r in records if "to" in r.text.split() and not {"fly", "flight"} & set(r.text.split())]
    assert list(laid.text_ids[: len(moved)]) == moved
    assert set(laid.changed) == set(moved) != set(lay_texts(records, settings, answered, learned).changed)
    by_version = lay_texts(records, replace(settings, order="versions", changed_first=False), answered, learned, rules)
    assert set(by_version.text_ids[: len(moved)]) == set(moved)


def test_opening_again_keeps_what_was_done(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], answered: Answered
) -> None:
    settings = QueueSettings("first", with_labelled=True)
    laid = lay_texts(records, settings, answered)
    assert start_queue(store, project.id, "Rita", laid, settings) == 8
    lease = lease_next(store, project.id, "Ann")
    assert lease is not None
    save(store, lease.text.id, "x", "Ann")
    assert start_queue(store, project.id, "Rita", laid, settings) == 6
    assert len(leases_of(store, project.id, "Ann")) == 1
    found = queue_progress(store, project.id)
    assert (found.done, found.wanted, found.held, found.of("Ann")) == (1, 8, 1, 1)
    end_queue(store, project.id, "Rita")
    assert get_queue(store, project.id) is None
    assert judgements(store, project.id) == {lease.text.id: {"Ann": "x"}}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (QueueSettings(overlap=0), "The overlap must be a whole number from 1 to 20 (got 0)."),
        (
            QueueSettings(overlap=2, share_with=("Ann",)),
            "2 people should judge each text, but they are shared out among",
        ),
        (QueueSettings(share_with=(" ",)), "is empty. Give it at least one character."),
        (QueueSettings(lease_minutes=0), "A lease lasts from 10 seconds to a week (got 0 seconds)."),
        (QueueSettings(order="soon"), "There is no order 'soon'. Choose one of uncertain"),  # type: ignore[arg-type]
    ],
)
def test_settings_that_cannot_be_are_told(
    store: Store,
    project: ProjectRecord,
    records: tuple[TextRecord, ...],
    answered: Answered,
    settings: QueueSettings,
    message: str,
) -> None:
    with pytest.raises(InputError) as told:
        start_queue(store, project.id, "Rita", lay_texts(records, settings, answered), settings)
    assert message in str(told.value)
    assert get_queue(store, project.id) is None


def test_nothing_to_give_out_is_told(store: Store, project: ProjectRecord, answered: Answered) -> None:
    with pytest.raises(InputError, match="No text waits for anybody, so there is nothing to give out."):
        start_queue(store, project.id, "Rita", team_queue.Laid(()), QueueSettings())


def test_people_nobody_has_seen_are_named(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], answered: Answered
) -> None:
    record_label(store, records[0].id, "flight", "Ann")
    settings = QueueSettings("first", with_labelled=True, share_with=("Ann", "Anne", "Rita"))
    laid = lay_texts(records, settings, answered)
    preview = preview_queue(store, project.id, "Rita", laid, settings)
    assert preview.unknown == ("Anne",)
    told = (
        "Nobody called Anne has been here yet, so their texts would wait for ever. Known here: Ann, tester, Rita. "
        "Did you mean Ann? Correct the name, or allow people who have not been here yet."
    )
    assert preview.refusal == told
    with pytest.raises(InputError) as refused:
        start_queue(store, project.id, "Rita", laid, settings)
    assert str(refused.value) == told
    assert get_queue(store, project.id) is None
    allowed = replace(settings, newcomers=True)
    preview = preview_queue(store, project.id, "Rita", laid, allowed)
    assert (preview.unknown, preview.refusal) == (("Anne",), "")
    assert start_queue(store, project.id, "Rita", laid, allowed) == 7


def test_who_was_ever_here_is_known_in_every_project(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], answered: Answered
) -> None:
    other = small_project(store, "Other")
    record_label(store, texts_of(store, other.id)[0].id, "flight", "Zoe")
    settings = QueueSettings("first", with_labelled=True, share_with=("Zoe",))
    assert preview_queue(store, project.id, "Rita", lay_texts(records, settings, answered), settings).unknown == ()


def test_where_people_have_accounts_nobody_else_can_come(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], answered: Answered
) -> None:
    record_label(store, records[0].id, "flight", "Zoe")  # before there were accounts
    for name in ("Ann", "Rita"):
        add_account(store, name=name, role="owner", password_hash="x", person="Rita")
    settings = QueueSettings("first", with_labelled=True, share_with=("Ann", "Zoe", "Hugo"), newcomers=True)
    with pytest.raises(InputError) as refused:
        start_queue(store, project.id, "Rita", lay_texts(records, settings, answered), settings)
    assert str(refused.value) == (
        "Nobody called Zoe or Hugo has an account, so their texts would wait for ever. Accounts here: Ann, Rita. "
        "Correct the name, or let an owner add them on Team, People."
    )
    settings = replace(settings, share_with=("Ann",))
    assert start_queue(store, project.id, "Rita", lay_texts(records, settings, answered), settings) == 7


def test_what_is_decided_is_left_out_unless_asked_for(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], answered: Answered
) -> None:
    decide(store, records[2].id, "flight", "Rita")
    settings = QueueSettings("first", with_labelled=True)
    laid = lay_texts(records, settings, answered)
    preview = preview_queue(store, project.id, "Rita", laid, settings)
    assert (preview.texts, preview.judgements, preview.decided) == (7, 7, 1)
    assert start_queue(store, project.id, "Rita", laid, settings) == 7
    every = replace(settings, with_decided=True)
    preview = preview_queue(store, project.id, "Rita", laid, every)
    assert (preview.texts, preview.judgements, preview.decided) == (8, 8, 0)
    assert start_queue(store, project.id, "Rita", laid, every) == 8
    queue = get_queue(store, project.id)
    assert queue is not None
    assert queue.with_decided
    only = team_queue.Laid((records[2].id,))
    with pytest.raises(InputError, match="a label as well, or those that a reviewer has decided, or ask for more"):
        start_queue(store, project.id, "Rita", only, QueueSettings())


def test_work_goes_on_where_it_was(store: Store, project: ProjectRecord, records: tuple[TextRecord, ...]) -> None:
    ids = [record.id for record in records]
    open_queue(store, project.id, ids)

    def hand(rather: int | None = None) -> int:
        lease = queue_work.in_hand(store, project.id, "Ann", rather=rather)
        assert lease is not None
        return lease.text.id

    assert hand() == hand() == ids[0]
    assert queue_work.decide(store, records[0], "flight", "Ann")
    queue_work.leave(store, ids[1], "Ann")
    queue_work.put_aside(store, ids[2], "Ann", "odd")
    assert hand() == ids[3]
    kinds = []
    while (undone := queue_work.take_back(store, project.id, "Ann")) is not None:
        kinds.append((undone.kind, undone.text_ids, undone.label))
        assert hand(undone.text_ids[0]) == undone.text_ids[0]
    assert kinds == [("flag", (ids[2],), ""), ("skip", (ids[1],), ""), ("label", (ids[0],), "flight")]
    assert {lease.text.id for lease in leases_of(store, project.id, "Ann")} == set(ids[:4])
    for _ in range(4):
        held = queue_work.in_hand(store, project.id, "Ann")
        assert held is not None
        queue_work.decide(store, held.text, "flight", "Ann")
    # What was in hand came first; only the last of them asked for a new text.
    assert {lease.text.id for lease in leases_of(store, project.id, "Ann")} == {ids[4]}


def test_a_closed_queue_is_told_and_the_label_kept(store: Store, project: ProjectRecord) -> None:
    record = texts_of(store, project.id)[0]
    open_queue(store, project.id, [record.id])
    queue_work.in_hand(store, project.id, "Ann")
    end_queue(store, project.id, "Rita")
    assert queue_work.decide(store, record, "flight", "Ann") is False
    assert get_text(store, record.id).annotator == "Ann"
    with pytest.raises(NotFoundError, match="This project has no queue."):
        queue_work.in_hand(store, project.id, "Ann")


def test_flagged_texts_come_once_each_the_oldest_first(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...]
) -> None:
    flag(store, records[1].id, "Ann", "first")
    flag(store, records[0].id, "Ann", "second")
    flag(store, records[1].id, "Bob", "third")
    found = queue_work.flagged(store, project.id, "Rita")
    assert {(one.text.id, one.person, one.note) for one in found} == {
        (records[1].id, "Bob", "third"),
        (records[0].id, "Ann", "second"),
    }
    queue_work.settle(store, records[1].id, "Rita", None)
    with pytest.raises(ConflictError, match="Somebody has settled this flag"):
        queue_work.settle(store, records[1].id, "Rita", "flight")
    assert len(queue_work.flagged(store, project.id, "Rita")) == 1


def test_the_same_text_is_labelled_where_it_waits(store: Store, project: ProjectRecord) -> None:
    add_texts(store, project.id, Corpus((Example("twin"),) * 4))
    twins = [record for record in texts_of(store, project.id) if record.text == "twin"]
    ids = [record.id for record in twins]
    open_queue(store, project.id, ids)
    lease_next(store, project.id, "Ann")
    lease_next(store, project.id, "Bob")
    got = queue_work.decide_same(store, twins[0], same_texts(store, ids[0]), "flight", "Ann")
    assert got == (ids[0], ids[2], ids[3])
    undone = queue_work.take_back(store, project.id, "Ann")
    assert undone is not None
    assert undone.text_ids == got
    assert undone.sentence == "3 labels were taken back."


def test_a_rule_decides_texts_that_get_its_label(
    store: Store, project: ProjectRecord, records: tuple[TextRecord, ...], answered: Answered
) -> None:
    open_queue(store, project.id, [record.id for record in records])
    hits = label_hits(store, project.id, "Rita", answered, rule="to_place")
    said = [p for p in range(8) if "to_place" in answered.deciding(p)]
    by_definition = [p for p in said if records[p].label in (None, answered.answer(p))]
    assert list(hits.places) == by_definition
    assert hits.answers == (("flight", len(by_definition)),)
    number = answered.system.rule_names.index("to_place")
    assert hits.others == int(answered.fired[:, number].sum()) - len(by_definition) > 0
    assert set(hits.sample()) == set(hits.places)
    lease = lease_next(store, project.id, "Ann")  # between the look and the acceptance
    assert lease is not None
    assert lease.text.id == records[by_definition[0]].id
    assert accept_hits(store, "Rita", hits, answered) == len(hits) - 1
    assert get_text(store, lease.text.id).annotator is None
    undone = queue_work.take_back(store, project.id, "Rita")
    assert undone is not None
    assert len(undone.text_ids) == len(hits) - 1


def test_texts_with_another_label_in_the_data_are_not_overwritten(store: Store, project: ProjectRecord) -> None:
    records = texts_of(store, project.id)
    answered = answers("[baggage]\nall := $* to $*\n", records)
    assert len(label_hits(store, project.id, "Rita", answered, label="baggage")) == 0
    open_queue(store, project.id, [record.id for record in records])
    hits = label_hits(store, project.id, "Rita", answered, label="baggage")
    assert [records[place].text for place in hits.places] == ["bags to rome"]
    assert hits.others == 3


def test_a_sample_is_ten_drawn_at_random(store: Store, project: ProjectRecord, answered: Answered) -> None:
    hits = bulk_accept.BulkHits(tuple(range(100)), {}, (), 0)
    assert len(hits.sample()) == 10
    assert hits.sample() == hits.sample()
    assert hits.sample(1) != hits.sample(2)
    assert set(hits.sample(3)) <= set(range(100))
    with pytest.raises(InputError, match="There is no rule 'nothing' in these rules. Choose one of: fly, to_place"):
        label_hits(store, project.id, "Rita", answered, rule="nothing")


def test_a_rule_decides_texts_whose_marks_it_has(store: Store) -> None:
    made = marked_project(store)
    records = texts_of(store, made.id)
    open_queue(store, made.id, [record.id for record in records])
    system = read_slot_system(SLOT_RULES, "", made.tokenization)[0]
    answered = answer_slot_texts(system, None, [record.text for record in records])
    for rule in system.rule_names:
        hits = slot_hits(store, made.id, "Rita", answered, rule=rule)
        alone = bulk_accept.marks_of_rule(answered, rule)
        hit = [p for p, spans in enumerate(alone) if spans]
        decided = [p for p in hit if set(alone[p]) <= set(answered.spans[p])]
        assert list(hits.places) == [p for p in decided if records[p].label in (None, answered.answer(p))]
        assert hits.others == len(hit) - len(hits)
    slot = answered.slots[0]
    hits = slot_hits(store, made.id, "Rita", answered, label=slot)
    assert accept_hits(store, "Rita", hits, answered) == len(hits) > 0
    for place in hits.places:
        assert get_text(store, records[place].id).label == answered.answer(place)


def test_what_another_said_is_no_proposal(records: tuple[TextRecord, ...], answered: Answered) -> None:
    by_bob = replace(records[7], label="strange", annotator="Bob")
    assert proposed(by_bob, answered, 7, "Ann") == answered.answer(7)
    assert proposed(by_bob, answered, 7, "Bob") == "strange"
    assert why_in_queue(answered, 7, by_bob, "Ann") == "Bob says strange; a further judgement is wanted."
    assert why_in_queue(answered, 7, records[7], "Ann") == "No rule matches it, so there is no answer yet."


Act = Callable[[Store, ProjectRecord, TextRecord, Answered, str], object]
REVIEWING: tuple[tuple[str, Act], ...] = (
    ("open a queue", lambda s, p, r, a, who: start_queue(s, p.id, who, team_queue.Laid((r.id,)), QueueSettings())),
    ("open a queue", lambda s, p, r, a, who: preview_queue(s, p.id, who, team_queue.Laid((r.id,)), QueueSettings())),
    ("close a queue", lambda s, p, r, a, who: end_queue(s, p.id, who)),
    ("settle flagged texts", lambda s, p, r, a, who: queue_work.flagged(s, p.id, who)),
    ("settle flagged texts", lambda s, p, r, a, who: queue_work.settle(s, r.id, who, "flight")),
    ("accept answers for many texts at once", lambda s, p, r, a, who: label_hits(s, p.id, who, a, label="flight")),
    ("accept answers for many texts at once", lambda s, p, r, a, who: labelling.judge_all(s, [(r.id, "x")], who)),
    ("accept answers for many texts at once",
     lambda s, p, r, a, who: accept_hits(s, who, bulk_accept.BulkHits((), {}, (), 0), a)),
)  # fmt: skip


@pytest.mark.parametrize(("doing", "act"), REVIEWING)
def test_annotators_are_refused_what_reviewers_may(
    store: Store, project: ProjectRecord, answered: Answered, roles: None, doing: str, act: Act
) -> None:
    record = texts_of(store, project.id)[0]
    flag(store, record.id, "Ann")
    with pytest.raises(RefusedError, match=f"Ann may not {doing}."):
        act(store, project, record, answered, "Ann")
    act(store, project, record, answered, "Rita")


def test_annotators_label_skip_flag_and_undo(store: Store, project: ProjectRecord, roles: None) -> None:
    ids = [record.id for record in texts_of(store, project.id)]
    open_queue(store, project.id, ids)
    queue_work.decide(store, texts_of(store, project.id)[0], "flight", "Ann")
    queue_work.leave(store, ids[1], "Ann")
    queue_work.put_aside(store, ids[2], "Ann")
    assert queue_work.take_back(store, project.id, "Ann") is not None


def test_a_text_that_others_have_is_lost(store: Store, project: ProjectRecord) -> None:
    record = texts_of(store, project.id)[0]
    open_queue(store, project.id, [record.id])
    lease_next(store, project.id, "Bob")
    with pytest.raises(LeaseLostError, match="and Bob has it now. Nothing was stored."):
        queue_work.decide(store, record, "flight", "Ann")
    with pytest.raises(LeaseLostError, match="Your time for this text ran out"):
        queue_work.hold(store, project.id, record.id, "Ann")
