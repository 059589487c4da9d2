"""The rule that is looked at, and what its parts of the page are drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from pages._compare.accepting.accepted_changes import AcceptedChanges
from pages._compare.newest import Newest
from pages._compare.reconstructed.shared import Compared, Found, System
from pages._compare.reconstructed.slot_filling import Entry
from pages._shared.drawing.labels import Palette
from re2nn_core.services.rule_reconstruction.classification.reconstruction import Reconstruction, RuleChange
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import SlotReconstruction
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.stored import ProjectRecord

Change = TypeVar("Change", RuleChange, Entry)


@dataclass(frozen=True)
class Side(Generic[System]):
    """The written rules that a reconstructed one is seen beside, and what they are called; `trained`: whether they
    are those that the network was trained from."""

    system: System
    title: str
    trained: bool


@dataclass(frozen=True)
class ChosenRule(Generic[Found, System, Change]):
    """A rule of a comparison; `seen` is its change as it is seen from the written side. `trial`: the changes that are
    accepted, None where they could not be measured."""

    project: ProjectRecord
    compared: Compared[Found, System]
    change: Change
    seen: Change
    side: Side[System]
    newest: Newest
    palette: Palette
    trial: AcceptedChanges[Found, System, Any, Any] | None


LabelRule: TypeAlias = ChosenRule[Reconstruction, RuleSystem, RuleChange]
SlotRule: TypeAlias = ChosenRule[SlotReconstruction, SlotSystem, Entry]
