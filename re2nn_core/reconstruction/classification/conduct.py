"""Conducts the reconstruction of a classification network: thresholds, label logic, new rules, comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.reconstruction.classification.encoded_texts import NumberedTexts, number_texts
from re2nn_core.reconstruction.classification.fewer_words import FewerWords
from re2nn_core.reconstruction.classification.label_logic import RoundedLogic, rounded_logic
from re2nn_core.reconstruction.classification.mined_phrases import MOST_WORDS, PhraseForLabel
from re2nn_core.reconstruction.classification.moved_rules import moved_rules, with_exceptions
from re2nn_core.reconstruction.classification.new_rules import shorter_mined, with_new_rules
from re2nn_core.reconstruction.classification.predicted_texts import PredictedTexts, PredictLabels, predicted_texts
from re2nn_core.reconstruction.classification.report import Reconstruction
from re2nn_core.reconstruction.classification.rule_comparison import added_words, rule_changes, split_accuracies
from re2nn_core.reconstruction.classification.rule_text import can_be_written, rebuilt
from re2nn_core.reconstruction.classification.size_choice import SizeChoice, SizedChoice
from re2nn_core.reconstruction.classification.threshold_choice import (
    MIN_GAIN,
    Candidate,
    KeptMachines,
    ThresholdChoice,
    distinct,
    read_at_thresholds,
    why_unread,
)
from re2nn_core.reconstruction.expressions.simplify import BUDGET
from re2nn_core.reconstruction.stopping import Stop
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
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import RuleSet
from re2nn_core.tensors.machines import Machines
from re2nn_core.text.corpus import Corpus

OnProgress = Callable[[int, int], None]
WithMoreRules = Callable[[str, str, int], tuple[str, str]]
LOOKED_AT = (0.3, 0.5, 0.7)  # thresholds: what comes at none of them is noise, or is there at the others too


def reconstruct_rules(
    bundle: Bundle,
    corpus: Corpus,
    predict: PredictLabels,
    *,
    on_progress: OnProgress | None = None,
    simplify: bool = True,
    most_words: int = MOST_WORDS,
    with_more: WithMoreRules | None = None,
    stop: Stop | None = None,
) -> Reconstruction:
    """The rules that a network has learned. Words are chosen on the labelled dev texts, the labelled train texts
    with them where the corpus has some (on all labelled texts but test where there is no dev split), and on what the
    network predicts of unlabelled texts; test texts are only measured, and words that they alone hold are not named.
    Changed and new rules name at most `most_words` words that the written ones do not, and fewer where more gain
    nothing on texts that had no part in choosing them. Label logic that trained aggregation layers round to is taken
    where more of these texts come out right with it. Phrases of these texts that set predictions right become new
    rules. `predict` is called once. `simplify`: reconstructed rules are made as short as they can be; else they say arc
    by arc what the machines do. `with_more`: adds rules to rules and label logic as they are printed, which name at
    most so many words, where no phrase sets predictions right. Once `stop` is asked to, the best of what was tried by
    then is kept; where that is nothing, the rules as written. InputError without labelled texts."""
    stop = stop or Stop()
    texts = predicted_texts(bundle, corpus, predict)
    numbered = number_texts(texts.sentences)
    named = bundle.ruleset.words
    hidden = held_out_words(bundle.vocabulary, corpus, texts.matches.sentences, named)
    weighted = [read_as_unknown(one, hidden) for one in weighted_machines(bundle.network, bundle.vocabulary)]
    read = [_read(machine, numbered, stop) for machine in weighted]
    candidates = [distinct(found) for found in read]
    sized, rounded = _chosen(bundle, texts, numbered, candidates, most_words, on_progress, stop)
    choice, describe = sized.machines, word_sets(bundle, texts.sentences).describe
    rules = _rules_of(bundle, choice, rounded, _reporters(bundle, choice, weighted, describe), simplify=simplify)
    ruleset, logic = _with_new_rules(bundle, sized.phrases, *rules, describe, simplify=simplify)
    moved = moved_rules(bundle, choice, weighted, describe, ruleset)
    written = write_rules(with_exceptions(ruleset, moved)), write_logic(logic)
    if with_more and not sized.phrases and not stop.asked():
        now = read_rules(written[0], lowercase=bundle.tokenization.lowercase).ruleset
        written = with_more(*written, max(0, most_words - _words_more(bundle, now)))
    result = _compared(bundle, texts, moved, rounded, written)
    return _with_unread(result, bundle.machines, [why_unread(found) for found in read])


def _read(machine: WeightedMachine, texts: NumberedTexts, stop: Stop) -> dict[float, Candidate | KeptMachines]:
    """What a few thresholds make of a machine; all of them, where these make nothing that can be read. Nothing once
    `stop` is asked to: it stays as written."""
    if stop.asked():
        return {}
    found = read_at_thresholds(machine, texts, LOOKED_AT)
    return found if distinct(found) else read_at_thresholds(machine, texts)


def _chosen(
    bundle: Bundle,
    texts: PredictedTexts,
    numbered: NumberedTexts,
    candidates: Sequence[Sequence[Candidate]],
    most_words: int,
    on_progress: OnProgress | None,
    stop: Stop,
) -> tuple[SizedChoice, RoundedLogic]:
    """The machines and phrases that suit the texts best, and the label logic with which they do."""
    machines = bundle.machines
    choosing = SizeChoice(
        machines.names,
        texts.matches.of([machine.tree for machine in machines.machines])[texts.choosing],
        [
            FewerWords(machine.dfa, found, texts.sentences, numbered)
            for machine, found in zip(machines.machines, candidates, strict=True)
        ],
        texts.sentences,
        *texts.chosen_labels(machines.logic.labels),
        texts.is_dev,
        texts.is_unlabelled,
        texts.turns,
        with_phrases=not bundle.faithful,  # its rules have them already
    )
    # The rules of a faithful network name words in addition to the written ones already.
    left = max(0, most_words - (_words_more(bundle, bundle.ruleset) if bundle.faithful else 0))
    rounded = rounded_logic(bundle.network, machines.logic)
    choice = choosing.within(machines.logic, left, on_progress, stop)
    other = choosing.within(rounded.logic, left, None, stop) if rounded.changed and not stop.asked() else choice
    if other.right >= choice.right + MIN_GAIN and other.dev >= choice.dev:
        return other, rounded
    return choice, replace(rounded, logic=machines.logic, changed=())


def _words_more(bundle: Bundle, now: RuleSet) -> int:
    """How many words these rules name that the written ones do not."""
    return added_words(read_rules(bundle.written[0], lowercase=bundle.tokenization.lowercase).ruleset, now)


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
    bundle: Bundle,
    phrases: Sequence[PhraseForLabel],
    ruleset: RuleSet,
    logic: LabelLogic,
    describe: Describe,
    *,
    simplify: bool,
) -> tuple[RuleSet, LabelLogic]:
    """Rules and logic with rules of phrases that set predictions right; a faithful network has them already."""
    if bundle.faithful:
        return shorter_mined(ruleset) if simplify else ruleset, logic
    return with_new_rules(ruleset, logic, phrases, describe=describe, effort=BUDGET if simplify else 0)


def _compared(
    bundle: Bundle,
    texts: PredictedTexts,
    moved: Mapping[str, MovedEdges],
    rounded: RoundedLogic,
    reconstructed: tuple[str, str],
) -> Reconstruction:
    """The rules and the label logic as they are printed, and how they compare with the written ones."""
    rules_text, logic_text = reconstructed
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
        added_words(original.ruleset, new.ruleset),
    )


def _with_unread(result: Reconstruction, machines: Machines, why: Sequence[str]) -> Reconstruction:
    """The same with what is reported of rules whose machine could not be read back; `why` of each machine."""
    of_rule = {rule: reasons for machine, reasons in zip(machines.machines, why, strict=True) for rule in machine.rules}
    rules = (replace(rule, unread=of_rule.get(rule.name, "")) if rule.kept_original else rule for rule in result.rules)
    return replace(result, rules=tuple(rules))
