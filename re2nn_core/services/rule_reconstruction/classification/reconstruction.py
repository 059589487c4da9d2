"""A trained network read back as rules, beside the rules it came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.inclusion import shortest_escape
from re2nn_core.automata.matcher import RuleMatcher
from re2nn_core.automata.positions import build_positions
from re2nn_core.automata.symbols import Symbol
from re2nn_core.errors import InputError, StateBudgetError
from re2nn_core.network.classification.bundle import Bundle
from re2nn_core.network.slot_filling.bundle import TaggerBundle
from re2nn_core.reconstruction.classification.encoded_texts import number_texts
from re2nn_core.reconstruction.classification.label_logic import RoundedLogic, rounded_logic
from re2nn_core.reconstruction.classification.mined_phrases import mined_phrases
from re2nn_core.reconstruction.classification.new_rules import shorter_mined, with_new_rules
from re2nn_core.reconstruction.classification.rule_text import rebuilt
from re2nn_core.reconstruction.classification.threshold_choice import (
    MIN_GAIN,
    Choice,
    choose,
    distinct,
    read_at_thresholds,
    why_unread,
)
from re2nn_core.reconstruction.expressions.simplify import BUDGET
from re2nn_core.reconstruction.weights.class_names import Describe, Tell, class_sets, strongest_words, told_by_weights
from re2nn_core.reconstruction.weights.edges import Moved, edge_name, moved_edges
from re2nn_core.reconstruction.weights.threshold import as_thresholded
from re2nn_core.reconstruction.weights.weighted import WeightedMachine, weighted_machines
from re2nn_core.reconstruction.weights.word_sets import WordSets
from re2nn_core.rules.logic.label_logic import LabelLogic, decide_all, write_logic
from re2nn_core.rules.printer import print_expression, write_rules
from re2nn_core.rules.ruleset import Rule, RuleSet
from re2nn_core.services.prediction.classification.evaluation import accuracy
from re2nn_core.services.prediction.classification.predictor import predict
from re2nn_core.services.rule_reconstruction.reconstruction_report import (
    NewRule,
    Reconstruction,
    RuleChange,
    SplitAccuracy,
    moved_from,
)
from re2nn_core.services.rule_systems.classification.systems import RuleSystem, read_system
from re2nn_core.tensors.machines import Machines
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.joined_names import first_names
from re2nn_core.text.tokenization import words_of_all

__all__ = [
    "NewRule",
    "OnProgress",
    "Reconstruction",
    "RuleChange",
    "SplitAccuracy",
    "check_labels",
    "compared_with",
    "reconstruct",
    "witnesses",
    "word_sets",
]

OnProgress = Callable[[int, int], None]


def reconstruct(
    bundle: Bundle, corpus: Corpus, *, on_progress: OnProgress | None = None, simplify: bool = True
) -> Reconstruction:
    """Read a network back. Thresholds are chosen on the labelled dev texts, the labelled train texts beside them where
    the corpus has some (on all labelled texts where there is no dev split); test texts are only measured. Label
    logic that trained aggregation layers round to is taken where more of these texts come out right with it. Where
    there are train texts beside dev texts, phrases of them that set answers right become new rules. `simplify`: rules
    that were read back are made as short as they can be; else they say arc by arc what the machines do.
    InputError without labelled texts."""
    dev, choosing = _choosing_texts(corpus)
    check_labels(bundle, choosing)
    sentences = words_of_all(choosing.texts, bundle.tokenization)
    numbered = number_texts(sentences)
    weighted = weighted_machines(bundle.network, bundle.vocabulary)
    read = [read_at_thresholds(machine, numbered) for machine in weighted]
    candidates, machines = [distinct(found) for found in read], bundle.machines
    names = machines.names
    written = RuleMatcher([machine.tree for machine in machines.machines]).fired(sentences)
    labels = machines.logic.labels
    gold = _indices([example.label for example in choosing], labels)
    is_dev = np.arange(len(choosing)) < len(dev)
    network_answers = _indices(predict(bundle, choosing.texts).answers, labels)

    def chosen(logic: LabelLogic) -> Choice:
        return choose(logic, names, written, candidates, gold, network_answers, is_dev, on_progress=on_progress)

    choice, rounded = chosen(machines.logic), rounded_logic(bundle.network, machines.logic)
    other = chosen(rounded.logic) if rounded.changed else choice
    if other.right >= choice.right + MIN_GAIN and other.dev >= choice.dev:
        choice = other
    else:
        rounded = replace(rounded, logic=machines.logic, changed=())
    describe = word_sets(bundle, sentences).describe
    ruleset, logic = _rules_of(bundle, choice, rounded, _tellers(bundle, choice, weighted, describe), simplify=simplify)
    if not bundle.near_rules:
        answers = _answers_of(ruleset, logic, bundle, sentences)
        mined = mined_phrases(logic, sentences, answers, gold, is_dev)
        effort = BUDGET if simplify else 0
        ruleset, logic = with_new_rules(ruleset, logic, mined, describe=describe, effort=effort)
    elif simplify:
        ruleset = shorter_mined(ruleset)
    moved = _moved(bundle, choice, weighted, describe, ruleset)
    result = _result(bundle, corpus, dev, moved, rounded, (with_exceptions(ruleset, moved), logic))
    return _with_unread(result, machines, [why_unread(found) for found in read])


def _with_unread(result: Reconstruction, machines: Machines, why: Sequence[str]) -> Reconstruction:
    """The same with what is told of rules whose machine could not be read back; `why` of each machine."""
    of_rule = {rule: told for machine, told in zip(machines.machines, why, strict=True) for rule in machine.rules}
    rules = (replace(rule, unread=of_rule.get(rule.name, "")) if rule.kept_original else rule for rule in result.rules)
    return replace(result, rules=tuple(rules))


def check_labels(bundle: Bundle, corpus: Corpus) -> None:
    """InputError where not one text has a label that the network can give: it is the network of something else."""
    given = sorted({example.label for example in corpus if example.label is not None})
    known = bundle.network.logic.labels
    if not set(given) & set(known):
        raise InputError(
            f"None of these texts has a label that the network can give: theirs are {first_names(given, 5)}, "
            f"the network's {first_names(known, 5)}.\nThis may be the network of another project. "
            "Give it texts of its own."
        )


def _choosing_texts(corpus: Corpus) -> tuple[Corpus, Corpus]:
    """(dev texts, dev texts and then train texts), those with a label."""
    labelled = Corpus(tuple(example for example in corpus if example.label is not None))
    dev = labelled.of_split("dev")
    if not len(labelled):
        raise InputError(
            "None of the texts has a label, so no threshold can be chosen.\nLabel some texts, or give a labelled file."
        )
    if not len(dev):
        return labelled, labelled
    return dev, Corpus((*dev, *(example for example in labelled if example.split in ("train", None))))


def _indices(answers: Sequence[str | None], labels: Sequence[str]) -> NDArray[np.int64]:
    places = {label: place for place, label in enumerate(labels)}
    # -2 for a label the rules do not know, so that it is never equal to "no answer", -1.
    return np.asarray([-1 if a is None else places.get(a, -2) for a in answers], dtype=np.int64)


def _rules_of(
    bundle: Bundle, choice: Choice, rounded: RoundedLogic, tell: Mapping[str, Tell], *, simplify: bool
) -> tuple[RuleSet, LabelLogic]:
    """The rules with the chosen machines in the place of the written ones."""
    changed = {
        machine.name: candidate.dfa
        for machine, candidate in zip(bundle.machines.machines, choice.chosen, strict=True)
        if candidate is not None
    }
    if simplify:  # what was read back before this network was built from it stands arc by arc in its rules
        before = [machine for machine in bundle.machines.machines if set(machine.rules) <= bundle.moved.keys()]
        changed = {**{m.name: m.dfa for m in before if len(m.rules) == 1}, **changed}
    machines = Machines(bundle.machines.machines, rounded.logic)
    return rebuilt(bundle.ruleset, machines, changed, tell, effort=BUDGET if simplify else 0)


def _tellers(
    bundle: Bundle, choice: Choice, weighted: Sequence[WeightedMachine], describe: Describe
) -> dict[str, Tell]:
    """For each machine what to say of its word classes."""
    return {
        machine.name: told_by_weights(
            strongest_words(weights), candidate.machine if candidate else as_thresholded(machine.dfa), describe
        )
        for machine, candidate, weights in zip(bundle.machines.machines, choice.chosen, weighted, strict=True)
    }


def with_exceptions(ruleset: RuleSet, moved: Mapping[str, Moved]) -> RuleSet:
    """The rules with a comment where an edge came back as `$`, and the network gives some words less than the threshold
    there. The rule language has no "any word except": a rule says what it reads, and what it reads too much is told."""
    entries = []
    for entry in ruleset.entries:
        if isinstance(entry, Rule) and entry.name in moved:
            told = [
                f"$ also reads {', '.join(edge.exceptions)}, which weigh less than {moved[entry.name].threshold:.2f}"
                for edge in moved[entry.name].learned
                if edge.exceptions
            ]
            entry = replace(entry, note="; ".join([*([entry.note] if entry.note else []), *dict.fromkeys(told)]))
        entries.append(entry)
    return RuleSet(tuple(entries))


def _answers_of(
    ruleset: RuleSet, logic: LabelLogic, bundle: Bundle, sentences: Sequence[Sequence[str]]
) -> NDArray[np.int64]:
    """[sentences]: the labels of rules whose trees may hold references to classes; they are printed and read."""
    read, _ = read_system(write_rules(ruleset), write_logic(logic), bundle.tokenization)
    return decide_all(read.logic, read.rule_names, read.matcher.fired(sentences))


def _result(
    bundle: Bundle,
    corpus: Corpus,
    dev: Corpus,
    moved: Mapping[str, Moved],
    rounded: RoundedLogic,
    rebuilt_rules: tuple[RuleSet, LabelLogic],
) -> Reconstruction:
    rules_text, logic_text = write_rules(rebuilt_rules[0]), write_logic(rebuilt_rules[1])
    original, _ = read_system(*bundle.written, bundle.tokenization)
    new, _ = read_system(rules_text, logic_text, bundle.tokenization, rules_file="<reconstructed rules>")
    splits = [("dev", dev), *((s, corpus.of_split(s)) for s in ("train", "test") if len(corpus.of_split(s)))]
    measured = tuple(_measure(name, part, original, bundle, new) for name, part in splits)
    changes, new_rules = _changes(bundle, corpus, moved, original, new)
    there = set(new.rule_names)
    dropped = tuple(name for name in original.rule_names if name not in there)
    return Reconstruction(
        rules_text, logic_text, measured, changes, rounded.changed, rounded.unclear, new_rules, dropped
    )


def _measure(split: str, corpus: Corpus, original: RuleSystem, bundle: Bundle, new: RuleSystem) -> SplitAccuracy:
    texts = corpus.texts
    gold = [example.label for example in corpus]
    by_network, by_old, by_new = predict(bundle, texts).answers, original.answers(texts), new.answers(texts)
    labelled = [(label, old, now) for label, old, now in zip(gold, by_old, by_new, strict=True) if label is not None]
    agreeing = sum(a == b for a, b in zip(by_network, by_new, strict=True))
    return SplitAccuracy(
        split,
        len(texts),
        accuracy(gold, by_old),
        accuracy(gold, by_network),
        accuracy(gold, by_new),
        agreeing / len(texts) if texts else 1.0,
        len(labelled),
        sum(now == label != old for label, old, now in labelled),
        sum(old == label != now for label, old, now in labelled),
    )


def _changes(
    bundle: Bundle, corpus: Corpus, moved: Mapping[str, Moved], original: RuleSystem, new: RuleSystem
) -> tuple[tuple[RuleChange, ...], tuple[NewRule, ...]]:
    """What became of each written rule, and the rules that nobody has written."""
    sentences = words_of_all(corpus.texts, bundle.tokenization)
    before, after = original.matcher.fired(sentences), new.matcher.fired(sentences)  # [texts, rules]
    place_before = {rule.name: place for place, rule in enumerate(original.ruleset.rules)}
    changes: list[RuleChange] = []
    new_rules: list[NewRule] = []
    for place, rule in enumerate(new.ruleset.rules):
        printed = print_expression(rule.tree)
        if rule.name not in place_before:
            new_rules.append(NewRule(rule.name, rule.label, printed, _places(after[:, place])))
            continue
        old = original.ruleset.rules[place_before[rule.name]]
        fired_before, fired_after = before[:, place_before[rule.name]], after[:, place]
        found = moved.get(rule.name)
        only_old, only_new = (None, None) if found is None else witnesses(old, rule)
        changes.append(
            RuleChange(
                name=rule.name,
                label=rule.label,
                original_text=print_expression(old.tree),
                reconstructed_text=printed,
                threshold=None if found is None else found.threshold,
                kept_original=found is None,
                witness_only_original=only_old,
                witness_only_reconstructed=only_new,
                lost=_places(fired_before & ~fired_after),
                won=_places(fired_after & ~fired_before),
                edges=0 if found is None else found.edges,
                words=0 if found is None else found.words,
                learned=() if found is None else found.learned,
            )
        )
    return tuple(changes), tuple(new_rules)


def compared_with(change: RuleChange, written: Rule, read_back: Rule, fired: NDArray[np.bool_]) -> RuleChange:
    """The same change seen from another form of the written rule; fired [texts, 2]: what that one accepts, and what the
    rule read back does."""
    only_written, only_read_back = witnesses(written, read_back)
    before, after = fired[:, 0], fired[:, 1]
    return replace(
        change,
        original_text=print_expression(written.tree),
        witness_only_original=only_written,
        witness_only_reconstructed=only_read_back,
        lost=_places(before & ~after),
        won=_places(after & ~before),
    )


def _places(texts: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(text) for text in np.nonzero(texts)[0])


def word_sets(bundle: Bundle | TaggerBundle, sentences: Sequence[Sequence[str]]) -> WordSets:
    """What describes sets of the network's words, by these sentences."""
    counts = Counter(word for sentence in sentences for word in sentence)
    return WordSets(bundle.vocabulary, bundle.network.reader.vectors.cpu().numpy(), counts)


