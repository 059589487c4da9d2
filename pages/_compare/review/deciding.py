"""Decisions of the reviewer at the page: written to the project's log, with undo and redo of the reviewer's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.newest import STEPS
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape
from pages._shared.resources import store
from pages._shared.session import access, state
from re2nn_core.errors import Re2nnError
from re2nn_core.plots.review.listed_items import quoted
from re2nn_core.services.rule_review.decision_steps import DecisionStep, DecisionSteps, steps_of, still_stands
from re2nn_core.services.rule_review.decisions import (
    ChangeDecision,
    LearnedChange,
    ReviewState,
    decide_changes,
    decisions_of,
)
from re2nn_core.services.rule_review.dropped_words import (
    expression_matching_again,
    expression_without,
    expression_without_pattern,
)
from re2nn_core.services.rule_review.edited_rules import with_edited_rules, with_known_classes
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names, first_quoted

_VERBS = {
    ReviewState.ACCEPTED: "accepted",
    ReviewState.REJECTED: "rejected",
    ReviewState.EDITED: "edited",
    ReviewState.OPEN: "reopened",
}
_NAMED = 3
_DROPPED = ("Without {} nothing", "dropped {} from “{}”")


@dataclass(frozen=True)
class Reviewing:
    """Whose decisions are made about what: `changes` by rule, from the rules `trained_on` to the `rules_text`. `key`
    names the review in the session; the newest version has the `saved` changes. `person` decides. `shown_text`: the
    rules with what was edited of them.

    `memory` and `own` (what this reviewer did) are kept in the session and taken from it once: a run that the next one
    cuts off ends at an access to the session, which is to be before an act is heard or behind all that it does."""

    project_id: int
    key: str
    changes: Mapping[str, LearnedChange]
    rules_text: str
    trained_on: str
    lowercase: bool
    saved: frozenset[str] = frozenset()
    person: str = ""
    memory: dict[str, Any] = field(default_factory=dict)
    own: dict[str, Any] = field(default_factory=dict)
    shown_text: str = ""

    @property
    def steps(self) -> DecisionSteps:
        """What this reviewer did in this session, without what was saved since."""
        found: DecisionSteps = self.own.get("steps", DecisionSteps())
        return found.without(self.saved)

    @property
    def begun(self) -> bool:
        """Whether this session knows of steps already."""
        return "steps" in self.own

    def keep(self, steps: DecisionSteps) -> None:
        """Remember the steps."""
        self.own["steps"] = steps

    @property
    def messages(self) -> dict[str, str]:
        """What is said of a rule since the last action, as HTML."""
        found: dict[str, str] = self.memory.setdefault("messages", {})
        return found

    @property
    def refused(self) -> dict[str, str]:
        """Of a rule the edit that could not be read, to go on with it."""
        found: dict[str, str] = self.memory.setdefault("refused", {})
        return found

    @property
    def heard(self) -> float:
        """The number of the last act that was heard, 0 before the first."""
        number: float = self.memory.get("heard", 0)
        return number

    def unheard(self, acts: Sequence[Any]) -> list[Mapping[str, Any]]:
        """Those of some acts, in the order of their numbers, that come behind the last one that was heard; they are
        heard now."""
        last = self.heard
        numbered = (one for one in acts if isinstance(one, Mapping) and isinstance(one.get("number"), int | float))
        found = [one for one in numbered if one["number"] > last]
        if found:
            self.memory["heard"] = found[-1]["number"]
        return found

    def show(self, rule: str) -> None:
        """Let the review go to a rule."""
        number = self.memory.get("go", ("", 0))[1]
        self.memory["go"] = (rule, number + 1)

    @property
    def go(self) -> str:
        """Where the review is to go, and the number of the request; empty for nowhere."""
        rule, number = self.memory.get("go", ("", 0))
        return f"{rule}\x1f{number}" if number else ""


def reviewing_of(trial: AcceptedChanges[Any, Any, Any, Any], key: str) -> Reviewing:
    """The review of a comparison."""
    how, compared = trial.how, trial.compared
    changes = {name: how.learned(compared, name) for name in how.changed(compared)}
    lowercase = trial.project.tokenization.lowercase
    texts, shown = (compared.found.rules_text, compared.trained_on), trial.taken.found.rules_text
    memory = st.session_state.setdefault(f"_compare_heard_{key}", {})
    own = st.session_state.setdefault(f"{STEPS}{key}", {})
    saved, person = frozenset(trial.offered.there), state.person()
    review = Reviewing(trial.project.id, key, changes, *texts, lowercase, saved, person, memory, own, shown)
    if not review.begun:
        review.keep(steps_of(store(), trial.project.id, changes.values(), person, _step_in_words))
    return review


def _step_in_words(to: ReviewState, rules: Sequence[str]) -> str:
    return f"{_VERBS[to]} {first_quoted(rules, _NAMED)}"


def record_decisions(review: Reviewing, wanted: Iterable[tuple[str, ChangeDecision]], in_words: str = "") -> None:
    """Decide about rules as one step; nothing where everything is so already."""
    now = decisions_of(store(), review.project_id, review.changes.values())
    moved = [
        (review.changes[rule], now[rule], decision)
        for rule, decision in wanted
        if rule in review.changes and (now[rule].state, now[rule].text) != (decision.state, decision.text)
    ]
    if not moved:
        return
    _write(review, [(change, after) for change, _, after in moved])
    message = in_words or _step_in_words(moved[0][2].state, [change.rule for change, _, _ in moved])
    review.keep(review.steps.with_step(DecisionStep(tuple(moved), message)))


def move_back(review: Reviewing, *, undo: bool) -> None:
    """Undo or redo the reviewer's own last step; what somebody else decided since stays, and is reported."""
    steps = review.steps
    if not (steps.done if undo else steps.undone):
        return
    left, step = steps.undo() if undo else steps.redo()
    now = decisions_of(store(), review.project_id, review.changes.values())
    wanted = [one for one in still_stands(step, now, undo=undo) if one[0].rule not in review.saved]
    _write(review, wanted)
    review.keep(left)
    review.show(step.rule)
    kept = sum(change.rule not in review.saved for change, _, _ in step.changes) - len(wanted)
    if kept:
        by = {now[change.rule].by for change, _, _ in step.changes if change.rule in now} - {review.person, ""}
        who = first_names(sorted(by), _NAMED) or "another window"
        messages.remember(
            f"{counted(kept, 'change')} stayed as {'it is' if kept == 1 else 'they are'}: decided by {who} since.",
            ":material/info:",
        )


