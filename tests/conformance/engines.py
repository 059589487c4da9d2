"""Everything in the package that can tell whether a rule accepts a sentence, behind one function each.

An engine gives one score a sentence: 1 for accepted, 0 for rejected, within its stated tolerance. A case that an
engine cannot do is declared with its reason; it must then really fail, so that no exception outlives its cause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from unittest import mock

import numpy as np
from support.rules import oracles
from support.rules.accept_cases import Case

from re2nn_core.automata import determinize, matcher
from re2nn_core.automata.algebra import canonical, complement
from re2nn_core.automata.determinize import exact_dfa, pseudo_dfa, pseudo_from_positions
from re2nn_core.automata.dfa import PseudoDfa
from re2nn_core.automata.explain import explain
from re2nn_core.automata.matcher import build_matcher
from re2nn_core.automata.positions import accepts, build_positions
from re2nn_core.automata.reverse import reverse_tree
from re2nn_core.automata.simulate import simulate
from re2nn_core.network.classification.bundle import Bundle, build_bundle
from re2nn_core.network.classification.predict import Outputs, run_network
from re2nn_core.network.configuration.classification import NetworkConfig
from re2nn_core.reconstruction.expressions.expression import expression_of
from re2nn_core.reconstruction.weights.thresholded_arcs import thresholded
from re2nn_core.reconstruction.weights.weighted import weighted_machines
from re2nn_core.rules.logic.label_logic import default_logic
from re2nn_core.rules.parser import parse_expression
from re2nn_core.rules.printer import print_expression, write_rules
from re2nn_core.rules.read import read_rules
from re2nn_core.rules.ruleset import expand
from re2nn_core.rules.tree import Node, with_cases
from re2nn_core.services.rule_systems.classification.systems import read_system
from re2nn_core.tensors.decompose import low_rank
from re2nn_core.tensors.factors import Factors, exact_factors, normalise, scores
from re2nn_core.tensors.machines import MachineMode, build_machines
from re2nn_core.text.tokenization import Tokenization
from re2nn_core.text.vocabulary import Vocabulary, build_vocabulary

Scores = Sequence[float]

# Rules beside the one under test, so that no machine is alone. None of them accepts a sentence of the table.
MORE_RULES = "\nbeside := never ever said\n[no]\nother := $* never $* again $*"


@dataclass(frozen=True)
class Engine:
    """`exceptions` maps names of cases to the reason why the engine cannot do them."""

    name: str
    scores: Callable[[Case], Scores]
    tolerance: float = 0.0
    exceptions: Mapping[str, str] = field(default_factory=dict)


def syntax_tree(case: Case) -> Scores:
    return [oracles.accepts(case.rule.expanded, sentence) for sentence in case.sentences]


def position_automaton(case: Case) -> Scores:
    automaton = build_positions(case.rule.expanded)
    return [accepts(automaton, sentence) for sentence in case.sentences]


def explanation(case: Case) -> Scores:
    automaton = build_positions(case.rule.expanded)
    return [explain(automaton, sentence) is not None for sentence in case.sentences]


def pseudo_machine(case: Case) -> Scores:
    machine = pseudo_dfa(case.rule.expanded)
    return [machine.accepts(sentence) for sentence in case.sentences]


def simulation(case: Case) -> Scores:
    machine = pseudo_dfa(case.rule.expanded)
    return [simulate(machine, sentence).accepted for sentence in case.sentences]


def exact_machine(case: Case) -> Scores:
    machine = exact_dfa(case.rule.expanded)
    return [machine.accepts(sentence) for sentence in case.sentences]


def pruned_exact_machine(case: Case) -> Scores:
    with mock.patch.object(determinize, "PRUNE_FROM", 1), mock.patch.object(determinize, "PRUNE_FACTOR", 0):
        return exact_machine(case)


def canonical_machine(case: Case) -> Scores:
    machine = canonical(exact_dfa(case.rule.expanded))
    return [machine.accepts(sentence) for sentence in case.sentences]


def complement_machine(case: Case) -> Scores:
    machine = complement(exact_dfa(case.rule.expanded))
    return [not machine.accepts(sentence) for sentence in case.sentences]


def reversed_rule(case: Case) -> Scores:
    machine = exact_dfa(reverse_tree(case.rule.expanded))
    return [machine.accepts(sentence[::-1]) for sentence in case.sentences]


def rule_matcher(case: Case) -> Scores:
    return [float(hit) for hit in build_matcher(case.ruleset.rules).matched(case.sentences)[:, 0]]


def forgetful_matcher(case: Case) -> Scores:
    """The matcher at its row limit after every sentence, beside other rules."""
    rules = read_rules(case.rules_text + MORE_RULES, lowercase=case.lowercase).ruleset.rules
    with mock.patch.object(matcher, "ROW_LIMIT", 0), mock.patch.object(matcher, "CHUNK", 1):
        return [float(hit) for hit in build_matcher(rules).matched(case.sentences)[:, 0]]


def rule_system(case: Case) -> Scores:
    """From texts to predictions, as the application asks."""
    tokenization = Tokenization("whitespace", lowercase=case.lowercase)
    system, _ = read_system(case.rules_text + MORE_RULES, None, tokenization)
    predictions = system.predictions([" ".join(sentence) for sentence in (*case.accepted, *case.rejected)])
    return [{"yes": 1.0, None: 0.0}[prediction] for prediction in predictions]


def printed_rule(case: Case) -> Scores:
    return _tree_scores(_read_again(case.rule.expanded, case), case)


def written_file(case: Case) -> Scores:
    written = write_rules(case.ruleset)
    return _tree_scores(read_rules(written, lowercase=case.lowercase).ruleset.rules[0].expanded, case)


def _read_again(tree: Node, case: Case) -> Node:
    """The tree as printed, where plain words have the spellings that the rule tells from others."""
    return with_cases(expand(parse_expression(print_expression(tree)), {}, case.lowercase), case.ruleset.cased)


def _tree_scores(tree: Node, case: Case) -> Scores:
    automaton = build_positions(tree)
    return [accepts(automaton, sentence) for sentence in case.sentences]


def vocabulary_of(case: Case) -> Vocabulary:
    """The rule's words and those of every other sentence: the rest of the words are unknown ones."""
    return build_vocabulary(case.sentences[::2], always=case.ruleset.words)


