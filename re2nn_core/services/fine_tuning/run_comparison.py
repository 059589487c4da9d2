"""Two finished runs of a project side by side, for both tasks: the settings that differ, and what they learned from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from re2nn_core.services.fine_tuning.job import training_of
from re2nn_core.services.fine_tuning.manual_overrides import manual_overrides_of, run_settings
from re2nn_core.services.fine_tuning.run_material import NOT_NOTED, policy_of
from re2nn_core.store import RunRecord
from re2nn_core.text.corpus import Corpus

WHAT_TRAINS = "labels that train"
LEFT = "left to the recipe"
Part = Literal["network", "train", "labels"]


@dataclass(frozen=True)
class SettingPair:
    """A setting that two runs were started with differently; of "labels", which of them trained by the policy."""

    part: Part
    name: str
    first: Any
    second: Any


def differing_settings(first: RunRecord, second: RunRecord) -> tuple[SettingPair, ...]:
    """The settings in which two runs differ, those of the network in front. A setting that a run does not name has its
    default; one that this version does not know any more is told as well. Where it was set by hand for one alone, it
    was left to the recipe for the other."""
    pairs = []
    network, train = training_of(first).defaults()
    parts: Mapping[Part, Mapping[str, Any]] = {"network": asdict(network), "train": asdict(train)}
    for part, defaults in parts.items():
        one, other = run_settings(first, part), run_settings(second, part)
        manual_overrides = [manual_overrides_of(run) if part == "train" else () for run in (first, second)]
        for name in dict.fromkeys((*defaults, *one, *other)):
            values = [given.get(name, defaults.get(name)) for given in (one, other)]
            if values[0] == values[1] and (name in manual_overrides[0]) != (name in manual_overrides[1]):
                values = [
                    value if name in given else LEFT for value, given in zip(values, manual_overrides, strict=True)
                ]
            if values[0] != values[1]:
                pairs.append(SettingPair(part, name, *values))
    policies = [policy_of(run) or NOT_NOTED for run in (first, second)]
    if policies[0] != policies[1]:
        pairs.append(SettingPair("labels", WHAT_TRAINS, *policies))
    return tuple(pairs)


def learned_from_dev(run: RunRecord, corpus: Corpus) -> bool:
    """Whether the copies of a run took turns at learning from dev texts, as its result says; where that is
    older, by its settings and the labels as they are.

    Its network has then seen these texts, and its dev accuracy was measured on shares of all labelled texts."""
    return training_of(run).learned_from_dev(run, corpus)
