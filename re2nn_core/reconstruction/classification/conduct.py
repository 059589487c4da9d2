"""Conducts the reconstruction of a classification network: thresholds, label logic, new rules, comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.reconstruction.classification.encoded_texts import number_texts
from re2nn_core.reconstruction.classification.label_logic import RoundedLogic, rounded_logic
from re2nn_core.reconstruction.classification.mined_phrases import mined_phrases
from re2nn_core.reconstruction.classification.moved_rules import moved_rules, with_exceptions
from re2nn_core.reconstruction.classification.new_rules import shorter_mined, with_new_rules
from re2nn_core.reconstruction.classification.predicted_texts import PredictedTexts, PredictLabels, predicted_texts
from re2nn_core.reconstruction.classification.report import Reconstruction
from re2nn_core.reconstruction.classification.rule_comparison import rule_changes, split_accuracies
from re2nn_core.reconstruction.classification.rule_text import can_be_written, rebuilt
from re2nn_core.reconstruction.classification.threshold_choice import (
    MIN_GAIN,
    Candidate,
    ThresholdChoice,
    choose,
    distinct,
    read_at_thresholds,
    why_unread,
)
from re2nn_core.reconstruction.expressions.simplify import BUDGET
from re2nn_core.reconstruction.weights.class_names import (
    Describe,
    DescribeWords,
    class_words_by_weights,
    strongest_words,
)
from re2nn_core.reconstruction.weights.edges import MovedEdges
from re2nn_core.reconstruction.weights.held_out_words import held_out_words, read_as_unknown
from re2nn_core.reconstruction.weights.thresholded_arcs import as_thresholded
from re2nn_core.reconstruction.weights.weighted import WeightedMachine, weighted_machines
from re2nn_core.reconstruction.weights.word_set_description import word_sets
from re2nn_core.rules.logic.label_logic import LabelLogic, write_logic
from re2nn_core.rules.printer import write_rules
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.tensors.machines import Machines
from re2nn_core.text.corpus import Corpus

OnProgress = Callable[[int, int], None]


def reconstruct_rules(
    bundle: Bundle,
    corpus: Corpus,
    predict: PredictLabels,
    *,
    on_progress: OnProgress | None = None,
    simplify: bool = True,
) -> Reconstruction:
    """The rules that a network has learned. Thresholds are chosen on the labelled dev texts, the labelled train texts
    with them where the corpus has some (on all labelled texts where there is no dev split); test texts are only
    measured, and words that they alone hold are not named. Label logic that trained aggregation layers round to is
    taken where more of these texts come out right with it. Phrases of train texts that set predictions right become new
    rules; where there are no dev texts, all texts take turns at deciding. `predict` is called once. `simplify`:
    reconstructed rules are made as short as they can be; else they say arc by arc what the machines do. InputError
    without labelled texts."""
    texts = predicted_texts(bundle, corpus, predict)
    numbered = number_texts(texts.sentences)
    named = bundle.ruleset.words
    hidden = held_out_words(bundle.vocabulary, corpus, texts.matches.sentences, named)
    weighted = [read_as_unknown(one, hidden) for one in weighted_machines(bundle.network, bundle.vocabulary)]
    read = [read_at_thresholds(machine, numbered) for machine in weighted]
    choice, rounded = _chosen(bundle, texts, [distinct(found) for found in read], on_progress)
    describe = word_sets(bundle, texts.sentences).describe
    rules = _rules_of(bundle, choice, rounded, _reporters(bundle, choice, weighted, describe), simplify=simplify)
    ruleset, logic = _with_new_rules(bundle, texts, *rules, describe, simplify=simplify)
    moved = moved_rules(bundle, choice, weighted, describe, ruleset)
    result = _compared(bundle, texts, moved, rounded, (with_exceptions(ruleset, moved), logic))
    return _with_unread(result, bundle.machines, [why_unread(found) for found in read])


def _chosen(
    bundle: Bundle,
    texts: PredictedTexts,
    candidates: Sequence[Sequence[Candidate]],
    on_progress: OnProgress | None,
) -> tuple[ThresholdChoice, RoundedLogic]:
    """The machines at the thresholds that suit the texts best, and the label logic with which they do."""
    machines = bundle.machines
    written = texts.matches.of([machine.tree for machine in machines.machines])[texts.choosing]
    gold, by_network = texts.chosen_labels(machines.logic.labels)

    def chosen(logic: LabelLogic) -> ThresholdChoice:
        return choose(
            logic, machines.names, written, candidates, gold, by_network, texts.is_dev, on_progress=on_progress
        )

    choice, rounded = chosen(machines.logic), rounded_logic(bundle.network, machines.logic)
    other = chosen(rounded.logic) if rounded.changed else choice
    if other.right >= choice.right + MIN_GAIN and other.dev >= choice.dev:
        return other, rounded
    return choice, replace(rounded, logic=machines.logic, changed=())


def _rules_of(
    bundle: Bundle,
    choice: ThresholdChoice,
    rounded: RoundedLogic,
    describe_words: Mapping[str, DescribeWords],
    *,
    simplify: bool,
) -> tuple[RuleSet, LabelLogic]:
    """The rules with the chosen machines in the place of the written ones."""
    changed = {
        machine.name: candidate.dfa
        for machine, candidate in zip(bundle.machines.machines, choice.chosen, strict=True)
        if candidate is not None
    }
    if simplify:  # the rules of a faithful network have every transition written out
        before = [machine for machine in bundle.machines.machines if set(machine.rules) <= bundle.moved.keys()]
        shorter = {m.name: m.dfa for m in before if len(m.rules) == 1 and can_be_written(m.dfa)}
        changed = {**shorter, **changed}
    machines = Machines(bundle.machines.machines, rounded.logic)
    return rebuilt(bundle.ruleset, machines, changed, describe_words, effort=BUDGET if simplify else 0)


def _reporters(
    bundle: Bundle, choice: ThresholdChoice, weighted: Sequence[WeightedMachine], describe: Describe
) -> dict[str, DescribeWords]:
    """For each machine what to say of its word classes."""
    return {
        machine.name: class_words_by_weights(
            strongest_words(weights), candidate.machine if candidate else as_thresholded(machine.dfa), describe
        )
        for machine, candidate, weights in zip(bundle.machines.machines, choice.chosen, weighted, strict=True)
    }


def _with_new_rules(
    bundle: Bundle, texts: PredictedTexts, ruleset: RuleSet, logic: LabelLogic, describe: Describe, *, simplify: bool
) -> tuple[RuleSet, LabelLogic]:
    """Rules and logic with rules of phrases that set predictions right; a faithful network has them already."""
    if bundle.faithful:
        return shorter_mined(ruleset) if simplify else ruleset, logic
    # Their trees may hold references to classes, so they are printed and read.
    read = texts.read(write_rules(ruleset), write_logic(logic), lowercase=bundle.tokenization.lowercase)
    predictions, (gold, _) = read.indices[texts.choosing], texts.chosen_labels(bundle.machines.logic.labels)
    mined = mined_phrases(logic, texts.sentences, predictions, gold, texts.is_dev)
    return with_new_rules(ruleset, logic, mined, describe=describe, effort=BUDGET if simplify else 0)


def _compared(
    bundle: Bundle,
    texts: PredictedTexts,
    moved: Mapping[str, MovedEdges],
    rounded: RoundedLogic,
    rules: tuple[RuleSet, LabelLogic],
) -> Reconstruction:
    """The rules as they are printed, and how they compare with the written ones."""
    rules_text, logic_text = write_rules(rules[0]), write_logic(rules[1])
    lowercase = bundle.tokenization.lowercase
    original = texts.read(*bundle.written, lowercase=lowercase)
    new = texts.read(rules_text, logic_text, lowercase=lowercase, file="<reconstructed rules>")
    changes, new_rules = rule_changes(moved, original, new)
    return Reconstruction(
        rules_text,
        logic_text,
        tuple(split_accuracies(texts, original, new)),
        changes,
        rounded.changed,
        rounded.unclear,
        new_rules,
        tuple(name for name in original.names if name not in set(new.names)),
    )


def _with_unread(result: Reconstruction, machines: Machines, why: Sequence[str]) -> Reconstruction:
    """The same with what is reported of rules whose machine could not be read back; `why` of each machine."""
    of_rule = {rule: reasons for machine, reasons in zip(machines.machines, why, strict=True) for rule in machine.rules}
    rules = (replace(rule, unread=of_rule.get(rule.name, "")) if rule.kept_original else rule for rule in result.rules)
    return replace(result, rules=tuple(rules))