def factors_of(case: Case, mode: MachineMode = "rule") -> Factors:
    rules = read_rules(case.rules_text + MORE_RULES, lowercase=case.lowercase).ruleset
    return exact_factors(build_machines(rules, default_logic(rules), mode), vocabulary_of(case))


def dense_tensor(case: Case) -> Scores:
    factors = exact_factors(build_machines(case.ruleset, default_logic(case.ruleset), "rule"), vocabulary_of(case))
    tensor = oracles.dense_tensor(factors)
    return [oracles.dense_scores(factors, tensor, sentence)[0] for sentence in case.sentences]


def exact_tensor_factors(case: Case) -> Scores:
    return _first_scores(factors_of(case), case)


def label_factors(case: Case) -> Scores:
    return _first_scores(factors_of(case, "label"), case)


def normalised_factors(case: Case) -> Scores:
    return _first_scores(normalise(factors_of(case)), case)


def low_rank_factors(case: Case) -> Scores:
    """Factors found by alternating least squares a little above the exact rank, where it finds an optimum."""
    exact = exact_factors(build_machines(case.ruleset, default_logic(case.ruleset), "rule"), vocabulary_of(case))
    return _first_scores(low_rank(exact, exact.rank + 2, seed=0, sweeps=200).factors, case)


def _first_scores(factors: Factors, case: Case) -> Scores:
    return [float(scores(factors, sentence)[0]) for sentence in case.sentences]


def network_bundle(case: Case, *, vectors: int = 0, **settings: object) -> Bundle:
    """An untrained network; with `vectors`, random word vectors of so many dimensions."""
    vocabulary = vocabulary_of(case)
    config = NetworkConfig(**{"vectors": "none", **settings})
    random = np.random.default_rng(7).normal(size=(len(vocabulary), vectors)).astype(np.float32)
    tokenization = Tokenization("whitespace", lowercase=case.lowercase)
    given = random if vectors else None
    return build_bundle(case.rules_text + MORE_RULES, "", tokenization, vocabulary, config, vectors=given)


def outputs_of(bundle: Bundle, case: Case) -> Outputs:
    codes = [bundle.vocabulary.encode(sentence) for sentence in case.sentences]
    return run_network(bundle.network, codes, abstain=True)


