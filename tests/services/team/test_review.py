"""What waits for a reviewer, which labels train, how far a team is: on a project counted by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from support.projects.conflicts import Made

from re2nn_core.errors import ConflictError, InputError
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.services.team import review, training_labels
from re2nn_core.services.team.agreement import agreement
from re2nn_core.services.team.annotations import as_seen_by, may_see_annotations, team_annotations_of
from re2nn_core.services.team.raters import Rater, label_machines, label_matrix, people_of
from re2nn_core.services.team.review import LETTERS, adjudicate_case, case_of, confirm, texts_to_review, undo_decision
from re2nn_core.services.team.team_agreement import team_agreement
from re2nn_core.services.team.team_progress import (
    by_hundreds,
    label_progress,
    over_time,
    people_progress,
    seconds_between,
)
from re2nn_core.services.team.training_labels import choose_policy, labelled_material_of, training_texts
from re2nn_core.store import (
    Policy,
    Store,
    flag,
    get_project,
    latest_version,
    list_events,
    open_queue,
    record_decision,
    record_label,
    record_labels,
    set_policy,
    texts_of,
)


def refuse(*_: object) -> None:
    raise InputError("An annotator may not do this.")


def test_what_waits_and_why(store: Store, made: Made) -> None:
    project, ids = made
    assert texts_to_review(store, project.id) == {ids[1]: "differ", ids[2]: "differ", ids[5]: "flagged"}
    record_decision(store, ids[1], "flight", "Dora")
    record_decision(store, ids[5], "baggage", "Dora")
    assert texts_to_review(store, project.id) == {ids[2]: "differ"}
    # Said again after the decision: the same is no news, something else is.
    record_label(store, ids[1], "flight", "Cleo")
    assert texts_to_review(store, project.id) == {ids[2]: "differ"}
    record_label(store, ids[1], "baggage", "Bob")
    flag(store, ids[5], "Ann")
    assert texts_to_review(store, project.id) == {ids[1]: "reopened", ids[2]: "differ", ids[5]: "flagged"}


def test_a_case_tells_sides_and_what_most_say(store: Store, made: Made) -> None:
    _, ids = made
    case = case_of(store, ids[2])
    assert [(side.annotation, side.people) for side in case.sides] == [
        ("baggage", ("Ann", "Bob")),
        ("flight", ("Cleo",)),
    ]
    assert case.proposed() == "baggage"
    even = case_of(store, ids[1])
    assert [side.annotation for side in even.sides] == ["flight", "baggage"]
    assert even.proposed() is None
    assert even.proposed(["baggage", "fare", None]) == "baggage"
    assert even.proposed(["baggage", "flight"]) is None
    flagged = case_of(store, ids[5])
    assert (flagged.sides, flagged.flags, flagged.why, flagged.proposed(["baggage"])) == (
        (),
        (("Bob", "=unclear"),),
        "flagged",
        None,
    )
    assert "C" not in LETTERS


def test_reviewers_decide_and_take_back(store: Store, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    project, ids = made
    old = case_of(store, ids[1])
    adjudicate_case(store, old, "flight", "Dora")
    assert texts_to_review(store, project.id).keys() == {ids[2], ids[5]}
    with pytest.raises(ConflictError, match="a moment ago"):
        adjudicate_case(store, old, "baggage", "Eve")
    assert undo_decision(store, project.id, "Dora") == (ids[1],)
    assert undo_decision(store, project.id, "Dora") == ()
    assert ids[1] in texts_to_review(store, project.id)
    monkeypatch.setattr(review, "require_role", refuse)
    monkeypatch.setattr(training_labels, "require_role", refuse)
    for forbidden in (
        lambda: adjudicate_case(store, case_of(store, ids[1]), "flight", "Ann"),
        lambda: undo_decision(store, project.id, "Ann"),
        lambda: confirm(store, project.id, ids[:1], "Ann"),
        lambda: choose_policy(store, project.id, Policy("agreed"), "Ann"),
    ):
        with pytest.raises(InputError, match="may not"):
            forbidden()
    assert list_events(store, project.id, kinds=("policy",)) == ()


POLICIES = (
    # policy, the labels that train, which texts wait
    ("every", ["flight", "baggage", "flight", "flight", "flight", "baggage", None], []),
    ("agreed", ["flight", None, None, "flight", "flight", None, None], [1, 2, 5]),
    ("decided", [None, None, None, "flight", None, None, None], [0, 1, 2, 4, 5]),
    ("least:2", ["flight", None, "baggage", "flight", None, None, None], [1, 4, 5]),
    ("least:3", [None, None, None, "flight", None, None, None], [0, 1, 2, 4, 5]),
)


@pytest.mark.parametrize(("policy", "labels", "waiting"), POLICIES, ids=[case[0] for case in POLICIES])
def test_which_labels_train(
    store: Store, made: Made, policy: str, labels: list[str | None], waiting: list[int]
) -> None:
    project, ids = made
    kind, _, least = policy.partition(":")
    project = set_policy(store, project.id, Policy(kind, int(least or 2)))  # type: ignore[arg-type]
    material = labelled_material_of(store, project)
    assert [record.label for record in material.records] == labels
    assert list(material.waiting) == [ids[place] for place in waiting]
    # Whatever waits can be decided: nothing waits that Review does not list.
    assert {*material.waiting} <= texts_to_review(store, project.id).keys()
    assert training_texts(store, project.id) == material.records
    # What is decided trains in each case; the label in use stays what it was.
    record_decision(store, ids[1], "fare", "Dora")
    assert training_texts(store, project.id)[1].label == "fare"
    assert texts_of(store, project.id)[2].label == "flight"


def test_agreement_by_hand(store: Store, made: Made) -> None:
    project, _ = made
    annotated = team_annotations_of(store, project.id)
    found = agreement(annotated.table)
    assert (found.texts, found.annotations) == (3, 7)
    assert found.percent.value == pytest.approx((1 + 0 + 1 / 3) / 3)
    # Coincidences: 3 of 7 alike; by chance (4 * 3 + 3 * 2) / (7 * 6) = 3 / 7. So alpha is 0.
    assert found.alpha.value == pytest.approx(0)


def test_everybody_is_in_the_matrix(store: Store, made: Made) -> None:
    project, ids = made
    version = latest_version(store, project.id)
    system, _ = read_system(version.rules_text, version.logic_text, project.tokenization)
    texts = [text.text for text in texts_of(store, project.id)]
    annotations = system.predictions(texts)
    assert annotations == ["flight", "baggage", None, "flight", "flight", None, "baggage"]
    machines = label_machines(system, ids, system.matched(texts), annotations, ("run 1", ["flight"] * 7))
    matrix = label_matrix(people_of(team_annotations_of(store, project.id)) | machines)
    number = {rater.title: place for place, rater in enumerate(matrix.raters)}
    assert list(number) == [
        "Ann", "Bob", "Cleo", "rule set", "run 1", "rule fly", "rule to_place", "rule bag", "rule lost",
    ]  # fmt: skip

    def cell(one: str, other: str) -> tuple[int, float | None]:
        found = matrix.cell(number[one], number[other])
        assert found is not None
        return found.texts, found.percent.value

    assert cell("Ann", "Bob") == (3, pytest.approx(2 / 3))
    assert cell("Cleo", "Ann") == (1, 0.0)
    assert cell("Ann", "rule set") == (3, pytest.approx(2 / 3))
    assert cell("Ann", "rule to_place") == (2, 1.0)
    assert cell("Cleo", "rule lost") == (0, None)
    assert cell("rule bag", "rule to_place") == (1, 0.0)
    assert matrix.cell(0, 0) is None
    assert matrix.differing(Rater("person", "Ann"), Rater("rules", "")) == (ids[1],)
    assert matrix.differing(Rater("rules", ""), Rater("network", "run 1")) == (ids[1], ids[6])


def test_team_agreement_tells_all(store: Store, made: Made) -> None:
    project, _ = made
    found = team_agreement(store, project)
    assert found.annotated_by == {1: 1, 2: 2, 3: 1}
    assert list(found.labels) == ["baggage", "flight"]
    assert {(one, other) for one, other, _ in found.pairs} >= {("Ann", "Bob"), ("Ann", "rule set")}
    assert len(team_agreement(store, project, rules=False).pairs) == 3


def test_progress_of_people_and_labels(store: Store, made: Made) -> None:
    project, ids = made
    record_decision(store, ids[1], "flight", "Dora")
    annotated = team_annotations_of(store, project.id)
    people = {person.name: person for person in people_progress(annotated)}
    assert list(people) == ["Ann", "Bob", "Cleo", "Dora"]
    assert [(p.texts, p.flagged, p.decided) for p in people.values()] == [(4, 0, 0), (3, 1, 0), (1, 0, 0), (0, 0, 1)]
    # Settled: the first text by agreement, the second by decision.
    assert [(p.adjudicated, p.alike.value) for p in people.values()] == [(2, 1.0), (2, 0.5), (0, None), (0, None)]
    assert people["Cleo"].alike.why.startswith("none of their texts is adjudicated")
    found = label_progress(texts_of(store, project.id), annotated, slots=False)
    assert [(one.label, one.texts, one.annotated, one.adjudicated) for one in found] == [
        ("flight", 5, 4, 2),
        ("baggage", 1, 0, 0),
    ]
    unit, periods = over_time(annotated)
    assert unit == "hour"
    assert sum(sum(period.counts.values()) for period in periods) == 8
    assert sum(period.texts for period in periods) == 3
    [hundred] = by_hundreds(annotated)
    assert (hundred.name, hundred.counts, hundred.texts) == ("1 to 8", {"Ann": 4, "Bob": 3, "Cleo": 1}, 3)
    assert hundred.percent.value == pytest.approx(4 / 9)


def test_speed_leaves_breaks_and_bulk_out(store: Store, made: Made) -> None:
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    moments = [begin + timedelta(seconds=seconds) for seconds in (0, 4, 10, 5000, 5002)]
    assert seconds_between(moments) == 4.0
    assert seconds_between(moments[:1]) is None
    project, ids = made
    record_labels(store, [(text_id, "fare") for text_id in ids], "Finn", how="accepted")
    [finn] = [person for person in people_progress(team_annotations_of(store, project.id)) if person.name == "Finn"]
    assert (finn.texts, finn.seconds) == (7, None)


def test_who_labels_blind_sees_nothing_of_others(store: Store, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    project, ids = made
    assert may_see_annotations(store, project.id, "Ann")
    open_queue(store, project.id, ids, overlap=2, blind=True)
    assert may_see_annotations(store, project.id, "Ann")
    assert len(as_seen_by(store, project.id, "Ann", team_annotations_of(store, project.id)).people) > 1
    monkeypatch.setattr("re2nn_core.services.team.annotations.role_of_person", lambda store, person: "annotator")
    assert not may_see_annotations(store, project.id, "Ann")
    everybody = team_annotations_of(store, project.id)
    alone = as_seen_by(store, project.id, "Ann", everybody)
    assert alone.people == ("Ann",)
    assert alone.ratings == {"Ann": everybody.ratings["Ann"]}
    assert not alone.decisions
    assert [person.name for person in people_progress(alone)] == ["Ann"]
    assert get_project(store, project.id).policy == "every"


def test_what_nobody_differs_on_is_confirmed_where_decided_labels_alone_train(store: Store, made: Made) -> None:
    project, ids = made
    differ = {ids[1]: "differ", ids[2]: "differ", ids[5]: "flagged"}
    project = set_policy(store, project.id, Policy("decided"))
    # Behind those on which people differ.
    assert list(texts_to_review(store, project.id).items()) == [*differ.items(), (ids[0], "agreed"), (ids[4], "alone")]
    assert (case_of(store, ids[0]).why, case_of(store, ids[0]).proposed()) == ("agreed", "flight")
    assert case_of(store, ids[4]).why == "alone"
    assert confirm(store, project.id, [ids[0], ids[4]], "Dora") == (ids[0], ids[4])
    assert labelled_material_of(store, project).waiting == (ids[1], ids[2], ids[5])
    assert texts_to_review(store, project.id) == differ
    # One action: one undo takes all of it back.
    assert undo_decision(store, project.id, "Dora") == (ids[0], ids[4])
    assert texts_to_review(store, project.id).keys() == {*differ, ids[0], ids[4]}
    set_policy(store, project.id, Policy("agreed"))
    assert texts_to_review(store, project.id) == differ


def test_where_more_must_agree_what_too_few_judged_can_be_confirmed(store: Store, made: Made) -> None:
    project, ids = made
    project = set_policy(store, project.id, Policy("least", 2))
    assert texts_to_review(store, project.id)[ids[4]] == "alone"
    assert ids[0] not in texts_to_review(store, project.id)
    project = set_policy(store, project.id, Policy("least", 3))
    assert texts_to_review(store, project.id)[ids[0]] == "agreed"


def test_what_is_said_meanwhile_is_not_confirmed(store: Store, made: Made) -> None:
    project, ids = made
    set_policy(store, project.id, Policy("decided"))
    record_label(store, ids[4], "baggage", "Bob")  # behind the back of who confirms
    flag(store, ids[3], "Bob")
    assert confirm(store, project.id, [ids[0], ids[3], ids[4], ids[5], ids[6]], "Dora") == (ids[0],)
    assert texts_to_review(store, project.id)[ids[4]] == "differ"
    assert confirm(store, project.id, [ids[0]], "Dora") == ()
