"""What is pressed in the review of learned changes: decisions, undo and redo, edits, and words that are dropped."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from pages._compare.review import deciding
from pages._compare.review.deciding import Reviewing, act_on
from re2nn_core.services.rule_review.decisions import learned_change
from re2nn_core.services.values.rules import read_rules
from re2nn_core.store import ProjectRecord, Store, latest_version

# Every test has its own copy of the store with a finished run.
pytestmark = pytest.mark.usefixtures("filled")


class Browser:
    """The review's component, as its callback sees it: what was pressed, and the session."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, store: Store, project: ProjectRecord, person: str) -> None:
        rules = latest_version(store, project.id).rules_text
        learned = rules.replace("( price | fare )", "( price | fare | cost )").replace(
            "flights )", "flights | planes )"
        )
        sides = [{rule.name: rule.expanded for rule in read_rules(text).ruleset.rules} for text in (rules, learned)]
        changes = {name: learned_change(name, sides[0][name], sides[1][name]) for name in ("price", "go")}
        self.session: dict[str, object] = {}
        self.reported: list[str] = []
        self.sent: list[dict[str, object]] = []
        monkeypatch.setattr(deciding, "st", SimpleNamespace(session_state=self.session))
        monkeypatch.setattr(deciding, "store", lambda: store)
        monkeypatch.setattr(deciding, "state", SimpleNamespace(person=lambda: person))
        monkeypatch.setattr(deciding.access, "why_not", lambda _: None)
        monkeypatch.setattr(deciding.messages, "remember", lambda said, *_: self.reported.append(said))
        self.review = Reviewing(project.id, "here", changes, learned, rules, lowercase=True, person=person)
        self.store = store

    def press(self, kind: str, rule: str = "", text: str = "", **more: object) -> dict[str, str]:
        """What stands of each change after a press."""
        self.send(kind, rule, text, **more)
        return self.heard()

    def send(self, kind: str, rule: str = "", text: str = "", **more: object) -> None:
        """A press on its way."""
        act = {"kind": kind, "rule": rule, "text": text, "number": len(self.sent) + 1, **more}
        self.sent = [*self.sent, act]

    def heard(self) -> dict[str, str]:
        """What stands of each change when a run begins."""
        self.session["here"] = {"acts": self.sent}
        act_on(self.review, "here")()
        return decisions(self)


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch, store: Store, learnable: ProjectRecord) -> Browser:
    return Browser(monkeypatch, store, learnable, "Ann")


def test_presses_of_which_a_run_was_cut_off_are_heard_by_the_next(browser: Browser) -> None:
    """A decision was lost where somebody turned to another view at once."""
    browser.send("accepted", "price")
    browser.send("rejected", "go")
    assert browser.heard() == {"price": "accepted", "go": "rejected"}
    assert browser.heard() == {"price": "accepted", "go": "rejected"}  # once each
    assert browser.press("undo") == {"price": "accepted", "go": "open"}
    browser.sent = [*browser.sent[-1:], {"kind": "rejected"}, "other"]  # nothing of a browser is trusted
    assert browser.heard() == {"price": "accepted", "go": "open"}


class CutOff(dict[str, object]):
    """A session in which a run ends at the second access: the next run waits."""

    def get(self, key: str, default: object = None) -> object:
        found = super().get(key, default)
        self.clear()
        return found

    def __missing__(self, key: str) -> object:
        raise RuntimeError("the next run cuts this one off")

    def __setitem__(self, key: str, value: object) -> None:
        raise RuntimeError("the next run cuts this one off")


