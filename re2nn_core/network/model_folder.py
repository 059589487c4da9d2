"""A trained model as a folder: `parameters.safetensors`, `bundle.json`, `rules.txt`, `logic.toml`. No pickle.

Networks for labels (classification/bundle.py) and for slots (slot_filling/bundle.py) stand in such folders; the
description says which.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import torch
from safetensors.torch import load, save
from torch import nn

from re2nn_core.errors import InputError, JsonError, ModelError
from re2nn_core.files import read_json_object, write_together
from re2nn_core.network.configuration.former_names import FORMER_PARAMETERS
from re2nn_core.network.ensemble import Network, twin_of
from re2nn_core.network.model_card import CARD
from re2nn_core.task import Task
from re2nn_core.tensors.factors import Floats

FORMAT = 2
_COPY = "copy"  # with a number, in front of the names of a copy's parameters
DIGEST = "parameters_sha256"
PARAMETERS, DESCRIPTION, RULES, LOGIC = "parameters.safetensors", "bundle.json", "rules.txt", "logic.toml"
MODEL_FILES = (PARAMETERS, DESCRIPTION, RULES, LOGIC)  # all that a model is read from
WRITTEN_FILES = (*MODEL_FILES, CARD)
State = Mapping[str, torch.Tensor]
# What a damaged folder raises: values of any other kind or size than was written may stand in its description.
_DAMAGE = (
    InputError,
    OSError,
    LookupError,
    AttributeError,
    TypeError,
    ValueError,
    RuntimeError,
    safetensors.SafetensorError,
)


def write_model(
    folder: Path,
    networks: Sequence[nn.Module],
    texts: tuple[str, str],
    description: Mapping[str, Any],
    card: str,
    *,
    further: State | None = None,
) -> None:
    """Write a network with its copies, rules and logic, what else is to be known of it, `further` parameters, and its
    `card`; files are complete before they get their names."""
    folder.mkdir(parents=True, exist_ok=True)
    parameters, (rules, logic) = save({**state_of(networks), **(further or {})}), texts
    stored = {
        "format": FORMAT,
        "copies": len(networks) - 1,
        DIGEST: hashlib.sha256(parameters).hexdigest(),
        **description,
    }
    contents: dict[str, str | bytes] = {
        PARAMETERS: parameters,
        RULES: rules,
        LOGIC: logic,
        DESCRIPTION: json.dumps(stored, ensure_ascii=False),
        CARD: card,
    }
    write_together({folder / name: content for name, content in contents.items()})


def state_of(networks: Sequence[nn.Module]) -> dict[str, torch.Tensor]:
    """The parameters of a network and of its copies, as `restore` takes them."""
    network, *copies = networks
    state = {name: value.detach().cpu().contiguous() for name, value in network.state_dict().items()}
    for number, copy in enumerate(copies):  # what is not trained is the network's
        for name, value in copy.named_parameters():
            state[f"{_COPY}{number}/{name}"] = value.detach().cpu().contiguous()
    return state


def _what_lacks(folder: Path) -> str:
    if folder.is_dir():
        return f"it has no {DESCRIPTION}"
    return "this is a file" if folder.exists() else "there is no such folder"


def read_description(folder: Path) -> dict[str, Any]:
    """What bundle.json of a model folder says; ModelError."""
    path = folder / DESCRIPTION
    if not path.is_file():
        raise ModelError(
            f"{folder} is not a model folder: {_what_lacks(folder)}.\n"
            "Give the folder that training wrote (re2nn train --output DIR)."
        )
    try:
        description = read_json_object(path)
    except (OSError, JsonError) as fault:
        raise ModelError(f"{path} is damaged: {fault}\nTrain the model again.") from fault
    if (found := description.get("format")) != FORMAT:
        newer = isinstance(found, int) and found > FORMAT
        what_to_do = "A newer version of RE2NN wrote it: update this one." if newer else "Train the model again."
        raise ModelError(f"{path} has format {found!r}, this version reads format {FORMAT}.\n{what_to_do}")
    return description


def task_of_model(folder: Path) -> Task:
    """What the model of a folder predicts. ModelError; InputError for a model of another kind."""
    task = read_description(folder).get("task", Task.CLASSIFICATION)
    if task not in tuple(Task):
        raise InputError(
            f"{folder} holds a model of the kind {task!r}. Only networks of rules, as `re2nn train --output DIR` "
            "writes them, can be used here. Give the folder of one."
        )
    return Task(task)


@contextmanager
def as_model_error(folder: Path) -> Iterator[None]:
    """Whatever goes wrong in here is reported as damage of the model folder: ModelError."""
    try:
        yield
    except _DAMAGE as fault:
        what = f"there is no {fault} in it" if isinstance(fault, KeyError) else str(fault)
        raise ModelError(
            f"the model in {folder} cannot be read: {what}\nTrain it again, or choose another model folder."
        ) from fault


def read_rule_system(folder: Path) -> tuple[str, str]:
    """Rules and logic."""
    rules, logic = ((folder / name).read_text(encoding="utf-8") for name in (RULES, LOGIC))
    return rules, logic


def read_parameters(folder: Path, description: Mapping[str, Any]) -> State:
    """The parameters of the network and of its copies, by the names of this version. ValueError where they are not what
    was written (former versions noted no digest), or no numbers."""
    written = (folder / PARAMETERS).read_bytes()
    if DIGEST in description and hashlib.sha256(written).hexdigest() != description[DIGEST]:
        raise ValueError(f"{PARAMETERS} is not what was written: its SHA-256 is not the one in {DESCRIPTION}.")
    state = {_name_today(name): value for name, value in load(written).items()}
    for name, value in state.items():
        if not torch.isfinite(value).all():
            raise ValueError(f"{PARAMETERS} holds values that are no finite numbers, in '{name}'.")
    return state


def _name_today(name: str) -> str:
    """A parameter's name, which a former version may have stored, behind that of a copy where it is of one."""
    copy, sign, own = name.rpartition("/")
    former = next((begin for begin in FORMER_PARAMETERS if own.startswith(begin)), "")
    return copy + sign + FORMER_PARAMETERS.get(former, "") + own.removeprefix(former)


def stored_vectors(state: State) -> Floats | None:
    """The word vectors among the parameters; None for a network without."""
    given = state["reader.vectors"]
    return np.asarray(given.numpy(), dtype=np.float32) if given.shape[1] else None


def restore(network: Network, state: State, copies: int) -> tuple[Network, ...]:
    """Give a network of the same form its stored parameters; its copies."""
    network.load_state_dict({name: value for name, value in state.items() if not name.startswith(_COPY)})
    return tuple(_copy_of(network, state, number) for number in range(copies))


def _copy_of(network: Network, state: State, number: int) -> Network:
    prefix = f"{_COPY}{number}/"
    parameters = {name.removeprefix(prefix): value for name, value in state.items() if name.startswith(prefix)}
    if not parameters:
        raise KeyError(prefix)
    copy = twin_of(network)
    copy.load_state_dict({**network.state_dict(), **parameters})
    return copy
