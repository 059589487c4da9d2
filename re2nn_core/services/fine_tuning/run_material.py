"""What a run of a project was trained on: the policy as it was then, and which texts had a label that trained.

Kept in the run's folder beside the network, so that neither a later policy nor a later label changes it. Runs from
before it was kept say nothing of it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from re2nn_core.errors import InputError
from re2nn_core.files import read_json_object, write_whole
from re2nn_core.network.model_card import CARD, POLICY
from re2nn_core.services.fine_tuning.training_texts import MATERIAL, copy_training_texts
from re2nn_core.services.team.training_labels import LabelledMaterial
from re2nn_core.store import Policy, RunRecord, read_policy
from re2nn_core.text.counting import counted

FILE = MATERIAL
NOT_NOTED = "not noted"


@dataclass(frozen=True)
class RunMaterial:
    """Positions of texts in their project: `labelled` had a label that trained or that was measured on, `waiting` one
    that the policy did not take."""

    policy: Policy
    labelled: frozenset[int]
    waiting: frozenset[int]

    @property
    def in_words(self) -> str:
        """A sentence."""
        return _trained_on(self.policy.in_words, len(self.waiting))

    @property
    def as_data(self) -> dict[str, Any]:
        """What a run's result keeps of it, and what programs are reported."""
        return {"policy": self.policy.written, "waiting": len(self.waiting)}


def material_now(material: LabelledMaterial) -> RunMaterial:
    """What a training that begins now would be trained on."""
    waiting = frozenset(material.waiting)
    return RunMaterial(
        material.policy,
        frozenset(record.position for record in material.records if record.label is not None),
        frozenset(record.position for record in material.records if record.id in waiting),
    )


def keep_material(folder: Path, material: RunMaterial) -> None:
    """Write it into the folder of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    values = {
        "policy": material.policy.written,
        "labelled": _ranges(material.labelled),
        "waiting": _ranges(material.waiting),
    }
    write_whole(folder / FILE, json.dumps(values))
    _note_in_card(folder, material.in_words)


def copy_material(former: Path, folder: Path) -> None:
    """An edited network has learned from what the one had that it was made from."""
    copy_training_texts(former, folder)
    if (former / FILE).is_file():
        shutil.copyfile(former / FILE, folder / FILE)
    if (kept := kept_material(folder)) is not None:
        _note_in_card(folder, kept.in_words)


def _note_in_card(folder: Path, in_words: str) -> None:
    """Name the policy in the card of the model; runs of former versions have none."""
    path = folder / CARD
    if path.is_file():
        write_whole(path, path.read_text(encoding="utf-8").replace(POLICY, in_words))


def kept_material(folder: Path) -> RunMaterial | None:
    """What is kept in the folder of a run or model; None where nothing is, or nothing that can be read."""
    try:
        values = read_json_object(folder / FILE)
        return RunMaterial(
            read_policy(str(values["policy"])), _positions(values["labelled"]), _positions(values["waiting"])
        )
    except (OSError, ValueError, LookupError, TypeError, InputError):
        return None


def policy_of(run: RunRecord) -> str:
    """The policy that a run was trained under, in words; empty where it was not noted."""
    written = (run.result or {}).get("policy")
    try:
        return "" if written is None else read_policy(str(written)).in_words
    except InputError:
        return ""


def policy_sentence(run: RunRecord) -> str:
    """What the result of a run says of it; empty where it was not noted."""
    policy = policy_of(run)
    return _trained_on(policy, int((run.result or {}).get("waiting") or 0)) if policy else ""


def _trained_on(policy: str, waiting: int) -> str:
    waits = f"; {counted(waiting, 'text')} waited" if waiting else ""
    return f"Trained on {policy}{waits}."


def result_of(run: RunRecord) -> Mapping[str, Any]:
    """What a run's result keeps of its material."""
    return {key: value for key, value in (run.result or {}).items() if key in ("policy", "waiting")}


def apart_in_words(
    material: RunMaterial, positions: Sequence[int], *, learned: bool, own_predictions: bool = False, who: str = ""
) -> str:
    """How many of these texts, which have a label now, had none that counted when the network was trained, and why;
    empty where all had one. `learned`: those that had one were learned from, else measured on; `own_predictions`: texts
    without a label were learned from with the rules' predictions; `who`: whose network it is."""
    apart = [position for position in positions if position not in material.labelled]
    if not apart:
        return ""
    waited = sum(position in material.waiting for position in apart)
    later = len(apart) - waited
    did = "used for training" if learned else "measured in the training"
    reasons = [
        f"{waited:,} did not meet the training labels policy ({material.policy.in_words})" if waited else "",
        f"{later:,} {'was' if later == 1 else 'were'} added or labelled later" if later else "",
    ]
    done = len(positions) - len(apart)
    of = f"{done:,} of these {counted(len(positions), 'text')} {'was' if done == 1 else 'were'} {did}"
    with_label = " with their labels" if own_predictions and learned else ""
    not_done = f"{len(apart):,} {'was' if len(apart) == 1 else 'were'} not{with_label}"
    message = f"{of}, {not_done}: {' and '.join(filter(None, reasons))}."
    return f"{who}: {message}" if who else message


def _ranges(positions: Iterable[int]) -> list[list[int]]:
    """Numbers as [first, last], the shorter way where few are missing."""
    found: list[list[int]] = []
    for position in sorted(positions):
        if found and position == found[-1][1] + 1:
            found[-1][1] = position
        else:
            found.append([position, position])
    return found


def _positions(ranges: Iterable[Sequence[int]]) -> frozenset[int]:
    return frozenset(position for first, last in ranges for position in range(first, last + 1))
