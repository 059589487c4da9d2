"""Which labels train: the project's policy, which its owners choose."""

from __future__ import annotations

import streamlit as st

from pages._shared.cached.models import all_records_of
from pages._shared.catalog import TRAIN
from pages._shared.drawing import messages
from pages._shared.drawing.markup import escape, figures, html
from pages._shared.resources import store
from pages._shared.session import access, state
from pages._team.data import team_of
from pages._team.views import go_to
from re2nn_core.services.projects.stored_projects import read_policy
from re2nn_core.services.team.training_labels import choose_policy, resolve_training_labels, review_of, to_confirm
from re2nn_core.services.values.stored import POLICY_KINDS, Policy, PolicyKind, ProjectRecord
from re2nn_core.text.counting import counted

_TITLES: dict[PolicyKind, tuple[str, str]] = {
    "every": ("Every label", "Whoever gave a label last, it trains. Right for one person, and for a quick start."),
    "agreed": (
        "Agreed or decided",
        "A text on which people differ, or that somebody has put aside, waits until a reviewer has decided it.",
    ),
    "decided": (
        "Decided alone",
        "Of what people say only what a reviewer has decided trains. Where they agree, Review confirms by a key each, "
        "or all at once.",
    ),
    "least": (
        "At least so many who agree",
        "A label trains once so many people have given it; where two labels have as many, the text waits. What fewer "
        "people have judged can be confirmed in Review.",
    ),
}


def draw_policy(project: ProjectRecord) -> None:
    """The choice, and what each would mean for the texts there are."""
    now = read_policy(project.policy)
    may = access.may("owner")
    left, right = st.columns([10, 9], gap="large")
    with left:
        kind = st.radio(
            "Which labels of people train",
            POLICY_KINDS,
            index=POLICY_KINDS.index(now.kind),
            format_func=lambda one: _TITLES[one][0],
            captions=[_TITLES[one][1] for one in POLICY_KINDS],
            key=f"team_policy_{project.id}_{project.policy}",
            disabled=not may,
        )
        least = now.least
        if kind == "least":
            least = st.number_input(
                "So many people", 2, 20, now.least, key=f"team_least_{project.id}_{project.policy}", width=160,
                disabled=not may,
            )  # fmt: skip
        wanted = Policy(kind or now.kind, int(least) if kind == "least" else 2)
        if not may:
            html('<div class="re2-muted">Owners of the project choose this.</div>')
        elif st.button("Choose this", key="team_policy_save", type="primary", disabled=wanted == now):
            _save(project, wanted)
    with right, messages.guard("Reading what was judged"):
        _draw_effect(project, now, wanted)


def _save(project: ProjectRecord, wanted: Policy) -> None:
    with messages.guard("Choosing what trains") as outcome:
        choose_policy(store(), project.id, wanted, state.person())
    if outcome.ok:
        messages.remember(f"From now on {wanted.in_words} train.")
        st.rerun()


def _draw_effect(project: ProjectRecord, now: Policy, wanted: Policy) -> None:
    records, judged = all_records_of(project), team_of(project).judged
    with st.container(border=True):
        for policy in dict.fromkeys((now, wanted)):
            material = resolve_training_labels(records, policy, judged)
            labelled = sum(record.label is not None for record in material.records)
            which = "Now" if policy == now else "Then"
            html(
                f'<div class="re2-muted">{which}: {escape(policy.in_words)}</div>'
                + figures(
                    [
                        (f"{labelled:,}", "texts with a label that trains", ""),
                        (f"{len(material.waiting):,}", "texts wait", ""),
                    ]
                )
            )
        waiting, confirmed = review_of(judged, now), to_confirm(judged, now)
        if confirmed:
            html(
                f'<div class="re2-muted">On {counted(len(confirmed), "text")} nobody differs: a reviewer confirms them '
                "in Review, by Enter or all at once.</div>"
            )
        if waiting:
            st.button(
                f"Review {counted(len(waiting), 'text')}", key="team_policy_review", icon=":material/gavel:",
                on_click=go_to, args=("review",),
            )  # fmt: skip
        st.page_link(TRAIN.file, label=f"Go to {TRAIN.title}", icon=TRAIN.icon)
    st.caption(
        "Labels that came with the data train in each case, unless somebody has judged the text or put it aside. Files "
        "of texts that are exported hold the same labels; an archive of the project holds everything."
    )