def _moved(
    bundle: Bundle, choice: Choice, weighted: Sequence[WeightedMachine], describe: Describe, ruleset: RuleSet
) -> dict[str, Moved]:
    """The rules that are no longer as they were written, with their edges: those changed before a network was built
    anew from its rules, and those changed since. Edges go by the names of the classes of `ruleset`."""
    names = {words: name for name, words in class_sets(ruleset).items()}
    before = {f"@{name}@": words for name, words in class_sets(bundle.ruleset).items()}
    moved = {name: _named_anew(moved_from(values), before, names) for name, values in bundle.moved.items()}
    for machine, candidate, weights in zip(bundle.machines.machines, choice.chosen, weighted, strict=True):
        if candidate is not None:
            found = moved_edges(machine.dfa, candidate.machine, weights, candidate.threshold, describe, names)
            moved.update(dict.fromkeys(machine.rules, found))
    return moved


def _named_anew(moved: Moved, before: Mapping[str, frozenset[Symbol]], names: Mapping[frozenset[Symbol], str]) -> Moved:
    """Edges under the names that their classes have now; `before`: the words of the names that they had."""

    def name(old: str) -> str:
        words = before.get(old)
        return old if words is None else f"@{names[words]}@" if words in names else edge_name(words)

    return replace(moved, learned=tuple(replace(edge, name=name(edge.name)) for edge in moved.learned))


def witnesses(old: Rule, new: Rule) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """Shortest sentences that only the first rule accepts, and only the second; None where there are none, or the
    machines are too large to say."""
    left, right = build_positions(old.expanded), build_positions(new.expanded)
    try:
        return shortest_escape(left, right), shortest_escape(right, left)
    except StateBudgetError:
        return None, None
