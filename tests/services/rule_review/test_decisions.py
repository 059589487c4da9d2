"""What is decided about learned changes: kept in the log, valid for later runs where nothing new is added."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.networks.small_system import LOGIC, RULES

from re2nn_core.errors import InputError, NotAllowedError, RuleError
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.read import read_rules
from re2nn_core.services.projects.archives import export_project, pack, unpack
from re2nn_core.services.projects.projects import import_archive
from re2nn_core.services.rule_review.decision_steps import DecisionStep, DecisionSteps, steps_of, still_stands
from re2nn_core.services.rule_review.decisions import (
    UNDECIDED,
    ChangeDecision,
    LearnedChange,
    ReviewState,
    decide_changes,
    decisions_of,
    learned_change,
)
from re2nn_core.services.rule_review.edited_rules import unreadable_edits, with_edited_rules
from re2nn_core.services.team.accounts import add_person
from re2nn_core.services.team.activity import LogFilter, read_log
from re2nn_core.store import (
    ProjectRecord,
    Store,
    create_project,
    get_project,
    newest_event_id,
    open_store,
    record_label,
    reviewed_behind,
    texts_of,
)
from re2nn_core.store.log.events import REVIEW_STATES
from re2nn_core.text.corpus import Corpus, Example

ACCEPTED, REJECTED, OPEN = ReviewState.ACCEPTED, ReviewState.REJECTED, ReviewState.OPEN


@pytest.fixture
def store(tmp_path: Path):
    with open_store(tmp_path / "re2nn.sqlite3") as opened:
        yield opened


@pytest.fixture
def project(store: Store) -> ProjectRecord:
    texts = Corpus((Example("a fare", "money"),))
    return create_project(store, name="One", examples=texts, rules_text=RULES, logic_text=LOGIC, author="Ann")


def change(after: str, before: str = "$* ( price | fare ) $*") -> LearnedChange:
    return learned_change("price", parse_expression(before), parse_expression(after))


COST, COST_ROME = change("$* ( price | fare | cost ) $*"), change("$* ( price | fare | cost | rome ) $*")
ROME = change("$* ( price | fare | rome ) $*")


def state(store: Store, project: ProjectRecord, one: LearnedChange) -> tuple[str, str, bool]:
    found = decisions_of(store, project.id, [one])["price"]
    return found.state.value, found.by, found.earlier


def test_a_change_is_known_by_what_it_makes_of_the_rule() -> None:
    assert (COST.added, COST.removed) == ({"cost"}, set())
    assert change("$* price $*").removed == {"fare"}
    assert COST.fingerprint != COST_ROME.fingerprint
    assert learned_change("price", None, parse_expression("$* cost $*")).added == {"cost", "any word"}


@pytest.mark.parametrize(
    ("decided", "asked", "expected"),
    [
        ([(COST, ACCEPTED)], COST, ("accepted", "Ann", False)),
        ([(COST, ACCEPTED)], COST_ROME, ("open", "", False)),
        ([(COST_ROME, ACCEPTED)], COST, ("open", "", False)),
        ([(COST, REJECTED)], COST, ("rejected", "Ann", False)),
        ([(COST_ROME, REJECTED)], COST, ("rejected", "Ann", True)),
        ([(COST, REJECTED)], COST_ROME, ("open", "", False)),
        ([(COST_ROME, REJECTED)], ROME, ("rejected", "Ann", True)),
        ([(COST_ROME, REJECTED), (COST, OPEN)], COST, ("open", "Ann", False)),
        ([(COST_ROME, REJECTED), (COST_ROME, OPEN)], COST, ("open", "", False)),
        ([(COST, ACCEPTED), (COST, REJECTED)], COST, ("rejected", "Ann", False)),
        ([], COST, ("open", "", False)),
    ],
)
def test_what_stands_of_a_change(store: Store, project: ProjectRecord, decided, asked, expected) -> None:
    for one, wanted in decided:
        decide_changes(store, project.id, [(one, ChangeDecision(wanted))], "Ann")
    assert state(store, project, asked) == expected


def test_decisions_of_another_rule_or_project_count_for_nothing(store: Store, project: ProjectRecord) -> None:
    other = LearnedChange("much", COST.fingerprint, COST.added)
    decide_changes(store, project.id, [(other, ChangeDecision(REJECTED))], "Ann")
    assert state(store, project, COST) == ("open", "", False)


def test_every_decision_can_be_told_from_the_one_before(store: Store, project: ProjectRecord) -> None:
    first = newest_event_id(store, project.id)
    record_label(store, texts_of(store, project.id)[0].id, "money", "Bo")
    assert not reviewed_behind(store, project.id, first)
    decide_changes(store, project.id, [(COST, ChangeDecision(ACCEPTED))], "Ann")
    assert reviewed_behind(store, project.id, first)
    assert not reviewed_behind(store, project.id, newest_event_id(store, project.id))
    decide_changes(store, project.id, [], "Ann")
    assert len(read_log(store, project, LogFilter(kinds=("reviews of changes",)))) == 1


def test_a_decision_leaves_texts_and_rules_as_they_are(store: Store, project: ProjectRecord) -> None:
    """What is kept of them would be measured again after each decision, which took seconds."""
    decide_changes(store, project.id, [(COST, ChangeDecision(ACCEPTED))], "Ann")
    assert get_project(store, project.id).updated_at == project.updated_at
    [text] = texts_of(store, project.id)
    record_label(store, text.id, "travel", "Ann")
    assert get_project(store, project.id).updated_at > project.updated_at


def test_the_log_says_who_decided_what(store: Store, project: ProjectRecord) -> None:
    much = LearnedChange("much", "x")
    decide_changes(store, project.id, [(COST, ChangeDecision(ACCEPTED)), (much, ChangeDecision(REJECTED))], "Ann")
    decide_changes(store, project.id, [(COST, ChangeDecision(OPEN))], "Bo")
    assert [line.words for line in read_log(store, project, LogFilter(kinds=("reviews of changes",)))] == [
        "Bo reopened the change of price",
        "Ann accepted the change of price; rejected the change of much",
    ]


def test_an_archive_keeps_decisions(store: Store, project: ProjectRecord) -> None:
    decide_changes(store, project.id, [(COST, ChangeDecision(ReviewState.EDITED, text="$* cost $*"))], "Ann")
    copy = import_archive(store, export_project(store, project.id), "Ann", name="Two")
    found = decisions_of(store, copy.id, [COST])["price"]
    assert (found.state, found.by, found.text) == (ReviewState.EDITED, "Ann", "$* cost $*")


ENTRY = {"rule": "price", "fingerprint": "x", "state": "open", "added": [], "removed": [], "text": ""}


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"decided": "price"},
        {"decided": [ENTRY], "more": 1},
        {"decided": [{**ENTRY, "added": [1]}]},
        {"decided": [{**ENTRY, "text": None}]},
        {"decided": [{"rule": "price"}]},
        {"decided": [{**ENTRY, "state": "merged"}]},
    ],
)
def test_an_archive_with_a_review_that_cannot_be_is_refused(store: Store, project: ProjectRecord, data) -> None:
    decide_changes(store, project.id, [(COST, ChangeDecision(ACCEPTED))], "Ann")
    files = unpack(export_project(store, project.id))
    lines = [json.loads(line) for line in files["history.jsonl"].splitlines()]
    next(line for line in lines if line["kind"] == "review")["data"] = data
    files["history.jsonl"] = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    with pytest.raises(InputError, match="is no review of changes. Export the project again."):
        import_archive(store, pack(files), "Ann", name="Two")


def test_the_store_knows_every_state() -> None:
    assert {state.value for state in ReviewState} == set(REVIEW_STATES)


def test_an_annotator_decides_nothing(store: Store, project: ProjectRecord) -> None:
    add_person(store, "Ann", "owner", person="")
    add_person(store, "Bob", "annotator", person="Ann")
    with pytest.raises(NotAllowedError, match="Bob may not review changes of rules"):
        decide_changes(store, project.id, [(COST, ChangeDecision(ACCEPTED))], "Bob")
    assert not reviewed_behind(store, project.id, 0)


def step(*decided: tuple[LearnedChange, ChangeDecision, ChangeDecision]) -> DecisionStep:
    return DecisionStep(decided, "a step")


def test_steps_go_back_and_forth_and_a_new_one_forgets_what_was_undone() -> None:
    first, second = (
        step((COST, UNDECIDED, ChangeDecision(ACCEPTED))),
        step((COST, ChangeDecision(ACCEPTED), ChangeDecision(REJECTED))),
    )
    steps = DecisionSteps().with_step(first).with_step(second)
    back, undone = steps.undo()
    assert (undone, back.done, back.undone) == (second, (first,), (second,))
    assert back.redo() == (steps, second)
    assert back.with_step(first).undone == ()
    with pytest.raises(IndexError):
        DecisionSteps().undo()


@pytest.mark.parametrize(
    ("now", "undo", "decided"),
    [
        (ChangeDecision(ACCEPTED, "Ann"), True, [OPEN]),
        (ChangeDecision(REJECTED, "Bo"), True, []),
        (ChangeDecision(ACCEPTED, "Ann"), False, []),
        (ChangeDecision(OPEN), False, [ACCEPTED]),
    ],
)
def test_a_step_moves_only_what_still_is_as_it_left_it(
    now: ChangeDecision, undo: bool, decided: list[ReviewState]
) -> None:
    one = step((COST, UNDECIDED, ChangeDecision(ACCEPTED)))
    assert [wanted.state for _, wanted in still_stands(one, {"price": now}, undo=undo)] == decided
    assert still_stands(one, {}, undo=undo) == ()


def test_an_edited_rule_stands_in_the_place_of_its_own() -> None:
    text = "@city@=( rome | oslo )\n[travel]\ngo := $* to @city@ $*  // everybody\nfly := fly\n"
    edited = with_edited_rules(text, {"go": "$* ( to | for ) @city@ $*", "gone": "x"}, lowercase=True)
    assert "go := $* ( to | for ) @city@ $*" in edited
    assert "// everybody" in edited
    rules = {rule.name: rule.expanded for rule in read_rules(edited).ruleset.rules}
    assert rules["go"] == parse_expression("$* ( to | for ) ( rome | oslo ) $*")
    assert rules["fly"] == parse_expression("fly")
    assert with_edited_rules(text, {}, lowercase=True) == text


def test_an_edit_that_fits_no_more_is_known() -> None:
    rules = "@city@=( rome | oslo )\n[travel]\ngo := $* to @city@ $*\nfly := fly\n"
    edited = {"go": "$* to @cities@ $*", "fly": "fly | flies"}
    assert unreadable_edits(rules, edited, lowercase=True) == {"go"}


@pytest.mark.parametrize(
    ("edited", "reported"),
    [
        ("$* ( to", "is never closed"),
        ("", "there is no expression here"),
        ("$* @nowhere@ $*", "There is no word class @nowhere@ that the rule go could use. Known classes: none."),
    ],
)
def test_an_edit_that_cannot_be_read_says_what_is_wrong(edited: str, reported: str) -> None:
    with pytest.raises((RuleError, InputError)) as error:
        with_edited_rules("[travel]\ngo := $* to $*\n", {"go": edited}, lowercase=True)
    assert reported in str(error.value)


def test_steps_of_an_earlier_session_can_be_undone(store: Store, project: ProjectRecord) -> None:
    """Of what stands in the log one's own alone, and what was undone then is no step any more."""
    for person, to in (("Bo", REJECTED), ("Ann", ACCEPTED), ("Ann", REJECTED), ("Ann", ACCEPTED)):
        decide_changes(store, project.id, [(COST, ChangeDecision(to))], person)

    def steps(person: str, one: LearnedChange = COST) -> list[tuple[str, str, str]]:
        found = steps_of(store, project.id, [one], person, lambda to, rules: f"{to.value} {rules[0]}")
        return [
            (before.state.value, after.state.value, s.in_words) for s in found.done for _, before, after in s.changes
        ]

    assert steps("Ann") == [("rejected", "accepted", "accepted price")]
    assert steps("Bo") == [("open", "rejected", "rejected price")]
    assert steps("Ann", ROME) == []


def test_steps_about_saved_changes_alone_are_no_longer_undone() -> None:
    """The page still offered to undo an accepted change that had been saved, and U then changed nothing on it."""
    price, much = change("$* cost $*"), replace(change("$* cost $*"), rule="much")
    accepted = ChangeDecision(ACCEPTED)
    one = DecisionStep(((price, UNDECIDED, accepted),), "accepted price")
    both = DecisionStep(((price, UNDECIDED, accepted), (much, UNDECIDED, accepted)), "accepted 2 changes")
    steps = DecisionSteps((one, both), (one,))
    assert steps.without({"price"}) == DecisionSteps((both,), ())
    assert steps.without(set()) == steps
