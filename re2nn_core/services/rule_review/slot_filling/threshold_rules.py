"""What each threshold of the grid makes of each rule of a tagger, and what the rule then says of texts: all that takes
long of the threshold explorer for slots (thresholds.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from re2nn_core.automata.output_sets import RuleTags, TagReader, TagSets
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.classification.learned_weight import LearnedWeight
from re2nn_core.reconstruction.classification.threshold_choice import KeptMachines
from re2nn_core.reconstruction.slot_filling.machine_changes import rule_machine
from re2nn_core.reconstruction.slot_filling.rewritten_rule import Rewriter, Rewritten
from re2nn_core.reconstruction.slot_filling.thresholded_arcs import read_tags_at_thresholds
from re2nn_core.reconstruction.slot_filling.weighted import WeightedRule
from re2nn_core.reconstruction.weights.word_set_description import word_sets
from re2nn_core.rules.ruleset import Rule
from re2nn_core.rules.tagging import tags_of_tree
from re2nn_core.services.rule_reconstruction.slot_filling.reconstruction import OnProgress
from re2nn_core.services.rule_systems.slot_filling.systems import SlotSystem, Tags

TagsByText = Mapping[int, TagSets]  # what a rule says of the texts that it accepts, by their number


@dataclass(frozen=True)
class RuleForm:
    """A rule in another form than the written one: the tags that it then gives, in their order, and what it says."""

    form: Rewritten
    tags: Tags
    tags_by_text: TagsByText


@dataclass(frozen=True)
class ThresholdRule:
    """One rule: its form at each threshold or why there is none, what it says as it is written, and the strongest that
    it has learned. Thresholds that give one form share it."""

    name: str
    at: Mapping[float, RuleForm | KeptMachines]
    written: TagsByText
    learned: LearnedWeight

    @property
    def forms(self) -> tuple[RuleForm, ...]:
        """The distinct forms, in the order of the grid."""
        return tuple({id(one): one for one in self.at.values() if isinstance(one, RuleForm)}.values())


def rules_at_thresholds(
    bundle: TaggerBundle,
    system: SlotSystem,
    weights: Sequence[WeightedRule],
    sentences: Sequence[Tags],
    on_progress: OnProgress | None,
) -> tuple[ThresholdRule, ...]:
    """All rules; `on_progress` is reported of each. `weights` of each rule; `sentences`: the words of the texts."""
    rewriter = Rewriter(system.ruleset, system.known_slots, lowercase=system.tokenization.lowercase)
    written = _by_rule(system.readings(sentences), len(weights))
    describe = word_sets(bundle, sentences).describe
    found = []
    for number, (rule, own) in enumerate(zip(system.ruleset.rules, weights, strict=True)):
        compiled = rule_machine(system.trees[number][1], rule.name, bundle.config.transducer)
        at, learned = read_tags_at_thresholds(
            rule, compiled, own, bundle.vocabulary, bundle.network.tags, rewriter, describe=describe
        )
        found.append(ThresholdRule(rule.name, _with_tags(rule, at, rewriter, sentences), written[number], learned))
        if on_progress is not None:
            on_progress(number + 1, len(weights))
    return tuple(found)


def _with_tags(
    rule: Rule, at: Mapping[float, Rewritten | KeptMachines], rewriter: Rewriter, sentences: Sequence[Tags]
) -> dict[float, RuleForm | KeptMachines]:
    """The same with what each form says; all forms of a rule read the texts at once."""
    forms = list({id(one): one for one in at.values() if isinstance(one, Rewritten)}.values())
    if not forms:
        return {threshold: one for threshold, one in at.items() if isinstance(one, KeptMachines)}
    trees = [rewriter.tagged_tree(rule, form) for form in forms]
    tags_by_text = _by_rule(TagReader(trees, [rule.name] * len(trees)).read(sentences), len(trees))
    made = {
        id(form): RuleForm(form, tags_of_tree(tree), own)
        for form, tree, own in zip(forms, trees, tags_by_text, strict=True)
    }
    return {threshold: one if isinstance(one, KeptMachines) else made[id(one)] for threshold, one in at.items()}


def _by_rule(readings: Sequence[Sequence[RuleTags]], rules: int) -> list[dict[int, TagSets]]:
    """For each rule what it says of the texts that it accepts."""
    found: list[dict[int, TagSets]] = [{} for _ in range(rules)]
    for text, own in enumerate(readings):
        for reading in own:
            found[reading.rule][text] = reading.sets
    return found
