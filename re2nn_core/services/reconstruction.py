"""A trained network read back as rules, beside the rules it came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from re2nn_core.automata.inclusion import shortest_escape
from re2nn_core.automata.matcher import RuleMatcher, build_matcher
from re2nn_core.automata.positions import build_positions
from re2nn_core.errors import InputError, StateBudgetError
from re2nn_core.network.bundle import Bundle
from re2nn_core.reconstruction.choose import MIN_GAIN, Choice, candidates_of, choose
from re2nn_core.reconstruction.label_logic import RoundedLogic, rounded_logic
from re2nn_core.reconstruction.rebuild import rebuilt
from re2nn_core.reconstruction.weighted import weighted_machines
from re2nn_core.rules.logic import LabelLogic, write_logic
from re2nn_core.rules.printer import print_expression, write_rules
from re2nn_core.rules.ruleset import Rule
from re2nn_core.services.evaluation import accuracy
from re2nn_core.services.prediction import predict
from re2nn_core.services.systems import RuleSystem, read_system
from re2nn_core.tensors.machines import Machines
from re2nn_core.text.corpus import Corpus
from re2nn_core.text.tokenization import words_of_all

OnProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class RuleChange:
    """One rule before and after. Witnesses are shortest sentences that only one of the two accepts (None: there is
    none, or the machines are too large to say). `won` and `lost` are places of corpus texts that only the
    reconstructed or only the original rule accepts. `threshold` is None where the written rule stayed."""

    name: str
    label: str
    original_text: str
    reconstructed_text: str
    threshold: float | None
    kept_original: bool
    witness_only_original: tuple[str, ...] | None
    witness_only_reconstructed: tuple[str, ...] | None
    lost: tuple[int, ...]
    won: tuple[int, ...]


@dataclass(frozen=True)
class SplitAccuracy:
    """Accuracies on one split, as shares of 1; `agreement` is the share of texts on which network and reconstructed
    rules give the same answer."""

    split: str
    texts: int
    original: float | None
    network: float | None
    reconstructed: float | None
    agreement: float


@dataclass(frozen=True)
class Reconstruction:
    """The reconstructed rule set, and how it compares. `accuracy` holds dev first, then the other splits. Where
    aggregation layers were trained, `new_logic` are the labels whose logic was read back from them too, and
    `unclear_logic` those whose weights are no formula, so that their logic stays as written."""

    rules_text: str
    logic_text: str
    accuracy: tuple[SplitAccuracy, ...]
    rules: tuple[RuleChange, ...]
    new_logic: tuple[str, ...] = ()
    unclear_logic: tuple[str, ...] = ()

    @property
    def changed(self) -> int:
        return sum(not rule.kept_original for rule in self.rules)

    @property
    def logic_in_words(self) -> str:
        """What became of trained aggregation layers; empty where there is nothing to say."""
        said = []
        if self.new_logic:
            said.append(f"The label logic of {_some(self.new_logic)} was read back from the trained layers.")
        if self.unclear_logic:
            said.append(
                f"The trained layers of {_some(self.unclear_logic)} are no formula; that logic stays as written."
            )
        return " ".join(said)


def _some(labels: Sequence[str], most: int = 5) -> str:
    more = len(labels) - most
    return ", ".join(labels[:most]) + (f" and {more} more" if more > 0 else "")


def reconstruct(bundle: Bundle, corpus: Corpus, *, on_progress: OnProgress | None = None) -> Reconstruction:
    """Read a network back. Thresholds are chosen on the labelled dev texts, the labelled train texts beside them where
    the corpus has some (on all labelled texts where there is no dev split); test texts are only measured. Label
    logic that trained aggregation layers round to is taken where more of these texts come out right with it.
    InputError without labelled texts."""
    dev, choosing = _choosing_texts(corpus)
    texts = choosing.texts
    sentences = words_of_all(texts, bundle.tokenization)
    candidates = [candidates_of(m, sentences) for m in weighted_machines(bundle.network, bundle.vocabulary)]
    machines = bundle.machines
    names = machines.names
    written = RuleMatcher([machine.tree for machine in machines.machines]).fired(sentences)
    labels = machines.logic.labels
    gold = _indices([example.label for example in choosing], labels)
    is_dev = np.arange(len(choosing)) < len(dev)
    network_answers = _indices(predict(bundle, texts).answers, labels)

    def chosen(logic: LabelLogic) -> Choice:
        return choose(logic, names, written, candidates, gold, network_answers, is_dev, on_progress=on_progress)

    choice, rounded = chosen(machines.logic), rounded_logic(bundle.network, machines.logic)
    if rounded.changed:
        other = chosen(rounded.logic)
        if other.right >= choice.right + MIN_GAIN and other.dev >= choice.dev:
            return _result(bundle, corpus, dev, other, rounded)
    return _result(bundle, corpus, dev, choice, replace(rounded, logic=machines.logic, changed=()))


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


def _result(bundle: Bundle, corpus: Corpus, dev: Corpus, choice: Choice, rounded: RoundedLogic) -> Reconstruction:
    machines = Machines(bundle.machines.machines, rounded.logic)
    changed = {
        machine.name: candidate.dfa
        for machine, candidate in zip(bundle.machines.machines, choice.chosen, strict=True)
        if candidate is not None
    }
    ruleset, logic = rebuilt(bundle.ruleset, machines, changed)
    rules_text, logic_text = write_rules(ruleset), write_logic(logic)
    original, _ = read_system(bundle.rules_text, bundle.logic_text, bundle.tokenization)
    new, _ = read_system(rules_text, logic_text, bundle.tokenization, rules_file="<reconstructed rules>")
    splits = [("dev", dev), *((s, corpus.of_split(s)) for s in ("train", "test") if len(corpus.of_split(s)))]
    measured = tuple(_measure(name, part, original, bundle, new) for name, part in splits)
    changes = _changes(bundle, corpus, choice, new)
    return Reconstruction(rules_text, logic_text, measured, changes, rounded.changed, rounded.unclear)


def _measure(split: str, corpus: Corpus, original: RuleSystem, bundle: Bundle, new: RuleSystem) -> SplitAccuracy:
    texts = corpus.texts
    gold = [example.label for example in corpus]
    by_network, by_new = predict(bundle, texts).answers, new.answers(texts)
    agreeing = sum(a == b for a, b in zip(by_network, by_new, strict=True))
    return SplitAccuracy(
        split,
        len(texts),
        accuracy(gold, original.answers(texts)),
        accuracy(gold, by_network),
        accuracy(gold, by_new),
        agreeing / len(texts) if texts else 1.0,
    )


def _changes(bundle: Bundle, corpus: Corpus, choice: Choice, new: RuleSystem) -> tuple[RuleChange, ...]:
    sentences = words_of_all(corpus.texts, bundle.tokenization)
    before = build_matcher(bundle.ruleset.rules).fired(sentences)
    after = new.matcher.fired(sentences)
    place_before = {rule.name: place for place, rule in enumerate(bundle.ruleset.rules)}
    threshold = {
        rule: candidate.threshold
        for machine, candidate in zip(bundle.machines.machines, choice.chosen, strict=True)
        for rule in machine.rules
        if candidate is not None
    }
    changes = []
    for place, rule in enumerate(new.ruleset.rules):
        old = bundle.ruleset.rules[place_before[rule.name]]
        fired_before, fired_after = before[:, place_before[rule.name]], after[:, place]
        lost, won = np.nonzero(fired_before & ~fired_after)[0], np.nonzero(fired_after & ~fired_before)[0]
        kept = rule.name not in threshold
        only_old, only_new = (None, None) if kept else _witnesses(old, rule)
        changes.append(
            RuleChange(
                name=rule.name,
                label=rule.label,
                original_text=print_expression(old.tree),
                reconstructed_text=print_expression(rule.tree),
                threshold=threshold.get(rule.name),
                kept_original=kept,
                witness_only_original=only_old,
                witness_only_reconstructed=only_new,
                lost=tuple(int(text) for text in lost),
                won=tuple(int(text) for text in won),
            )
        )
    return tuple(changes)


def _witnesses(old: Rule, new: Rule) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    left, right = build_positions(old.expanded), build_positions(new.expanded)
    try:
        return shortest_escape(left, right), shortest_escape(right, left)
    except StateBudgetError:
        return None, None
