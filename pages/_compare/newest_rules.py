"""The rules of the newest version where they are others than those that a network was trained from: what predictions by
them, and their figures on the same texts as those of the network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from pages._compare.accepting.evaluation import LABELS, SLOTS
from pages._compare.newest import Newest
from pages._compare.reconstructed.shared import LabelComparison, SlotComparison, System
from pages._shared.cached.systems import slot_system, system_of
from pages._shared.drawing.markup import escape
from re2nn_core.errors import Re2nnError
from re2nn_core.services.rule_systems.classification.systems import RuleSystem
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem
from re2nn_core.services.values.stored import ProjectRecord, TextRecord


@dataclass(frozen=True)
class NewestRules(Generic[System]):
    """What the rules trained from are called, and the newest ones; what predictions by these, and their figure on each
    split, as a share of 1. `fresh`: the figures beside them are of the texts and labels as they are now."""

    titles: tuple[str, str]
    system: System
    shares: Mapping[str, float]
    fresh: bool

    def share(self, split: str) -> float | None:
        """The figure of a split; None where the figures beside it are of texts or labels that were others."""
        return self.shares.get(split) if self.fresh else None

    @property
    def versions(self) -> tuple[str, str]:
        """What both are called in a sentence: "v1" and "v2"."""
        trained, now = (title.partition(",")[0] for title in self.titles)
        return trained, now

    @property
    def note(self) -> str:
        """Why there is no figure, as HTML; empty where there is one."""
        if self.fresh:
            return ""
        message = "has no figures here until the comparison is measured again, because texts or labels have changed"
        return f'<div class="re2-muted">{escape(self.titles[1])}, {message}.</div>'


def titles_of(newest: NewestRules[Any] | None) -> list[str]:
    """The heads of the columns of written rules: those trained from, and the newest where they are others."""
    if newest is None:
        return ["written rules"]
    return [f"written rules ({version})" for version in newest.versions]


def newest_rules(project: ProjectRecord, found: LabelComparison, newest: Newest) -> NewestRules[RuleSystem] | None:
    """The newest rules for labels; None where they are those that the network was trained from, or cannot be read."""
    version, trained = newest.version, found.original
    try:
        system = system_of(version, project.tokenization)
        if (_rules(system), system.logic) == (_rules(trained), trained.logic):
            return None
        now = LABELS.of(project, version)
    except Re2nnError:
        return None  # told beside, where the changes are measured against that version
    places = _places(found.records, "")
    places.setdefault("dev", [place for of_split in places.values() for place in of_split])  # where no text is dev
    labels = [record.label for record in found.records]
    right = {split: sum(now.prediction(place) == labels[place] for place in there) for split, there in places.items()}
    shares = {split: right[split] / len(there) for split, there in places.items() if there}
    return NewestRules(newest.titles, system, shares, found.fresh)


def newest_slot_rules(project: ProjectRecord, found: SlotComparison, newest: Newest) -> NewestRules[SlotSystem] | None:
    """The same for slots; the figure is F1 of spans."""
    version = newest.version
    try:
        system = slot_system(version, project)
        if (system.trees, system.logic) == (found.original.trees, found.original.logic):
            return None
        now = SLOTS.of(project, version)
    except Re2nnError:
        return None
    places = _places(found.records, "train")
    shares = {split: now.counts_on(there).f1 or 0.0 for split, there in places.items()}
    return NewestRules(newest.titles, system, shares, found.fresh)


def _rules(system: RuleSystem) -> list[object]:
    return [(rule.name, rule.label, rule.expanded) for rule in system.ruleset.rules]


def _places(records: Sequence[TextRecord], other: str) -> dict[str, list[int]]:
    """The places of the labelled texts of each split; `other` is that of texts of none."""
    found: dict[str, list[int]] = {}
    for place, record in enumerate(records):
        if record.label is not None:
            found.setdefault(record.split or other, []).append(place)
    return found
