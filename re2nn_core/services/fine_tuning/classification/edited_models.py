"""Edited models on disk: the network that predicts, as any other model, and what is needed to go on editing it.

    bundle.json, parameters.safetensors, rules.txt, logic.toml     the network that predicts (network/bundle.py)
    edits.json                                                     what was edited since the training
    origin/                                                        the network as it was trained

A folder without edits.json is a model without edits.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any
from uuid import uuid4

from re2nn_core.errors import InputError, ModelError
from re2nn_core.files import read_json_object, write_whole
from re2nn_core.network.classification.bundle import load_bundle, save_bundle
from re2nn_core.services.fine_tuning.classification.rule_patching import EditedModel, Edits, joined_rules, unedited
from re2nn_core.services.rule_systems.added_rules import Addition

FORMAT = 1
EDITS, ORIGIN = "edits.json", "origin"


def save_model(folder: Path, model: EditedModel) -> None:
    """Write a model to a folder that is not there yet, or empty: the whole of it, or nothing. InputError where the
    folder holds something."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is there already, and nothing is overwritten.\nGive another folder for the model.")
    with _written_whole(folder) as part:
        save_bundle(part, model.bundle)
        if model.edits != Edits():
            save_bundle(part / ORIGIN, model.origin)
            values = {"format": FORMAT, **asdict(model.edits)}
            write_whole(part / EDITS, json.dumps(values, ensure_ascii=False))


@contextmanager
def _written_whole(folder: Path) -> Iterator[Path]:
    """A folder beside the wanted one, which gets its name at the end and is removed where that is not reached."""
    part = folder.with_name(f".{folder.name}-{uuid4().hex[:8]}.part")
    part.mkdir(parents=True)
    try:
        yield part
        if folder.is_dir():
            folder.rmdir()
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def load_model(folder: Path) -> EditedModel:
    """Read a model, edited or not. ModelError says what is missing or damaged."""
    bundle = load_bundle(folder)
    path = folder / EDITS
    if not path.is_file():
        return unedited(bundle)
    try:
        edits = _edits(read_json_object(path))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise ModelError(
            f"{path} is damaged: {fault}\n"
            "The model can predict, but cannot be edited. Edit the model from which it was made."
        ) from fault
    origin = load_bundle(folder / ORIGIN)
    return EditedModel(origin, edits, bundle, joined_rules(origin, edits.additions).ruleset.rules)


def _edits(values: Mapping[str, Any]) -> Edits:
    if values.get("format") != FORMAT:
        raise ValueError(f"its format is {values.get('format')!r}, this version reads {FORMAT}")
    additions = tuple(Addition(str(new["rules"]), str(new["logic"])) for new in values["additions"])
    return Edits(additions, tuple(str(name) for name in values["disabled"]))