def machine_scores(**settings: object) -> Callable[[Case], Scores]:
    """The score of the machine that stands for the case's rule in an untrained network."""

    def of(case: Case) -> Scores:
        return [float(score) for score in outputs_of(network_bundle(case, **settings), case).machine_scores[:, 0]]

    return of


def network_predictions(**settings: object) -> Callable[[Case], Scores]:
    """The label that the untrained network gives, or none."""

    def of(case: Case) -> Scores:
        predictions = outputs_of(network_bundle(case, **settings), case).predictions
        return [{0: 1.0, -1: 0.0}[int(prediction)] for prediction in predictions]

    return of


def _read_back(case: Case) -> PseudoDfa:
    bundle = network_bundle(case)
    machine = weighted_machines(bundle.network, bundle.vocabulary)[0]
    return pseudo_from_positions(thresholded(machine, 0.5).positions())


def read_back_machine(case: Case) -> Scores:
    """The machine that thresholding the untrained network gives."""
    machine = _read_back(case)
    return [machine.accepts(sentence) for sentence in case.sentences]


def rebuilt_rule(case: Case) -> Scores:
    """The rule written from that machine, printed and read again."""
    tree = expression_of(_read_back(case))
    if tree is None:
        return [0.0 for _ in case.sentences]
    return _tree_scores(_read_again(tree, case), case)


# The rule language has no expression for one word of some numbers, or of some signs.
NO_PART_OF_KIND = {"a number but not one number": "the rule language cannot say 'a number but 7' of one word"}

ENGINES = (
    Engine("syntax tree", syntax_tree),
    Engine("position automaton", position_automaton),
    Engine("explanation", explanation),
    Engine("pseudo machine", pseudo_machine),
    Engine("simulation", simulation),
    Engine("exact machine", exact_machine),
    Engine("exact machine, pruned", pruned_exact_machine),
    Engine("canonical machine", canonical_machine),
    Engine("complement", complement_machine),
    Engine("reversed rule", reversed_rule),
    Engine("matcher", rule_matcher),
    Engine("matcher that forgets", forgetful_matcher),
    Engine("rule system", rule_system),
    Engine("printed rule", printed_rule),
    Engine("written file", written_file),
    Engine("dense tensor", dense_tensor),
    Engine("exact factors", exact_tensor_factors),
    Engine("exact factors by label", label_factors),
    # Scaling a column and its partners rounds each entry once; a sum of a few hundred stays far below this.
    Engine("normalised factors", normalised_factors, tolerance=1e-4),
    # The search stops when a sweep gains less than 1e-7; at the exact rank it may end in a local optimum.
    Engine("factors found by search", low_rank_factors, tolerance=0.05),
    Engine("network by rule", machine_scores(machines="rule")),
    Engine("network by label", machine_scores(machines="label")),
    Engine("network by best path", machine_scores(machines="rule", scoring="viterbi")),
    Engine("network with extra states", machine_scores(extra_states=5)),
    Engine("network with extra states, blocks open", machine_scores(extra_states=5, block_diagonal=False)),
    Engine("network with word vectors", machine_scores(vectors=6, train_words=True)),
    Engine("network by best path with all of it", machine_scores(scoring="viterbi", extra_states=5, vectors=6)),
    Engine("network of both directions", machine_scores(bidirectional=True)),
    Engine("network of both directions by best path", machine_scores(bidirectional=True, scoring="viterbi")),
    Engine("network of single arcs", machine_scores(decomposed=False, extra_states=2)),
    Engine("network of single arcs by best path", machine_scores(decomposed=False, scoring="viterbi")),
    Engine("network with the mixture at one", machine_scores(rule_weight=1.0, vectors=6)),
    Engine("network of normalised factors", machine_scores(normalize=True, extra_states=2), tolerance=1e-4),
    # A gate is open up to 5e-5 a word, and the longest sentence has 61 words.
    Engine("network with gates", machine_scores(cell="gru"), tolerance=0.02),
    Engine("network answers", network_predictions(extra_states=3, vectors=4)),
    Engine("network answers by two layers", network_predictions(aggregation="layers")),
    Engine("network answers by linear layers", network_predictions(aggregation="layers", aggregation_activation=False)),
    Engine(
        "network answers by layers to be trained", network_predictions(aggregation="layers", train_aggregation=True)
    ),
    Engine("machine read back", read_back_machine),
    Engine("rule rebuilt", rebuilt_rule, exceptions=NO_PART_OF_KIND),
)
