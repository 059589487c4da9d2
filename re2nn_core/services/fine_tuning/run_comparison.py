"""Two finished runs of a project side by side, for both tasks: the settings that differ, and what they learned from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from re2nn_core.services.fine_tuning.dev_figures import PROVE_LITTLE
from re2nn_core.services.fine_tuning.job import training_of
from re2nn_core.services.fine_tuning.manual_overrides import manual_overrides_of, run_settings
from re2nn_core.services.fine_tuning.run_material import NOT_NOTED, kept_material, policy_of
from re2nn_core.services.fine_tuning.runs import RunSummary
from re2nn_core.store import RunRecord, TextRecord
from re2nn_core.text.corpus import Corpus, Example

WHAT_TRAINS = "labels that train"
LEFT = "chosen by the training plan"
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
    default; one that this version does not know any more is reported as well. Where it was set by hand for one alone,
    it was left to the recipe for the other."""
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


def better_run(row: RunSummary, rows: Iterable[RunSummary]) -> RunSummary | None:
    """The finished run whose figure on the same texts, none of which it was trained on, is the highest; None where no
    run has a higher one than this."""
    if row.dev is None or not row.dev_texts or row.dev_name in PROVE_LITTLE:
        return None
    same = [
        one for one in rows if one.dev is not None and (one.dev_name, one.dev_texts) == (row.dev_name, row.dev_texts)
    ]
    best = max(same, key=lambda one: one.dev or 0.0, default=row)
    return best if round(best.dev or 0.0, 3) > round(row.dev, 3) else None


def why_not_comparable(first: RunRecord, second: RunRecord) -> tuple[str, ...]:
    """In what two runs differ besides their settings, so that their figures cannot be compared as if these alone did:
    word vectors, rules, and the labelled texts. Each in words."""
    vectors = [(run.result or {}).get("vectors") or "none" for run in (first, second)]
    found = [f"word vectors ({vectors[0]} and {vectors[1]})"] if vectors[0] != vectors[1] else []
    if None not in (first.rule_version_id, second.rule_version_id) and first.rule_version_id != second.rule_version_id:
        found.append("rules")
    texts = [kept_material(run.folder) for run in (first, second)]
    if texts[0] is not None and texts[1] is not None and texts[0].labelled != texts[1].labelled:
        counts = " and ".join(f"{len(one.labelled):,}" for one in texts if one is not None)
        found.append(f"labelled texts ({counts})")
    return tuple(found)


def learned_from_dev(run: RunRecord, texts: Iterable[TextRecord | Example]) -> bool:
    """Whether the copies of a run took turns at learning from dev texts, as its result says; where that is
    older, by its settings and the labels of the texts as they are.

    Its network has then seen these texts, and its dev accuracy was measured on shares of all labelled texts."""

    def labelled() -> Corpus:
        return Corpus(tuple(Example(one.text, one.label, one.split) for one in texts if one.label is not None))

    return training_of(run).learned_from_dev(run, labelled)


@dataclass(frozen=True)
class Learned:
    """What a network has learned from: `texts` with their labels, and whether dev texts are among them (`from_dev`)."""

    texts: frozenset[str] = frozenset()
    from_dev: bool = False


def learned_texts(run: RunRecord, records: Sequence[TextRecord]) -> Learned:
    """What a run has learned from, of all texts of its project; by the labels as they are where it did not note it."""
    from_dev = learned_from_dev(run, records)
    parts = (None, "train", "dev") if from_dev else (None, "train")
    material = kept_material(run.folder)
    now = {one.position for one in records if one.label is not None}
    labelled = now if material is None else material.labelled
    return Learned(frozenset(one.text for one in records if one.split in parts and one.position in labelled), from_dev)


@dataclass(frozen=True)
class Seen:
    """Of `texts` labelled texts that a network is measured on, it has learned from `learned`; `rest` is the figure of
    the others, None where there are none."""

    learned: int
    texts: int
    rest: float | None

    def in_words(self, shown: Callable[[float], str]) -> str:
        """`9 of these 80 texts were trained on; without them 95.8%`; empty where none was."""
        if not self.learned:
            return ""
        if self.texts == 1:
            return "This labelled text was trained on."
        of = f"{self.learned:,} of these" if self.learned < self.texts else "All of these"
        verb = "was" if self.learned == 1 else "were"
        rest = "" if self.rest is None else f"; without them {shown(self.rest)}"
        return f"{of} {self.texts:,} labelled texts {verb} trained on{rest}."


def seen_in_training(
    learned: Collection[str],
    texts: Sequence[str],
    labelled: Sequence[bool],
    measure: Callable[[Sequence[bool]], float | None],
) -> Seen:
    """How many of the labelled ones of these texts were `learned` from; `measure` is reported which texts count."""
    known = [given and text in learned for text, given in zip(texts, labelled, strict=True)]
    rest = [given and not seen for given, seen in zip(labelled, known, strict=True)]
    return Seen(sum(known), sum(labelled), measure(rest) if any(rest) else None)
