"""The review on the screen: the queue with its cards, and below it what is saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.accepting.measured import measured_in_words
from pages._compare.accepting.saving import draw_save
from pages._compare.newest import Newest
from pages._compare.review.cards import Card, Held, card_data, held_places
from pages._compare.review.component import draw_review
from pages._compare.review.deciding import Reviewing, act_on, record_decisions, reviewing_of
from pages._compare.split_names import dev_name
from pages._shared.catalog import COMPARE, LABEL, RULES, TRAIN
from pages._shared.drawing import messages
from pages._shared.drawing.labels import Palette
from pages._shared.drawing.markup import escape, html
from pages._shared.session import access
from pages._shared.session.chosen_rule import choose_rule, followed_rule
from re2nn_core.services.rule_review.decisions import ChangeDecision, ReviewState
from re2nn_core.text.counting import counted
from re2nn_core.text.joined_names import first_names

_NAMED = 4  # changes that are named beside a button

Trial = AcceptedChanges[Any, Any, Any, Any]
MakeCard = Callable[[Trial, Any, str, Held, Palette], Card]


def draw_screen(trial: Trial, newest: Newest, order: Sequence[str], palette: Palette, make: MakeCard) -> str | None:
    """The review of the changes in this order; the rule that was chosen in it."""
    key = f"compare_review_{trial.compared.run.id}"
    review = reviewing_of(trial, key)
    if (asked := followed_rule(COMPARE, trial.project.id)) in review.changes and asked is not None:
        review.show(asked)
    elif asked is not None:
        st.toast(f"Training did not change the rule {messages.plain(asked)}.", icon=":material/info:")
    held = held_places(trial.held_out.split, trial.compared.records)
    cards = [card_data(make(trial, trial.compared, name, held, palette), trial, newest, held) for name in order]
    steps = review.steps
    data = {
        "cards": cards,
        "held": held.base,
        "stamp": key,
        "said": review.messages,
        "go": review.go.split("\x1f") if review.go else None,
        "undo": steps.done[-1].in_words if steps.done else "",
        "redo": steps.undone[-1].in_words if steps.undone else "",
        "below": bool(trial.gaining) or not trial.accepted.accepted,
        "whyNot": access.why_not("reviewer") or "",
    }
    if trial.accepted.accepted:
        draw_save(trial, palette, reopen=lambda names: _reopen(review, names))
    chosen = draw_review(data, key=key, on_act=act_on(review, key), on_chosen=_follow(trial.project.id, key))
    draw_recommended(trial, review, held)
    return chosen if chosen in order else None


def _follow(project_id: int, key: str) -> Callable[[], None]:
    """Lets the address name the rule that was chosen in the review, so that other pages show it too."""

    def follow() -> None:
        sent = st.session_state.get(key)
        if sent and sent.get("chosen"):
            choose_rule(COMPARE, project_id, str(sent["chosen"]))

    return follow


def draw_recommended(trial: Trial, review: Reviewing, held: Held) -> None:
    """The button that accepts all that gain, with what the rules come to then; where none does, what would help."""
    gaining = trial.gaining
    if gaining:
        _draw_gaining(trial, review, held, gaining)
    elif not trial.accepted.accepted:
        _draw_nothing_gains(trial, held)


def _draw_gaining(trial: Trial, review: Reviewing, held: Held, gaining: Sequence[str]) -> None:
    together = _together(trial, gaining)
    those = "that" if len(gaining) == 1 else "these"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Accept all recommended: {len(gaining):,}",
            key="compare_accept_gaining",
            icon=":material/done_all:",
            disabled=access.why_not("reviewer") is not None,
            help=access.why_not("reviewer") or f"Each gains by itself on three or more held-out {held.split} texts.",
            on_click=_accept,
            args=(review, tuple(gaining)),
        )
        also = " and what is accepted" if trial.chosen else ""
        html(
            f'<div class="re2-muted">{escape(first_names(gaining, _NAMED))}. With {those}{also}: {together}. '
            "Your rules stay as they are until you save.</div>"
        )


def _accept(review: Reviewing, names: Sequence[str]) -> None:
    accepted = ChangeDecision(ReviewState.ACCEPTED)
    record_decisions(review, [(name, accepted) for name in names], f"accepted {counted(len(names), 'change')}")


def _together(trial: Trial, gaining: Sequence[str]) -> str:
    """What the rules would come to with these changes and those that are accepted already, as HTML."""
    how, compared = trial.how, trial.compared
    accepted = how.accept(trial.project, trial.taken, {*gaining, *trial.chosen}, trial.newest)
    now = how.evaluation.of(trial.project, accepted)
    measured = how.evaluation.measured(trial.before, now, compared.records)
    # The split that decides first.
    ordered = sorted(measured, key=lambda one: one[0] != trial.held_out.split)
    return measured_in_words(how.evaluation.measure, ordered, dev_name(compared.run, compared.records))


def _draw_nothing_gains(trial: Trial, held: Held) -> None:
    """What would help where no open change gains on held-out texts."""
    open_ones = [name for name in trial.offered.accepted if trial.decision(name).state is ReviewState.OPEN]
    if not open_ones:
        return
    thin = trial.thin
    message = (
        f"<b>Thin evidence</b> for {escape(first_names(thin, _NAMED))}: one or two held-out {escape(held.split)} texts "
        "gain."
        if thin and held.split
        else f"<b>No change gains</b> on {escape(held.split)} ({counted(len(held.places), 'held-out text')}): "
        "keep your rules as they are."
        if held.split
        else "There are no held-out texts, so no change can be recommended."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        html(f"<div>{message} What would help:</div>", width="content")
        st.page_link(LABEL.file, label="label more texts", icon=LABEL.icon)
        st.page_link(RULES.file, label="write rules for missed texts", icon=RULES.icon)
        st.page_link(TRAIN.file, label="train again", icon=TRAIN.icon)


def _reopen(review: Reviewing, names: Sequence[str]) -> None:
    record_decisions(review, [(name, ChangeDecision()) for name in names])
