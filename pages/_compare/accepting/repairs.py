"""Which changes repair what another one breaks: a harmless one with no gain of its own may be what a recommended one
needs beside it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

import streamlit as st

from pages._compare.accepting.evaluation import Analysed, Evaluation, Moved, Records
from pages._compare.accepting.held_out import HeldOutGains
from pages._compare.reconstructed.shared import Compared, Found, System
from pages._shared.resources import store
from re2nn_core.services.rule_reconstruction.classification.rule_changes import Acceptance
from re2nn_core.services.rule_review.change_effects import ChangeEffect
from re2nn_core.services.rule_review.change_repairs import Repair, Repairs, repair_of, repaired_texts
from re2nn_core.services.values.stored import ProjectRecord, RuleVersion

# What is looked at: changes that break texts, those of each that may repair them, their texts, pairs that are measured
# on all texts. The first ones break and read most.
_BREAKING, _REPAIRING, _TEXTS, _MEASURED = 12, 12, 60, 12
_LEAST = 2  # texts that are repaired
Accept = Callable[[Collection[str], RuleVersion], Acceptance]


def repairs_among(
    evaluation: Evaluation[Analysed, Moved],
    project: ProjectRecord,
    compared: Compared[Found, System],
    versions: Mapping[str, RuleVersion],
    alone: HeldOutGains,
    accept: Accept,
) -> Repairs:
    """By the rule whose change breaks texts those that repair some of them. `versions` are those in which each change
    is measured, with the effect that it has `alone`; `accept` accepts some of them into a version. Errors as
    `Evaluation.of`."""
    breaking = sorted(
        (name for name, effect in alone.effects.items() if len(effect.moved.broken)),
        key=lambda name: (-len(alone.effects[name].moved.broken), name),
    )
    texts = tuple(sorted({text for version in versions.values() for text in (version.rules_text, version.logic_text)}))
    known = store().url, project.id, project.updated_at, compared.run.id
    key = *known, tuple(sorted(compared.edited)), compared.found.rules_text, texts

    def found() -> Repairs:
        search = _Search(evaluation, project, compared.records, versions, alone.effects, accept)
        return {name: repairs for name in breaking[:_BREAKING] if (repairs := search.of(name))}

    return _repairs(key, found) if breaking else {}


@st.cache_resource(show_spinner="Measuring changes together", max_entries=60)
def _repairs(key: tuple[object, ...], _found: Callable[[], Repairs]) -> Repairs:
    return _found()


@dataclass
class _Search(Generic[Analysed, Moved]):
    """`left`: pairs that are still measured on all texts."""

    evaluation: Evaluation[Analysed, Moved]
    project: ProjectRecord
    records: Records
    versions: Mapping[str, RuleVersion]
    effects: Mapping[str, ChangeEffect]
    accept: Accept
    left: int = _MEASURED

    def of(self, name: str) -> Mapping[str, Repair]:
        """The changes that repair what this one breaks."""
        broken = list(map(int, self.effects[name].moved.broken))[:_TEXTS]
        others = {other: self._read_otherwise(other, broken) for other in self.effects if other != name}
        ordered = sorted((other for other in others if others[other]), key=lambda other: (-others[other], other))
        version = self.versions[name]
        analyse = self.evaluation.analyse_few(self.project, [self.records[place] for place in broken])
        before, alone = (self.evaluation.errors(analyse(rules)) for rules in (version, self.accept({name}, version)))
        found: dict[str, Repair] = {}
        for other in ordered[:_REPAIRING]:
            both = self.accept({name, other}, version)
            count = repaired_texts(before, alone, self.evaluation.errors(analyse(both)))
            if count >= _LEAST:
                found[other] = self._measured(name, both, count)
        return found

    def _read_otherwise(self, name: str, places: Sequence[int]) -> int:
        """Of how many texts the change of a rule makes it say something else."""
        effect, reads = self.effects[name], self.evaluation.reads
        pairs = zip(reads(effect.now, name, places), reads(effect.before, name, places), strict=True)
        return sum(now != before for now, before in pairs)

    def _measured(self, name: str, both: Acceptance, count: int) -> Repair:
        """The repair, with what it does to all other texts where there is time for that."""
        if not self.left:
            return Repair(count)
        self.left -= 1
        alone, now = self.effects[name].now, self.evaluation.of(self.project, both)
        gains = [now_share - share for _, share, now_share in self.evaluation.measured(alone, now, self.records)]
        return repair_of(count, self.evaluation.effect(now, alone), gains)
