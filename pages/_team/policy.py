"""Which labels train: the project's policy, which its owners choose."""

from __future__ import annotations

import streamlit as st

from pages._shared.cached.models import all_records_of
from pages._shared.catalog import TRAIN
from pages._shared.drawing import messages
from pages._shared.drawing.markup import count_figure, escape, figures, html
from pages._shared.resources import store
from pages._shared.session import access, state
from pages._team.data import team_of
from pages._team.views import go_to
from re2nn_core.services.projects.stored_projects import read_policy
from re2nn_core.services.team.training_labels import choose_policy, resolve_training_labels, review_of, to_confirm
from re2nn_core.services.values.stored import POLICY_KINDS, Policy, PolicyKind, ProjectRecord
from re2nn_core.text.counting import counted

_TITLES: dict[PolicyKind, tuple[str, str]] = {
    "every": (
        "Latest label",
        "The latest label of a text is used for training. For one annotator, and for a quick start.",
    ),
    "agreed": (
        "Agreed or adjudicated",
        "Texts on which annotators differ, and flagged texts, are used once a reviewer has adjudicated them.",
    ),
    "decided": (
        "Adjudicated only",
        "Only adjudicated labels are used. Agreed labels can be confirmed in Review, one by one or all at once.",
    ),
    "least": (
        "Minimum number of annotators",
        "A label is used once this number of annotators agrees on it and no other label has as many. Others "
        "can be confirmed in Review.",
    ),
}


def draw_policy(project: ProjectRecord) -> None:
    """The choice, and what each would mean for the texts there are."""
    now = read_policy(project.policy)
    may = access.may("owner")
    left, right = st.columns([10, 9], gap="large")
    with left:
        kind = st.radio(
            "Training labels",
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
                'Number of annotators', 2, 20, now.least, key=f"team_least_{project.id}_{project.policy}", width=160,
                disabled=not may,
            )  # fmt: skip
        wanted = Policy(kind or now.kind, int(least) if kind == "least" else 2)
        if not may:
            html('<div class="re2-muted">Owners of the project set this policy.</div>')
        elif st.button("Use this policy", key="team_policy_save", type="primary", disabled=wanted == now):
            _save(project, wanted)
    with right, messages.guard("Loading the annotations"):
        _draw_effect(project, now, wanted)


def _save(project: ProjectRecord, wanted: Policy) -> None:
    with messages.guard("Changing the training labels") as outcome:
        choose_policy(store(), project.id, wanted, state.person())
    if outcome.ok:
        messages.remember(f"Training labels are now {wanted.in_words}.")
        st.rerun()


def _draw_effect(project: ProjectRecord, now: Policy, wanted: Policy) -> None:
    records, team_annotations = all_records_of(project), team_of(project).annotations
    with st.container(border=True):
        for policy in dict.fromkeys((now, wanted)):
            material = resolve_training_labels(records, policy, team_annotations)
            labelled = sum(record.label is not None for record in material.records)
            which = "Now" if policy == now else "With this policy"
            html(
                f'<div class="re2-muted">{which}: {escape(policy.in_words)}</div>'
                + figures(
                    [
                        count_figure(labelled, "text with a training label", "texts with a training label"),
                        count_figure(len(material.waiting), "text waits for review", "texts wait for review"),
                    ]
                )
            )
        waiting, confirmed = review_of(team_annotations, now), to_confirm(team_annotations, now)
        if confirmed:
            html(
                f"""<div class="re2-muted">{counted(len(confirmed), "text")} without disagreement can be """
                "confirmed in Review.</div>"
            )
        if waiting:
            st.button(
                f"Review {counted(len(waiting), 'text')}", key="team_policy_review", icon=":material/gavel:",
                on_click=go_to, args=("review",),
            )  # fmt: skip
        st.page_link(TRAIN.file, label=f"Go to {TRAIN.title}", icon=TRAIN.icon)
    st.caption(
        "Imported labels are used in each case, unless the text was annotated or flagged. Exported texts have "
        "the same labels; a project archive has all."
    )
