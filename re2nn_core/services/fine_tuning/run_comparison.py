"""Two finished runs of a project side by side: settings that differ, figures by label, texts answered otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.services.fine_tuning.manual_overrides import by_hand_of
from re2nn_core.services.fine_tuning.run_material import NOT_NOTED, policy_of
from re2nn_core.services.fine_tuning.slot_filling.runs import of_slots, slot_defaults
from re2nn_core.services.fine_tuning.training_plan import choose_recipe, split_examples
from re2nn_core.services.prediction.classification.evaluation import LabelScores, Scores, score
from re2nn_core.services.prediction.classification.predictions import Answered
from re2nn_core.store import RunRecord
from re2nn_core.text.corpus import Corpus
from re2nn_core.training.config import TrainConfig

WHAT_TRAINS = "labels that train"
LEFT = "left to the recipe"
Part = Literal["network", "train", "labels"]
Winner = Literal["first", "second", "neither"]


@dataclass(frozen=True)
class SettingPair:
    """A setting that two runs were started with differently; of "labels", which of them trained by the policy."""

    part: Part
    name: str
    first: Any
    second: Any


@dataclass(frozen=True)
class LabelPair:
    """The figures of one label; None for a run that never gave it, where no text carries it either."""

    label: str
    first: LabelScores | None
    second: LabelScores | None

    @property
    def support(self) -> int:
        """The number of texts that carry the label."""
        given = self.first or self.second
        return 0 if given is None else given.support

    @property
    def change(self) -> float:
        """F1 of the second run less that of the first one."""
        return _f1(self.second) - _f1(self.first)


@dataclass(frozen=True)
class OtherAnswer:
    """A text that two runs answer differently. `place` is its place among the project's texts, `label` is its own;
    each run comes with the rules it was trained from."""

    place: int
    label: str
    first: str | None
    second: str | None
    first_rules: str | None
    second_rules: str | None

    @property
    def winner(self) -> Winner:
        """The run that is right; never both, since they differ."""
        if self.first == self.label:
            return "first"
        return "second" if self.second == self.label else "neither"

    @property
    def labels(self) -> frozenset[str]:
        """The labels it is about: its own and both answers."""
        return frozenset(label for label in (self.label, self.first, self.second) if label is not None)


@dataclass(frozen=True)
class RunComparison:
    """Two runs on the same labelled texts. `labels`: the largest difference in F1 in front; `differing`: the texts with
    different answers, in their order."""

    texts: int
    first: Scores
    second: Scores
    labels: tuple[LabelPair, ...]
    differing: tuple[OtherAnswer, ...]


def differing_settings(first: RunRecord, second: RunRecord) -> tuple[SettingPair, ...]:
    """The settings in which two runs differ, those of the network in front. A setting that a run does not name has its
    default; one that this version does not know any more is told as well. Where it was set by hand for one alone, it
    was left to the recipe for the other."""
    pairs = []
    network, train = slot_defaults() if of_slots(first) else (NetworkConfig(), TrainConfig())
    parts: tuple[tuple[Part, Mapping[str, Any]], ...] = (("network", asdict(network)), ("train", asdict(train)))
    for part, defaults in parts:
        one, other = first.config.get(part, {}), second.config.get(part, {})
        by_hand = [by_hand_of(run) if part == "train" else () for run in (first, second)]
        for name in dict.fromkeys((*defaults, *one, *other)):
            values = [given.get(name, defaults.get(name)) for given in (one, other)]
            if values[0] == values[1] and (name in by_hand[0]) != (name in by_hand[1]):
                values = [value if name in given else LEFT for value, given in zip(values, by_hand, strict=True)]
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
    if of_slots(run):
        return bool((run.result or {}).get("from_dev"))
    told = (run.result or {}).get("turns")
    if told is not None:
        return bool(told)
    copies = run.config.get("train", {}).get("copies")
    if copies is None:
        return False  # started before there were copies
    return choose_recipe(TrainConfig(copies=copies), split_examples(corpus)).turns


def compare_runs(
    first: Answered, second: Answered, labels: Sequence[str | None], places: Sequence[int]
) -> RunComparison:
    """Two networks' answers for the same texts, measured on those of these places; `labels` are all texts' own."""
    if first.texts != second.texts or len(labels) != len(first):
        raise ValueError("two runs can be compared on the same texts alone, with a label or None for each")
    gold = [labels[place] for place in places]
    scores = [score(gold, [side.answer(place) for place in places]) for side in (first, second)]
    differing = (_other_answer(first, second, label, place) for label, place in zip(gold, places, strict=True))
    return RunComparison(
        texts=sum(label is not None for label in gold),
        first=scores[0],
        second=scores[1],
        labels=label_pairs(*scores),
        differing=tuple(text for text in differing if text is not None),
    )


def label_pairs(first: Scores, second: Scores) -> tuple[LabelPair, ...]:
    """The labels of both, the largest difference in F1 in front, equal ones by their names."""
    sides = [{entry.label: entry for entry in scores.per_label} for scores in (first, second)]
    pairs = [LabelPair(label, sides[0].get(label), sides[1].get(label)) for label in {**sides[0], **sides[1]}]
    return tuple(sorted(pairs, key=lambda pair: (-abs(pair.change), pair.label)))


def _other_answer(first: Answered, second: Answered, label: str | None, place: int) -> OtherAnswer | None:
    answers = first.answer(place), second.answer(place)
    if label is None or answers[0] == answers[1]:
        return None
    return OtherAnswer(place, label, *answers, first.rules_answer(place), second.rules_answer(place))


def _f1(scores: LabelScores | None) -> float:
    return 0.0 if scores is None else scores.f1