def _write(review: Reviewing, decided: Iterable[tuple[LearnedChange, ChangeDecision]]) -> None:
    decide_changes(store(), review.project_id, decided, review.person)


def act_on(review: Reviewing, key: str) -> Callable[[], None]:
    """What is done when the review sends what somebody did: `key` is that of the component. It sends the last acts, of
    which some were heard before."""

    def act() -> None:
        sent, refused = st.session_state.get(key), access.why_not("reviewer")
        acts = review.unheard((sent.get("acts") if sent else None) or ())
        if not acts or refused:
            return
        review.messages.clear()
        review.refused.clear()
        for asked in acts:
            try:
                _act(review, asked)
            except Re2nnError as error:
                rule = str(asked.get("rule", ""))
                review.messages[rule] = escape(f"Not changed. {error}")
                if asked.get("text"):
                    review.refused[rule] = str(asked["text"])

    return act


def _act(review: Reviewing, asked: Mapping[str, Any]) -> None:
    kind, rule = str(asked.get("kind")), str(asked.get("rule", ""))
    if kind in ("undo", "redo"):
        move_back(review, undo=kind == "undo")
        return
    if kind == "drop" and asked.get("refused"):
        _match_again(review, rule, [str(word) for word in asked["refused"]])
        return
    if kind == "drop":
        if asked.get("pattern"):
            _drop_pattern(review, rule, str(asked["pattern"]), str(asked.get("recommended") or ""))
        else:
            _drop(review, rule, [str(word) for word in asked.get("words") or ()])
        return
    if kind not in [state.value for state in ReviewState]:
        return  # of a page that another version drew
    wanted = ChangeDecision(ReviewState(kind))
    if wanted.state is ReviewState.EDITED:
        text = " ".join(str(asked.get("text", "")).split())
        if review.shown_text:
            text = with_known_classes(text, rule, review.shown_text, review.rules_text, lowercase=review.lowercase)
        with_edited_rules(review.rules_text, {rule: text}, lowercase=review.lowercase)  # RuleError: nothing is stored
        wanted = replace(wanted, text=text)
    without = str(asked.get("without") or "")
    record_decisions(review, [(rule, wanted)], f"accepted “{rule}” without {without}" if without else "")


def _drop(review: Reviewing, rule: str, words: Sequence[str]) -> None:
    """Edit the change of a rule so that it goes without some of the words that it has learned."""
    texts, lowercase = (review.rules_text, review.trained_on, rule), review.lowercase

    def without(edited: str) -> tuple[str | None, str]:
        return expression_without(*texts, words, edited=edited, lowercase=lowercase), _first_of(words)

    if words:
        _edit(review, rule, without, *_DROPPED)


def _drop_pattern(review: Reviewing, rule: str, pattern: str, recommended: str) -> None:
    """The same without a pattern of a new rule, which is reviewed in its `recommended` form, empty for none."""
    texts, lowercase = (review.rules_text, review.trained_on, rule), review.lowercase

    def without(edited: str) -> tuple[str | None, str]:
        return expression_without_pattern(*texts, pattern, edited=edited or recommended, lowercase=lowercase)

    _edit(review, rule, without, *_DROPPED)


def _match_again(review: Reviewing, rule: str, words: Sequence[str]) -> None:
    """Edit the change of a rule so that it matches words again that it has come to refuse."""
    texts, lowercase = (review.rules_text, review.trained_on, rule), review.lowercase

    def matching(edited: str) -> tuple[str | None, str]:
        return expression_matching_again(*texts, words, edited=edited, lowercase=lowercase), _first_of(words)

    _edit(review, rule, matching, "With {} nothing", "matched {} again in “{}”")


def _first_of(words: Sequence[str]) -> str:
    return first_names([quoted([word]) for word in words], _NAMED)


def _edit(review: Reviewing, rule: str, make: Callable[[str], tuple[str | None, str]], nothing: str, done: str) -> None:
    """Edit the change of a rule. `make`: from the form that somebody edited, empty for none, the new one and what it is
    about; `nothing` begins what is said where it gives None, `done` names the step."""
    if rule not in review.changes:
        return
    now = decisions_of(store(), review.project_id, [review.changes[rule]])[rule]
    text, named = make(now.text if now.state is ReviewState.EDITED else "")
    if text is None:
        message = f"{nothing.format(named)} of this change is left. To do without it, reject it."
        review.messages[rule] = escape(message)
        return
    record_decisions(review, [(rule, ChangeDecision(ReviewState.EDITED, text=text))], done.format(named, rule))