def test_what_is_heard_is_done_whole_though_the_next_run_cuts_this_one_off(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An undo was written and could not be redone, where somebody turned to another change at once."""
    browser.press("rejected", "go")
    browser.send("undo")
    monkeypatch.setattr(deciding, "st", SimpleNamespace(session_state=CutOff({"here": {"acts": browser.sent}})))
    monkeypatch.setattr(deciding, "state", SimpleNamespace())
    act_on(browser.review, "here")()
    assert [step.rule for step in browser.review.steps.undone] == ["go"]
    assert decisions(browser)["go"] == "open"


def decisions(browser: Browser) -> dict[str, str]:
    now = deciding.decisions_of(browser.store, browser.review.project_id, browser.review.changes.values())
    return {rule: decision.state.value for rule, decision in now.items()}


def test_undo_and_redo_go_through_the_reviewers_own_steps(browser: Browser) -> None:
    browser.press("accepted", "price")
    browser.press("rejected", "go")
    assert browser.press("undo") == {"price": "accepted", "go": "open"}
    assert browser.press("undo") == {"price": "open", "go": "open"}
    assert browser.press("undo") == {"price": "open", "go": "open"}
    assert browser.press("redo") == {"price": "accepted", "go": "open"}
    assert browser.press("redo") == {"price": "accepted", "go": "rejected"}
    assert browser.review.steps.done[-1].in_words == "rejected “go”"


def test_undo_leaves_what_somebody_else_decided_since(browser: Browser, store: Store) -> None:
    browser.press("accepted", "price")
    deciding.decide_changes(
        store,
        browser.review.project_id,
        [(browser.review.changes["price"], deciding.ChangeDecision(deciding.ReviewState.REJECTED))],
        "Bo",
    )
    assert browser.press("undo") == {"price": "rejected", "go": "open"}
    assert browser.reported == ["1 change stayed as it is: decided by Bo since."]


def test_an_edit_that_cannot_be_read_is_told_and_decides_nothing(browser: Browser) -> None:
    assert browser.press("edited", "price", "$* ( price | fare $*") == {"price": "open", "go": "open"}
    assert "Not changed. price:1:" in browser.review.messages["price"]
    assert "is never closed" in browser.review.messages["price"]
    assert browser.review.refused == {"price": "$* ( price | fare $*"}  # the page goes on with it
    assert browser.press("edited", "price", "$* ( price | fare ) $*")["price"] == "edited"
    assert browser.review.messages == browser.review.refused == {}


def test_a_press_of_an_annotator_or_of_another_page_decides_nothing(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = {"price": "open", "go": "open"}
    assert browser.press("merged", "price") == nothing
    assert browser.press("accepted", "gone") == nothing
    monkeypatch.setattr(deciding.access, "why_not", lambda _: "Ask an owner.")
    assert browser.press("accepted", "price") == nothing


def test_a_learned_word_is_dropped_by_a_click(browser: Browser, store: Store) -> None:
    browser.press("edited", "price", "$* ( price | fare | cost | costs ) $*")
    assert browser.press("drop", "price", words=["costs"])["price"] == "edited"
    decision = deciding.decisions_of(store, browser.review.project_id, browser.review.changes.values())["price"]
    assert decision.text == "$* ( price | fare | cost ) $*"
    assert browser.review.steps.done[-1].in_words == "dropped “costs” from “price”"
    # A newcomer dropped all common words of a new rule, and had rejected 130 cities.
    assert browser.press("drop", "price", words=["cost"])["price"] == "edited"
    message = "Without “cost” nothing of this change is left. To do without it, reject it."
    assert browser.review.messages == {"price": message}
    assert browser.press("drop", "gone", words=["cost"])["price"] == "edited"


def test_a_pattern_is_dropped_by_a_click(browser: Browser, store: Store) -> None:
    browser.press("edited", "price", "$* ( price $* of | price it | fare ) $*")
    assert browser.press("drop", "price", pattern="$* price $* of $*")["price"] == "edited"
    decision = deciding.decisions_of(store, browser.review.project_id, browser.review.changes.values())["price"]
    assert decision.text == "$* ( price it | fare ) $*"
    assert browser.review.steps.done[-1].in_words == "dropped “price … of” from “price”"
    browser.press("drop", "price", pattern="$* gone $*")
    assert "The rule has no such pattern any more" in browser.review.messages["price"]


def test_a_refused_word_is_matched_again(browser: Browser) -> None:
    written = browser.review.trained_on
    learned = written.replace("how much $*", "how much [^ fun water ]*")
    sides = [{rule.name: rule.expanded for rule in read_rules(text).ruleset.rules} for text in (written, learned)]
    change = learned_change("much", sides[0]["much"], sides[1]["much"])
    browser.review = replace(browser.review, changes={"much": change}, rules_text=learned)
    browser.sent = [{"kind": "drop", "rule": "much", "refused": ["fun"], "number": 1}]
    assert browser.heard() == {"much": "edited"}
    now = deciding.decisions_of(browser.store, browser.review.project_id, browser.review.changes.values())
    assert now["much"].text == "$* how much [^ water ]*"
    assert browser.review.steps.done[-1].in_words == "matched “fun” again in “much”"
    browser.sent = [*browser.sent, {"kind": "drop", "rule": "much", "refused": ["water"], "number": 2}]
    assert browser.heard() == {"much": "edited"}
    assert "With “water” nothing of this change is left" in browser.review.messages["much"]
    browser.sent = [*browser.sent, {"kind": "drop", "rule": "much", "refused": ["oslo"], "number": 3}]
    browser.heard()
    assert "much does not refuse “oslo”" in browser.review.messages["much"]


def test_an_edit_may_name_a_class_that_the_rule_is_shown_with(browser: Browser) -> None:
    """A class without a dropped word is in no rules but those shown; the edit was refused."""
    learned = browser.review.rules_text
    line = next(one for one in learned.splitlines() if one.startswith("price :="))
    shown = learned.replace(line, "@sum_2@=( cost | sum )\nprice := $* @sum_2@ $*")
    browser.review = replace(browser.review, shown_text=shown)
    assert browser.press("edited", "price", "$* ( price | @sum_2@ ) $*")["price"] == "edited"
