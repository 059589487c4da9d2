"""Starting a run and choosing what is looked at: the same for labels and for slots."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._shared.drawing import messages
from pages._shared.resources import store
from pages._shared.session import access, state
from pages._train.live import CHOSEN
from pages._train.settings import draw_device
from re2nn_core.services.fine_tuning.objective import Objective
from re2nn_core.services.fine_tuning.runs import start_training
from re2nn_core.services.fine_tuning.stored_runs import get_run
from re2nn_core.services.values.networks import NetworkConfig, TaggerConfig
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion, RunRecord
from re2nn_core.training.config import TrainConfig

_BUSY = "A training of this project is running. Wait until it ends, or cancel it."


def draw_button(version: RuleVersion, busy: bool) -> tuple[str, bool]:
    """The device, and whether somebody has asked to start."""
    with st.container(horizontal=True, vertical_alignment="center"):
        asked = st.button(
            f"Start training from rules v{version.number}",
            key="train_start",
            type="primary",
            icon=":material/play_arrow:",
            disabled=busy or (why := access.why_not("reviewer")) is not None,
            help=_BUSY if busy else why,
        )
        return draw_device(), asked


def start_run(
    project: ProjectRecord,
    version: RuleVersion,
    network: NetworkConfig | TaggerConfig,
    train: TrainConfig,
    *,
    objective: Objective,
    manual_overrides: Sequence[str] = (),
) -> None:
    """Start it, and look at it; the training plan leaves the settings `manual_overrides` as they are."""
    with messages.guard("Starting the training") as outcome:
        given = {"person": state.person(), "manual_overrides": manual_overrides, "objective": objective}
        run = start_training(store(), project.id, version.id, network, train, **given)
    if outcome.ok:
        st.session_state[CHOSEN] = run.id
        st.rerun()


def chosen_run(runs: Sequence[int]) -> RunRecord:
    """The run that is looked at: the chosen one, else the newest."""
    wanted: int | None = st.session_state.get(CHOSEN)
    return get_run(store(), runs[0] if wanted not in runs or wanted is None else wanted)


def choose_view(number: int, views: Sequence[str], key: str) -> str:
    """What is shown of the chosen run."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(f"Run {number}", anchor=False, width="content")
        view = st.segmented_control(
            "View", views, default=views[0], required=True, key=key, label_visibility="collapsed"
        )
    return view or views[0]
