"""The review on the screen: the queue with its cards, and below it what is saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import streamlit as st

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.accepting.saving import draw_save
from pages._compare.newest import Newest
from pages._compare.review.cards import Card, Held, card_data, held_places
from pages._compare.review.component import COUNTED, draw_review
from pages._compare.review.deciding import Reviewing, act_on, record_decisions, reviewing_of
from pages._compare.review.no_change import draw_what_helps
from pages._shared.catalog import COMPARE, RULES
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.resources import store
from pages._shared.session import access
from pages._shared.session.chosen_rule import choose_rule, linked_rule
from re2nn_core.services.projects.stored_projects import latest_version
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.decisions import ChangeDecision, ReviewState
from re2nn_core.services.rule_review.evidence.enough_texts import is_not_thin, more_texts_in_words
from re2nn_core.services.rule_review.evidence.split_chance import SplitMoves
from re2nn_core.services.rule_review.model_review import NO_HELD_OUT
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names, first_quoted

_NAMED = 4  # changes that are named beside a button
_EACH = "Each gains clearly by itself on {} texts{}."
_REPAIRS = ", or repairs what another of them breaks"

Trial = AcceptedChanges[Any, Any, Any, Any]


class MakeCard(Protocol):
    """Makes the card of a rule of a comparison; `edited`: somebody edited it."""

    def __call__(
        self, compared: Any, name: str, effect: ChangeEffect, held: Held, palette: Palette, *, edited: bool = ...
    ) -> Card: ...


def draw_screen(
    trial: Trial, newest: Newest, order: Sequence[str], palette: Palette, make: MakeCard, chosen: str
) -> None:
    """The review of the changes in this order. `chosen` is the key of the rule of the page, at which it begins, and
    which follows what is chosen in it."""
    key = review_key(trial)
    review = reviewing_of(trial, key)
    asked, elsewhere = linked_rule(COMPARE, trial.project.id)
    if asked is not None and asked in review.changes:
        review.show(asked)
    elif asked is not None:
        st.toast(f"Training did not change the rule {messages.plain(asked)}.", icon=":material/info:")
    elif elsewhere:  # back from another page: at the best open change again
        review.show("")
    held = held_places(trial.held_out.split, trial.compared.records)
    made = {name: _made(trial, name, make, held, palette) for name in order}
    cards = [card_data(card, learned, trial, newest, held) for card, learned in made.values()]
    steps = review.steps
    data = {
        "cards": cards,
        "at": None if elsewhere else st.session_state.get(chosen),
        "held": held.base,
        "counts": COUNTED if trial.how.evaluation.of_spans else "",
        "measured": _measured_on(held, newest, open_ones=bool(trial.undecided)),
        "stamp": key,
        "heard": review.heard,
        "said": review.messages,
        "refused": review.refused,
        "go": review.go.split("\x1f") if review.go else None,
        "undo": steps.done[-1].in_words if steps.done else "",
        "redo": steps.undone[-1].in_words if steps.undone else "",
        "whyNot": access.why_not("reviewer") or "",
    }
    draw_review(data, key=key, on_act=act_on(review, key), on_chosen=_follow(trial.project.id, key, chosen))
    with _cleared(f"_{key}_below", (trial.gaining, trial.accepted.accepted, trial.chosen, len(trial.undecided))):
        _draw_below(trial, review, held, palette)


def _measured_on(held: Held, newest: Newest, *, open_ones: bool) -> str:
    """Which texts decide about the changes, in which rules where changes are open, and why no others, or which check
    them."""
    if not held.base:
        return ""
    version = f" in v{newest.version.number}" if newest.moved_on and open_ones else ""
    return f"{held.base}{version} decide{held.why}"


def _made(trial: Trial, name: str, make: MakeCard, held: Held, palette: Palette) -> tuple[Card, Card | None]:
    """The card of a change in the form in which it is reviewed, and that of what was learned where this is another."""
    effect, learned = trial.held_out.effects[name], trial.learned.effects.get(name)
    if learned is None:
        return make(trial.compared, name, effect, held, palette), None
    card = make(trial.taken, name, effect, held, palette, edited=name not in trial.leaner)
    return card, make(trial.compared, name, learned, held, palette)


def _follow(project_id: int, key: str, chosen: str) -> Callable[[], None]:
    """Lets the rule of the page and the address follow the review, so that other views and pages show it too: before
    anything is drawn, since what somebody does next may cut the drawing off."""

    def follow() -> None:
        sent = st.session_state.get(key)
        if sent and sent.get("chosen"):
            st.session_state[chosen] = str(sent["chosen"])
            choose_rule(COMPARE, project_id, str(sent["chosen"]))

    return follow


def _draw_below(trial: Trial, review: Reviewing, held: Held, palette: Palette) -> None:
    """The buttons that save, and that accept all that gain, in the same places whatever is accepted; where nothing
    gains, what would help."""
    gaining = trial.gaining
    if not trial.offered.accepted:
        return

    def draw_button() -> None:
        if not gaining:
            if not trial.accepted.accepted:
                _draw_nothing_gains(trial, held)
            return
        st.button(
            f"Accept all recommended: {len(gaining):,}",
            key="compare_accept_gaining",
            icon=":material/done_all:",
            disabled=access.why_not("reviewer") is not None,
            help=access.why_not("reviewer") or _why_all(trial, held),
            on_click=_accept,
            args=(review, tuple(gaining), {name: one.text for name, one in trial.leaner.items()}),
        )

    draw_save(
        trial,
        palette,
        reopen=lambda names: _reopen(review, names),
        draw_next=draw_button,
    )


def _why_all(trial: Trial, held: Held) -> str:
    repairs = _REPAIRS if any(map(trial.repairs_clearly, trial.gaining)) else ""
    without = {name: f" without {one.named}" for name, one in trial.leaner.items()}
    names = [f"“{name}”{without.get(name, '')}" for name in trial.gaining]
    return messages.plain(f"{first_names(names)}. {_EACH.format(held.split, repairs)}")


def _cleared(key: str, shown: object) -> Any:
    """A container for what is drawn of `shown`. Where that is another than in the run before, nothing of it is left:
    the browser keeps what a part of the page no longer draws where a run of another part comes right behind. Two places
    take turns, and the other one is emptied: a place that is emptied and filled in one run reaches the browser as
    filled alone, with what stood there before."""
    former, place = st.session_state.get(key, (shown, 0))
    place = place if former == shown else 1 - place
    st.session_state[key] = shown, place
    with st.container(gap=None):
        places = [st.container() if place == number else st.empty() for number in (0, 1)]
    return places[place]


def _accept(review: Reviewing, names: Sequence[str], edited: Mapping[str, str]) -> None:
    """Accept changes as one step, those of the `edited` rules in that form."""
    accepted = ChangeDecision(ReviewState.ACCEPTED)
    as_edited = {name: ChangeDecision(ReviewState.EDITED, text=text) for name, text in edited.items()}
    wanted = [(name, as_edited.get(name, accepted)) for name in names]
    record_decisions(review, wanted, f"accepted {counted(len(names), 'change')}")


def _draw_nothing_gains(trial: Trial, held: Held) -> None:
    """What would help where no open change gains on held-out texts."""
    if not trial.undecided:
        return
    message = _why_nothing(trial, held)
    if held.split and _stopped(trial):
        html(f"<div>{message} Edit the change, or correct the sentence:</div>", width="content")
        st.page_link(RULES.file, label="write rules", icon=RULES.icon)
        return
    html(f"<div>{message} What helps:</div>", width="content")
    draw_what_helps(trial.compared.records)


def _stopped(trial: Trial) -> list[str]:
    """The open changes that gain, and with which a test sentence fails."""
    return [name for name in trial.undecided if name in trial.conflicts and trial.held_out.improves(name)]


def _why_nothing(trial: Trial, held: Held) -> str:
    """Why no change is recommended, as HTML."""
    if not held.split:
        return NO_HELD_OUT
    base, thin = escape(held.base), trial.thin
    if stopped := _stopped(trial):
        gain, them = ("gains", "it") if len(stopped) == 1 else ("gain", "them")
        named = escape(first_quoted(stopped, _NAMED))
        return f"Open: <b>{named}</b> {gain} on {base}, but a test sentence fails with {them}."
    if thin:
        named = escape(first_quoted(thin, _NAMED))
        return f"<b>Thin evidence</b> for {named}: the gain may be chance.{_needed(trial, held, thin)}"
    if trial.offered.there or len(trial.undecided) < len(trial.offered.accepted):
        return f"<b>None of the open changes gains</b> on {base}: nothing more to accept."
    return f"<b>No change gains</b> on {base}: keep your rules as they are."


def _needed(trial: Trial, held: Held, thin: Sequence[str]) -> str:
    """How many more texts would be enough to recommend the first of these changes that gains."""
    moves = {name: SplitMoves(len(held.places), *held.count(trial.held_out.effects[name])) for name in thin}
    found = (more_texts_in_words(one, is_not_thin, f"recommend “{name}”") for name, one in moves.items())
    return next((f" {escape(more)}." for more in found if more), "")


def _reopen(review: Reviewing, names: Sequence[str]) -> None:
    record_decisions(review, [(name, ChangeDecision()) for name in names])


def reopen_gone(trial: Trial) -> None:
    """Open the changes again that the version had which somebody just took back, and the newest one has not: they were
    accepted for that version. One step, which can be undone."""
    how, newest = trial.how, latest_version(store(), trial.project.id)
    now = how.accept(trial.project, trial.taken, how.changed(trial.compared), newest)
    removed = [name for name in trial.offered.there if name not in now.there and trial.decision(name).state.taken]
    if removed:
        _reopen(reviewing_of(trial, review_key(trial)), removed)


def review_key(trial: Trial) -> str:
    """What names the review of a run in the session."""
    return f"compare_review_{trial.compared.run.id}"
