"""A tour for the first visit: six steps, each on the page that it is about. Left or hidden, it stays away."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages._shared.catalog import AUTOMATON, COMPARE, LABEL, PROJECTS, RULES, TRAIN, PageEntry
from pages._shared.drawing import messages
from pages._shared.resources import store
from pages._shared.session import access, state
from pages._shared.session.browser_session import keep, kept
from re2nn_core.services.projects.projects import open_sample
from re2nn_core.services.team.people import Role
from re2nn_core.services.values.stored import ProjectRecord

_STEP, _LEFT = "_tour_step", "_tour_left"
_SAMPLE = "flight_intents"


@dataclass(frozen=True)
class Step:
    """One step: its page, what to know there, and the role that may do what it describes."""

    page: PageEntry
    text: str
    role: Role = "annotator"


STEPS = (
    Step(
        PROJECTS,
        "A project holds texts, rules and models. Start with the sample *Flight intents*. The sample is copied, so you "
        "can change anything in it.",
        "owner",
    ),
    Step(
        RULES,
        "A rule is a regular expression over words; `$*` is any number of words. Choose a rule on the right to see its "
        "matches and what is incorrect or missed. Edit it on the left: the figures follow while you type.",
        "reviewer",
    ),
    Step(
        AUTOMATON,
        "Each rule is an automaton. Enter a text and step through it to see where the rule stops. The network is built "
        "from these automata: before training it predicts exactly what the rules predict.",
    ),
    Step(
        LABEL,
        "Check predictions one by one: Enter accepts, a digit chooses another label, U undoes. Training uses "
        "these labels.",
    ),
    Step(
        TRAIN,
        "Choose *Start training*. Nothing has to be set. Training has to exceed the dashed line, the accuracy of your "
        "rules.",
        "reviewer",
    ),
    Step(
        COMPARE,
        "See what training changed in each rule, and which texts each change fixes or breaks. Texts that were not used "
        "for training decide. Accept the changes that you agree with. Press `?` for help on any page.",
        "reviewer",
    ),
)


def draw_tour(page: PageEntry, project: ProjectRecord | None) -> None:
    """The current step; on Projects the offer of a tour, to those who have not seen or declined it."""
    if _LEFT in st.session_state:
        with st.empty():
            keep("tour", "left")
    elif _STEP in st.session_state:
        # Who goes to another page of the tour by the links at the top continues there.
        here = next((place for place, step in enumerate(STEPS) if step.page is page), st.session_state[_STEP])
        st.session_state[_STEP] = here
        _draw_step(page, project, here)
    elif page is PROJECTS and not kept("tour"):
        with st.container(horizontal=True, vertical_alignment="center", key="tour_offer"):
            st.markdown("New here?", width="content")
            st.button("Take the tour", key="tour_start", icon=":material/tour:", on_click=_at, args=(0,))
            st.button("Hide", key="tour_hide", type="tertiary", on_click=_leave)


def _draw_step(page: PageEntry, project: ProjectRecord | None, number: int) -> None:
    step = STEPS[number]
    with st.container(border=True, key="tour"):
        st.markdown(f"**Tour, step {number + 1} of {len(STEPS)}: {step.page.title}.** {step.text}")
        why = access.why_not(step.role)
        if why is not None:
            st.caption(messages.plain(why))
        with st.container(horizontal=True, vertical_alignment="center"):
            if page is not step.page:
                st.page_link(step.page.file, label=f"Go to {step.page.title}", icon=step.page.icon)
            if number and st.button("Back", key="tour_back"):
                _go(number - 1)
            if number + 1 == len(STEPS):
                st.button("Finish tour", key="tour_finish", type="primary", on_click=_leave)
            elif project is None:
                _draw_opening(number)
            elif st.button("Next", key="tour_next", type="primary"):
                _go(number + 1)
            st.button("Leave tour", key="tour_leave", type="tertiary", on_click=_leave)


def _draw_opening(number: int) -> None:
    """The steps after the first need a project: open the sample, or one of the projects on the page."""
    why = access.why_not("owner")
    help_text = why and f"{why} Open one of the projects below instead."
    if st.button("Open Flight intents", key="tour_open", type="primary", disabled=why is not None, help=help_text):
        with messages.guard("Opening the sample") as outcome:
            project = open_sample(store(), _SAMPLE, state.person())
        if outcome.ok:
            state.choose_project(project.id)
            _go(max(number, 1))


def _go(number: int) -> None:
    _at(number)
    st.switch_page(STEPS[number].page.file)


def start_tour() -> None:
    """Begin the tour at the page that is shown, though it was taken or declined before."""
    st.session_state.pop(_LEFT, None)
    _at(0)


def _at(number: int) -> None:
    st.session_state[_STEP] = number


def _leave() -> None:
    st.session_state.pop(_STEP, None)
    st.session_state[_LEFT] = True
