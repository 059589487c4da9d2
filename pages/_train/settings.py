"""The settings of network and training (known_settings.py) as inputs. All have good defaults: nobody needs to open this
panel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages._shared.resources import store
from pages._train.known_settings import DEVICE, NETWORK, TRAIN, VARIANTS, Setting
from re2nn_core.guide.glossary import definition
from re2nn_core.services.fine_tuning.classification.examples import LabelledExamples
from re2nn_core.services.fine_tuning.classification.objectives import settings_for, training_settings_for
from re2nn_core.services.fine_tuning.manual_overrides import ChosenSettings, changed_manually
from re2nn_core.services.fine_tuning.objective import OBJECTIVES, Objective
from re2nn_core.services.fine_tuning.runs import newest_objective
from re2nn_core.services.values.networks import NetworkConfig, TaggerConfig
from re2nn_core.training.config import TrainConfig, available_devices


def draw_device() -> str:
    """The device a training runs on."""
    present = available_devices()
    names = ("auto", *present)
    chosen = st.selectbox(
        DEVICE.title,
        names,
        format_func=lambda name: f"on {present[0]} (auto)" if name == "auto" else f"on {name}",
        label_visibility="collapsed",
        key="train_device",
        persist_state="session",
        help=DEVICE.help,
        width=150,
    )
    return chosen or "auto"


OBJECTIVE_KEY = "train_objective"
_BEGUN = "_train_objective_of"  # the project whose newest run the choice began with
CAPTION = "The defaults suit the number of your texts. Change one setting at a time and compare the runs below."
OBJECTIVE_NAMES: dict[Objective, str] = {"interpretable": "interpretable rules", "accuracy": "highest accuracy"}
_OBJECTIVE_HELP = (
    f"{definition('Objective')} Interpretable rules: each rule is trained separately, and can be "
    "reconstructed and edited; a linear layer gives words weights in addition, where it gains. Highest accuracy: an "
    "auxiliary encoder, a linear layer and several networks are added; "
    "such a network can only be reconstructed roughly. Sets the defaults below."
)


def begin_objective(project_id: int) -> None:
    """Where a project comes on the page, "Train for" begins with what its newest run is for, if that is known."""
    if st.session_state.get(_BEGUN) == project_id:
        return
    st.session_state[_BEGUN] = project_id
    if (objective := newest_objective(store(), project_id)) is not None:
        st.session_state[OBJECTIVE_KEY] = objective


def chosen_objective() -> Objective:
    """What stands at "Train for"."""
    objective: Objective = st.session_state.get(OBJECTIVE_KEY, OBJECTIVES[0])
    return objective


def begin_settings(objective_help: str) -> tuple[Objective, Sequence[DeltaGenerator]]:
    """What the training is for, as it is chosen, and the folded tabs for all settings: of learning, of the network, and
    of its variants."""
    st.session_state.setdefault(OBJECTIVE_KEY, OBJECTIVES[0])  # no default beside it, since others set it too
    objective: Objective = st.segmented_control(
        "Train for",
        OBJECTIVES,
        required=True,
        format_func=lambda name: OBJECTIVE_NAMES[name],
        key=OBJECTIVE_KEY,
        persist_state="session",
        help=objective_help,
    )
    with st.expander("All settings"):
        st.caption(CAPTION)
        tabs = st.tabs(["Learning", "Network", "Variants"])
    tabs[-1].caption("Other networks of the same family, for comparison. Some cannot be reconstructed.")
    return objective, tabs


def draw_settings(examples: LabelledExamples) -> ChosenSettings:
    """All settings but the device, folded away. They begin with what the training plan takes for these
    texts, and whatever stands there counts. InputError for values that do not go together."""
    objective, (learning, parts, variants) = begin_settings(_OBJECTIVE_HELP)
    with learning:
        usual = TrainConfig(**training_settings_for(objective, examples.train, in_context=examples.encoder_knows))
        taught = examples.recipe(usual).config
        given = grid(TRAIN, taught, "train" if objective == OBJECTIVES[0] else f"train_{objective}")
    begins = NetworkConfig(**settings_for(objective, examples.train, in_context=examples.encoder_knows))
    part = "network" if objective == OBJECTIVES[0] else f"network_{objective}"
    with parts:
        network = grid(NETWORK, begins, part)
    with variants:
        network |= grid(VARIANTS, begins, part)
    return ChosenSettings(NetworkConfig(**network), *changed_manually(usual, taught, given))


def grid(settings: Sequence[Setting], begins: NetworkConfig | TaggerConfig | TrainConfig, part: str) -> dict[str, Any]:
    """Inputs for settings in two columns, and their values; `part`: the objective that they belong to.
    What begins otherwise, with more texts or in another project, is another input: a value that nobody set does not
    stay."""
    columns = st.columns(2)
    values = {}
    for place, setting in enumerate(settings):
        with columns[place % 2]:
            begin, key = getattr(begins, setting.name), f"train_{part}_{setting.name}"
            usual = begin == getattr(type(begins)(), setting.name)
            values[setting.name] = _draw(setting, begin, key if usual else f"{key}_{begin}")
    return values


def _draw(setting: Setting, default: Any, key: str) -> Any:
    common: dict[str, Any] = {"key": key, "persist_state": "session", "help": setting.help}
    if setting.options:
        return st.selectbox(setting.title, setting.options, index=setting.options.index(default), **common)
    if isinstance(default, bool):
        return st.toggle(setting.title, value=default, **common)
    if isinstance(default, int):
        most = None if setting.highest is None else int(setting.highest)
        return int(st.number_input(setting.title, value=default, min_value=0, max_value=most, step=1, **common))
    value = st.number_input(
        setting.title,
        value=default,
        min_value=0.0,
        max_value=None if setting.highest is None else float(setting.highest),
        step=None if setting.step is None else float(setting.step),
        format=_format(setting.step),
        **common,
    )
    if value is None:
        return None
    return int(value) if setting.step is not None and setting.step >= 1 else float(value)


def _format(step: float | None) -> str:
    if step is not None and step >= 1:
        return "%.0f"
    if step is not None and step < 1e-4:
        return "%.5f"
    return "%.4f" if step is not None and step < 0.01 else "%.2f"
